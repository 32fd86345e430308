"""Gradients of sums, means, variances and norms: what is added up passes its gradient to each
element, as an expanded view where all get the same.
"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.autograd.rules.axes import Dims, count_along, in_one_pass, reduced_axes, with_axes
from strided.ops.elementwise import where


@gradient_of("sum")
def _sum(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept, shape, dtype = reduced_axes(x, dim, axis), keepdim or keepdims, x.shape, x.dtype

    def backward(g: Tensor) -> Gradients:
        # Converted while it is small.
        return (with_axes(g.to(dtype), axes, kept).expand(shape),)

    return backward


@gradient_of("mean")
def _mean(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept, shape, dtype = reduced_axes(x, dim, axis), keepdim or keepdims, x.shape, x.dtype
    count = count_along(x, axes)

    def backward(g: Tensor) -> Gradients:
        return (with_axes((g / count).to(dtype), axes, kept).expand(shape),)

    return backward


@gradient_of("nansum")
def _nansum(
    call: Call, x: Tensor, dim: Dims = None, keepdim: bool = False, dtype: Any = None
) -> Backward:
    axes = reduced_axes(x, dim)
    saved = call.save(x)

    def backward(g: Tensor) -> Gradients:
        (x,) = saved()
        spread = with_axes(g, axes, keepdim)
        return (in_one_pass(lambda x, g: where(_is_nan(x), 0, g), x, spread),)

    return backward


def _is_nan(x: Any) -> Any:
    return x != x


# ---- spread ----


@gradient_of("var")
def _var(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    ddof: float | None = None,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept = reduced_axes(x, dim, axis), keepdim or keepdims
    factor = 2 * _reciprocal(count_along(x, axes) - _correction(correction, ddof))
    saved = call.save(x)

    def backward(g: Tensor) -> Gradients:
        (x,) = saved()
        return (_var_gradient(with_axes(g, axes, kept) * factor, x, axes),)

    return backward


@gradient_of("std")
def _std(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    *,
    correction: float | None = None,
    keepdim: bool = False,
    ddof: float | None = None,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept = reduced_axes(x, dim, axis), keepdim or keepdims
    factor = _reciprocal(count_along(x, axes) - _correction(correction, ddof))
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        # Where nothing is spread there is no direction in which it grows.
        slope = where(y == 0, 0, g / y) * factor
        return (_var_gradient(with_axes(slope, axes, kept), x, axes),)

    return backward


def _correction(correction: float | None, ddof: float | None) -> float:
    given = correction if ddof is None else ddof
    return 1.0 if given is None else float(given)


def _reciprocal(n: float) -> float:
    return 1 / n if n > 0 else math.inf


def _var_gradient(g: Tensor, x: Tensor, axes: tuple[int, ...]) -> Tensor:
    middle = x.mean(axes, keepdim=True) if axes else x
    made: Tensor = in_one_pass(lambda g, x, m: g * (x - m), g, x, middle)
    return made


# ---- norms ----


@gradient_of("norm")
def _norm(
    call: Call,
    x: Tensor,
    p: float | None = None,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept = reduced_axes(x, dim, axis), keepdim or keepdims
    order = 2.0 if p is None else float(p)
    saved = call.save(None if order == 0 else x, None if order in (0, 1) else call.output)
    shape, dtype = x.shape, call.output.dtype

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        g = with_axes(g, axes, kept)
        if x is None:
            return (_native.zeros((), dtype=g.dtype).expand(shape),)
        y = None if y is None else with_axes(y, axes, kept)
        x = x if x.dtype.is_complex else x.to(dtype)
        return (_norm_gradient(order, g, x, y, axes),)

    return backward


def _norm_gradient(p: float, g: Tensor, x: Tensor, y: Tensor | None, axes: tuple[int, ...]) -> Any:
    if y is None:  # p = 1
        return in_one_pass(lambda g, x: g * x.sign(), g, x)
    if p == 2:
        return in_one_pass(lambda g, x: g * x, where(y == 0, 0, g / y), x)
    if math.isinf(p):
        size = x.absolute()
        largest = (size == y) | _is_nan(size)
        return where(largest, x.sign() * (g / largest.sum(axes, keepdim=True)), 0)
    if p > 2:
        scale = where(y == 0, 0, g / y ** (p - 1))
        return in_one_pass(lambda g, x: g * x * abs(x) ** (p - 2), scale, x)
    scale = where(y == 0, 0, g * y ** (1 - p))

    def scaled(g: Any, x: Any) -> Any:
        return g * where(x == 0, 0, x.sign() * abs(x) ** (p - 1))

    return in_one_pass(scaled, scale, x)


@gradient_of("logsumexp")
def _logsumexp(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    axis: Dims = None,
    keepdims: bool = False,
    **_: Any,
) -> Backward:
    axes, kept = reduced_axes(x, dim, axis), keepdim or keepdims
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        y, g = with_axes(y, axes, kept), with_axes(g, axes, kept)
        return (in_one_pass(lambda g, x, y: g * (x - y).exp(), g, x, y),)

    return backward
