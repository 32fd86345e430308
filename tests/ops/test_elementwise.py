"""Every elementwise op over every layout class and dtype, against NumPy or its own formula."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterable

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
from support.layouts import LAYOUTS, laid
from support.op_reference import (
    BINARY_ROWS,
    FLOAT_SPECIAL,
    OTHER,
    PLAIN,
    UNARY_ROWS,
    accepted,
    integer_special,
    reference,
    rounding,
)

import strided


def pairs(ops: Iterable[str], dtypes: tuple[str, ...]) -> pytest.MarkDecorator:
    """Parametrize by the ops and the dtypes that each accepts."""
    each = [(op, dtype) for op in ops for dtype in accepted(op, dtypes)]
    return pytest.mark.parametrize(("op", "dtype"), each)


# Ops that are not those of float32, rounded; or that take no floats.
ONLY_WIDE = {
    *("nextafter", "float_power"),
    *(op for op in (*UNARY_ROWS, *BINARY_ROWS) if not accepted(op, HALVES)),
}
each_layout = pytest.mark.parametrize("layout", LAYOUTS)


@each_layout
@pytest.mark.parametrize("op", UNARY_ROWS)
def test_unary_over_layouts(op: str, layout: str) -> None:
    function = getattr(strided, op)
    for dtype in accepted(op, BOOL + INTS + FLOATS + COMPLEX):
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        y, expected = function(x), reference(op, dtype, a)
        if op == "reciprocal" and kind_of(dtype) == "c":  # 1 / 0j: no standard says which NaN
            expected = np.where(a == 0, as_numpy(y), expected)
        assert_same(y, expected, rounding(op, dtype), where=dtype)
        assert not strided.may_share_memory(x, y)


@each_layout
@pytest.mark.parametrize("op", BINARY_ROWS)
def test_binary_over_layouts(op: str, layout: str) -> None:
    function = getattr(strided, op)
    for dtype in accepted(op, BOOL + INTS + FLOATS + COMPLEX):
        kind = kind_of(dtype)
        (x, a), (y, b) = laid(layout, PLAIN[kind], dtype), laid(layout, OTHER[kind], dtype)
        if op == "pow" and kind == "f":
            x, a = x.abs(), np.abs(a)
        if x.ndim:  # two operands that travel in different directions
            y, b = y.flip(0), b[::-1]
        expected = reference(op, dtype, a, b)
        assert_same(function(x, y), expected, rounding(op, dtype), where=dtype)
        assert_same(getattr(x, op)(y), expected, rounding(op, dtype), where=dtype)


@pairs(UNARY_ROWS, FLOATS)
def test_unary_special_floats(op: str, dtype: str) -> None:
    a = np.array(FLOAT_SPECIAL, dtype)
    y = getattr(strided, op)(strided.from_numpy(a))
    expected = reference(op, dtype, a)
    keeps_zero = op not in ("sign", "gelu", "gelu_tanh", "relu", "frac", "round")
    assert_same(y, expected, rounding(op, dtype), zero_sign=keeps_zero, where=op)


@pytest.mark.parametrize("op", [op for op in (*UNARY_ROWS, *BINARY_ROWS) if accepted(op, INTS)])
def test_integer_limits(op: str) -> None:
    """Wraparound, division by zero, the smallest number by -1, shifts past the end."""
    for dtype in accepted(op, INTS):
        a = np.array(integer_special(dtype), dtype)
        x = strided.from_numpy(a)
        if op in UNARY_ROWS:
            y, expected = getattr(strided, op)(x), reference(op, dtype, a)
        else:
            y, expected = getattr(strided, op)(x[:, None], x), reference(op, dtype, a[:, None], a)
        assert_same(y, expected, rounding(op, dtype), where=dtype)


@pairs(BINARY_ROWS, FLOATS)
def test_binary_special_floats(op: str, dtype: str) -> None:
    a = np.array(FLOAT_SPECIAL, dtype)
    x = strided.from_numpy(a)
    y = getattr(strided, op)(x[:, None], x)
    expected = reference(op, dtype, a[:, None], a)
    with np.errstate(all="ignore"):
        if op in ("floor_divide", "remainder", "fmod"):  # other numbers in double precision
            expected = getattr(np, BINARY_ROWS[op].ufunc)(a[:, None], a)
        if op == "floor_divide":  # infinities by the array API: inf // 1 is inf, -1 // inf is -0
            expected = np.where(np.isinf(a[:, None]) | np.isinf(a), a[:, None] / a, expected)
    assert_same(y, expected, rounding(op, dtype), where=op)


@pytest.mark.parametrize("op", ["absolute", "isnan", "isinf", "isfinite", "conj", "negative"])
def test_unary_special_complex(op: str) -> None:
    parts = [0.0, -0.0, 1.0, -2.0, math.inf, -math.inf, math.nan]
    a = np.array([complex(r, i) for r in parts for i in parts])
    assert_same(getattr(strided, op)(strided.from_numpy(a)), getattr(np, op)(a), zero_sign=True)


@pytest.mark.parametrize("op", ["sqrt", "log", "asin", "acos", "atan", "asinh", "acosh", "atanh"])
def test_branch_cuts(op: str) -> None:
    a = np.array([complex(r, i) for r in (-2.0, -0.5, 0.5, 2.0) for i in (0.0, -0.0)])
    a = np.concatenate([a, a * 1j])
    assert_same(getattr(strided, op)(strided.from_numpy(a)), reference(op, "complex128", a), 1e-14)


@each_layout
@pytest.mark.parametrize("op", [op for op in (*UNARY_ROWS, *BINARY_ROWS) if op not in ONLY_WIDE])
def test_halves_round_float32_once(op: str, layout: str) -> None:
    function = getattr(strided, op)
    pools = (PLAIN["f"],) if op in UNARY_ROWS else (PLAIN["f"], OTHER["f"])
    for dtype in accepted(op, HALVES):
        half = dtype_of(dtype)
        xs = [laid(layout, pool, "float32")[0].to(half) for pool in pools]
        wide = function(*(x.to(strided.float32) for x in xs))
        expected = wide if wide.dtype is strided.bool else wide.to(half)
        got = function(*xs)
        assert got.dtype is expected.dtype
        assert_same(got, as_numpy(expected), zero_sign=True, where=dtype)


@each_layout
@pytest.mark.parametrize("source", BOOL + INTS + FLOATS + COMPLEX)
def test_conversions(source: str, layout: str) -> None:
    """Every dtype into every other."""
    kind = kind_of(source)
    pool = [abs(v) for v in PLAIN["f"]] if kind in "fc" else PLAIN[kind]
    x, a = laid(layout, pool, source)
    for target in COMPLEX if kind == "c" else BOOL + INTS + ("float16",) + FLOATS + COMPLEX:
        assert_same(x.to(dtype_of(target)), a.astype(target), where=target)


@pytest.mark.parametrize("dtype", HALVES)
def test_conversions_to_halves_round_to_nearest_even(dtype: str) -> None:
    rng = np.random.default_rng(0)
    bits = rng.integers(0, 2**32, 20000, dtype=np.uint32)
    a = bits.view(np.float32)
    theirs = np.float16 if dtype == "float16" else pytest.importorskip("ml_dtypes").bfloat16
    with np.errstate(all="ignore"):
        expected = a.astype(theirs).astype(np.float32)
        assert_same(strided.from_numpy(a).to(dtype_of(dtype)).to(strided.float32), expected)


def test_every_half_survives_float32() -> None:
    for dtype in HALVES:
        x = strided.arange(65536).to(strided.uint16).view(dtype_of(dtype))
        back = x.to(strided.float32).to(dtype_of(dtype))
        kept = (back.view(strided.uint16) == x.view(strided.uint16)).logical_or(x.isnan())
        assert bool(kept.all())


# ---- three operands ----


@each_layout
@pytest.mark.parametrize("dtype", BOOL + INTS + FLOATS + COMPLEX)
def test_where_over_layouts(dtype: str, layout: str) -> None:
    kind = kind_of(dtype)
    (x, a), (y, b) = laid(layout, PLAIN[kind], dtype), laid(layout, OTHER[kind], dtype)
    assert_same(strided.where(x != 0, x, y), np.where(a != 0, a, b))
    assert_same(strided.where(x == y, y, x), np.where(a == b, b, a))


@each_layout
@pytest.mark.parametrize("dtype", INTS + FLOATS)
def test_clip_over_layouts(dtype: str, layout: str) -> None:
    kind = kind_of(dtype)
    (x, a), (y, b) = laid(layout, PLAIN[kind], dtype), laid(layout, OTHER[kind], dtype)
    assert_same(strided.clip(x, 1, 2), np.clip(a, a.dtype.type(1), a.dtype.type(2)))
    assert_same(x.clamp(min=1), np.maximum(a, a.dtype.type(1)))
    assert_same(x.clamp(max=y), np.minimum(a, b))
    assert_same(strided.clip(x), a)


@each_layout
@pytest.mark.parametrize("dtype", FLOATS)
def test_lerp_over_layouts(dtype: str, layout: str) -> None:
    (x, a), (y, b) = laid(layout, PLAIN["f"], dtype), laid(layout, OTHER["f"], dtype)
    assert_same(strided.lerp(x, y, 0.25), (a + 0.25 * (b - a)).astype(dtype), 3e-7)


def test_where_promotes_and_broadcasts() -> None:
    condition = strided.tensor([[True], [False]])
    assert_same(
        strided.where(condition, strided.tensor([1, 2, 3]), 0.5), np.float32([[1, 2, 3], [0.5] * 3])
    )
    assert strided.where(condition, 1, 2).dtype is strided.int64
    assert strided.where(strided.tensor([2, 0]), 1, 2).tolist() == [1, 2]
    nan = strided.clip(strided.tensor([math.nan, -5.0, 5.0]), -1, 1).tolist()
    assert math.isnan(nan[0])
    assert nan[1:] == [-1, 1]


@pytest.mark.parametrize("isa", ["baseline", "avx2"])
def test_other_instruction_sets(isa: str) -> None:
    """The loops that this machine would not choose give the same results."""
    tests = "over_layouts or special or limits or conversions or halves"
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            __file__,
            "-k",
            tests,
        ],
        env={**os.environ, "STRIDED_ISA": isa},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:]


def test_large_tensors() -> None:
    rng = np.random.default_rng(0)
    a = rng.standard_normal((700, 501)).astype(np.float32)
    x = strided.from_numpy(a)
    assert_same(x.T * 2, a.T * 2)
    assert_same(x[:, ::-1] - x, a[:, ::-1] - a)
    assert_same(x[:501].T + x[:501], a[:501].T + a[:501])
    assert_same(x.exp(), np.exp(a.astype(np.float64)).astype(np.float32), 1e-6)
    assert_same(x.T.contiguous(), a.T)
    assert_same((x > 0).to(strided.float64), (a > 0).astype(np.float64))
