"""Gradients of products and of running sums and products, zeros among the factors included.

A product without one factor is the product over that factor, unless it is zero. Then it is made of
the products to its left and to its right.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.autograd.rules.axes import (
    Dims,
    count_along,
    in_one_pass,
    reduced_axes,
    with_axes,
)
from strided.autograd.rules.derivatives import conj
from strided.ops.elementwise import where


@gradient_of("prod")
def _prod(
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
        g = with_axes(g, axes, kept)
        if bool((x == 0).any()):
            return (g * conj(_products_of_others(x, axes)),)
        share = g * conj(with_axes(y, axes, kept))
        return (in_one_pass(lambda share, x: share / conj(x), share, x),)

    return backward


def _products_of_others(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Return for each element the product of all others along the axes."""
    if not axes:
        return x * 0 + 1
    others = [axis for axis in range(x.ndim) if axis not in axes]
    order = [*others, *axes]
    lines = x.permute(order)
    line = lines.reshape(*lines.shape[: len(others)], count_along(x, axes))
    made = _product_before(line) * _product_before(line.flip(-1)).flip(-1)
    return made.reshape(lines.shape).permute([order.index(axis) for axis in range(x.ndim)])


def _product_before(line: Tensor) -> Tensor:
    """Return the product of the elements in front of each one, along the last axis."""
    made = _native.empty(line.shape, dtype=line.dtype).fill_(1)
    made.narrow(-1, 1, line.shape[-1] - 1).copy_(line.narrow(-1, 0, line.shape[-1] - 1).cumprod(-1))
    return made


@gradient_of("cumsum")
def _cumsum(
    call: Call, x: Tensor, dim: int | None = None, *, axis: int | None = None, **_: Any
) -> Backward:
    dim, shape = dim if axis is None else axis, x.shape

    def backward(g: Tensor) -> Gradients:
        if g.ndim == 0:
            return (g,)
        return (_sums_from_here(g, 0 if dim is None else dim).reshape(shape),)

    return backward


def _sums_from_here(g: Tensor, dim: int) -> Tensor:
    return g.flip(dim).cumsum(dim).flip(dim)


@gradient_of("cumprod")
def _cumprod(
    call: Call, x: Tensor, dim: int | None = None, *, axis: int | None = None, **_: Any
) -> Backward:
    dim = dim if axis is None else axis
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        if g.ndim == 0:
            return (g,)
        line, along = (x.reshape(-1), 0) if dim is None else (x, dim)
        if not bool((x == 0).any()):
            made = _sums_from_here(g * conj(y), along) / conj(line)
        elif grad_mode():
            made = _cumprod_by_element(g, line, _native.normal_axis(along, line.ndim))
        else:
            made = _cumprod_with_zeros(g, line, y, along)
        return (made.reshape(x.shape),)

    return backward


def _cumprod_with_zeros(g: Tensor, x: Tensor, y: Tensor, dim: int) -> Tensor:
    """Return the gradient where lines hold zeros; linear in the length of a line.

    In front of the first zero of a line the products before it count. At that zero the products
    from there on do, without it. Behind it every product is zero whatever an element is.
    """
    zero = x == 0
    count = zero.cumsum(dim)
    first = zero & (count == 1)
    before = _sums_from_here(where(count == 0, g * conj(y), 0), dim) / conj(where(zero, 1, x))
    without = where(first, 1, x).cumprod(dim)
    at = _sums_from_here(where(count > 0, g * conj(without), 0), dim)
    return where(count == 0, before, where(first, at, 0))


def _cumprod_by_element(g: Tensor, x: Tensor, dim: int) -> Tensor:
    """Return the same, element by element: this one can be differentiated at zeros."""
    length = x.shape[dim]
    made = _native.empty(g.shape, dtype=g.dtype).fill_(0)
    ahead: Tensor | None = None  # the product of the elements in front
    for k in range(length):
        behind = x.narrow(dim, k + 1, length - k - 1).cumprod(dim)
        total = (g.narrow(dim, k + 1, length - k - 1) * conj(behind)).sum(dim, keepdim=True)
        total = total + g.narrow(dim, k, 1)
        made.narrow(dim, k, 1).copy_(total if ahead is None else total * conj(ahead))
        factor = x.narrow(dim, k, 1)
        ahead = factor if ahead is None else ahead * factor
    return made
