"""Cholesky, QR, eigenvalue and singular value decompositions, and their gradients.

Vectors of a decomposition are unique only up to their phase (and, where values are equal, not even
so): a gradient exists for what does not depend on it. Sources: I. Murray, "Differentiation of the
Cholesky decomposition" (2016); M. Seeger et al., "Auto-differentiating linear algebra" (2017); F.
Wan and S. Zhang, "Automatic differentiation for complex valued SVD" (2019).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import GradientNotPossible, InvalidArgument
from strided.linalg.lapack import (
    adjoint,
    array_of,
    called,
    check_phase,
    complex_dtype,
    diagonal_of,
    gaps,
    is_recorded,
    matrices,
    real_dtype,
    tensor_of,
    total,
    with_diagonal,
)
from strided.linalg.solving import inv, solve
from strided.ops.creation import tril, triu
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.joining import concat


class QRResult(NamedTuple):
    """What ``qr`` returns.

    >>> import strided
    >>> strided.linalg.qr(strided.eye(2)).R.shape
    (2, 2)
    """

    Q: Tensor
    R: Tensor


class EigenResult(NamedTuple):
    """What ``eigh`` and ``eig`` return.

    >>> import strided
    >>> strided.linalg.eigh(strided.eye(2)).eigenvalues.tolist()
    [1.0, 1.0]
    """

    eigenvalues: Tensor
    eigenvectors: Tensor


def _cholesky_gradient(call: Call, x: Tensor, upper: bool) -> Backward:
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


@operation(
    gradient=_cholesky_gradient,
    numpy="linalg.cholesky: a * upper",
    namespace="linalg",
    converts=True,
)
def cholesky(x: Any, /, *, upper: bool = False) -> Tensor:
    """Return the Cholesky factor: a triangle L with ``L @ L.mH == x``. A new tensor.

    Only one triangle of x is read. ``upper`` asks for the upper factor. Of complex matrices the
    transpose is the conjugate one.

    >>> import strided
    >>> strided.linalg.cholesky(strided.tensor([[4.0, 2.0], [2.0, 2.0]])).tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    import numpy as np

    x = matrices("cholesky", x, square=True)
    lower = tensor_of(called("cholesky", np.linalg.cholesky, array_of(x)), x.dtype)
    if not upper:
        return lower
    return lower.mT.conj() if x.dtype.kind == "c" else lower.mT


def _qr_gradient(call: Call, x: Tensor, mode: str) -> Backward:
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
            to_q = total(to_q, x[..., rows:] @ adjoint(rest))
        return (concat([_of_tall(q, r[..., :rows], to_q, first), to_rest], axis=-1),)

    return backward


@operation(gradient=_qr_gradient, namespace="linalg", converts=True)
def qr(x: Any, /, *, mode: str = "reduced") -> QRResult:
    """Return the QR decomposition: orthonormal columns Q, upper triangle R. New tensors.

    ``mode="complete"`` gives a square Q.

    >>> import strided
    >>> q, r = strided.linalg.qr(strided.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> strided.allclose(q @ r, strided.tensor([[3.0, 1.0], [4.0, 2.0]]))
    True
    """
    import numpy as np

    if mode not in ("reduced", "complete"):
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement="must be 'reduced' or 'complete'"
        )
    x = matrices("qr", x)
    q, r = called("qr", np.linalg.qr, array_of(x), mode=mode)
    return QRResult(tensor_of(q, x.dtype), tensor_of(r, x.dtype))


def _of_tall(q: Tensor, r: Tensor, to_q: Tensor | None, to_r: Tensor | None) -> Tensor:
    """Return the gradient of a matrix with at least as many rows as columns."""
    inner = total(
        None if to_r is None else to_r @ adjoint(r),
        None if to_q is None else -(adjoint(q) @ to_q),
    )
    assert inner is not None
    upper = triu(inner)
    both = upper + adjoint(upper)
    diagonal = diagonal_of(both)
    halved = diagonal - diagonal.real / 2 if both.dtype.is_complex else diagonal / 2
    outer = q @ with_diagonal(halved, both)
    if to_q is not None:
        outer = to_q + outer
    return adjoint(solve(r, adjoint(outer)))


