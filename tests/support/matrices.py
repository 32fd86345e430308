"""Matrices of a given shape in every layout class, and the product expected of two of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from support.compare import as_numpy, dtype_of, kind_of
from support.layouts import Placed, placed

import strided

# How far a result may be off, relative to the sum of the absolute products.
ROUNDING = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 1e-5,
    "complex64": 2e-5,
    "float64": 1e-13,
    "complex128": 1e-13,
}


def writable(rows: int, columns: int) -> dict[str, Placed]:
    """Return layouts in which every element has a place of its own."""
    m, n = max(rows, 1), max(columns, 1)
    return {
        "row-major": Placed((rows, columns), (n, 1)),
        "transposed": Placed((rows, columns), (1, m)),
        "offset": Placed((rows, columns), (n, 1), 3),
        "padded rows": Placed((rows, columns), (n + 3, 1), 1),
        "padded columns": Placed((rows, columns), (1, m + 5), 2),
        "stepped columns": Placed((rows, columns), (2 * n + 1, 2)),
        "stepped rows": Placed((rows, columns), (3, 3 * m + 1)),
        "flipped rows": Placed((rows, columns), (-n, 1), (m - 1) * n),
        "flipped columns": Placed((rows, columns), (n, -1), n - 1),
        "flipped, transposed": Placed((rows, columns), (-1, -m), m * n - 1),
        "flipped and stepped": Placed((rows, columns), (-2, 2 * m), 2 * m),
    }


def layouts(rows: int, columns: int) -> dict[str, Placed]:
    """Return all layouts that can be read."""
    return writable(rows, columns) | {
        "one row expanded": Placed((rows, columns), (0, 1), 1),
        "one column expanded": Placed((rows, columns), (1, 0), 1),
        "one element expanded": Placed((rows, columns), (0, 0), 2),
        "windows": Placed((rows, columns), (1, 1)),
        "overlapping rows": Placed((rows, columns), (2, 1)),
    }


def numbers(count: int, dtype: str, seed: int) -> np.ndarray:
    """Return elements; integers so large that products wrap, bfloat16 as float32 that holds it."""
    random, kind = np.random.default_rng(seed), kind_of(dtype)
    if kind == "b":
        return random.random(count) < 0.2
    if kind in "iu":
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, count, dtype, endpoint=True)
    a = random.normal(0, 1, count)
    if kind == "c":
        return (a + 1j * random.normal(0, 1, count)).astype(dtype)
    return np.asarray(as_numpy(strided.from_numpy(a).to(dtype_of(dtype))))


def made(at: Placed, dtype: str, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Return a tensor with a layout and an array with its elements."""
    flat = numbers(at.room, dtype, seed)
    if dtype != "bfloat16":
        return placed(at, flat)
    x = strided.from_numpy(flat).to(strided.bfloat16).as_strided(at.shape, at.strides, at.offset)
    return x, placed(at, flat)[1]


def over(rows: int, columns: int, dtype: str, seed: int) -> Iterator[tuple[str, Any, np.ndarray]]:
    """Yield the name, a tensor and an array for every layout class."""
    for name, at in layouts(rows, columns).items():
        x, a = made(at, dtype, seed)
        yield name, x, a


def assert_product(
    got: Any,
    a: np.ndarray,
    b: np.ndarray,
    dtype: str,
    where: object = "",
    multiply: Any = np.matmul,
) -> None:
    """Fail unless a tensor is the product of two arrays, as far as its dtype can tell."""
    assert got.dtype is dtype_of(dtype), where
    if kind_of(dtype) in "biu":
        expected = multiply(a.astype(dtype), b.astype(dtype))
        assert np.array_equal(got.numpy(), expected), where
        return
    wide = "complex128" if kind_of(dtype) == "c" else "float64"
    expected = multiply(a.astype(wide), b.astype(wide))
    scale = multiply(np.abs(a).astype("float64"), np.abs(b).astype("float64"))
    mine = as_numpy(got)
    assert mine.shape == expected.shape, where
    error = np.abs(mine - expected)
    allowed = ROUNDING[dtype] * np.maximum(scale, 1e-3)
    assert (error <= allowed).all(), (where, float((error / allowed).max()))
