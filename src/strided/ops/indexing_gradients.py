"""What gradients of indexing are made of: which arguments take part, and where their parts lie."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.ops.rule import Call, Gradient, Gradients


class Written:
    """The target of a write and what is written: the arguments that gradients pass."""

    def __init__(self, call: Call, source: Any) -> None:
        places = [i for i, tensor in enumerate(call.tensors) if tensor is source]
        self._count = len(call.tensors)
        # The target stands first. It may be the source too, which then stands last.
        self._place = places[-1] if places else 0
        self.x = call.needs(0)
        self.source = bool(places) and call.needs(self._place)

    def gradients(self, of_x: Gradient, of_source: Gradient) -> Gradients:
        """Return one gradient per tensor argument: positions and masks have none."""
        made: list[Gradient] = [None] * self._count
        made[0] = of_x
        if self._place:
            made[self._place] = of_source
        return made


def padded(part: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a source of which only the front part was written."""
    if part.shape == shape:
        return part
    made = _native.zeros(shape, dtype=part.dtype)
    made[tuple(slice(0, length) for length in part.shape)] = part
    return made


def gathered(g: Tensor, axis: int, index: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a source that was written to positions along an axis."""
    return padded(g.gather(axis, index), shape)


def masked(g: Tensor, mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return zeros with the elements of g where the mask is true."""
    return _native.zeros(shape, dtype=g.dtype).masked_scatter_(mask, g)


def add_at(buffer: Tensor, key: Any, g: Tensor) -> None:
    """Do ``buffer[key] += g``, with every place counted as often as it is named."""
    if isinstance(key, Tensor) and key.dtype.kind in "iu" and not grad_mode():
        _native.scatter_into(buffer, g, [key], True)  # rows, as an embedding has them
    else:
        buffer.index_put_(key, g, accumulate=True)
