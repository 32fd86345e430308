"""Systems of equations and what tells whether they can be solved: inverse, determinant, rank.

Matrices of up to 16 rows are eliminated by a kernel of our own (``core/kernels/linalg/``), two to
five times as fast on stacks of them; larger ones are LAPACK's.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Tensor
from strided.autograd.differentiable import differentiable
from strided.errors import ShapeMismatch
from strided.functions.arrays import asarray
from strided.functions.dtypes import finfo
from strided.linalg.decompositions import svd, svdvals
from strided.linalg.lapack import (
    called,
    in_floats,
    matrices,
    real_dtype,
    rounded,
    singular,
    tensor_of,
)
from strided.ops.elementwise import where


class SlogdetResult(NamedTuple):
    """What ``slogdet`` returns.

    >>> import strided
    >>> strided.linalg.slogdet(-strided.eye(1)).sign.item()
    -1.0
    """

    sign: Tensor
    logabsdet: Tensor


@differentiable
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


def solve(x1: Any, x2: Any, /) -> Tensor:
    """Return what gives ``x2`` when multiplied by ``x1`` from the left. A new tensor.

    ``x2`` is one vector when it has one axis, else matrices whose columns are solved for. Stacks
    broadcast. A singular matrix raises SingularMatrix.

    >>> import strided
    >>> strided.linalg.solve(strided.tensor([[2.0, 0.0], [0.0, 4.0]]), [2.0, 2.0]).tolist()
    [1.0, 0.5]
    """
    return _solve(asarray(x1), asarray(x2))


@differentiable
def _solve(x1: Tensor, x2: Tensor, /) -> Tensor:
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


@differentiable
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


@differentiable
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


def _smallest(x: Tensor, values: Tensor, rtol: Any) -> Tensor:
    """Return the size up to which singular values count as zero."""
    if rtol is None:
        rtol = max(x.shape[-2:]) * finfo(values.dtype).eps
    relative = rtol if isinstance(rtol, (int, float)) else asarray(rtol).unsqueeze(-1)
    return values.amax(-1, True) * relative


def matrix_rank(x: Any, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Count the singular values above ``rtol`` times the largest. A new tensor of int64.

    ``rtol`` is by default the longer side times the dtype's epsilon.

    >>> import strided
    >>> strided.linalg.matrix_rank(strided.ones(3, 3)).item()
    1
    """
    x = matrices("matrix_rank", x)
    values = svdvals(x)
    if values.shape[-1] == 0:
        return _native.zeros(x.shape[:-2], dtype=_native.int64)
    return (values > _smallest(x, values, rtol)).count_nonzero(-1)


@differentiable
def pinv(x: Any, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Return the pseudo-inverse: singular values up to ``rtol`` times the largest count as zero.

    A new tensor. ``rtol`` is by default the longer side times the dtype's epsilon.

    >>> import strided
    >>> strided.linalg.pinv(strided.tensor([[2.0, 0.0], [0.0, 0.0]])).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    x = matrices("pinv", x)
    u, s, vh = svd(x, full_matrices=False)
    if s.shape[-1] == 0:
        return _native.zeros((*x.shape[:-2], x.shape[-1], x.shape[-2]), dtype=x.dtype)
    inverse = where(s > _smallest(x, s, rtol), s.reciprocal(), 0.0)
    if x.dtype.kind == "c":
        u, vh = u.conj(), vh.conj()
    return (vh.mT * inverse.unsqueeze(-2)) @ u.mT
