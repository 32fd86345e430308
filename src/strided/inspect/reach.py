"""Bounds of a layout, and how many different positions it reaches: exact, or None above a limit.

Layouts here count elements, bytes or whatever else: a position is a number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided._native import Layout
from strided.errors import OverlapTooHard

if TYPE_CHECKING:
    import numpy

# Positions that are listed at most: a few hundred megabytes for a second.
WORK_LIMIT = 4_000_000


def reached_range(layout: Layout) -> tuple[int, int]:
    """Return the lowest position reached and the one behind the highest.

    >>> from strided.inspect.reach import reached_range
    >>> import strided
    >>> reached_range(strided.Layout((3, 2), (-4, 1), 8))
    (0, 10)
    """
    bounds = layout.bounds
    return (layout.offset, layout.offset) if bounds is None else (bounds[0], bounds[1] + 1)


def merged(layout: Layout) -> list[tuple[int, int]]:
    """Return axes (step, length) that reach the same positions, each fewer times.

    Steps become positive, axes of length 1 or step 0 go. Axes (s, n) and (k * s, m) reach one run
    of step s together when n >= k: it has (m - 1) * k + n positions. Windows become one axis so.

    >>> from strided.inspect.reach import merged
    >>> import strided
    >>> merged(strided.Layout((5,)).unfolded(0, 3, 1)), merged(strided.Layout((4, 3), (0, -2), 9))
    ([(1, 5)], [(2, 3)])
    """
    pairs = zip(layout.strides, layout.shape, strict=True)
    axes = sorted((abs(step), length) for step, length in pairs if step and length > 1)
    done: list[tuple[int, int]] = []
    for step, length in axes:
        if done:
            small, count = done[-1]
            times = step // small
            if step % small == 0 and count >= times:
                done[-1] = (small, (length - 1) * times + count)
                continue
        done.append((step, length))
    return done


def distinct_positions(layout: Layout) -> int | None:
    """Return how many different positions a layout reaches, None above the work limit.

    >>> from strided.inspect.reach import distinct_positions
    >>> import strided
    >>> distinct_positions(strided.Layout((5,)).unfolded(0, 3, 1))
    5
    """
    if layout.size == 0:
        return 0
    axes = merged(layout)
    lean = Layout([length for _, length in axes], [step for step, _ in axes])
    try:
        if not lean.overlaps_itself():
            return lean.size
    except OverlapTooHard:
        pass
    if lean.size > WORK_LIMIT:
        return None
    import numpy as np

    return int(np.unique(positions(lean)).size)


def positions(layout: Layout) -> numpy.ndarray[Any, numpy.dtype[numpy.int64]]:
    """Return the position of each index tuple, in row-major order, as a flat NumPy array.

    >>> from strided.inspect.reach import positions
    >>> import strided
    >>> positions(strided.Layout((2, 3), (1, 2), 4)).tolist()
    [4, 6, 8, 5, 7, 9]
    """
    import numpy as np

    found = np.full(1, layout.offset, dtype=np.int64)
    for step, length in zip(layout.strides, layout.shape, strict=True):
        found = (found[:, None] + step * np.arange(length, dtype=np.int64)).reshape(-1)
    return found
