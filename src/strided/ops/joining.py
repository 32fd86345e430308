"""Tensors joined along an axis: the part that functions of other chapters stand on."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.ops.define import operation
from strided.ops.rule import Backward, Call, Gradients


def _joined_gradient(call: Call, parts: list[Tensor], axis: int) -> Backward:
    lengths = [part.shape[axis] for part in parts]
    wanted = [call.needs(i) for i in range(len(parts))]

    def backward(g: Tensor) -> Gradients:
        made: list[Tensor | None] = []
        start = 0
        for length, wants in zip(lengths, wanted, strict=True):
            made.append(g.narrow(axis, start, length) if wants else None)
            start += length
        return made

    return backward


@operation(gradient=_joined_gradient, function=None, method=None)
def joined(parts: list[Tensor], /, *, axis: int) -> Tensor:
    """Return tensors joined along an axis, without the questions that ``concat`` asks."""
    shape = list(parts[0].shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = _native.promote_types(dtype, part.dtype)
    out = _native.empty(shape, dtype=dtype)
    at = 0
    for part in parts:
        _native.join_into(out.narrow(axis, at, part.shape[axis]), part)
        at += part.shape[axis]
    return out
