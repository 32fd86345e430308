"""The plans of products, eliminations and steps of optimisers name the loops that run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import strided
from strided import nn
from strided.optim import SGD, Adam
from strided.quantized import exact_quantized, quantize, random_blocks

TILE = "kernels/matmul/tile.isa.cpp: tile"
PACK_DOWN = "kernels/matmul/tile.isa.cpp: pack_down"
PACK_ALONG = "kernels/matmul/tile.isa.cpp: pack_along"
ALONG = "kernels/matmul/matvec.isa.cpp: along"
DOWN = "kernels/matmul/matvec.isa.cpp: down"
CAST = "kernels/convert/cast.isa.cpp: unary_loop"
COPY = "kernels/copy/copy.cpp: copy"
TWO_TERMS = "kernels/elementwise/real.isa.cpp: binary_loop"
TO_BLOCKS = "kernels/quantized/dequantize.isa.cpp: quantize"
FROM_BLOCKS = "kernels/quantized/dequantize.isa.cpp: dequantize"
ELIMINATE = "kernels/linalg/elimination.cpp: eliminate"
SUBSTITUTE = "kernels/linalg/elimination.cpp: substitute"


def rand(*shape: int) -> strided.Tensor:
    return strided.rand(*shape)


def complex_rand(*shape: int) -> strided.Tensor:
    return strided.rand(*shape).to(strided.complex64)


def loops_of(function: Callable[[], object], operation: str) -> list[str]:
    """The file and the function of each loop, without the cell of the table and the level."""
    passes = [one for one in strided.plan(function).passes if one.operation == operation]
    assert len(passes) == 1
    return [loop.split(",")[0] for loop in passes[0].loops]


def steps_of(make: Callable[[list[strided.Tensor]], SGD | Adam]) -> Callable[[], object]:
    x = rand(20).requires_grad_()
    optimiser = make([x])
    (x * x).sum().backward()
    return optimiser.step


CASES: dict[str, tuple[Callable[[], object], str, list[str]]] = {
    "small": (lambda: rand(16, 16) @ rand(16, 16), "matmul", [TILE]),
    "right-packed": (lambda: rand(300, 400) @ rand(400, 500), "matmul", [TILE, PACK_DOWN]),
    "both-packed": (
        lambda: rand(700, 600).T @ rand(500, 700).T,
        "matmul",
        [TILE, PACK_DOWN, PACK_ALONG],
    ),
    "converted": (
        lambda: rand(700, 600).T @ rand(700, 500).to(strided.float64),
        "matmul",
        [TILE, CAST, PACK_DOWN],
    ),
    "complex": (
        lambda: complex_rand(30, 40) @ complex_rand(40, 50),
        "matmul",
        [TILE, *[PACK_ALONG] * 2, *[PACK_DOWN] * 2, COPY],
    ),
    "rows-by-vector": (lambda: rand(30, 40) @ rand(40), "matmul", [ALONG]),
    "columns-by-vector": (lambda: rand(40, 30).T @ rand(40), "matmul", [DOWN]),
    "dot": (lambda: rand(40) @ rand(40), "matmul", [ALONG]),
    "bools-by-vector": (
        lambda: strided.ones(30, 40, dtype=strided.bool) @ rand(40),
        "matmul",
        [ALONG, CAST],
    ),
    "complex-by-vector": (
        lambda: complex_rand(30, 40) @ complex_rand(40),
        "matmul",
        [ALONG, "kernels/matmul/complex_matvec.cpp: add_along"],
    ),
    "sums-down-columns": (
        lambda: strided.einsum("ij,ij->j", rand(30, 40), rand(30, 40)),
        "contract",
        [TWO_TERMS, TWO_TERMS, CAST],
    ),
    "convolution": (
        lambda: nn.conv2d(rand(1, 3, 16, 16), rand(4, 3, 3, 3)),
        "contract",
        [TILE, "kernels/matmul/pack_scattered.isa.cpp: pack_scattered"],
    ),
    "scattered": (
        lambda: strided.einsum(
            "abcd,bedf->acef", rand(64, 32, 16, 8)[:, ::2], rand(32, 8, 8, 4)[::2]
        ),
        "contract",
        [
            "kernels/matmul/tile.isa.cpp: tile_listed",
            "kernels/matmul/pack_scattered.isa.cpp: pack_scattered",
        ],
    ),
    "linear": (lambda: nn.linear(rand(1, 40), rand(30, 40)), "linear", [ALONG]),
    "quantised-product": (
        lambda: nn.linear(rand(1, 512), random_blocks("Q4_K", 64, 512, 1.0, 1)),
        "quantized product",
        [TO_BLOCKS, "kernels/quantized/quantized_product.isa.cpp: rows", CAST],
    ),
    "dequantise": (
        lambda: random_blocks("Q4_0", 8, 64, 1.0, 1).dequantize(),
        "dequantize",
        [FROM_BLOCKS],
    ),
    "dequantise-to-float64": (
        lambda: random_blocks("Q4_0", 8, 64, 1.0, 1).dequantize(strided.float64),
        "dequantize",
        [FROM_BLOCKS, CAST],
    ),
    "quantise": (
        lambda: quantize(rand(4, 64), "Q4_0"),
        "quantize",
        [CAST, "kernels/quantized/quantize.cpp: quantize_block"],
    ),
    "random-blocks": (
        lambda: random_blocks("Q4_0", 4, 64, 1.0, 1),
        "random_blocks",
        ["kernels/quantized/quantize.cpp: finish_block"],
    ),
    "inverse": (lambda: strided.linalg.inv(strided.eye(3)), "solve", [ELIMINATE, SUBSTITUTE]),
    "determinant": (
        lambda: strided.linalg.det(strided.eye(3)),
        "det",
        [ELIMINATE, "kernels/linalg/elimination.cpp: determinant"],
    ),
    "log-determinant": (
        lambda: strided.linalg.slogdet(strided.eye(3)),
        "slogdet",
        [ELIMINATE, "kernels/linalg/elimination.cpp: log_determinant"],
    ),
    "adam": (steps_of(Adam), "adam_step", ["kernels/optim/adam.isa.cpp: adam"]),
    "sgd": (steps_of(lambda xs: SGD(xs, lr=0.1)), "sgd_step", ["kernels/optim/sgd.isa.cpp: sgd"]),
}


@pytest.mark.parametrize("name", CASES)
def test_the_inner_loops_are_named(name: str) -> None:
    run, operation, loops = CASES[name]
    assert loops_of(run, operation) == loops


def test_a_product_of_bfloat16_names_the_loop_of_the_processor() -> None:
    x = rand(300, 400).to(strided.bfloat16)
    tile = loops_of(lambda: x @ x.T, "matmul")[0]
    assert tile in (TILE, "kernels/matmul/tile_bf16.isa.cpp: pair_tile")


def test_many_vectors_use_tiles_of_bytes_where_the_processor_has_them() -> None:
    x, blocks = rand(64, 512), random_blocks("Q4_K", 64, 512, 1.0, 1)
    one = strided.plan(nn.linear, x, blocks).passes[-1]
    has_tiles = "tiles of bytes" in one.tiles
    product = "quantized_tiles.isa.cpp: tile" if has_tiles else "quantized_product.isa.cpp: rows"
    assert any(product in loop for loop in one.loops)
    assert [(axis.length, axis.role) for axis in one.axes] == [
        (64, "row"),
        (64, "column"),
        (2, "inner"),
    ]


def test_exact_products_name_what_makes_the_numbers() -> None:
    x, blocks = rand(2, 512), random_blocks("Q4_K", 64, 512, 1.0, 1)
    with exact_quantized():
        loops = loops_of(lambda: nn.linear(x, blocks), "quantized product")
    assert loops == [FROM_BLOCKS, "kernels/matmul/product_plan.cpp: run", CAST]


def test_steps_over_strided_parameters_say_their_blocks() -> None:
    velocity, p = strided.zeros(40)[::2], strided.ones(40)[::2]
    step = strided._native.sgd_step
    one = strided.plan(
        lambda: step(p, strided.ones(20), velocity, -0.1, 0.0, 0.9, 1.0, False, False)
    ).passes[-1]
    assert one.tiles == "blocks of 20 elements, made contiguous"
    assert [loop.split(",")[0] for loop in one.loops] == ["kernels/optim/sgd.isa.cpp: sgd", CAST]


def test_threads_share_the_rows_of_a_large_product() -> None:
    a = rand(512, 512)
    before = strided.get_num_threads()
    try:
        strided.set_num_threads(3)
        one = strided.plan(lambda: a @ a).passes[0]
    finally:
        strided.set_num_threads(before)
    assert one.chunks > 1
    assert "steps of" in one.tiles
