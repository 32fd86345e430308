"""Memory pictures: cells of the index grid and of the memory strip, and which belong together.

Small tensors are drawn whole. Of large ones the first and last places of each axis are drawn, as
in the printed form of an array, and of the storage only what these reach. The number of cells is
bounded whatever the tensor.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

from strided import Tensor

MAX_CELLS = 1024
_GAP = 6  # memory cells between two that are reached, drawn rather than left out


@dataclass(frozen=True)
class Picture:
    """The drawn part of a tensor, cells in row-major order.

    ``places`` are the drawn indices of each axis, ``cells`` the storage element of each drawn cell,
    ``spans`` the drawn storage elements as (first, end), ``values`` and ``reached`` one entry for
    each of those. ``used`` counts the distinct elements reached; None where it was not counted.
    """

    whole: bool
    places: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    values: tuple[str, ...]
    reached: tuple[bool, ...]
    used: int | None


def picture_of(x: Tensor) -> Picture:
    """Return what to draw of a tensor.

    >>> import strided
    >>> p = picture_of(strided.arange(6).reshape(2, 3).T)
    >>> p.cells, p.spans
    ((0, 3, 1, 4, 2, 5), ((0, 6),))
    >>> p = picture_of(strided.arange(10000).reshape(100, 100)[:, :2])
    >>> p.whole, p.spans[0], len(p.cells)
    (True, (0, 2), 200)
    """
    places = _places(tuple(x.shape))
    layout = x.layout
    cells = tuple(layout.offset_of(index) for index in itertools.product(*places))
    whole = len(cells) == x.size
    storage = x.storage()
    spans = _spans(cells, len(storage))
    positions = [p for first, end in spans for p in range(first, end)]
    seen = set(cells)
    if whole:
        reached = tuple(p in seen for p in positions)
        used: int | None = len(seen)
    else:
        reached = tuple(layout.index_of(p) is not None for p in positions)
        used = None
    values = tuple(_text(storage[p]) for p in positions)
    return Picture(whole, places, cells, spans, values, reached, used)


def _places(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    if math.prod(shape) <= MAX_CELLS:
        return tuple(tuple(range(length)) for length in shape)
    edge = 8
    while edge > 1 and math.prod(min(length, 2 * edge) for length in shape) > MAX_CELLS:
        edge -= 1
    return tuple(
        tuple(range(length))
        if length <= 2 * edge
        else (*range(edge), *range(length - edge, length))
        for length in shape
    )


def _spans(cells: tuple[int, ...], size: int) -> tuple[tuple[int, int], ...]:
    """Return runs of storage elements to draw: all of a small storage, else those near cells."""
    if size <= MAX_CELLS:
        return ((0, size),) if size else ()
    spans: list[tuple[int, int]] = []
    for cell in sorted(set(cells)):
        if spans and cell - spans[-1][1] <= _GAP:
            spans[-1] = (spans[-1][0], cell + 1)
        else:
            spans.append((cell, cell + 1))
    return tuple(spans)


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
