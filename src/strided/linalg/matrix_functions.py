"""Matrix functions: determinant, rank, pseudo-inverse, norm, power, trace; cross products.

Determinants of up to 16 rows are of our own kernel, as in ``solving``. Source of the gradient of
the pseudo-inverse: Golub and Pereyra, "The differentiation of pseudo-inverses and nonlinear least
squares problems whose variables separate" (1973).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument, InvalidDimension, ShapeMismatch, SingularMatrix
from strided.linalg.decompositions import svd, svdvals
from strided.linalg.lapack import (
    adjoint,
    called,
    conjugate,
    in_floats,
    matrices,
    real_dtype,
    rounded,
    tensor_of,
)
from strided.linalg.solving import inv
from strided.ops.arrays import asarray
from strided.ops.creation import eye
from strided.ops.data_types import finfo
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.statistics import sum as _sum
from strided.ops.statistics import vector_norm


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns.

    >>> import strided
    >>> strided.linalg.slogdet(-strided.eye(1)).sign.item()
    -1.0
    """

    sign: Tensor
    logabsdet: Tensor


def _det_gradient(call: Call, x: Tensor) -> Backward:
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, found = saved()
        return (g[..., None, None] * _cofactors(x, found),)

    return backward


@operation(
    gradient=_det_gradient, numpy="linalg.det: a", namespace="linalg", converts=True, method="det"
)
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


@operation(
    gradient=_slogdet_gradient,
    numpy="linalg.slogdet: a",
    namespace="linalg",
    converts=True,
    method="slogdet",
)
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


@operation(namespace="linalg", converts=True, also={"rtol": "rtol tol"})
def matrix_rank(x: Any, /, rtol: float | Tensor | None = None) -> Tensor:
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


@operation(
    gradient=_pinv_gradient,
    namespace="linalg",
    converts=True,
    method="pinverse",
    also={"rtol": "rtol rcond"},
)
def pinv(x: Any, /, rtol: float | Tensor | None = None) -> Tensor:
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


@operation(namespace="linalg", converts=True)
def matrix_norm(
    x: Any,
    /,
    ord: float | str | None = "fro",
    axis: tuple[int, int] = (-2, -1),
    keepdims: bool = False,
) -> Tensor:
    """Return a norm of matrices, which stand in the last two axes unless said. A new tensor.

    ``ord``: "fro" (also None), "nuc", or 1, -1, 2, -2, inf, -inf: the largest (smallest) sum of a
    column, singular value, sum of a row.

    >>> import strided
    >>> x = strided.tensor([[3.0, 0.0], [0.0, -4.0]])
    >>> strided.linalg.matrix_norm(x).item(), strided.linalg.matrix_norm(x, ord=1).item()
    (5.0, 4.0)
    """
    x = matrices("matrix_norm", x)
    if ord in (None, "fro"):
        return vector_norm(x, axis=tuple(axis), keepdims=keepdims)
    places = tuple(_native.normal_axis(one, x.ndim) for one in axis)
    found = _norm(x.movedim(places, (-2, -1)), ord)
    for place in sorted(places) if keepdims else ():
        found = found.unsqueeze(place)
    return found


def _norm(x: Tensor, ord: Any) -> Tensor:
    if ord == "nuc":
        return svdvals(x).sum(-1)
    if ord not in (1, -1, 2, -2, math.inf, -math.inf):
        raise InvalidArgument(
            argument="ord",
            got=repr(ord),
            requirement="must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf",
        )
    values = svdvals(x) if abs(ord) == 2 else x.abs().sum(-2 if abs(ord) == 1 else -1)
    if values.shape[-1] == 0:  # nothing to be the largest of
        return _native.zeros(values.shape[:-1], dtype=real_dtype(x.dtype))
    return values.amax(-1) if ord > 0 else values.amin(-1)


@operation(namespace="linalg", converts=True)
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return the cross products of vectors of 3 elements; other axes broadcast. A new tensor.

    >>> import strided
    >>> strided.linalg.cross(strided.tensor([1, 0, 0]), strided.tensor([0, 1, 0])).tolist()
    [0, 0, 1]
    """
    for x in (x1, x2):
        if not -x.ndim <= axis < x.ndim:
            raise InvalidDimension(dim=axis, rank=x.ndim)
        if x.shape[axis] != 3:
            raise ShapeMismatch(
                operation="cross",
                expected=(3,),
                got=(x.shape[axis],),
                hint=f"axis {axis} must have length 3 in both",
            )
    return cross_of_rows(x1.movedim(axis, -1), x2.movedim(axis, -1)).movedim(-1, axis)


def _cross_of_rows_gradient(call: Call, a: Tensor, b: Tensor) -> Backward:
    saved = call.save(a if call.needs(1) else None, b if call.needs(0) else None)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        return (
            None if b is None else cross_of_rows(conjugate(b), g),
            None if a is None else cross_of_rows(g, conjugate(a)),
        )

    return backward


@operation(gradient=_cross_of_rows_gradient, function=None, namespace="linalg")
def cross_of_rows(a: Tensor, b: Tensor, /) -> Tensor:
    """Return the cross products of vectors along the last axis. A new tensor."""
    shape = _native.broadcast_shape(a.shape, b.shape)
    out = _native.empty(shape, dtype=_native.promote_types(a.dtype, b.dtype))
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        part = a[..., j].multiply(b[..., k], out=out[..., i])
        part -= a[..., k] * b[..., j]
    return out


@operation(
    numpy="linalg.matrix_power: a n",
    operands=1,
    namespace="linalg",
    converts=True,
    method="matrix_power",
)
def matrix_power(x: Any, n: int, /) -> Tensor:
    """Return the n-th power of square matrices, of their inverses for n < 0.

    A new tensor. The number of products grows with the logarithm of n.

    >>> import strided
    >>> strided.linalg.matrix_power(strided.tensor([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    x = matrices("matrix_power", x, square=True) if n < 0 or x.dtype.kind in "fc" else x
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        x = matrices("matrix_power", x, square=True)
    if n == 0:
        ones = _native.zeros(x.shape, dtype=x.dtype)
        ones.diagonal(0, -2, -1).fill_(1)
        return ones
    factor, left = (x, n) if n > 0 else (inv(x), -n)
    power: Tensor | None = None
    while True:
        if left & 1:
            power = factor if power is None else power @ factor
        left >>= 1
        if not left:
            break
        factor = factor @ factor
    assert power is not None
    return power.clone() if power is x else power


@operation(kind="view", namespace="linalg", converts=True)
def diagonal(x: Any, /, *, offset: int = 0) -> Tensor:
    """Return a diagonal of each matrix, above the main one for a positive offset. A view.

    >>> import strided
    >>> strided.linalg.diagonal(strided.tensor([[1, 2], [3, 4]])).tolist()
    [1, 4]
    """
    if x.ndim < 2:
        raise InvalidDimension(dim=-2, rank=x.ndim)
    rows, columns = x.shape[-2:]
    # A diagonal beyond the corner is empty, however far beyond.
    view: Tensor = x.diagonal(max(-rows, min(columns, offset)), -2, -1)
    return view


@operation(namespace="linalg", converts=True)
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Tensor:
    """Return the sum of a diagonal of each matrix. A new tensor; small integers sum to int64.

    >>> import strided
    >>> strided.linalg.trace(strided.tensor([[1, 2], [3, 4]])).item()
    5
    """
    return _sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)
