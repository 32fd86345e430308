"""What plans of sorting, picking and searching say: axes, roles, lines at a time."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import numpy as np
import pytest
from support.paths import ROOT

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


CORE = ROOT / "core"
HALVES = X.to(strided.float16)
LONG = strided.tensor(np.random.default_rng(1).random(10_000))

# The baseline has no vectors wide enough to sort lines beside each other.
BASELINE = {
    "short lines": [["to_keys", "distribute", "sort_rows", "unpack_rows", "from_keys"]],
    "short lines of halves": [["to_keys", "distribute", "sort_rows", "unpack_rows"]],
}
# The functions of the inner loops of each pass.
LOOPS: dict[str, tuple[Callable[[], Any], list[list[str]]]] = {
    "short lines": (
        lambda: X.sort(0),
        [["to_keys", "pack_rows", "sort_rows", "unpack_rows", "from_keys"]],
    ),
    "short lines of halves": (
        lambda: HALVES.argsort(1),
        [["to_keys", "pack_halves", "sort_rows", "unpack_halves"]],
    ),
    "a long line": (
        lambda: LONG.argsort(),
        [["to_keys", "distribute", "sort_rows", "unpack_rows"]],
    ),
    "topk": (lambda: LONG.topk(5), [["to_keys", "facts_of", "take_step"]]),
    "median": (lambda: LONG.median(), [["to_keys", "facts_of", "count_digits", "sort_rows"]]),
    "unique": (
        lambda: strided.unique_values(LONG),
        [
            ["to_keys", "distribute", "sort_rows", "from_keys"],
            ["count_starts"],
            ["write_run_starts"],
            ["resolve", "move_places"],
        ],
    ),
    "searchsorted": (lambda: strided.searchsorted(LONG, LONG), [["search_row"]]),
    "bincount": (lambda: strided.bincount(ROWS), [["facts_of"], ["count_few"]]),
    "bincount of large numbers": (
        lambda: strided.bincount(ROWS * 1000),
        [["facts_of"], ["count_many"]],
    ),
    "bincount with weights": (
        lambda: strided.bincount(ROWS, ROWS),
        [["facts_of"], ["add_weights"]],
    ),
    "rows": (lambda: X[ROWS], [["resolve", "move_packed_rows"]]),
    "short rows": (lambda: X[:, :2].contiguous()[ROWS], [["resolve", "move_places"]]),
    "rows that are added to": (
        lambda: SUMS.index_add_(0, ROWS, X[:100]),
        [["resolve"], ["resolve", "move_row"]],
    ),
    "elements": (lambda: X.gather(0, GRID), [["resolve", "move_places"]]),
    "tuples": (lambda: X[ROWS, ROWS], [["resolve"], ["resolve"], ["move_places"]]),
    "mask": (lambda: X[MASK], [["count_true"], ["find_true", "take"]]),
    "mask that is written through": (
        lambda: SUMS.masked_scatter_(MASK, X.reshape(-1)),
        [["count_true"], ["find_true", "put"]],
    ),
    "argwhere": (lambda: strided.argwhere(X), [["count_true"], ["find_true", "write_positions"]]),
}


@pytest.mark.parametrize("name", LOOPS)
def test_inner_loops(name: str) -> None:
    run, wanted = LOOPS[name]
    if strided._native.active_isa() == "baseline":
        wanted = BASELINE.get(name, wanted)
    named = [
        [loop.split(",")[0].split(": ") for loop in one.loops]
        for one in strided.plan(run).passes
        if one.operation not in ("multiply", "copy")
    ]
    assert [[function for _, function in loops] for loops in named] == wanted
    for file, function in chain(*named):
        folder = (CORE / file).parent
        assert (CORE / file).exists()
        headers = [(CORE / file), *folder.glob("*.hpp")]
        assert any(
            f" {function}(" in header.read_text() or f"::{function}(" in header.read_text()
            for header in headers
        ), (file, function)


def test_rows_that_do_not_fit_a_cache_are_streamed() -> None:
    x = strided.zeros(100, 1 << 18)
    plan = strided.plan(lambda: x[ROWS]).passes[-1]
    assert plan.streams
    assert plan.loops[-1] == "kernels/index/move_loops.hpp: stream_packed_rows"
