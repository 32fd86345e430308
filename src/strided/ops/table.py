"""ONE ROW PER ELEMENTWISE OP: the native name, other names it goes by, what it computes, the NumPy
function it is compared with, and an example (operands => result, as ``tolist`` prints it).

Functions, methods, in-place methods, docstrings and tests are all made from these rows. What an op
accepts and returns (dtypes) stands in ``core/kernels/op_list.hpp``.
"""

from __future__ import annotations

from typing import NamedTuple


class OpRow(NamedTuple):
    """One elementwise op."""

    name: str
    aliases: tuple[str, ...]
    says: str
    reference: str
    example: tuple[str, str]


def _row(name: str, aliases: str, says: str, reference: str, operands: str, result: str) -> OpRow:
    return OpRow(name, tuple(aliases.split()), says, reference, (operands, result))


UNARY: tuple[OpRow, ...] = (
    _row("absolute", "abs", "Absolute value; the modulus of complex elements.", "absolute",
         "[-1.5, 2.0]", "[1.5, 2.0]"),
    _row("negative", "neg", "The element with its sign changed.", "negative", "[1, -2]", "[-1, 2]"),
    _row("positive", "", "The element itself, in a new tensor.", "positive", "[1, -2]", "[1, -2]"),
    _row("sign", "sgn", "-1, 0 or 1 by sign; z / |z| for complex elements.", "sign",
         "[-3.0, 0.0, 2.0]", "[-1.0, 0.0, 1.0]"),
    _row("square", "", "The element times itself.", "square", "[2, -3]", "[4, 9]"),
    _row("sqrt", "", "Square root; NaN below zero.", "sqrt", "[4.0, 9.0]", "[2.0, 3.0]"),
    _row("rsqrt", "", "One over the square root.", "", "[4.0, 16.0]", "[0.5, 0.25]"),
    _row("reciprocal", "", "One over the element.", "reciprocal", "[2.0, 4.0]", "[0.5, 0.25]"),
    _row("exp", "", "e to the power of the element.", "exp", "[0.0]", "[1.0]"),
    _row("exp2", "", "2 to the power of the element.", "exp2", "[0.0, 3.0]", "[1.0, 8.0]"),
    _row("expm1", "", "exp(x) - 1, exact near zero.", "expm1", "[0.0]", "[0.0]"),
    _row("log", "", "Natural logarithm.", "log", "[1.0]", "[0.0]"),
    _row("log2", "", "Logarithm to base 2.", "log2", "[1.0, 8.0]", "[0.0, 3.0]"),
    _row("log10", "", "Logarithm to base 10.", "log10", "[1.0, 100.0]", "[0.0, 2.0]"),
    _row("log1p", "", "log(1 + x), exact near zero.", "log1p", "[0.0]", "[0.0]"),
    _row("sin", "", "Sine of an angle in radians.", "sin", "[0.0]", "[0.0]"),
    _row("cos", "", "Cosine of an angle in radians.", "cos", "[0.0]", "[1.0]"),
    _row("tan", "", "Tangent of an angle in radians.", "tan", "[0.0]", "[0.0]"),
    _row("asin", "arcsin", "Inverse sine, in [-pi/2, pi/2].", "arcsin", "[0.0]", "[0.0]"),
    _row("acos", "arccos", "Inverse cosine, in [0, pi].", "arccos", "[1.0]", "[0.0]"),
    _row("atan", "arctan", "Inverse tangent, in [-pi/2, pi/2].", "arctan", "[0.0]", "[0.0]"),
    _row("sinh", "", "Hyperbolic sine.", "sinh", "[0.0]", "[0.0]"),
    _row("cosh", "", "Hyperbolic cosine.", "cosh", "[0.0]", "[1.0]"),
    _row("tanh", "", "Hyperbolic tangent.", "tanh", "[0.0]", "[0.0]"),
    _row("asinh", "arcsinh", "Inverse hyperbolic sine.", "arcsinh", "[0.0]", "[0.0]"),
    _row("acosh", "arccosh", "Inverse hyperbolic cosine.", "arccosh", "[1.0]", "[0.0]"),
    _row("atanh", "arctanh", "Inverse hyperbolic tangent.", "arctanh", "[0.0]", "[0.0]"),
    _row("sigmoid", "", "1 / (1 + exp(-x)).", "", "[0.0]", "[0.5]"),
    _row("relu", "", "The element, or 0 when it is negative.", "", "[-1.0, 2.0]", "[0.0, 2.0]"),
    _row("silu", "", "x * sigmoid(x).", "", "[0.0]", "[0.0]"),
    _row("gelu", "", "x times the normal distribution function at x, by erf.", "",
         "[0.0]", "[0.0]"),
    _row("gelu_tanh", "", "gelu by its tanh approximation.", "", "[0.0]", "[0.0]"),
    _row("erf", "", "Error function.", "", "[0.0]", "[0.0]"),
    _row("erfc", "", "1 - erf(x), exact for large x.", "", "[0.0]", "[1.0]"),
    _row("lgamma", "", "Logarithm of the absolute gamma function.", "", "[1.0, 2.0]", "[0.0, 0.0]"),
    _row("softplus", "", "log(1 + exp(x)), without overflow.", "", "[-200.0]", "[0.0]"),
    _row("floor", "", "The largest integer not above the element.", "floor",
         "[1.5, -1.5]", "[1.0, -2.0]"),
    _row("ceil", "", "The smallest integer not below the element.", "ceil",
         "[1.5, -1.5]", "[2.0, -1.0]"),
    _row("trunc", "fix", "The element without its fraction.", "trunc",
         "[1.5, -1.5]", "[1.0, -1.0]"),
    _row("round", "", "The nearest integer; halves go to the even one.", "round",
         "[0.5, 1.5, -2.5]", "[0.0, 2.0, -2.0]"),
    _row("frac", "", "The fraction: x - trunc(x).", "", "[1.5, -1.5]", "[0.5, -0.5]"),
    _row("isnan", "", "Whether the element is NaN.", "isnan", "[1.0]", "[False]"),
    _row("isinf", "", "Whether the element is infinite.", "isinf", "[1.0]", "[False]"),
    _row("isfinite", "", "Whether the element is neither infinite nor NaN.", "isfinite",
         "[1.0]", "[True]"),
    _row("signbit", "", "Whether the sign bit is set, also for -0.0.", "signbit",
         "[-0.0, 1.0]", "[True, False]"),
    _row("logical_not", "", "Whether the element is zero.", "logical_not",
         "[0, 2]", "[True, False]"),
    _row("bitwise_not", "bitwise_invert invert", "Every bit flipped; logical not for bool.",
         "invert", "[0, 5]", "[-1, -6]"),
    _row("conj", "", "Complex conjugate.", "conj", "[1 + 2j]", "[(1-2j)]"),
    _row("angle", "", "The angle of a complex number, in radians.", "angle", "[1.0]", "[0.0]"),
    _row("deg2rad", "", "Degrees to radians.", "deg2rad", "[0.0]", "[0.0]"),
    _row("rad2deg", "", "Radians to degrees.", "rad2deg", "[0.0]", "[0.0]"),
)  # fmt: skip

