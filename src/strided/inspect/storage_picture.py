"""Model of a drawing: strips of storage cells, and a grid for each tensor.

The grid names the cell of every element. A cell is an element where all tensors of a strip agree on
one; otherwise it is the largest number of bytes that all of them step by, and an element covers
several cells. Long strips and grids leave out their middle; what is left out is counted, never
drawn as if it were not there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd, prod

from strided._native import Layout
from strided.errors import OverlapTooHard
from strided.inspect.facts import LayoutFacts
from strided.inspect.reach import positions


@dataclass(frozen=True)
class Limits:
    """How much a drawing shows: cells of a strip, and of a grid rows, columns and panels.

    >>> import strided
    >>> few = strided.inspect.Limits(cells=8, rows=3, columns=3)
    >>> drawing = strided.draw(strided.zeros(9, 9), limits=few)
    >>> drawing.strips[0].tensors[0].panels[0].rows
    (0, None, 8)
    """

    cells: int = 64
    rows: int = 8
    columns: int = 12
    panels: int = 6

    def for_storage_of(self, total: int) -> Limits:
        """Return smaller grids for a storage that is not shown whole.

        >>> import strided
        >>> strided.inspect.Limits().for_storage_of(1000).rows
        5
        """
        if total <= self.cells:
            return self
        return Limits(self.cells, min(self.rows, 5), min(self.columns, 7), min(self.panels, 4))


_COUNTED = 200_000  # elements up to which repeats are counted one by one
MANY = -1  # used, and too hard to count how often
UNKNOWN = -2  # too hard to say whether it is used


@dataclass(frozen=True)
class Item:
    """One element of a tensor: its index, and the first and last cell it covers."""

    index: tuple[int, ...]
    first: int
    last: int


@dataclass(frozen=True)
class Panel:
    """The last two axes of a tensor at one index of the others; None is what is left out."""

    prefix: tuple[int, ...]
    rows: tuple[int | None, ...]
    columns: tuple[int | None, ...]
    items: tuple[tuple[Item | None, ...], ...]


@dataclass(frozen=True)
class Arrow:
    """One step along an axis from the first element: from cell to cell."""

    axis: int
    start: int
    end: int
    step: str


@dataclass(frozen=True)
class Shown:
    """One tensor of a picture. ``uses`` counts how often each shown cell is an element's."""

    name: str
    facts: LayoutFacts
    panels: tuple[Panel | None, ...]
    arrows: tuple[Arrow, ...]
    uses: dict[int, int]


@dataclass(frozen=True)
class Gap:
    """Cells that are left out of a strip."""

    count: int


@dataclass(frozen=True)
class Strip:
    """One storage: its cells, those that are shown, and the tensors that look at it."""

    total: int
    unit: int
    cells: tuple[int | Gap, ...]
    tensors: tuple[Shown, ...]

    @property
    def heading(self) -> str:
        """The size of the storage in words."""
        if self.tensors[0].facts.library == "layout":
            return f"storage of {self.total} elements"
        kinds = {(t.facts.dtype, t.facts.itemsize) for t in self.tensors}
        dtype, itemsize = next(iter(kinds))
        what = dtype if len(kinds) == 1 and itemsize == self.unit else "cells"
        size = f"{self.unit} byte{'s' if self.unit != 1 else ''}"
        return f"storage of {self.total} {what} of {size}, {self.total * self.unit} bytes"


def picture_of(
    tensors: Sequence[tuple[str, LayoutFacts]], limits: Limits | None = None
) -> tuple[Strip, ...]:
    """Return the strips of some tensors, those over one storage together.

    >>> import strided
    >>> from strided.inspect.storage_picture import picture_of
    >>> x = strided.zeros(2, 3)
    >>> strip = picture_of([("t", strided.inspect(x.T))])[0]
    >>> [[item.first for item in row] for row in strip.tensors[0].panels[0].items]
    [[0, 3], [1, 4], [2, 5]]
    """
    limits = limits or Limits()
    groups: list[list[tuple[str, LayoutFacts]]] = []
    for name, facts in tensors:
        home = next((g for g in groups if any(f.shares_block(facts) for _, f in g)), None)
        if home is None:
            groups.append([(name, facts)])
        else:
            home.append((name, facts))
    return tuple(_strip(group, limits) for group in groups)


# ---- one strip ----


