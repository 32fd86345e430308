"""LU factors and what is solved with them; triangles, least squares, functions of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import GradientNotPossible, InvalidArgument, LinearAlgebraError, ShapeMismatch
from strided.linalg.decompositions import cholesky, svdvals
from strided.linalg.lapack import (
    adjoint,
    in_floats,
    matrices,
    real_dtype,
    tensor_of,
)
from strided.linalg.matrix_functions import matrix_norm, pinv
from strided.linalg.solving import inv, solve
from strided.ops.arguments import as_index
from strided.ops.arrays import from_numpy
from strided.ops.creation import arange, eye, tril, triu
from strided.ops.data_types import finfo
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.statistics import vector_norm

LinAlgError = LinearAlgebraError


class LUResult(NamedTuple):
    """What ``lu`` returns: x is ``P @ L @ U``.

    >>> import strided
    >>> strided.linalg.lu(strided.eye(2)).U.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    P: Tensor
    L: Tensor
    U: Tensor


class LUFactors(NamedTuple):
    """What ``lu_factor`` returns: both triangles in one matrix, and the swaps of rows from 1 on.

    >>> import strided
    >>> strided.linalg.lu_factor(strided.eye(2)).pivots.tolist()
    [1, 2]
    """

    LU: Tensor
    pivots: Tensor


class WithInfo(NamedTuple):
    """What the functions that do not raise return: a result, and 0 or where it failed.

    >>> import strided
    >>> strided.linalg.inv_ex(strided.eye(2)).info.item()
    0
    """

    result: Tensor
    info: Tensor


class LeastSquares(NamedTuple):
    """What ``lstsq`` returns.

    >>> import strided
    >>> strided.linalg.lstsq(strided.eye(2), strided.ones(2, 1)).rank.item()
    2
    """

    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor


# ---- LU ----


def _eliminated(x: Tensor) -> tuple[Any, Any]:
    """Return both triangles in one array, and the row that each row was swapped with."""
    import numpy as np

    a = in_floats(x).clone(memory_format="row_major").numpy()
    rows, columns = a.shape[-2:]
    stack = a.shape[:-2]
    flat = a.reshape(math.prod(stack), rows, columns)
    count = np.arange(len(flat))
    pivots = np.zeros((len(flat), min(rows, columns)), dtype=np.int32)
    with np.errstate(all="ignore"):
        for k in range(min(rows, columns)):
            best = k + np.abs(flat[:, k:, k]).argmax(axis=1)
            pivots[:, k] = best
            swapped = flat[count, best].copy()
            flat[count, best] = flat[:, k]
            flat[:, k] = swapped
            divisor = flat[:, k : k + 1, k]
            factors = np.where(
                divisor == 0, 0, flat[:, k + 1 :, k] / np.where(divisor == 0, 1, divisor)
            )
            flat[:, k + 1 :, k] = factors
            flat[:, k + 1 :, k + 1 :] -= factors[:, :, None] * flat[:, k : k + 1, k + 1 :]
    return flat.reshape(a.shape), pivots.reshape(*stack, min(rows, columns))


def _order_of(pivots: Any, rows: int) -> Any:
    """Return the rows in the order that swaps put them in."""
    import numpy as np

    flat = pivots.reshape(-1, pivots.shape[-1])
    order = np.tile(np.arange(rows), (len(flat), 1))
    count = np.arange(len(flat))
    for k in range(flat.shape[-1]):
        other = order[count, flat[:, k]].copy()
        order[count, flat[:, k]] = order[:, k]
        order[:, k] = other
    return order.reshape(*pivots.shape[:-1], rows)


