"""How do gradients pass Cholesky, QR, eigenvalue and singular value decompositions?

Vectors of a decomposition are unique only up to their phase (and, where values are equal, not even
so): a gradient exists for what does not depend on it. Sources: I. Murray, "Differentiation of the
Cholesky decomposition" (2016); M. Seeger et al., "Auto-differentiating linear algebra" (2017);
F. Wan and S. Zhang, "Automatic differentiation for complex valued SVD" (2019).
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.rule import Backward, Call, Gradients, gradient_of
from strided.errors import GradientNotPossible
from strided.functions.combine import concat
from strided.functions.create import eye, tril, triu
from strided.linalg.gradients import adjoint
from strided.linalg.solving import inv, solve
from strided.ops.elementwise import where

_PHASE = 1e-2  # a dependence on phases that is no rounding


def _added(*parts: Tensor | None) -> Tensor | None:
    total: Tensor | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else total + part
    return total


def _on_diagonal(values: Tensor, matrices: Tensor) -> Tensor:
    """Return matrices with these values instead of those on the diagonal."""
    side = matrices.shape[-1]
    return where(eye(side, dtype=_native.bool), values.unsqueeze(-1), matrices)


def _gaps(values: Tensor) -> Tensor:
    """Return the differences ``values[j] - values[i]`` as matrices, with 1 on the diagonal."""
    gaps = values.unsqueeze(-2) - values.unsqueeze(-1)
    return _on_diagonal(values * 0 + 1, gaps)


def _diagonal(x: Tensor) -> Tensor:
    return x.diagonal(0, -2, -1)


def _check_phase(operation: str, turned: Tensor) -> None:
    """Refuse a gradient along the phase of vectors: it has none."""
    if turned.size and float(turned.detach().imag.abs().amax()) > _PHASE:
        raise GradientNotPossible(
            operation=f"a gradient of {operation}",
            reason="it depends on the phase of complex vectors, which is arbitrary",
            hint="use what does not change with it: sizes, or products of a vector and its adjoint",
        )


@gradient_of("cholesky")
def _cholesky(call: Call, x: Tensor, /, *, upper: bool = False) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        (found,) = saved()
        lower, to_lower = (adjoint(found), adjoint(g)) if upper else (found, g)
        inner = tril(adjoint(lower) @ to_lower)
        both = inner + adjoint(tril(inner, k=-1))
        back = inv(lower)
        made = adjoint(back) @ both @ back
        return ((made + adjoint(made)) / 4,)

    return backward


@gradient_of("qr")
def _qr(call: Call, x: Tensor, /, *, mode: str = "reduced") -> Backward:
    rows, columns = x.shape[-2:]
    if mode == "complete" and rows > columns:
        raise GradientNotPossible(
            operation="a gradient of qr(mode='complete')",
            reason=f"{rows - columns} columns of Q are not determined by the matrix",
            hint="use mode='reduced'",
        )
    is_wide = columns > rows
    saved = call.save(*call.output, x if is_wide else None)

    def backward(to_q: Tensor | None, to_r: Tensor | None) -> Gradients:
        q, r, x = saved()
        if x is None:
            return (_of_tall(q, r, to_q, to_r),)
        # The columns beyond the square are Q.mH @ R's.
        if to_r is None:
            first, rest = None, None
            to_rest = _native.zeros(x[..., rows:].shape, dtype=x.dtype)
        else:
            first, rest = to_r[..., :rows], to_r[..., rows:]
            to_rest = q @ rest
            to_q = _added(to_q, x[..., rows:] @ adjoint(rest))
        return (concat([_of_tall(q, r[..., :rows], to_q, first), to_rest], axis=-1),)

    return backward


def _of_tall(q: Tensor, r: Tensor, to_q: Tensor | None, to_r: Tensor | None) -> Tensor:
    """Return the gradient of a matrix with at least as many rows as columns."""
    inner = _added(
        None if to_r is None else to_r @ adjoint(r),
        None if to_q is None else -(adjoint(q) @ to_q),
    )
    assert inner is not None
    upper = triu(inner)
    both = upper + adjoint(upper)
    diagonal = _diagonal(both)
    halved = diagonal - diagonal.real / 2 if both.dtype.is_complex else diagonal / 2
    outer = q @ _on_diagonal(halved, both)
    if to_q is not None:
        outer = to_q + outer
    return adjoint(solve(r, adjoint(outer)))


@gradient_of("eigh")
def _eigh(call: Call, x: Tensor, /) -> Backward:
    saved = call.save(*call.output)

    def backward(to_values: Tensor | None, to_vectors: Tensor | None) -> Gradients:
        values, vectors = saved()
        if to_vectors is None:
            assert to_values is not None
            return ((vectors * to_values.unsqueeze(-2)) @ adjoint(vectors),)
        inner = adjoint(vectors) @ to_vectors
        if inner.dtype.is_complex:
            _check_phase("eigh", _diagonal(inner))
        turned = (inner - adjoint(inner)) / 2 / _gaps(values)
        along = values * 0 if to_values is None else to_values
        return (vectors @ _on_diagonal(along, turned) @ adjoint(vectors),)

    return backward


@gradient_of("eig")
def _eig(call: Call, x: Tensor, /) -> Backward:
    saved = call.save(*call.output)

    def backward(to_values: Tensor | None, to_vectors: Tensor | None) -> Gradients:
        values, vectors = saved()
        back = adjoint(vectors)
        if to_vectors is None:
            assert to_values is not None
            return (solve(back, to_values.unsqueeze(-1) * back),)
        inner = back @ to_vectors
        _check_phase("eig", _diagonal(inner))
        # Vectors keep their length.
        inner = inner - (back @ vectors) * _diagonal(inner).real.unsqueeze(-2)
        along = values * 0 if to_values is None else to_values
        return (solve(back, _on_diagonal(along, inner / _gaps(values).conj()) @ back),)

    return backward


@gradient_of("svd")
def _svd(call: Call, x: Tensor, /, *, full_matrices: bool = True) -> Backward:
    saved = call.save(*call.output)
    least = min(x.shape[-2:])

    def backward(to_u: Tensor | None, to_s: Tensor | None, to_vh: Tensor | None) -> Gradients:
        # Vectors that belong to no value are not determined by the matrix.
        u, s, vh = saved()
        u, vh = u[..., :least], vh[..., :least, :]
        if to_u is None and to_vh is None:
            assert to_s is not None
            return ((u * to_s.unsqueeze(-2)) @ vh,)
        to_u = None if to_u is None else to_u[..., :least]
        to_v = None if to_vh is None else adjoint(to_vh[..., :least, :])
        return (_of_factors(u, s, adjoint(vh), to_u, to_s, to_v),)

    return backward


def _of_factors(
    u: Tensor, s: Tensor, v: Tensor, to_u: Any, to_s: Tensor | None, to_v: Any
) -> Tensor:
    """Return the gradient of ``(u * s) @ v.mH``."""
    inner_u: Any = None if to_u is None else adjoint(u) @ to_u
    inner_v: Any = None if to_v is None else adjoint(v) @ to_v
    squares = s * s
    gaps = _gaps(squares)
    core = _added(
        None if inner_u is None else (inner_u - adjoint(inner_u)) / gaps * s.unsqueeze(-2),
        None if inner_v is None else s.unsqueeze(-1) * ((inner_v - adjoint(inner_v)) / gaps),
    )
    assert core is not None
    along: Tensor = s * 0 if to_s is None else to_s
    if u.dtype.is_complex:
        turned = _added(*(None if x is None else _diagonal(x) for x in (inner_u, inner_v)))
        assert turned is not None
        _check_phase("svd", turned)
        if inner_u is not None:
            along = along + _diagonal(inner_u).imag * 1j / s
    made = u @ _on_diagonal(along, core) @ adjoint(v)
    if to_u is not None and u.shape[-2] > u.shape[-1]:
        outside = (to_u - u @ inner_u) / s.unsqueeze(-2)
        made = made + outside @ adjoint(v)
    if to_v is not None and v.shape[-2] > v.shape[-1]:
        outside = (to_v - v @ inner_v) / s.unsqueeze(-2)
        made = made + u @ adjoint(outside)
    return made
