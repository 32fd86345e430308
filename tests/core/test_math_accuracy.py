"""The vectorised functions stay within their bounds: all exponents, both signs, special values.

An element's result depends on nothing but the element: not on its place, its stride, or what stands
beside it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from support.math_bounds import BINARY, BOUNDS
from support.math_reference import WIDE, samples, too_far
from support.paths import ROOT, TESTS

import strided

PAGE = ROOT / "docs" / "accuracy.md"
UNARY = tuple(name for name in BOUNDS if name not in BINARY)
INF, NAN = np.inf, np.nan

# ---- the bounds ----


@pytest.mark.parametrize("level", ["", "avx2", "baseline"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bounds(dtype: str, level: str) -> None:
    """On every instruction set, in a process of its own; empty is the best one."""
    if dtype == "float64" and not WIDE:
        pytest.skip("no dtype with more digits than float64")
    if not level:
        assert not too_far(dtype)
        return
    program = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r}); "
        f"from support.math_reference import too_far; print(too_far({dtype!r}))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "STRIDED_ISA": level},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stdout.strip() == "[]", process.stdout + process.stderr


@pytest.mark.parametrize("op", ["sin", "cos", "tan"])
def test_huge_angles(op: str) -> None:
    """Beyond the range of the fast reduction, up to the largest numbers."""
    x = np.exp2(np.linspace(10, 127, 5000)).astype(np.float32)
    want = getattr(np, op)(x.astype(np.longdouble)).astype(np.float64)
    got = getattr(strided, op)(strided.from_numpy(x)).numpy()
    np.testing.assert_allclose(got, want, rtol=5e-7)


# ---- special values, as the array API has them ----

TABLE: dict[str, list[tuple[tuple[float, ...], float]]] = {
    "exp": [((INF,), INF), ((-INF,), 0.0), ((0.0,), 1.0), ((-0.0,), 1.0), ((1e4,), INF)],
    "exp2": [((INF,), INF), ((-INF,), 0.0), ((-0.0,), 1.0), ((10.0,), 1024.0), ((-2.0,), 0.25)],
    "expm1": [((INF,), INF), ((-INF,), -1.0), ((0.0,), 0.0), ((-0.0,), -0.0), ((-99.0,), -1.0)],
    "log": [((INF,), INF), ((0.0,), -INF), ((-0.0,), -INF), ((1.0,), 0.0), ((-1.0,), NAN)],
    "log2": [((INF,), INF), ((-0.0,), -INF), ((1.0,), 0.0), ((8.0,), 3.0), ((-1e-45,), NAN)],
    "log10": [((INF,), INF), ((-0.0,), -INF), ((1.0,), 0.0), ((1000.0,), 3.0), ((-INF,), NAN)],
    "log1p": [((INF,), INF), ((-1.0,), -INF), ((0.0,), 0.0), ((-0.0,), -0.0), ((-1.5,), NAN)],
    "sqrt": [((INF,), INF), ((-0.0,), -0.0), ((-1e-45,), NAN), ((4.0,), 2.0)],
    "rsqrt": [((INF,), 0.0), ((0.0,), INF), ((-0.0,), -INF), ((-1.0,), NAN), ((4.0,), 0.5)],
    "sin": [((0.0,), 0.0), ((-0.0,), -0.0), ((INF,), NAN), ((-INF,), NAN), ((1e-45,), 1e-45)],
    "cos": [((0.0,), 1.0), ((-0.0,), 1.0), ((INF,), NAN), ((-INF,), NAN)],
    "tan": [((0.0,), 0.0), ((-0.0,), -0.0), ((INF,), NAN), ((1e-45,), 1e-45)],
    "asin": [((0.0,), 0.0), ((-0.0,), -0.0), ((1.5,), NAN), ((-1.5,), NAN), ((1.0,), np.pi / 2)],
    "acos": [((1.0,), 0.0), ((-1.0,), np.pi), ((1.5,), NAN), ((-INF,), NAN)],
    "atan": [((0.0,), 0.0), ((-0.0,), -0.0), ((INF,), np.pi / 2), ((-INF,), -np.pi / 2)],
    "sinh": [((-0.0,), -0.0), ((INF,), INF), ((-INF,), -INF), ((1e4,), INF), ((-1e4,), -INF)],
    "cosh": [((0.0,), 1.0), ((INF,), INF), ((-INF,), INF), ((-1e4,), INF)],
    "tanh": [((-0.0,), -0.0), ((INF,), 1.0), ((-INF,), -1.0), ((-30.0,), -1.0)],
    "asinh": [((0.0,), 0.0), ((-0.0,), -0.0), ((INF,), INF), ((-INF,), -INF)],
    "acosh": [((1.0,), 0.0), ((INF,), INF), ((0.5,), NAN), ((-INF,), NAN)],
    "atanh": [((-0.0,), -0.0), ((1.0,), INF), ((-1.0,), -INF), ((1.5,), NAN), ((-1.5,), NAN)],
    "sigmoid": [((INF,), 1.0), ((-INF,), 0.0), ((0.0,), 0.5)],
    "silu": [((INF,), INF), ((0.0,), 0.0), ((-INF,), NAN)],
    "gelu": [((INF,), INF), ((0.0,), 0.0), ((-INF,), NAN), ((-100.0,), -0.0)],
    "erf": [((INF,), 1.0), ((-INF,), -1.0), ((-0.0,), -0.0)],
    "erfc": [((INF,), 0.0), ((-INF,), 2.0), ((0.0,), 1.0)],
    "atan2": [((0.0, 1.0), 0.0), ((-0.0, 1.0), -0.0), ((0.0, -0.0), np.pi), ((-0.0, -0.0), -np.pi),
              ((1.0, 0.0), np.pi / 2), ((-1.0, -0.0), -np.pi / 2), ((INF, INF), np.pi / 4),
              ((INF, -INF), 3 * np.pi / 4), ((-INF, -INF), -3 * np.pi / 4), ((1.0, INF), 0.0),
              ((-1.0, INF), -0.0), ((1.0, -INF), np.pi), ((INF, 1.0), np.pi / 2)],
    "pow": [((NAN, 0.0), 1.0), ((1.0, NAN), 1.0), ((-1.0, INF), 1.0), ((2.0, INF), INF),
            ((2.0, -INF), 0.0), ((0.5, INF), 0.0), ((0.5, -INF), INF), ((INF, 2.0), INF),
            ((INF, -2.0), 0.0), ((-INF, 3.0), -INF), ((-INF, 2.0), INF), ((-INF, -3.0), -0.0),
            ((-0.0, 3.0), -0.0), ((-0.0, 4.0), 0.0), ((-0.0, -3.0), -INF), ((0.0, -4.0), INF),
            ((-2.0, 0.5), NAN), ((-2.0, 5.0), -32.0), ((-8.0, 1.0 / 3), NAN), ((0.0, 0.7), 0.0)],
    "hypot": [((INF, NAN), INF), ((NAN, -INF), INF), ((3.0, 4.0), 5.0), ((0.0, -0.0), 0.0)],
    "logaddexp": [((INF, INF), INF), ((-INF, -INF), -INF), ((-INF, 2.0), 2.0), ((INF, -INF), INF)],
    "remainder": [((5.0, 0.0), NAN), ((INF, 2.0), NAN), ((5.0, INF), 5.0), ((-5.0, INF), INF),
                  ((-0.0, 3.0), 0.0), ((0.0, -3.0), -0.0), ((-7.0, 3.0), 2.0), ((7.0, -3.0), -2.0)],
    "fmod": [((5.0, 0.0), NAN), ((INF, 2.0), NAN), ((-5.0, INF), -5.0), ((-6.0, 3.0), -0.0)],
    "floor_divide": [((5.0, 0.0), INF), ((-5.0, 0.0), -INF), ((0.0, 0.0), NAN), ((-7.0, 2.0), -4.0),
                     ((1.0, INF), 0.0), ((-0.0, 2.0), -0.0)],
}  # fmt: skip


@pytest.mark.parametrize("op", TABLE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(op: str, dtype: str) -> None:
    """Alone and among ordinary numbers, with the sign of zero; NaN gives NaN."""
    rows = list(TABLE[op])
    if op not in ("pow", "hypot"):
        rows += [((NAN,) * len(rows[0][0]), NAN)]
    info = np.finfo(dtype)
    for arguments, want in rows:
        tiny = [
            np.copysign(info.smallest_subnormal, a) if abs(a) == 1e-45 else a for a in arguments
        ]
        exact = np.copysign(info.smallest_subnormal, want) if abs(want) == 1e-45 else want
        for n in (1, 100):
            operands = [np.full(n, 0.75, dtype) for _ in tiny]
            for operand, a in zip(operands, tiny, strict=True):
                operand[n // 2] = a
            got = getattr(strided, op)(*map(strided.from_numpy, operands)).numpy()[n // 2]
            np.testing.assert_allclose(got, np.asarray(exact, dtype), rtol=4 * info.eps, atol=0)
            if want == 0:
                assert np.signbit(got) == np.signbit(want), (op, arguments, got)


def test_exact_answers() -> None:
    """Powers of two and ten, whole exponents, and squares come out exactly."""
    for dtype in (strided.float32, strided.float64):
        whole = strided.arange(-30, 31).to(dtype)
        assert strided.exp2(whole).log2().tolist() == whole.tolist()
        tens = strided.tensor([10.0**n for n in range(11)], dtype=dtype)
        assert tens.log10().tolist() == [float(n) for n in range(11)]
        x = strided.linspace(0.1, 9.7, 999, dtype=dtype)
        if strided._native.active_isa() != "baseline":  # which has no fused products
            assert strided.array_equal(x**2, x * x)
            assert strided.array_equal(x**0.5, x.sqrt())
            assert strided.array_equal(x**-1, 1 / x)
        for power in (-1.0, 0.5, 1.0, 2.0, 3.0):
            spread = strided.full((999,), power, dtype=dtype)
            assert strided.array_equal(x**power, strided.pow(x, spread))


# ---- the same bits everywhere ----


def assert_same_bits(got: np.ndarray, want: np.ndarray, message: str) -> None:
    bits = {4: np.uint32, 8: np.uint64}[want.itemsize]
    numbers = ~np.isnan(want)
    np.testing.assert_array_equal(np.isnan(got), ~numbers, err_msg=message)
    np.testing.assert_array_equal(got[numbers].view(bits), want[numbers].view(bits), message)


def operands(op: str, dtype: str, count: int) -> list[np.ndarray]:
    return [
        samples(dtype, seed)[:count] for seed in range(1, 2 + (op in (*BINARY, "floor_divide")))
    ]


@pytest.mark.parametrize("op", [*BOUNDS, "floor_divide", "floor", "ceil", "trunc", "round"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_neither_place_nor_stride_nor_neighbours_count(op: str, dtype: str) -> None:
    function = getattr(strided, op)
    # In the first part everything stands beside everything, in the second all are ordinary.
    made = [np.concatenate([a, np.abs(np.tanh(a[::-1])) + 0.1]) for a in operands(op, dtype, 1500)]
    made = [np.where(np.isnan(a), 0.3, a).astype(dtype) for a in made]
    whole = function(*map(strided.from_numpy, made)).numpy()
    for at in range(0, 3000, 13):  # alone
        one = function(*(strided.from_numpy(a[at : at + 1].copy()) for a in made))
        assert_same_bits(one.numpy(), whole[at : at + 1], op)
    for begin, end in ((1, 3000), (7, 30), (1490, 1777), (1600, 1600 + 256)):
        part = function(*(strided.from_numpy(a)[begin:end] for a in made))
        assert_same_bits(part.numpy(), whole[begin:end], op)
    for step in (2, 3, 5, -1, -2):
        views = [strided.from_numpy(a)[::step] for a in made]
        assert_same_bits(function(*views).numpy(), whole[::step], op)
        target = strided.empty((len(whole) * 2,), dtype=views[0].dtype)[::2][: views[0].shape[0]]
        function(*views, out=target)
        assert_same_bits(target.numpy(), whole[::step], op)


@pytest.mark.parametrize("op", ["exp", "pow", "sqrt"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_results_are_the_same(op: str, dtype: str) -> None:
    """Those are written past the caches, from an address that need not begin a line."""
    count = (1 << 21) + 77
    made = [np.resize(a, count) for a in operands(op, dtype, 9000)]
    small = getattr(strided, op)(*(strided.from_numpy(a[:9000].copy()) for a in made)).numpy()
    want = np.resize(small, count)
    x = [strided.from_numpy(a) for a in made]
    assert_same_bits(getattr(strided, op)(*x).numpy(), want, op)
    room = strided.zeros((count + 20,), dtype=x[0].dtype)
    for offset in (1, 5, 16):
        getattr(strided, op)(*x, out=room[offset : offset + count])
        assert_same_bits(room.numpy()[offset : offset + count], want, op)
        assert room[:offset].tolist() == [0.0] * offset
        assert room[offset + count :].tolist() == [0.0] * (20 - offset)
        room[:] = 0
    getattr(strided, op)(*(t[::2] for t in x), out=room[: (count + 1) // 2])
    assert_same_bits(room.numpy()[: (count + 1) // 2], want[::2], op)


@pytest.mark.parametrize("op", BOUNDS)
def test_in_place_is_the_same(op: str) -> None:
    """A block that has to be computed twice must not have lost its inputs."""
    for dtype in ("float32", "float64"):
        x = [strided.from_numpy(a.copy()) for a in operands(op, dtype, 3000)]
        new = getattr(strided, op)(*x).numpy()
        for target in range(len(x)):
            kept = [t.clone() for t in x]
            getattr(strided, op)(*kept, out=kept[target])
            assert_same_bits(kept[target].numpy(), new, op)


# ---- the page ----


def test_the_page_shows_the_table() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|", PAGE.read_text(), re.M)
    shown = {op: (float(bound32), float(bound64)) for op, bound32, _, bound64, _ in rows}
    assert shown == BOUNDS
    for op, bound32, found32, bound64, found64 in rows:
        assert float(found32) <= float(bound32) <= 4, op
        assert float(found64) <= float(bound64) <= 4, op
