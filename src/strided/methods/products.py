"""Matrix products as methods, by their PyTorch names: each says which ranks it takes."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.differentiable import differentiable, differentiable_in_place
from strided.errors import ShapeMismatch
from strided.ops.results import moved

_HALVES = (_native.float16, _native.bfloat16)


def product(a: Tensor, b: Tensor, out: Tensor | None = None) -> Tensor:
    """Return ``a @ b``, or write it into ``out``."""
    return _native.matmul(a, b) if out is None else _native.matmul_into(out, a, b)


def expect_rank(operation: str, x: Tensor, rank: int, hint: str) -> None:
    """Raise ShapeMismatch unless the tensor has this rank."""
    if x.ndim != rank:
        # -1 stands for any length.
        raise ShapeMismatch(operation=operation, expected=(-1,) * rank, got=x.shape, hint=hint)


def _expect_equal(
    operation: str, expected: tuple[int, ...], got: tuple[int, ...], hint: str
) -> None:
    if expected != got:
        raise ShapeMismatch(operation=operation, expected=expected, got=got, hint=hint)


def matmul(self: Tensor, other: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the matrix product with another tensor, as ``@`` does. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(2, 3).matmul(strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    if out is None:
        made: Tensor = self @ other
        return made
    return product(self, other, out)


def mm(self: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the product of two matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(2, 3).mm(strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    for x in (self, mat2):
        expect_rank("mm", x, 2, "matmul takes any rank")
    return product(self, mat2, out)


def mv(self: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the product of a matrix and a vector. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(2, 3).mv(strided.arange(3)).tolist()
    [3.0, 3.0]
    """
    expect_rank("mv", self, 2, "matmul takes any rank")
    expect_rank("mv", vec, 1, "matmul takes any rank")
    return product(self, vec, out)


def bmm(self: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the products of two equally long stacks of matrices. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(5, 2, 3).bmm(strided.ones(5, 3, 1)).shape
    (5, 2, 1)
    """
    for x in (self, mat2):
        expect_rank("bmm", x, 3, "matmul takes any rank and broadcasts")
    _expect_equal("bmm", self.shape[:1], mat2.shape[:1], "matmul broadcasts")
    return product(self, mat2, out)


def dot(self: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sum of the products of two vectors. A new tensor, or ``out``.

    >>> import strided
    >>> strided.arange(3).dot(strided.arange(3)).item()
    5
    """
    for x in (self, tensor):
        expect_rank("dot", x, 1, "strided.dot, inner and tensordot take any rank")
    return product(self, tensor, out)


def vdot(self: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the dot product of two vectors, this one conjugated. A new tensor, or ``out``.

    >>> import strided
    >>> x = strided.tensor([1 + 2j])
    >>> x.vdot(x).item()
    (5+0j)
    """
    for x in (self, other):
        expect_rank("vdot", x, 1, "flatten it, or use strided.vdot")
    return product(conjugate(self), other, out)


def conjugate(x: Tensor) -> Tensor:
    """Return the conjugate: a new tensor for complex numbers, itself for real ones."""
    return x.conj() if x.dtype.is_complex else x


def outer(self: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return all products of the elements of two vectors. A new tensor, or ``out``.

    >>> import strided
    >>> strided.arange(2).outer(strided.arange(3)).tolist()
    [[0, 0, 0], [0, 1, 2]]
    """
    for x in (self, vec2):
        expect_rank("outer", x, 1, "flatten it, or use strided.outer")
    return self.unsqueeze(1).multiply(vec2, out=out)


def inner(self: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the sums of products over the last axes of both. A new tensor, or ``out``.

    >>> import strided
    >>> strided.arange(6).reshape(2, 3).inner(strided.arange(3)).tolist()
    [5, 14]
    """
    if self.ndim == 0 or other.ndim == 0:
        return self.multiply(other, out=out)
    _expect_equal("inner", self.shape[-1:], other.shape[-1:], "the last axes must be equal")
    made = _native.contract(self, other.movedim(-1, 0), 0, 1)
    return made if out is None else moved(out, made)


# ---- products that are added to something ----


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


@differentiable
def addmm(
    self: Tensor,
    mat1: Tensor,
    mat2: Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * self + alpha * (mat1 @ mat2)``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(2).addmm(strided.ones(2, 3), strided.ones(3, 2), alpha=2).tolist()
    [[7.0, 7.0], [7.0, 7.0]]
    """
    for x in (mat1, mat2):
        expect_rank("addmm", x, 2, "baddbmm takes stacks of matrices")
    return _added("addmm", self, mat1, mat2, beta, alpha, out)


@differentiable_in_place
def addmm_(self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1) -> Tensor:
    """Write ``beta * self + alpha * (mat1 @ mat2)`` into this tensor, in place.

    >>> import strided
    >>> strided.ones(2, 2).addmm_(strided.ones(2, 3), strided.ones(3, 2)).tolist()
    [[4.0, 4.0], [4.0, 4.0]]
    """
    return addmm(self, mat1, mat2, beta=beta, alpha=alpha, out=self)


@differentiable
def addmv(
    self: Tensor,
    mat: Tensor,
    vec: Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * self + alpha * (mat @ vec)``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(2).addmv(strided.ones(2, 3), strided.ones(3)).tolist()
    [4.0, 4.0]
    """
    expect_rank("addmv", mat, 2, "addmm takes two matrices")
    expect_rank("addmv", vec, 1, "addmm takes two matrices")
    return _added("addmv", self, mat, vec, beta, alpha, out)


@differentiable
def baddbmm(
    self: Tensor,
    batch1: Tensor,
    batch2: Tensor,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    out: Tensor | None = None,
) -> Tensor:
    """Return ``beta * self + alpha * (batch1 @ batch2)`` for stacks. A new tensor, or ``out``.

    >>> import strided
    >>> strided.ones(1).baddbmm(strided.ones(5, 2, 3), strided.ones(5, 3, 1)).shape
    (5, 2, 1)
    """
    for x in (batch1, batch2):
        expect_rank("baddbmm", x, 3, "addmm takes two matrices")
    _expect_equal("baddbmm", batch1.shape[:1], batch2.shape[:1], "the stacks must be equally long")
    return _added("baddbmm", self, batch1, batch2, beta, alpha, out)


@differentiable_in_place
def baddbmm_(
    self: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """Write ``beta * self + alpha * (batch1 @ batch2)`` into this tensor, in place.

    >>> import strided
    >>> x = strided.zeros(1, 2, 2)
    >>> x.baddbmm_(strided.ones(1, 2, 3), strided.ones(1, 3, 2)).tolist()
    [[[3.0, 3.0], [3.0, 3.0]]]
    """
    return baddbmm(self, batch1, batch2, beta=beta, alpha=alpha, out=self)


METHODS: dict[str, Any] = {
    function.__name__: function
    for function in (
        matmul,
        mm,
        mv,
        bmm,
        dot,
        vdot,
        outer,
        inner,
        addmm,
        addmm_,
        addmv,
        baddbmm,
        baddbmm_,
    )
}
