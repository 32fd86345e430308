"""Products with quantised matrices and their numbers, on the instruction set of this process."""

from __future__ import annotations

from typing import Any

import numpy as np

import strided
from strided.quantized import product_into

from .quantized_model import KINDS, random_matrix

FLOATS = (strided.float32, strided.float16, strided.bfloat16, strided.float64)


def activations(*shape: int, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    x = random.normal(0, 1, shape) * random.choice([0.1, 1, 5], (shape[0], 1)) + 0.1
    return x.astype(np.float32)


def answers() -> dict[str, Any]:
    """Return products and numbers of every kind, on the instruction set of this process."""
    found: dict[str, Any] = {}
    for kind in KINDS:
        matrix, x = random_matrix(kind, 9, 768, seed=4), activations(11, 768, seed=4)
        for count in (1, 2, 7, 11):
            out = product_into(strided.empty(count, 9), strided.from_numpy(x[:count]), matrix)
            found[f"{kind} x {count}"] = out.tolist()
        for dtype in FLOATS[:3]:
            found[f"{kind} as {dtype}"] = (
                matrix.dequantize(dtype).to(strided.float64).sum(1).tolist()
            )
    return {"isa": strided._native.active_isa(), "answers": found}
