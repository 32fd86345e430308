"""Products with quantised matrices: against float64, for all kinds, counts, layouts and threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from support.instruction_sets import WISHES
from support.paths import TESTS
from support.quantized_answers import FLOATS, activations
from support.quantized_model import KINDS, SIZES, product, random_matrix

import strided
from strided.quantized import product_into


def check(got: Any, matrix: strided.QuantizedMatrix, x: Any, exact: bool, bound: float) -> None:
    wanted, size = product(matrix, x, exact)
    assert got.shape == wanted.shape
    assert (np.abs(got - wanted) <= bound * size + 1e-30).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 20])
def test_every_count_of_vectors(kind: str, count: int) -> None:
    matrix, x = random_matrix(kind, 13, 768), activations(max(count, 1), 768)[:count]
    for exact in (False, True):
        out = strided.empty(count, 13)
        if exact:
            with strided.exact_quantized():
                product_into(out, strided.from_numpy(x), matrix)
        else:
            product_into(out, strided.from_numpy(x), matrix)
        check(out.numpy(), matrix, x, exact, 1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("blocks", [1, 2, 7, 8, 9, 18, 31])
def test_every_length_of_rows(kind: str, blocks: int) -> None:
    columns = blocks * SIZES[kind][0]
    matrix, x = random_matrix(kind, 6, columns, seed=blocks), activations(3, columns)
    out = product_into(strided.empty(3, 6), strided.from_numpy(x), matrix)
    check(out.numpy(), matrix, x, False, 1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rows", [0, 1, 2, 3, 4, 5, 31, 1030])
def test_every_count_of_rows(kind: str, rows: int) -> None:
    matrix = random_matrix(kind, rows, 256)
    for count in (1, 12):
        x = activations(count, 256)
        out = product_into(strided.empty(count, rows), strided.from_numpy(x), matrix)
        check(out.numpy(), matrix, x, False, 1e-6)


def test_no_columns_give_zeros() -> None:
    blocks = strided.zeros(3, 0, dtype=strided.uint8)
    matrix = strided.QuantizedMatrix("Q4_0", blocks)
    for count in (2, 10):
        out = product_into(strided.ones(count, 3), strided.ones(count, 0), matrix)
        assert not out.any().item()


@pytest.mark.parametrize("kind", KINDS)
def test_rounding_activations_costs_little(kind: str) -> None:
    """The error is what 8 bits imply: a scale's half for each activation, of random sign."""
    matrix, x = strided.random_blocks(kind, 64, 2048, 0.02, 1), activations(4, 2048)
    out = product_into(strided.empty(4, 64), strided.from_numpy(x), matrix).numpy()
    wanted, _ = product(matrix, x, exact=True)
    relative = np.linalg.norm(out - wanted) / np.linalg.norm(wanted)
    assert 1e-4 < relative < 2e-2


# ---- layouts, dtypes, places, bias ----

LAYOUTS: dict[str, Callable[[strided.Tensor], strided.Tensor]] = {
    "plain": lambda x: x,
    "transposed": lambda x: x.T.contiguous().T,
    "stepped": lambda x: spread(x)[::2, ::3],
    "flipped": lambda x: x.flip(0, 1).contiguous().flip(0, 1),
}


def spread(x: strided.Tensor) -> strided.Tensor:
    """Return a tensor whose every second row and third column are x."""
    wide = strided.zeros(2 * x.shape[0], 3 * x.shape[1], dtype=x.dtype)
    wide[::2, ::3] = x
    return wide


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("count", [3, 11])
def test_any_strides_and_dtypes(layout: str, dtype: strided.DType, count: int) -> None:
    matrix = random_matrix("Q4_K", 9, 512)
    x = LAYOUTS[layout](strided.from_numpy(activations(count, 512)).to(dtype))
    values = x.to(strided.float32).numpy()
    for target in FLOATS:
        out = LAYOUTS[layout](strided.zeros(count, 9, dtype=target))
        with strided.no_copies(implicit_only=False):
            product_into(out, x, matrix)
        wanted, size = product(matrix, values, exact=False)
        epsilon = {strided.float16: 1e-3, strided.bfloat16: 8e-3}.get(target, 2e-6)
        got = out.to(strided.float64).numpy()
        assert (
            np.abs(got - wanted) <= epsilon * (np.abs(wanted) + 1e-3 * size) + epsilon * 0.05 * size
        ).all()


