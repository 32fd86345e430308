"""Linear algebra of the main namespace: products of matrices and vectors, and their gradients.

Decompositions, systems of equations and norms are in ``strided/linalg``, products over named axes
in ``ops/einsum.py``.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidDimension, ShapeMismatch
from strided.ops.arguments import moved
from strided.ops.define import operation
from strided.ops.gradients import (
    Backward,
    Call,
    Gradient,
    Gradients,
    conj,
    gradient_of_left,
    gradient_of_right,
    save_others,
)

_HALVES = (_native.float16, _native.bfloat16)


def _expect_rank(operation: str, x: Tensor, rank: int, hint: str) -> None:
    """Raise ShapeMismatch unless the tensor has this rank."""
    if x.ndim != rank:
        # -1 stands for any length.
        raise ShapeMismatch(operation=operation, expected=(-1,) * rank, got=x.shape, hint=hint)


def _expect_equal(
    operation: str, expected: tuple[int, ...], got: tuple[int, ...], hint: str
) -> None:
    if expected != got:
        raise ShapeMismatch(operation=operation, expected=expected, got=got, hint=hint)


# ---- matrix products ----


def _product(a: Tensor, b: Tensor, out: Tensor | None) -> Tensor:
    return _native.matmul(a, b) if out is None else _native.matmul_into(out, a, b)


def _matmul_gradient(call: Call, a: Tensor, b: Tensor, out: None = None) -> Backward:
    """Gradient of the function, and of the operator ``@``, which has no ``out``."""
    saved = save_others(call, a, b)
    of_a, of_b = a.shape, b.shape

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        return (
            None if b is None else gradient_of_left(g, b, of_a),
            None if a is None else gradient_of_right(g, a, of_b),
        )

    return backward


@operation(gradient=_matmul_gradient, numpy_ufunc="matmul", converts=True)
def matmul(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return the matrix product of the last two axes, others broadcast. A new tensor, or ``out``.

    A vector is a row on the left and a column on the right. Operands may have any strides: none is
    copied.

    >>> import strided
    >>> (strided.ones(2, 3) @ strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    >>> strided.matmul(strided.ones(5, 2, 3), strided.ones(3)).shape
    (5, 2)
    """
    return _product(x1, x2, out)


