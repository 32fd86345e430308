"""Rows of two to eight elements: arithmetic, copies, conversions and reductions in cache.

    python benchmarks/narrow.py [--quick] [--only EXPRESSION]

Claim: work on rows of a few elements is bound by memory, not by how often a row is begun, and is
never slower than NumPy or PyTorch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from bars import Bar
from operands import libraries, limit, numbers, seen_by, torch
from side_by_side import Benchmark, Case, main

ROWS = 100_000
MOVED, FOLDED = "moved", "folded"
BARS = [
    Bar("arithmetic, copies, conversions: 35 % each", "limit", (MOVED,), 0.35),
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]

# Name, shapes, what is seen of them, the expression, elements read and written for each row.
MOVES = [
    *((f"x * x, {c} of {c + 1}", [c + 1], f"x[:, :{c}]", "x * x", 2 * c) for c in (2, 3, 4, 6, 8)),
    ("x * x, 2 of every other", [6], "x[:, ::2][:, :2]", "x * x", 4),
    *((f"(N, {c}) + ({c},)", [c], "x", "x + row", 2 * c) for c in (2, 3, 4, 8)),
    *((f"(N, {c}) + (N, 1)", [c], "x", "x + column", 2 * c + 1) for c in (2, 3, 4, 8)),
    ("3 of 4 += (3,)", [4], "x[:, :3]", "x.__iadd__(row)", 6),
    *((f"copy, {c} of {c + 1}", [c + 1], f"x[:, :{c}]", "copy(x)", 2 * c) for c in (2, 3, 5, 7)),
    ("copy, 3 of every other", [6], "x[:, ::2]", "copy(x)", 6),
]
FOLDS = [
    *((f"sum of rows of {c}", [c], "x", "x.sum(1)", c + 1) for c in (2, 3, 4, 8)),
    *((f"mean of rows of {c}", [c], "x", "x.mean(1)", c + 1) for c in (3, 4)),
    ("sum of rows, 3 of 4", [4], "x[:, :3]", "x.sum(1)", 4),
    ("sum of columns, 3 of 4", [4], "x[:, :3]", "x.sum(0)", 3),
    ("sum of the middle axis", [12], "x.reshape(-1, 3, 4)", "x.sum(1)", 16),
]
COPY = {"strided": "clone", "numpy": "copy", "torch": "contiguous"}


def _case(dtype: str, rows: int, row: tuple[str, list[int], str, str, int], tag: str) -> Case:
    name, (width,), view, statement, moved = row
    array = numbers((rows, width), dtype)
    statements: dict[str, Any] = {}
    for library in libraries():
        x = eval(view, {"x": seen_by(array, library)})
        names = {
            "x": x,
            "row": seen_by(numbers((x.shape[-1],), dtype), library),
            "column": seen_by(numbers((rows, 1), dtype), library),
            "copy": lambda y, how=COPY[library]: getattr(y, how)(),
        }
        statements[library] = (statement, names)
    statements["limit"] = limit(moved * rows * np.dtype(dtype).itemsize // 2)
    return Case(name, statements, group=f"{rows // 1000}K rows of {dtype}", tags=[tag])


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    for dtype in ("float32",) if quick else ("float32", "float64", "int16", "uint8"):
        for row in MOVES:
            yield _case(dtype, ROWS, row, MOVED)
        for row in FOLDS:
            if not (dtype[0] in "iu" and "mean" in row[0] and torch is not None):
                yield _case(dtype, ROWS, row, FOLDED)


BENCHMARK = Benchmark(
    "narrow",
    "Rows of a few elements",
    "Arithmetic, copies and reductions of 100 000 rows of two to eight elements, relative to a "
    "copy of half as many bytes as they read and write, and to NumPy and PyTorch.",
    BARS,
    cases,
)

if __name__ == "__main__":
    main(BENCHMARK)
