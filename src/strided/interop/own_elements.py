"""Which elements does a layout reach, and where does it find them when they alone are kept?

Reversed axes are flipped, repeated axes are taken once, the rest is sorted by step: ``core``
reaches the same elements as the layout, none twice, in the order of memory. Packed one behind the
other they are found by ``strides`` and ``offset``.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from strided import _native
from strided._native import Layout, Tensor
from strided.errors import OverlapTooHard


class OwnElements(NamedTuple):
    """The elements of a layout without repetition, and the way to them when they are packed."""

    core: Layout
    strides: tuple[int, ...]
    offset: int

    def taken_from(self, x: Tensor) -> Tensor:
        """Return the elements in the storage of a tensor. A view."""
        return x.as_strided(self.core.shape, self.core.strides, self.core.offset)

    def found_in(self, packed: Tensor, shape: tuple[int, ...]) -> Tensor:
        """Return the tensor that the layout was of, over packed elements. A view."""
        return packed.as_strided(shape, self.strides, packed.storage_offset() + self.offset)


def own_elements(layout: Layout) -> OwnElements:
    """Return the elements that a layout reaches, and where they are once they are packed.

    >>> from strided import Layout
    >>> from strided.interop.own_elements import own_elements
    >>> own_elements(Layout((3, 2, 5), (-10, 2, 0), 20))
    OwnElements(core=Layout((3, 2):(10, 2)+0), strides=(-2, 1, 0), offset=4)
    """
    reach = layout.bounds
    if reach is None:
        return OwnElements(Layout((0,)), layout.strides, 0)
    low, high = reach
    axes = [axis for axis in range(layout.rank) if layout.shape[axis] > 1 and layout.strides[axis]]
    axes.sort(key=lambda axis: -abs(layout.strides[axis]))
    core = Layout(
        [layout.shape[axis] for axis in axes], [abs(layout.strides[axis]) for axis in axes], low
    )
    if _repeats(core):
        return _as_one_run(layout, low, high)
    strides, offset, step = [0] * layout.rank, 0, 1
    for axis in reversed(axes):
        forwards = layout.strides[axis] > 0
        strides[axis] = step if forwards else -step
        offset += 0 if forwards else (layout.shape[axis] - 1) * step
        step *= layout.shape[axis]
    return OwnElements(core, tuple(strides), offset)


def each_once(x: Tensor) -> Tensor:
    """Return the elements of a tensor, each of them once, in the order of memory. A view."""
    return own_elements(_native.layout_of(x)).taken_from(x)


def _repeats(core: Layout) -> bool:
    try:
        return core.overlaps_itself()
    except OverlapTooHard:
        return True


def _as_one_run(layout: Layout, low: int, high: int) -> OwnElements:
    """Windows and their like: everything between the ends, in the largest step that meets all."""
    steps = [step for step, length in zip(layout.strides, layout.shape, strict=True) if length > 1]
    step = math.gcd(*steps)
    core = Layout(((high - low) // step + 1,), (step,), low)
    strides = tuple(
        stride // step if length > 1 else 0
        for stride, length in zip(layout.strides, layout.shape, strict=True)
    )
    return OwnElements(core, strides, (layout.offset - low) // step)