@operation(operands=2, converts=True)
def mm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the product of two matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.mm(strided.ones(2, 3), strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    for x in (input, mat2):
        _expect_rank("mm", x, 2, "matmul takes any rank")
    return _product(input, mat2, out)


@operation(operands=2, converts=True)
def mv(input: Any, vec: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the product of a matrix and a vector. A new tensor, or ``out``.

    >>> import strided
    >>> strided.mv(strided.ones(2, 3), strided.arange(3)).tolist()
    [3.0, 3.0]
    """
    _expect_rank("mv", input, 2, "matmul takes any rank")
    _expect_rank("mv", vec, 1, "matmul takes any rank")
    return _product(input, vec, out)


@operation(operands=2, converts=True)
def bmm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the products of two equally long stacks of matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.bmm(strided.ones(5, 2, 3), strided.ones(5, 3, 1)).shape
    (5, 2, 1)
    """
    for x in (input, mat2):
        _expect_rank("bmm", x, 3, "matmul takes any rank and broadcasts")
    _expect_equal("bmm", input.shape[:1], mat2.shape[:1], "matmul broadcasts")
    return _product(input, mat2, out)


# ---- products of vectors: functions as in NumPy, methods as in PyTorch ----


@operation(method=None, numpy="dot: a b", converts=True)
def dot(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return the sums of products over the last axis of ``x1`` and the last but one of ``x2``.

    NumPy's ``dot``: of vectors their scalar product, of matrices the matrix product; axes do not
    broadcast. A new tensor, or ``out``.

    >>> import strided
    >>> strided.dot([1, 2], [3, 4]).item()
    11
    >>> strided.dot(strided.ones(2, 3), strided.ones(5, 3, 4)).shape
    (2, 5, 4)
    """
    if x1.ndim == 0 or x2.ndim == 0:
        scaled: Tensor = x1.multiply(x2, out=out)
        return scaled
    if x1.ndim <= 2 and x2.ndim <= 2:
        return _product(x1, x2, out)
    axis = max(0, x2.ndim - 2)
    if x1.shape[-1] != x2.shape[axis]:
        raise ShapeMismatch(
            operation="dot",
            expected=x1.shape,
            got=x2.shape,
            hint="the last axis of the first must be as long as the rows of the second",
        )
    made = _native.contract(x1, x2.movedim(axis, 0), 0, 1)
    return made if out is None else moved(out, made)


@operation(name="dot_of_vectors", function=None, method="dot", operands=2, converts=True)
def _dot_of_vectors(input: Any, tensor: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the scalar product of two vectors. A new tensor, or ``out``.

    Of more axes than one it is what ``strided.dot`` gives.

    >>> import strided
    >>> strided.arange(3).dot(strided.arange(3)).item()
    5
    """
    both = input.ndim == 1 and tensor.ndim == 1
    return _product(input, tensor, out) if both else dot(input, tensor, out=out)


@operation(method=None, numpy="vdot: a b", converts=True)
def vdot(x1: Any, x2: Any, /) -> Tensor:
    """Return the scalar product of all elements, those of ``x1`` conjugated. A new tensor.

    >>> import strided
    >>> strided.vdot([1j, 2], [1j, 2]).item()
    (5+0j)
    """
    return _product(conj(x1).reshape(-1), x2.reshape(-1), None)


@operation(name="vdot_of_vectors", function=None, method="vdot", operands=2, converts=True)
def _vdot_of_vectors(input: Any, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the scalar product of two vectors, this one conjugated. A new tensor, or ``out``.

    >>> import strided
    >>> x = strided.tensor([1 + 2j])
    >>> x.vdot(x).item()
    (5+0j)
    """
    for x in (input, other):
        _expect_rank("vdot", x, 1, "flatten it, or use strided.vdot")
    return _product(conj(input), other, out)


@operation(method=None, numpy_ufunc="vecdot", converts=True)
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return scalar products along an axis, ``x1`` conjugated, other axes broadcast. A new tensor.

    >>> import strided
    >>> strided.vecdot(strided.ones(2, 3), strided.arange(3)).tolist()
    [3.0, 3.0]
    """
    for x in (x1, x2):
        if not -x.ndim <= axis < x.ndim:
            raise InvalidDimension(dim=axis, rank=x.ndim)
    rows, columns = conj(x1).movedim(axis, -1), x2.movedim(axis, -1)
    made: Tensor = (rows.unsqueeze(-2) @ columns.unsqueeze(-1)).squeeze((-2, -1))
    return made


@operation(numpy="inner: a b", converts=True)
def inner(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return the sums of products over the last axes of both. A new tensor, or ``out``.

    >>> import strided
    >>> strided.inner(strided.ones(2, 3), strided.ones(4, 3)).shape
    (2, 4)
    """
    if x1.ndim == 0 or x2.ndim == 0:
        scaled: Tensor = x1.multiply(x2, out=out)
        return scaled
    _expect_equal("inner", x1.shape[-1:], x2.shape[-1:], "the last axes must be equal")
    made = _native.contract(x1, x2.movedim(-1, 0), 0, 1)
    return made if out is None else moved(out, made)


@operation(method=None, numpy="outer: a b", converts=True)
def outer(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return all products of an element of ``x1`` and one of ``x2``, both flattened. A new tensor.

    >>> import strided
    >>> strided.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    made: Tensor = x1.reshape(-1).unsqueeze(1).multiply(x2.reshape(-1), out=out)
    return made


@operation(name="outer_of_vectors", function=None, method="outer", operands=2, converts=True)
def _outer_of_vectors(input: Any, vec2: Any, *, out: Tensor | None = None) -> Tensor:
    """Return all products of the elements of two vectors. A new tensor, or ``out``.

    >>> import strided
    >>> strided.arange(2).outer(strided.arange(3)).tolist()
    [[0, 0, 0], [0, 1, 2]]
    """
    for x in (input, vec2):
        _expect_rank("outer", x, 1, "flatten it, or use strided.outer")
    made: Tensor = input.unsqueeze(1).multiply(vec2, out=out)
    return made


@operation(numpy="kron: a b", converts=True)
def kron(x1: Any, x2: Any, /) -> Tensor:
    """Return the Kronecker product: every element of ``x1`` times all of ``x2``. A new tensor.

    >>> import strided
    >>> strided.kron([1, 10], [[1, 2], [3, 4]]).tolist()
    [[1, 2, 10, 20], [3, 4, 30, 40]]
    """
    rank = max(x1.ndim, x2.ndim)
    a: Tensor = x1.view((1,) * (rank - x1.ndim) + x1.shape)
    b: Tensor = x2.view((1,) * (rank - x2.ndim) + x2.shape)
    shape = [n * m for n, m in zip(a.shape, b.shape, strict=True)]
    for axis in range(rank):
        a, b = a.unsqueeze(2 * axis + 1), b.unsqueeze(2 * axis)
    if _native.any_tracked((a, b)):
        return (a * b).reshape(shape)
    pairs = _native.broadcast_shape(a.shape, b.shape)
    out = _native.empty(pairs, dtype=_native.promote_types(a.dtype, b.dtype))
    return a.multiply(b, out=out).view(shape)


# ---- products that are added to something ----


def _added_gradient(
    call: Call, x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any, out: None = None
) -> Backward:
    """Gradient of ``beta * x + alpha * (a @ b)``; in-place forms have no ``out``."""
    wants_x = call.needs(0)
    saved = call.save(a if call.needs(2) else None, b if call.needs(1) else None)
    of_a, of_b = a.shape, b.shape

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        scaled = g if alpha == 1 else g * conj(alpha)
        to_x: Gradient = None
        if wants_x:
            to_x = g if beta == 1 else g * conj(beta)
        return (
            to_x,
            None if b is None else gradient_of_left(scaled, b, of_a),
            None if a is None else gradient_of_right(scaled, a, of_b),
        )

    return backward


def _added(
    operation: str, x: Tensor, a: Tensor, b: Tensor, beta: Any, alpha: Any, out: Tensor | None
) -> Tensor:
    dtype = _native.promote_types(x.dtype, _native.promote_types(a.dtype, b.dtype))
    shape = (*a.shape[:-1], *b.shape[-1:]) if b.ndim > 1 else a.shape[:-1]
    # Half types are added in float32, and rounded once.
    wide = _native.float32 if dtype in _HALVES else dtype
    made = _native.matmul_into(_native.empty(shape, dtype=wide), a, b)
    if alpha != 1:
        made *= alpha
    if beta != 0:
        _expect_equal(
            operation,
            shape,
            _native.broadcast_shape(x.shape, shape),
            "the tensor that is added to must broadcast to the product",
        )
        made += x if beta == 1 else x._convert(wide, reason="promote") * beta
    if out is not None:
        return moved(out, made)
    return made._convert(dtype, reason="promote")


@operation(gradient=_added_gradient, operands=3, converts=True)
def addmm(
    input: Any,
    mat1: Any,
    mat2: Any,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * input + alpha * (mat1 @ mat2)``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addmm(strided.ones(2), strided.ones(2, 3), strided.ones(3, 2)).tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    for x in (mat1, mat2):
        _expect_rank("addmm", x, 2, "baddbmm takes stacks of matrices")
    return _added("addmm", input, mat1, mat2, beta, alpha, out)


@operation(kind="in place", function=None, operands=3)
def addmm_(input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Write ``beta * input + alpha * (mat1 @ mat2)`` into this tensor, in place.

    >>> import strided
    >>> strided.ones(2, 2).addmm_(strided.ones(2, 3), strided.ones(3, 2)).tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    return addmm(input, mat1, mat2, beta=beta, alpha=alpha, out=input)


@operation(gradient=_added_gradient, operands=3, converts=True)
def addmv(
    input: Any,
    mat: Any,
    vec: Any,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * input + alpha * (mat @ vec)``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.addmv(strided.ones(2), strided.ones(2, 3), strided.ones(3)).tolist()
    [4.0, 4.0]
    """
    _expect_rank("addmv", mat, 2, "addmm takes two matrices")
    _expect_rank("addmv", vec, 1, "addmm takes two matrices")
    return _added("addmv", input, mat, vec, beta, alpha, out)


@operation(gradient=_added_gradient, operands=3, converts=True)
def baddbmm(
    input: Any,
    batch1: Any,
    batch2: Any,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * input + alpha * (batch1 @ batch2)`` for stacks. A new tensor, or ``out``.

    >>> import strided
    >>> strided.baddbmm(strided.ones(1), strided.ones(5, 2, 3), strided.ones(5, 3, 1)).shape
    (5, 2, 1)
    """
    for x in (batch1, batch2):
        _expect_rank("baddbmm", x, 3, "addmm takes two matrices")
    _expect_equal("baddbmm", batch1.shape[:1], batch2.shape[:1], "the stacks must be equally long")
    return _added("baddbmm", input, batch1, batch2, beta, alpha, out)


@operation(kind="in place", function=None, operands=3)
def baddbmm_(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """Write ``beta * input + alpha * (batch1 @ batch2)`` into this tensor, in place.

    >>> import strided
    >>> x = strided.zeros(1, 2, 2)
    >>> x.baddbmm_(strided.ones(1, 2, 3), strided.ones(1, 3, 2)).tolist()
    [[[3.0, 3.0], [3.0, 3.0]]]
    """
    return baddbmm(input, batch1, batch2, beta=beta, alpha=alpha, out=input)
