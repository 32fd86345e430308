"""Polynomials by their coefficients, the highest power first. NumPy computes them."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.numpy_names.calls import in_floats, numpys
from strided.ops.arguments import as_operand


def poly(seq_of_zeros: Any) -> Tensor:
    """Return the coefficients of the polynomial with these zeros. A new tensor.

    >>> import strided
    >>> strided.poly([1.0, 2.0]).tolist()
    [1.0, -3.0, 2.0]
    """
    return as_operand(numpys("poly", as_operand(seq_of_zeros)))


def polyval(p: Any, x: Any) -> Tensor:
    """Return a polynomial's values, by Horner's rule; gradients pass. A new tensor.

    >>> import strided
    >>> strided.polyval([1, 0, 2], strided.tensor([3.0])).tolist()
    [11.0]
    """
    coefficients, at = as_operand(p), as_operand(x)
    found: Any = at * 0
    for one in coefficients.unbind(0):
        found = found * at + one
    return as_operand(found)


def polyfit(
    x: Any,
    y: Any,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: Any = None,
    cov: bool | str = False,
) -> Any:
    """Return the coefficients of the polynomial that is closest to points. A new tensor.

    With ``full`` or ``cov`` also what NumPy says of the fit.

    >>> import strided
    >>> strided.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round().tolist()
    [2.0, 1.0]
    """
    weights = None if w is None else as_operand(w)
    return numpys("polyfit", in_floats(x), in_floats(y), deg, rcond, full, weights, cov)


def polyadd(a1: Any, a2: Any) -> Tensor:
    """Return the sum of two polynomials. A new tensor.

    >>> import strided
    >>> strided.polyadd([1, 2], [9, 5, 4]).tolist()
    [9, 6, 6]
    """
    return as_operand(numpys("polyadd", as_operand(a1), as_operand(a2)))


def polysub(a1: Any, a2: Any) -> Tensor:
    """Return the difference of two polynomials. A new tensor.

    >>> import strided
    >>> strided.polysub([1, 2], [9, 5, 4]).tolist()
    [-9, -4, -2]
    """
    return as_operand(numpys("polysub", as_operand(a1), as_operand(a2)))


def polymul(a1: Any, a2: Any) -> Tensor:
    """Return the product of two polynomials. A new tensor.

    >>> import strided
    >>> strided.polymul([1, 1], [1, -1]).tolist()
    [1, 0, -1]
    """
    return as_operand(numpys("polymul", as_operand(a1), as_operand(a2)))


def polydiv(u: Any, v: Any) -> tuple[Tensor, Tensor]:
    """Return the quotient and the remainder of two polynomials. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.polydiv([1.0, 0.0, -1.0], [1.0, 1.0])]
    [[1.0, -1.0], [0.0]]
    """
    quotient, rest = numpys("polydiv", in_floats(u), in_floats(v))
    return as_operand(quotient), as_operand(rest)


def polyder(p: Any, m: int = 1) -> Tensor:
    """Return the m-th derivative of a polynomial. A new tensor.

    >>> import strided
    >>> strided.polyder([1, 2, 3]).tolist()
    [2, 2]
    """
    return as_operand(numpys("polyder", as_operand(p), m))


def polyint(p: Any, m: int = 1, k: Any = None) -> Tensor:
    """Return the m-th integral of a polynomial; ``k`` are the constants. A new tensor.

    >>> import strided
    >>> strided.polyint([2.0, 2.0]).tolist()
    [1.0, 2.0, 0.0]
    """
    return as_operand(numpys("polyint", as_operand(p), m, k))


def roots(p: Any) -> Tensor:
    """Return the zeros of a polynomial. A new tensor.

    >>> import strided
    >>> sorted(strided.roots([1.0, -3.0, 2.0]).round().tolist())
    [1.0, 2.0]
    """
    return as_operand(numpys("roots", in_floats(p)))
