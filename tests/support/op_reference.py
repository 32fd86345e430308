"""What every elementwise op must give, written down again: NumPy's answer or the op's formula."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from strided.ops.elementwise import definitions

from .compare import HALVES, ROUNDING, kind_of

UNARY_ROWS = {one.name: one for one in definitions(1)}
BINARY_ROWS = {one.name: one for one in definitions(2)}

# ---- what each op takes and gives, written down once more ----

# Kinds that an op refuses, by the array API: bool is no number, complex numbers have no order.
REFUSED = {
    "b": "negative positive sign square relu floor ceil trunc round signbit conj subtract "
    "floor_divide remainder fmod pow bitwise_left_shift bitwise_right_shift frac nextafter gcd lcm "
    "heaviside",
    "iu": "frac nextafter",
    "f": "bitwise_not bitwise_and bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift "
    "gcd lcm",
    "c": "sigmoid relu silu gelu gelu_tanh erf erfc lgamma softplus floor ceil trunc frac signbit "
    "bitwise_not deg2rad rad2deg floor_divide remainder fmod minimum maximum fmin fmax atan2 hypot "
    "logaddexp copysign nextafter less less_equal greater greater_equal bitwise_and bitwise_or "
    "bitwise_xor bitwise_left_shift bitwise_right_shift sinc logit hardsigmoid digamma isposinf "
    "isneginf ldexp gcd lcm logaddexp2 xlogy heaviside elu leaky_relu",
}
# Ops that keep integers; all others that take them compute in float32.
_KEEPS_INTS = """
    absolute negative positive sign square relu floor ceil trunc round conj bitwise_not add subtract
    multiply floor_divide remainder fmod pow minimum maximum fmin fmax bitwise_and bitwise_or
    bitwise_xor bitwise_left_shift bitwise_right_shift gcd lcm heaviside"""
_GIVES_BOOL = """
    isnan isinf isposinf isneginf isfinite signbit logical_not equal not_equal less
    less_equal greater greater_equal logical_and logical_or logical_xor"""
KEEPS_INTS, GIVES_BOOL = set(_KEEPS_INTS.split()), set(_GIVES_BOOL.split())
GIVES_REAL = {"absolute", "angle"}


def refuses(op: str, dtype: str) -> bool:
    return any(kind_of(dtype) in kinds and op in ops.split() for kinds, ops in REFUSED.items())


def computes_in(op: str, dtype: str) -> str:
    if op == "float_power":
        return "complex128" if kind_of(dtype) == "c" else "float64"
    if kind_of(dtype) in "fc" or op in KEEPS_INTS | GIVES_BOOL:
        return dtype
    return "float32"


def result_dtype(op: str, dtype: str) -> str:
    if op in GIVES_BOOL:
        return "bool"
    inner = computes_in(op, dtype)
    return (
        {"complex64": "float32", "complex128": "float64"}.get(inner, inner)
        if op in GIVES_REAL
        else inner
    )


def _each(function: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda a: np.array([function(v) for v in a.ravel().tolist()], a.dtype).reshape(a.shape)


def _lgamma(v: float) -> float:
    return math.inf if v in (math.inf, -math.inf) or (v <= 0 and v == int(v)) else math.lgamma(v)


def _integer_power(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    bits = 8 * a.itemsize

    def power(x: int, y: int) -> int:
        if y < 0:
            return {1: 1, -1: 1 - 2 * (y % 2)}.get(x, 0)
        return pow(x, y, 1 << bits)

    made = [power(int(x), int(y)) for x, y in np.broadcast(a, b)]
    shape = np.broadcast_shapes(a.shape, b.shape)
    return (
        np.array([m & ((1 << bits) - 1) for m in made], f"u{a.itemsize}")
        .view(a.dtype)
        .reshape(shape)
    )


def _digamma(v: float) -> float:
    """By the recurrence up to 40, where four terms of Stirling's series are exact."""
    if v == 0:
        return math.copysign(math.inf, -v)
    if v < 0:
        if v == -math.inf or v == int(v):
            return math.nan
        return _digamma(1 - v) - math.pi / math.tan(math.pi * math.remainder(v, 1))
    less = []
    while v < 40:
        less.append(-1 / v)
        v += 1
    series = -0.5 / v - 1 / (12 * v**2) + 1 / (120 * v**4) - 1 / (252 * v**6) if v < 1e9 else 0
    return math.fsum([math.log(v) if v == v else v, series, *less])


