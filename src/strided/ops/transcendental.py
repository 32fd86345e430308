"""Powers, exponentials, logarithms, trigonometric, error and gamma functions, elementwise."""

from __future__ import annotations

from strided.ops import gradients as d
from strided.ops.elementwise import binary, unary

# ---- powers, roots, exponentials and logarithms ----

sqrt = unary(
    "sqrt",
    "Square root; NaN below zero.",
    "[4.0, 9.0]",
    "[2.0, 3.0]",
    numpy="sqrt",
    gradient=lambda g, y: g / (2 * d.conj(y)),
)

rsqrt = unary(
    "rsqrt",
    "One over the square root.",
    "[4.0, 16.0]",
    "[0.5, 0.25]",
    gradient=lambda g, y: g * d.conj(-0.5 * (y * y * y)),
)

exp = unary(
    "exp",
    "e to the power of the element.",
    "[0.0]",
    "[1.0]",
    numpy="exp",
    gradient=lambda g, y: g * d.conj(y),
)

exp2 = unary(
    "exp2",
    "2 to the power of the element.",
    "[0.0, 3.0]",
    "[1.0, 8.0]",
    numpy="exp2",
    gradient=lambda g, y: g * d.conj(y * d.LN2),
)

expm1 = unary(
    "expm1",
    "exp(x) - 1, exact near zero.",
    "[0.0]",
    "[0.0]",
    numpy="expm1",
    gradient=lambda g, y: g * d.conj(y + 1),
)

log = unary(
    "log",
    "Natural logarithm.",
    "[1.0]",
    "[0.0]",
    numpy="log",
    gradient=lambda g, x: g / d.conj(x),
)

log2 = unary(
    "log2",
    "Logarithm to base 2.",
    "[1.0, 8.0]",
    "[0.0, 3.0]",
    numpy="log2",
    gradient=lambda g, x: g / (d.conj(x) * d.LN2),
)

log10 = unary(
    "log10",
    "Logarithm to base 10.",
    "[1.0, 100.0]",
    "[0.0, 2.0]",
    numpy="log10",
    gradient=lambda g, x: g / (d.conj(x) * d.LN10),
)

log1p = unary(
    "log1p",
    "log(1 + x), exact near zero.",
    "[0.0]",
    "[0.0]",
    numpy="log1p",
    gradient=lambda g, x: g / (d.conj(x) + 1),
)

pow = binary(
    "pow",
    "The first to the power of the second.",
    "[2, 3], 2",
    "[4, 9]",
    aliases=("power",),
    numpy="power",
    gradient=(
        lambda g, a, b: d.base_gradient(g, a, b),
        lambda g, a, b, y: d.exponent_gradient(g, a, b, y),
    ),
)

float_power = binary(
    "float_power",
    "The first to the power of the second, always in float64.",
    "[2.0, 3.0], 2",
    "[4.0, 9.0]",
    numpy="float_power",
    gradient=(
        lambda g, a, b: d.base_gradient(g, a, b),
        lambda g, a, b, y: d.exponent_gradient(g, a, b, y),
    ),
)

ldexp = binary(
    "ldexp",
    "The first times 2 to the power of the second.",
    "[1.0, 3.0], 2",
    "[4.0, 12.0]",
    gradient=(lambda g, b: d.ldexp(g, b), lambda g, y: g * d.conj(y * d.LN2)),
)

logaddexp = binary(
    "logaddexp",
    "log(exp(a) + exp(b)), without overflow.",
    "[-200.0], 0.0",
    "[0.0]",
    numpy="logaddexp",
    gradient=(
        lambda g, a, b: g * d.conj(d.sigmoid(a - b)),
        lambda g, a, b: g * d.conj(d.sigmoid(b - a)),
    ),
)

logaddexp2 = binary(
    "logaddexp2",
    "log2(2**a + 2**b), without overflow.",
    "[3.0], 3.0",
    "[4.0]",
    numpy="logaddexp2",
    gradient=(
        lambda g, a, b: g * d.conj(d.sigmoid((a - b) * d.LN2)),
        lambda g, a, b: g * d.conj(d.sigmoid((b - a) * d.LN2)),
    ),
)

xlogy = binary(
    "xlogy",
    "x * log(y), 0 where x is 0.",
    "[0.0, 2.0], 1.0",
    "[0.0, 0.0]",
    gradient=(
        lambda g, a, b: d.where((a == 0) & (b <= 0), 0, d.xlogy(g, b)),
        lambda g, a, b: g * a / b,
    ),
)

hypot = binary(
    "hypot",
    "sqrt(a*a + b*b), without overflow.",
    "[3.0], 4.0",
    "[5.0]",
    numpy="hypot",
    gradient=(lambda g, a, y: g * d.conj(a / y), lambda g, b, y: g * d.conj(b / y)),
)


# ---- trigonometric and hyperbolic functions ----

sin = unary(
    "sin",
    "Sine of an angle in radians.",
    "[0.0]",
    "[0.0]",
    numpy="sin",
    gradient=lambda g, x: g * d.conj(d.cos(x)),
)