def _lu_gradient(call: Call, x: Tensor, pivot: bool) -> Backward:
    if x.shape[-1] != x.shape[-2]:
        raise GradientNotPossible(
            operation="a gradient of lu of a matrix that is not square",
            reason="only that of square matrices is known here",
            hint="use qr, whose gradient takes any shape",
        )
    saved = call.save(*call.output)

    def backward(to_p: Tensor | None, to_l: Tensor | None, to_u: Tensor | None) -> Gradients:
        p, lower, upper = saved()
        inner: Any = 0
        if to_l is not None:
            inner = inner + tril(adjoint(lower) @ to_l, k=-1)
        if to_u is not None:
            inner = inner + triu(to_u @ adjoint(upper))
        made = solve(adjoint(lower), inner)
        return (p @ adjoint(solve(upper, adjoint(made))),)

    return backward


@operation(gradient=_lu_gradient, namespace="linalg", converts=True)
def lu(x: Any, /, *, pivot: bool = True) -> LUResult:
    """Return the LU decomposition with row swaps, ``x == P @ L @ U``. New tensors.

    >>> import strided
    >>> p, l, u = strided.linalg.lu(strided.tensor([[1.0, 2.0], [4.0, 2.0]]))
    >>> u.tolist()
    [[4.0, 2.0], [0.0, 1.5]]
    """
    _need_pivots(pivot)
    x = matrices("lu", x)
    packed, pivots = _eliminated(x)
    return lu_unpack(tensor_of(packed, x.dtype), from_numpy(pivots + 1))


def _need_pivots(pivot: bool) -> None:
    if not pivot:
        raise InvalidArgument(
            argument="pivot", got="False", requirement="must be True: without swaps digits are lost"
        )