def _strip(group: list[tuple[str, LayoutFacts]], limits: Limits) -> Strip:
    origin = min(facts.storage_ptr for _, facts in group)
    end = max(facts.storage_ptr + facts.storage_nbytes for _, facts in group)
    unit = _unit([facts for _, facts in group], origin)
    total = -(-(end - origin) // unit)
    limits = limits.for_storage_of(total)
    parts = []
    for name, facts in group:
        base = facts.storage_ptr - origin + facts.byte_offset
        parts.append((name, facts, tuple(_panels(facts, base, unit, limits)), base))
    cells = tuple(_shown_cells(total, [p[2] for p in parts], limits.cells))
    wanted = [cell for cell in cells if isinstance(cell, int)]
    shown = [
        Shown(name, facts, panels, _arrows(facts, base, unit), _uses(facts, base, unit, wanted))
        for name, facts, panels, base in parts
    ]
    return Strip(total, unit, cells, tuple(shown))


def _unit(all_facts: list[LayoutFacts], origin: int) -> int:
    unit = 0
    for facts in all_facts:
        pairs = zip(facts.byte_strides, facts.shape, strict=True)
        steps = (step for step, length in pairs if length > 1)
        unit = gcd(unit, facts.itemsize, facts.data_ptr - origin, *steps)
    return max(unit, 1)


def _shown_cells(
    total: int, panels: list[tuple[Panel | None, ...]], limit: int
) -> Iterator[int | Gap]:
    """Yield all cells, or those around the corners of the grids and the gaps between them."""
    if total <= limit:
        yield from range(total)
        return
    kept = {0, total - 1}
    for cell in _corner_cells(panels):
        if len(kept) >= limit:
            break
        kept.update(c for c in (cell - 1, cell, cell + 1) if 0 <= c < total)
    before = -1
    for cell in sorted(kept):
        missing = cell - before - 1
        if missing == 1:
            yield cell - 1
        elif missing:
            yield Gap(missing)
        yield cell
        before = cell


def _corner_cells(panels: list[tuple[Panel | None, ...]]) -> Iterator[int]:
    """Yield the cells of the first two and the last rows and columns, first and last panel."""
    for many in panels:
        for panel in many[:1] + many[-1:]:
            for row in () if panel is None else panel.items[:2] + panel.items[-1:]:
                for item in row[:2] + row[-1:]:
                    if item is not None:
                        yield from {item.first, item.last}


# ---- one tensor ----


def _panels(facts: LayoutFacts, base: int, unit: int, limits: Limits) -> Iterator[Panel | None]:
    """Yield the grids of a tensor; ``base`` is the byte of its first element in the strip."""
    if facts.size == 0:
        return
    shape = facts.shape
    outer = shape[:-2]
    rows = _some(shape[-2], limits.rows) if len(shape) > 1 else (0,)
    columns = _some(shape[-1], limits.columns) if shape else (0,)
    last_axes = min(len(shape), 2)
    for prefix in _prefixes(outer, limits.panels):
        if prefix is None:
            yield None
            continue
        grid = []
        for i in rows:
            line: list[Item | None] = []
            for j in columns:
                if i is None or j is None:
                    line.append(None)
                    continue
                index = (*prefix, *(i, j)[2 - last_axes :])
                pairs = zip(index, facts.byte_strides, strict=True)
                at = base + sum(k * step for k, step in pairs)
                line.append(Item(index, at // unit, (at + max(facts.itemsize, 1) - 1) // unit))
            grid.append(tuple(line))
        yield Panel(prefix, rows, columns, tuple(grid))


def _some(length: int, most: int) -> tuple[int | None, ...]:
    """Return all indices of an axis, or the first ones, None and the last one."""
    if length <= most:
        return tuple(range(length))
    return (*range(most - 2), None, length - 1)


def _prefixes(outer: tuple[int, ...], most: int) -> Iterator[tuple[int, ...] | None]:
    """Yield indices of the outer axes in row-major order, None for those that are left out."""
    for n in _some(prod(outer), most):
        index: list[int] = []
        for length in reversed(outer):
            if n is not None:
                n, place = divmod(n, length)
                index.insert(0, place)
        yield None if n is None else tuple(index)


def _arrows(facts: LayoutFacts, base: int, unit: int) -> tuple[Arrow, ...]:
    if facts.size == 0:
        return ()
    strides = facts.strides
    found = []
    for axis, (step, length) in enumerate(zip(facts.byte_strides, facts.shape, strict=True)):
        if length > 1:
            said = f"{step:+d} bytes" if strides is None else f"{strides[axis]:+d}"
            text = "0, repeats" if step == 0 else said
            found.append(Arrow(axis, base // unit, (base + step) // unit, text))
    return tuple(found)


def _uses(facts: LayoutFacts, base: int, unit: int, wanted: list[int]) -> dict[int, int]:
    """Return how many elements cover each of some cells; cells without any are left out."""
    if facts.size == 0 or facts.itemsize == 0:
        return {}
    width = facts.itemsize // unit
    steps = (*(step // unit for step in facts.byte_strides), 1)
    # Axes that are never stepped along may have any stride.
    pairs = zip(steps, (*facts.shape, width), strict=True)
    axes = [(step, length) for step, length in pairs if length > 1]
    layout = Layout([n for _, n in axes], [s for s, _ in axes], base // unit)
    if layout.size <= _COUNTED:
        import numpy as np

        found, counts = np.unique(positions(layout), return_counts=True)
        every = dict(zip(found.tolist(), counts.tolist(), strict=True))
        return {cell: every[cell] for cell in wanted if cell in every}
    return _uses_of_many(layout, wanted)


def _uses_of_many(layout: Layout, wanted: list[int]) -> dict[int, int]:
    pairs = list(zip(layout.strides, layout.shape, strict=True))
    lean = Layout([n for s, n in pairs if s], [s for s, n in pairs if s], layout.offset)
    repeats = layout.size // max(lean.size, 1)
    try:
        repeats = MANY if lean.overlaps_itself() else repeats
    except OverlapTooHard:
        repeats = MANY
    found = {}
    for cell in wanted:
        try:
            if lean.index_of(cell) is not None:
                found[cell] = repeats
        except OverlapTooHard:
            found[cell] = UNKNOWN
    return found
