"""Elements of a tensor against a NumPy array: shape, dtype, NaN, infinities, the sign of zero."""

from __future__ import annotations

from typing import Any

import numpy as np

import strided

BOOL = ("bool",)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = SIGNED + UNSIGNED
FLOATS = ("float32", "float64")
HALVES = ("float16", "bfloat16")
COMPLEX = ("complex64", "complex128")
NUMPY_DTYPES = BOOL + INTS + ("float16",) + FLOATS + COMPLEX
ALL_DTYPES = BOOL + INTS + HALVES + FLOATS + COMPLEX
# How far a result may be off, relative to max(1, |expected|).
ROUNDING = {"float32": 3e-6, "complex64": 6e-6, "float64": 2e-14, "complex128": 2e-14}


def dtype_of(name: str) -> Any:
    return getattr(strided, name)


def kind_of(name: str) -> str:
    """Return "b", "i", "u", "f" or "c"."""
    return "f" if name == "bfloat16" else np.dtype(name).kind


def as_numpy(x: Any) -> np.ndarray:
    """Return the elements; bfloat16 as float32, which holds them exactly."""
    return np.asarray(x.to(strided.float32) if x.dtype is strided.bfloat16 else x)


def _parts(array: np.ndarray) -> np.ndarray:
    array = np.ascontiguousarray(array)
    return array.view(array.real.dtype) if array.dtype.kind == "c" else array


def differing(mine: np.ndarray, theirs: np.ndarray, rtol: float, zero_sign: bool) -> np.ndarray:
    """Return a mask of the elements that differ by more than the tolerance."""
    if mine.dtype.kind not in "fc":
        return mine != theirs
    mine, theirs = _parts(mine), _parts(theirs)
    with np.errstate(all="ignore"):
        same = (mine == theirs) | (np.isnan(mine) & np.isnan(theirs))
        if rtol:
            near = np.abs(mine - theirs) <= rtol * np.maximum(1, np.abs(theirs))
            same |= near & np.isfinite(theirs)
    if zero_sign:
        same &= (np.signbit(mine) == np.signbit(theirs)) | (theirs != 0) | (mine != 0)
    return ~same


def assert_same(
    x: Any, expected: Any, rtol: float = 0.0, *, zero_sign: bool = False, where: object = ""
) -> None:
    """Fail unless a tensor has the shape, dtype and elements of an array."""
    expected = np.asarray(expected)
    assert isinstance(x, strided.Tensor), where
    assert x.shape == expected.shape, where
    mine = as_numpy(x)
    assert mine.dtype == expected.dtype, (where, mine.dtype, expected.dtype)
    wrong = differing(mine, expected, rtol, zero_sign)
    if wrong.any():
        got, want = _parts(mine)[wrong], _parts(expected)[wrong]
        raise AssertionError(f"{where}: {wrong.sum()} differ, got {got[:6]}, expected {want[:6]}")
