"""Memory overlap of two arrays of any libraries: whether, how much, and which elements.

Whether they overlap is decided exactly by the equation of core/layout, or said to be too hard.
Which elements do is found by listing positions, after each layout was cut down to what the other
reaches; above the work limit only the counts that follow without listing are given.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TYPE_CHECKING, Any

from strided._native import Layout
from strided.errors import OverlapTooHard
from strided.inspect.array_facts import facts_of
from strided.inspect.facts import LayoutFacts
from strided.inspect.reach import WORK_LIMIT, distinct_positions, positions, reached_range

if TYPE_CHECKING:
    import numpy

_LISTED = 8  # index tuples that are written out


class IndexSet:
    """Index tuples of an array of a shape, in row-major order.

    >>> import strided
    >>> x = strided.zeros(3, 4)
    >>> found = strided.relate(x, x[1:, ::3]).in_a
    >>> found.count, found.indices()[:2], found.text
    (4, [(1, 0), (1, 3)], '[1:, ::3]')
    """

    def __init__(self, shape: tuple[int, ...], rows: numpy.ndarray[Any, Any] | None) -> None:
        self.shape = shape
        self._rows = rows

    @classmethod
    def none(cls, shape: tuple[int, ...]) -> IndexSet:
        """Return the empty set.

        >>> import strided
        >>> strided.inspect.IndexSet.none((3,)).text
        '[none]'
        """
        return cls(shape, None)

    @property
    def count(self) -> int:
        """The number of elements.

        >>> import strided
        >>> x = strided.zeros(6)
        >>> strided.relate(x, x[::2]).in_a.count
        3
        """
        return 0 if self._rows is None else len(self._rows)

    def indices(self) -> list[tuple[int, ...]]:
        """Return all index tuples.

        >>> import strided
        >>> x = strided.zeros(6)
        >>> strided.relate(x, x[::2]).in_a.indices()
        [(0,), (2,), (4,)]
        """
        return [] if self._rows is None else [tuple(row) for row in self._rows.tolist()]

    @cached_property
    def box(self) -> tuple[slice, ...] | None:
        """The slices that pick these elements and no others; None when there are none such.

        >>> import strided
        >>> x = strided.zeros(6)
        >>> strided.relate(x, x[::2]).in_a.box
        (slice(0, 5, 2),)
        """
        if self._rows is None or self.count == 0:
            return None
        import numpy as np

        found, inside = [], 1
        for axis in range(len(self.shape)):
            values = np.unique(self._rows[:, axis])
            steps = np.diff(values)
            if steps.size and (steps != steps[0]).any():
                return None
            step = int(steps[0]) if steps.size else 1
            found.append(slice(int(values[0]), int(values[-1]) + 1, step))
            inside *= values.size
        return tuple(found) if inside == self.count else None

    @property
    def text(self) -> str:
        """Slices as they are typed, or the first index tuples.

        >>> import strided
        >>> x = strided.zeros(3, 4)
        >>> strided.relate(x, x[:, 1:3]).in_a.text, strided.relate(x, x.diagonal()).in_a.text
        ('[:, 1:3]', '[(0, 0), (1, 1), (2, 2)]')
        """
        if self.count == 0:
            return "[none]"
        if self.box is not None:
            parts = map(_slice_text, self.box, self.shape)
            return f"[{', '.join(parts) or '...'}]"
        assert self._rows is not None
        shown = ", ".join(str(tuple(row)) for row in self._rows[:_LISTED].tolist())
        return f"[{shown}{', ...' if self.count > _LISTED else ''}]"

    def to_dict(self) -> dict[str, Any]:
        """Return the count, the text, and the index tuples where they are few.

        >>> import strided
        >>> strided.inspect.IndexSet.none((3,)).to_dict()
        {'count': 0, 'indices': [], 'text': '[none]'}
        """
        few = [list(row) for row in self.indices()] if self.count <= 8 * _LISTED else None
        return {"count": self.count, "indices": few, "text": self.text}

    def __len__(self) -> int:
        return self.count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, IndexSet):
            return NotImplemented
        return self.shape == other.shape and self.indices() == other.indices()

    def __hash__(self) -> int:
        return hash((self.shape, self.count))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"IndexSet({self.count} of shape {self.shape}: {self.text})"


def _slice_text(part: slice, length: int) -> str:
    start, stop, step = part.start, part.stop, part.step
    if stop - start == 1 and length > 1:
        return str(start)
    begin = "" if start == 0 else str(start)
    # The last index picked may lie less than a step before the end.
    end = "" if stop + step > length else str(stop)
    return f"{begin}:{end}" + (f":{step}" if step != 1 else "")


@dataclass(frozen=True)
class Relation:
    """How two arrays lie to each other; made by ``strided.relate(a, b)``.

    ``overlaps`` is None where no exact answer was found within the work limit; ``in_a`` and
    ``in_b`` are the elements that share a byte with the other side, None where they are too many.

    >>> import strided
    >>> x = strided.arange(12).reshape(3, 4)
    >>> found = strided.relate(x[:2], x[1:, ::2])
    >>> found.same_storage, found.overlaps, found.shared_bytes
    (True, True, 16)
    >>> print(found.in_a, found.in_b)
    [1, ::2] [0, :]
    """

    a: LayoutFacts
    b: LayoutFacts
    same_storage: bool
    overlaps: bool | None
    same_elements: bool
    shared_bytes: int | None
    in_a: IndexSet | None
    in_b: IndexSet | None
    work_limit: int = WORK_LIMIT

    @property
    def kind(self) -> str:
        """One of same elements, overlapping, disjoint, different storage, too hard to decide.

        >>> import strided
        >>> x = strided.zeros(6)
        >>> strided.relate(x[::2], x[1::2]).kind, strided.relate(x, x.clone()).kind
        ('disjoint', 'different storage')
        """
        if not self.same_storage:
            return "different storage"
        if self.same_elements:
            return "same elements"
        if self.overlaps is None:
            return "too hard to decide"
        return "overlapping" if self.overlaps else "disjoint"

    def to_dict(self) -> dict[str, Any]:
        """Return the answers by name, as numbers, texts and lists that JSON can hold.

        >>> import strided
        >>> x = strided.zeros(6)
        >>> strided.relate(x[:3], x[2:]).to_dict()["in_a"]
        {'count': 1, 'indices': [[2]], 'text': '[2]'}
        """
        return {
            "kind": self.kind,
            "same_storage": self.same_storage,
            "overlaps": self.overlaps,
            "same_elements": self.same_elements,
            "shared_bytes": self.shared_bytes,
            "in_a": None if self.in_a is None else self.in_a.to_dict(),
            "in_b": None if self.in_b is None else self.in_b.to_dict(),
            "work_limit": self.work_limit,
        }

    def __str__(self) -> str:
        lines = [f"{self.kind}", f"  a  {self.a.heading}", f"  b  {self.b.heading}"]
        if self.overlaps:
            lines.append(f"  {_bytes_text(self.shared_bytes)}")
            for name, part, whole in (("a", self.in_a, self.a), ("b", self.in_b, self.b)):
                if part is not None:
                    lines.append(f"  {name}{part}  {part.count} of {whole.size} elements")
                else:
                    lines.append(f"  {name}  more than {self.work_limit} positions: not listed")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def relate(a: Any, b: Any, /) -> Relation:
    """Return whether two arrays share storage or elements, and which. Reads and copies nothing.

    Arrays may come from different libraries.

    >>> import numpy, strided
    >>> array = numpy.arange(6)
    >>> print(strided.relate(array, strided.from_numpy(array)[::-2]))
    overlapping
      a  numpy (6,):(1,)+0 int64
      b  strided (3,):(-2,)+5 int64
      24 bytes in common
      a[1::2]  3 of 6 elements
      b[:]  3 of 3 elements
    """
    one, two = facts_of(a, operation="relate"), facts_of(b, operation="relate")
    if not one.shares_block(two):
        none = IndexSet.none
        return Relation(one, two, False, False, False, 0, none(one.shape), none(two.shape))
    unit = _unit(one, two)
    mine, theirs = _cells(one, unit), _cells(two, unit)
    same = one.dtype == two.dtype and mine.same_elements(theirs)
    overlaps = _overlap(mine, theirs)
    if overlaps is False:
        none = IndexSet.none
        return Relation(one, two, True, False, same, 0, none(one.shape), none(two.shape))
    shared, in_a, in_b = _shared(mine, theirs)
    if overlaps is None and shared is not None:
        overlaps = shared > 0
    shared = None if shared is None else shared * unit
    return Relation(one, two, True, overlaps, same, shared, in_a, in_b)


# ---- parts of the answer ----


def _unit(one: LayoutFacts, two: LayoutFacts) -> int:
    """Return the largest number of bytes that all elements and distances are multiples of."""
    unit = gcd(one.itemsize, two.itemsize, one.data_ptr - two.data_ptr)
    for facts in (one, two):
        pairs = zip(facts.byte_strides, facts.shape, strict=True)
        unit = gcd(unit, *(step for step, length in pairs if length > 1))
    return max(unit, 1)


def _cells(facts: LayoutFacts, unit: int) -> Layout:
    """Return the layout of cells of so many bytes; its last axis runs through one element.

    Addresses are divided downwards: those of both sides leave the same rest.
    """
    strides = (*(step // unit for step in facts.byte_strides), 1)
    return Layout((*facts.shape, facts.itemsize // unit), strides, facts.data_ptr // unit)


def _overlap(a: Layout, b: Layout) -> bool | None:
    try:
        return a.overlaps(b)
    except OverlapTooHard:
        return None


def _shared(mine: Layout, theirs: Layout) -> tuple[int | None, IndexSet | None, IndexSet | None]:
    """Return the cells in common and the elements that hold them, as far as they can be listed."""
    near_a, from_a = _narrowed(mine, reached_range(theirs))
    near_b, from_b = _narrowed(theirs, reached_range(mine))
    if near_a.size + near_b.size > WORK_LIMIT:
        return _shared_unlisted(mine, theirs), None, None
    import numpy as np

    rows_a, rows_b = (positions(near).reshape(-1, near.shape[-1]) for near in (near_a, near_b))
    common = np.intersect1d(rows_a, rows_b)
    in_a = IndexSet(mine.shape[:-1], _holders(rows_a, common, near_a, from_a))
    in_b = IndexSet(theirs.shape[:-1], _holders(rows_b, common, near_b, from_b))
    return int(common.size), in_a, in_b


def _narrowed(layout: Layout, target: tuple[int, int]) -> tuple[Layout, tuple[int, ...]]:
    """Return the part that can reach a range of positions, and the index at which it begins.

    Axis by axis, those indices go from which no way along the other axes leads into the range.
    """
    begins = [0] * layout.rank
    for axis in sorted(range(layout.rank - 1), key=lambda k: -abs(layout.strides[k])):
        step, length = layout.strides[axis], layout.shape[axis]
        if step == 0 or length < 2:
            continue
        low, high = reached_range(layout.selected(axis, 0))
        # low + i * step < target[1] and high + i * step > target[0]
        first, last = sorted(((target[0] - high) // step, (target[1] - low) // step))
        start, stop = max(0, first - 1), min(length, last + 2)
        if start >= stop:
            return layout.sliced(axis, 0, 0), tuple(begins[:-1])
        layout = layout.sliced(axis, start, stop)
        begins[axis] = start
    return layout, tuple(begins[:-1])


def _holders(
    rows: Any, common: Any, near: Layout, begins: tuple[int, ...]
) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """Return the index tuples, one a row, of elements that have a cell in common."""
    import numpy as np

    shape = near.shape[:-1]
    flat = np.flatnonzero(np.isin(rows, common).any(axis=1))
    if not shape:
        return np.zeros((flat.size, 0), dtype=np.int64)
    return np.stack(np.unravel_index(flat, shape), axis=1) + np.asarray(begins, dtype=np.int64)


def _shared_unlisted(a: Layout, b: Layout) -> int | None:
    """Return the cells in common when one side fills the whole range that the other lies in."""
    for inner, outer in ((a, b), (b, a)):
        (low, high), (bottom, top) = reached_range(inner), reached_range(outer)
        if bottom <= low and high <= top and distinct_positions(outer) == top - bottom:
            return distinct_positions(inner)
    return None


def _bytes_text(shared: int | None) -> str:
    return "some bytes in common" if shared is None else f"{shared} bytes in common"
