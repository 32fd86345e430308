"""Activation functions, elementwise."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops import gradients as d
from strided.ops.comparison import clip
from strided.ops.define import operation
from strided.ops.elementwise import Operand, run_op, unary, where

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


# ---- with parameters ----


@operation(
    op="elu",
    in_place=True,
    gradients=(
        lambda g, a, b: d.where(a < 0, g * b * d.exp(a), d.where(a == 0, g * b, g)),
        lambda g, a: d.where(a <= 0, g * d.expm1(a), 0),
    ),
)
def elu(x: Operand, /, alpha: Operand = 1.0, *, out: Tensor | None = None) -> Tensor:
    """Return the element, or alpha * (exp(x) - 1) when it is negative. A new tensor, or ``out``.

    >>> import strided
    >>> strided.elu(strided.tensor([2.0, -800.0]), alpha=0.5).tolist()
    [2.0, -0.5]
    """
    ...


@operation(
    op="leaky_relu",
    in_place=True,
    gradients=(
        lambda g, a, b: d.where(a > 0, g, g * b),
        lambda g, a: d.where(a > 0, 0, g * a),
    ),
)
def leaky_relu(
    x: Operand, /, negative_slope: Operand = 0.01, *, out: Tensor | None = None
) -> Tensor:
    """Return the element, or a fraction of it when it is negative. A new tensor, or ``out``.

    >>> import strided
    >>> strided.leaky_relu(strided.tensor([2.0, -4.0]), 0.25).tolist()
    [2.0, -1.0]
    """
    ...


@operation(in_place="several", fuse="body")
def hardtanh(
    x: Operand,
    /,
    min_val: Operand = -1.0,
    max_val: Operand = 1.0,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit elements to [min_val, max_val]. A new tensor, or ``out``.

    >>> import strided
    >>> strided.hardtanh(strided.tensor([-2.0, 0.5, 9.0])).tolist()
    [-1.0, 0.5, 1.0]
    """
    if out is None and isinstance(x, Tensor) and _native.any_tracked((x,)):
        # No gradient on the limits themselves, where clip has one.
        above, below = run_op("greater", None, x, min_val), run_op("less", None, x, max_val)
        inside = run_op("logical_and", None, above, below)
        return where(inside, x, clip(x.detach(), min_val, max_val))
    return clip(x, min_val, max_val, out=out)


@operation(
    op="gelu",
    in_place=True,
    gradients=(
        lambda g, x: (
            g * d.conj(0.5 * (1 + d.erf(x * d.SQRT_HALF)) + x * d.exp(-0.5 * (x * x)) * d.NORMAL)
        ),
    ),
)
def gelu(x: Operand, /, approximate: str = "none", *, out: Tensor | None = None) -> Tensor:
    """Return x times the normal distribution function at x. A new tensor, or ``out``.

    ``approximate="tanh"`` takes the approximation by tanh instead of erf.

    >>> import strided
    >>> strided.gelu(strided.tensor([0.0, 20.0])).tolist()
    [0.0, 20.0]
    """
    if approximate not in ("none", "tanh"):
        raise InvalidArgument(
            argument="approximate", got=repr(approximate), requirement="must be 'none' or 'tanh'"
        )
    return run_op("gelu_tanh" if approximate == "tanh" else "gelu", out, x)


@operation(op="softplus", in_place="several", gradients=(lambda g, x: g * d.conj(d.sigmoid(x)),))
def softplus(x: Operand, /, beta: float = 1.0, *, out: Tensor | None = None) -> Tensor:
    """Return log(1 + exp(beta * x)) / beta, without overflow. A new tensor, or ``out``.

    >>> import strided
    >>> strided.softplus(strided.tensor([-200.0, 200.0])).tolist()
    [0.0, 200.0]
    """
    if beta == 1:
        return run_op("softplus", out, x)
    grown = run_op("softplus", None, run_op("multiply", None, x, beta))
    return run_op("divide", out, grown, beta)


@operation(
    op="logit",
    in_place="several",
    gradients=(lambda g, x: d.where((x < 0) | (x > 1), d.nan, g / (x * (1 - x))),),
)
def logit(x: Operand, /, eps: float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return log(x / (1 - x)); ``eps`` limits x to [eps, 1 - eps]. A new tensor, or ``out``.

    >>> import strided
    >>> strided.logit(strided.tensor([0.5])).tolist()
    [0.0]
    """
    return run_op("logit", out, x if eps is None else clip(x, eps, 1 - eps))
