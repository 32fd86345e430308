"""Methods and functions that read, write or make elements."""

from __future__ import annotations

COPIES: dict[str, tuple[str, ...]] = {
    "contiguous": (
        "(memory_format: MemoryFormat | None = None) -> Tensor",
        """Return the tensor in row-major or the given order: itself when it is, else a logged copy.

        >>> import strided
        >>> x = strided.zeros(2, 3)
        >>> x.contiguous() is x, x.T.contiguous().stride()
        (True, (2, 1))
        """,
    ),
    "clone": (
        "(memory_format: MemoryFormat | None = None) -> Tensor",
        """Return a copy that keeps the axis order and closes gaps, or has the given order.

        >>> import strided
        >>> x = strided.zeros(4, 3)[::2].T
        >>> x.stride(), x.clone().stride(), x.clone(strided.row_major).stride()
        ((1, 6), (1, 3), (2, 1))
        """,
    ),
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

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "empty": (
        "(shape: int | Sequence[int] = (), *more: int, dtype: DTypeLike | None = None,"
        " device: str | None = None, memory_format: MemoryFormat | None = None,"
        " requires_grad: bool = False) -> Tensor",
        """Return a new tensor whose elements are not set; float32 unless a dtype is given.

        >>> import strided
        >>> strided.empty(2, 3, memory_format=strided.column_major).stride()
        (1, 2)
        """,
    ),
    "zeros": (
        "(shape: int | Sequence[int] = (), *more: int, dtype: DTypeLike | None = None,"
        " device: str | None = None, memory_format: MemoryFormat | None = None,"
        " requires_grad: bool = False) -> Tensor",
        """Return a new tensor of zeros; float32 unless a dtype is given.

        >>> import strided
        >>> strided.zeros(2, dtype=strided.int64).tolist(), strided.zeros((2, 3)).shape
        ([0, 0], (2, 3))
        """,
    ),
}
