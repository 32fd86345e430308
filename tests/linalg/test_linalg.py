"""strided.linalg against NumPy: stacks and strides of every kind, precisions, refusals, copies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import HALVES, assert_same, dtype_of
from support.stacks import DTYPES, ROUNDING, VIEWS, hermitian, positive, random

import strided
from strided import linalg


def views(array: np.ndarray) -> list[tuple[str, Any, np.ndarray]]:
    made = [(name, view(array)) for name, view in VIEWS.items()]
    return [(name, strided.from_numpy(a), a) for name, a in made]


# ---- against NumPy ----

SQUARE: dict[str, Callable[[Any], Any]] = {
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "cholesky": np.linalg.cholesky,
    "eigvalsh": np.linalg.eigvalsh,
    "svdvals": lambda a: np.linalg.svd(a, compute_uv=False),
    "trace": lambda a: np.trace(a, axis1=-2, axis2=-1),
    "diagonal": lambda a: np.diagonal(a, axis1=-2, axis2=-1),
    "matrix_norm": lambda a: np.linalg.norm(a, axis=(-2, -1)),
    "pinv": np.linalg.pinv,
    "matrix_transpose": lambda a: np.swapaxes(a, -1, -2),
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SQUARE)
def test_one_matrix_in(name: str, dtype: str) -> None:
    for where, x, a in views(positive((3, 4, 4), dtype)):
        expected = SQUARE[name](a)
        size = max(1.0, float(np.abs(expected).max()))
        found = getattr(linalg, name)(x)
        assert_same(found / size, expected / np.asarray(size, expected.dtype), ROUNDING[dtype])
        assert found.dtype.name == expected.dtype.name, where


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(4, 4), (2, 5, 3), (2, 3, 5), (2, 0, 3, 3), (3, 0), (0, 0)])
def test_factors_multiply_to_the_matrix(shape: tuple[int, ...], dtype: str) -> None:
    a = random(shape, dtype)
    x, tolerance = strided.from_numpy(a), ROUNDING[dtype]
    rows, columns = shape[-2:]
    least = min(rows, columns)
    for mode, width in (("reduced", least), ("complete", rows)):
        q, r = linalg.qr(x, mode=mode)
        assert q.shape == (*shape[:-2], rows, width)
        assert_same(q @ r, a, tolerance)
        ones = np.broadcast_to(np.eye(width, dtype=dtype), (*shape[:-2], width, width))
        assert_same(hermitian(q) @ q, ones, tolerance)
    u, s, vh = linalg.svd(x, full_matrices=False)
    assert s.dtype.kind == "f"
    assert_same((u * s.unsqueeze(-2)) @ vh, a, tolerance)
    assert linalg.svd(x).U.shape == (*shape[:-2], rows, rows)
    assert linalg.svd(x).Vh.shape == (*shape[:-2], columns, columns)


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvectors(dtype: str) -> None:
    a = positive((3, 4, 4), dtype)
    x = strided.from_numpy(a)
    values, vectors = linalg.eigh(x)
    assert (values.dtype.kind, vectors.dtype.name) == ("f", dtype)
    assert_same((x @ vectors) / 10, as_products(vectors, values) / 10, ROUNDING[dtype])
    b = random((3, 4, 4), dtype)
    y = strided.from_numpy(b)
    values, vectors = linalg.eig(y)
    wide = "complex64" if dtype in ("float32", "complex64") else "complex128"
    assert values.dtype.name == vectors.dtype.name == linalg.eigvals(y).dtype.name == wide
    assert_same(y.to(values.dtype) @ vectors, as_products(vectors, values), ROUNDING[dtype])
    assert_same(linalg.eigvals(y).sum(-1), np.trace(b, axis1=1, axis2=2).astype(wide), 1e-4)


def as_products(vectors: Any, values: Any) -> np.ndarray:
    return np.asarray(vectors) * np.asarray(values)[..., None, :]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3, 3), (3,)),
        ((3, 3), (3, 2)),
        ((5, 3, 3), (3,)),
        ((5, 3, 3), (3, 2)),
        ((3, 3), (5, 3, 2)),
        ((5, 1, 3, 3), (4, 3, 2)),
        ((2, 3, 3), (2, 3, 0)),
        ((0, 0), (0, 2)),
    ],
)
def test_solve(left: tuple[int, ...], right: tuple[int, ...], dtype: str) -> None:
    a, b = positive(left, dtype), random(right, dtype, 1)
    found = linalg.solve(strided.from_numpy(a), strided.from_numpy(b))
    columns = b[:, None] if b.ndim == 1 else b
    expected = np.linalg.inv(a) @ columns
    assert_same(found, expected[..., 0] if b.ndim == 1 else expected, ROUNDING[dtype])


def test_solve_meets_in_a_dtype() -> None:
    a, b = strided.eye(2, dtype=strided.float64), strided.ones(2, dtype=strided.complex64)
    assert linalg.solve(a, b).dtype is strided.complex128


@pytest.mark.parametrize("ord", ["fro", None, "nuc", 1, -1, 2, -2, math.inf, -math.inf])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_matrix_norm(ord: Any, keepdims: bool, dtype: str) -> None:
    a = random((2, 3, 4), dtype)
    expected = np.linalg.norm(a, ord or "fro", axis=(-2, -1), keepdims=keepdims)
    found = linalg.matrix_norm(strided.from_numpy(a), ord=ord, keepdims=keepdims)
    assert_same(found, expected, ROUNDING[dtype])
    nothing = linalg.matrix_norm(strided.zeros(2, 0, 3), ord=ord, keepdims=keepdims)
    assert nothing.shape == ((2, 1, 1) if keepdims else (2,))
    assert nothing.tolist() == ([[[0.0]], [[0.0]]] if keepdims else [0.0, 0.0])


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, -1, -3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_matrix_power(n: int, dtype: str) -> None:
    a = positive((2, 3, 3), dtype) / 8
    x = strided.from_numpy(a.astype(dtype))
    expected = np.linalg.matrix_power(a.astype(dtype), n)
    size = max(1.0, float(np.abs(expected).max()))
    found = linalg.matrix_power(x, n)
    assert_same(found / size, expected / np.asarray(size, expected.dtype), ROUNDING[dtype])
    assert not found.shares_storage(x)


@pytest.mark.parametrize("offset", [-9, -2, -1, 0, 1, 3, 9])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "complex64"])
def test_diagonals(offset: int, dtype: str) -> None:
    a = np.arange(24).reshape(2, 3, 4).astype(dtype)
    x = strided.from_numpy(a)
    found = linalg.diagonal(x, offset=offset)
    assert_same(found, np.diagonal(a, offset, 1, 2))
    assert found.shares_storage(x)
    wide = {"int8": "int64", "uint16": "uint64"}.get(dtype, dtype)
    assert_same(linalg.trace(x, offset=offset), np.trace(a, offset, 1, 2, dtype=wide))
    assert linalg.trace(x, dtype=strided.float64).dtype is strided.float64


def test_cross() -> None:
    a, b = random((4, 3, 1), "float64"), random((3, 5), "float64", 1)
    expected = np.moveaxis(np.cross(a, b, axisa=-2, axisb=-2), -1, -2)
    assert_same(linalg.cross(strided.tensor(a), strided.tensor(b), axis=-2), expected, 1e-14)
    x = strided.tensor([1, 2, 3], dtype=strided.uint8)
    y = linalg.cross(x, strided.tensor([4, 5, 6], dtype=strided.int8))
    assert (y.tolist(), y.dtype) == ([-3, 6, -3], strided.int16)


@pytest.mark.parametrize("dtype", DTYPES)
def test_rank_and_pseudo_inverse(dtype: str) -> None:
    a = random((2, 4, 2), dtype) @ random((2, 2, 5), dtype, 1)
    a[1, :, :] = 0
    x = strided.from_numpy(a)
    assert linalg.matrix_rank(x).tolist() == [2, 0]
    assert linalg.matrix_rank(x).dtype is strided.int64
    assert linalg.matrix_rank(x, rtol=strided.tensor([2.0, 0.5])).tolist() == [0, 0]
    assert linalg.matrix_rank(x, rtol=np.array([1e-3, 0.5])).tolist() == [2, 0]
    found = linalg.pinv(x, rtol=1e-4)
    assert found.shape == (2, 5, 4)
    assert_same(x @ found @ x, a, ROUNDING[dtype])
    assert linalg.pinv(strided.zeros(2, 0, 3)).shape == (2, 3, 0)
    assert linalg.matrix_rank(strided.zeros(2, 0, 3)).tolist() == [0, 0]


def test_slogdet() -> None:
    a = random((3, 4, 4), "complex128")
    sign, logarithm = linalg.slogdet(strided.tensor(a))
    expected = np.linalg.slogdet(a)
    assert_same(sign, expected[0], 1e-12)
    assert_same(logarithm, expected[1], 1e-12)
    nothing = linalg.slogdet(strided.zeros(2, 2))
    assert (nothing.sign.item(), nothing.logabsdet.item()) == (0.0, -math.inf)


def test_cholesky_upper() -> None:
    a = positive((2, 3, 3), "complex128")
    upper = linalg.cholesky(strided.tensor(a), upper=True)
    assert_same(hermitian(upper) @ upper, a, 1e-12)
    assert_same(strided.triu(upper), np.asarray(upper))


# ---- dtypes, memory, refusals ----


@pytest.mark.parametrize("dtype", HALVES)
def test_half_precision_is_computed_in_single(dtype: str) -> None:
    x = strided.tensor([[4.0, 2.0], [2.0, 2.0]], dtype=dtype_of(dtype))
    assert linalg.cholesky(x).tolist() == [[2.0, 0.0], [1.0, 1.0]]
    assert linalg.inv(x).dtype is x.dtype
    assert linalg.eig(x).eigenvalues.dtype is strided.complex64
    assert linalg.matrix_norm(x, ord=2).dtype is x.dtype


def test_nothing_is_copied_on_the_way() -> None:
    x = strided.tensor(positive((4, 4, 4), "float64"))[..., :3, :3].mT.flip(-1)
    functions = ("inv", "det", "qr", "svd", "svdvals", "slogdet", "matrix_rank", "pinv", "trace")
    with strided.trace_copies() as report:
        for name in functions:
            getattr(linalg, name)(x)
        linalg.solve(x, strided.ones(3, dtype=strided.float64))
    assert report.count == 0
    with strided.no_copies():  # also where NumPy's result is real, and ours complex
        assert linalg.eigvals(strided.eye(2)).dtype is strided.complex64
        assert linalg.eig(x).eigenvectors.dtype is strided.complex128


ONLY_SQUARE = ("inv", "det", "cholesky", "eigh", "eigvals", "eigvalsh", "eig", "slogdet")


@pytest.mark.parametrize("name", ONLY_SQUARE)
def test_only_square_matrices(name: str) -> None:
    with pytest.raises(strided.ShapeMismatch) as caught:
        getattr(linalg, name)(strided.ones(5, 2, 3))
    assert (caught.value.operation, caught.value.got) == (name, (5, 2, 3))
    with pytest.raises(strided.ShapeMismatch):
        getattr(linalg, name)(strided.ones(3))
    # Integers take the default float.
    whole = strided.tensor([[2, 1], [1, 3]])
    found, wanted = (getattr(linalg, name)(x) for x in (whole, whole.float()))
    if isinstance(wanted, strided.Tensor):
        found, wanted = (found,), (wanted,)
    assert all(map(strided.array_equal, found, wanted))


REFUSALS: list[tuple[type[strided.StridedError], Callable[[], Any]]] = [
    (strided.SingularMatrix, lambda: linalg.inv(strided.ones(2, 3, 3))),
    (strided.SingularMatrix, lambda: linalg.solve(strided.zeros(2, 2), strided.ones(2))),
    (strided.SingularMatrix, lambda: linalg.matrix_power(strided.ones(2, 2), -2)),
    (strided.NotPositiveDefinite, lambda: linalg.cholesky(-strided.eye(3))),
    (strided.LinearAlgebraError, lambda: linalg.eigvals(strided.full((2, 2), strided.nan))),
    (strided.ShapeMismatch, lambda: linalg.solve(strided.eye(3), strided.ones(4))),
    (strided.ShapeMismatch, lambda: linalg.cross(strided.ones(2), strided.ones(2))),
    (strided.ShapeMismatch, lambda: linalg.cross(strided.ones(1), strided.ones(3))),
    (strided.InvalidDimension, lambda: linalg.cross(strided.ones(3), strided.ones(3), axis=-2)),
    (strided.InvalidDimension, lambda: linalg.diagonal(strided.ones(3))),
    (strided.InvalidArgument, lambda: linalg.qr(strided.eye(2), mode="full")),
    (strided.InvalidArgument, lambda: linalg.matrix_norm(strided.eye(2), ord=3)),
    (strided.InvalidArgument, lambda: linalg.matrix_norm(strided.eye(2), ord="max")),
]


@pytest.mark.parametrize(("error", "call"), REFUSALS)
def test_refusals(error: type[strided.StridedError], call: Callable[[], Any]) -> None:
    with pytest.raises(error) as caught:
        call()
    assert type(caught.value) is error
    assert isinstance(caught.value, (ValueError, IndexError, TypeError))
    assert len(str(caught.value).splitlines()) >= 2


def test_lists_and_arrays_are_taken() -> None:
    assert linalg.det([[1.0, 2.0], [3.0, 4.0]]).item() == pytest.approx(-2)
    assert linalg.solve(np.eye(2), [1.0, 2.0]).tolist() == [1.0, 2.0]
    assert linalg.matmul([[1, 2]], [[3], [4]]).tolist() == [[11]]
