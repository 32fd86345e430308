"""Reductions and running sums over all axis subsets of every layout class, against NumPy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.compare import (
    BOOL,
    COMPLEX,
    FLOATS,
    HALVES,
    INTS,
    as_numpy,
    assert_same,
    dtype_of,
    kind_of,
)
from support.layouts import LAYOUTS, NONEMPTY, laid
from support.op_reference import PLAIN

import strided

DTYPES = BOOL + INTS + FLOATS + COMPLEX
SUM_DTYPE = {"b": "int64", "i": "int64", "u": "uint64"}
RTOL = {"float32": 1e-6, "float64": 1e-13, "complex64": 2e-6, "complex128": 1e-13}


def axis_choices(rank: int) -> Iterator[Any]:
    """Yield None, every axis from either end, and every set of axes, the empty one included."""
    yield None
    yield from range(-rank, rank)
    for count in range(rank + 1):
        if rank < 4 or count < 3:
            yield from itertools.combinations(range(rank), count)


def values_of(dtype: str) -> list[Any]:
    # Products stay small: half of the elements are 1.
    return PLAIN[kind_of(dtype)] if kind_of(dtype) == "b" else [*PLAIN[kind_of(dtype)], 1, 1, 1, 1]


def wide(a: np.ndarray) -> np.ndarray:
    return a.astype({"f": "float64", "c": "complex128"}.get(a.dtype.kind, a.dtype))


def expected_of(name: str, a: np.ndarray, dtype: str, axis: Any, keepdims: bool) -> np.ndarray:
    kind = kind_of(dtype)
    with np.errstate(all="ignore"):
        if name in ("sum", "prod"):
            result = SUM_DTYPE.get(kind, dtype)
            start = a.astype(result) if kind in "biu" else wide(a)
            return np.asarray(getattr(np, name)(start, axis=axis, keepdims=keepdims)).astype(result)
        if name == "mean":
            made = np.mean(wide(a), axis=axis, keepdims=keepdims)
            return np.asarray(made).astype(dtype if kind in "fc" else "float32")
        return np.asarray(getattr(np, name)(a, axis=axis, keepdims=keepdims))


# ---- over axes, layouts and dtypes ----


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean"])
def test_over_layouts(name: str, layout: str) -> None:
    for dtype in DTYPES:
        x, a = laid(layout, values_of(dtype), dtype)
        for axis in axis_choices(a.ndim):
            keep = axis is not None and axis != 0
            if name == "mean" and a.size == 0:
                continue
            got = getattr(x, name)(axis, keep)
            expected = expected_of(name, a, dtype, axis, keep)
            rtol = RTOL.get(dtype, 1e-6)
            assert_same(got, expected, rtol, where=(name, dtype, axis))
            if dtype == "float32":
                again = getattr(strided, name)(x, axis=axis, keepdims=keep)
                assert_same(again, as_numpy(got))


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("name", ["min", "max"])
def test_extremes_over_layouts(name: str, layout: str) -> None:
    for dtype in BOOL + INTS + FLOATS:
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in axis_choices(a.ndim):
            expected = np.asarray(getattr(np, name)(a, axis=axis))
            where = (name, dtype, axis)
            assert_same(getattr(x, "a" + name)(axis), expected, where=where)
            assert_same(getattr(strided, name)(x, axis=axis), expected, where=where)
            if isinstance(axis, int):
                values, indices = getattr(x, name)(axis, keepdim=True)
                assert_same(values, np.expand_dims(expected, axis), where=where)
                first = getattr(np, "arg" + name)(a, axis=axis, keepdims=True)
                assert_same(indices, first, where=where)


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("name", ["argmin", "argmax"])
def test_positions_over_layouts(name: str, layout: str) -> None:
    for dtype in BOOL + INTS + FLOATS:
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in (None, *range(-a.ndim, a.ndim)):
            for keep in (False, True):
                expected = np.asarray(getattr(np, name)(a, axis=axis, keepdims=keep))
                got = getattr(x, name)(axis, keep)
                assert_same(got, expected, where=(name, dtype, axis))


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("name", ["var", "std"])
def test_spread_over_layouts(name: str, layout: str) -> None:
    for dtype in FLOATS + COMPLEX:
        real = {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype)
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in axis_choices(a.ndim):
            for correction in (0, 1, 0.5):
                count = np.sum(np.ones_like(a, float), axis=axis, keepdims=True).ravel()
                if count[0] <= correction:
                    continue
                expected = getattr(np, name)(wide(a), axis=axis, ddof=correction)
                got = getattr(x, name)(axis, correction=correction)
                where = (name, dtype, axis, correction)
                assert_same(got, np.asarray(expected).astype(real), RTOL[dtype], where=where)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", ["cumsum", "cumprod"])
def test_running_over_layouts(name: str, layout: str) -> None:
    longer = {"cumsum": "cumulative_sum", "cumprod": "cumulative_prod"}[name]
    for dtype in DTYPES:
        result = SUM_DTYPE.get(kind_of(dtype), dtype)
        x, a = laid(layout, values_of(dtype), dtype)
        for axis in (None, *range(-a.ndim, a.ndim)):
            start = a.astype(result) if kind_of(dtype) in "biu" else wide(a)
            with np.errstate(all="ignore"):
                expected = getattr(np, name)(start, axis=axis).astype(result)
            where = (name, dtype, axis)
            # A float32 running product rounds at every step.
            rtol = 2e-5 if dtype in ("float32", "complex64") else RTOL.get(dtype, 0)
            assert_same(getattr(x, name)(axis), expected, rtol, where=where)
            if axis is not None and dtype == "int64":
                more = getattr(strided, longer)(x, axis=axis, include_initial=True)
                assert more.shape[axis] == a.shape[axis] + 1
                assert_same(more.narrow(axis, 1, a.shape[axis]), expected)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_count_nonzero_over_layouts(layout: str) -> None:
    for dtype in DTYPES:
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        for axis in axis_choices(a.ndim):
            expected = np.sum(a != 0, axis=axis, dtype=np.int64)
            assert_same(x.count_nonzero(axis), expected, where=(dtype, axis))
        assert_same(strided.count_nonzero(x), np.int64(np.count_nonzero(a)))


@pytest.mark.parametrize("layout", NONEMPTY)
def test_logsumexp_and_norm_over_layouts(layout: str) -> None:
    for dtype in FLOATS:
        x, a = laid(layout, PLAIN["f"], dtype)
        for axis in axis_choices(a.ndim):
            where = (dtype, axis)
            wide_a = a.astype("float64")
            for p in (1, 2, 3, math.inf):
                size = np.abs(wide_a)
                if p == math.inf:
                    expected = np.max(size, axis=axis)
                else:
                    expected = np.sum(size**p, axis=axis) ** (1 / p)
                got = x.norm(p, axis)
                assert_same(got, np.asarray(expected).astype(dtype), 3e-6, where=(*where, p))
            if axis is not None:
                made = np.log(np.sum(np.exp(wide_a), axis=axis))
                expected = np.asarray(made).astype(dtype)
                assert_same(x.logsumexp(axis), expected, 3e-6, where=where)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", HALVES)
def test_halves_round_once(dtype: str, layout: str) -> None:
    """Sums and means of halves run in a wider type and are rounded at the end."""
    half = dtype_of(dtype)
    x = laid(layout, PLAIN["f"], "float32")[0].to(half)
    a = as_numpy(x).astype("float64")
    for axis in axis_choices(x.ndim):
        for name in ("sum", "mean", "amax") if a.size else ("sum",):
            total = getattr(np, name)(a, axis=axis)
            expected = strided.tensor(np.asarray(total, "float32")).to(half)
            got = getattr(x, name)(axis)
            assert got.dtype is half
            assert_same(got, as_numpy(expected), where=(name, axis))


# ---- dtype=, NaN, empty, precision ----


def test_dtype_argument() -> None:
    x = strided.tensor([[1, 2], [3, 4]], dtype=strided.int8)
    for name in ("sum", "prod", "mean", "cumsum"):
        for dtype in ("float32", "float64", "complex64", "float16"):
            got = getattr(x, name)(0, dtype=dtype_of(dtype))
            expected = getattr(np, name)(np.array([[1, 2], [3, 4]], "float64"), axis=0)
            assert got.dtype is dtype_of(dtype)
            assert got.tolist() == expected.tolist()
    for given, wanted in itertools.product(DTYPES, ("bool", "int16", "uint64")):  # of a quotient
        numbers = strided.tensor([0, 1, 1, 1, 0, 0, 0, 0] * 4).to(dtype_of(given))
        mean = strided.mean(numbers, dtype=dtype_of(wanted))
        assert mean.item() == strided.tensor(12 / 32).to(dtype_of(wanted)).item(), (given, wanted)
        ones = strided.full((5, 7), 1, dtype=dtype_of(given)).mean(0, dtype=dtype_of(wanted))
        assert ones.tolist() == [1] * 7, (given, wanted)
    assert x.sum(dtype=strided.int16).dtype is strided.int16
    hundreds = strided.full((4,), 100, dtype=strided.int8)
    assert hundreds.sum().item() == 400
    assert hundreds.sum(dtype=strided.int8).item() == np.int8(400 - 512)
    assert hundreds.to(strided.float32).sum(dtype=strided.float64).dtype is strided.float64
    out = strided.empty(2)
    assert x.sum(0, out=out) is out
    assert out.tolist() == [4, 6]


def test_nan() -> None:
    x = strided.tensor([[1.0, math.nan, 3.0, math.nan], [5.0, 2.0, 9.0, 2.0]])
    for layout in (x, x.T.contiguous().T, x.flip(1).flip(1)):
        for name in ("sum", "prod", "mean", "amin", "amax", "var"):
            got = getattr(layout, name)(1).tolist()
            assert math.isnan(got[0])
            assert not math.isnan(got[1])
        assert layout.argmin(1).tolist() == [1, 1]
        assert layout.argmax(1).tolist() == [1, 2]
        assert layout.argmax().item() == 1
        assert layout.any(1).tolist() == [True, True]
        assert layout.all().item() is True
    long = strided.ones(1000)
    long[777] = math.nan
    assert math.isnan(long.amax().item())
    assert long.argmax().item() == long.argmin().item() == 777


def test_first_of_equals_wins() -> None:
    x = strided.tensor([[3, 1, 3], [1, 3, 1]])
    assert x.argmax().item() == 0
    assert x.argmin().item() == 1
    assert x.T.argmax().item() == 0
    assert x.argmax(0).tolist() == [0, 1, 0]
    assert x.flip(1).argmin(1).tolist() == [1, 0]
    assert strided.zeros(100).expand(50, 100).argmax(0).tolist() == [0] * 100


def test_zeros_keep_their_sign() -> None:
    assert math.copysign(1, strided.tensor([-0.0, -0.0]).amax().item()) == -1
    assert strided.tensor([0.0, -0.0]).argmax().item() == 0


def test_infinities() -> None:
    x = strided.tensor([math.inf, 1.0, -math.inf])
    assert math.isnan(x.sum().item())
    assert x[:2].sum().item() == math.inf
    assert (x.amax().item(), x.amin().item()) == (math.inf, -math.inf)
    assert x[:2].logsumexp(0).item() == math.inf
    assert x[2:].logsumexp(0).item() == -math.inf
    assert strided.tensor([1000.0, 1000.0]).logsumexp(0).item() == pytest.approx(1000 + math.log(2))


def test_nothing() -> None:
    x = strided.zeros(3, 0, 2)
    assert x.sum(1).tolist() == [[0.0, 0.0]] * 3
    assert x.prod(1).tolist() == [[1.0, 1.0]] * 3
    assert x.sum(0).shape == (0, 2)
    assert x.amax(0).shape == (0, 2)
    assert x.argmax(2).shape == (3, 0)
    assert (x.any().item(), x.all().item()) == (False, True)
    assert x.any(1).tolist() == [[False, False]] * 3
    assert x.cumsum(1).shape == (3, 0, 2)
    assert x.count_nonzero().item() == 0
    assert math.isnan(x.mean().item())
    assert math.isnan(x.var().item())
    assert math.isnan(strided.ones(1).var().item())
    assert strided.ones(1).var(correction=0).item() == 0
    assert x.to(strided.int64).sum().dtype is strided.int64
    for name in ("amin", "amax", "min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError):
            getattr(x, name)()
        with pytest.raises(strided.StridedError):
            getattr(x, name)(1)


def test_sums_are_precise() -> None:
    ones = strided.full((1_000_003,), 0.1)
    assert ones.sum().item() == pytest.approx(100000.3, rel=1e-6)
    assert strided.ones(20_000_000).expand(1, 20_000_000).sum().item() == 20_000_000
    assert ones.reshape(1, -1).expand(3, -1).sum(1).tolist() == [ones.sum().item()] * 3
    assert (ones + 1000).var().item() == pytest.approx(0, abs=1e-6)
    shifted = strided.arange(1000).to(strided.float64) + 1e9
    assert shifted.var(correction=0).item() == pytest.approx((1000**2 - 1) / 12)


def test_refusals() -> None:
    x = strided.zeros(2, 3)
    with pytest.raises(strided.InvalidDimension) as missing:
        x.sum(2)
    assert (missing.value.dim, missing.value.rank) == (2, 2)
    with pytest.raises(strided.DuplicateAxis) as twice:
        x.sum((1, -1))
    assert twice.value.axis == 1
    for name in ("amin", "amax", "argmin", "argmax"):
        with pytest.raises(strided.DTypeMismatch):
            getattr(x.to(strided.complex64), name)()
    with pytest.raises(TypeError):
        x.sum(0, axis=0)
    with pytest.raises(IndexError):
        x.cumsum(2)
    assert x.max(strided.ones(3)).tolist() == [[1.0] * 3] * 2


def test_layouts_of_large_reductions() -> None:
    rng = np.random.default_rng(1)
    a = rng.standard_normal((301, 7, 203))
    x = strided.from_numpy(a)
    for order in itertools.permutations(range(3)):
        for axis in (0, 1, 2, (0, 1), (0, 2), (1, 2), None):
            view, array = x.permute(order), a.transpose(order)
            assert_same(view.sum(axis), np.asarray(array.sum(axis=axis)), 1e-12)
            assert_same(view.amax(axis), np.asarray(array.max(axis=axis)))
            if not isinstance(axis, tuple):
                assert_same(view.argmin(axis), np.asarray(array.argmin(axis=axis)))
