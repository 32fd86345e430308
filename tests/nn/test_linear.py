"""Products with the rows of a weight: layouts, dtypes, biases, rows of a cache, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from support.arrangements import assert_close, bits, readable, untouched, writable
from support.matrices import made

import strided
from strided import nn

FLOATS = ("float16", "bfloat16", "float32", "float64")
# T, k, n: vectors, few vectors, panels.
SIZES = [(1, 3, 2), (1, 300, 40), (3, 700, 90), (5, 8, 6), (20, 33, 50), (130, 400, 70)]


def product(x: np.ndarray, weight: np.ndarray, bias: np.ndarray | None = None) -> np.ndarray:
    y = x.astype("float64") @ weight.astype("float64").T
    return y if bias is None else y + bias.astype("float64")


# Sums of many products are off by more than one rounding.
SUMS = 40


@pytest.mark.parametrize("dtype", FLOATS)
def test_layouts(dtype: str) -> None:
    for rows, k, n in SIZES:
        weights = list(readable((n, k)).items())
        bias, b = made(readable((n,))["flipped"], dtype, 3)
        for i, (name, at) in enumerate(readable((rows, k)).items()):
            x, a = made(at, dtype, 1)
            for other, there in (weights[i], weights[(3 * i + 1) % len(weights)]):
                weight, w = made(there, dtype, 2)
                where = (rows, k, n, name, other)
                scale = max(1.0, float(np.abs(a).max() * np.abs(w).max()))
                by = SUMS * scale if dtype in ("float32", "float64") else 4 * scale
                assert_close(nn.linear(x, weight), product(a, w), dtype, where, by=by)
                assert_close(nn.linear(x, weight, bias), product(a, w, b), dtype, where, by=by)


@pytest.mark.parametrize("weight_dtype", FLOATS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_dtypes_meet(dtype: str, weight_dtype: str) -> None:
    common = strided.promote_types(dtype, weight_dtype).name
    for rows, k, n in SIZES:
        x, a = made(readable((rows, k))["row-major"], dtype, 1)
        weight, w = made(readable((n, k))["row-major"], weight_dtype, 2)
        assert_close(nn.linear(x, weight), product(a, w), common, by=SUMS)
        wide = nn.linear(x, weight, dtype=strided.float32)
        assert_close(wide, product(a, w), "float32", (rows, k, n), by=SUMS)


def test_a_bias_is_rounded_once() -> None:
    # 1 + 2^-9 rounds to 1 in bfloat16; with 2^-9 more it does not.
    x, weight = strided.tensor([[1.0, 2.0**-9]]), strided.ones(1, 2)
    bias = strided.tensor([2.0**-9 + 2.0**-12])
    for rows in (1, 20):
        got = nn.linear(x.expand(rows, 2), weight, bias, dtype=strided.bfloat16)
        assert got[0].item() == 1 + 2.0**-7


@pytest.mark.parametrize("shape", [(4,), (2, 3, 4), (2, 2, 3, 4), (0, 4), (3, 0, 4)])
def test_ranks(shape: tuple[int, ...]) -> None:
    weight, w = made(readable((5, 4))["row-major"], "float32", 2)
    for name, at in readable(shape).items():
        x, a = made(at, "float32", 1)
        assert_close(nn.linear(x, weight), product(a, w), "float32", (shape, name), by=SUMS)
        bias = strided.ones(5)
        got = nn.linear(x, weight, bias, dtype=strided.float16)
        assert_close(got, product(a, w) + 1, "float16", (shape, name), by=4)


def test_no_steps_and_no_results() -> None:
    assert nn.linear(strided.ones(2, 0), strided.ones(3, 0)).tolist() == [[0.0] * 3] * 2
    assert (
        nn.linear(strided.ones(2, 0), strided.ones(3, 0), strided.ones(3)).tolist()
        == [[1.0] * 3] * 2
    )
    assert nn.linear(strided.ones(2, 4), strided.ones(0, 4)).shape == (2, 0)


# ---- rows of a cache ----


ROWS = {
    1: [[4], [-1]],
    3: [[2, 3, 4], [8, 5, 2], [7, 0, 1], [0, 1, 3]],
    12: [list(range(3, 15)), [*range(5), *range(9, 16)], [15 - i for i in range(12)]],
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("count", ROWS)
def test_rows_of_out(count: int, dtype: str) -> None:
    x, a = made(readable((count, 70))["row-major"], "float32", 1)
    weight, w = made(readable((6, 70))["row-major"], "bfloat16", 2)
    bias, b = made(readable((6,))["stepped"], "float32", 4)
    for shape in [(16, 6), (16, 2, 3), (16, 1, 3, 2)]:
        for name, at in writable(shape).items():
            for rows in ROWS[count]:
                for plus, p in ((None, None), (bias, b)):
                    out, before = made(at, dtype, 3)
                    there = bits(out, at)
                    index = strided.tensor(rows)
                    with strided.no_copies(implicit_only=False):
                        assert nn.linear(x, weight, plus, out=out, rows=index) is out
                    expected = np.array(before, "float64")
                    expected[rows] = product(a, w, p).reshape(count, *shape[1:])
                    where = (shape, name, rows)
                    by = SUMS if dtype in ("float32", "float64") else 4
                    assert_close(out, expected, dtype, where, by=by, computed="float32")
                    assert untouched(out, at, there), where


def test_axes_of_out_hold_a_row() -> None:
    x, weight = strided.randn(3, 4), strided.randn(6, 4)
    plain = nn.linear(x, weight)
    heads = strided.empty(2, 3, 3).permute(1, 0, 2)
    assert nn.linear(x, weight, out=heads) is heads
    assert np.array_equal(heads.reshape(3, 6).numpy(), plain.numpy())


# ---- refusals ----


def test_refused_shapes() -> None:
    x, weight = strided.ones(2, 3), strided.ones(4, 3)
    for bad in [(x, strided.ones(3, 4)), (x, strided.ones(4)), (strided.tensor(1.0), weight)]:
        with pytest.raises(strided.ShapeMismatch):
            nn.linear(*bad)
    with pytest.raises(strided.ShapeMismatch, match=r"linear\(x, weight.T\)"):
        nn.linear(x, weight.T)
    for shape in [(2,), (2, 3), (3, 4), (2, 2, 3), (2, 4, 2), ()]:
        with pytest.raises(strided.ShapeMismatch):
            nn.linear(x, weight, out=strided.empty(*shape))
    with pytest.raises(strided.ShapeMismatch):
        nn.linear(x, weight, strided.ones(3))
    with pytest.raises(strided.DTypeMismatch):
        nn.linear(x, weight.to(strided.int8))
    with pytest.raises(TypeError):
        nn.linear(x, "weight")


def test_refused_rows() -> None:
    x, weight, out = strided.ones(2, 3), strided.ones(4, 3), strided.zeros(5, 4)
    for rows, error in [
        ([0, 5], strided.IndexOutOfBounds),
        ([0, -6], strided.IndexOutOfBounds),
        ([0], strided.ShapeMismatch),
        ([[0, 1]], strided.ShapeMismatch),
        ([0.0, 1.0], strided.DTypeMismatch),
    ]:
        with pytest.raises(error):
            nn.linear(x, weight, out=out, rows=strided.tensor(rows))
    with pytest.raises(strided.InvalidArgument):
        nn.linear(x, weight, rows=strided.arange(2))
    with pytest.raises(strided.InvalidArgument):
        nn.linear(x[0], weight, out=out, rows=strided.arange(2))
    with pytest.raises(strided.ShapeMismatch):
        nn.linear(x, weight, out=strided.zeros(5, 3), rows=strided.arange(2))
    assert not out.numpy().any()
    assert nn.linear(x[:0], weight, out=out, rows=strided.arange(0)) is out


def test_weights_are_not_viewed_in_python() -> None:
    x, weight = strided.randn(3, 40), strided.randn(50, 40)
    with strided.copy_everything(), strided.trace_copies() as report:
        nn.linear(x, weight)
    assert not report.events


# ---- quantised weights ----


def test_quantised_weights() -> None:
    weight, bias = strided.quantize(strided.randn(6, 32), "Q8_0"), strided.randn(6)
    numbers = weight.dequantize()
    with strided.exact_quantized():
        for shape in [(32,), (3, 32), (2, 3, 32)]:
            x = strided.randn(*shape)
            expected = nn.linear(x, numbers, bias).numpy()
            got = nn.linear(x, weight, bias)
            assert got.dtype is strided.float32
            assert np.allclose(got.numpy(), expected, atol=1e-4)
            assert nn.linear(x, weight, dtype=strided.float16).dtype is strided.float16
        x = strided.randn(2, 32)
        expected = nn.linear(x, numbers, bias).numpy()
        # In one piece, as heads, as heads that lie apart.
        for made in (lambda n: (n, 6), lambda n: (n, 2, 3), lambda n: (2, n, 3)):
            shape = made(5)
            out = strided.zeros(*shape)
            out = out.permute(1, 0, 2) if shape[0] == 2 else out
            assert nn.linear(x, weight, bias, out=out, rows=strided.tensor([4, 1])) is out
            placed = np.zeros((5, 6), "float32")
            placed[[4, 1]] = expected
            assert np.allclose(out.reshape(5, 6).numpy(), placed, atol=1e-4)
            shape = made(2)
            whole = strided.zeros(*shape)
            whole = whole.permute(1, 0, 2) if len(shape) == 3 else whole
            nn.linear(x, weight, bias, out=whole)
            assert np.allclose(whole.reshape(2, 6).numpy(), expected, atol=1e-4)
    assert nn.embedding([1, 2], weight).tolist() == numbers[1:3].tolist()
    assert nn.activation_dtype(weight, 8) is nn.activation_dtype(weight, 80) is strided.float32


def test_refused_quantised_shapes() -> None:
    x, weight = strided.ones(2, 32), strided.quantize(strided.ones(6, 32), "Q8_0")
    for out in (strided.empty(2, 5), strided.empty(3, 6), strided.empty(2, 2, 2)):
        with pytest.raises(strided.ShapeMismatch):
            nn.linear(x, weight, out=out)
    with pytest.raises(strided.ShapeMismatch):
        nn.linear(x[:, :3], weight)
    with pytest.raises(strided.InvalidArgument):
        nn.linear(x, weight, rows=strided.arange(2))
    with pytest.raises(TypeError):
        nn.linear(x, "weight")


# ---- tokens ----


def test_embedding() -> None:
    for dtype in FLOATS:
        for name, at in readable((7, 5)).items():
            weight, w = made(at, dtype, 1)
            tokens = strided.tensor([[3, 0, -1], [6, 6, 2]])
            expected = w[[[3, 0, 6], [6, 6, 2]]]
            assert_close(nn.embedding(tokens, weight), expected, dtype, name)
            wide = nn.embedding(tokens, weight, dtype=strided.float64)
            assert_close(wide, expected, "float64", name)
            out = strided.empty(2, 5, 3).mT
            nn.embedding(tokens, weight, out=out)
            assert_close(out, expected, "float32", name)
    with strided.trace_copies() as report:
        nn.embedding([1, 2], weight)
        nn.embedding([1, 2], weight, dtype=strided.float16)
    assert [event.reason for event in report.events] == ["gather", "gather"]


def test_one_token_is_a_view() -> None:
    weight = strided.arange(12.0).reshape(4, 3)
    with strided.no_copies(implicit_only=False):
        for token in (2, -2):
            row = nn.embedding([token], weight)
            assert row.tolist() == [[6.0, 7.0, 8.0]]
            assert row.storage() == weight.storage()
    for token in (4, -5):
        with pytest.raises(strided.IndexOutOfBounds):
            nn.embedding([token], weight)
        with pytest.raises(strided.IndexOutOfBounds):
            nn.embedding([token, 0], weight)
    with pytest.raises(strided.ShapeMismatch):
        nn.embedding([0, 1], strided.ones(3))


def test_activation_dtype() -> None:
    half, single = strided.empty(2, 2, dtype=strided.bfloat16), strided.empty(2, 2)
    assert nn.activation_dtype(half, 8) is strided.float32
    assert nn.activation_dtype(half, 9) in (strided.float32, strided.bfloat16)
    assert nn.activation_dtype(single, 9) is strided.float32
    assert nn.activation_dtype(single.to(strided.float64), 9) is strided.float64


@pytest.mark.parametrize("dtype", FLOATS)
def test_threads_give_the_same_bits(dtype: str) -> None:
    x, weight = strided.randn(9, 600), strided.randn(900, 600).to(dtype)
    before = strided.get_num_threads()
    try:
        for rows in (1, 9):
            strided.set_num_threads(1)
            alone = nn.linear(x[:rows], weight).numpy()
            for count in (2, 3, 8):
                strided.set_num_threads(count)
                assert np.array_equal(nn.linear(x[:rows], weight).numpy(), alone)
    finally:
        strided.set_num_threads(before)
