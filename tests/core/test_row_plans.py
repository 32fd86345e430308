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
    "rms_norm": (lambda: nn.rms_norm(rows(5, 8), 8), "rms_norm", [(5, "map"), (8, "row")]),
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


SOFTMAX = ["model[float32].largest", "model[float32].exp_shifted", "model[float32].scale"]
CASTS = ["cast[bfloat16][float32]", "cast[float32][bfloat16]"]


def narrow(*shape: int) -> strided.Tensor:
    return strided.rand(*shape).to(strided.bfloat16)


def gradient_of(run: Callable[[strided.Tensor], strided.Tensor], *shape: int) -> Callable[[], None]:
    x = strided.rand(*shape, requires_grad=True)
    y = run(x)
    return (y * y).sum().backward  # a gradient of its own for every element


# What runs, the operation, and the cells of the loop table or functions that its plan names.
LOOPS: dict[str, tuple[Callable[[], object], str, list[str]]] = {
    "softmax": (lambda: nn.softmax(rows(2, 40), -1), "softmax", SOFTMAX),
    "softmax-narrow": (lambda: nn.softmax(narrow(2, 40), -1), "softmax", SOFTMAX + CASTS),
    "softmax-across": (
        lambda: nn.softmax(rows(3, 40), 0),
        "softmax",
        [f"elementwise[{op}][float32]" for op in ("maximum", "subtract", "exp", "add")]
        + ["elementwise[reciprocal][float32]", "elementwise[multiply][float32]"],
    ),
    "log_softmax": (
        lambda: nn.log_softmax(rows(2, 40), -1),
        "log_softmax",
        [*SOFTMAX[:2], "model[float32].subtract_twice"],
    ),
    "rms_norm": (
        lambda: nn.rms_norm(narrow(5, 8), 8),
        "rms_norm",
        ["norms[float32].squares", "model[float32].scale", *CASTS],
    ),
    "layer_norm": (
        lambda: nn.layer_norm(rows(5, 8).to(strided.float64), (8,)),
        "layer_norm",
        ["norms[float64].sum", "norms[float64].squares", "norms[float64].normalise"],
    ),
    "swiglu": (
        lambda: nn.swiglu(rows(5, 8), rows(5, 8)),
        "swiglu",
        ["elementwise[silu][float32]", "elementwise[multiply][float32]"],
    ),
    "rope": (
        lambda: nn.rope(narrow(5, 3, 8), rows(5, 4), rows(5, 4)),
        "rope",
        ["model[float32].rotate", *CASTS],
    ),
    "rope-pairs": (
        lambda: nn.rope(rows(5, 3, 8), rows(5, 4), rows(5, 4), interleaved=True),
        "rope",
        ["model[float32].rotate_pairs"],
    ),
    "cross_entropy": (
        lambda: nn.cross_entropy(rows(5, 8), strided.arange(5)),
        "cross_entropy",
        SOFTMAX[:2],
    ),
    "batch_norm": (
        lambda: nn.batch_norm(rows(4, 16, 3, 5), None, None, training=True),
        "batch_norm",
        ["norms[float32].sum", "norms[float32].squares", "norms[float32].shift_scale"],
    ),
    "batch_norm-across": (
        lambda: nn.batch_norm(rows(20, 16), None, None, training=True),
        "batch_norm",
        ["columns[float32].add", "columns[float32].add_squares", "columns[float32].normalise"],
    ),
    "max_pool2d": (
        lambda: nn.max_pool2d(rows(2, 3, 8, 6), 2),
        "max_pool2d",
        ["kernels/nn/max_pool.cpp: pool_inside"],
    ),
    "max_pool2d-padded": (
        lambda: nn.max_pool2d(rows(2, 3, 8, 6), 3, 1, 1),
        "max_pool2d",
        ["kernels/nn/max_pool.cpp: take_larger"],
    ),
    "attention": (
        lambda: nn.scaled_dot_product_attention(rows(4, 30, 8), *[rows(4, 20, 8)] * 2),
        "attention",
        [*SOFTMAX, "products.tiles[float32]"],
    ),
    "attention-few": (
        lambda: nn.scaled_dot_product_attention(narrow(4, 1, 8), *[narrow(4, 20, 8)] * 2),
        "attention",
        [*SOFTMAX, CASTS[0], "score[bfloat16]", "weigh[bfloat16]", CASTS[1]],
    ),
    "attention-few-converted": (
        lambda: nn.scaled_dot_product_attention(
            rows(4, 1, 8), rows(4, 20, 8), rows(4, 8, 20).transpose(-1, -2)
        ),
        "attention",
        [*SOFTMAX, "cast[float32][float32]", "score[float32]", "weigh[float32]"],
    ),
    "attention-masked": (
        lambda: nn.scaled_dot_product_attention(
            rows(4, 1, 8), *[rows(4, 20, 8)] * 2, attn_mask=rows(1, 20) > 0.5
        ),
        "attention",
        [
            *SOFTMAX,
            "elementwise[add][float32]",
            "cast[bool][float32]",
            "elementwise[log][float32]",
            "score[float32]",
            "weigh[float32]",
        ],
    ),
    "embedding": (
        lambda: nn.embedding(strided.arange(3), rows(4, 5), dtype=strided.float64),
        "embedding",
        ["cast[float32][float64]"],
    ),
    "softmax backward": (
        gradient_of(lambda x: nn.softmax(x, -1), 2, 40),
        "softmax backward",
        ["norms[float32].dot", "norms[float32].softmax_gradient"],
    ),
    "softmax backward-across": (
        gradient_of(lambda x: nn.softmax(x, 0), 3, 40),
        "softmax backward",
        ["columns[float32].add_products", "columns[float32].softmax_gradient"],
    ),
    "log_softmax backward": (
        gradient_of(lambda x: nn.log_softmax(x, -1), 2, 40),
        "log_softmax backward",
        ["norms[float32].sum", "model[float32].log_softmax_gradient"],
    ),
    "layer_norm backward": (
        gradient_of(lambda x: nn.layer_norm(x, (8,)), 5, 8),
        "layer_norm backward",
        [f"norms[float32].{loop}" for loop in ("sum", "squares", "gradient_sums", "gradient")],
    ),
    "batch_norm backward": (
        gradient_of(lambda x: nn.batch_norm(x, None, None, training=True), 4, 16, 3, 5),
        "batch_norm backward",
        ["norms[float32].gradient_sums", "norms[float32].gradient"],
    ),
    "batch_norm backward-across": (
        gradient_of(lambda x: nn.batch_norm(x, None, None, training=True), 20, 16),
        "batch_norm backward",
        ["columns[float32].add_gradient_sums", "columns[float32].gradient"],
    ),
    "cross_entropy backward": (
        gradient_of(lambda x: nn.cross_entropy(x, strided.arange(5)), 5, 8),
        "cross_entropy backward",
        ["model[float32].exp_shifted", "norms[float32].normalise"],
    ),
    "max_pool2d backward": (
        gradient_of(lambda x: nn.max_pool2d(x, 2), 2, 3, 8, 6),
        "max_pool2d backward",
        ["kernels/nn/max_pool.cpp: scatter_image"],
    ),
    "attention backward": (
        gradient_of(lambda x: nn.scaled_dot_product_attention(x, x, x), 4, 20, 8),
        "attention backward",
        [
            *SOFTMAX,
            "products.tiles[float32]",
            "norms[float32].dot",
            "norms[float32].softmax_gradient",
        ],
    ),
}


def cell_of(loop: str) -> str:
    """The cell of "file: function, cell (level)"; the text itself where there is none."""
    _, found, cell = loop.partition(", ")
    return cell.rpartition(" (")[0].partition(".tile[")[0] if found else loop


@pytest.mark.parametrize("name", LOOPS)
def test_inner_loops_are_named(name: str):
    run, operation, cells = LOOPS[name]
    passes = [one for one in strided.plan(run).passes if one.operation == operation]
    assert len(passes) == 1
    assert sorted(map(cell_of, passes[0].loops)) == sorted(cells)
    assert all(loop.startswith("kernels/") for loop in passes[0].loops)


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
