"""Reductions and running sums. ``dim`` is also called ``axis``, and ``keepdim`` ``keepdims``."""

from __future__ import annotations

_DIMS = "int | Sequence[int] | None = None"
_OVER = f"(dim: {_DIMS}, keepdim: bool = False, *, dtype: DTypeLike | None = None,"
_SAME = f" axis: {_DIMS}, keepdims: bool | None = None, out: Tensor | None = None) -> Tensor"
_AXES = _OVER + _SAME
_ONE = (
    "(dim: int | None = None, keepdim: bool = False, *, axis: int | None = None,"
    " keepdims: bool | None = None, out: Tensor | None = None) -> Tensor"
)
_SPREAD = (
    f"(dim: {_DIMS}, *, correction: float = 1, keepdim: bool = False, ddof: float | None = None,"
    f" dtype: DTypeLike | None = None,{_SAME}"
)
_RUNNING = (
    "(dim: int | None = None, *, dtype: DTypeLike | None = None, axis: int | None = None,"
    " out: Tensor | None = None) -> Tensor"
)
# The result depends on which arguments are given.
_EXTREME = (
    "(dim: None = None, keepdim: bool = False, *, axis: int | Sequence[int] | None = None,"
    " keepdims: bool | None = None, out: Tensor | None = None) -> Tensor",
    "(dim: int, keepdim: bool = False, *, keepdims: bool | None = None) -> Extreme",
    "(dim: Tensor, *, out: Tensor | None = None) -> Tensor",
)

REDUCTIONS: dict[str, tuple[str, ...]] = {
    "sum": (
        _AXES,
        """Add up elements along the given axes, or all; small integers in int64. A new tensor.

        Sums of floats run in double. The result has the same bits for any number of threads.

        >>> import strided
        >>> strided.tensor([[1, 2], [3, 4]]).sum(0).tolist()
        [4, 6]
        """,
    ),
    "prod": (
        _AXES,
        """Multiply elements along axes, or all of them; small integers in int64. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 2], [3, 4]]).prod(1).tolist()
        [2, 12]
        """,
    ),
    "mean": (
        _AXES,
        """Return the mean along axes, or of all elements; integers give float32. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 2], [3, 4]]).mean(0).tolist()
        [2.0, 3.0]
        """,
    ),
    "any": (
        _AXES,
        """Whether at least one element is nonzero. A new tensor.

        >>> import strided
        >>> strided.tensor([[0, 0], [0, 4]]).any(dim=1).tolist()
        [False, True]
        """,
    ),
    "all": (
        _AXES,
        """Whether all elements are nonzero; true for none. A new tensor.

        >>> import strided
        >>> strided.tensor([[0, 1], [3, 4]]).all(dim=1).tolist()
        [False, True]
        """,
    ),
    "count_nonzero": (
        _AXES,
        """Count the elements that are not zero. A new tensor of int64.

        >>> import strided
        >>> strided.tensor([[0, 1], [2, 3]]).count_nonzero(1).tolist()
        [1, 2]
        """,
    ),
    "amin": (
        _AXES,
        """Return the smallest element along axes, or of all; NaN wins. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 2], [3, 4]]).amin(dim=1).tolist()
        [1, 3]
        """,
    ),
    "amax": (
        _AXES,
        """Return the largest element along axes, or of all; NaN wins. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 2], [3, 4]]).amax(dim=1).tolist()
        [2, 4]
        """,
    ),
    "aminmax": (
        f"(dim: {_DIMS}, keepdim: bool = False, *, axis: {_DIMS}, keepdims: bool | None = None)"
        " -> Extremes",
        """Return the smallest and the largest elements, in one pass. New tensors.

        >>> import strided
        >>> least, most = strided.tensor([[1, 2], [3, 4]]).aminmax(dim=0)
        >>> least.tolist(), most.tolist()
        ([1, 2], [3, 4])
        """,
    ),
    "min": (
        *_EXTREME,
        """The smallest element, of all or along an axis. A new tensor.

        ``min(dim)`` also says where it stands, as PyTorch does; ``min(axis=...)`` gives only the
        values, as NumPy does; ``min(other)`` works elementwise.

        >>> import strided
        >>> values, indices = strided.tensor([[4, 1], [5, 3]]).min(1)
        >>> values.tolist(), indices.tolist()
        ([1, 3], [1, 1])
        """,
    ),
    "max": (
        *_EXTREME,
        """The largest element, of all or along an axis. A new tensor.

        ``max(dim)`` also says where it stands, as PyTorch does; ``max(axis=...)`` gives only the
        values, as NumPy does; ``max(other)`` works elementwise.

        >>> import strided
        >>> values, indices = strided.tensor([[4, 1], [5, 3]]).max(1)
        >>> values.tolist(), indices.tolist()
        ([4, 5], [0, 0])
        """,
    ),
    "argmin": (
        _ONE,
        """Return the position of the first smallest element, along an axis or of all. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 9], [7, 2]]).argmin(1).tolist()
        [0, 1]
        """,
    ),
    "argmax": (
        _ONE,
        """Return the position of the first largest element, along an axis or of all. A new tensor.

        >>> import strided
        >>> strided.tensor([[1, 9], [7, 2]]).argmax(1).tolist()
        [1, 0]
        """,
    ),
    "var": (
        _SPREAD,
        """Return the variance along axes, or of all elements. A new tensor.

        The sum of squares is divided by n - correction: 1, as in PyTorch; ddof is NumPy's name.

        >>> import strided
        >>> x = strided.tensor([1.0, 3.0])
        >>> x.var().item(), x.var(correction=0).item()
        (2.0, 1.0)
        """,
    ),
    "std": (
        _SPREAD,
        """Return the standard deviation; like ``var``, with correction 1 by default. A new tensor.

        >>> import strided
        >>> strided.tensor([1.0, 3.0]).std(correction=0).item()
        1.0
        """,
    ),
    "norm": (
        f"(p: float = 2, dim: {_DIMS}, keepdim: bool = False, *, dtype: DTypeLike | None = None,"
        f"{_SAME}",
        """Return the p-norm of elements along axes; p may also be 0 or infinite. A new tensor.

        >>> import strided
        >>> x = strided.tensor([3.0, -4.0])
        >>> x.norm().item(), x.norm(1).item(), x.norm(strided.inf).item(), x.norm(0).item()
        (5.0, 7.0, 4.0, 2.0)
        """,
    ),
    "logsumexp": (
        f"(dim: {_DIMS}, keepdim: bool = False, *,{_SAME}",
        """Return log(sum(exp(x))) along axes, without overflow and in one pass. A new tensor.

        >>> import strided
        >>> strided.tensor([0.0, -1000.0]).logsumexp(0).item()
        0.0
        """,
    ),
    "cumsum": (
        _RUNNING,
        """Return running sums along an axis (flattened when none is given). A new tensor.

        >>> import strided
        >>> strided.tensor([1, 2, 3]).cumsum(0).tolist()
        [1, 3, 6]
        """,
    ),
    "cumprod": (
        _RUNNING,
        """Return running products along an axis (flattened when none is given). A new tensor.

        >>> import strided
        >>> strided.tensor([1, 2, 3]).cumprod(0).tolist()
        [1, 2, 6]
        """,
    ),
}
