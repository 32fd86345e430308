"""Joined and repeated tensors: several into one, one several times. New tensors."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import index
from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.arguments import as_integers, as_operand
from strided.ops.define import operation
from strided.ops.gradients import AddInto, Backward, Call, Gradients
from strided.ops.manipulation import normal_axis
from strided.ops.searching import places_in


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
        sizes: list[int] = [part.size for part in parts]
        axis = 0
    else:
        axis = _native.normal_axis(axis, parts[0].ndim)
        sizes = [part.shape[axis] for part in parts]
    are_tensors = [isinstance(part, Tensor) for part in arrays]
    return _slices(call, list(zip(are_tensors, sizes, strict=True)), shapes, axis)


@operation(
    gradient=_concat_gradient,
    method=None,
    aliases=("concatenate",),
    numpy="concatenate concat: arrays[] axis",
)
def concat(arrays: Sequence[Any], /, axis: int | None = 0) -> Tensor:
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
def stack(arrays: Sequence[Any], /, axis: int = 0) -> Tensor:
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


# ---- repetition ----


def _tile_gradient(call: Call, x: Tensor, repetitions: int | Sequence[int]) -> Backward:
    given = as_integers(repetitions)
    counts = [1] * (x.ndim - len(given)) + list(given)
    shape = x.shape
    padded = (1,) * (len(counts) - x.ndim) + shape
    split = [n for pair in zip(counts, padded, strict=True) for n in pair]
    tiles = list(range(0, len(split), 2))

    def backward(g: Tensor) -> Gradients:
        return (g.reshape(split).sum(tiles).reshape(shape),)

    return backward


@operation(gradient=_tile_gradient, spread=True, also={"repetitions": "dims reps"})
def tile(x: Tensor, /, repetitions: int | Sequence[int]) -> Tensor:
    """Return the tensor repeated like tiles along its axes. A new tensor (``expand`` is the view).

    >>> import strided
    >>> strided.tile(strided.arange(2), (2,)).tolist()
    [0, 1, 0, 1]
    """
    counts = list(as_integers(repetitions))
    rank = max(len(counts), x.ndim)
    counts = [1] * (rank - len(counts)) + counts
    padded = x.reshape([1] * (rank - x.ndim) + list(x.shape))
    interleaved, pattern = [], padded
    for axis in range(rank):
        pattern = pattern.unsqueeze(2 * axis)
        interleaved += [counts[axis], padded.shape[axis]]
    out_shape = [c * n for c, n in zip(counts, padded.shape, strict=True)]
    out = empty(interleaved, dtype=x.dtype)
    _native.join_into(out, pattern)
    return out.view(out_shape)


def _repeat_gradient(call: Call, x: Tensor, repeats: int | Tensor, axis: int | None) -> Backward:
    shape = x.shape
    along = (x.size,) if axis is None else shape
    at = 0 if axis is None else _native.normal_axis(axis, x.ndim)
    counts = as_operand(repeats)
    nothing = [None] * (len(call.tensors) - 1)  # counts have no gradient

    if counts.size == 1:
        split = [*along[: at + 1], int(counts), *along[at + 1 :]]

        def backward(g: Tensor) -> Gradients:
            return (g.reshape(split).sum(at + 1).reshape(shape), *nothing)

        return backward

    # Where each element of the result came from; without an axis the whole is one row.
    ends = counts.cumsum(0, dtype=_native.int64)
    places = _native._fill_range(_native.empty(call.output.shape[at], dtype=_native.int64), 0, 1)
    sources = places_in(ends, places, True)

    def add_rows(g: Tensor) -> Gradients:
        def add(buffer: Tensor) -> Any:
            return buffer.view(along).index_add_(at, sources, g.to(buffer.dtype))

        return (AddInto(add), *nothing)

    return add_rows


@operation(gradient=_repeat_gradient, method=None, operands=1, numpy="repeat: a repeats axis")
def repeat(x: Tensor, /, repeats: int | Tensor, axis: int | None = None) -> Tensor:
    """Return each element repeated in place along an axis (array API; PyTorch's repeat_interleave).

    ``repeats`` is one number for all, or one for each position. A new tensor.

    >>> import strided
    >>> strided.repeat(strided.arange(2), 2).tolist()
    [0, 0, 1, 1]
    >>> strided.repeat(strided.arange(3), strided.tensor([2, 0, 1])).tolist()
    [0, 0, 2]
    """
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normal_axis(axis, x.ndim)
    if hasattr(repeats, "__index__") and not getattr(repeats, "ndim", 0):
        return _repeated(x, index(repeats), axis)
    counts = as_operand(repeats)
    if counts.dtype.kind not in "iu":
        raise InvalidArgument(
            argument="repeats", got=counts.dtype.name, requirement="must be integers"
        )
    if counts.shape == (1,):
        return _repeated(x, int(counts[0]), axis)
    if counts.shape != (x.shape[axis],):
        raise ShapeMismatch(
            operation="repeat",
            expected=(x.shape[axis],),
            got=counts.shape,
            hint="give one number for each position of the axis, or one for all",
        )
    if not counts.size:
        return x.clone()
    least, most = int(counts.min()), int(counts.max())
    if least < 0 or most > sys.maxsize // counts.size:
        raise InvalidArgument(
            argument="repeats",
            got=f"{least} to {most}",
            requirement="must not be negative, nor sum to more than a length",
        )
    ends = counts.cumsum(0, dtype=_native.int64)
    total = int(ends[-1])
    places = _native._fill_range(empty(total, dtype=_native.int64), 0, 1)
    return _native.take(x, places_in(ends, places, True), axis)


def _repeated(x: Tensor, repeats: int, axis: int) -> Tensor:
    shape = list(x.shape)
    shape.insert(axis + 1, repeats)
    out = empty(shape, dtype=x.dtype)
    _native.join_into(out, x.unsqueeze(axis + 1))
    return out.flatten(axis, axis + 1)


def _roll_gradient(call: Call, x: Tensor, shift: Any, axis: int | Sequence[int] | None) -> Backward:
    back = -shift if hasattr(shift, "__index__") else [-one for one in shift]

    def backward(g: Tensor) -> Gradients:
        return (roll(g, back, axis=axis),)

    return backward


@operation(
    gradient=_roll_gradient,
    numpy="roll: a shift axis",
    also={"shift": "shifts", "axis": "dims"},
)
def roll(
    x: Tensor, /, shift: int | Sequence[int], axis: int | Sequence[int] | None = None
) -> Tensor:
    """Return the elements moved along axes, the ones pushed out coming back in front. A new tensor.

    >>> import strided
    >>> strided.roll(strided.arange(4), 1).tolist()
    [3, 0, 1, 2]
    """
    if axis is None:
        return roll(x.reshape(-1), shift, axis=0).view(x.shape)
    axes, shifts = as_integers(axis), as_integers(shift)
    shifts = shifts * len(axes) if hasattr(shift, "__index__") else shifts
    if len(shifts) != len(axes):
        raise ShapeMismatch(
            operation="roll", expected=axes, got=shifts, hint="give one shift per axis"
        )
    moved: dict[int, int] = {}
    for a, s in zip((normal_axis(a, x.ndim) for a in axes), shifts, strict=True):
        moved[a] = moved.get(a, 0) + s
    out = empty(x.shape, dtype=x.dtype)
    # Each axis that is moved cuts every part of the result in two.
    parts = [(out, x)]
    for a, s in moved.items():
        length = x.shape[a]
        s %= max(length, 1)
        parts = [
            (to.narrow(a, at, count), source.narrow(a, begin, count))
            for to, source in parts
            for at, begin, count in ((s, 0, length - s), (0, length - s, s))
            if count > 0
        ]
    for to, source in parts:
        _native.join_into(to, source)
    return out
