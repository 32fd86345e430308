"""Inverse, linear systems, determinant, rank and pseudo-inverse, and their gradients.

Matrices of up to 16 rows are eliminated by a kernel of our own (``core/kernels/linalg/``), two to
five times as fast on stacks of them; larger ones are LAPACK's. Gradients are made of differentiable
operations, so second derivatives follow. Sources: M. Giles, "Collected matrix derivative results
for forward and reverse mode algorithmic differentiation" (2008); for the pseudo-inverse Golub and
Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems whose
variables separate" (1973).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor, grad_mode
from strided.errors import ShapeMismatch, SingularMatrix
from strided.linalg.adjoint import adjoint, conjugate
from strided.linalg.lapack import (
    called,
    in_floats,
    matrices,
    real_dtype,
    rounded,
    singular,
    tensor_of,
)
from strided.linalg.singular_values import svd, svdvals
from strided.ops.arrays import asarray
from strided.ops.creation import eye
from strided.ops.data_types import finfo
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradient, Gradients


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns.

    >>> import strided
    >>> strided.linalg.slogdet(-strided.eye(1)).sign.item()
    -1.0
    """

    sign: Tensor
    logabsdet: Tensor


def _inv_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        back = adjoint(saved()[0])
        return (-(back @ g @ back),)

    return backward


@operation(gradient=_inv_gradient, numpy="linalg.inv: a", namespace="linalg", converts=True)
def inv(x: Any, /) -> Tensor:
    """Return the inverse of square matrices. A new tensor; singular ones raise SingularMatrix.

    >>> import strided
    >>> strided.linalg.inv(strided.tensor([[2.0, 0.0], [0.0, 4.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    import numpy as np

    x = matrices("inv", x, square=True)
    own = in_floats(x)
    if _native.is_small_square(own):
        return _solved("inv", own, None, x.dtype)
    return tensor_of(called("inv", np.linalg.inv, own.numpy()), x.dtype)


def _solved(operation: str, a: Tensor, b: Tensor | None, dtype: DType) -> Tensor:
    found = _native.solve_small(a, b)
    if found is None:
        raise singular(operation, a.shape)
    return rounded(found, dtype)


def _solve_gradient(call: Call, a: Tensor, b: Tensor) -> Backward:
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


@operation(gradient=_solve_gradient, numpy="linalg.solve: a b", namespace="linalg", converts=True)
def solve(x1: Any, x2: Any, /) -> Tensor:
    """Solve the linear system ``x1 @ x == x2``. A new tensor.

    ``x2`` is one vector when it has one axis, else matrices whose columns are solved for. Stacks
    broadcast. A singular matrix raises SingularMatrix.

    >>> import strided
    >>> strided.linalg.solve(strided.tensor([[2.0, 0.0], [0.0, 4.0]]), [2.0, 2.0]).tolist()
    [1.0, 0.5]
    """
    import numpy as np

    is_vector = x2.ndim == 1
    a = matrices("solve", x1, square=True)
    b = matrices("solve", x2.unsqueeze(-1) if is_vector else x2)
    if a.shape[-1] != b.shape[-2]:
        raise ShapeMismatch(
            operation="solve",
            expected=(a.shape[-1],) if is_vector else (a.shape[-1], b.shape[-1]),
            got=x2.shape,
            hint="the right side needs as many rows as the matrix",
        )
    dtype = _native.promote_types(a.dtype, b.dtype)
    stack = _native.broadcast_shape(a.shape[:-2], b.shape[:-2])
    left, right = (in_floats(x).broadcast_to((*stack, *x.shape[-2:])) for x in (a, b))
    if left.dtype is right.dtype and _native.is_small_square(left):
        found = _solved("solve", left, right, dtype)
    else:
        found = tensor_of(called("solve", np.linalg.solve, left.numpy(), right.numpy()), dtype)
    return found.squeeze(-1) if is_vector else found


def _det_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, found = saved()
        return (g[..., None, None] * _cofactors(x, found),)

    return backward


@operation(gradient=_det_gradient, numpy="linalg.det: a", namespace="linalg", converts=True)
def det(x: Any, /) -> Tensor:
    """Return the determinant of square matrices. A new tensor.

    >>> import strided
    >>> strided.linalg.det(strided.tensor([[2.0, 0.0], [0.0, 4.0]])).item()
    8.0
    """
    import numpy as np

    x = matrices("det", x, square=True)
    own = in_floats(x)
    if _native.is_small_square(own):
        return rounded(_native.small_determinants(own), x.dtype)
    return tensor_of(called("det", np.linalg.det, own.numpy()), x.dtype)


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


def _slogdet_gradient(call: Call, x: Tensor) -> Backward:
    is_complex = x.dtype.is_complex
    saved = call.save(x, call.output[0] if is_complex else None)

    def backward(to_sign: Tensor | None, to_logarithm: Tensor | None) -> Gradients:
        x, sign = saved()
        along = to_logarithm
        if is_complex and to_sign is not None:
            # A sign of absolute value 1 changes only in its phase.
            along_phase = (to_sign.conj() * sign).imag * -1j
            along = along_phase if along is None else along + along_phase
        return (None if along is None else along[..., None, None] * adjoint(inv(x)),)

    return backward


@operation(gradient=_slogdet_gradient, numpy="linalg.slogdet: a", namespace="linalg", converts=True)
def slogdet(x: Any, /) -> SlogdetResult:
    """Return the sign of the determinant and the logarithm of its absolute value. New tensors.

    >>> import strided
    >>> strided.linalg.slogdet(strided.eye(2)).logabsdet.item()
    0.0
    """
    import numpy as np

    x = matrices("slogdet", x, square=True)
    own = in_floats(x)
    if _native.is_small_square(own):
        sign, logarithm = _native.small_log_determinants(own)
        return SlogdetResult(rounded(sign, x.dtype), rounded(logarithm, real_dtype(x.dtype)))
    sign, logarithm = called("slogdet", np.linalg.slogdet, own.numpy())
    return SlogdetResult(tensor_of(sign, x.dtype), tensor_of(logarithm, real_dtype(x.dtype)))


def _tolerance(x: Tensor, values: Tensor, rtol: Any) -> Tensor:
    """Return the tolerance up to which singular values count as zero."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * finfo(values.dtype).eps
    relative = rtol if isinstance(rtol, (int, float)) else asarray(rtol).unsqueeze(-1)
    return values.amax(-1, True) * relative


