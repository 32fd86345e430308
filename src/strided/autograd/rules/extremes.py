"""Gradients of results that are one of the elements: the element itself gets the gradient. Where
the result says which one it was, that one alone; else equal ones share it.
"""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.autograd.rule import RULES, AddInto, Backward, Call, Gradient, Gradients, gradient_of
from strided.autograd.rules.axes import Dims, in_one_pass, reduced_axes, with_axes
from strided.ops.elementwise import where


def _shared(g: Tensor, x: Tensor, y: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Return g in equal parts for all elements that equal the result."""
    if not axes:
        return g
    if bool(y.isnan().any()):
        # NaN is the result of NaN, though it equals nothing.
        found = (x == y) | (x.isnan() & y.isnan())
        return where(found, g / found.sum(axes, keepdim=True), 0)
    each = g / (x == y).sum(axes, keepdim=True)
    made: Tensor = in_one_pass(lambda g, x, y: where(x == y, g, 0), each, x, y)
    return made


def at_position(g: Tensor, positions: Tensor, dim: int, kept: bool = True) -> Gradient:
    """Return g at positions along an axis, zeros elsewhere."""
    if positions.ndim == 0 and kept:
        return g
    if not kept:
        g, positions = g.unsqueeze(dim), positions.unsqueeze(dim)
    return AddInto(lambda buffer: buffer.scatter_add_(dim, positions, g))


@gradient_of("amin", "amax", "nanmin", "nanmax", "middle")
def _extreme(
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
        return (_shared(with_axes(g, axes, kept), x, with_axes(y, axes, kept), axes),)

    return backward


@gradient_of("aminmax")
def _extremes(
    call: Call,
    x: Tensor,
    dim: Dims = None,
    keepdim: bool = False,
    *,
    axis: Dims = None,
    keepdims: bool = False,
) -> Backward:
    axes, kept = reduced_axes(x, dim, axis), keepdim or keepdims
    saved = call.save(x, *call.output)

    def backward(*grads: Tensor | None) -> Gradients:
        x, *results = saved()
        total = None
        for g, y in zip(grads, results, strict=True):
            if g is not None:
                part = _shared(with_axes(g, axes, kept), x, with_axes(y, axes, kept), axes)
                total = part if total is None else total + part
        return (total,)

    return backward


def _max_or_min(name: str) -> None:
    @gradient_of(name)
    def rule(
        call: Call, x: Tensor, dim: Any = None, keepdim: bool = False, **named: Any
    ) -> Backward:
        if isinstance(dim, Tensor):
            return RULES[name + "imum"].prepare(call, x, dim)
        if dim is None:
            return _extreme(call, x, None, keepdim, **named)
        kept = keepdim or named.get("keepdims", False) or x.ndim == 0
        axis = reduced_axes(x, dim)[0] if x.ndim else 0
        saved = call.save(call.output[1])

        def backward(g: Tensor) -> Gradients:
            return (at_position(g, saved()[0], axis, kept),)

        return backward


_max_or_min("max")
_max_or_min("min")


@gradient_of("select_rank")
def _select_rank(
    call: Call, x: Tensor, rank: int, dim: int, keepdim: bool, nan_first: bool
) -> Backward:
    """Median and kthvalue along an axis: the element at the position found."""
    axis = reduced_axes(x, dim)[0] if x.ndim else 0
    kept = keepdim or x.ndim == 0
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], axis, kept),)

    return backward


@gradient_of("running_extreme")
def _running_extreme(call: Call, x: Tensor, dim: int, largest: bool) -> Backward:
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], dim),)

    return backward


# ---- order ----


@gradient_of("sort")
def _sort(
    call: Call, x: Tensor, dim: int, values: bool, places: bool, descending: bool
) -> Backward:
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        (places,) = saved()
        # Each place is taken once: writing would do, and adding does.
        return (at_position(g, places, dim),)

    return backward


@gradient_of("topk")
def _topk(call: Call, x: Tensor, k: int, dim: int, largest: bool, sorted: bool) -> Backward:
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], dim),)

    return backward
