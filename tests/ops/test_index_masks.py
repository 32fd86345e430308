"""Elements by mask, read and written, over layouts and dtypes, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import NUMPY_DTYPES, assert_same
from support.layouts import LAYOUTS, WRITABLE, fill, laid
from support.picking import POOL

import strided


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_masks_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOL, dtype)
    m = np.resize([True, False, False, True, True], a.size).reshape(a.shape)
    mask = strided.tensor(m)
    assert_same(x.masked_select(mask), a[m])
    assert_same(strided.masked_select(x, m), a[m])
    if a.ndim:
        assert_same(x[mask], a[m])
    assert_same(x.masked_fill(mask, 1), np.where(m, np.ones((), dtype), a))
    assert_same(x.nonzero(), np.argwhere(a).astype("int64"))
    assert_same(strided.flatnonzero(x), np.flatnonzero(a))
    for mine, theirs in zip(x.nonzero(as_tuple=True), np.nonzero(np.atleast_1d(a)), strict=False):
        assert_same(mine, theirs)


@pytest.mark.parametrize("layout", WRITABLE)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_writes_by_masks_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOL, dtype)
    m = np.resize([True, False, False, True, True], a.size).reshape(a.shape)
    values = fill(POOL[3:], int(m.sum()) + 2, dtype)
    x.masked_scatter_(strided.tensor(m), strided.tensor(values))
    a[m] = values[:-2]
    assert_same(x, a)
    x[strided.tensor(m)] = strided.tensor(values[2:])
    a[m] = values[2:]
    assert_same(x, a)
    x[strided.tensor(m)] = 1
    a[m] = 1
    assert_same(x, a)


def test_masks_broadcast() -> None:
    a = np.arange(12.0).reshape(3, 4)
    row = np.array([True, False, True, False])
    x = strided.tensor(a)
    assert_same(x.masked_select(row), a[:, row].reshape(-1))
    assert_same(x.masked_fill(row, 7), np.where(row, 7.0, a))
    column = np.array([[True], [False]])
    assert_same(x[1:2].masked_fill(column, 7), np.where(column, 7.0, a[1:2]))
    a[:, row] = np.arange(6.0).reshape(3, 2)
    assert_same(x.masked_scatter(row, strided.arange(9).to(strided.float64)), a)


def test_any_nonzero_byte_of_a_mask_is_true() -> None:
    mask = strided.frombuffer(bytes([0, 2, 255, 0, 1]), dtype=strided.bool)
    x = strided.arange(5)
    assert x[mask].tolist() == [1, 2, 4]
    assert mask.nonzero().tolist() == [[1], [2], [4]]


def test_assigned_numbers_must_fit() -> None:
    x = strided.zeros(3, dtype=strided.uint8)
    with pytest.raises(strided.InvalidArgument):
        x[strided.tensor([0])] = 300
    with pytest.raises(strided.InvalidArgument):
        x[x == 0] = -1
    assert x.tolist() == [0, 0, 0]
