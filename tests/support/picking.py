"""Positions to pick elements by, for tests of reading and writing."""

from __future__ import annotations

from typing import Any

import numpy as np

POOL = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7]
RANDOM = np.random.default_rng(7)


def positions(length: int, shape: Any, seed: int = 0) -> np.ndarray:
    """Return positions of both signs."""
    return np.random.default_rng(seed).integers(-length, length, shape)


def along(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    """Return a shape with another length along an axis."""
    return (*shape[:axis], length, *shape[axis + 1 :])
