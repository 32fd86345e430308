"""Some elements of an array, in words: slices where they form a box, else a list and a count."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

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
