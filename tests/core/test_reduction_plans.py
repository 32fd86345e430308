"""What reductions say about the plans they run, against plans worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import strided

SUM_OF_COLUMNS = [(2048, "fold", (8192, 0)), (2048, "map", (4, 4))]


def passes_of(function: Callable[..., Any], *args: Any) -> list[tuple[Any, ...]]:
    plan = strided.plan(function, *args)
    return [
        (one.operation, [(axis.length, axis.role, axis.steps) for axis in one.axes], one.tiles)
        for one in plan.passes
    ]


@pytest.mark.parametrize(
    ("name", "axes", "cut"),
    [
        ("sum", [(4194304, "fold", (4, 0))], "32 chunks of 131072 along axis 0"),
        ("columns", SUM_OF_COLUMNS, "8 chunks of 256 along axis 0"),
        ("rows", [(2048, "map", (8192, 4)), (2048, "fold", (4, 0))], "32 blocks of 64 results"),
        ("transposed", SUM_OF_COLUMNS, "8 chunks of 256 along axis 0"),
        (
            "backwards",
            [(2048, "fold", (8192, 0)), (2048, "map", (4, -4))],
            "8 chunks of 256 along axis 0",
        ),
    ],
)
def test_sums(name: str, axes: list[Any], cut: str) -> None:
    x = strided.zeros(2048, 2048)
    functions = {
        "sum": lambda: x.sum(),
        "columns": lambda: x.sum(0),
        "rows": lambda: x.sum(1),
        "transposed": lambda: x.T.sum(1),
        "backwards": lambda: x.flip(1).sum(0),
    }
    assert passes_of(functions[name]) == [("sum", axes, cut)]


@pytest.mark.parametrize(
    "name",
    [
        "sum",
        "mean",
        "prod",
        "min",
        "max",
        "any",
        "all",
        "argmin",
        "argmax",
        "var",
        "std",
        "logsumexp",
    ],
)
def test_operations_have_names(name: str) -> None:
    x = strided.ones(3, 4)
    method = {"min": "amin", "max": "amax"}.get(name, name)
    recorded = passes_of(lambda: getattr(x, method)(1))
    bytes_out = {"any": 1, "all": 1, "argmin": 8, "argmax": 8}.get(name, 4)
    assert recorded == [(name, [(3, "map", (16, bytes_out)), (4, "fold", (4, 0))], "")]


def test_other_operations_have_names() -> None:
    x = strided.ones(3, 4)
    for name, function in {
        "count_nonzero": lambda: x.count_nonzero(),
        "norm": lambda: x.norm(),
        "aminmax": lambda: x.aminmax(),
        "nansum": lambda: x.nansum(),
    }.items():
        assert passes_of(function) == [(name, [(12, "fold", (4, 0))], "")]


def test_chunks_for_threads() -> None:
    x = strided.zeros(2048, 2048)
    before = strided.get_num_threads()
    try:
        for threads in (1, 3):
            strided.set_num_threads(threads)
            one = strided.plan(lambda: x.sum()).passes[0]
            # How the sum is cut does not depend on who works on it.
            assert one.tiles == "32 chunks of 131072 along axis 0"
            assert (one.chunks == 1) == (threads == 1)
    finally:
        strided.set_num_threads(before)


X = strided.ones(30, 40)
COMPLEX = X.to(strided.complex64)
LOOPS: dict[str, tuple[Callable[[], object], list[str]]] = {
    "rows": (lambda: X.sum(1), ["fold.isa.cpp: fold_along"]),
    "columns": (lambda: X.sum(0), ["fold.isa.cpp: fold_across"]),
    "converted": (
        lambda: X.to(strided.int32).mean(1),
        ["../convert/cast.isa.cpp: unary_loop", "fold.isa.cpp: fold_along"],
    ),
    "complex prod": (
        lambda: COMPLEX.prod(0),
        ["../convert/cast.isa.cpp: unary_loop", "reduce.cpp: multiply_across"],
    ),
    "var": (lambda: X.var(1), ["fold.isa.cpp: fold_along", "moments.isa.cpp: moments_along"]),
    "argmax of rows": (
        lambda: X.argmax(1),
        ["fold.isa.cpp: fold_along", "argminmax.isa.cpp: column_along"],
    ),
    "argmax of columns": (lambda: X.argmax(0), ["argminmax.isa.cpp: position_across"]),
    "logsumexp": (
        lambda: X.logsumexp(1),
        ["fold.isa.cpp: fold_along", "moments.isa.cpp: exp_along", "fold.isa.cpp: fold_along"],
    ),
    "aminmax": (lambda: X.aminmax(), ["fold.isa.cpp: fold_along"]),
    "any": (lambda: X.any(), ["fold.isa.cpp: fold_along"]),
    "norm": (lambda: X.norm(), ["fold.isa.cpp: fold_along"]),
    "norm of order 3": (
        lambda: X.norm(3, dim=0),
        [
            "../convert/cast.isa.cpp: unary_loop",
            "norm.cpp: take_powers",
            "fold.isa.cpp: fold_across",
        ],
    ),
    "nansum": (lambda: X.nansum(), ["fold.isa.cpp: fold_along"]),
    "nanmax": (
        lambda: strided.nanmax(X, axis=1),
        ["nan_reduce.cpp: replace", "fold.isa.cpp: fold_along"],
    ),
}


@pytest.mark.parametrize("name", LOOPS)
def test_the_inner_loops_are_named(name: str) -> None:
    run, wanted = LOOPS[name]
    reduced = next(one for one in strided.plan(run).passes if "fold" in [a.role for a in one.axes])
    names = [loop.split(",")[0] for loop in reduced.loops]
    # Beside each other in one folder, or in another one.
    expected = [("kernels/reduce/" + loop).replace("reduce/../", "") for loop in wanted]
    assert names == expected
