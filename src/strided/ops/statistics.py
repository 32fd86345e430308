"""Statistical functions: sums, products, means, variances, norms and counts along axes."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.arguments import Axes, count_along, reduced_axes, with_axes
from strided.ops.define import DTypeLike, operation
from strided.ops.elementwise import where
from strided.ops.fused import in_one_pass
from strided.ops.gradients import Backward, Call, Gradients

# ---- sums and means ----


def _sum_gradient(
    call: Call, x: Tensor, axis: Axes, keepdims: bool, dtype: DTypeLike, out: None
) -> Backward:
    axes, shape, of_x = reduced_axes(x, axis), x.shape, x.dtype

    def backward(g: Tensor) -> Gradients:
        # Converted while it is small.
        return (with_axes(g.to(of_x), axes, keepdims).expand(shape),)

    return backward


@operation(gradient=_sum_gradient, numpy="sum: a axis dtype out keepdims", fuse="sum")
def sum(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Add up elements along the given axes, or all; small integers in int64. A new tensor.

    Sums of floats run in double. The result has the same bits for any number of threads.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).sum(0).tolist()
    [4, 6]
    """
    ...


def _mean_gradient(
    call: Call, x: Tensor, axis: Axes, keepdims: bool, dtype: DTypeLike, out: None
) -> Backward:
    axes, shape, of_x = reduced_axes(x, axis), x.shape, x.dtype
    count = count_along(x, axes)

    def backward(g: Tensor) -> Gradients:
        return (with_axes((g / count).to(of_x), axes, keepdims).expand(shape),)

    return backward


@operation(gradient=_mean_gradient, numpy="mean: a axis dtype out keepdims", fuse="mean")
def mean(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the mean along axes, or of all elements; integers give float32. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).mean(0).tolist()
    [2.0, 3.0]
    """
    ...


def _nansum_gradient(
    call: Call, x: Tensor, axis: Axes, keepdims: bool, dtype: DTypeLike
) -> Backward:
    axes = reduced_axes(x, axis)
    saved = call.save(x)

    def backward(g: Tensor) -> Gradients:
        (x,) = saved()
        expanded = with_axes(g, axes, keepdims)
        return (in_one_pass(lambda x, g: where(x != x, 0, g), x, expanded),)

    return backward


@operation(gradient=_nansum_gradient)
def nansum(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, *, dtype: DTypeLike | None = None
) -> Tensor:
    """Add up the elements that are numbers along the given axes, or all of them. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, strided.nan, 3.0]).nansum().item()
    4.0
    """
    ...


@operation(function=None, method=None)
def count_numbers(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, dtype: DTypeLike | None = None
) -> Tensor:
    """Count the elements that are not NaN along axes, or of all."""
    ...


@operation()
def nanmean(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, *, dtype: DTypeLike | None = None
) -> Tensor:
    """Return the mean of the elements that are numbers; NaN where there are none. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, strided.nan, 3.0]).nanmean().item()
    2.0
    """
    if x.dtype.is_complex:
        count = (x.detach() == x.detach()).sum(axis, keepdims)
        return nansum(x, axis, keepdims, dtype=dtype) / count
    if not x.dtype.is_floating_point:
        return mean(x, axis, keepdims, dtype=dtype)
    wanted = x.dtype if dtype is None else dtype
    # Half types would round the sum before it is divided.
    wide = None if x.itemsize > 2 else "float32"
    found = nansum(x, axis, keepdims, dtype=wide) / count_numbers(x, axis, keepdims)
    return found._convert(wanted, reason="promote")


# ---- variances ----


def _reciprocal(n: float) -> float:
    return 1 / n if n > 0 else math.inf


def _variance_gradient(g: Tensor, x: Tensor, axes: tuple[int, ...]) -> Tensor:
    middle = mean(x, axes, keepdims=True) if axes else x
    made: Tensor = in_one_pass(lambda g, x, m: g * (x - m), g, x, middle)
    return made


def _var_gradient(
    call: Call,
    x: Tensor,
    axis: Axes,
    correction: float | None,
    keepdims: bool,
    dtype: DTypeLike,
    out: None,
) -> Backward:
    axes = reduced_axes(x, axis)
    factor = 2 * _reciprocal(count_along(x, axes) - (1 if correction is None else correction))
    saved = call.save(x)

    def backward(g: Tensor) -> Gradients:
        (x,) = saved()
        return (_variance_gradient(with_axes(g, axes, keepdims) * factor, x, axes),)

    return backward


@operation(
    gradient=_var_gradient,
    numpy="var: a axis dtype out ddof keepdims * correction",
    fuse="var",
    defaults={"correction": 1},
)
def var(
    x: Tensor,
    /,
    axis: Axes = None,
    *,
    correction: float = 0,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the variance along axes, or of all elements. A new tensor.

    The sum of squares is divided by n - correction: 1 for the method, as in PyTorch, and 0 for the
    function, as in the array API; ddof is NumPy's name.

    >>> import strided
    >>> x = strided.tensor([1.0, 3.0])
    >>> x.var().item(), x.var(correction=0).item(), strided.var(x).item()
    (2.0, 1.0, 1.0)
    """
    ...


