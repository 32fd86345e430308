"""Inverses, solutions and determinants of small matrices, which have a kernel of their own."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.compare import assert_same
from support.stacks import DTYPES, ROUNDING, VIEWS, random

import strided
from strided import _native, linalg


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("side", [0, 1, 2, 3, 4, 5, 8, 16, 17])  # 17 is LAPACK's
def test_elimination(side: int, dtype: str) -> None:
    a = random((3, 2, side, side), dtype)
    eye = np.broadcast_to(np.eye(side, dtype=dtype), a.shape)
    expected, logarithms = np.linalg.det(a), np.linalg.slogdet(a)
    b = random((2, side, 5), dtype, 1)
    for name, view in VIEWS.items():
        if name == "expanded":
            continue
        x = strided.from_numpy(view(a))
        tolerance = 50 * ROUNDING[dtype]
        assert_same(x @ linalg.inv(x), eye, tolerance, where=name)
        again = x @ linalg.solve(x, strided.from_numpy(b))
        assert_same(again, np.broadcast_to(b, again.shape), tolerance, where=name)
        size = np.maximum(1, np.abs(expected)).astype(expected.dtype)
        assert_same(linalg.det(x) / strided.from_numpy(size), expected / size, tolerance)
        sign, logarithm = linalg.slogdet(x)
        assert_same(sign, logarithms[0], tolerance)
        assert_same(logarithm, logarithms[1], tolerance)


def test_pivots_are_searched() -> None:
    x = strided.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 2.0], [4.0, 0.0, 0.0]])
    assert linalg.inv(x).tolist() == [[0.0, 0.0, 0.25], [1.0, 0.0, 0.0], [0.0, 0.5, 0.0]]
    assert linalg.det(x).item() == 8.0
    # Without exchanging rows the small element in the corner would drown the others.
    y = strided.tensor([[1e-20, 1.0], [1.0, 1.0]], dtype=strided.float64)
    assert_same(
        linalg.solve(y, strided.tensor([1.0, 2.0], dtype=strided.float64)), [1.0, 1.0], 1e-14
    )


def test_determinants_beyond_the_range_on_the_way() -> None:
    x = strided.zeros(4, 4, dtype=strided.float64)
    x.diagonal()[:] = strided.tensor([1e200, -1e200, 1e-200, 1e-200], dtype=strided.float64)
    assert linalg.det(x).item() == pytest.approx(-1.0)
    assert linalg.det(x.flip(0)).item() == pytest.approx(-1.0)
    assert linalg.det(x[:2, :2]).item() == -math.inf
    assert linalg.det(x[2:, 2:]).item() == 0.0


def test_nan_is_not_singular() -> None:
    x = strided.tensor([[0.0, 1.0], [strided.nan, 2.0]])
    assert math.isnan(linalg.det(x).item())
    assert strided.isnan(linalg.inv(x)).any()


def test_one_singular_matrix_in_a_stack() -> None:
    x = strided.eye(3).expand(1000, 3, 3).clone()
    assert linalg.inv(x).shape == x.shape
    x[777, 1] = x[777, 0]
    with pytest.raises(strided.SingularMatrix):
        linalg.inv(x)
    assert (linalg.det(x) == 0).nonzero().tolist() == [[777]]
    assert linalg.slogdet(x).logabsdet[777].item() == -math.inf


def test_the_kernel_refuses_what_it_cannot_do() -> None:
    small = strided.eye(3)
    for given in (strided.eye(17), strided.ones(2, 3), strided.ones(3), strided.eye(3).long()):
        assert not _native.is_small_square(given)
        with pytest.raises(strided.UnsupportedOperation):
            _native.solve_small(given, None)
        with pytest.raises(strided.UnsupportedOperation):
            _native.small_determinants(given)
    for right in (strided.ones(3), strided.ones(2, 3), strided.ones(1, 3, 3)):
        with pytest.raises(strided.ShapeMismatch):
            _native.solve_small(small, right)
    with pytest.raises(strided.DTypeMismatch):
        _native.solve_small(small, small.double())
