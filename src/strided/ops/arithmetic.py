"""Arithmetic, elementwise: signs, sums, products, quotients, remainders, rounding."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops import gradients as d
from strided.ops.arguments import as_operand, into, moved
from strided.ops.data_types import FLOAT_LIMITS
from strided.ops.define import operation
from strided.ops.elementwise import Operand, binary, run_op, unary
from strided.ops.gradients import OP_GRADIENTS, same_for_complex

absolute = unary(
    "absolute",
    "Absolute value; the modulus of complex elements.",
    "[-1.5, 2.0]",
    "[1.5, 2.0]",
    aliases=("abs",),
    numpy="absolute",
    gradient=lambda g, x: g * d.sign(x),
)

negative = unary(
    "negative",
    "The element with its sign changed.",
    "[1, -2]",
    "[-1, 2]",
    aliases=("neg",),
    numpy="negative",
    gradient=lambda g: -g,
)

positive = unary(
    "positive",
    "The element itself, in a new tensor.",
    "[1, -2]",
    "[1, -2]",
    numpy="positive",
    gradient=lambda g: g,
)

sign = unary(
    "sign",
    "-1, 0 or 1 by sign; z / |z| for complex elements.",
    "[-3.0, 0.0, 2.0]",
    "[-1.0, 0.0, 1.0]",
    aliases=("sgn",),
    numpy="sign",
    gradient=0,
    complex_gradient=lambda g, x: d.sign_gradient(g, x),
)

square = unary(
    "square",
    "The element times itself.",
    "[2, -3]",
    "[4, 9]",
    numpy="square",
    gradient=lambda g, x: g * d.conj(2 * x),
)

reciprocal = unary(
    "reciprocal",
    "One over the element.",
    "[2.0, 4.0]",
    "[0.5, 0.25]",
    numpy="reciprocal",
    gradient=lambda g, y: g * d.conj(-(y * y)),
)

multiply = binary(
    "multiply",
    "The product.",
    "[1, 2], 3",
    "[3, 6]",
    aliases=("mul",),
    numpy="multiply",
    gradient=(lambda g, b: g * d.conj(b), lambda g, a: g * d.conj(a)),
)

floor_divide = binary(
    "floor_divide",
    "The quotient rounded down.",
    "[7, -7], 2",
    "[3, -4]",
    numpy="floor_divide",
    gradient=(0, 0),
)

remainder = binary(
    "remainder",
    "What floor division leaves; has the sign of the divisor.",
    "[7, -7], 3",
    "[1, 2]",
    aliases=("mod",),
    numpy="remainder",
    gradient=(lambda g: g, lambda g, a, b: -g * d.floor_divide(a, b)),
)

fmod = binary(
    "fmod",
    "What truncated division leaves; has the sign of the dividend.",
    "[7, -7], 3",
    "[1, -1]",
    numpy="fmod",
    gradient=(lambda g: g, lambda g, a, b: -g * d.trunc(a / b)),
)

gcd = binary(
    "gcd",
    "The greatest common divisor.",
    "[12, 18], 8",
    "[4, 2]",
    numpy="gcd",
)

lcm = binary(
    "lcm",
    "The least common multiple.",
    "[4, 6], 6",
    "[12, 6]",
    numpy="lcm",
)

copysign = binary(
    "copysign",
    "The first with the sign of the second.",
    "[1.0, -2.0], -1.0",
    "[-1.0, -2.0]",
    numpy="copysign",
    gradient=(lambda g, a, y: d.where(a == 0, 0, g * (y / a)), 0),
)

nextafter = binary(
    "nextafter",
    "The next float from the first towards the second.",
    "[1.0], 1.0",
    "[1.0]",
    numpy="nextafter",
    gradient=(lambda g, a, b: d.where(a == b, 0, g), 0),
)

heaviside = binary(
    "heaviside",
    "0 below zero, 1 above; at zero the second.",
    "[-1.0, 0.0, 2.0], 0.5",
    "[0.0, 0.5, 1.0]",
    numpy="heaviside",
    gradient=(0, lambda g, a: d.where(a == 0, g, 0)),
)


# ---- with parameters ----


def _scaled(name: str, x1: Any, x2: Any, alpha: complex, out: Tensor | None) -> Tensor:
    return run_op(name, out, x1, x2 if alpha == 1 else x2 * alpha)


@operation(op="add", numpy_ufunc="add", in_place=True, gradients=(lambda g: g, lambda g: g))
def add(x1: Operand, x2: Operand, /, *, alpha: complex = 1, out: Tensor | None = None) -> Tensor:
    """Add ``x2 * alpha``, elementwise. A new tensor, or ``out``.

    >>> import strided
    >>> strided.add(strided.tensor([1, 2]), 3, alpha=2).tolist()
    [7, 8]
    """
    return _scaled("add", x1, x2, alpha, out)


@operation(
    op="subtract",
    aliases=("sub",),
    numpy_ufunc="subtract",
    in_place=True,
    gradients=(lambda g: g, lambda g: -g),
)
def subtract(
    x1: Operand, x2: Operand, /, *, alpha: complex = 1, out: Tensor | None = None
) -> Tensor:
    """Subtract ``x2 * alpha``, elementwise. A new tensor, or ``out``.

    >>> import strided
    >>> strided.subtract(strided.tensor([8, 9]), 3, alpha=2).tolist()
    [2, 3]
    """
    return _scaled("subtract", x1, x2, alpha, out)


@operation(
    op="divide",
    aliases=("div", "true_divide"),
    numpy_ufunc="divide",
    in_place=True,
    gradients=(lambda g, b: g / d.conj(b), lambda g, a, b: -g * d.conj(a / b / b)),
)
def divide(
    x1: Operand, x2: Operand, /, *, rounding_mode: str | None = None, out: Tensor | None = None
) -> Tensor:
    """The quotient, always in floats; with a ``rounding_mode`` rounded. A new tensor, or ``out``.

    >>> import strided
    >>> strided.divide(strided.tensor([1.0, 3.0]), 2).tolist()
    [0.5, 1.5]
    >>> strided.div(strided.tensor([-7.0]), 2, rounding_mode="trunc").tolist()
    [-3.0]
    """
    if rounding_mode is None:
        return run_op("divide", out, x1, x2)
    if rounding_mode == "floor":
        return run_op("floor_divide", out, x1, x2)
    if rounding_mode != "trunc":
        raise InvalidArgument(
            argument="rounding_mode", got=repr(rounding_mode), requirement="is 'trunc' or 'floor'"
        )
    towards_zero = trunc(run_op("divide", None, x1, x2))
    dtypes = [one.dtype for one in (x1, x2) if isinstance(one, Tensor)]
    if all(dtype.kind in "iub" for dtype in dtypes) and not any(
        isinstance(one, float) for one in (x1, x2)
    ):
        # Whole numbers stay so: what is left over says which way floor went.
        low, rest = run_op("floor_divide", None, x1, x2), run_op("fmod", None, x1, x2)
        negative = run_op("less", None, run_op("multiply", None, run_op("sign", None, rest), x2), 0)
        return into(out, run_op("add", None, low, negative), "divide")
    return into(out, towards_zero, "divide")


@operation(
    op="addcmul",
    in_place=True,
    gradients=(lambda g: g, lambda g, c: g * d.conj(c), lambda g, b: g * d.conj(b)),
)
def addcmul(
    x: Operand, a: Operand, b: Operand, /, *, value: complex = 1, out: Tensor | None = None
) -> Tensor:
    """Return x + value * a * b. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addcmul(strided.tensor([1, 2]), strided.tensor([3, 4]), 5).tolist()
    [16, 22]
    """
    return run_op("addcmul", out, x, a if value == 1 else run_op("multiply", None, a, value), b)


@operation(
    op="addcdiv",
    in_place=True,
    gradients=(
        lambda g: g,
        lambda g, c: g / d.conj(c),
        lambda g, b, c: -g * d.conj(b / (c * c)),
    ),
)
def addcdiv(
    x: Operand, a: Operand, b: Operand, /, *, value: complex = 1, out: Tensor | None = None
) -> Tensor:
    """Return x + value * a / b. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addcdiv(strided.tensor([1.0, 2.0]), strided.tensor([3.0, 4.0]), 2).tolist()
    [2.5, 4.0]
    """
    return run_op("addcdiv", out, x, a if value == 1 else run_op("multiply", None, a, value), b)


@operation(
    op="lerp",
    in_place=True,
    gradients=(
        lambda g, c: g * d.conj(1 - c),
        lambda g, c: g * d.conj(c),
        lambda g, a, b: g * d.conj(b - a),
    ),
)
def lerp(x: Operand, end: Operand, weight: Operand, /, *, out: Tensor | None = None) -> Tensor:
    """Return x + weight * (end - x), linear interpolation. A new tensor, or ``out``.

    >>> import strided
    >>> strided.lerp(strided.tensor([0.0, 10.0]), strided.tensor([4.0, 20.0]), 0.5).tolist()
    [2.0, 15.0]
    """
    ...


# ---- rounding ----

floor = unary(
    "floor",
    "The largest integer not above the element.",
    "[1.5, -1.5]",
    "[1.0, -2.0]",
    numpy="floor",
    gradient=0,
)

ceil = unary(
    "ceil",
    "The smallest integer not below the element.",
    "[1.5, -1.5]",
    "[2.0, -1.0]",
    numpy="ceil",
    gradient=0,
)

trunc = unary(
    "trunc",
    "The element without its fraction.",
    "[1.5, -1.5]",
    "[1.0, -1.0]",
    aliases=("fix",),
    numpy="trunc",
    gradient=0,
)


@operation(op="round", in_place=True, aliases=("around",), numpy_ufunc="round", gradients=(0,))
def round(x: Operand, /, decimals: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the nearest integer, or number of so many decimals. A new tensor, or ``out``.

    Halves go to the even one. Negative ``decimals`` round to tens, hundreds and so on.

    >>> import strided
    >>> strided.round(strided.tensor([0.5, 1.5, -2.5])).tolist()
    [0.0, 2.0, -2.0]
    >>> strided.tensor([1234.567]).round(-2).tolist()
    [1200.0]
    """
    scale = 10.0 ** abs(decimals)
    values = as_operand(x)
    if values.dtype.kind not in "fc":
        if decimals > 0:
            return values.clone() if out is None else out.copy_(values)
        wide = round(values.to(_native.float64) / scale) * scale
        return wide.to(values.dtype) if out is None else out.copy_(wide)
    made = round(values * scale) / scale if decimals > 0 else round(values / scale) * scale
    return made if out is None else out.copy_(made)