cos = unary(
    "cos",
    "Cosine of an angle in radians.",
    "[0.0]",
    "[1.0]",
    numpy="cos",
    gradient=lambda g, x: g * d.conj(-d.sin(x)),
)

tan = unary(
    "tan",
    "Tangent of an angle in radians.",
    "[0.0]",
    "[0.0]",
    numpy="tan",
    gradient=lambda g, y: g * d.conj(1 + y * y),
)

asin = unary(
    "asin",
    "Inverse sine, in [-pi/2, pi/2].",
    "[0.0]",
    "[0.0]",
    aliases=("arcsin",),
    numpy="arcsin",
    gradient=lambda g, x: g * d.conj(d.rsqrt(1 - x * x)),
)

acos = unary(
    "acos",
    "Inverse cosine, in [0, pi].",
    "[1.0]",
    "[0.0]",
    aliases=("arccos",),
    numpy="arccos",
    gradient=lambda g, x: g * d.conj(-d.rsqrt(1 - x * x)),
)

atan = unary(
    "atan",
    "Inverse tangent, in [-pi/2, pi/2].",
    "[0.0]",
    "[0.0]",
    aliases=("arctan",),
    numpy="arctan",
    gradient=lambda g, x: g / d.conj(x * x + 1),
)

sinh = unary(
    "sinh",
    "Hyperbolic sine.",
    "[0.0]",
    "[0.0]",
    numpy="sinh",
    gradient=lambda g, x: g * d.conj(d.cosh(x)),
)

cosh = unary(
    "cosh",
    "Hyperbolic cosine.",
    "[0.0]",
    "[1.0]",
    numpy="cosh",
    gradient=lambda g, x: g * d.conj(d.sinh(x)),
)

tanh = unary(
    "tanh",
    "Hyperbolic tangent.",
    "[0.0]",
    "[0.0]",
    numpy="tanh",
    gradient=lambda g, y: g * d.conj(1 - y * y),
)

asinh = unary(
    "asinh",
    "Inverse hyperbolic sine.",
    "[0.0]",
    "[0.0]",
    aliases=("arcsinh",),
    numpy="arcsinh",
    gradient=lambda g, x: g * d.conj(d.rsqrt(x * x + 1)),
)

acosh = unary(
    "acosh",
    "Inverse hyperbolic cosine.",
    "[1.0]",
    "[0.0]",
    aliases=("arccosh",),
    numpy="arccosh",
    gradient=lambda g, x: g * d.conj(d.rsqrt(x * x - 1)),
    complex_gradient=lambda g, x: g * d.conj(d.rsqrt(x - 1) * d.rsqrt(x + 1)),
)

atanh = unary(
    "atanh",
    "Inverse hyperbolic tangent.",
    "[0.0]",
    "[0.0]",
    aliases=("arctanh",),
    numpy="arctanh",
    gradient=lambda g, x: g / d.conj(1 - x * x),
)

sinc = unary(
    "sinc",
    "sin(pi x) / (pi x), 1 at 0.",
    "[0.0, 2.0]",
    "[1.0, 0.0]",
    numpy="sinc",
    gradient=lambda g, x: (
        g * d.conj(d.where(x == 0, 0, (d.cos(d.pi * x) - d.sin(d.pi * x) / (d.pi * x)) / x))
    ),
)

atan2 = binary(
    "atan2",
    "The angle of the point (second, first), in radians.",
    "[0.0], 1.0",
    "[0.0]",
    aliases=("arctan2",),
    numpy="arctan2",
    gradient=(
        lambda g, a, b: d.where((a == 0) & (b == 0), 0, g * b / (a * a + b * b)),
        lambda g, a, b: d.where((a == 0) & (b == 0), 0, -g * a / (a * a + b * b)),
    ),
)

deg2rad = unary(
    "deg2rad",
    "Degrees to radians.",
    "[0.0]",
    "[0.0]",
    aliases=("radians",),
    numpy="deg2rad",
    gradient=lambda g: g * d.conj(d.pi / 180),
)

rad2deg = unary(
    "rad2deg",
    "Radians to degrees.",
    "[0.0]",
    "[0.0]",
    aliases=("degrees",),
    numpy="rad2deg",
    gradient=lambda g: g * d.conj(180 / d.pi),
)


# ---- error and gamma functions ----

erf = unary(
    "erf",
    "Error function.",
    "[0.0]",
    "[0.0]",
    gradient=lambda g, x: g * d.conj(d.exp(-(x * x)) * d.TWO_BY_SQRT_PI),
)

erfc = unary(
    "erfc",
    "1 - erf(x), exact for large x.",
    "[0.0]",
    "[1.0]",
    gradient=lambda g, x: g * d.conj(d.exp(-(x * x)) * -d.TWO_BY_SQRT_PI),
)

lgamma = unary(
    "lgamma",
    "Logarithm of the absolute gamma function.",
    "[1.0, 2.0]",
    "[0.0, 0.0]",
    gradient=lambda g, x: g * d.conj(d.digamma(x)),
)

digamma = unary(
    "digamma",
    "Derivative of lgamma.",
    "[0.0]",
    "[-inf]",
    gradient=lambda g, x: g * d.conj(d.trigamma(x)),
)
