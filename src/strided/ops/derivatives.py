"""What gradients of elementwise ops are made of: ops, numbers, and what one line cannot hold.

Each function takes tensors, values inside a fused function, or Python numbers, and is made of
differentiable operations, so derivatives of derivatives follow.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor, apply, op_table

_NUMBERS = (bool, int, float, complex)
_IDS = op_table()


def _op(name: str) -> Callable[..., Any]:
    """Return an op as a function; of Python numbers alone it is a Python number, in full width."""
    number = _IDS[name][0]

    def function(*operands: Any) -> Any:
        if not all(isinstance(one, _NUMBERS) for one in operands):
            return apply(number, *operands)
        wide = _native.float64
        return apply(number, *(_native.empty((), dtype=wide).fill_(one) for one in operands)).item()

    return function


cos = _op("cos")
cosh = _op("cosh")
digamma = _op("digamma")
erf = _op("erf")
exp = _op("exp")
expm1 = _op("expm1")
floor_divide = _op("floor_divide")
isfinite = _op("isfinite")
isnan = _op("isnan")
ldexp = _op("ldexp")
log = _op("log")
rsqrt = _op("rsqrt")
sigmoid = _op("sigmoid")
sign = _op("sign")
sin = _op("sin")
sinh = _op("sinh")
tanh = _op("tanh")
trunc = _op("trunc")
where = _op("where")
xlogy = _op("xlogy")

pi = math.pi
nan = math.nan
LN2 = math.log(2)
LN10 = math.log(10)
SQRT_HALF = math.sqrt(0.5)
TWO_BY_SQRT_PI = 2 / math.sqrt(math.pi)
NORMAL = 1 / math.sqrt(2 * math.pi)  # the normal density at 0
GELU = math.sqrt(2 / math.pi)
CUBIC = 0.044715


def conj(x: Any) -> Any:
    """Return the conjugate of complex numbers, and real ones as they are."""
    if isinstance(x, Tensor):
        return x.conj() if x.dtype.is_complex else x
    return x.conjugate() if isinstance(x, complex) else x


def sign_gradient(g: Tensor, x: Tensor) -> Tensor:
    """Return what of g points along the circle on which z / |z| moves."""
    size = x.absolute()
    unit = x / size
    moved = g / size
    along = moved - (moved * unit.conj()).real * unit
    made: Tensor = where(size == 0, 0, along)
    return made


def angle_gradient(g: Tensor, x: Tensor) -> Tensor:
    """Return the gradient of the angle of complex numbers; zero has none."""
    size = x.absolute()
    made: Tensor = where(size == 0, 0, g * (x * 1j) / (size * size))
    return made


def base_gradient(g: Any, a: Any, b: Any) -> Any:
    """Return the gradient of ``a ** b`` for a: zero where b is, also at a = 0."""
    if isinstance(b, _NUMBERS):
        if b == 0:
            return where(False, g, 0)  # also where g is not finite
        if b == 1:
            return g
        if b == 2:
            return g * (2 * conj(a))
        return g * conj(b * a ** (b - 1))
    return where(b == 0, 0, g * conj(b * a ** (b - 1)))


def exponent_gradient(g: Any, a: Any, b: Any, y: Any) -> Any:
    """Return the gradient of ``a ** b`` for b: zero where a is and the result is finite."""
    if not isinstance(a, _NUMBERS):
        return g * conj(where((a == 0) & (_real(b) >= 0), 0, y * log(a)))
    if a == 0:
        return g * conj(where(_real(b) >= 0, 0, y * -math.inf))
    if isinstance(a, complex) or _is_complex(y):
        return g * conj(y * cmath.log(a))
    return g * (y * (math.log(a) if a > 0 else math.nan))


def _is_complex(x: Any) -> bool:
    return isinstance(x, complex) or (isinstance(x, Tensor) and x.dtype.is_complex)


def _real(x: Any) -> Any:
    return x.real if _is_complex(x) else x


# Coefficients of 1 / x**3, 1 / x**5, ...: the Bernoulli numbers B2, B4, ... (Abramowitz and Stegun
# 6.4.12).
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
_STEPS = 10  # x + 10 is large enough for the series to be exact to the last bits


def trigamma(x: Any) -> Any:
    """Return the derivative of digamma: recurrence, then the series for large numbers.

    Left of 1/2 by reflection: trigamma(x) + trigamma(1 - x) = (pi / sin(pi x))**2.
    """
    left = x < 0.5
    t = where(left, 1 - x, x)
    total = 1 / (t * t)
    for step in range(1, _STEPS):
        total = total + 1 / ((t + step) * (t + step))
    u = 1 / (t + _STEPS)
    square = u * u
    series = _BERNOULLI[-1] * square
    for coefficient in reversed(_BERNOULLI[:-1]):
        series = (series + coefficient) * square
    right = total + u + 0.5 * square + series * u
    s = math.pi / sin(math.pi * x)
    return where(left, s * s - right, right)