@operation(namespace="linalg", converts=True)
def matrix_rank(x: Any, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return the rank: how many singular values exceed ``rtol`` times the largest. A new tensor.

    ``rtol`` is by default the longer side times the dtype's epsilon.

    >>> import strided
    >>> strided.linalg.matrix_rank(strided.ones(3, 3)).item()
    1
    """
    x = matrices("matrix_rank", x)
    values = svdvals(x)
    if values.shape[-1] == 0:
        return _native.zeros(x.shape[:-2], dtype=_native.int64)
    return (values > _tolerance(x, values, rtol)).count_nonzero(-1)


def _pinv_gradient(call: Call, x: Tensor, rtol: Any) -> Backward:
    nothing = [None] * (len(call.tensors) - 1)  # a tolerance has no gradient
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, found = saved()
        back, to_found = adjoint(found), adjoint(g)
        left, right = to_found @ found, found @ to_found
        made = (
            (left - x @ (found @ left)) @ back
            + back @ (right - (right @ found) @ x)
            - back @ g @ back
        )
        return (made, *nothing)

    return backward


@operation(gradient=_pinv_gradient, namespace="linalg", converts=True)
def pinv(x: Any, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return the pseudo-inverse; singular values up to ``rtol`` times the largest count as zero.

    A new tensor. ``rtol`` is by default the longer side times the dtype's epsilon.

    >>> import strided
    >>> strided.linalg.pinv(strided.tensor([[2.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    x = matrices("pinv", x)
    u, s, vh = svd(x, full_matrices=False)
    if s.shape[-1] == 0:
        return _native.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), dtype=x.dtype)
    inverse = where(s > _tolerance(x, s, rtol), s.reciprocal(), 0.0)
    if x.dtype.kind == "c":
        u, vh = u.conj(), vh.conj()
    return (vh.mT * inverse.unsqueeze(-2)) @ u.mT
