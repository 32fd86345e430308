"""Error, gamma and activation functions, elementwise."""

from __future__ import annotations

from strided.ops import derivatives as d
from strided.ops.elementwise import unary

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

sigmoid = unary(
    "sigmoid",
    "1 / (1 + exp(-x)).",
    "[0.0]",
    "[0.5]",
    gradient=lambda g, y: g * d.conj(y * (1 - y)),
)

relu = unary(
    "relu",
    "The element, or 0 when it is negative.",
    "[-1.0, 2.0]",
    "[0.0, 2.0]",
    gradient=lambda g, y: d.where(y <= 0, 0, g),
)

silu = unary(
    "silu",
    "x * sigmoid(x).",
    "[0.0]",
    "[0.0]",
    gradient=lambda g, x: g * d.conj((s := d.sigmoid(x)) * (1 + x * (1 - s))),
)

gelu_tanh = unary(
    "gelu_tanh",
    "gelu by its tanh approximation.",
    "[0.0]",
    "[0.0]",
    gradient=lambda g, x: (
        g
        * d.conj(
            0.5 * (1 + (t := d.tanh(d.GELU * (x + d.CUBIC * (x * x * x)))))
            + x * (1 - t * t) * (0.5 * d.GELU) * (1 + 3 * d.CUBIC * (x * x))
        )
    ),
)

hardsigmoid = unary(
    "hardsigmoid",
    "(x + 3) / 6, limited to [0, 1].",
    "[-4.0, 0.0]",
    "[0.0, 0.5]",
    gradient=lambda g, x: d.where(abs(x) < 3, g / 6, 0),
)
