"""Elements read by position, over layouts and dtypes, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import INTS, NUMPY_DTYPES, assert_same
from support.layouts import NONEMPTY, NONEMPTY_AXES, WITH_AXES, laid
from support.ordering import threads
from support.picking import POOL, RANDOM, along, positions

import strided


@pytest.mark.parametrize("layout", WITH_AXES)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_take_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOL, dtype)
    for axis in range(a.ndim):
        length = a.shape[axis]
        for shape in ((5,), (2, 3), (), (0,)):
            if length == 0 and shape != (0,):
                continue
            i = positions(max(length, 1), shape)
            where = (layout, axis, shape)
            assert_same(strided.take(x, i, axis=axis), a.take(i, axis), where=where)
            assert_same(x[(slice(None),) * axis + (strided.tensor(i),)], a.take(i, axis))
            if i.ndim == 1:
                assert_same(x.index_select(axis, strided.tensor(i)), a.take(i, axis))


@pytest.mark.parametrize("layout", NONEMPTY)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_take_flat_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOL, dtype)
    i = positions(a.size, (3, 4))
    assert_same(x.take(i), a.take(i))
    assert_same(x.take_along_dim(i), a.take(i.reshape(-1)))


@pytest.mark.parametrize("layout", NONEMPTY_AXES)
@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_gather_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOL, dtype)
    for axis in range(-a.ndim, a.ndim):
        i = positions(a.shape[axis], along(a.shape, axis % a.ndim, 5))
        expected = np.take_along_axis(a, i, axis)
        assert_same(x.gather(axis, strided.tensor(i)), expected, where=(layout, axis))
        assert_same(strided.take_along_axis(x, i, axis=axis), expected)
        # Positions in memory in another order, and repeated ones.
        other_order = strided.tensor(np.asfortranarray(i)).flip(0).contiguous().flip(0)
        assert_same(x.gather(axis, other_order), expected)
        one = i[tuple(slice(0, 1) if k != axis % a.ndim else slice(None) for k in range(a.ndim))]
        spread = np.broadcast_to(one, i.shape)
        same = strided.tensor(one).expand(*i.shape)
        assert_same(x.gather(axis, same), np.take_along_axis(a, spread, axis))
        assert_same(strided.take_along_axis(x, one, axis=axis), np.take_along_axis(a, spread, axis))


def test_gather_reads_no_more_than_the_index_covers() -> None:
    a = np.arange(24).reshape(4, 6)
    i = positions(4, (2, 3))
    expected = np.take_along_axis(a[:, :3], i, 0)
    assert_same(strided.tensor(a).gather(0, strided.tensor(i)), expected)
    scalar = strided.tensor(5)
    assert scalar.gather(0, strided.tensor([0, 0])).tolist() == [5, 5]
    assert scalar.gather(0, strided.tensor(0)).shape == ()
    assert scalar.index_select(0, strided.tensor([0])).shape == ()


@pytest.mark.parametrize("dtype", INTS)
def test_positions_of_any_integer_dtype(dtype: str) -> None:
    a = np.arange(100)[::-1].reshape(20, 5)
    i = np.array([3, 0, 19, 7], dtype)
    x, index = strided.tensor(a), strided.tensor(i)
    assert_same(x[index], a[i])
    assert_same(x[index[::2]], a[i[::2]])
    assert_same(x.take(index), a.take(i))
    wide = np.broadcast_to(i[:, None], (4, 5))
    assert_same(x.gather(0, strided.tensor(wide)), np.take_along_axis(a, wide.astype("int64"), 0))
    assert_same(x[index, index % 5], a[i, i % 5])
    x[index] = 0
    a[i] = 0
    assert_same(x, a)


def test_unsigned_positions_do_not_wrap() -> None:
    x = strided.arange(5)
    huge = strided.tensor(np.array([1, 2**64 - 1], np.uint64))
    for call in (
        lambda: x[huge],
        lambda: x.take(huge),
        lambda: x.gather(0, huge),
        lambda: x[huge, None],
        lambda: x.index_fill_(0, huge, 7),
    ):
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            call()
        assert caught.value.length == 5
    assert x.tolist() == [0, 1, 2, 3, 4]


def test_gathers_are_logged() -> None:
    def count() -> int:
        return strided.copy_totals()["gather"].count

    x, before = strided.arange(6), count()
    x[strided.tensor([0, 1])]
    x.take(strided.tensor([2]))
    x.gather(0, strided.tensor([3]))
    x[x > 2]
    assert count() == before + 4


# ---- large, on several threads ----


@pytest.mark.parametrize("workers", [1, 3])
def test_large(workers: int) -> None:
    with threads(workers):
        a = RANDOM.standard_normal((700, 900)).astype("float32")
        x = strided.tensor(a)
        i = positions(700, 2000)
        index = strided.tensor(i)
        assert_same(x[index], a[i])
        assert_same(x.T[:, index], a.T[:, i])
        assert_same(x[index, index % 900], a[i, i % 900])
        assert_same(x[:, 2:5][index], a[:, 2:5][i])  # rows of three
        assert_same(x[:, :4].contiguous()[index], a[:, :4][i])  # rows that move as one
        grid = positions(900, (700, 1100))
        assert_same(x.gather(1, strided.tensor(grid)), np.take_along_axis(a, grid, 1))
        tall = positions(700, (1500, 900))
        assert_same(x.gather(0, strided.tensor(tall)), np.take_along_axis(a, tall, 0))
        assert_same(x.T.gather(1, strided.tensor(tall).T), np.take_along_axis(a, tall, 0).T)
        flat = positions(a.size, 400_000)
        assert_same(x.take(strided.tensor(flat)), a.take(flat))
        assert_same(x.T.take(strided.tensor(flat)), a.T.take(flat))
        mask = a > 0.3
        assert_same(x[strided.tensor(mask)], a[mask])
        assert_same(x.T[strided.tensor(mask.T)], a.T[mask.T])
        assert_same(strided.tensor(mask).nonzero(), np.argwhere(mask))


EXPANDED = {
    "rows": lambda x: x[:1].expand(700, 600),
    "columns": lambda x: x[:, :1].expand(700, 600),
    "one": lambda x: x[:1, :1].expand(700, 600),
    "planes": lambda x: x[:70, None, :1].expand(70, 3, 60),
    "reversed": lambda x: x.flip(1)[:1].expand(700, 600).flip(0),
}


@pytest.mark.parametrize("name", EXPANDED)
@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128"])
@pytest.mark.parametrize("workers", [1, 3])
def test_picking_from_expanded_tensors(name: str, dtype: str, workers: int) -> None:
    a = RANDOM.integers(0, 200, (700, 600)).astype(dtype)
    x = EXPANDED[name](strided.tensor(a))
    a = np.array(x)
    with threads(workers):
        for axis in range(a.ndim):
            i = positions(a.shape[axis], (650,))
            assert_same(strided.take(x, i, axis=axis), a.take(i, axis), where=axis)
            grid = positions(a.shape[axis], a.shape)
            by = strided.tensor(grid)
            assert_same(x.gather(axis, by), np.take_along_axis(a, grid, axis), where=axis)
        i = positions(a.size, (3000,))
        assert_same(x.take(i), a.take(i))
        i, j = positions(a.shape[0], (4000,)), positions(a.shape[1], (4000,))
        assert_same(x[strided.tensor(i), strided.tensor(j)], a[i, j])
        assert_same(x[a != 7], a[a != 7])
        assert_same(strided.argwhere(x), np.argwhere(a))


@pytest.mark.parametrize("shape", [(0, 2**62), (2**62, 0), (0, 2**40, 2**20)])
def test_picking_from_empty_tensors_with_huge_axes(shape: tuple[int, ...]) -> None:
    x = strided.empty(shape)
    none = strided.zeros(0, dtype=strided.int64)
    for axis in range(len(shape)):
        assert strided.take(x, none, axis=axis).shape == (*shape[:axis], 0, *shape[axis + 1 :])
        assert x.gather(axis, strided.empty(shape, dtype=strided.int64)).shape == shape
    assert x.take(none).shape == x[x > 0].shape == strided.masked_select(x, x > 0).shape == (0,)
    assert strided.argwhere(x).shape == (0, len(shape))