frac = unary(
    "frac",
    "The fraction: x - trunc(x).",
    "[1.5, -1.5]",
    "[0.5, -0.5]",
    gradient=lambda g: g,
)


OP_GRADIENTS["nan_to_num"] = same_for_complex(lambda g, a: d.where(d.isfinite(a), g, 0), 0, 0)


@operation(in_place=True)
def nan_to_num(
    x: Tensor,
    /,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Replace NaN, and infinities by the largest numbers unless said. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nan_to_num(strided.tensor([strided.nan, -strided.inf, 2.0]), neginf=-1.0).tolist()
    [0.0, -1.0, 2.0]
    """
    if x.dtype.is_complex:
        if out is None and _native.any_tracked((x,)):
            return nan_to_num(x.view_as_real(), nan, posinf, neginf).view_as_complex()
        made = _native.empty(x.shape, dtype=x.dtype) if out is None else out
        nan_to_num(x.view_as_real(), nan, posinf, neginf, out=made.view_as_real())
        return made
    if x.dtype not in FLOAT_LIMITS:
        return x.clone() if out is None else moved(out, x)
    limits = FLOAT_LIMITS[x.dtype]
    low = limits.min if neginf is None else neginf
    high = limits.max if posinf is None else posinf
    missing = run_op("isnan", None, x) if nan != 0 else None
    made = run_op("nan_to_num", out, x, low, high)
    return made if missing is None else made.masked_fill_(missing, nan)


# ---- complex numbers ----

conj = unary(
    "conj",
    "Complex conjugate.",
    "[1 + 2j]",
    "[(1-2j)]",
    aliases=("conjugate", "conj_physical"),
    numpy="conj",
    gradient=lambda g: d.conj(g),
)

angle = unary(
    "angle",
    "The angle of a complex number, in radians.",
    "[1.0]",
    "[0.0]",
    numpy="angle",
    gradient=0,
    complex_gradient=lambda g, x: d.angle_gradient(g, x),
    in_place=False,
)


# ---- operators of Python that are made of others ----


@operation(function=None)
def __divmod__(x: Tensor, other: Any, /) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(strided.tensor([7, -7]), 2)]
    [[3, -4], [1, 1]]
    """
    return x // other, x % other


@operation(function=None)
def __rdivmod__(x: Tensor, other: Any, /) -> tuple[Tensor, Tensor]:
    """Return the floor quotient and the remainder of a number by this tensor. New tensors.

    >>> import strided
    >>> [t.tolist() for t in divmod(7, strided.tensor([2]))]
    [[3], [1]]
    """
    return other // x, other % x
