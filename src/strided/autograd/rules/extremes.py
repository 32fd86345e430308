"""Gradients of elements found by their order: each goes to the position where it was found."""

from __future__ import annotations

from strided._native import Tensor
from strided.ops.extremes import at_position, equal_ones_share, one_at_its_position
from strided.ops.rule import Backward, Call, Gradients, gradient_of


@gradient_of("middle")
def _middle(call: Call, line: Tensor) -> Backward:
    return equal_ones_share(call, line)


@gradient_of("select_rank")
def _select_rank(
    call: Call, x: Tensor, rank: int, dim: int, keepdim: bool, nan_first: bool
) -> Backward:
    """Median and kthvalue along an axis: the element at the position found."""
    return one_at_its_position(call, x, dim, keepdim)


@gradient_of("running_extreme")
def _running_extreme(call: Call, x: Tensor, dim: int, largest: bool) -> Backward:
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], dim),)

    return backward


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
