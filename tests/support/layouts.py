"""The layout classes that every kernel is tested over: one table, used by all op tests.

A layout is laid over a flat storage that is larger than it; what lies in the gaps must never be
read into a result, nor written to.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import strided


class Placed(NamedTuple):
    """Shape, strides and offset, in elements."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0

    @property
    def room(self) -> int:
        """How many elements the storage must have."""
        if 0 in self.shape:
            return self.offset + 1
        reach = [(n - 1) * s for n, s in zip(self.shape, self.strides, strict=True)]
        assert self.offset + sum(min(r, 0) for r in reach) >= 0
        return self.offset + sum(max(r, 0) for r in reach) + 1


LAYOUTS = {
    "contiguous": Placed((3, 4), (4, 1)),
    "transposed": Placed((3, 4), (1, 3)),
    "sliced with gaps": Placed((3, 4), (7, 1), 2),
    "stepped": Placed((3, 4), (16, 3), 1),
    "flipped": Placed((3, 4), (-4, -1), 11),
    "flipped and stepped": Placed((3, 4), (2, -7), 23),
    "expanded": Placed((3, 4), (0, 1), 2),
    "one element expanded": Placed((3, 4), (0, 0), 5),
    "offset": Placed((3, 4), (4, 1), 5),
    "length-1 axes": Placed((1, 3, 1, 4, 1), (99, 4, -7, 1, 0)),
    "empty": Placed((3, 0, 4), (4, 4, 1)),
    "rank 0": Placed((), (), 3),
    "rank 1 of one": Placed((1,), (17,), 2),
    "rank 6": Placed((2, 1, 3, 2, 2, 2), (2, 1, 16, 8, -1, 4), 1),
    "windows": Placed((6, 4), (1, 1)),
    # Long enough for vector loops, their tails, and several tiles.
    "long": Placed((141,), (1,)),
    "long, stepped": Placed((141,), (3,), 2),
    "long, flipped": Placed((141,), (-1,), 140),
    "long, expanded": Placed((141,), (0,), 4),
    "wide transposed": Placed((37, 71), (1, 37)),
    "wide with gaps": Placed((5, 67), (80, 1), 3),
}
WRITABLE = {
    name: at for name, at in LAYOUTS.items() if "expanded" not in name and name != "windows"
}
WITH_AXES = [name for name, at in LAYOUTS.items() if at.shape]
NONEMPTY = [name for name, at in LAYOUTS.items() if 0 not in at.shape]
NONEMPTY_AXES = [name for name in WITH_AXES if name in NONEMPTY]
MATRICES = {name: at for name, at in LAYOUTS.items() if at.shape == (3, 4)}


def fill(pool: Any, count: int, dtype: str) -> np.ndarray:
    """Return ``count`` elements that go round and round through a pool of values."""
    values = np.asarray(pool)
    return np.resize(values, count).astype(dtype)


def placed(at: Placed, flat: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return a tensor and an array with the same layout over equal, separate storages."""
    own = np.array(flat)
    item = own.itemsize
    array = np.ndarray(
        at.shape, own.dtype, own, at.offset * item, tuple(s * item for s in at.strides)
    )
    return strided.from_numpy(np.array(flat)).as_strided(at.shape, at.strides, at.offset), array


def laid(layout: str, pool: Any, dtype: str) -> tuple[Any, np.ndarray]:
    """Return a tensor and an array in a layout of the table, with values from a pool."""
    at = LAYOUTS[layout]
    return placed(at, fill(pool, at.room, dtype))
