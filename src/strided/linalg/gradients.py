"""How do gradients pass inverses, solutions, determinants and cross products?

All formulas are made of differentiable operations, so second derivatives follow. Sources: M. Giles,
"Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
(2008); for the pseudo-inverse Golub and Pereyra, "The differentiation of pseudo-inverses and
nonlinear least squares problems whose variables separate" (1973).
"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.autograd.rule import Backward, Call, Gradient, Gradients, gradient_of
from strided.errors import SingularMatrix
from strided.functions.create import eye
from strided.functions.dtypes import finfo
from strided.linalg.decompositions import svd, svdvals
from strided.linalg.products import cross_of_rows
from strided.linalg.solving import det, inv, solve
from strided.ops.elementwise import where


def adjoint(x: Tensor) -> Tensor:
    """Return the transposed matrices, conjugate if they are complex."""
    return conjugate(x).mT


def conjugate(x: Tensor) -> Tensor:
    """Return the conjugates of complex numbers, and real ones as they are."""
    return x.conj() if x.dtype.is_complex else x


@gradient_of("inv")
def _inv(call: Call, x: Tensor, /) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        turned = adjoint(saved()[0])
        return (-(turned @ g @ turned),)

    return backward


@gradient_of("solve")
def _solve(call: Call, a: Tensor, b: Tensor, /) -> Backward:
    """The right side's gradient is the solution of the adjoint system."""
    is_vector, wants_b = b.ndim == 1, call.needs(1)
    saved = call.save(a, call.output if call.needs(0) else None)

    def backward(g: Tensor) -> Gradients:
        a, found = saved()
        right = solve(adjoint(a), g.unsqueeze(-1) if is_vector else g)
        to_a: Gradient = None
        if found is not None:
            to_a = -(right @ adjoint(found.unsqueeze(-1) if is_vector else found))
        if not wants_b:
            return to_a, None
        return to_a, right.squeeze(-1) if is_vector else right

    return backward


@gradient_of("det")
def _det(call: Call, x: Tensor, /) -> Backward:
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, found = saved()
        return (g[..., None, None] * _cofactors(x, found),)

    return backward


def _cofactors(x: Tensor, determinant: Tensor) -> Tensor:
    """Return the conjugate cofactors of matrices."""
    # Derivatives of an inverse whose elements are huge would cancel each other.
    if grad_mode() and _is_near_singular(x.detach()):
        return _cofactors_by_values(x)
    try:
        return conjugate(determinant)[..., None, None] * adjoint(inv(x))
    except SingularMatrix:
        return _cofactors_by_values(x)


def _is_near_singular(x: Tensor) -> bool:
    values = svdvals(x)
    if not values.size:
        return False
    limit = values[..., 0] * math.sqrt(finfo(values.dtype).eps)
    return bool((values[..., -1] <= limit).any())


def _cofactors_by_values(x: Tensor) -> Tensor:
    """Return them also of singular matrices: in each, one singular value is missing."""
    u, s, vh = svd(x)
    side = x.shape[-1]
    others = where(eye(side, dtype=_native.bool), 1.0, s.unsqueeze(-2).expand(*x.shape)).prod(-1)
    turn = conjugate(det(u) * det(vh))
    return turn[..., None, None] * ((u * others.unsqueeze(-2)) @ vh)


@gradient_of("slogdet")
def _slogdet(call: Call, x: Tensor, /) -> Backward:
    is_complex = x.dtype.is_complex
    saved = call.save(x, call.output[0] if is_complex else None)

    def backward(to_sign: Tensor | None, to_logarithm: Tensor | None) -> Gradients:
        x, sign = saved()
        along = to_logarithm
        if is_complex and to_sign is not None:
            # A sign of size 1 only turns.
            turned = (to_sign.conj() * sign).imag * -1j
            along = turned if along is None else along + turned
        return (None if along is None else along[..., None, None] * adjoint(inv(x)),)

    return backward


@gradient_of("pinv")
def _pinv(call: Call, x: Tensor, /, *, rtol: Any = None) -> Backward:
    nothing = [None] * (len(call.tensors) - 1)  # a tolerance has no gradient
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, found = saved()
        turned, back = adjoint(found), adjoint(g)
        left, right = back @ found, found @ back
        made = (
            (left - x @ (found @ left)) @ turned
            + turned @ (right - (right @ found) @ x)
            - turned @ g @ turned
        )
        return (made, *nothing)

    return backward


@gradient_of("cross_of_rows")
def _cross(call: Call, a: Tensor, b: Tensor, /) -> Backward:
    saved = call.save(a if call.needs(1) else None, b if call.needs(0) else None)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        return (
            None if b is None else cross_of_rows(conjugate(b), g),
            None if a is None else cross_of_rows(g, conjugate(a)),
        )

    return backward
