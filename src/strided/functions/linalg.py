"""Matrix products as functions, by the array API and NumPy; PyTorch's names for fixed ranks too."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidDimension, ShapeMismatch
from strided.functions.arrays import asarray
from strided.methods import products
from strided.ops.results import moved


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
    return products.product(asarray(x1), asarray(x2), out)


def mm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the product of two matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.mm(strided.ones(2, 3), strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    return products.mm(asarray(input), asarray(mat2), out=out)


def mv(input: Any, vec: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the product of a matrix and a vector. A new tensor, or ``out``.

    >>> import strided
    >>> strided.mv(strided.ones(2, 3), strided.arange(3)).tolist()
    [3.0, 3.0]
    """
    return products.mv(asarray(input), asarray(vec), out=out)


def bmm(input: Any, mat2: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the products of two equally long stacks of matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.bmm(strided.ones(5, 2, 3), strided.ones(5, 3, 1)).shape
    (5, 2, 1)
    """
    return products.bmm(asarray(input), asarray(mat2), out=out)


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
    a, b = asarray(x1), asarray(x2)
    if a.ndim == 0 or b.ndim == 0:
        return a.multiply(b, out=out)
    if a.ndim <= 2 and b.ndim <= 2:
        return products.product(a, b, out)
    axis = max(0, b.ndim - 2)
    if a.shape[-1] != b.shape[axis]:
        raise ShapeMismatch(
            operation="dot",
            expected=a.shape,
            got=b.shape,
            hint="the last axis of the first must be as long as the rows of the second",
        )
    made = _native.contract(a, b.movedim(axis, 0), 0, 1)
    return made if out is None else moved(out, made)


def vdot(x1: Any, x2: Any, /) -> Tensor:
    """Return the scalar product of all elements, those of ``x1`` conjugated. A new tensor.

    >>> import strided
    >>> strided.vdot([1j, 2], [1j, 2]).item()
    (5+0j)
    """
    a, b = asarray(x1), asarray(x2)
    return products.product(products.conjugate(a).reshape(-1), b.reshape(-1))


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Tensor:
    """Return scalar products along an axis, ``x1`` conjugated, other axes broadcast. A new tensor.

    >>> import strided
    >>> strided.vecdot(strided.ones(2, 3), strided.arange(3)).tolist()
    [3.0, 3.0]
    """
    a, b = asarray(x1), asarray(x2)
    for x in (a, b):
        if not -x.ndim <= axis < x.ndim:
            raise InvalidDimension(dim=axis, rank=x.ndim)
    a, b = products.conjugate(a).movedim(axis, -1), b.movedim(axis, -1)
    return (a.unsqueeze(-2) @ b.unsqueeze(-1)).squeeze((-2, -1))


def inner(x1: Any, x2: Any, /) -> Tensor:
    """Return the sums of products over the last axes of both. A new tensor.

    >>> import strided
    >>> strided.inner(strided.ones(2, 3), strided.ones(4, 3)).shape
    (2, 4)
    """
    return products.inner(asarray(x1), asarray(x2))


def outer(x1: Any, x2: Any, /, *, out: Tensor | None = None) -> Tensor:
    """Return all products of an element of ``x1`` and one of ``x2``, both flattened. A new tensor.

    >>> import strided
    >>> strided.outer([1, 2], [3, 4]).tolist()
    [[3, 4], [6, 8]]
    """
    return products.outer(asarray(x1).reshape(-1), asarray(x2).reshape(-1), out=out)


def kron(x1: Any, x2: Any, /) -> Tensor:
    """Return the Kronecker product: every element of ``x1`` times all of ``x2``. A new tensor.

    >>> import strided
    >>> strided.kron([1, 10], [[1, 2], [3, 4]]).tolist()
    [[1, 2, 10, 20], [3, 4, 30, 40]]
    """
    a, b = asarray(x1), asarray(x2)
    rank = max(a.ndim, b.ndim)
    a, b = (x.view((1,) * (rank - x.ndim) + x.shape) for x in (a, b))
    shape = [n * m for n, m in zip(a.shape, b.shape, strict=True)]
    for axis in range(rank):
        a, b = a.unsqueeze(2 * axis + 1), b.unsqueeze(2 * axis)
    if _native.any_tracked((a, b)):
        return (a * b).reshape(shape)
    pairs = _native.broadcast_shape(a.shape, b.shape)
    out = _native.empty(pairs, dtype=_native.promote_types(a.dtype, b.dtype))
    return a.multiply(b, out=out).view(shape)


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
    x, a, b = asarray(input), asarray(mat1), asarray(mat2)
    return products.addmm(x, a, b, beta=beta, alpha=alpha, out=out)


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
    x, a, b = asarray(input), asarray(mat), asarray(vec)
    return products.addmv(x, a, b, beta=beta, alpha=alpha, out=out)


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
    x, a, b = asarray(input), asarray(batch1), asarray(batch2)
    return products.baddbmm(x, a, b, beta=beta, alpha=alpha, out=out)