@pytest.mark.parametrize("count", [1, 3, 12])
@pytest.mark.parametrize("dtype", FLOATS, ids=str)
def test_bias_and_places(count: int, dtype: strided.DType) -> None:
    matrix, x = random_matrix("Q8_0", 24, 96), activations(count, 96)
    bias = strided.linspace(-1, 1, 48, dtype=strided.float32)[::2].to(dtype)
    places = [5, 17, 3, 0, 1, 2, 8, 9, 14, 13, 12, 19][:count]
    cache = strided.full((20, 4, 6), 7.0)
    product_into(cache, strided.from_numpy(x), matrix, strided.tensor(places), bias)
    wanted, size = product(matrix, x, exact=False)
    wanted = wanted + bias.to(strided.float64).numpy()
    got = cache.numpy().reshape(20, 24)
    assert (np.abs(got[places] - wanted) <= 1e-6 * (size + 1)).all()
    assert (np.delete(got, places, axis=0) == 7).all()


def test_leading_axes_and_single_vectors() -> None:
    matrix, x = random_matrix("Q4_1", 10, 64), activations(6, 64)
    flat = product_into(strided.empty(6, 10), strided.from_numpy(x), matrix)
    cube = product_into(strided.empty(2, 3, 10), strided.from_numpy(x).view(2, 3, 64), matrix)
    one = product_into(strided.empty(10), strided.from_numpy(x[0]), matrix)
    assert strided.array_equal(flat.view(2, 3, 10), cube)
    assert strided.array_equal(flat[0], one)