def _std_gradient(
    call: Call,
    x: Tensor,
    axis: Axes,
    correction: float | None,
    keepdims: bool,
    dtype: DTypeLike,
    out: None,
) -> Backward:
    axes = reduced_axes(x, axis)
    factor = _reciprocal(count_along(x, axes) - (1 if correction is None else correction))
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        # Where all elements are equal there is no direction in which it grows.
        slope = where(y == 0, 0, g / y) * factor
        return (_variance_gradient(with_axes(slope, axes, keepdims), x, axes),)

    return backward


@operation(
    gradient=_std_gradient,
    numpy="std: a axis dtype out ddof keepdims * correction",
    fuse="std",
    defaults={"correction": 1},
)
def std(
    x: Tensor,
    /,
    axis: Axes = None,
    *,
    correction: float = 0,
    keepdims: bool = False,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the standard deviation; like ``var``, with its corrections. A new tensor.

    >>> import strided
    >>> strided.tensor([1.0, 3.0]).std(correction=0).item()
    1.0
    """
    ...


# ---- norms ----


def _norm_gradient(
    call: Call,
    x: Tensor,
    ord: float | None,
    axis: Axes,
    keepdims: bool,
    dtype: DTypeLike,
    out: None,
) -> Backward:
    axes = reduced_axes(x, axis)
    order = 2.0 if ord is None else float(ord)
    saved = call.save(None if order == 0 else x, None if order in (0, 1) else call.output)
    shape, computed = x.shape, call.output.dtype

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        g = with_axes(g, axes, keepdims)
        if x is None:
            return (_native.zeros((), dtype=g.dtype).expand(shape),)
        y = None if y is None else with_axes(y, axes, keepdims)
        x = x if x.dtype.is_complex else x.to(computed)
        return (_gradient_of_order(order, g, x, y, axes),)

    return backward


def _gradient_of_order(
    p: float, g: Tensor, x: Tensor, y: Tensor | None, axes: tuple[int, ...]
) -> Any:
    if y is None:  # p = 1
        return in_one_pass(lambda g, x: g * x.sign(), g, x)
    if p == 2:
        return in_one_pass(lambda g, x: g * x, where(y == 0, 0, g / y), x)
    if math.isinf(p):
        size = x.absolute()
        largest = (size == y) | (size != size)
        return where(largest, x.sign() * (g / sum(largest, axes, keepdims=True)), 0)
    if p > 2:
        scale = where(y == 0, 0, g / y ** (p - 1))
        return in_one_pass(lambda g, x: g * x * abs(x) ** (p - 2), scale, x)
    scale = where(y == 0, 0, g * y ** (1 - p))

    def scaled(g: Any, x: Any) -> Any:
        return g * where(x == 0, 0, x.sign() * abs(x) ** (p - 1))

    return in_one_pass(scaled, scale, x)


@operation(gradient=_norm_gradient, method="norm")
def vector_norm(
    x: Tensor,
    /,
    ord: float = 2,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the p-norm of elements along axes; p may also be 0 or infinite. A new tensor.

    >>> import strided
    >>> x = strided.tensor([3.0, -4.0])
    >>> x.norm().item(), x.norm(1).item(), x.norm(strided.inf).item(), x.norm(0).item()
    (5.0, 7.0, 4.0, 2.0)
    """
    ...


def _logsumexp_gradient(call: Call, x: Tensor, axis: Axes, keepdims: bool, out: None) -> Backward:
    axes = reduced_axes(x, axis)
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        y, g = with_axes(y, axes, keepdims), with_axes(g, axes, keepdims)
        return (in_one_pass(lambda g, x, y: g * (x - y).exp(), g, x, y),)

    return backward


@operation(gradient=_logsumexp_gradient)
def logsumexp(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return log(sum(exp(x))) along axes, without overflow and in one pass. A new tensor.

    >>> import strided
    >>> strided.logsumexp(strided.tensor([1000.0, -1000.0])).item()
    1000.0
    """
    ...


# ---- truth values and counts ----


@operation(numpy="any: a axis out keepdims", fuse="any")
def any(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Whether at least one element is nonzero. A new tensor.

    >>> import strided
    >>> strided.tensor([[0, 0], [0, 4]]).any(dim=1).tolist()
    [False, True]
    """
    ...


@operation(numpy="all: a axis out keepdims", fuse="all")
def all(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Whether all elements are nonzero; true for none. A new tensor.

    >>> import strided
    >>> strided.tensor([[0, 1], [3, 4]]).all(dim=1).tolist()
    [False, True]
    """
    ...


@operation(numpy="count_nonzero: a axis * keepdims")
def count_nonzero(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Count the elements that are not zero. A new tensor of int64.

    >>> import strided
    >>> strided.tensor([[0, 1], [2, 3]]).count_nonzero(1).tolist()
    [1, 2]
    """
    ...
