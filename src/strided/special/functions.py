"""Bessel, error and gamma functions and orthogonal polynomials, elementwise, by PyTorch's names.

They are computed in float64 and rounded once to the dtype of the operand; integers give float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch
from strided.ops.arguments import as_operand, into
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients

Derivative = Callable[[Tensor, Tensor], Any]


def _result_dtype(name: str, *given: Tensor) -> DType:
    dtype = given[0].dtype
    for one in given[1:]:
        dtype = _native.promote_types(dtype, one.dtype)
    if dtype.kind == "c":
        raise DTypeMismatch(
            operation=name, got=dtype.name, reason="it takes real numbers", hint="use x.real"
        )
    return dtype if dtype.kind == "f" else _native.float32


def computed(name: str, x: Any, y: Any = None, out: Tensor | None = None) -> Tensor:
    """Return a special function of one or two tensors, which broadcast."""
    if isinstance(x, Tensor) and y is not None and not isinstance(y, Tensor):
        weak = x.dtype if x.dtype.kind == "f" else _native.float32
        y = _native.empty((), dtype=weak).fill_(y)
    elif isinstance(y, Tensor) and not isinstance(x, Tensor):
        weak = y.dtype if y.dtype.kind == "f" else _native.float32
        x = _native.empty((), dtype=weak).fill_(x)
    given = [as_operand(one) for one in (x, y) if one is not None]
    dtype = _result_dtype(name, *given)
    shape = given[0].shape
    for one in given[1:]:
        shape = _native.broadcast_shape(shape, one.shape)
    wide = [
        one.detach()._convert(_native.float64, reason="promote").broadcast_to(shape).contiguous()
        for one in given
    ]
    found = _native.special_values(name, wide[0], wide[1] if len(wide) > 1 else None)
    return into(out, found._convert(dtype, reason="promote"), name)


def _unary(
    name: str,
    says: str,
    example: str,
    result: str,
    derivative: Derivative | None = None,
    method: str | None = None,
    main: bool = False,
    in_place: bool = False,
    aliases: tuple[str, ...] = (),
) -> Any:
    """Define a function of one tensor; ``derivative`` is made of x and the result."""

    def body(x: Tensor, /, *, out: Tensor | None = None) -> Tensor:
        return computed(name, x, out=out)

    place = "strided" if main else "strided.special"
    body.__doc__ = (
        f"Return {says}. A new tensor, or ``out``.\n\n    >>> import strided\n"
        f"    >>> found = {place}.{name}(strided.tensor([{example}])).item()\n"
        f"    >>> f'{{found:.4f}}'\n    '{float(result):.4f}'\n    "
    )

    def rule(call: Call, x: Tensor, out: None) -> Backward:
        saved = call.save(x, call.output)

        def backward(g: Tensor) -> Gradients:
            assert derivative is not None
            x, y = saved()
            return (g * derivative(x, y),)

        return backward

    return operation(
        name=name,
        gradient=None if derivative is None else rule,
        method=method,
        namespace="" if main else "special",
        in_place="several" if in_place else False,
        aliases=aliases,
    )(body)


def _binary(
    name: str, says: str, example: tuple[str, str], result: str, derivative: Any = None
) -> Any:
    """Define a function of two tensors; ``derivative`` is that by the second one."""

    def body(x: Any, n: Any, /, *, out: Tensor | None = None) -> Tensor:
        return computed(name, x, n, out)

    body.__doc__ = (
        f"Return {says}. A new tensor, or ``out``.\n\n    >>> import strided\n"
        f"    >>> x = strided.tensor([{example[0]}])\n"
        f"    >>> found = strided.special.{name}(x, {example[1]}).item()\n"
        f"    >>> f'{{found:.4f}}'\n    '{float(result):.4f}'\n    "
    )
    return operation(name=name, namespace="special", operands=2)(body)


# ---- Bessel functions ----

i0 = _unary(
    "i0",
    "the modified Bessel function of the first kind of order 0",
    "0.0",
    "1.0",
    lambda x, y: i1(x),
    method="",
    main=True,
    in_place=True,
)
i1: Any = _unary(
    "i1",
    "the modified Bessel function of the first kind of order 1",
    "0.0",
    "0.0",
    lambda x, y: where(x == 0, 0.5, i0(x) - y / where(x == 0, 1.0, x)),
)
i0e = _unary("i0e", "``exp(-|x|) i0(x)``", "0.0", "1.0", lambda x, y: i1e(x) - x.sgn() * y)
i1e: Any = _unary(
    "i1e",
    "``exp(-|x|) i1(x)``",
    "0.0",
    "0.0",
    lambda x, y: where(x == 0, 0.5, i0e(x) - y * (x.sgn() + where(x == 0, 1.0, x).reciprocal())),
)
modified_bessel_k0 = _unary(
    "modified_bessel_k0", "the modified Bessel function of the second kind, 0", "1.0", "0.421"
)
modified_bessel_k1 = _unary(
    "modified_bessel_k1",
    "the modified Bessel function of the second kind, order 1",
    "1.0",
    "0.6019",
)
scaled_modified_bessel_k0 = _unary(
    "scaled_modified_bessel_k0", "``exp(x) modified_bessel_k0(x)``", "1.0", "1.1445"
)
scaled_modified_bessel_k1 = _unary(
    "scaled_modified_bessel_k1", "``exp(x) modified_bessel_k1(x)``", "1.0", "1.6362"
)
bessel_j0 = _unary("bessel_j0", "the Bessel function of the first kind, order 0", "0.0", "1.0")
bessel_j1 = _unary("bessel_j1", "the Bessel function of the first kind, order 1", "1.0", "0.4401")
bessel_y0 = _unary("bessel_y0", "the Bessel function of the second kind, order 0", "1.0", "0.0883")
bessel_y1 = _unary("bessel_y1", "the Bessel function of the second kind, order 1", "1.0", "-0.7812")
airy_ai = _unary("airy_ai", "the Airy function Ai", "0.0", "0.355")

# ---- error functions ----

erfcx = _unary(
    "erfcx",
    "``exp(x**2) erfc(x)``, without overflow",
    "0.0",
    "1.0",
    lambda x, y: 2 * x * y - 2 / math.sqrt(math.pi),
)
erfinv = _unary(
    "erfinv",
    "the inverse of ``erf``",
    "0.5",
    "0.4769",
    lambda x, y: (math.sqrt(math.pi) / 2) * (y * y).exp(),
    method="",
    main=True,
    in_place=True,
)
ndtr = _unary(
    "ndtr",
    "the share of the normal distribution below x",
    "0.0",
    "0.5",
    lambda x, y: (x * x * -0.5).exp() / math.sqrt(2 * math.pi),
)
ndtri = _unary(
    "ndtri",
    "the inverse of ``ndtr``",
    "0.5",
    "0.0",
    lambda x, y: math.sqrt(2 * math.pi) * (y * y / 2).exp(),
)
log_ndtr = _unary(
    "log_ndtr",
    "the logarithm of ``ndtr``, exact far below zero",
    "0.0",
    "-0.6931",
    lambda x, y: math.sqrt(2 / math.pi) / erfcx(x * -math.sqrt(0.5)),
)

# ---- gamma functions ----


def _igamma_gradient(call: Call, x: Any, other: Any, out: None, sign: int = 1) -> Backward:
    saved = call.save(*(one if isinstance(one, Tensor) else None for one in (x, other)))
    needs_first = call.needs(0) and isinstance(x, Tensor)

    def backward(g: Tensor) -> Gradients:
        from strided.errors import GradientNotPossible

        a, b = saved()
        a, b = (x if a is None else a), (other if b is None else b)
        if needs_first:
            raise GradientNotPossible(
                operation="a gradient of igamma by its first operand",
                reason="it has no closed form, and PyTorch has none either",
                hint="detach the first operand",
            )
        size = as_operand(a).lgamma() if not isinstance(a, Tensor) else a.lgamma()
        made = g * sign * ((a - 1) * b.log() - b - size).exp()
        return tuple(
            None if position == 0 else made.sum_to_size(b.shape)
            for position, one in enumerate((x, other))
            if isinstance(one, Tensor)
        )

    return backward


def _igammac_gradient(call: Call, x: Any, other: Any, out: None) -> Backward:
    return _igamma_gradient(call, x, other, out, -1)


@operation(gradient=_igamma_gradient, operands=2, in_place="several")
def igamma(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return the regularised lower incomplete gamma function P(a, x). A new tensor, or ``out``.

    >>> import strided
    >>> f"{strided.igamma(strided.tensor([1.0]), strided.tensor([1.0])).item():.4f}"
    '0.6321'
    """
    return computed("igamma", x, other, out)


