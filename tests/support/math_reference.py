"""The functions of test_math_accuracy.py in a dtype with more digits, and what an answer is off.

float64 judges float32; long double judges float64 where it has more digits. Both tests and
``tools/measure_accuracy.py`` use it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from support.math_bounds import BINARY, BOUNDS

import strided

WIDE = np.finfo(np.longdouble).nmant > 60  # or nothing judges float64
PI = "3.14159265358979323846264338327950288"

# ---- references ----


def _erf_near(a: Any) -> Any:
    """erf(a) exp(a^2) sqrt(pi) / 2 = a + 2 a^3 / 3 + 4 a^5 / 15 + ..., all terms positive."""
    term = total = a
    for n in range(1, 60):
        term = term * 2 * a * a / (2 * n + 1)
        total = total + term
    return total


def _erfc_scaled(a: Any) -> Any:
    """exp(a^2) erfc(a) for a >= 0: by the series of erf, beyond 3/2 by a continued fraction."""
    root = np.sqrt(a.dtype.type(PI))
    near, far = np.minimum(a, 1.5), np.maximum(a, 1.5)
    fraction = far
    for n in range(200, 0, -1):
        fraction = far + a.dtype.type(n) / 2 / fraction
    return np.where(
        a < 1.5, np.exp(near * near) - 2 / root * _erf_near(near), 1 / (root * fraction)
    )


def _decay(a: Any, b: Any) -> Any:
    """exp(-a b) with what rounding takes from the product, by splitting numbers in halves."""
    product = a * b
    step = a.dtype.type(2 ** ((np.finfo(a.dtype).nmant + 2) // 2) + 1)
    with np.errstate(all="ignore"):
        high_a, high_b = step * a - (step * a - a), step * b - (step * b - b)
        low_a, low_b = a - high_a, b - high_b
        rest = ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
    return np.exp(-product) * (1 - np.where(np.isfinite(rest), rest, 0))


def _erfc(a: Any) -> Any:
    size = np.abs(a)
    tail = _decay(size, size) * _erfc_scaled(np.minimum(size, 1e4))
    return np.where(a < 0, 2 - tail, tail)


def _erf(a: Any) -> Any:
    size = np.abs(a)
    near = np.minimum(size, 1)
    series = 2 / np.sqrt(a.dtype.type(PI)) * np.exp(-near * near) * _erf_near(near)
    return np.copysign(np.where(size < 1, series, 1 - _erfc(size)), a)


def _gelu(a: Any) -> Any:
    size = np.abs(a)
    scaled = _erfc_scaled(np.minimum(size, 1e4) / np.sqrt(a.dtype.type(2)))
    tail = size * _decay(size, size / 2) * scaled / 2
    return np.where(a < 0, -tail, a - tail)


def _sigmoid(a: Any) -> Any:
    e = np.exp(-np.abs(a))
    return np.where(a < 0, e, 1) / (1 + e)


def _gelu_tanh(a: Any) -> Any:
    cubed = a + a.dtype.type("0.044715") * a**3
    return a * _sigmoid(np.sqrt(8 / a.dtype.type(PI)) * cubed)


def _sinc(a: Any) -> Any:
    pi = a.dtype.type(PI)
    turn = np.fmod(np.abs(a), 2)  # exact; the sine is taken within a quarter of a turn from 0
    turn = np.where(turn > 1, turn - 2, turn)
    near = np.where(np.abs(turn) > 0.5, np.copysign(1, turn) - turn, turn)
    return np.where(a == 0, 1, np.sin(pi * near) / np.where(a == 0, 1, pi * np.abs(a)))


def _logit(a: Any) -> Any:
    near = np.abs(a - 0.5) < 0.25
    return np.where(near, 2 * np.arctanh(2 * a - 1), np.log(a) - np.log1p(-a))


def _logaddexp(a: Any, b: Any, base: Any = None) -> Any:
    gap = np.where(a == b, 0, -np.abs(a - b))
    if base is None:
        return np.maximum(a, b) + np.log1p(np.exp(gap))
    return np.maximum(a, b) + np.log1p(np.exp2(gap)) / np.log(a.dtype.type(base))


def _remainder(a: Any, b: Any) -> Any:
    rest = np.fmod(a, b)
    return np.where(rest == 0, np.copysign(0, b), rest + np.where((rest < 0) != (b < 0), b, 0))


REFERENCES: dict[str, Callable[..., Any]] = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "atan2": np.arctan2, "pow": np.power,
    "rsqrt": lambda a: 1 / np.sqrt(a), "remainder": _remainder,
    "sinc": _sinc, "sigmoid": _sigmoid, "logit": _logit, "gelu": _gelu, "gelu_tanh": _gelu_tanh,
    "silu": lambda a: a * _sigmoid(a), "erf": _erf, "erfc": _erfc,
    "softplus": lambda a: np.where(a > 0, a, 0) + np.log1p(np.exp(-np.abs(a))),
    "logaddexp": _logaddexp, "logaddexp2": lambda a, b: _logaddexp(a, b, 2),
    "xlogy": lambda a, b: np.where((a == 0) & ~np.isnan(b), 0, a * np.log(b)),
}  # fmt: skip

# ---- inputs ----


def samples(dtype: str, seed: int = 0, step: int = 15331) -> np.ndarray:
    """Return numbers of every exponent and sign, special ones, and many of ordinary size."""
    random = np.random.default_rng(seed)
    if dtype == "float32":
        bits = np.arange(seed, 2**32, step, dtype=np.uint64).astype(np.uint32)
    else:
        bits = random.integers(0, 2**64, 60_000, dtype=np.uint64)
    special = [0.0, -0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, 2.0, 1e-45, -1e-45]
    special += [n * float(np.finfo(dtype).smallest_subnormal) for n in range(-5, 9)] * 9
    ordinary = [
        random.uniform(-size, size, 20_000 if dtype == "float32" else 8_000)
        for size in (0.2, 1, 3, 10, 40, 100, 800, 1e5)
    ]
    ordinary.append(1 + random.normal(0, 1e-3, 5000))
    made = np.concatenate(
        [bits.view(dtype), np.array([*special, *np.concatenate(ordinary)], dtype)]
    )
    return random.permutation(made) if seed else made


def pairs(op: str, dtype: str, seed: int = 5) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return operands of ops that take two, where they are hard."""
    random = np.random.default_rng(seed)
    a, b = samples(dtype, seed + 1), samples(dtype, seed + 2)
    n = min(len(a), len(b))
    sizes = random.uniform(0.01, 10, 50_000).astype(dtype)
    made: list[tuple[np.ndarray, np.ndarray]] = [
        (a[:n], b[:n]),
        (sizes, random.uniform(-3, 3, 50_000)),
    ]
    if op == "pow":  # powers of every size, of bases near and far
        base = np.concatenate([np.exp2(random.uniform(-120, 120, 20_000)), sizes[:20_000] + 1])
        end = 127 if dtype == "float32" else 1023
        made.append((base, random.uniform(-end, end, len(base)) / np.log2(base)))
        made.append((base, random.uniform(-60, 60, len(base)) / np.log2(base)))
        made.append((base, np.resize(np.arange(-8, 9) / 2, len(base))))
    elif op in ("atan2", "hypot"):  # neighbours of every size
        with np.errstate(all="ignore"):
            made.append((a, a * random.uniform(0.1, 8, len(a))))
    with np.errstate(all="ignore"):
        return [(x.astype(dtype), y.astype(dtype)) for x, y in made]