def _ldexp(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Exactly for whole b; infinities are no whole numbers."""
    whole = (np.trunc(b) == b) & np.isfinite(b)
    steps = np.where(whole, np.clip(np.nan_to_num(b), -5000, 5000), 0).astype(np.int64)
    return np.where(whole, np.ldexp(a, steps), a * np.exp2(b))


FORMULAS: dict[str, Callable[..., np.ndarray]] = {
    "rsqrt": lambda a: 1 / np.sqrt(a),
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "relu": lambda a: np.maximum(a, a.dtype.type(0)),
    "silu": lambda a: a / (1 + np.exp(-a)),
    "gelu": lambda a: a / 2 * _each(math.erfc)(-a / math.sqrt(2)),
    "gelu_tanh": lambda a: a / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (a + 0.044715 * a**3))),
    "erf": _each(math.erf),
    "erfc": _each(math.erfc),
    "lgamma": _each(_lgamma),
    "softplus": lambda a: np.logaddexp(a, 0),
    "frac": lambda a: a - np.trunc(a),
    "logit": lambda a: np.log(a / (1 - a)),
    "hardsigmoid": lambda a: np.clip(a + 3, 0, 6) / 6,
    "digamma": _each(_digamma),
    "isposinf": lambda a: a == np.inf,
    "isneginf": lambda a: a == -np.inf,
    "ldexp": _ldexp,
    "xlogy": lambda a, b: np.where((a == 0) & ~np.isnan(b), 0, a * np.log(b)),
    "heaviside": lambda a, b: np.where(np.isnan(a), a, np.where(a == 0, b, a > 0)),
    "elu": lambda a, b: np.where(a > 0, a, b * np.expm1(a)),
    "leaky_relu": lambda a, b: np.where(a > 0, a, a * b),
}


def reference(op: str, dtype: str, *arrays: np.ndarray) -> np.ndarray:
    """Return what an op must give: NumPy's answer in double precision, rounded to the result."""
    row = UNARY_ROWS.get(op) or BINARY_ROWS[op]
    inner = computes_in(op, dtype)
    arrays = tuple(a.astype(inner) for a in arrays)
    if kind_of(inner) in "fc" and op not in GIVES_BOOL and op != "nextafter":
        wide = "complex128" if kind_of(inner) == "c" else "float64"
        arrays = tuple(a.astype(wide) for a in arrays)
    with np.errstate(all="ignore"):
        if op == "pow" and kind_of(inner) in "iu":
            made = _integer_power(*arrays)
        else:
            assert op in FORMULAS or row.ufunc, f"no ufunc is {op}: FORMULAS needs its formula"
            made = (FORMULAS.get(op) or getattr(np, row.ufunc))(*arrays)
        return np.asarray(made).astype(result_dtype(op, dtype))


# ---- values ----

PLAIN = {
    "b": [True, False, False, True, True],
    "i": [0, 1, -1, 2, -3, 7, 11, -20, 100, -128, 127],
    "u": [0, 1, 2, 3, 7, 11, 20, 100, 128, 255],
    "f": [0.5, -0.25, 0.0, 1.0, -1.0, 0.75, -0.9, 2.0, -3.5, 0.125, 1.5, 10.0, -0.0, 2.5, 8.0],
    "c": [0.5 + 1j, -1 - 2j, 0j, 1, -1j, 0.25 - 0.5j, 2 + 0.125j, -0.75 + 0.5j],
}
OTHER = {
    "b": [False, False, True],
    "i": [3, -2, 1, 0, 5, -7, 2],
    "u": [3, 2, 1, 0, 5, 7, 4, 9],
    "f": [2.0, -0.5, 1.0, 0.25, -3.0, 0.0, 1.5],
    "c": [1 + 1j, 2 - 1j, -0.5j, 3.0],
}
FLOAT_SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, -7.25, 1e-30, -1e-30, 1e30, 88.0, -88.0,
    90.0, -104.0, 1e-5, -1e-5, 0.999, 1000.5, math.pi, math.inf, -math.inf, math.nan,
]  # fmt: skip
# Where a result is ill-conditioned or an overflow boundary, another rounding is no fault.
LOOSE = {"tan": 1e-5, "lgamma": 1e-5, "gelu_tanh": 1e-5, "pow": 1e-5, "exp2": 1e-5, "angle": 1e-6}


def integer_special(dtype: str) -> list[int]:
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    return sorted(
        {low, low + 1, 0, 1, 2, 3, 7, 13, high - 1, high} | ({-1, -2, -7} if low else set())
    )


def rounding(op: str, dtype: str) -> float:
    name = computes_in(op, dtype)
    return max(
        ROUNDING.get(name, 0.0), LOOSE.get(op, 0.0) if name in ("float32", "complex64") else 0.0
    )


def accepted(op: str, dtypes: tuple[str, ...]) -> list[str]:
    return [dtype for dtype in dtypes if not refuses(op, dtype)]


PROMOTED_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def promoted(a: str, b: str) -> str | None:
    """Return the array API's promotion, with halves: the smallest dtype of the higher kind."""
    if a == b:
        return a
    kinds = PROMOTED_KINDS[kind_of(a)], PROMOTED_KINDS[kind_of(b)]
    if kinds[0] < kinds[1]:
        a, b, kinds = b, a, kinds[::-1]
    if kinds[0] == 3:
        return "complex128" if {"complex128", "float64"} & {a, b} else "complex64"
    if kinds[0] > kinds[1]:
        return a
    if kinds[0] == 2:
        return (
            "float32" if {a, b} == set(HALVES) else "float64" if "float64" in (a, b) else "float32"
        )
    common = np.promote_types(a, b).name
    return None if common == "float64" else common