@operation(gradient=_igammac_gradient, operands=2, in_place="several")
def igammac(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return the regularised upper incomplete gamma function Q(a, x). A new tensor, or ``out``.

    >>> import strided
    >>> f"{strided.igammac(strided.tensor([1.0]), strided.tensor([1.0])).item():.4f}"
    '0.3679'
    """
    return computed("igammac", x, other, out)


def _polygamma_gradient(call: Call, n: int, x: Tensor, out: None) -> Backward:
    saved = call.save(x)

    def backward(g: Tensor) -> Gradients:
        (x,) = saved()
        return (g * polygamma(n + 1, x),)

    return backward


@operation(gradient=_polygamma_gradient, operands=2, method=None)
def polygamma(n: int, x: Tensor, /, *, out: Tensor | None = None) -> Tensor:
    """Return the n-th derivative of ``digamma``. A new tensor, or ``out``.

    >>> import strided
    >>> f"{strided.polygamma(1, strided.tensor([1.0])).item():.4f}"
    '1.6449'
    """
    if not isinstance(n, int):  # x.polygamma(n)
        n, x = int(x), n
    if n == 0:
        return into(out, as_operand(x).digamma(), "polygamma")
    dtype = x.dtype if x.dtype.kind == "f" else _native.float32
    order = _native.empty((), dtype=dtype).fill_(n)
    return computed("polygamma", order, x, out)


@operation(name="polygamma of a tensor", function=None, method="polygamma", operands=1)
def polygamma_method(x: Tensor, /, n: int) -> Tensor:
    """Return the n-th derivative of ``digamma``. A new tensor.

    >>> import strided
    >>> f"{strided.tensor([1.0]).polygamma(1).item():.4f}"
    '1.6449'
    """
    return polygamma(n, x)


@operation(name="polygamma_ of a tensor", function=None, method="polygamma_", kind="in place")
def polygamma_in_place(x: Tensor, /, n: int) -> Tensor:
    """Overwrite with the n-th derivative of ``digamma``, in place.

    >>> import strided
    >>> f"{strided.tensor([1.0]).polygamma_(1).item():.4f}"
    '1.6449'
    """
    return x.copy_(polygamma(n, x.clone()))


zeta = _binary(
    "zeta", "the Hurwitz zeta function, the sum of ``(q + k)**-x``", ("2.0", "1.0"), "1.6449"
)


@operation(in_place="several")
def mvlgamma(x: Tensor, /, p: int, *, out: Tensor | None = None) -> Tensor:
    """Return the logarithm of the multivariate gamma function. A new tensor, or ``out``.

    >>> import strided
    >>> f"{strided.mvlgamma(strided.tensor([3.0]), 2).item():.4f}"
    '1.5502'
    """
    total: Any = p * (p - 1) / 4 * math.log(math.pi)
    for i in range(p):
        total = (x - i / 2).lgamma() + total
    made: Tensor = into(out, total, "mvlgamma")
    return made


# ---- entropies ----


@operation(namespace="special")
def entr(x: Tensor, /, *, out: Tensor | None = None) -> Tensor:
    """Return ``-x log(x)``, 0 at 0 and -inf below. A new tensor, or ``out``.

    >>> import strided
    >>> strided.special.entr(strided.tensor([0.0, 1.0])).tolist()
    [0.0, -0.0]
    """
    inside = where(x > 0, x, 1.0)
    found = where(x > 0, -x * inside.log(), where(x < 0, -math.inf, where(x == 0, 0.0, x)))
    return into(out, found, "entr")


@operation(namespace="special", operands=2)
def xlog1py(x: Any, other: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return ``x log(1 + y)``, 0 where x is 0. A new tensor, or ``out``.

    >>> import strided
    >>> strided.special.xlog1py(strided.tensor([0.0]), strided.tensor([-1.0])).tolist()
    [0.0]
    """
    x, other = as_operand(x), as_operand(other)
    is_zero = (x == 0) & ~other.isnan()
    return into(out, where(is_zero, 0.0, x * where(is_zero, 0.0, other).log1p()), "xlog1py")


@operation(namespace="special")
def spherical_bessel_j0(x: Tensor, /, *, out: Tensor | None = None) -> Tensor:
    """Return ``sin(x) / x``, 1 at 0. A new tensor, or ``out``.

    >>> import strided
    >>> strided.special.spherical_bessel_j0(strided.tensor([0.0])).tolist()
    [1.0]
    """
    return into(out, (x * (1 / math.pi)).sinc(), "spherical_bessel_j0")


# ---- orthogonal polynomials ----

chebyshev_polynomial_t = _binary(
    "chebyshev_polynomial_t", "Chebyshev's polynomial of the first kind T", ("0.5", "2"), "-0.5"
)
chebyshev_polynomial_u = _binary(
    "chebyshev_polynomial_u", "Chebyshev's polynomial of the second kind U", ("0.5", "2"), "0.0"
)
chebyshev_polynomial_v = _binary(
    "chebyshev_polynomial_v", "Chebyshev's polynomial of the third kind V", ("0.5", "2"), "-1.0"
)
chebyshev_polynomial_w = _binary(
    "chebyshev_polynomial_w", "Chebyshev's polynomial of the fourth kind W", ("0.5", "2"), "1.0"
)
hermite_polynomial_h = _binary(
    "hermite_polynomial_h", "Hermite's polynomial H of physics", ("0.5", "2"), "-1.0"
)
hermite_polynomial_he = _binary(
    "hermite_polynomial_he", "Hermite's polynomial He of probability", ("0.5", "2"), "-0.75"
)
laguerre_polynomial_l = _binary(
    "laguerre_polynomial_l", "Laguerre's polynomial L", ("0.5", "2"), "0.125"
)
legendre_polynomial_p = _binary(
    "legendre_polynomial_p", "Legendre's polynomial P", ("0.5", "2"), "-0.125"
)


def _shifted(letter: str, result: str) -> None:
    base = f"chebyshev_polynomial_{letter}"

    def body(x: Any, n: Any, /, *, out: Tensor | None = None) -> Tensor:
        return computed(base, as_operand(x) * 2 - 1, n, out)

    body.__doc__ = (
        f"Return ``{base}(2 x - 1, n)``. A new tensor, or ``out``.\n\n    >>> import strided\n"
        f"    >>> x = strided.tensor([0.75])\n"
        f"    >>> strided.special.shifted_{base}(x, 2).item()\n    {result}\n    "
    )
    operation(name=f"shifted_{base}", namespace="special", operands=2)(body)


_shifted("t", "-0.5")
_shifted("u", "0.0")
_shifted("v", "-1.0")
_shifted("w", "1.0")
