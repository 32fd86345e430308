"""Shared memory: the own elements of a layout, and tensors that shared memory and share it again.

Tensors come back from a pickle one by one. Each brings its own elements and says where they lay. As
long as it overlaps nobody it stays on them alone; as soon as one comes that overlaps others, all of
them move onto one storage. Tensors that did not overlap stay apart, so that what lay between them
never has to be kept.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.errors import OverlapTooHard

# ---- the elements that a layout reaches ----
# Reversed axes are flipped, repeated axes are taken once, the rest is sorted by step: ``core``
# reaches the same elements as the layout, none twice, in the order of memory. Packed one behind the
# other they are found by ``strides`` and ``offset``.


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
    >>> from strided.interop.shared_memory import own_elements
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


# ---- aliasing of unpickled tensors ----


# Of new storages: places keep theirs when they are counted from a multiple of it.
_ALIGNMENT = _native.STORAGE_ALIGNMENT


class Place(NamedTuple):
    """Where a tensor lay in its storage."""

    layout: Layout
    dtype: DType

    @property
    def reach(self) -> tuple[int, int]:
        """The bytes [begin, end) from its first to its last element."""
        bounds = self.layout.bounds
        if bounds is None:
            return (0, 0)
        return bounds[0] * self.dtype.itemsize, (bounds[1] + 1) * self.dtype.itemsize

    @property
    def is_gapless(self) -> bool:
        """Whether every byte of its reach belongs to one of its elements."""
        return own_elements(self.layout).core.is_packed()

    def overlaps(self, other: Place) -> bool:
        """Whether an element of one was an element of the other."""
        (begin, end), (other_begin, other_end) = self.reach, other.reach
        if end <= other_begin or other_end <= begin:
            return False
        try:
            sizes = self.dtype.itemsize, other.dtype.itemsize
            return self.layout.overlaps(other.layout, *sizes)
        except OverlapTooHard:
            return True

    def view_of(self, memory: Tensor, begin: int) -> Tensor:
        """Return this place in bytes that were those from ``begin`` on. A view."""
        size, layout = self.dtype.itemsize, self.layout
        flat = memory[: memory.nbytes - memory.nbytes % size].view(self.dtype)
        offset = flat.storage_offset() + layout.offset - begin // size
        return flat.as_strided(layout.shape, layout.strides, offset)


@dataclass
class _Group:
    """Tensors that overlap and the bytes they are views of; one alone needs none but its own."""

    members: list[tuple[Tensor, Place]]
    begin: int
    end: int
    memory: Tensor | None = None
    is_whole: bool = False  # every byte of the memory came with a member

    def overlaps(self, place: Place) -> bool:
        return any(place.overlaps(other) for _, other in self.members)

    def take(self, x: Tensor, place: Place) -> None:
        """Let a tensor whose place lies within the memory be a view of it."""
        assert self.memory is not None
        target = place.view_of(self.memory, self.begin)
        if not self.is_whole:
            _native.copy_into(each_once(target), each_once(x), "export")
        _native._rebind(x, target)
        self.members.append((x, place))


def _united(groups: list[_Group]) -> _Group:
    """Return one group of all members, on the bytes of one of them where those are enough."""
    members = [member for group in groups for member in group.members]
    begin, end = min(group.begin for group in groups), max(group.end for group in groups)
    one_dtype = len({place.dtype for _, place in members}) == 1
    for x, place in members:
        if place.reach == (begin, end) and place.is_gapless and (one_dtype or begin % 16 == 0):
            memory = each_once(x).reshape(-1).view(_native.uint8)
            for other, where in members:
                _native._rebind(other, where.view_of(memory, begin))
            return _Group(members, begin, end, memory, is_whole=True)
    # Half as much again upwards: a chain of overlapping windows moves few times, not each time.
    held = [group.end - group.begin for group in groups if group.memory is not None]
    begin -= begin % _ALIGNMENT
    end = max(end, begin + max(held, default=0) * 3 // 2)
    memory = _native.zeros(end - begin + (begin - end) % 16, dtype=_native.uint8)
    made = _Group([], begin, begin + memory.nbytes, memory)
    for x, place in members:
        made.take(x, place)
    return made


class SharedStorage:
    """The tensors of one storage that have come back so far.

    >>> import strided
    >>> from strided.interop.shared_memory import Place, SharedStorage
    >>> x = strided.tensor([1, 2, 3, 4])
    >>> home = SharedStorage()
    >>> pair = home.add(x[:2].clone(), Place(strided.Layout((2,)), x.dtype))
    >>> whole = home.add(x, Place(strided.Layout((4,)), x.dtype))
    >>> pair.shares_storage(whole)
    True
    """

    def __init__(self) -> None:
        # Sorted by where they begin; beside it the furthest end of a group and all before it.
        self._groups: list[_Group] = []
        self._ends: list[int] = []

    def add(
        self, packed: Tensor, place: Place, made: Callable[[Tensor], Tensor] | None = None
    ) -> Tensor:
        """Return the tensor that lay at a place, from its own elements. A view of them, or of the
        memory of those it overlaps. ``made`` turns a plain tensor into the object that is wanted.
        """
        x = own_elements(place.layout).found_in(packed, place.layout.shape)
        x = x if made is None else made(x)
        begin, end = place.reach
        if begin == end:
            return x
        met = self._overlapping(place)
        if len(met) == 1 and met[0].memory is not None:
            group = met[0]
            if group.begin <= begin and end <= group.end:
                group.take(x, place)
                return x
        alone = _Group([(x, place)], begin, end)
        if not met:
            self._insert(alone)
            return x
        left = [group for group in self._groups if not any(group is one for one in met)]
        self._groups = sorted([*left, _united([*met, alone])], key=lambda group: group.begin)
        self._ends = list(accumulate((group.end for group in self._groups), max))
        return x

    def _overlapping(self, place: Place) -> list[_Group]:
        begin, end = place.reach
        at = bisect_left(self._groups, end, key=lambda group: group.begin)
        met: list[_Group] = []
        while at and self._ends[at - 1] > begin:
            at -= 1
            if self._groups[at].overlaps(place):
                met.append(self._groups[at])
        return met

    def _insert(self, group: _Group) -> None:
        at = bisect_left(self._groups, group.begin, key=lambda other: other.begin)
        self._groups.insert(at, group)
        before = self._ends[at - 1] if at else 0
        later = (other.end for other in self._groups[at:])
        self._ends[at:] = list(accumulate(later, max, initial=before))[1:]
