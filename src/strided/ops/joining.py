"""Joining functions: several tensors into one, along an axis of theirs or a new one.

The result is allocated once, and the parts are written into slices of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.define import operation
from strided.ops.manipulation import normal_axis
from strided.ops.operands import as_operand
from strided.ops.rule import Backward, Call, Gradients


def _tensors(arrays: Sequence[Any]) -> list[Tensor]:
    parts = [as_operand(a) for a in arrays]
    if not parts:
        raise InvalidArgument(argument="arrays", got="empty", requirement="must hold a tensor")
    return parts


def _common_dtype(parts: list[Tensor]) -> Any:
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = _native.promote_types(dtype, part.dtype)
    return dtype


def _slices(
    call: Call, lengths: list[tuple[bool, int]], shapes: list[tuple[int, ...]], axis: int
) -> Backward:
    """Return the function that hands each part its slice of g, as a view.

    ``lengths`` says of each part whether it is a tensor argument, and how long it is.
    """
    wanted = [call.needs(i) for i in range(len(call.tensors))]

    def backward(g: Tensor) -> Gradients:
        made: list[Tensor | None] = []
        start = 0
        for is_tensor, length in lengths:
            if is_tensor:
                place = len(made)
                part = g.narrow(axis, start, length).reshape(shapes[place])
                made.append(part if wanted[place] else None)
            start += length
        return made

    return backward


def _joined_gradient(call: Call, parts: list[Tensor], axis: int) -> Backward:
    lengths = [(True, part.shape[axis]) for part in parts]
    return _slices(call, lengths, [part.shape for part in parts], axis)


@operation(gradient=_joined_gradient, function=None, method=None)
def joined(parts: list[Tensor], /, *, axis: int) -> Tensor:
    """Return tensors joined along an axis, without the questions that ``concat`` asks."""
    shape = list(parts[0].shape)
    shape[axis] = sum(part.shape[axis] for part in parts)
    out = _native.empty(shape, dtype=_common_dtype(parts))
    at = 0
    for part in parts:
        _native.join_into(out.narrow(axis, at, part.shape[axis]), part)
        at += part.shape[axis]
    return out


def _concat_gradient(call: Call, arrays: Sequence[Any], axis: int | None) -> Backward:
    parts = [as_operand(part) for part in arrays]
    shapes = [part.shape for part in call.tensors]
    if axis is None:
        sizes = [part.size for part in parts]
        axis = 0
    else:
        axis = _native.normal_axis(axis, parts[0].ndim)
        sizes = [part.shape[axis] for part in parts]
    are_tensors = [isinstance(part, Tensor) for part in arrays]
    return _slices(call, list(zip(are_tensors, sizes, strict=True)), shapes, axis)


@operation(gradient=_concat_gradient, method=None, numpy="concatenate concat: arrays[] axis")
def concat(arrays: Sequence[Any], /, *, axis: int | None = 0) -> Tensor:
    """Return tensors joined along an axis (flattened first with ``axis=None``). A new tensor.

    >>> import strided
    >>> strided.concat([strided.zeros(1, 2), strided.ones(1, 2)]).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    parts = _tensors(arrays)
    if axis is None:
        parts, axis = [p.reshape(-1) for p in parts], 0
    rank = parts[0].ndim
    axis = normal_axis(axis, rank)
    first = parts[0].shape
    for part in parts[1:]:
        same_rank = part.ndim == rank
        if (
            not same_rank
            or part.shape[:axis] + part.shape[axis + 1 :] != first[:axis] + first[axis + 1 :]
        ):
            raise ShapeMismatch(
                operation="concat",
                expected=first,
                got=part.shape,
                hint=f"all lengths but that of axis {axis} must agree",
            )
    return joined(parts, axis=axis)


@operation(method=None, operands=0)
def cat(tensors: Sequence[Any], axis: int = 0) -> Tensor:
    """Return tensors joined along an axis (PyTorch's name for ``concat``). A new tensor.

    >>> import strided
    >>> strided.cat([strided.arange(2), strided.arange(2)]).tolist()
    [0, 1, 0, 1]
    """
    return concat(tensors, axis=axis)


def _stack_gradient(call: Call, arrays: Sequence[Any], axis: int) -> Backward:
    axis = _native.normal_axis(axis, call.output.ndim)
    places = [place for place, part in enumerate(arrays) if isinstance(part, Tensor)]
    wanted = [call.needs(i) for i in range(len(places))]

    def backward(g: Tensor) -> Gradients:
        return [
            g.select(axis, place) if wants else None
            for place, wants in zip(places, wanted, strict=True)
        ]

    return backward


@operation(gradient=_stack_gradient, method=None, numpy="stack: arrays[] axis")
def stack(arrays: Sequence[Any], /, *, axis: int = 0) -> Tensor:
    """Return tensors of one shape joined along a new axis. A new tensor.

    >>> import strided
    >>> strided.stack([strided.arange(2), strided.arange(2)], axis=1).tolist()
    [[0, 0], [1, 1]]
    """
    parts = _tensors(arrays)
    for part in parts[1:]:
        if part.shape != parts[0].shape:
            raise ShapeMismatch(
                operation="stack",
                expected=parts[0].shape,
                got=part.shape,
                hint="use concat for tensors of different lengths",
            )
    rank = parts[0].ndim + 1
    axis = normal_axis(axis, rank)
    shape = list(parts[0].shape)
    shape.insert(axis, len(parts))
    out = _native.empty(shape, dtype=_common_dtype(parts))
    for i, part in enumerate(parts):
        _native.join_into(out.select(axis, i), part)
    return out
