"""Trigonometric and hyperbolic functions and their inverses, elementwise."""

from __future__ import annotations

from strided.ops import derivatives as d
from strided.ops.elementwise import binary, unary

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
