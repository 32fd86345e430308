"""Averages, covariances, ranges, and reductions that skip NaN."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.numpy_names.calls import in_floats, with_dtype
from strided.ops.arguments import Axes, as_integers, as_operand, into
from strided.ops.elementwise import where
from strided.ops.statistics import count_numbers, nanmean

# ---- averages ----


def average(
    a: Any,
    axis: Axes = None,
    weights: Any = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """Return the weighted average along axes, or of all elements. A new tensor.

    With ``returned`` also the sum of the weights.

    >>> import strided
    >>> strided.average(strided.tensor([1.0, 4.0]), weights=[2, 1]).item()
    2.0
    """
    x = in_floats(a)
    if weights is None:
        mean = x.mean(axis=axis, keepdims=keepdims)
        count = x.size // max(mean.size, 1)
        return (
            (mean, _native.empty(mean.shape, dtype=mean.dtype).fill_(count)) if returned else mean
        )
    w = as_operand(weights)
    if w.shape != x.shape:
        axes = () if axis is None else as_integers(axis)
        lengths = tuple(x.shape[one] for one in axes)
        if not axes or w.shape != lengths:
            raise ShapeMismatch(
                operation="average",
                expected=lengths or x.shape,
                got=w.shape,
                hint="give a weight for each element, or for each place of the axis",
            )
        # In the order of the axes of the tensor, with those that are kept of length 1.
        places = [_native.normal_axis(one, x.ndim) for one in axes]
        w = w.permute(sorted(range(len(places)), key=places.__getitem__))
        w = w.reshape([x.shape[i] if i in places else 1 for i in range(x.ndim)]).expand(x.shape)
    total = with_dtype(w, _native.promote_types(w.dtype, x.dtype)).sum(axis=axis, keepdims=keepdims)
    if bool((total == 0).any()):
        raise ZeroDivisionError("weights sum to zero, the average cannot be normalised")
    found = (x * w).sum(axis=axis, keepdims=keepdims) / total
    return (found, total) if returned else found


def ptp(a: Any, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False) -> Tensor:
    """Return the largest minus the smallest element along axes. A new tensor ("peak to peak").

    >>> import strided
    >>> strided.ptp(strided.tensor([3, 9, 4])).item()
    6
    """
    x = as_operand(a)
    return into(out, x.amax(axis, keepdims) - x.amin(axis, keepdims), "ptp")


# ---- what skips NaN ----


def _without_nan(a: Any, value: float) -> Tensor:
    x = as_operand(a)
    return where(x != x, value, x) if x.dtype.kind in "fc" else x


def nanprod(
    a: Any, axis: Axes = None, dtype: Any = None, out: Tensor | None = None, keepdims: bool = False
) -> Tensor:
    """Return the product of the elements that are numbers along axes. A new tensor.

    >>> import strided
    >>> strided.nanprod(strided.tensor([2.0, strided.nan, 3.0])).item()
    6.0
    """
    return into(out, _without_nan(a, 1).prod(axis, keepdims, dtype=dtype), "nanprod")


def nancumsum(
    a: Any, axis: int | None = None, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return running sums along an axis in which NaN counts as 0. A new tensor.

    >>> import strided
    >>> strided.nancumsum(strided.tensor([1.0, strided.nan, 3.0])).tolist()
    [1.0, 1.0, 4.0]
    """
    return into(out, _without_nan(a, 0).cumsum(axis, dtype=dtype), "nancumsum")


def nancumprod(
    a: Any, axis: int | None = None, dtype: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return running products along an axis in which NaN counts as 1. A new tensor.

    >>> import strided
    >>> strided.nancumprod(strided.tensor([2.0, strided.nan, 3.0])).tolist()
    [2.0, 2.0, 6.0]
    """
    return into(out, _without_nan(a, 1).cumprod(axis, dtype=dtype), "nancumprod")


def nanvar(
    a: Any,
    axis: Axes = None,
    dtype: Any = None,
    out: Tensor | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """Return the variance of the elements that are numbers along axes. A new tensor.

    >>> import strided
    >>> strided.nanvar(strided.tensor([1.0, strided.nan, 3.0])).item()
    1.0
    """
    x = with_dtype(in_floats(a), dtype)
    less = ddof if correction is None else correction
    middle = nanmean(x, axis, True)
    difference = where(x == x, x - middle, 0)
    difference = difference.abs() if x.dtype.is_complex else difference
    total = (difference * difference).sum(axis, keepdims)
    count = count_numbers(x, axis, keepdims)._convert(total.dtype, reason="promote") - less
    return into(out, total / where(count > 0, count, float("nan")), "nanvar")


def nanstd(
    a: Any,
    axis: Axes = None,
    dtype: Any = None,
    out: Tensor | None = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """Return the standard deviation of the elements that are numbers. A new tensor.

    >>> import strided
    >>> strided.nanstd(strided.tensor([1.0, strided.nan, 3.0])).item()
    1.0
    """
    made = nanvar(a, axis, dtype, None, ddof, keepdims, correction=correction).sqrt()
    return into(out, made, "nanstd")


def _place(a: Any, axis: int | None, keepdims: bool, out: Any, largest: bool) -> Tensor:
    x = as_operand(a)
    if x.dtype.kind == "f":
        missing = x != x
        if bool(missing.all(axis).any() if axis is not None else missing.all()):
            raise InvalidArgument(
                argument="a", got="all NaN", requirement="must have a number in every slice"
            )
        x = where(missing, float("-inf" if largest else "inf"), x)
    found = x.argmax(axis, keepdims) if largest else x.argmin(axis, keepdims)
    return into(out, found, "nanargmax" if largest else "nanargmin")


def nanargmax(
    a: Any, axis: int | None = None, out: Tensor | None = None, *, keepdims: bool = False
) -> Tensor:
    """Return where the largest element that is a number stands. A new tensor.

    >>> import strided
    >>> strided.nanargmax(strided.tensor([1.0, strided.nan, 3.0])).item()
    2
    """
    return _place(a, axis, keepdims, out, True)


def nanargmin(
    a: Any, axis: int | None = None, out: Tensor | None = None, *, keepdims: bool = False
) -> Tensor:
    """Return where the smallest element that is a number stands. A new tensor.

    >>> import strided
    >>> strided.nanargmin(strided.tensor([1.0, strided.nan, 3.0])).item()
    0
    """
    return _place(a, axis, keepdims, out, False)
