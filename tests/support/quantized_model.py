"""What products with quantised matrices should give, in NumPy: activations rounded as the kernels
round them, then multiplied in float64 with the numbers of the matrix.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import strided

KINDS = ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K")
# Numbers of a block, bytes of a block.
SIZES = {
    "Q8_0": (32, 34),
    "Q4_0": (32, 18),
    "Q4_1": (32, 20),
    "Q5_0": (32, 22),
    "Q5_1": (32, 24),
    "Q4_K": (256, 144),
    "Q5_K": (256, 176),
    "Q6_K": (256, 210),
}


def rounded(x: Any, together: int) -> Any:
    """Return float32 activations as 8-bit numbers with a scale for ``together`` of them."""
    parts = np.asarray(x, np.float32).reshape(*x.shape[:-1], x.shape[-1] // together, together)
    most = np.abs(parts).max(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        inverse = np.where(most > 0, np.float32(127) / most, np.float32(0))
    numbers = np.rint(parts * inverse)
    assert numbers.dtype == np.float32
    return (numbers.astype(np.float64) * (most / np.float32(127))).reshape(x.shape)


def product(matrix: strided.QuantizedMatrix, x: Any, exact: bool) -> tuple[Any, Any]:
    """Return x @ matrix.T as float64, and what its rounding errors are to be measured by."""
    numbers = matrix.dequantize(strided.float64).numpy()
    values = np.asarray(x, np.float64) if exact else rounded(x, SIZES[matrix.kind][0])
    return values @ numbers.T, np.abs(values) @ np.abs(numbers).T


def random_matrix(kind: str, rows: int, columns: int, seed: int = 0) -> strided.QuantizedMatrix:
    """Return blocks in which every bit is random, only that scales are small numbers."""
    random = np.random.default_rng(seed)
    numbers, nbytes = SIZES[kind]
    count = rows * columns // numbers
    blocks = random.integers(0, 256, (count, nbytes), dtype=np.uint8)
    halves = [208] if kind == "Q6_K" else [0] if kind in ("Q8_0", "Q4_0", "Q5_0") else [0, 2]
    for place in halves:
        scale = random.normal(0, 0.02, count).astype(np.float16)
        blocks[:, place : place + 2] = scale.view(np.uint8).reshape(count, 2)
    rows_of = blocks.reshape(rows, columns // numbers * nbytes)
    return strided.QuantizedMatrix(kind, strided.from_numpy(rows_of))
