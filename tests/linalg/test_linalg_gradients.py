"""Gradients of linear algebra against finite differences, second ones too; and their refusals."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.differences import check_gradients, numbers
from support.stacks import VIEWS

import strided as st
from strided import linalg

Function = Callable[..., Any]


def _adjoint(x: st.Tensor) -> st.Tensor:
    return x.mT.conj() if x.dtype.is_complex else x.mT


def _hermitian(x: st.Tensor) -> st.Tensor:
    return (x + _adjoint(x)) / 2


def _positive(x: st.Tensor) -> st.Tensor:
    return x @ _adjoint(x) + st.eye(x.shape[-2], dtype=st.float64)


def _safe(x: st.Tensor) -> st.Tensor:
    return x + 3 * st.eye(x.shape[-1], dtype=st.float64)


def _without_phase(vectors: st.Tensor) -> st.Tensor:
    """Return the projections onto vectors, which do not change with their phases."""
    columns = vectors.mT
    return columns.unsqueeze(-1) * columns.conj().unsqueeze(-2)


def _eig(x: st.Tensor) -> tuple[st.Tensor, ...]:
    values, vectors = linalg.eig(x)
    return values, _without_phase(vectors)


def _eigh(x: st.Tensor) -> tuple[st.Tensor, ...]:
    values, vectors = linalg.eigh(_hermitian(x))
    return values, vectors if not x.dtype.is_complex else _without_phase(vectors)


def _svd(x: st.Tensor, **options: Any) -> tuple[st.Tensor, ...]:
    u, s, vh = linalg.svd(x, **options)
    least = s.shape[-1]
    u, vh = u[..., :least], vh[..., :least, :]
    if not x.dtype.is_complex:
        return u, s, vh
    return _without_phase(u), s, _without_phase(vh.mT), u @ vh


def _qr(x: st.Tensor) -> tuple[st.Tensor, ...]:
    return tuple(linalg.qr(x))


# name: functions, each with the shapes of what it takes
CASES: dict[str, list[tuple[Any, ...]]] = {
    "inv": [(linalg.inv, (3, 3)), (linalg.inv, (2, 3, 3)), (linalg.inv, (18, 18))],
    "solve": [
        (linalg.solve, (3, 3), (3,)),
        (linalg.solve, (3, 3), (3, 2)),
        (linalg.solve, (2, 3, 3), (3,)),
        (linalg.solve, (2, 1, 3, 3), (4, 3, 2)),
        (lambda b: linalg.solve(st.eye(3, dtype=st.float64) * 2, b), (3, 2)),
        (lambda a: linalg.solve(a, [1.0, 2.0, 3.0]), (3, 3)),
    ],
    "det": [(linalg.det, (3, 3)), (linalg.det, (2, 2, 4, 4))],
    "slogdet": [
        (lambda x: tuple(linalg.slogdet(x)), (3, 3)),
        (lambda x: linalg.slogdet(x).logabsdet, (2, 3, 3)),
    ],
    "cholesky": [
        (lambda x: linalg.cholesky(_positive(x)), (3, 3)),
        (lambda x: linalg.cholesky(_positive(x), upper=True), (2, 3, 3)),
    ],
    "eigh": [
        (_eigh, (3, 3)),
        (_eigh, (2, 3, 3)),
        (lambda x: _eigh(x)[0], (3, 3)),
        (lambda x: _eigh(x)[1], (3, 3)),
    ],
    "eigvalsh": [(lambda x: linalg.eigvalsh(_hermitian(x)), (2, 3, 3))],
    "eig": [(_eig, (3, 3)), (lambda x: _eig(x)[0], (2, 3, 3)), (lambda x: _eig(x)[1], (3, 3))],
    "eigvals": [(linalg.eigvals, (2, 3, 3))],
    "svd": [
        (_svd, (3, 3)),
        (_svd, (4, 2)),
        (_svd, (2, 2, 3)),
        (lambda x: _svd(x, full_matrices=False), (2, 4, 2)),
        (lambda x: _svd(x)[0], (4, 2)),
        (lambda x: _svd(x)[1], (4, 2)),
        (lambda x: _svd(x)[2], (2, 4)),
    ],
    "svdvals": [(linalg.svdvals, (2, 4, 3))],
    "qr": [
        (_qr, (3, 3)),
        (_qr, (2, 4, 3)),
        (_qr, (3, 5)),
        (lambda x: _qr(x)[0], (4, 3)),
        (lambda x: _qr(x)[1], (4, 3)),
        (lambda x: _qr(x)[0], (2, 4)),
        (lambda x: _qr(x)[1], (2, 4)),
        (lambda x: tuple(linalg.qr(x, mode="complete")), (2, 3)),
    ],
    "pinv": [
        (linalg.pinv, (3, 3)),
        (linalg.pinv, (4, 2)),
        (linalg.pinv, (2, 2, 3)),
        (lambda x, y: linalg.pinv(x @ y), (4, 2), (2, 3)),  # rank 2
        (lambda x: linalg.pinv(x, rtol=st.tensor([1e-6, 1e-5])), (2, 2, 3)),
    ],
    "matrix_norm": [
        (linalg.matrix_norm, (2, 3, 4)),
        *(
            (lambda x, ord=ord: linalg.matrix_norm(x, ord=ord, keepdims=True), (2, 3, 4))
            for ord in ("nuc", 1, -1, 2, -2, math.inf, -math.inf)
        ),
    ],
    "vector_norm": [
        (lambda x: linalg.vector_norm(x, axis=-1), (3, 4)),
        (lambda x: linalg.vector_norm(x, ord=3), (3, 4)),
        (lambda x: linalg.vector_norm(x, ord=math.inf, axis=0), (3, 4)),
    ],
    "matrix_power": [
        *((lambda x, n=n: linalg.matrix_power(x, n), (2, 3, 3)) for n in (1, 2, 5, -1, -3)),
    ],
    "cross": [
        (linalg.cross, (2, 3), (2, 3)),
        (linalg.cross, (2, 3), (4, 1, 3)),
        (lambda x, y: linalg.cross(x, y, axis=0), (3,), (3, 4)),
        (lambda x: linalg.cross(x, [1.0, 2.0, 3.0]), (2, 3)),
    ],
    "trace": [(linalg.trace, (2, 3, 3)), (lambda x: linalg.trace(x, offset=1), (3, 4))],
    "diagonal": [(lambda x: linalg.diagonal(x, offset=-1), (2, 3, 4))],
    "matmul": [(linalg.matmul, (2, 3), (3, 4))],
    "matrix_transpose": [(linalg.matrix_transpose, (2, 3, 4))],
    "outer": [(linalg.outer, (3,), (4,))],
    "tensordot": [(lambda x, y: linalg.tensordot(x, y, axes=1), (2, 3), (3, 4))],
    "vecdot": [(linalg.vecdot, (2, 3), (2, 3))],
    "cholesky_ex": [(lambda x: linalg.cholesky_ex(_positive(x)).result, (3, 3))],
    "inv_ex": [(lambda x: linalg.inv_ex(x).result, (3, 3))],
    "solve_ex": [(lambda a, b: linalg.solve_ex(a, b).result, (3, 3), (3, 2))],
    "cond": [(linalg.cond, (3, 3)), (lambda x: linalg.cond(x, 1), (3, 3))],
    "lstsq": [
        (lambda a, b: linalg.lstsq(a, b).solution, (4, 2), (4, 3)),
        (lambda a, b: linalg.lstsq(a, b).residuals, (4, 2), (4,)),
    ],
    "lu": [(lambda x: tuple(linalg.lu(x))[1:], (3, 3)), (lambda x: linalg.lu(x).U, (2, 3, 3))],
    "lu_factor": [(lambda x: linalg.lu_factor(x).LU, (3, 3))],
    "lu_factor_ex": [(lambda x: linalg.lu_factor_ex(x).LU, (3, 3))],
    "lu_solve": [
        (lambda a, b: linalg.lu_solve(*linalg.lu_factor(a), b), (3, 3), (3, 2)),
        (lambda a, b: linalg.lu_solve(*linalg.lu_factor(a), b, adjoint=True), (3, 3), (3, 2)),
        (lambda a, b: linalg.lu_solve(*linalg.lu_factor(a), b, left=False), (3, 3), (2, 3)),
    ],
    "solve_triangular": [
        (lambda a, b: linalg.solve_triangular(_safe(a), b, upper=True), (3, 3), (3, 2)),
        (lambda a, b: linalg.solve_triangular(_safe(a), b, upper=False), (2, 3, 3), (3, 2)),
        (
            lambda a, b: linalg.solve_triangular(a, b, upper=True, left=False, unitriangular=True),
            (3, 3),
            (2, 3),
        ),
    ],
    "matrix_exp": [(linalg.matrix_exp, (3, 3)), (linalg.matrix_exp, (2, 2, 2))],
    "multi_dot": [(lambda a, b, c: linalg.multi_dot([a, b, c]), (2, 3), (3, 4), (4, 2))],
    "norm": [
        (linalg.norm, (3, 4)),
        (lambda x: linalg.norm(x, 1, axis=(0, 2), keepdims=True), (2, 3, 4)),
        (lambda x: linalg.norm(x, axis=1), (3, 4)),
    ],
    "tensorinv": [(lambda x: linalg.tensorinv(x.reshape(2, 2, 4)), (4, 4))],
    "tensorsolve": [(lambda a, b: linalg.tensorsolve(a.reshape(2, 2, 4), b), (4, 4), (2, 2))],
    "vander": [(lambda x: linalg.vander(x, N=3), (4,))],
    "householder_product": [(linalg.householder_product, (4, 2), (2,))],
}
WITHOUT = {"matrix_rank", "LinAlgError"}  # a number, an error
# Sizes of complex numbers have kinks that differences of differences do not like.
ROUNDING = {"eig": 3e-6, "eigvals": 3e-6, "pinv": 1e-6}


def test_every_function_is_shown() -> None:
    assert set(linalg.__all__) == set(CASES) | WITHOUT


ROWS = [(name, *row) for name, rows in CASES.items() for row in rows]


@pytest.mark.parametrize("kind", ["f", "c"])
@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]}-{i}" for i, row in enumerate(ROWS)])
def test_gradient_is_that_of_finite_differences(row: Any, kind: str) -> None:
    name, function, *shapes = row
    arrays = [numbers(*shape, kind=kind, seed=20 + i) for i, shape in enumerate(shapes)]
    few = sum(a.size for a in arrays) < 40
    check_gradients(function, *arrays, rounding=ROUNDING.get(name, 3e-7), twice=few)


@pytest.mark.parametrize("view", VIEWS)
def test_strides_do_not_matter(view: str) -> None:
    a = VIEWS[view](numbers(2, 3, 3))
    x = st.from_numpy(a).requires_grad_()
    y = st.from_numpy(np.ascontiguousarray(a)).requires_grad_()
    for one in (x, y):
        (linalg.inv(one) * linalg.svdvals(one).unsqueeze(-1)).sum().backward()
    assert x.grad is not None
    assert st.allclose(x.grad, y.grad)


def test_determinant_of_singular_matrices() -> None:
    """The gradient is the matrix of cofactors, which exists for every matrix."""
    for a in ([[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 3.0]], [[0.0, 0.0], [0.0, 0.0]]):
        x = st.tensor(a, dtype=st.float64).requires_grad_()
        linalg.det(x).backward()
        (p, q), (r, s) = a
        np.testing.assert_allclose(x.grad, [[s, -r], [-q, p]], atol=1e-12)
    check_gradients(lambda x, y: linalg.det(x @ y), numbers(3, 2), numbers(2, 3), twice=True)
    check_gradients(linalg.det, np.array([[1.0, 2.0], [2.0, 4.0]]), twice=True)


def test_equal_values_have_gradients_without_vectors() -> None:
    x = st.eye(3, dtype=st.float64).requires_grad_()
    (linalg.svdvals(x).sum() + linalg.eigvalsh(x).sum() + linalg.pinv(x).sum()).backward()
    expected = 2 * np.eye(3) - np.ones((3, 3))
    np.testing.assert_allclose(x.grad, expected, atol=1e-12)


def test_half_precision_and_plain_tensors() -> None:
    x = st.tensor([[2.0, 0.0], [0.0, 4.0]], dtype=st.bfloat16, requires_grad=True)
    linalg.inv(x).sum().backward()
    assert x.grad is not None
    assert x.grad.dtype is st.bfloat16
    assert x.grad.tolist() == [[-0.25, -0.125], [-0.125, -0.0625]]
    with st.no_grad():
        for name in ("inv", "det", "eigvalsh", "svdvals", "pinv"):
            assert not getattr(linalg, name)(x).requires_grad
    assert linalg.matrix_rank(x).item() == 2


@pytest.mark.parametrize(
    "function",
    [
        lambda x: linalg.eigh(_positive(x)).eigenvectors,
        lambda x: linalg.eig(x).eigenvectors,
        lambda x: linalg.svd(x).U,
    ],
)
def test_phases_have_no_gradient(function: Function) -> None:
    x = st.from_numpy(numbers(3, 3, kind="c")).requires_grad_()
    y = function(x)
    with pytest.raises(st.GradientNotPossible, match="phase"):
        (y * st.from_numpy(numbers(3, 3, kind="c", seed=1))).sum().real.backward()


def test_undetermined_columns_have_no_gradient() -> None:
    x = st.ones(3, 2, requires_grad=True)
    with pytest.raises(st.GradientNotPossible, match="reduced"):
        linalg.qr(x, mode="complete")


def test_matrices_that_were_overwritten() -> None:
    x = st.eye(2, requires_grad=True) * 2
    y = linalg.det(x)
    x.add_(1)
    with pytest.raises(st.StaleGradient):
        y.backward()