# ---- what an answer is off ----


def errors(got: np.ndarray, want: np.ndarray, at_least: Any = 0) -> np.ndarray:
    """Return the distance to the exact result in units in the last place of the narrower dtype."""
    info = np.finfo(got.dtype)
    size = np.maximum(np.abs(want), at_least)
    _, exponent = np.frexp(np.where(np.isfinite(size), size, 1))
    ulp = np.ldexp(want.dtype.type(1), np.maximum(exponent, info.minexp + 1) - info.nmant - 1)
    narrow = want.astype(got.dtype)
    # At the end of the numbers, infinity is as near as the largest one.
    both_large = (np.abs(got) >= info.max) & (np.abs(narrow) >= info.max)
    same = (np.isnan(got) & np.isnan(want)) | both_large | (got == want)
    off = np.abs(got.astype(want.dtype) - want) / ulp
    return np.where(same, 0, np.where(np.isnan(off), np.inf, off))


def worst(op: str, *arrays: np.ndarray) -> tuple[float, tuple[Any, ...]]:
    """Return the largest error of an op and the elements it occurs at."""
    wide = np.float64 if arrays[0].dtype == np.float32 else np.longdouble
    with np.errstate(all="ignore"):
        reference = REFERENCES.get(op) or getattr(np, op)
        want = reference(*(a.astype(wide) for a in arrays))
        if op in ("silu", "gelu", "gelu_tanh"):  # a vanishing factor times -infinity
            want = np.where(arrays[0] == -np.inf, np.nan, want)
            want = np.where(arrays[0] == np.inf, np.inf, want)
        got = getattr(strided, op)(*map(strided.from_numpy, arrays)).numpy()
        near: Any = 0
        if op.startswith("logaddexp"):
            near = np.maximum(*(np.where(np.isfinite(a), np.abs(a), 0) for a in arrays))
        off = errors(got, want, near)
    at = int(np.argmax(off))
    return float(off[at]), (*(a[at] for a in arrays), got[at], want[at])


def worst_of_samples(op: str, dtype: str, rounds: int) -> tuple[float, tuple[Any, ...]]:
    """The same over the inputs above, some of them in order: whole blocks are ordinary there."""
    inputs: list[tuple[np.ndarray, ...]] = []
    for seed in range(rounds):
        if op in BINARY:
            inputs += pairs(op, dtype, seed)
        else:
            shuffled = samples(dtype, seed + 1)
            inputs += [(shuffled,), (np.sort(shuffled[::3]),)]
    return max((worst(op, *arrays) for arrays in inputs), key=lambda found: found[0])


def too_far(dtype: str) -> list[str]:
    """Return the functions that are farther off than their bounds."""
    found = {op: worst_of_samples(op, dtype, rounds=1) for op in BOUNDS}
    bound = {op: BOUNDS[op][dtype == "float64"] for op in BOUNDS}
    return [f"{op}: {off} at {at}" for op, (off, at) in found.items() if off > bound[op]]