def lu_unpack(
    LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True
) -> LUResult:
    """Return P, L and U of what ``lu_factor`` returned. New tensors.

    >>> import strided
    >>> strided.lu_unpack(*strided.linalg.lu_factor(strided.eye(2))).P.tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    import numpy as np

    rows, columns = LU_data.shape[-2:]
    least = min(rows, columns)
    lower = tril(LU_data[..., :least], k=-1) + eye(rows, least, dtype=LU_data.dtype)
    order = _order_of(np.asarray(LU_pivots.numpy()) - 1, rows)
    permutation = from_numpy(order).unsqueeze(-2)
    p = (permutation == arange(rows).unsqueeze(-1)).to(LU_data.dtype)
    return LUResult(p, lower, triu(LU_data[..., :least, :]))


@operation(namespace="linalg", converts=True)
def lu_factor(x: Any, /, *, pivot: bool = True) -> LUFactors:
    """Return both triangles of the LU decomposition in one matrix, and the swaps. New tensors.

    >>> import strided
    >>> strided.linalg.lu_factor(strided.tensor([[1.0, 2.0], [4.0, 2.0]])).LU.tolist()
    [[4.0, 2.0], [0.25, 1.5]]
    """

    _need_pivots(pivot)
    x = matrices("lu_factor", x)
    packed, pivots = _eliminated(x)
    swaps = from_numpy(pivots + 1)
    if x.requires_grad and _native.grad_mode():
        _, lower, upper = lu(x)
        rows = min(x.shape[-2:])
        return LUFactors(tril(lower, k=-1) + upper if x.shape[-1] == rows else upper, swaps)
    return LUFactors(tensor_of(packed, x.dtype), swaps)


@operation(namespace="linalg", operands=3)
def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, /, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """Solve a linear system by what ``lu_factor`` returned. A new tensor.

    >>> import strided
    >>> lu, pivots = strided.linalg.lu_factor(strided.tensor([[2.0, 0.0], [0.0, 4.0]]))
    >>> strided.linalg.lu_solve(lu, pivots, strided.tensor([[2.0], [2.0]])).tolist()
    [[1.0], [0.5]]
    """
    LU, B = matrices("lu_solve", LU, square=True), matrices("lu_solve", B)
    pivots = as_index(pivots)
    if pivots.shape != LU.shape[:-1]:
        raise ShapeMismatch(
            operation="lu_solve",
            expected=LU.shape[:-1],
            got=pivots.shape,
            hint="give both as lu_factor returned them",
        )
    p, lower, upper = lu_unpack(LU, pivots)
    if not left:
        return lu_solve(LU, pivots, B.mT.conj() if B.dtype.is_complex else B.mT,
                        adjoint=not adjoint).mH  # fmt: skip
    if adjoint:
        return p @ solve_triangular(
            lower.mH, solve_triangular(upper.mH, B, upper=False), upper=True, unitriangular=True
        )
    inner = solve_triangular(lower, p.mT @ B, upper=False, unitriangular=True)
    return solve_triangular(upper, inner, upper=True)


# ---- triangles ----


@operation(namespace="linalg", operands=2)
def solve_triangular(
    A: Tensor, B: Tensor, /, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """Solve ``A @ x == B`` for a triangle A, or ``x @ A == B``. A new tensor.

    Only one triangle of A is read; with ``unitriangular`` its diagonal counts as ones.

    >>> import strided
    >>> a = strided.tensor([[2.0, 0.0], [1.0, 1.0]])
    >>> strided.linalg.solve_triangular(a, strided.tensor([[2.0], [2.0]]), upper=False).tolist()
    [[1.0], [1.0]]
    """
    matrices("solve_triangular", A, square=True)
    if unitriangular:
        ones = eye(A.shape[-1], dtype=A.dtype)
        triangle = (triu(A, k=1) if upper else tril(A, k=-1)) + ones
    else:
        triangle = triu(A) if upper else tril(A)
    if not left:
        return solve_triangular(triangle.mT, B.mT, upper=not upper).mT
    if not upper:  # reversed, it is eliminated without a swap
        return solve(triangle.flip((-2, -1)), B.flip(-2)).flip(-2)
    return solve(triangle, B)


@operation(namespace="linalg", function=None, method="cholesky_solve", operands=2)
def cholesky_solve(B: Tensor, L: Tensor, /, upper: bool = False) -> Tensor:
    """Solve a linear system by the Cholesky factor of its matrix. A new tensor.

    >>> import strided
    >>> strided.ones(2, 1).cholesky_solve(strided.eye(2)).tolist()
    [[1.0], [1.0]]
    """
    lower = adjoint(L) if upper else L
    return solve_triangular(adjoint(lower), solve_triangular(lower, B, upper=False), upper=True)


@operation(namespace="linalg", function=None, method="cholesky_inverse")
def cholesky_inverse(L: Tensor, /, upper: bool = False) -> Tensor:
    """Return the inverse of a matrix by its Cholesky factor. A new tensor.

    >>> import strided
    >>> strided.eye(2).cholesky_inverse().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    back = inv(tril(adjoint(L) if upper else L))
    return adjoint(back) @ back


# ---- systems that are not square ----


@operation(namespace="linalg", operands=2)
def lstsq(
    A: Tensor, B: Tensor, /, rcond: float | None = None, *, driver: Any = None
) -> LeastSquares:
    """Return the x that makes ``A @ x - B`` least, the shortest of several. New tensors.

    ``driver`` is PyTorch's: singular values are used always.

    >>> import strided
    >>> a = strided.tensor([[1.0], [1.0]])
    >>> f"{strided.linalg.lstsq(a, strided.tensor([[1.0], [3.0]])).solution.item():.4f}"
    '2.0000'
    """
    matrices("lstsq", A)
    is_vector = B.ndim == A.ndim - 1 and B.shape == A.shape[:-1]
    right = B.unsqueeze(-1) if is_vector else B
    if right.ndim < 2 or right.shape[-2] != A.shape[-2]:
        raise ShapeMismatch(
            operation="lstsq",
            expected=(A.shape[-2], *B.shape[-1:]),
            got=B.shape,
            hint="B has as many rows as A",
        )
    rows, columns = A.shape[-2:]
    values = svdvals(A.detach())
    limit = max(rows, columns) * finfo(values.dtype).eps if rcond is None else rcond
    if values.shape[-1]:
        rank = (values > values.amax(-1, True) * limit).count_nonzero(-1)
    else:
        rank = _native.zeros(A.shape[:-2], dtype=_native.int64)
    solution = pinv(A, rtol=limit) @ right
    full = rows > columns and bool((rank == columns).all())
    residuals = _native.empty((0,), dtype=real_dtype(A.dtype))
    if full:
        residuals = (right - A @ solution).abs().square().sum(-2)
        residuals = residuals.squeeze(-1) if is_vector else residuals
    found = solution.squeeze(-1) if is_vector else solution
    return LeastSquares(found, residuals, rank, values)


