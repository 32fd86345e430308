"""Stacks of matrices with random elements, in every arrangement of memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from support.compare import COMPLEX, FLOATS

ROUNDING = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-11, "complex128": 1e-11}
DTYPES = (*FLOATS, *COMPLEX)

# A view of a larger array that has the shape of the last axes given.
VIEWS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "row-major": lambda a: a,
    "transposed": lambda a: np.ascontiguousarray(np.swapaxes(a, -1, -2)).swapaxes(-1, -2),
    "flipped": lambda a: np.ascontiguousarray(a[..., ::-1, ::-1])[..., ::-1, ::-1],
    "stepped": lambda a: np.repeat(np.repeat(a, 2, -1), 3, -2)[..., ::3, ::2],
    "stack last": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 0, -1)), -1, 0),
    "expanded": lambda a: np.broadcast_to(a[..., :1, :, :], a.shape),
}


def random(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    chance = np.random.default_rng(seed)
    array = chance.standard_normal(shape)
    if dtype in COMPLEX:
        array = array + 1j * chance.standard_normal(shape)
    return array.astype(dtype)


def positive(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return Hermitian matrices whose eigenvalues are well above zero."""
    a = random(shape, dtype)
    return a @ np.conj(np.swapaxes(a, -1, -2)) + shape[-1] * np.eye(shape[-1], dtype=dtype)


def hermitian(x: Any) -> Any:
    return x.mT.conj() if x.dtype.kind == "c" else x.mT