def _eigh_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(*call.output)

    def backward(to_values: Tensor | None, to_vectors: Tensor | None) -> Gradients:
        values, vectors = saved()
        if to_vectors is None:
            assert to_values is not None
            return ((vectors * to_values.unsqueeze(-2)) @ adjoint(vectors),)
        inner = adjoint(vectors) @ to_vectors
        if inner.dtype.is_complex:
            check_phase("eigh", diagonal_of(inner))
        rotation = (inner - adjoint(inner)) / 2 / gaps(values)
        along = values * 0 if to_values is None else to_values
        return (vectors @ with_diagonal(along, rotation) @ adjoint(vectors),)

    return backward


@operation(gradient=_eigh_gradient, numpy="linalg.eigh: a", namespace="linalg", converts=True)
def eigh(x: Any, /) -> EigenResult:
    """Return the eigenvalues, ascending, and eigenvectors of symmetric (Hermitian) matrices.

    New tensors. Only the lower triangle is read; the vectors are columns.

    >>> import strided
    >>> strided.linalg.eigh(strided.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues.tolist()
    [1.0, 2.0]
    """
    import numpy as np

    x = matrices("eigh", x, square=True)
    values, vectors = called("eigh", np.linalg.eigh, array_of(x))
    return EigenResult(tensor_of(values, real_dtype(x.dtype)), tensor_of(vectors, x.dtype))


@operation(numpy="linalg.eigvalsh: a", namespace="linalg", converts=True)
def eigvalsh(x: Any, /) -> Tensor:
    """Return the eigenvalues of symmetric (Hermitian) matrices, ascending. A new tensor.

    >>> import strided
    >>> strided.linalg.eigvalsh(strided.tensor([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [1.0, 2.0]
    """
    import numpy as np

    x = matrices("eigvalsh", x, square=True)
    if is_recorded(x):  # the gradient needs the vectors
        return eigh(x).eigenvalues
    values = called("eigvalsh", np.linalg.eigvalsh, array_of(x))
    return tensor_of(values, real_dtype(x.dtype))


def _eig_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(*call.output)

    def backward(to_values: Tensor | None, to_vectors: Tensor | None) -> Gradients:
        values, vectors = saved()
        back = adjoint(vectors)
        if to_vectors is None:
            assert to_values is not None
            return (solve(back, to_values.unsqueeze(-1) * back),)
        inner = back @ to_vectors
        check_phase("eig", diagonal_of(inner))
        # Vectors keep their length.
        inner = inner - (back @ vectors) * diagonal_of(inner).real.unsqueeze(-2)
        along = values * 0 if to_values is None else to_values
        return (solve(back, with_diagonal(along, inner / gaps(values).conj()) @ back),)

    return backward


@operation(gradient=_eig_gradient, namespace="linalg", converts=True)
def eig(x: Any, /) -> EigenResult:
    """Return the eigenvalues and eigenvectors of square matrices, as complex numbers.

    New tensors; the vectors are columns.

    >>> import strided
    >>> strided.linalg.eig(strided.tensor([[0.0, -1.0], [1.0, 0.0]])).eigenvalues.tolist()
    [1j, -1j]
    """
    import numpy as np

    x = matrices("eig", x, square=True)
    values, vectors = called("eig", np.linalg.eig, array_of(x))
    dtype = complex_dtype(x.dtype)
    return EigenResult(tensor_of(values, dtype), tensor_of(vectors, dtype))


@operation(namespace="linalg", converts=True)
def eigvals(x: Any, /) -> Tensor:
    """Return the eigenvalues of square matrices, as complex numbers. A new tensor.

    >>> import strided
    >>> strided.linalg.eigvals(strided.tensor([[3.0, 0.0], [0.0, 2.0]])).tolist()
    [(3+0j), (2+0j)]
    """
    import numpy as np

    x = matrices("eigvals", x, square=True)
    if is_recorded(x):  # the gradient needs the vectors
        return eig(x).eigenvalues
    values = called("eigvals", np.linalg.eigvals, array_of(x))
    return tensor_of(values, complex_dtype(x.dtype))


