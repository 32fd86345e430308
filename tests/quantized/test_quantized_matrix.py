"""Quantised matrices: their numbers, views of rows, where they come from, what is refused."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.paths import GOLDEN
from support.quantized_model import KINDS, SIZES, random_matrix

import strided
from strided import QuantizedMatrix, quantize, random_blocks

RECORDED = GOLDEN / "quantized.json"
FLOATS = (strided.float32, strided.float16, strided.bfloat16, strided.float64)


def golden() -> dict[str, Any]:
    return json.loads(RECORDED.read_text())["kinds"]


# ---- numbers ----


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_those_of_the_format(kind: str) -> None:
    """The golden file was written by tools/record_quantized.py from the gguf package."""
    row = golden()[kind]
    blocks = np.frombuffer(bytes.fromhex(row["blocks"]), np.uint8)
    wanted = np.frombuffer(bytes.fromhex(row["numbers"]), np.float32)
    matrix = QuantizedMatrix(kind, strided.from_numpy(blocks.reshape(1, -1)))
    assert matrix.shape == (1, wanted.size)
    assert np.array_equal(matrix.dequantize().numpy()[0], wanted)


@pytest.mark.peers
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_are_those_of_gguf(kind: str) -> None:
    quants = pytest.importorskip("gguf.quants", reason="needs the package gguf")
    from gguf import GGMLQuantizationType

    matrix = random_matrix(kind, 37, 768, seed=3)
    wanted = quants.dequantize(matrix.blocks.numpy(), GGMLQuantizationType[kind])
    assert np.array_equal(matrix.dequantize().numpy(), wanted)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_numbers_in_every_float_dtype(kind: str, dtype: strided.DType) -> None:
    matrix = random_matrix(kind, 5, 256 * 9, seed=1)
    wanted = matrix.dequantize().to(dtype)
    assert strided.array_equal(matrix.dequantize(dtype), wanted)
    index = strided.tensor([[4, 0], [-1, 4]])
    assert strided.array_equal(matrix.rows(index, dtype), wanted[index])


def test_numbers_of_extreme_scales() -> None:
    """Scales in a file may be anything: infinities and NaN come through, nothing breaks."""
    blocks = np.zeros((4, 34), np.uint8)
    blocks[:, 2:] = 1
    scales = np.array([np.inf, np.nan, 6e-8, 65504], np.float16)
    blocks[:, :2] = scales.view(np.uint8).reshape(4, 2)
    matrix = QuantizedMatrix("Q8_0", strided.from_numpy(blocks))
    for dtype in FLOATS:
        got = matrix.dequantize(dtype).to(strided.float64).numpy()[:, 0]
        wanted = strided.from_numpy(scales).to(dtype).to(strided.float64).numpy()
        assert np.array_equal(got, wanted, equal_nan=True), dtype


# ---- views ----

VIEWS = [
    slice(None),
    slice(3, 9),
    slice(1, None, 3),
    slice(None, None, -1),
    slice(8, 2, -2),
    slice(4, 4),
]


@pytest.mark.parametrize("view", VIEWS, ids=str)
@pytest.mark.parametrize("kind", ["Q8_0", "Q4_K"])
def test_rows_are_views(kind: str, view: slice) -> None:
    matrix = random_matrix(kind, 11, 512)
    with strided.no_copies(implicit_only=False):
        part = matrix[view]
        numbers = part.dequantize()
    assert part.kind == kind
    assert len(part) == part.shape[0] == len(range(11)[view])
    assert part.blocks.storage() == matrix.blocks.storage()
    assert np.array_equal(numbers.numpy(), matrix.dequantize().numpy()[view])
    assert part.nbytes == part.shape[0] * matrix.nbytes // 11


def test_views_of_a_mapped_file(tmp_path: Path) -> None:
    matrix = random_matrix("Q6_K", 8, 512)
    path = tmp_path / "blocks"
    path.write_bytes(b"head" + matrix.blocks.numpy().tobytes())
    mapped = strided.memory_map(path, dtype=strided.uint8, mode="r")[4:].view(8, -1)
    found = QuantizedMatrix("Q6_K", mapped)
    assert np.array_equal(found[::-2].dequantize().numpy(), matrix.dequantize().numpy()[::-2])
    out = strided.empty(1, 4)
    strided.quantized.product_into(out, strided.ones(1, 512), found[::-2])
    again = strided.quantized.product_into(strided.empty(1, 4), strided.ones(1, 512), matrix[::-2])
    assert strided.array_equal(out, again)


def test_text_says_what_it_is_not() -> None:
    text = repr(random_matrix("Q4_0", 2, 64))
    assert "Q4_0" in text
    assert "(2, 64)" in text
    assert "72 bytes" in text
    assert "dequantize()" in text


def test_pickle_keeps_blocks() -> None:
    matrix = random_matrix("Q5_1", 3, 64)
    again = pickle.loads(pickle.dumps(matrix))
    assert again.kind == "Q5_1"
    assert strided.array_equal(again.blocks, matrix.blocks)


# ---- sources ----


@pytest.mark.peers
@pytest.mark.parametrize("kind", ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"])
def test_quantize_as_gguf_does(kind: str) -> None:
    quants = pytest.importorskip("gguf.quants", reason="needs the package gguf")
    from gguf import GGMLQuantizationType

    x = np.random.default_rng(5).normal(0, 1, (20, 128)).astype(np.float32)
    x[3] = 0
    x[4, 5] = 40
    wanted = quants.quantize(x, GGMLQuantizationType[kind])
    assert np.array_equal(quantize(strided.from_numpy(x), kind).blocks.numpy(), wanted)


@pytest.mark.parametrize(
    ("kind", "bits"), [("Q8_0", 8), ("Q4_0", 4), ("Q4_1", 4), ("Q5_0", 5), ("Q5_1", 5)]
)
def test_quantized_numbers_are_near(kind: str, bits: int) -> None:
    x = strided.from_numpy(np.random.default_rng(6).normal(0, 1, (96, 40))).T[:, ::3]
    matrix = quantize(x, kind)
    assert matrix.shape == (40, 32)
    error = (matrix.dequantize(strided.float64) - x).abs().max(1).values
    assert (error <= 1.02 * x.abs().max(1).values * 2 / 2**bits).all().item()


def test_quantize_survives_what_is_no_number() -> None:
    x = strided.full((5, 32), float("nan"))
    x[1:, 3] = float("inf")
    x[2:, 0] = -1e38
    for kind in ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1"):
        assert quantize(x, kind).shape == (5, 32)


@pytest.mark.parametrize("kind", KINDS)
def test_random_blocks_are_plausible(kind: str) -> None:
    matrix = random_blocks(kind, 300, 1024, 0.05, seed=7)
    numbers = matrix.dequantize(strided.float64)
    assert abs(numbers.std().item() - 0.05) < 0.0015
    assert abs(numbers.mean().item()) < 0.0005
    assert numbers.abs().max().item() < 0.25
    again = random_blocks(kind, 300, 1024, 0.05, seed=7)
    assert strided.array_equal(again.blocks, matrix.blocks)
    other = random_blocks(kind, 300, 1024, 0.05, seed=8)
    assert (other.blocks != matrix.blocks).to(strided.float32).mean().item() > 0.5


# ---- refusals ----

Refused = tuple[type[strided.StridedError], Any]
REFUSED: dict[str, Refused] = {
    "an unknown kind": (strided.InvalidArgument, lambda: QuantizedMatrix("Q3_K", zeros(2, 110))),
    "a kind that is no name": (strided.InvalidArgument, lambda: QuantizedMatrix(8, zeros(2, 34))),  # type: ignore[arg-type]
    "half a block": (strided.InvalidArgument, lambda: QuantizedMatrix("Q8_0", zeros(2, 33))),
    "one axis": (strided.InvalidArgument, lambda: QuantizedMatrix("Q8_0", zeros(34))),
    "three axes": (strided.InvalidArgument, lambda: QuantizedMatrix("Q8_0", zeros(1, 2, 34))),
    "a step along rows": (
        strided.InvalidArgument,
        lambda: QuantizedMatrix("Q8_0", zeros(2, 68)[:, ::2]),
    ),
    "floats as blocks": (
        strided.DTypeMismatch,
        lambda: QuantizedMatrix("Q8_0", strided.zeros(2, 34)),
    ),
    "a single number": (strided.UnsupportedOperation, lambda: some()[0]),
    "a column": (strided.UnsupportedOperation, lambda: some()[:, 0]),
    "arithmetic": (strided.UnsupportedOperation, lambda: some() + 1),
    "an operator": (strided.UnsupportedOperation, lambda: strided.ones(1, 64) @ some()),
    "NumPy": (strided.UnsupportedOperation, lambda: np.asarray(some())),
    "integers for numbers": (strided.DTypeMismatch, lambda: some().dequantize(strided.int8)),
    "a row too far": (strided.IndexOutOfBounds, lambda: some().rows(strided.tensor([0, 4]))),
    "rows by floats": (strided.DTypeMismatch, lambda: some().rows(strided.ones(2))),
    "quantising integers": (strided.DTypeMismatch, lambda: quantize(zeros(2, 32), "Q8_0")),
    "quantising 33 columns": (strided.ShapeMismatch, lambda: quantize(strided.ones(2, 33), "Q8_0")),
    "quantising to K": (strided.InvalidArgument, lambda: quantize(strided.ones(2, 256), "Q4_K")),
    "random columns": (strided.InvalidArgument, lambda: random_blocks("Q4_K", 2, 300, 1.0, 0)),
    "random rows": (strided.InvalidArgument, lambda: random_blocks("Q4_0", -2, 32, 1.0, 0)),
    "random scale": (strided.InvalidArgument, lambda: random_blocks("Q4_0", 2, 32, np.nan, 0)),
    "random size": (strided.StridedError, lambda: random_blocks("Q8_0", 2**40, 2**40, 1.0, 0)),
}


def zeros(*shape: int) -> strided.Tensor:
    return strided.zeros(*shape, dtype=strided.uint8)


def some() -> QuantizedMatrix:
    return random_matrix("Q8_0", 4, 64)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    error, call = REFUSED[name]
    with pytest.raises(error):
        call()


def test_sizes_of_the_formats() -> None:
    from strided.quantized.matrix import FORMATS

    assert {name: (row.numbers, row.nbytes) for name, row in FORMATS.items()} == SIZES
