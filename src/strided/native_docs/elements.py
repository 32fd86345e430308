"""Methods and functions that read, write or make elements."""

from __future__ import annotations

COPIES: dict[str, tuple[str, ...]] = {
    "copy_": (
        "(source: Any, /) -> Self",
        """Write the elements of a tensor or array into this one, in place. The source broadcasts.

        >>> import strided
        >>> strided.zeros(2, 2).copy_(strided.arange(2)).tolist()
        [[0.0, 1.0], [0.0, 1.0]]
        """,
    ),
    "fill_": (
        "(value: Any, /) -> Self",
        """Write one value everywhere, in place.

        >>> import strided
        >>> x = strided.zeros(3)
        >>> _ = x[1:].fill_(7)
        >>> x.tolist()
        [0.0, 7.0, 7.0]
        """,
    ),
    "zero_": (
        "() -> Self",
        """Write zeros everywhere, in place.

        >>> import strided
        >>> strided.ones(2).zero_().tolist()
        [0.0, 0.0]
        """,
    ),
}

VALUES: dict[str, tuple[str, ...]] = {
    "item": (
        "(*index: int) -> Any",
        "(index: Sequence[int], /) -> Any",
        """Return the only element, or the one at an index, as a Python number.

        >>> import strided
        >>> x = strided.arange(6).reshape(2, 3)
        >>> x[0, 1].item(), x.item(1, -1)
        (1, 5)
        """,
    ),
    "flat": (
        "(index: int, /) -> Tensor",
        """Return the n-th element in row-major order, for any strides. A view of rank 0.

        >>> import strided
        >>> x = strided.arange(6).reshape(2, 3).T
        >>> x.flat(1).item(), x.flat(-1).item()
        (3, 5)
        """,
    ),
    "tolist": (
        "() -> Any",
        """Return the elements as nested lists of Python numbers; a rank-0 tensor as one number.

        >>> import strided
        >>> strided.zeros(2, 1).tolist(), strided.tensor(7).tolist()
        ([[0.0], [0.0]], 7)
        """,
    ),
}
