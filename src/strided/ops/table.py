"""ONE ROW PER ELEMENTWISE OP: the native name, other names it goes by, what it computes, the NumPy
function it is compared with, an example (operands => result, as ``tolist`` prints it), and its
gradient.

Functions, methods, in-place methods, docstrings, gradient rules and tests are all made from these
rows. What an op accepts and returns (dtypes) stands in ``op_list.hpp`` of the kernels.

The gradient is one expression per operand, of the operands (x; a, b; a, b, c), the result y and the
incoming gradient g. One that does not name g is a derivative, to be multiplied by g (conjugated,
for complex numbers); one that does is the gradient itself. "0": the derivative is zero wherever
there is one. None: the result is no function to be differentiated. Only what an expression names is
kept for the way back. What it may call besides the ops stands in
``ops/derivatives.py``.
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
    gradient: tuple[str, ...] | None


def _row(
    name: str,
    aliases: str,
    says: str,
    reference: str,
    operands: str,
    result: str,
    gradient: str | tuple[str, str] | None = None,
) -> OpRow:
    slopes = (gradient,) if isinstance(gradient, str) else gradient
    return OpRow(name, tuple(aliases.split()), says, reference, (operands, result), slopes)


UNARY: tuple[OpRow, ...] = (
    _row("absolute", "abs", "Absolute value; the modulus of complex elements.", "absolute",
         "[-1.5, 2.0]", "[1.5, 2.0]", "g * sign(x)"),
    _row("negative", "neg", "The element with its sign changed.", "negative", "[1, -2]", "[-1, 2]",
         "-g"),
    _row("positive", "", "The element itself, in a new tensor.", "positive", "[1, -2]", "[1, -2]",
         "g"),
    _row("sign", "sgn", "-1, 0 or 1 by sign; z / |z| for complex elements.", "sign",
         "[-3.0, 0.0, 2.0]", "[-1.0, 0.0, 1.0]", "0 if real else sign_gradient(g, x)"),
    _row("square", "", "The element times itself.", "square", "[2, -3]", "[4, 9]", "2 * x"),
    _row("sqrt", "", "Square root; NaN below zero.", "sqrt", "[4.0, 9.0]", "[2.0, 3.0]",
         "g / (2 * conj(y))"),
    _row("rsqrt", "", "One over the square root.", "", "[4.0, 16.0]", "[0.5, 0.25]",
         "-0.5 * (y * y * y)"),
    _row("reciprocal", "", "One over the element.", "reciprocal", "[2.0, 4.0]", "[0.5, 0.25]",
         "-(y * y)"),
    _row("exp", "", "e to the power of the element.", "exp", "[0.0]", "[1.0]", "y"),
    _row("exp2", "", "2 to the power of the element.", "exp2", "[0.0, 3.0]", "[1.0, 8.0]",
         "y * LN2"),
    _row("expm1", "", "exp(x) - 1, exact near zero.", "expm1", "[0.0]", "[0.0]", "y + 1"),
    _row("log", "", "Natural logarithm.", "log", "[1.0]", "[0.0]", "g / conj(x)"),
    _row("log2", "", "Logarithm to base 2.", "log2", "[1.0, 8.0]", "[0.0, 3.0]",
         "g / (conj(x) * LN2)"),
    _row("log10", "", "Logarithm to base 10.", "log10", "[1.0, 100.0]", "[0.0, 2.0]",
         "g / (conj(x) * LN10)"),
    _row("log1p", "", "log(1 + x), exact near zero.", "log1p", "[0.0]", "[0.0]",
         "g / (conj(x) + 1)"),
    _row("sin", "", "Sine of an angle in radians.", "sin", "[0.0]", "[0.0]", "cos(x)"),
    _row("cos", "", "Cosine of an angle in radians.", "cos", "[0.0]", "[1.0]", "-sin(x)"),
    _row("tan", "", "Tangent of an angle in radians.", "tan", "[0.0]", "[0.0]", "1 + y * y"),
    _row("asin", "arcsin", "Inverse sine, in [-pi/2, pi/2].", "arcsin", "[0.0]", "[0.0]",
         "rsqrt(1 - x * x)"),
    _row("acos", "arccos", "Inverse cosine, in [0, pi].", "arccos", "[1.0]", "[0.0]",
         "-rsqrt(1 - x * x)"),
    _row("atan", "arctan", "Inverse tangent, in [-pi/2, pi/2].", "arctan", "[0.0]", "[0.0]",
         "g / conj(x * x + 1)"),
    _row("sinh", "", "Hyperbolic sine.", "sinh", "[0.0]", "[0.0]", "cosh(x)"),
    _row("cosh", "", "Hyperbolic cosine.", "cosh", "[0.0]", "[1.0]", "sinh(x)"),
    _row("tanh", "", "Hyperbolic tangent.", "tanh", "[0.0]", "[0.0]", "1 - y * y"),
    _row("asinh", "arcsinh", "Inverse hyperbolic sine.", "arcsinh", "[0.0]", "[0.0]",
         "rsqrt(x * x + 1)"),
    _row("acosh", "arccosh", "Inverse hyperbolic cosine.", "arccosh", "[1.0]", "[0.0]",
         "rsqrt(x * x - 1) if real else rsqrt(x - 1) * rsqrt(x + 1)"),
    _row("atanh", "arctanh", "Inverse hyperbolic tangent.", "arctanh", "[0.0]", "[0.0]",
         "g / conj(1 - x * x)"),
    _row("sinc", "", "sin(pi x) / (pi x), 1 at 0.", "sinc", "[0.0, 2.0]", "[1.0, 0.0]",
         "where(x == 0, 0, (cos(pi * x) - sin(pi * x) / (pi * x)) / x)"),
    _row("sigmoid", "", "1 / (1 + exp(-x)).", "", "[0.0]", "[0.5]", "y * (1 - y)"),
    _row("logit", "", "log(x / (1 - x)), the inverse of sigmoid.", "", "[0.5]", "[0.0]",
         "where((x < 0) | (x > 1), nan, g / (x * (1 - x)))"),
    _row("relu", "", "The element, or 0 when it is negative.", "", "[-1.0, 2.0]", "[0.0, 2.0]",
         "where(y <= 0, 0, g)"),
    _row("silu", "", "x * sigmoid(x).", "", "[0.0]", "[0.0]",
         "(s := sigmoid(x)) * (1 + x * (1 - s))"),
    _row("gelu", "", "x times the normal distribution function at x, by erf.", "",
         "[0.0]", "[0.0]", "0.5 * (1 + erf(x * SQRT_HALF)) + x * exp(-0.5 * (x * x)) * NORMAL"),
    _row("gelu_tanh", "", "gelu by its tanh approximation.", "", "[0.0]", "[0.0]",
         "0.5 * (1 + (t := tanh(GELU * (x + CUBIC * (x * x * x)))))"
         " + x * (1 - t * t) * (0.5 * GELU) * (1 + 3 * CUBIC * (x * x))"),
    _row("hardsigmoid", "", "(x + 3) / 6, limited to [0, 1].", "", "[-4.0, 0.0]", "[0.0, 0.5]",
         "where(abs(x) < 3, g / 6, 0)"),
    _row("erf", "", "Error function.", "", "[0.0]", "[0.0]", "exp(-(x * x)) * TWO_BY_SQRT_PI"),
    _row("erfc", "", "1 - erf(x), exact for large x.", "", "[0.0]", "[1.0]",
         "exp(-(x * x)) * -TWO_BY_SQRT_PI"),
    _row("lgamma", "", "Logarithm of the absolute gamma function.", "", "[1.0, 2.0]", "[0.0, 0.0]",
         "digamma(x)"),
    _row("digamma", "", "Derivative of lgamma.", "", "[0.0]", "[-inf]", "trigamma(x)"),
    _row("softplus", "", "log(1 + exp(x)), without overflow.", "", "[-200.0]", "[0.0]",
         "sigmoid(x)"),
    _row("floor", "", "The largest integer not above the element.", "floor",
         "[1.5, -1.5]", "[1.0, -2.0]", "0"),
    _row("ceil", "", "The smallest integer not below the element.", "ceil",
         "[1.5, -1.5]", "[2.0, -1.0]", "0"),
    _row("trunc", "fix", "The element without its fraction.", "trunc",
         "[1.5, -1.5]", "[1.0, -1.0]", "0"),
    _row("round", "", "The nearest integer; halves go to the even one.", "round",
         "[0.5, 1.5, -2.5]", "[0.0, 2.0, -2.0]", "0"),
    _row("frac", "", "The fraction: x - trunc(x).", "", "[1.5, -1.5]", "[0.5, -0.5]", "g"),
    _row("isnan", "", "Whether the element is NaN.", "isnan", "[1.0]", "[False]"),
    _row("isinf", "", "Whether the element is infinite.", "isinf", "[1.0]", "[False]"),
    _row("isposinf", "", "Whether the element is positive infinity.", "isposinf",
         "[1.0]", "[False]"),
    _row("isneginf", "", "Whether the element is negative infinity.", "isneginf",
         "[1.0]", "[False]"),
    _row("isfinite", "", "Whether the element is neither infinite nor NaN.", "isfinite",
         "[1.0]", "[True]"),
    _row("signbit", "", "Whether the sign bit is set, also for -0.0.", "signbit",
         "[-0.0, 1.0]", "[True, False]"),
    _row("logical_not", "", "Whether the element is zero.", "logical_not",
         "[0, 2]", "[True, False]"),
    _row("bitwise_not", "bitwise_invert invert", "Every bit flipped; logical not for bool.",
         "invert", "[0, 5]", "[-1, -6]"),
    _row("conj", "conjugate", "Complex conjugate.", "conj", "[1 + 2j]", "[(1-2j)]", "conj(g)"),
    _row("angle", "", "The angle of a complex number, in radians.", "angle", "[1.0]", "[0.0]",
         "0 if real else angle_gradient(g, x)"),
    _row("deg2rad", "radians", "Degrees to radians.", "deg2rad", "[0.0]", "[0.0]", "pi / 180"),
    _row("rad2deg", "degrees", "Radians to degrees.", "rad2deg", "[0.0]", "[0.0]", "180 / pi"),
)  # fmt: skip

BINARY: tuple[OpRow, ...] = (
    _row("add", "", "The sum.", "add", "[1, 2], 3", "[4, 5]", ("g", "g")),
    _row("subtract", "sub", "The difference.", "subtract", "[4, 5], 3", "[1, 2]", ("g", "-g")),
    _row("multiply", "mul", "The product.", "multiply", "[1, 2], 3", "[3, 6]", ("b", "a")),
    _row("divide", "div true_divide", "The quotient, always in floats.", "divide",
         "[1, 3], 2", "[0.5, 1.5]", ("g / conj(b)", "-g * conj(a / b / b)")),
    _row("floor_divide", "", "The quotient rounded down.", "floor_divide", "[7, -7], 2", "[3, -4]",
         ("0", "0")),
    _row("remainder", "mod", "What floor division leaves; has the sign of the divisor.",
         "remainder", "[7, -7], 3", "[1, 2]", ("g", "-g * floor_divide(a, b)")),
    _row("fmod", "", "What truncated division leaves; has the sign of the dividend.", "fmod",
         "[7, -7], 3", "[1, -1]", ("g", "-g * trunc(a / b)")),
    _row("pow", "power", "The first to the power of the second.", "power", "[2, 3], 2", "[4, 9]",
         ("base_gradient(g, a, b)", "exponent_gradient(g, a, b, y)")),
    _row("float_power", "", "The first to the power of the second, always in float64.",
         "float_power", "[2.0, 3.0], 2", "[4.0, 9.0]",
         ("base_gradient(g, a, b)", "exponent_gradient(g, a, b, y)")),
    _row("ldexp", "", "The first times 2 to the power of the second.", "",
         "[1.0, 3.0], 2", "[4.0, 12.0]", ("ldexp(g, b)", "y * LN2")),
    _row("gcd", "", "The greatest common divisor.", "gcd", "[12, 18], 8", "[4, 2]"),
    _row("lcm", "", "The least common multiple.", "lcm", "[4, 6], 6", "[12, 6]"),
    _row("minimum", "", "The smaller one; NaN wins.", "minimum", "[1, 5], 3", "[1, 3]",
         ("where(a > b, 0, where(a == b, g / 2, g))", "where(b > a, 0, where(a == b, g / 2, g))")),
    _row("maximum", "", "The larger one; NaN wins.", "maximum", "[1, 5], 3", "[3, 5]",
         ("where(a < b, 0, where(a == b, g / 2, g))", "where(b < a, 0, where(a == b, g / 2, g))")),
    _row("fmin", "", "The smaller one; NaN loses.", "fmin", "[1, 5], 3", "[1, 3]",
         ("where((a <= b) | isnan(b), g, 0)", "where((a <= b) | isnan(b), 0, g)")),
    _row("fmax", "", "The larger one; NaN loses.", "fmax", "[1, 5], 3", "[3, 5]",
         ("where((a >= b) | isnan(b), g, 0)", "where((a >= b) | isnan(b), 0, g)")),
    _row("atan2", "arctan2", "The angle of the point (second, first), in radians.", "arctan2",
         "[0.0], 1.0", "[0.0]",
         ("where((a == 0) & (b == 0), 0, g * b / (a * a + b * b))",
          "where((a == 0) & (b == 0), 0, -g * a / (a * a + b * b))")),
    _row("hypot", "", "sqrt(a*a + b*b), without overflow.", "hypot", "[3.0], 4.0", "[5.0]",
         ("a / y", "b / y")),
    _row("logaddexp", "", "log(exp(a) + exp(b)), without overflow.", "logaddexp",
         "[-200.0], 0.0", "[0.0]", ("sigmoid(a - b)", "sigmoid(b - a)")),
    _row("logaddexp2", "", "log2(2**a + 2**b), without overflow.", "logaddexp2",
         "[3.0], 3.0", "[4.0]", ("sigmoid((a - b) * LN2)", "sigmoid((b - a) * LN2)")),
    _row("xlogy", "", "x * log(y), 0 where x is 0.", "", "[0.0, 2.0], 1.0", "[0.0, 0.0]",
         ("where((a == 0) & (b <= 0), 0, xlogy(g, b))", "g * a / b")),
    _row("copysign", "", "The first with the sign of the second.", "copysign",
         "[1.0, -2.0], -1.0", "[-1.0, -2.0]", ("where(a == 0, 0, g * (y / a))", "0")),
    _row("nextafter", "", "The next float from the first towards the second.", "nextafter",
         "[1.0], 1.0", "[1.0]", ("where(a == b, 0, g)", "0")),
    _row("heaviside", "", "0 below zero, 1 above; at zero the second.", "heaviside",
         "[-1.0, 0.0, 2.0], 0.5", "[0.0, 0.5, 1.0]", ("0", "where(a == 0, g, 0)")),
    _row("elu", "", "The element, or alpha * (exp(x) - 1) when it is negative.", "",
         "[2.0, -800.0], 1.0", "[2.0, -1.0]",
         ("where(a < 0, g * b * exp(a), where(a == 0, g * b, g))",
          "where(a <= 0, g * expm1(a), 0)")),
    _row("leaky_relu", "", "The element, or a fraction of it when it is negative.", "",
         "[2.0, -4.0], 0.25", "[2.0, -1.0]", ("where(a > 0, g, g * b)", "where(a > 0, 0, g * a)")),
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
    _row("bitwise_left_shift", "left_shift", "Bits moved up; 0 when all are moved out.",
         "left_shift", "[1, 2], 3", "[8, 16]"),
    _row("bitwise_right_shift", "right_shift", "Bits moved down, keeping the sign.", "right_shift",
         "[8, -8], 1", "[4, -4]"),
)  # fmt: skip

# Ops of three operands are functions of their own; what is left for a table is their gradients.
TERNARY_GRADIENTS: dict[str, tuple[str, str, str]] = {
    "where": ("0", "where(a, g, 0)", "where(a, 0, g)"),
    "clamp": (
        "where((a >= b) & (a <= c), g, 0)",
        "where((a < b) & (b < c), g, 0)",
        "where((a > c) | (c < b), g, 0)",
    ),
    "lerp": ("1 - c", "c", "b - a"),
    "addcmul": ("g", "c", "b"),
    "addcdiv": ("g", "g / conj(c)", "-g * conj(b / (c * c))"),
    "nan_to_num": ("where(isfinite(a), g, 0)", "0", "0"),
}