# ---- norms and functions of matrices ----


@operation(namespace="linalg", converts=True)
def cond(x: Any, /, p: Any = None) -> Tensor:
    """Return the condition number: a norm of x times that of its inverse. A new tensor.

    >>> import strided
    >>> strided.linalg.cond(strided.tensor([[4.0, 0.0], [0.0, 2.0]])).item()
    2.0
    """
    x = matrices("cond", x)
    if p in (None, 2, -2):
        values = svdvals(x)
        first, last = values[..., 0], values[..., -1]
        return last / first if p == -2 else first / last
    return matrix_norm(x, ord=p) * matrix_norm(inv(x), ord=p)


@operation(namespace="linalg", converts=True, numpy="linalg.norm: x ord axis keepdims")
def norm(x: Any, /, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Return a norm of all elements, of vectors along an axis, or of matrices in two axes.

    A new tensor.

    >>> import strided
    >>> strided.linalg.norm(strided.tensor([[3.0, 4.0]])).item()
    5.0
    """
    if axis is None and ord is None:
        return vector_norm(x, keepdims=keepdims)
    if axis is None:
        if x.ndim > 2 or x.ndim == 0:
            raise ShapeMismatch(
                operation="norm", expected=(1, 1), got=x.shape, hint="say which axes: axis=(-2, -1)"
            )
        axis = tuple(range(x.ndim))
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if len(axes) == 1 or ord is None:
        return vector_norm(x, axis=axes, keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise InvalidArgument(argument="axis", got=str(axes), requirement="must be one or two axes")
    found = matrix_norm(x.movedim(axes, (-2, -1)), ord=ord)
    if keepdims:
        for place in sorted(a % x.ndim for a in axes):
            found = found.unsqueeze(place)
    return found


@operation(namespace="linalg", converts=True, method="matrix_exp")
def matrix_exp(x: Any, /) -> Tensor:
    """Return the exponential of square matrices. A new tensor.

    Its series, of the matrix divided by a power of 2, squared as often. Source: C. Moler and C. Van
    Loan, "Nineteen dubious ways to compute the exponential of a matrix" (2003).

    >>> import strided
    >>> strided.linalg.matrix_exp(strided.zeros(2, 2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    x = matrices("matrix_exp", x, square=True)
    if x.numel() == 0:
        empty: Tensor = x.clone()
        return empty
    largest = float(x.detach().abs().sum(-2).amax())
    if not math.isfinite(largest):
        nothing: Tensor = x * math.nan
        return nothing
    halvings = max(0, math.ceil(math.log2(largest * 4))) if largest else 0
    small = x * 2.0**-halvings
    one = eye(x.shape[-1], dtype=x.dtype)
    found = one
    for k in range(15, 0, -1):
        found = one + (small @ found) / k if k < 15 else one + small / k
    for _ in range(halvings):
        found = found @ found
    return found if found.shape == x.shape else found.expand(x.shape).clone()


@operation(namespace="linalg", function=None, method="logdet")
def logdet(x: Tensor, /) -> Tensor:
    """Return the logarithm of the determinant, NaN where it is negative. A new tensor.

    >>> import strided
    >>> strided.eye(2).logdet().item()
    0.0
    """
    from strided.linalg.matrix_functions import slogdet

    sign, logarithm = slogdet(x)
    if x.dtype.is_complex:
        return logarithm + sign.log()
    return where(sign >= 0, logarithm, math.nan)


@operation(namespace="linalg")
def multi_dot(tensors: Sequence[Tensor], /) -> Tensor:
    """Return the product of matrices, multiplied in the cheapest order. A new tensor.

    >>> import strided
    >>> strided.linalg.multi_dot([strided.ones(1, 3), strided.ones(3, 2)]).tolist()
    [[3.0, 3.0]]
    """
    chain = list(tensors)
    if len(chain) < 2:
        raise InvalidArgument(
            argument="tensors", got=str(len(chain)), requirement="must be two matrices or more"
        )
    first, last = chain[0].ndim == 1, chain[-1].ndim == 1
    if first:
        chain[0] = chain[0].unsqueeze(0)
    if last:
        chain[-1] = chain[-1].unsqueeze(1)
    sides = [chain[0].shape[0], *(one.shape[1] for one in chain)]
    count = len(chain)
    cost: dict[tuple[int, int], tuple[int, int]] = {(i, i): (0, i) for i in range(count)}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            cost[i, j] = min(
                (
                    cost[i, k][0] + cost[k + 1, j][0] + sides[i] * sides[k + 1] * sides[j + 1],
                    k,
                )
                for k in range(i, j)
            )

    def product(i: int, j: int) -> Tensor:
        if i == j:
            return chain[i]
        k = cost[i, j][1]
        return product(i, k) @ product(k + 1, j)

    found = product(0, count - 1)
    if first:
        found = found.squeeze(-2)
    return found.squeeze(-1) if last else found


@operation(namespace="linalg", numpy="linalg.tensorinv: a ind")
def tensorinv(x: Tensor, /, ind: int = 2) -> Tensor:
    """Return the inverse of a tensor for ``tensordot``, its first ``ind`` axes the rows.

    A new tensor.

    >>> import strided
    >>> strided.linalg.tensorinv(strided.eye(4).reshape(2, 2, 4)).shape
    (4, 2, 2)
    """
    rows, columns = x.shape[:ind], x.shape[ind:]
    return inv(x.reshape(math.prod(rows), math.prod(columns))).reshape(*columns, *rows)


@operation(namespace="linalg", operands=2, also={"dims": "dims axes"})
def tensorsolve(A: Tensor, B: Tensor, /, dims: Sequence[int] | None = None) -> Tensor:
    """Return the x with ``tensordot(A, x, x.ndim) == B``. A new tensor.

    >>> import strided
    >>> strided.linalg.tensorsolve(strided.eye(4).reshape(2, 2, 4), strided.ones(2, 2)).shape
    (4,)
    """
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    shape = A.shape[B.ndim :]
    return solve(A.reshape(B.numel(), math.prod(shape)), B.reshape(-1)).reshape(shape)


@operation(namespace="linalg")
def vander(x: Tensor, /, N: int | None = None) -> Tensor:
    """Return powers of the elements of vectors: 0, 1, ... to N - 1 along a new axis. A new tensor.

    >>> import strided
    >>> strided.linalg.vander(strided.tensor([2, 3]), N=3).tolist()
    [[1, 2, 4], [1, 3, 9]]
    """
    from strided.ops.joining import concat

    count = x.shape[-1] if N is None else N
    line = x.unsqueeze(-1)
    ones = _native.empty(line.shape, dtype=x.dtype).fill_(1)
    return concat([ones, line.expand(*x.shape, max(0, count - 1))], axis=-1).cumprod(-1)[
        ..., :count
    ]


@operation(namespace="linalg", operands=2)
def householder_product(A: Tensor, tau: Tensor, /) -> Tensor:
    """Return the product of Householder reflections, given as QR leaves them. A new tensor.

    >>> import strided
    >>> strided.linalg.householder_product(strided.zeros(2, 2), strided.zeros(2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    A = matrices("householder_product", A)
    rows, columns = A.shape[-2:]
    q = eye(rows, dtype=A.dtype).expand(*A.shape[:-2], rows, rows)
    for k in range(tau.shape[-1]):
        below = tril(A[..., k : k + 1], k=-k - 1)
        v = below + eye(rows, dtype=A.dtype)[:, k : k + 1]
        q = q - tau[..., k, None, None] * ((q @ v) @ adjoint(v))
    return q[..., :columns].contiguous()


# ---- results with the place of a failure instead of an error ----


def _with_info(function: Any, x: Tensor, *args: Any, **named: Any) -> WithInfo:
    zero = _native.zeros(x.shape[:-2], dtype=_native.int32)
    try:
        return WithInfo(function(x, *args, **named), zero)
    except LinearAlgebraError:
        return WithInfo(x * math.nan, zero + 1)


@operation(namespace="linalg", converts=True)
def inv_ex(x: Any, /, *, check_errors: bool = False) -> WithInfo:
    """Return the inverse, and 1 instead of an error where there is none. New tensors.

    >>> import strided
    >>> strided.linalg.inv_ex(strided.zeros(2, 2)).info.item()
    1
    """
    return (
        WithInfo(inv(x), _native.zeros(x.shape[:-2], dtype=_native.int32))
        if check_errors
        else (_with_info(inv, x))
    )


@operation(namespace="linalg", converts=True)
def cholesky_ex(x: Any, /, *, upper: bool = False, check_errors: bool = False) -> WithInfo:
    """Return the Cholesky factor, and 1 instead of an error where there is none. New tensors.

    >>> import strided
    >>> strided.linalg.cholesky_ex(-strided.eye(2)).info.item()
    1
    """
    if check_errors:
        return WithInfo(cholesky(x, upper=upper), _native.zeros(x.shape[:-2], dtype=_native.int32))
    return _with_info(cholesky, x, upper=upper)


@operation(namespace="linalg", operands=2, converts=True)
def solve_ex(A: Any, B: Any, /, *, left: bool = True, check_errors: bool = False) -> WithInfo:
    """Solve a linear system, and return 1 instead of an error where it is singular. New tensors.

    >>> import strided
    >>> strided.linalg.solve_ex(strided.zeros(2, 2), strided.ones(2)).info.item()
    1
    """
    info = _native.zeros(A.shape[:-2], dtype=_native.int32)
    try:
        found = solve(A, B) if left else solve(A.mT, B.mT).mT
    except LinearAlgebraError:
        if check_errors:
            raise
        return WithInfo(B * math.nan, info + 1)
    return WithInfo(found, info)


class FactorsWithInfo(NamedTuple):
    """What ``lu_factor_ex`` returns: what ``lu_factor`` does, and 0 or the first zero pivot.

    >>> import strided
    >>> strided.linalg.lu_factor_ex(strided.zeros(1, 1)).info.item()
    1
    """

    LU: Tensor
    pivots: Tensor
    info: Tensor


@operation(namespace="linalg", converts=True)
def lu_factor_ex(x: Any, /, *, pivot: bool = True, check_errors: bool = False) -> FactorsWithInfo:
    """Return what ``lu_factor`` does, and the place of the first pivot that is zero. New tensors.

    >>> import strided
    >>> strided.linalg.lu_factor_ex(strided.eye(2)).info.item()
    0
    """
    packed, pivots = lu_factor(x, pivot=pivot)
    is_zero = packed.detach().diagonal(0, -2, -1) == 0
    places = where(is_zero, arange(1, is_zero.shape[-1] + 1), is_zero.shape[-1] + 1)
    first = places.amin(-1) if is_zero.shape[-1] else _native.zeros(x.shape[:-2])
    info = where(is_zero.any(-1), first, 0).to(_native.int32)
    if check_errors and bool((info != 0).any()):
        raise LinearAlgebraError(operation="lu_factor", shape=x.shape, reason="a pivot is zero")
    return FactorsWithInfo(packed, pivots, info)
