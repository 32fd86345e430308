"""Gradients of what moves elements without changing them: clone, copy_, fill_."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.ops.rule import AddInto, Backward, Call, Gradients, gradient_of

# Of what was overwritten: zeros.
nothing = AddInto(lambda buffer: None)


@gradient_of("clone")
def _clone(call: Call, x: Tensor) -> Backward:
    """Every copy (contiguous, to, a reshape that copies): the same numbers, in the old shape."""
    shape = x.shape
    same = call.output.shape == shape

    def backward(g: Tensor) -> Gradients:
        return (g if same else g.reshape(shape),)

    return backward


@gradient_of("copy_")
def _copy(call: Call, target: Tensor, source: Tensor) -> Backward:
    """What was in the target before does not count any more."""
    return lambda g: (nothing, g)


@gradient_of("fill_")
def _fill(call: Call, target: Tensor, value: Any) -> Backward:
    """Nothing of what was there is left."""
    return lambda g: (nothing,)
