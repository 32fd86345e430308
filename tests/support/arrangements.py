"""A shape of any rank in every layout that kernels must take, and results as a dtype tells them."""

from __future__ import annotations

from typing import Any

import numpy as np
from support.compare import as_numpy, dtype_of
from support.layouts import Placed, placed

import strided

# Relative to max(1, |expected|): one rounding to the dtype, and those of float32 before it.
CLOSE = {"float16": 1e-3, "bfloat16": 8e-3, "float32": 5e-6, "float64": 1e-13}


def _strides(shape: tuple[int, ...], order: tuple[int, ...], step: int, gap: int) -> list[int]:
    strides, reach = [0] * len(shape), step
    for axis in order:
        strides[axis] = reach
        reach = reach * max(shape[axis], 1) + gap
    return strides


def writable(shape: tuple[int, ...]) -> dict[str, Placed]:
    """Return layouts in which every element has a place of its own."""
    last_first = tuple(reversed(range(len(shape))))
    plain = _strides(shape, last_first, 1, 0)
    reversed_strides = _strides(shape, tuple(range(len(shape))), 1, 0)
    back = sum((max(n, 1) - 1) * s for n, s in zip(shape, plain, strict=True))
    flipped = [s if axis else -s for axis, s in enumerate(plain)]
    front = (max(shape[0], 1) - 1) * plain[0] if shape else 0
    swapped = last_first[1:2] + last_first[:1] + last_first[2:]
    return {
        "row-major": Placed(shape, tuple(plain)),
        "transposed": Placed(shape, tuple(reversed_strides)),
        "offset, with gaps": Placed(shape, tuple(_strides(shape, last_first, 1, 3)), 5),
        "stepped": Placed(shape, tuple(_strides(shape, last_first, 3, 1)), 1),
        "swapped": Placed(shape, tuple(_strides(shape, swapped, 1, 1))),
        "flipped": Placed(shape, tuple(-s for s in plain), back),
        "flipped rows": Placed(shape, tuple(flipped), front),
    }


def readable(shape: tuple[int, ...]) -> dict[str, Placed]:
    """Return those, and layouts that repeat elements."""
    plain = _strides(shape, tuple(reversed(range(len(shape)))), 1, 0)
    return writable(shape) | {
        "expanded": Placed(shape, (0, *plain[1:]), 2),
        "one element": Placed(shape, (0,) * len(shape), 1),
        "windows": Placed(shape, (1,) * len(shape)),
    }


def untouched(out: Any, at: Placed, before: np.ndarray) -> bool:
    """Return whether what lies in the gaps of a layout is as it was."""
    gaps = np.ones(at.room, bool)
    gaps[placed(at, np.arange(at.room))[1].ravel()] = False
    after = bits(out, at).reshape(at.room, -1)
    return bool((after == before.reshape(at.room, -1))[gaps].all())


def bits(out: Any, at: Placed) -> np.ndarray:
    """Return the bytes of all that a layout lies over."""
    whole = out.as_strided((at.room,), (1,), 0)
    return np.array(whole.view(strided.uint8).numpy())


def assert_close(
    got: Any,
    expected: np.ndarray,
    dtype: str,
    where: object = "",
    *,
    by: float = 1,
    computed: str = "float64",
) -> None:
    """Fail unless a tensor has the dtype, and numbers that round from the expected ones."""
    assert got.dtype is dtype_of(dtype), where
    assert got.shape == expected.shape, (where, got.shape, expected.shape)
    mine = as_numpy(got).astype("float64")
    with np.errstate(invalid="ignore"):
        error = np.abs(mine - expected) / np.maximum(1, np.abs(expected))
    same = (mine == expected) | (np.isnan(mine) & np.isnan(expected))
    wrong = ~(same | (error <= by * max(CLOSE[dtype], CLOSE[computed])))
    assert not wrong.any(), (where, mine[wrong][:4], expected[wrong][:4])
