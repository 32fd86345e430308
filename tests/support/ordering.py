"""What sorting tests share: data in every kind of order, NumPy's stable order both ways."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from support.compare import BOOL, FLOATS, HALVES, INTS, as_numpy, dtype_of, kind_of

import strided

ORDERED_DTYPES = BOOL + INTS + HALVES + FLOATS
# Ties, both zeros, infinities and NaN.
POOLS: dict[str, list[Any]] = {
    "b": [True, False, True, True, False],
    "i": [3, -1, 0, 3, 7, -128, 127, -1, 2, 0, 5],
    "u": [3, 1, 0, 3, 7, 255, 254, 1, 2, 0, 5],
    "f": [1.5, -0.0, 0.0, np.nan, -np.inf, 1.5, -2.25, np.inf, 0.0, -0.0, np.nan, -1.0, 3.0],
}


@contextmanager
def threads(count: int) -> Iterator[None]:
    before = strided.get_num_threads()
    strided.set_num_threads(count)
    try:
        yield
    finally:
        strided.set_num_threads(before)


def tensor_of(a: np.ndarray, dtype: str) -> Any:
    """Return a tensor of a dtype; arrays of bfloat16 are kept as float32."""
    return strided.tensor(a).to(dtype_of(dtype))


def kept_as(dtype: str) -> str:
    return "float32" if dtype == "bfloat16" else dtype


def stable_order(a: np.ndarray, axis: int, descending: bool) -> np.ndarray:
    """Return the positions in order: NaN last, or first when falling; ties as they stand."""
    if not descending:
        return np.argsort(a, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(a, axis), axis=axis, kind="stable")
    return np.flip(a.shape[axis] - 1 - backwards, axis)


def data_of(dtype: str, shape: Any, order: str, seed: int = 0) -> np.ndarray:
    """Return numbers that a dtype holds: "random", "ties", "outlier", "rising", "falling"."""
    random, kind = np.random.default_rng(seed), kind_of(dtype)
    if kind == "f":
        a = random.standard_normal(shape)
        if order == "ties":
            a = np.where(random.random(shape) < 0.1, -0.0, np.round(a))
            a[random.random(shape) < 0.05] = np.nan
        if order == "outlier":  # the rest differs only in its last bits
            a = 1 + a * (1e-14 if dtype == "float64" else 1e-6)
            a.reshape(-1)[:1] = -1e30 if dtype in ("float32", "float64") else -6e4
    elif kind == "b":
        a = random.integers(0, 2, shape)
    else:
        limits = np.iinfo(dtype)
        a = random.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
        if order == "ties":
            a = random.integers(0, 9, shape, dtype=dtype)
        if order == "outlier":
            a = random.integers(0, 100, shape, dtype=dtype)
            a.reshape(-1)[:1] = limits.max
    with np.errstate(all="ignore"):
        a = np.asarray(a).astype(kept_as(dtype))
    a = as_numpy(tensor_of(a, dtype)).copy() if dtype == "bfloat16" else a
    if order in ("rising", "falling"):
        a = np.sort(a, axis=0)
        a = a[::-1].copy() if order == "falling" else a
    return a


def same_bits(x: Any, expected: np.ndarray) -> bool:
    """Whether elements agree, zeros in sign; any NaN is as good as another."""
    mine = as_numpy(x)
    if mine.shape != expected.shape or mine.dtype != expected.dtype:
        return False
    if mine.dtype.kind != "f":
        return bool((mine == expected).all())
    both_nan = np.isnan(mine) & np.isnan(expected)
    return bool(
        (((mine == expected) & (np.signbit(mine) == np.signbit(expected))) | both_nan).all()
    )
