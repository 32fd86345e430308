"""Several tensors into one: the result is allocated once, the parts written into slices of it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from operator import index
from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.autograd.record import differentiable
from strided.errors import InvalidArgument, InvalidDimension, ShapeMismatch
from strided.functions.arrays import asarray
from strided.ops.searching import places_in


def _tensors(arrays: Sequence[Any]) -> list[Tensor]:
    parts = [asarray(a) for a in arrays]
    if not parts:
        raise InvalidArgument(argument="arrays", got="empty", requirement="must hold a tensor")
    return parts


def _axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise InvalidDimension(dim=axis, rank=rank)
    return axis % rank


def _common_dtype(parts: list[Tensor]) -> Any:
    dtype = parts[0].dtype
    for part in parts[1:]:
        dtype = _native.promote_types(dtype, part.dtype)
    return dtype


def _one_axis(axis: Any, dim: int | None) -> Any:
    """Return the axis under whichever name it was given."""
    if dim is None:
        return axis
    if axis not in (0, dim):
        raise TypeError("axis and dim are the same argument: give one of them")
    return dim


@differentiable
def concat(arrays: Sequence[Any], /, *, axis: int | None = 0, dim: int | None = None) -> Tensor:
    """Return tensors joined along an axis (flattened first with ``axis=None``). A new tensor.

    >>> import strided
    >>> strided.concat([strided.zeros(1, 2), strided.ones(1, 2)]).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    parts = _tensors(arrays)
    axis = _one_axis(axis, dim)
    if axis is None:
        parts, axis = [p.reshape(-1) for p in parts], 0
    rank = parts[0].ndim
    axis = _axis(axis, rank)
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
    shape = (*first[:axis], sum(p.shape[axis] for p in parts), *first[axis + 1 :])
    out = empty(shape, dtype=_common_dtype(parts))
    start = 0
    for part in parts:
        _native.join_into(out.narrow(axis, start, part.shape[axis]), part)
        start += part.shape[axis]
    return out


def cat(tensors: Sequence[Any], dim: int = 0) -> Tensor:
    """Return tensors joined along an axis (PyTorch's name for ``concat``). A new tensor.

    >>> import strided
    >>> strided.cat([strided.arange(2), strided.arange(2)]).tolist()
    [0, 1, 0, 1]
    """
    return concat(tensors, axis=dim)


@differentiable
def stack(arrays: Sequence[Any], /, *, axis: int = 0, dim: int | None = None) -> Tensor:
    """Return tensors of one shape joined along a new axis. A new tensor.

    >>> import strided
    >>> strided.stack([strided.arange(2), strided.arange(2)], axis=1).tolist()
    [[0, 0], [1, 1]]
    """
    parts = _tensors(arrays)
    axis = _one_axis(axis, dim)
    for part in parts[1:]:
        if part.shape != parts[0].shape:
            raise ShapeMismatch(
                operation="stack",
                expected=parts[0].shape,
                got=part.shape,
                hint="use concat for tensors of different lengths",
            )
    rank = parts[0].ndim + 1
    axis = _axis(axis, rank)
    shape = list(parts[0].shape)
    shape.insert(axis, len(parts))
    out = empty(shape, dtype=_common_dtype(parts))
    for i, part in enumerate(parts):
        _native.join_into(out.select(axis, i), part)
    return out


@differentiable
def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    """Return the tensor repeated like tiles along its axes. A new tensor (``expand`` is the view).

    >>> import strided
    >>> strided.tile(strided.arange(2), (2,)).tolist()
    [0, 1, 0, 1]
    """
    counts = list(repetitions)
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


@differentiable
def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
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
    axis = _axis(axis, x.ndim)
    if hasattr(repeats, "__index__") and not getattr(repeats, "ndim", 0):
        return _repeated(x, index(repeats), axis)
    counts = asarray(repeats)
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


@differentiable
def roll(
    x: Tensor, /, shift: int | Sequence[int], *, axis: int | Sequence[int] | None = None
) -> Tensor:
    """Return the elements moved along axes, the ones pushed out coming back in front. A new tensor.

    >>> import strided
    >>> strided.roll(strided.arange(4), 1).tolist()
    [3, 0, 1, 2]
    """
    if axis is None:
        return roll(x.reshape(-1), shift, axis=0).view(x.shape)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    shifts = (shift,) * len(axes) if isinstance(shift, int) else tuple(shift)
    if len(shifts) != len(axes):
        raise ShapeMismatch(
            operation="roll", expected=axes, got=shifts, hint="give one shift per axis"
        )
    moved: dict[int, int] = {}
    for a, s in zip((_axis(a, x.ndim) for a in axes), shifts, strict=True):
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
        ]
    for to, source in parts:
        _native.join_into(to, source)
    return out
