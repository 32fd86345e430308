"""The adjoint of every view operation: the gradient of a view, put where the view was.

A view operation is arithmetic on layouts, so the native type applies it once more to a row-major
layout of the tensor's shape: that is the *place* of the view inside a buffer for the tensor's
gradient. Places with stride 0 are summed over; a place that covers the buffer exactly once makes
the gradient a view of the given one; any other is added in place into a view of one buffer, which
all views of a tensor share. Overlapping places (windows) are taken apart until they do not overlap.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

from strided import _native
from strided._native import VIEW_OF_STORAGE, Tensor
from strided.ops.gradients import AddInto, Gradient

Adjoint = Callable[[Tensor], tuple[Gradient]]
_PAIRS = {_native.float32: _native.complex64, _native.float64: _native.complex128}


def adjoint_of(
    x: Tensor, view: Tensor, strides: tuple[int, ...], offset: int, kind: int
) -> Adjoint | None:
    """Return how a view's gradient becomes its tensor's; None when it has none (bits as ints)."""
    if view.dtype is not x.dtype:
        return _parts_rule(x, view)
    if kind == VIEW_OF_STORAGE:
        return StorageView(x, view)
    return Place(x.shape, view.shape, strides, offset)


# ---- places in a row-major buffer ----


def add_at(
    buffer: Tensor, lengths: Sequence[int], strides: Sequence[int], offset: int, g: Tensor
) -> None:
    """Add a gradient into the elements of a buffer that a layout names, as often as it does."""
    axis = _overlapping_axis(lengths, strides)
    if axis is None:
        buffer.as_strided(lengths, strides, offset).add_(g)
        return
    rest = [*lengths[:axis], *lengths[axis + 1 :]], [*strides[:axis], *strides[axis + 1 :]]
    for i in range(lengths[axis]):
        add_at(buffer, *rest, offset + i * strides[axis], g.select(axis, i))


def _overlapping_axis(lengths: Sequence[int], strides: Sequence[int]) -> int | None:
    """Return the shortest axis to part so that less overlaps, None when nothing does."""
    reach = 0
    seen: list[int] = []
    for axis in sorted(range(len(lengths)), key=lambda axis: abs(strides[axis])):
        if lengths[axis] <= 1:
            continue
        seen.append(axis)
        if abs(strides[axis]) <= reach:
            return min(seen, key=lambda axis: lengths[axis])
        reach += abs(strides[axis]) * (lengths[axis] - 1)
    return None


class _Way(NamedTuple):
    """How the gradient of a view reaches its place: summed, squeezed, then permuted or added."""

    repeated: tuple[int, ...]  # axes to sum over
    single: tuple[int, ...]  # axes of length 1 among the rest
    # The rest as it lies in the buffer, in the order of g's axes.
    lengths: tuple[int, ...]
    steps: tuple[int, ...]
    covers: bool  # each element of the buffer once
    flipped: tuple[int, ...]
    order: tuple[int, ...]  # the axes, slowest first; empty when they are in that order


@functools.lru_cache(maxsize=4096)
def _way(
    source: tuple[int, ...], shape: tuple[int, ...], strides: tuple[int, ...], offset: int
) -> _Way:
    repeated = [axis for axis, stride in enumerate(strides) if stride == 0 and shape[axis] != 1]
    kept = [axis for axis in range(len(shape)) if axis not in repeated]
    single = [place for place, axis in enumerate(kept) if shape[axis] == 1]
    axes = [axis for axis in kept if shape[axis] != 1]
    lengths = [shape[axis] for axis in axes]
    steps = [strides[axis] for axis in axes]
    order = sorted(range(len(steps)), key=lambda axis: -abs(steps[axis]))
    expected, first = 1, offset
    covers = True
    for axis in reversed(order):
        covers = covers and abs(steps[axis]) == expected
        expected *= lengths[axis]
        first += min(steps[axis], 0) * (lengths[axis] - 1)
    return _Way(
        tuple(repeated),
        tuple(single),
        tuple(lengths),
        tuple(steps),
        covers and expected == prod(source) and first == 0,
        tuple(axis for axis, step in enumerate(steps) if step < 0),
        () if order == sorted(order) else tuple(order),
    )


class Place:
    """A view as a place in a row-major buffer of its tensor's shape."""

    __slots__ = ("offset", "shape", "source", "strides")

    def __init__(
        self,
        source: tuple[int, ...],
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int,
    ) -> None:
        self.source, self.shape, self.strides, self.offset = source, shape, strides, offset

    def __call__(self, g: Tensor) -> tuple[Gradient]:
        source, offset = self.source, self.offset
        if 0 in self.shape or 0 in source:
            return (AddInto(lambda buffer: None),)
        way = _way(source, self.shape, self.strides, offset)
        if way.repeated:
            g = g.sum(way.repeated)
        if way.covers:
            # Axes of length 1 have no order, so that reshape puts them where they belong.
            if way.flipped or way.order:
                g = g.squeeze(way.single) if way.single else g
                g = g.flip(way.flipped) if way.flipped else g
                g = g.permute(way.order) if way.order else g
            return (g if g.shape == source else g.reshape(source),)
        if way.single:
            g = g.squeeze(way.single)
        return (AddInto(lambda buffer: add_at(buffer, way.lengths, way.steps, offset, g)),)


