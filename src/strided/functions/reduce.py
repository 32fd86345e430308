"""Reductions as functions, by the array API: values only, ``correction=0``, ``keepdims``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.methods.sorting import joined

Axis = int | Sequence[int] | None


def sum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Add up elements along axes, or all. A new tensor.

    >>> import strided
    >>> strided.sum(strided.tensor([[1, 2], [3, 4]]), axis=0).tolist()
    [4, 6]
    """
    return x.sum(axis, keepdims, dtype=dtype)


def prod(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Multiply elements along axes, or all. A new tensor.

    >>> import strided
    >>> strided.prod(strided.tensor([[1, 2], [3, 4]]), axis=1).tolist()
    [2, 12]
    """
    return x.prod(axis, keepdims, dtype=dtype)


def min(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the smallest element along axes, or of all. A new tensor.

    >>> import strided
    >>> strided.min(strided.tensor([[1, 2], [3, 4]]), axis=1).tolist()
    [1, 3]
    """
    return x.amin(axis, keepdims)


def max(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest element along axes, or of all. A new tensor.

    >>> import strided
    >>> strided.max(strided.tensor([[1, 2], [3, 4]]), axis=1).tolist()
    [2, 4]
    """
    return x.amax(axis, keepdims)


def any(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether an element is nonzero. A new tensor.

    >>> import strided
    >>> strided.any(strided.tensor([[0, 0], [3, 0]]), axis=1).tolist()
    [False, True]
    """
    return x.any(axis, keepdims)


def all(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Whether all elements are nonzero. A new tensor.

    >>> import strided
    >>> strided.all(strided.tensor([[0, 2], [3, 4]]), axis=1).tolist()
    [False, True]
    """
    return x.all(axis, keepdims)


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


def vector_norm(
    x: Tensor, /, *, axis: Axis = None, keepdims: bool = False, ord: float = 2
) -> Tensor:
    """Return the norm of vectors along axes, of order ord (0 and infinities too). A new tensor.

    >>> import strided
    >>> strided.vector_norm(strided.tensor([[3.0, 4.0], [6.0, 8.0]]), axis=1).tolist()
    [5.0, 10.0]
    """
    return x.norm(ord, axis, keepdims)


def logsumexp(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return log(sum(exp(x))) along axes, without overflow. A new tensor.

    >>> import strided
    >>> strided.logsumexp(strided.tensor([1000.0, -1000.0])).item()
    1000.0
    """
    return x.logsumexp(axis, keepdims)


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
    start = (*running.shape[:at], 1, *running.shape[at + 1 :])
    first = _native.empty(start, dtype=running.dtype).fill_(1 if product else 0)
    return joined([first, running], axis=at)


def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Count the elements that are not zero. A new tensor of int64.

    >>> import strided
    >>> strided.count_nonzero(strided.tensor([0, 1, 2])).item()
    2
    """
    return x.count_nonzero(axis, keepdims)


def nansum(x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False) -> Tensor:
    """Add up the elements that are numbers along axes, or all. A new tensor.

    >>> import strided
    >>> strided.nansum(strided.tensor([1.0, strided.nan, 3.0])).item()
    4.0
    """
    return x.nansum(axis, keepdims, dtype=dtype)


def nanmean(
    x: Tensor, /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor:
    """Return the mean of the elements that are numbers. A new tensor.

    >>> import strided
    >>> strided.nanmean(strided.tensor([1.0, strided.nan, 3.0])).item()
    2.0
    """
    return x.nanmean(axis, keepdims, dtype=dtype)


def nanmin(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the smallest number along axes, or of all. A new tensor.

    >>> import strided
    >>> strided.nanmin(strided.tensor([4.0, strided.nan, 3.0])).item()
    3.0
    """
    return x.nanmin(axis, keepdims)


def nanmax(x: Tensor, /, *, axis: Axis = None, keepdims: bool = False) -> Tensor:
    """Return the largest number along axes, or of all. A new tensor.

    >>> import strided
    >>> strided.nanmax(strided.tensor([4.0, strided.nan, 3.0])).item()
    4.0
    """
    return x.nanmax(axis, keepdims)
