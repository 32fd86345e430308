"""Reductions as functions, by the array API: values only, ``correction=0``, ``keepdims``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor

Axis = int | Sequence[int] | None


def _simple(name: str, says: str, call: str, expected: str, has_dtype: bool = False) -> Any:
    def plain(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
        return _native.reduce(name, x, axis, keepdims, None)

    def typed(
        x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
    ) -> Tensor:
        return _native.reduce(name, x, axis, keepdims, dtype)

    function = typed if has_dtype else plain
    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"{says} A new tensor.\n\n    >>> import strided\n"
        f"    >>> strided.{name}(strided.tensor([[1, 2], [3, 4]]), {call}).tolist()\n"
        f"    {expected}\n    "
    )
    return function


sum = _simple("sum", "Add up elements along axes, or all.", "axis=0", "[4, 6]", has_dtype=True)
prod = _simple("prod", "Multiply elements along axes, or all.", "axis=1", "[2, 12]", has_dtype=True)
min = _simple("min", "The smallest element along axes, or of all.", "axis=1", "[1, 3]")
max = _simple("max", "The largest element along axes, or of all.", "axis=1", "[2, 4]")
any = _simple("any", "Whether an element is nonzero.", "axis=1", "[True, True]")
all = _simple("all", "Whether all elements are nonzero.", "axis=1", "[True, True]")


def mean(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Return the mean along axes, or of all elements. A new tensor.

    >>> import strided
    >>> strided.mean(strided.tensor([[1.0, 2.0], [3.0, 4.0]]), axis=0).tolist()
    [2.0, 3.0]
    """
    return x.mean(axis, keepdims, dtype=dtype)


def var(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """Return the variance along axes, divided by n - correction. A new tensor.

    >>> import strided
    >>> strided.var(strided.tensor([1.0, 3.0])).item()
    1.0
    """
    return x.var(axis, correction=correction, keepdim=keepdims)


def std(
    x: Tensor, /, *, axis: Axis = None, correction: float = 0, keepdims: bool = False
) -> Tensor:
    """Return the standard deviation along axes. A new tensor.

    >>> import strided
    >>> strided.std(strided.tensor([1.0, 3.0])).item()
    1.0
    """
    return x.std(axis, correction=correction, keepdim=keepdims)


def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first largest element. A new tensor.

    >>> import strided
    >>> strided.argmax(strided.tensor([1, 9, 2])).item()
    1
    """
    return x.argmax(axis, keepdims)


def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first smallest element. A new tensor.

    >>> import strided
    >>> strided.argmin(strided.tensor([4, 1, 2])).item()
    1
    """
    return x.argmin(axis, keepdims)


def cumulative_sum(
    x: Tensor, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Return running sums along an axis, with a leading 0 if asked for. A new tensor.

    >>> import strided
    >>> strided.cumulative_sum(strided.tensor([1, 2, 3]), include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    return _cumulative(x, axis, dtype, include_initial, product=False)


def cumulative_prod(
    x: Tensor, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False
) -> Tensor:
    """Return running products along an axis, with a leading 1 if asked for. A new tensor.

    >>> import strided
    >>> strided.cumulative_prod(strided.tensor([1, 2, 3])).tolist()
    [1, 2, 6]
    """
    return _cumulative(x, axis, dtype, include_initial, product=True)


def _cumulative(
    x: Tensor, axis: int | None, dtype: Any, include_initial: bool, product: bool
) -> Tensor:
    axis = 0 if axis is None and x.ndim == 1 else axis
    running = x.cumprod(axis, dtype=dtype) if product else x.cumsum(axis, dtype=dtype)
    if not include_initial:
        return running
    at = 0 if axis is None else axis % x.ndim
    shape = list(running.shape)
    shape[at] += 1
    out = _native.empty(shape, dtype=running.dtype)
    out.narrow(at, 0, 1).fill_(1 if product else 0)
    out.narrow(at, 1, shape[at] - 1).copy_(running)
    return out


def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Count the elements that are not zero. A new tensor of int64.

    >>> import strided
    >>> strided.count_nonzero(strided.tensor([0, 1, 2])).item()
    2
    """
    return x.not_equal(0).sum(axis, keepdims)
