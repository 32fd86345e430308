"""The plans of operations along lines (scans, softmax, norms, attention), as they are recorded."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import strided
from strided import nn


def rows(*shape: int) -> strided.Tensor:
    return strided.rand(*shape)


CASES: dict[str, tuple[Callable[[], object], str, list[tuple[int, str]]]] = {
    "cumsum-along": (lambda: rows(6, 40).cumsum(1), "cumsum", [(6, "map"), (40, "scan")]),
    "cumsum-across": (lambda: rows(6, 40).cumsum(0), "cumsum", [(40, "column"), (6, "scan")]),
    "cumprod-flat": (lambda: rows(50).cumprod(0), "cumprod", [(50, "scan")]),
    "softmax": (lambda: nn.softmax(rows(2, 3, 40), -1), "softmax", [(6, "map"), (40, "row")]),
    "softmax-across": (
        lambda: nn.log_softmax(rows(2, 3, 40), 1),
        "log_softmax",
        [(2, "map"), (40, "column"), (3, "row")],
    ),
    "rms_norm": (lambda: nn.rms_norm(rows(5, 8)), "rms_norm", [(5, "map"), (8, "row")]),
    "layer_norm": (lambda: nn.layer_norm(rows(5, 8), (8,)), "layer_norm", [(5, "map"), (8, "row")]),
    "swiglu": (lambda: nn.swiglu(rows(5, 8), rows(5, 8)), "swiglu", [(40, "map")]),
    "rope": (
        lambda: nn.rope(rows(5, 3, 8), rows(5, 4), rows(5, 4)),
        "rope",
        [(5, "map"), (3, "map"), (8, "row")],
    ),
    "rope-rows": (
        lambda: nn.rope(
            rows(2, 3, 8), rows(2, 4), rows(2, 4), out=rows(9, 3, 8), rows=strided.tensor([7, 1])
        ),
        "rope",
        [(2, "pick"), (3, "map"), (8, "row")],
    ),
    "cross_entropy": (
        lambda: nn.cross_entropy(rows(5, 8), strided.arange(5)),
        "cross_entropy",
        [(5, "map"), (8, "row")],
    ),
    "batch_norm": (
        lambda: nn.batch_norm(rows(4, 16, 3, 5), None, None, training=True),
        "batch_norm",
        [(16, "map"), (4, "fold"), (15, "row")],
    ),
    "batch_norm-across": (
        lambda: nn.batch_norm(rows(20, 16), None, None, training=True),
        "batch_norm",
        [(20, "fold"), (16, "row")],
    ),
    "max_pool2d": (
        lambda: nn.max_pool2d(rows(2, 3, 8, 6), 2),
        "max_pool2d",
        [(2, "map"), (3, "map"), (4, "row"), (3, "row")],
    ),
    "attention": (
        lambda: nn.scaled_dot_product_attention(rows(2, 4, 30, 8), *[rows(2, 4, 20, 8)] * 2),
        "attention",
        [(2, "map"), (4, "map"), (1, "row"), (30, "row"), (20, "inner")],
    ),
    "attention-few": (
        lambda: nn.scaled_dot_product_attention(rows(1, 4, 1, 8), *[rows(1, 4, 20, 8)] * 2),
        "attention",
        [(1, "map"), (4, "map"), (1, "row"), (1, "row"), (20, "inner")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_axes_and_roles_are_recorded(name: str):
    run, operation, axes = CASES[name]
    passes = [one for one in strided.plan(run).passes if one.operation == operation]
    assert len(passes) == 1
    assert [(axis.length, axis.role) for axis in passes[0].axes] == axes


def test_steps_are_those_of_the_operands():
    x = strided.rand(6, 40).T
    scanned = strided.plan(lambda: x.cumsum(0)).passes[0]
    assert [axis.steps for axis in scanned.axes] == [(4, 160), (24, 4)]


@pytest.mark.parametrize(
    ("dtype", "name", "axis", "loops"),
    [
        ("float32", "cumsum", 1, ["scan.isa.cpp: scan_along"]),
        ("float32", "cumprod", 0, ["scan.isa.cpp: scan_across"]),
        ("float16", "cumsum", 1, ["cast.isa.cpp", "scan.isa.cpp: scan_along", "cast.isa.cpp"]),
        ("complex128", "cumsum", 1, ["scan.cpp: complex_along"]),
        ("complex128", "cumprod", 0, ["scan.cpp: complex_across"]),
        ("int64", "cummax", 1, ["running_extreme.cpp: extreme_along"]),
        ("bfloat16", "cummin", 0, ["running_extreme.cpp: extreme_across"]),
    ],
)
def test_the_loops_of_scans_are_named(dtype: str, name: str, axis: int, loops: list[str]) -> None:
    x = strided.ones((20, 40), dtype=getattr(strided, dtype))
    (one,) = strided.plan(lambda: getattr(x, name)(axis)).passes
    folders = {"cast.isa.cpp": "kernels/convert/"}
    expected = [folders.get(loop, "kernels/scan/") + loop for loop in loops]
    assert len(one.loops) == len(expected)
    for loop, start in zip(one.loops, expected, strict=True):
        assert loop.startswith(start)


def test_backward_passes_are_recorded():
    x = strided.rand(2, 2, 20, 8, requires_grad=True)
    y = nn.scaled_dot_product_attention(nn.softmax(x, -1), x, x).sum()
    operations = [one.operation for one in strided.plan(y.backward).passes]
    assert "softmax backward" in operations
    assert "attention backward" in operations


def test_long_lines_are_cut_into_chunks():
    threads = strided.get_num_threads()
    strided.set_num_threads(2)
    try:
        assert strided.plan(lambda: strided.ones(1 << 20).cumsum(0)).passes[-1].chunks == 32
    finally:
        strided.set_num_threads(threads)