# ---- places in a storage ----


class StorageView:
    """A view by its place in the storage: of as_strided, and of views whose memory was rewritten.

    Positions count from the lowest element that the tensor or the view reaches; when one of them is
    complex and the other shows its parts, in parts.
    """

    __slots__ = ("dtype", "paired", "part", "place", "size", "whole", "whole_paired")

    def __init__(self, root: Tensor, view: Tensor) -> None:
        self.whole_paired = root.dtype.is_complex and not view.dtype.is_complex
        self.paired = view.dtype.is_complex and not root.dtype.is_complex
        whole = _geometry(root, self.whole_paired)
        part = _geometry(view, self.paired)
        reach = [end for one in (whole, part) for end in _reach(*one)]
        low = min(reach)
        self.size = max(reach) - low + 1
        self.whole = (whole[0], whole[1], whole[2] - low)
        self.part = (part[0], part[1], part[2] - low)
        self.dtype = view.dtype if self.whole_paired else root.dtype
        plain = root.dtype is view.dtype and root.is_contiguous() and self.size == root.numel()
        self.place = Place(root.shape, *self.part) if plain else None

    def __call__(self, g: Tensor) -> tuple[Gradient]:
        if self.place is not None:
            return self.place(g)
        buffer = _native.zeros(self.size, dtype=self.dtype)
        add_at(buffer, *self.part, g.view_as_real() if self.paired else g)
        return (self.whole_of(buffer),)

    def whole_of(self, buffer: Tensor) -> Tensor:
        """Return the gradient of the whole tensor from a buffer of the storage's geometry."""
        lengths, strides, offset = self.whole
        if _overlapping_axis(lengths, strides) is not None:
            # Each element of the storage stands in several places of the tensor, and is shared out.
            counts = _native.zeros(self.size, dtype=self.dtype)
            ones = _native.zeros((), dtype=self.dtype).fill_(1).expand(lengths)
            add_at(counts, lengths, strides, offset, ones)
            buffer = buffer / counts.maximum(1)
        found = buffer.as_strided(lengths, strides, offset)
        return found.view_as_complex() if self.whole_paired else found

    def spread(self, g: Tensor) -> Tensor:
        """Return a new buffer of the storage's geometry that holds the whole tensor's gradient."""
        buffer = _native.zeros(self.size, dtype=self.dtype)
        buffer.as_strided(*self.whole).copy_(g.view_as_real() if self.whole_paired else g)
        return buffer

    def part_of(self, buffer: Tensor) -> Tensor:
        """Return the view's part of such a buffer."""
        found = buffer.as_strided(*self.part)
        return found.view_as_complex() if self.paired else found


def _geometry(x: Tensor, paired: bool) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    strides = x.stride()
    if not paired:
        return x.shape, strides, x.storage_offset()
    return (*x.shape, 2), (*(2 * stride for stride in strides), 1), 2 * x.storage_offset()


def _reach(lengths: tuple[int, ...], strides: tuple[int, ...], offset: int) -> tuple[int, int]:
    if 0 in lengths:
        return offset, offset
    steps = [(length - 1) * stride for length, stride in zip(lengths, strides, strict=True)]
    return offset + sum(step for step in steps if step < 0), offset + sum(s for s in steps if s > 0)


# ---- complex numbers and their parts ----


def shows_numbers_of(view: Tensor, x: Tensor) -> bool:
    """Return whether a view shows a tensor's numbers, or their parts, and not its bits."""
    a, b = view.dtype, x.dtype
    return a is b or _PAIRS.get(a) is b or _PAIRS.get(b) is a


def _parts_rule(x: Tensor, view: Tensor) -> Adjoint | None:
    shape = x.shape
    if _PAIRS.get(view.dtype) is x.dtype:
        return lambda g: (g.reshape((*shape, 2)).contiguous().view_as_complex(),)
    if _PAIRS.get(x.dtype) is view.dtype:
        return lambda g: (g.view_as_real().reshape(shape),)
    return None