BINARY: tuple[OpRow, ...] = (
    _row("add", "", "The sum.", "add", "[1, 2], 3", "[4, 5]"),
    _row("subtract", "sub", "The difference.", "subtract", "[4, 5], 3", "[1, 2]"),
    _row("multiply", "mul", "The product.", "multiply", "[1, 2], 3", "[3, 6]"),
    _row("divide", "div true_divide", "The quotient, always in floats.", "divide",
         "[1, 3], 2", "[0.5, 1.5]"),
    _row("floor_divide", "", "The quotient rounded down.", "floor_divide", "[7, -7], 2", "[3, -4]"),
    _row("remainder", "mod", "What floor division leaves; has the sign of the divisor.",
         "remainder", "[7, -7], 3", "[1, 2]"),
    _row("fmod", "", "What truncated division leaves; has the sign of the dividend.", "fmod",
         "[7, -7], 3", "[1, -1]"),
    _row("pow", "power", "The first to the power of the second.", "power", "[2, 3], 2", "[4, 9]"),
    _row("minimum", "", "The smaller one; NaN wins.", "minimum", "[1, 5], 3", "[1, 3]"),
    _row("maximum", "", "The larger one; NaN wins.", "maximum", "[1, 5], 3", "[3, 5]"),
    _row("fmin", "", "The smaller one; NaN loses.", "fmin", "[1, 5], 3", "[1, 3]"),
    _row("fmax", "", "The larger one; NaN loses.", "fmax", "[1, 5], 3", "[3, 5]"),
    _row("atan2", "arctan2", "The angle of the point (second, first), in radians.", "arctan2",
         "[0.0], 1.0", "[0.0]"),
    _row("hypot", "", "sqrt(a*a + b*b), without overflow.", "hypot", "[3.0], 4.0", "[5.0]"),
    _row("logaddexp", "", "log(exp(a) + exp(b)), without overflow.", "logaddexp",
         "[-200.0], 0.0", "[0.0]"),
    _row("copysign", "", "The first with the sign of the second.", "copysign",
         "[1.0, -2.0], -1.0", "[-1.0, -2.0]"),
    _row("nextafter", "", "The next float from the first towards the second.", "nextafter",
         "[1.0], 1.0", "[1.0]"),
    _row("equal", "eq", "Whether both are equal.", "equal", "[1, 2], 2", "[False, True]"),
    _row("not_equal", "ne", "Whether they differ.", "not_equal", "[1, 2], 2", "[True, False]"),
    _row("less", "lt", "Whether the first is smaller.", "less", "[1, 2], 2", "[True, False]"),
    _row("less_equal", "le", "Whether the first is not larger.", "less_equal",
         "[1, 2, 3], 2", "[True, True, False]"),
    _row("greater", "gt", "Whether the first is larger.", "greater", "[1, 3], 2", "[False, True]"),
    _row("greater_equal", "ge", "Whether the first is not smaller.", "greater_equal",
         "[1, 2, 3], 2", "[False, True, True]"),
    _row("logical_and", "", "Whether both are nonzero.", "logical_and",
         "[0, 1], 2", "[False, True]"),
    _row("logical_or", "", "Whether one is nonzero.", "logical_or", "[0, 1], 0", "[False, True]"),
    _row("logical_xor", "", "Whether exactly one is nonzero.", "logical_xor",
         "[0, 1], 2", "[True, False]"),
    _row("bitwise_and", "", "The bits that both have.", "bitwise_and", "[6, 3], 2", "[2, 2]"),
    _row("bitwise_or", "", "The bits that either has.", "bitwise_or", "[4, 1], 2", "[6, 3]"),
    _row("bitwise_xor", "", "The bits that exactly one has.", "bitwise_xor", "[6, 1], 2", "[4, 3]"),
    _row("bitwise_left_shift", "", "Bits moved up; 0 when all are moved out.", "left_shift",
         "[1, 2], 3", "[8, 16]"),
    _row("bitwise_right_shift", "", "Bits moved down, keeping the sign.", "right_shift",
         "[8, -8], 1", "[4, -4]"),
)  # fmt: skip