class SVDResult(NamedTuple):
    """What ``svd`` returns.

    >>> import strided
    >>> strided.linalg.svd(strided.eye(2)).S.tolist()
    [1.0, 1.0]
    """

    U: Tensor
    S: Tensor
    Vh: Tensor


def _svd_gradient(call: Call, x: Tensor, full_matrices: bool) -> Backward:
    saved = call.save(*call.output)
    least = min(x.shape[-2:])

    def backward(to_u: Tensor | None, to_s: Tensor | None, to_vh: Tensor | None) -> Gradients:
        # Vectors without a singular value are not determined by the matrix.
        u, s, vh = saved()
        u, vh = u[..., :least], vh[..., :least, :]
        if to_u is None and to_vh is None:
            assert to_s is not None
            return ((u * to_s.unsqueeze(-2)) @ vh,)
        to_u = None if to_u is None else to_u[..., :least]
        to_v = None if to_vh is None else adjoint(to_vh[..., :least, :])
        return (_of_factors(u, s, adjoint(vh), to_u, to_s, to_v),)

    return backward


@operation(gradient=_svd_gradient, namespace="linalg", converts=True)
def svd(x: Any, /, *, full_matrices: bool = True) -> SVDResult:
    """Return the singular value decomposition U, S (descending) and Vh. New tensors.

    ``full_matrices=False`` keeps only the vectors that belong to a value: x is then
    ``(U * S) @ Vh``.

    >>> import strided
    >>> strided.linalg.svd(strided.tensor([[0.0, 2.0], [1.0, 0.0]])).S.tolist()
    [2.0, 1.0]
    """
    import numpy as np

    x = matrices("svd", x)
    u, s, vh = called("svd", np.linalg.svd, array_of(x), full_matrices=full_matrices)
    return SVDResult(
        tensor_of(u, x.dtype), tensor_of(s, real_dtype(x.dtype)), tensor_of(vh, x.dtype)
    )


def _of_factors(
    u: Tensor, s: Tensor, v: Tensor, to_u: Any, to_s: Tensor | None, to_v: Any
) -> Tensor:
    """Return the gradient of ``(u * s) @ v.mH``."""
    inner_u: Any = None if to_u is None else adjoint(u) @ to_u
    inner_v: Any = None if to_v is None else adjoint(v) @ to_v
    between = gaps(s * s)
    core = total(
        None if inner_u is None else (inner_u - adjoint(inner_u)) / between * s.unsqueeze(-2),
        None if inner_v is None else s.unsqueeze(-1) * ((inner_v - adjoint(inner_v)) / between),
    )
    assert core is not None
    along: Tensor = s * 0 if to_s is None else to_s
    if u.dtype.is_complex:
        along_phase = total(*(None if x is None else diagonal_of(x) for x in (inner_u, inner_v)))
        assert along_phase is not None
        check_phase("svd", along_phase)
        if inner_u is not None:
            along = along + diagonal_of(inner_u).imag * 1j / s
    made = u @ with_diagonal(along, core) @ adjoint(v)
    if to_u is not None and u.shape[-2] > u.shape[-1]:
        outside = (to_u - u @ inner_u) / s.unsqueeze(-2)
        made = made + outside @ adjoint(v)
    if to_v is not None and v.shape[-2] > v.shape[-1]:
        outside = (to_v - v @ inner_v) / s.unsqueeze(-2)
        made = made + u @ adjoint(outside)
    return made


@operation(numpy="linalg.svdvals: x", namespace="linalg", converts=True)
def svdvals(x: Any, /) -> Tensor:
    """Return the singular values, descending. A new tensor.

    >>> import strided
    >>> strided.linalg.svdvals(strided.tensor([[0.0, 2.0], [1.0, 0.0]])).tolist()
    [2.0, 1.0]
    """
    import numpy as np

    x = matrices("svdvals", x)
    if is_recorded(x):  # the gradient needs the vectors
        return svd(x, full_matrices=False).S
    values = called("svdvals", np.linalg.svd, array_of(x), compute_uv=False)
    return tensor_of(values, real_dtype(x.dtype))