VIEWS = [slice(2, 9), slice(None, None, -1), slice(1, None, 4), slice(9, None, -3)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("view", VIEWS, ids=str)
def test_row_views(kind: str, view: slice) -> None:
    matrix = random_matrix(kind, 23, 512)
    for count in (1, 9):
        x = strided.from_numpy(activations(count, 512))
        whole = product_into(strided.empty(count, 23), x, matrix)
        rows = len(range(23)[view])
        part = product_into(strided.empty(count, rows), x, matrix[view])
        assert strided.allclose(part, whole[:, view], rtol=1e-5, atol=1e-4)


def test_what_the_result_would_overwrite_is_read_first() -> None:
    matrix, x = random_matrix("Q8_0", 32, 32), activations(4, 32)
    own = strided.from_numpy(x.copy())
    wanted = product_into(strided.empty(4, 32), own, matrix)
    with strided.trace_copies() as report:
        product_into(own, own, matrix)
    assert strided.array_equal(own, wanted)
    assert [event.reason for event in report.events] == ["overlap"]


def test_infinities_reach_the_result() -> None:
    matrix = random_matrix("Q4_0", 8, 64)
    for bad in (np.inf, -np.inf, np.nan):
        for count in (1, 9):
            x = np.ones((count, 64), np.float32)
            x[0, 40] = bad
            out = product_into(strided.empty(count, 8), strided.from_numpy(x), matrix).numpy()
            assert not np.isfinite(out[0]).any()
            assert np.isfinite(out[1:]).all()


def test_tiny_and_huge_activations() -> None:
    matrix = random_matrix("Q8_0", 8, 64)
    for size in (1e-25, 1e-35, 1e30):
        x = activations(2, 64) * np.float32(size)
        out = product_into(strided.empty(2, 8), strided.from_numpy(x), matrix).numpy()
        wanted, most = product(matrix, x, exact=True)
        assert (np.abs(out - wanted) <= 0.02 * most + 1e-28).all()


# ---- threads and instruction sets ----


@pytest.fixture
def threads() -> Iterator[Callable[[int], None]]:
    before = strided.get_num_threads()
    yield strided.set_num_threads
    strided.set_num_threads(before)


@pytest.mark.parametrize("kind", KINDS)
def test_threads_do_not_change_a_bit(kind: str, threads: Callable[[int], None]) -> None:
    matrix = strided.random_blocks(kind, 3001, 768, 0.02, 1)
    for count in (1, 5, 40):
        x, results = strided.from_numpy(activations(count, 768)), []
        for number in (1, 2, 3):
            threads(number)
            results.append(product_into(strided.empty(count, 3001), x, matrix))
        assert strided.array_equal(results[0], results[1])
        assert strided.array_equal(results[0], results[2])


PROGRAM = f"""
import json, sys
sys.path.insert(0, {str(TESTS)!r})
from support.quantized_answers import answers
print(json.dumps(answers()))
"""


def test_instruction_sets_agree() -> None:
    found = {}
    for level in WISHES:
        env = {**os.environ, "STRIDED_ISA": level}
        run = [sys.executable, "-c", PROGRAM]
        text = subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout
        found[level] = json.loads(text)["answers"]
    for level in WISHES[1:]:
        for name, plain in found["baseline"].items():
            bound = 0 if " as " in name else 3e-6 * np.abs(plain).max() + 1e-5
            assert np.abs(np.array(found[level][name]) - plain).max() <= bound, (level, name)


# ---- refusals ----


def refused(**changes: Any) -> dict[str, Any]:
    whole = {
        "out": strided.empty(2, 4),
        "x": strided.ones(2, 64),
        "matrix": random_matrix("Q8_0", 4, 64),
    }
    return {**whole, **changes}


REFUSED: dict[str, tuple[type[Exception], dict[str, Any]]] = {
    "columns": (strided.ShapeMismatch, refused(x=strided.ones(2, 32))),
    "no axis": (strided.ShapeMismatch, refused(x=strided.tensor(1.0))),
    "out too high": (strided.ShapeMismatch, refused(out=strided.empty(3, 4))),
    "out too wide": (strided.ShapeMismatch, refused(out=strided.empty(2, 5))),
    "out of rank 0": (strided.ShapeMismatch, refused(out=strided.tensor(1.0))),
    "integers": (strided.DTypeMismatch, refused(x=strided.ones(2, 64, dtype=strided.int32))),
    "integers out": (strided.DTypeMismatch, refused(out=strided.zeros(2, 4, dtype=strided.int32))),
    "complex": (strided.DTypeMismatch, refused(x=strided.ones(2, 64, dtype=strided.complex64))),
    "bias": (strided.ShapeMismatch, refused(bias=strided.ones(3))),
    "bias of integers": (strided.DTypeMismatch, refused(bias=strided.arange(4))),
    "too few places": (strided.ShapeMismatch, refused(rows=strided.tensor([0]))),
    "a place too far": (strided.IndexOutOfBounds, refused(rows=strided.tensor([0, 2]))),
    "places by floats": (strided.DTypeMismatch, refused(rows=strided.ones(2))),
    "out repeated": (strided.WriteThroughOverlap, refused(out=strided.empty(1, 4).expand(2, 4))),
    "no tensor": (TypeError, refused(x=[1.0])),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    error, arguments = REFUSED[name]
    with pytest.raises(error):
        product_into(**arguments)


# ---- what lies behind the blocks ----

GUARDED = f"""
import ctypes, mmap, sys
sys.path.insert(0, {str(TESTS)!r})
import strided
from strided.quantized import product_into
from support.instruction_sets import WISHES
from support.quantized_model import KINDS, SIZES, random_matrix

page = mmap.PAGESIZE
memory = mmap.mmap(-1, 65 * page)
start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
libc = ctypes.CDLL(None, use_errno=True)
assert libc.mprotect(ctypes.c_void_p(start + 64 * page), page, 0) == 0
whole = strided.frombuffer(memory, dtype=strided.uint8)[: 64 * page]
for kind in KINDS:
    for count in (1, 3, 7, 8, 9, 18):
        made = random_matrix(kind, 5, count * SIZES[kind][0])
        blocks = whole[64 * page - made.nbytes :].view(*made.blocks.shape)
        blocks[:] = made.blocks
        matrix = strided.QuantizedMatrix(kind, blocks)
        assert strided.array_equal(matrix.dequantize(), made.dequantize())
        for vectors in (1, 2, 4, 20):
            x = strided.ones(vectors, made.shape[1])
            a = product_into(strided.empty(vectors, 5), x, matrix)
            b = product_into(strided.empty(vectors, 5), x, made)
            assert strided.array_equal(a, b)
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page by mprotect")
@pytest.mark.parametrize("level", WISHES)
def test_nothing_behind_the_last_block_is_read(level: str) -> None:
    """The blocks end where memory that may not be read begins."""
    env = {**os.environ, "STRIDED_ISA": level}
    run = subprocess.run([sys.executable, "-c", GUARDED], env=env, capture_output=True, text=True)
    assert (run.returncode, run.stdout.strip()) == (0, "done"), run.stderr
