"""What plans of sorting, picking and searching say: axes, roles, lines at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided

X = strided.tensor(np.arange(60_000, dtype=np.float32).reshape(300, 200))
ROWS = strided.tensor(np.arange(100))
GRID = strided.zeros((300, 200), dtype=strided.int64)
MASK = X > 5
SUMS = strided.zeros(300, 200)

PLANS: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "sort across memory": (
        lambda: X.sort(0),
        ["sort (200, 300) map, row bytes to step: (4, 800) (4, 800) (8, 1600); 16 lines at a time"],
    ),
    "argsort": (lambda: X.argsort(1), ["argsort (300, 200) map, row"]),
    "topk": (lambda: X.topk(5, 0), ["topk (200, 300) map, row"]),
    "topk by sorting": (lambda: X.topk(150, 1), ["topk (300, 200) map, row"]),
    "median": (lambda: X.median(1), ["kthvalue (300, 200) map, row"]),
    "cummax": (lambda: X.cummax(0), ["cummax (200, 300) column, scan"]),
    "unique": (
        lambda: strided.unique_values(X),
        ["sort (60000,) row", "count runs", "find runs", "gather (60000,) pick"],
    ),
    "searchsorted": (
        lambda: strided.searchsorted(X[0], X),
        ["searchsorted (60000,) bytes to step: (8,) (4,) (0,)"],
    ),
    "searchsorted by rows": (
        lambda: strided.searchsorted(X, X),
        ["searchsorted (300, 200) map, row bytes to step: (1600, 8) (800, 4) (800, 0)"],
    ),
    "bincount": (lambda: strided.bincount(ROWS), ["largest bin (100,)", "bincount (100,)"]),
    "rows": (
        lambda: X[ROWS],
        ["gather (100, 200) pick, row bytes to step: (800, 4) (0, 4) (8, 0)"],
    ),
    "rows of an expanded tensor": (
        lambda: X[:1].expand(300, 200)[ROWS],
        ["gather (100, 200) pick, row bytes to step: (800, 4) (0, 4) (8, 0)"],
    ),
    "tuples": (
        lambda: X[ROWS, ROWS],
        ["places of positions", "places of positions", "gather (100,) pick"],
    ),
    "gather": (lambda: X.gather(0, GRID), ["gather (300, 200) pick, map"]),
    "scatter": (
        lambda: SUMS.scatter_add_(0, GRID, X),
        ["check of positions", "scatter (300, 200) pick, map"],
    ),
    "mask": (lambda: X[MASK], ["count_nonzero (60000,)", "masked_select (60000,)"]),
    "argwhere": (lambda: strided.argwhere(X), ["count_nonzero (60000,)", "nonzero (60000,)"]),
    "det": (lambda: strided.linalg.det(X[:4, :4]), ["det (4, 4) row, column"]),
}


@pytest.mark.parametrize("name", PLANS)
def test_plan(name: str) -> None:
    run, wanted = PLANS[name]
    passes = [line.split(": ", 1)[1] for line in str(strided.plan(run)).splitlines()]
    assert len(passes) == len(wanted), passes
    for text, start in zip(passes, wanted, strict=True):
        assert text.startswith(start)
