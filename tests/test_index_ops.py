"""Elements by position and by mask, read and written, over layouts and dtypes, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.compare import INTS, NUMPY_DTYPES, as_numpy, assert_same, dtype_of
from support.layouts import LAYOUTS, WRITABLE, fill, over_layouts, placed
from support.ordering import threads

import strided

POOL = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7]
RANDOM = np.random.default_rng(7)


def positions(length: int, shape: Any, seed: int = 0) -> np.ndarray:
    """Return positions of both signs."""
    return np.random.default_rng(seed).integers(-length, length, shape)


def along(shape: tuple[int, ...], axis: int, length: int) -> tuple[int, ...]:
    return (*shape[:axis], length, *shape[axis + 1 :])


# ---- reading ----


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_take_over_layouts(dtype: str) -> None:
    for name, x, a in over_layouts(POOL, dtype):
        for axis in range(a.ndim):
            length = a.shape[axis]
            for shape in ((5,), (2, 3), (), (0,)):
                if length == 0 and shape != (0,):
                    continue
                i = positions(max(length, 1), shape)
                where = (name, axis, shape)
                assert_same(strided.take(x, i, axis=axis), a.take(i, axis), where=where)
                assert_same(x[(slice(None),) * axis + (strided.tensor(i),)], a.take(i, axis))
                if i.ndim == 1:
                    assert_same(x.index_select(axis, strided.tensor(i)), a.take(i, axis))


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_take_flat_over_layouts(dtype: str) -> None:
    for name, x, a in over_layouts(POOL, dtype):
        if a.size:
            i = positions(a.size, (3, 4))
            assert_same(x.take(i), a.take(i), where=name)
            assert_same(x.take_along_dim(i), a.take(i.reshape(-1)), where=name)


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_gather_over_layouts(dtype: str) -> None:
    for name, x, a in over_layouts(POOL, dtype):
        for axis in range(-a.ndim, a.ndim):
            if a.size == 0:
                continue
            i = positions(a.shape[axis], along(a.shape, axis % a.ndim, 5))
            expected = np.take_along_axis(a, i, axis)
            assert_same(x.gather(axis, strided.tensor(i)), expected, where=(name, axis))
            assert_same(strided.take_along_axis(x, i, axis=axis), expected)
            # Positions in memory in another order, and repeated ones.
            turned = strided.tensor(np.asfortranarray(i)).flip(0).contiguous().flip(0)
            assert_same(x.gather(axis, turned), expected)
            one = i[
                tuple(slice(0, 1) if k != axis % a.ndim else slice(None) for k in range(a.ndim))
            ]
            spread = np.broadcast_to(one, i.shape)
            same = strided.tensor(one).expand(*i.shape)
            assert_same(x.gather(axis, same), np.take_along_axis(a, spread, axis))
            assert_same(
                strided.take_along_axis(x, one, axis=axis), np.take_along_axis(a, spread, axis)
            )


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


# ---- refusals leave everything as it was ----

REFUSED = {
    "index": lambda x, i: x.__setitem__(i, 7.0),
    "scatter_": lambda x, i: x.scatter_(0, i, 7),
    "scatter_add_": lambda x, i: x.scatter_add_(0, i, strided.ones(*i.shape)),
    "scatter_reduce_": lambda x, i: x.scatter_reduce_(0, i, strided.ones(*i.shape), "amax"),
    "index_add_": lambda x, i: x.index_add_(0, i, strided.ones(*i.shape)),
    "index_copy_": lambda x, i: x.index_copy_(0, i, strided.ones(*i.shape)),
    "index_fill_": lambda x, i: x.index_fill_(0, i, 7),
    "put_": lambda x, i: x.put_(i, strided.ones(*i.shape)),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("bad", [600, -601])
@pytest.mark.parametrize("workers", [1, 3])
def test_out_of_bounds_writes_nothing(name: str, bad: int, workers: int) -> None:
    with threads(workers):
        x = strided.zeros(600)
        before = x._version
        i = np.arange(600)
        i[577] = bad  # behind the first block, and behind what other threads write
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            REFUSED[name](x, strided.tensor(i))
        assert (caught.value.index, caught.value.length, caught.value.axis) == (bad, 600, 0)
        assert not as_numpy(x).any()
        assert x._version == before


def test_out_of_bounds_reading_names_the_axis() -> None:
    x = strided.zeros(3, 4)
    cases = (
        (lambda: x[strided.tensor([0, 3])], 3, 0),
        (lambda: x[:, strided.tensor([0, -5])], -5, 1),
        (lambda: x[..., [4]], 4, 1),
        (lambda: strided.take(x, [9], axis=1), 9, 1),
        (lambda: x.gather(1, strided.tensor([[4]])), 4, 1),
        (lambda: x.take(strided.tensor([12])), 12, 0),
        (lambda: x[[0], [7]], 7, 1),
        (lambda: strided.zeros(0, 4)[[0]], 0, 0),
    )
    for call, index, axis in cases:
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            call()
        assert (caught.value.index, caught.value.axis) == (index, axis)


def test_positions_are_integers() -> None:
    x = strided.zeros(3)
    for i in (strided.tensor([0.0]), strided.tensor([0j]), strided.tensor([True, False, True])):
        for call in (
            lambda i=i: x.gather(0, i),
            lambda i=i: x.take(i),
            lambda i=i: strided.take(x, i),
            lambda i=i: x.scatter_(0, i, 1),
            lambda i=i: x.index_fill_(0, i, 1),
        ):
            with pytest.raises(strided.DTypeMismatch):
                call()
    assert x[[]].shape == (0,)
    assert strided.take(x, []).shape == (0,)


def test_masks_are_bool() -> None:
    x = strided.zeros(3)
    for mask in (strided.tensor([0, 1, 2]), strided.ones(3)):
        for call in (
            lambda mask=mask: x.masked_select(mask),
            lambda mask=mask: x.masked_fill(mask, 1),
            lambda mask=mask: x.masked_fill_(mask, 1),
            lambda mask=mask: x.masked_scatter_(mask, strided.ones(3)),
        ):
            with pytest.raises(strided.DTypeMismatch):
                call()
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_shape_refusals() -> None:
    x, i = strided.zeros(3, 4), strided.zeros(4, 4, dtype=strided.int64)
    for call in (
        lambda: x.gather(1, i),
        lambda: x.gather(0, i[0]),
        lambda: x.scatter_(0, i, strided.zeros(2, 4)),
        lambda: x.scatter_(1, i, 1),
        lambda: x.index_select(0, i),
        lambda: x.index_add_(0, i[0], strided.zeros(3, 4)),
        lambda: x.index_copy_(1, i[0], strided.zeros(4)),
        lambda: x.index_reduce_(0, i[0], strided.zeros(3, 4), "amax"),
        lambda: x.put_(i, strided.zeros(3)),
        lambda: x.take_along_dim(i[0], 0),
        lambda: x.masked_select(strided.zeros(3, dtype=strided.bool)),
        lambda: x.masked_scatter_(x == 0, strided.zeros(11)),
        lambda: x.__setitem__(x == 0, strided.zeros(11)),
    ):
        with pytest.raises(strided.ShapeMismatch):
            call()
    wrong = strided.zeros(3, 4, dtype=strided.int64)
    for call in (
        lambda: x.scatter_(0, i[:3], wrong),
        lambda: x.scatter_add_(0, i[:3], wrong),
        lambda: x.scatter_reduce_(0, i[:3], wrong, "amax"),
        lambda: x.index_add_(0, i[0, :3], wrong),
        lambda: x.index_copy_(0, i[0, :3], wrong),
        lambda: x.put_(i[:3], wrong),
        lambda: x.masked_scatter_(x == 0, wrong),
    ):
        with pytest.raises(strided.DTypeMismatch):
            call()
    with pytest.raises(strided.InvalidArgument):
        x.scatter_(0, i[:3], 1, reduce="mean")
    with pytest.raises(strided.InvalidArgument):
        x.scatter_reduce_(0, i[:3], x, "add")
    with pytest.raises(strided.DTypeMismatch):
        strided.zeros(2, dtype=strided.complex64).scatter_reduce_(
            0, i[0, :2], strided.zeros(2, dtype=strided.complex64), "amax"
        )


def test_axes_that_do_not_exist_are_refused() -> None:
    x, i = strided.zeros(3, 4), strided.tensor([0])
    for call in (
        lambda: x.gather(2, strided.tensor([[0]])),
        lambda: x.take_along_dim(strided.tensor([[0]]), -3),
        lambda: x.take(i, 2),
        lambda: x.index_select(2, i),
        lambda: x.scatter_(2, strided.tensor([[0]]), 1),
        lambda: x.index_add_(2, i, x[:1]),
        lambda: x.index_copy_(-3, i, x[:1]),
        lambda: x.index_fill_(2, i, 1),
        lambda: strided.put_along_axis(x, strided.tensor([[0]]), 1, axis=2),
    ):
        with pytest.raises(strided.InvalidDimension) as caught:
            call()
        assert caught.value.rank == 2


def test_results_go_into_out() -> None:
    a, i = np.arange(12.0).reshape(3, 4), np.array([2, 0])
    x, index = strided.tensor(a), strided.tensor(i)
    room = strided.zeros(8, 3, dtype=strided.float64).T[:, ::2]  # any layout
    wide = strided.tensor(np.array([[2, 0, 1, 1]]))
    for call, expected in (
        (lambda out: x.take(index, 0, out=out), a.take(i, 0)),
        (lambda out: strided.take(x, index, axis=0, out=out), a.take(i, 0)),
        (lambda out: x.index_select(0, index, out=out), a.take(i, 0)),
        (lambda out: strided.index_select(x, 0, index, out=out), a.take(i, 0)),
        (lambda out: x.gather(0, wide, out=out), np.take_along_axis(a, as_numpy(wide), 0)),
        (lambda out: strided.gather(x, 0, wide, out=out), np.take_along_axis(a, as_numpy(wide), 0)),
        (
            lambda out: strided.take_along_axis(x, wide, axis=0, out=out),
            np.take_along_axis(a, as_numpy(wide), 0),
        ),
    ):
        out = room[: expected.shape[0]]
        assert call(out) is out
        assert_same(out, expected)
        with pytest.raises(strided.ShapeMismatch):
            call(strided.zeros(3, 4, dtype=strided.float64))
        with pytest.raises(strided.DTypeMismatch):
            call(strided.zeros(*expected.shape))
    out = strided.arange(4)
    out.take(strided.tensor([3, 2, 1, 0]), out=out)  # what is read may be what is written
    assert out.tolist() == [3, 2, 1, 0]
    with pytest.raises(strided.IndexOutOfBounds):
        out.take(strided.tensor([0, 0, 0, 4]), out=out)
    assert out.tolist() == [3, 2, 1, 0]


def test_only_writable_memory_is_written() -> None:
    i = strided.tensor([0])
    with pytest.raises(strided.WriteThroughOverlap):
        strided.zeros(1).expand(3).scatter_(0, i, 1)
    with pytest.raises(strided.ReadOnlyTensor):
        strided.frombuffer(b"abcd", dtype=strided.uint8).index_fill_(0, i, 1)
    repeated = strided.zeros(1).expand(3)
    with pytest.raises(strided.WriteThroughOverlap):
        repeated.masked_scatter_(repeated == 0, strided.ones(3))


# ---- writing ----


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "complex128", "bool", "float16"])
@pytest.mark.parametrize("workers", [1, 3])
def test_scatter_over_layouts(dtype: str, workers: int) -> None:
    with threads(workers):
        for name, at in WRITABLE.items():
            flat = fill(POOL, at.room, dtype)
            for axis in range(len(at.shape)):
                if 0 in at.shape:
                    continue
                i = positions(at.shape[axis], along(at.shape, axis, 7), seed=3)
                values = fill(POOL[::-1], i.size, dtype).reshape(i.shape)
                x, a = placed(at, flat)
                x.scatter_(axis, strided.tensor(i), strided.tensor(values))
                for place in range(7):  # in order, so that the last one stays
                    step = tuple(
                        slice(place, place + 1) if k == axis else slice(None) for k in range(a.ndim)
                    )
                    np.put_along_axis(a, i[step], values[step], axis)
                assert_same(x, a, where=(name, axis))
                x.scatter_(axis, strided.tensor(i[..., :1]), 1)


JOINED = {
    "add": (np.add, lambda x, d, i, v: x.scatter_add_(d, i, v)),
    "multiply": (np.multiply, lambda x, d, i, v: x.scatter_(d, i, v, reduce="multiply")),
    "amax": (np.maximum, lambda x, d, i, v: x.scatter_reduce_(d, i, v, "amax")),
    "amin": (np.minimum, lambda x, d, i, v: x.scatter_reduce_(d, i, v, "amin")),
}


@pytest.mark.parametrize("name", JOINED)
@pytest.mark.parametrize("dtype", ["float32", "int32", "float64", "uint8", "int64"])
def test_scatter_combines(name: str, dtype: str) -> None:
    function, method = JOINED[name]
    for layout in ("contiguous", "transposed", "flipped", "sliced with gaps"):
        for axis in (0, 1):
            x, a = placed(LAYOUTS[layout], fill(POOL, LAYOUTS[layout].room, dtype))
            i = positions(a.shape[axis], along(a.shape, axis, 9), seed=5)
            values = fill([1, 2, 3, 1], i.size, dtype).reshape(i.shape)
            method(x, axis, strided.tensor(i), strided.tensor(values))
            others = np.indices(i.shape)
            key = tuple(i if k == axis else others[k] for k in range(2))
            function.at(a, key, values)
            assert_same(x, a, 1e-6, where=(layout, axis))


def test_nan_wins_in_scatter_reduce() -> None:
    nan = float("nan")
    x = strided.tensor([1.0, nan, 3.0])
    x.scatter_reduce_(0, strided.tensor([0, 1, 2]), strided.tensor([nan, 5.0, 4.0]), "amax")
    assert np.isnan(as_numpy(x)).tolist() == [True, True, False]


def test_scatter_reduce_without_self() -> None:
    i, v = strided.tensor([0, 0, 2]), strided.tensor([4.0, 2.0, 7.0])
    expected = {
        "sum": [6.0, 100.0, 7.0],
        "prod": [8.0, 100.0, 7.0],
        "mean": [3.0, 100.0, 7.0],
        "amax": [4.0, 100.0, 7.0],
        "amin": [2.0, 100.0, 7.0],
    }
    for reduce, values in expected.items():
        x = strided.full((3,), 100.0)
        assert x.scatter_reduce(0, i, v, reduce, include_self=False).tolist() == values
    assert strided.zeros(3).scatter_reduce(0, i, v, "mean").tolist() == [2.0, 0.0, 3.5]
    whole = strided.tensor([10, 10]).scatter_reduce(
        0, strided.tensor([0, 0]), strided.tensor([1, 2]), "mean"
    )
    assert whole.tolist() == [4, 10]


@pytest.mark.parametrize("shape", [(50,), (40, 6), (3, 30, 4), (7, 2, 33)])
def test_rows_are_written(shape: tuple[int, ...]) -> None:
    for axis in range(-len(shape), len(shape)):
        length = shape[axis]
        i = positions(length, 60, seed=axis + 5)
        values = RANDOM.standard_normal(along(shape, axis % len(shape), 60)).astype("float32")
        base = RANDOM.standard_normal(shape).astype("float32")
        x, index, rows = strided.tensor(base), strided.tensor(i), strided.tensor(values)
        a = np.moveaxis(base.copy(), axis, 0)
        np.add.at(a, i, np.moveaxis(values, axis, 0) * 2)
        assert_same(x.index_add(axis, index, rows, alpha=2), np.moveaxis(a, 0, axis), 1e-5)
        a = np.moveaxis(base.copy(), axis, 0)
        for k, row in zip(i, np.moveaxis(values, axis, 0), strict=True):
            a[k] = row
        assert_same(x.index_copy(axis, index, rows), np.moveaxis(a, 0, axis))
        a = np.moveaxis(base.copy(), axis, 0)
        a[i] = 9
        assert_same(x.index_fill(axis, index, 9), np.moveaxis(a, 0, axis))
        assert (as_numpy(x) == base).all()


@pytest.mark.parametrize("width", [1, 2, 3, 4, 8, 16, 40])
@pytest.mark.parametrize("dtype", ["uint8", "float32", "complex128"])
def test_rows_of_any_direction_are_written(width: int, dtype: str) -> None:
    i = positions(9, 12, seed=width)
    values = fill(POOL, 12 * width, dtype).reshape(12, width)
    turns = {"as it is": slice(None), "flipped": slice(None, None, -1)}
    for to, out in turns.items():
        for whence, source in turns.items():
            a = np.zeros((9, width), dtype)
            x = strided.tensor(a)
            x[:, out][strided.tensor(i)] = strided.tensor(values)[:, source]
            for place, row in zip(i, values[:, source], strict=True):
                a[:, out][place] = row
            assert_same(x, a, where=(to, whence))
            assert_same(x[:, out][strided.tensor(i)], a[:, out][i], where=(to, whence))


def test_the_last_write_stays_for_any_number_of_threads() -> None:
    i = positions(1000, 300_000)
    values = np.arange(300_000.0)
    rows = RANDOM.standard_normal((20_000, 40)).astype("float32")
    answers = []
    for workers in (1, 2, 5):
        with threads(workers):
            x = strided.zeros(1000, dtype=strided.float64)
            x[strided.tensor(i)] = strided.tensor(values)
            y = strided.zeros(1000, 40).index_add_(
                0, strided.tensor(i[:20_000]), strided.tensor(rows)
            )
            z = strided.zeros(1000, 40).scatter_add_(
                0, strided.tensor(i[:20_000, None]).expand(20_000, 40), strided.tensor(rows)
            )
            answers.append([as_numpy(t).tobytes() for t in (x, y, z)])
    assert answers[0] == answers[1] == answers[2]
    last = np.zeros(1000)
    for k, value in zip(i % 1000, values, strict=True):
        last[k] = value
    assert answers[0][0] == last.tobytes()


def test_shared_memory_reads_first() -> None:
    x = strided.arange(6)
    x[strided.tensor([1, 2, 3])] = x[:3]
    assert x.tolist() == [0, 0, 1, 2, 4, 5]
    x = strided.arange(6)
    x.scatter_(0, strided.tensor([5, 4, 3, 2, 1, 0]), x)
    assert x.tolist() == [5, 4, 3, 2, 1, 0]
    x = strided.tensor([3, 2, 1, 0])
    x.scatter_(0, x, strided.tensor([10, 11, 12, 13]))  # the positions are overwritten
    assert x.tolist() == [13, 12, 11, 10]
    x = strided.tensor([2, 0, 1])
    x.index_add_(0, x, x)
    assert x.tolist() == [2, 1, 3]
    x = strided.arange(5.0)
    x.put_(strided.tensor([4, 3]), x[:2])
    assert x.tolist() == [0.0, 1.0, 2.0, 1.0, 0.0]
    x = strided.arange(4)
    x.masked_scatter_(strided.tensor([False, True, True, True]), x)
    assert x.tolist() == [0, 0, 1, 2]
    flags = strided.tensor([True, False, True])
    flags.masked_scatter_(flags, strided.tensor([False, True]))
    assert flags.tolist() == [False, False, True]


def test_put_over_layouts() -> None:
    for name, at in WRITABLE.items():
        x, a = placed(at, fill(POOL, at.room, "int32"))
        if a.size == 0 or a.ndim == 0:
            continue
        i = positions(a.size, (2, 3), seed=2)
        values = np.arange(6, dtype="int32").reshape(2, 3)
        x.put_(strided.tensor(i), strided.tensor(values))
        for place, value in zip(i.reshape(-1), values.reshape(-1), strict=True):
            a[np.unravel_index(place % a.size, a.shape)] = value
        assert_same(x, a, where=name)
        x.put_(strided.tensor(i), strided.tensor(values), accumulate=True)
        np.add.at(a, np.unravel_index(i % a.size, a.shape), values)
        assert_same(x, a, where=name)


def test_put_along_axis_broadcasts() -> None:
    a = np.arange(12.0).reshape(3, 4)
    x = strided.tensor(a)
    strided.put_along_axis(x, [[0], [2], [1]], -1, axis=1)
    np.put_along_axis(a, np.array([[0], [2], [1]]), -1, 1)
    assert_same(x, a)
    strided.put_along_axis(x, [[1]], strided.tensor([7, 8, 9, 10]), axis=0)
    np.put_along_axis(a, np.array([[1]]), np.array([7, 8, 9, 10.0]), 0)
    assert_same(x, a)


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


# ---- masks ----


@pytest.mark.parametrize("dtype", NUMPY_DTYPES)
def test_masks_over_layouts(dtype: str) -> None:
    for name, x, a in over_layouts(POOL, dtype):
        m = np.resize([True, False, False, True, True], a.size).reshape(a.shape)
        mask = strided.tensor(m)
        assert_same(x.masked_select(mask), a[m], where=name)
        assert_same(strided.masked_select(x, m), a[m], where=name)
        if a.ndim:
            assert_same(x[mask], a[m], where=name)
        assert_same(x.masked_fill(mask, 1), np.where(m, np.ones((), dtype), a), where=name)
        assert_same(x.nonzero(), np.argwhere(a).astype("int64"), where=name)
        assert_same(strided.flatnonzero(x), np.flatnonzero(a), where=name)
        for mine, theirs in zip(
            x.nonzero(as_tuple=True), np.nonzero(np.atleast_1d(a)), strict=False
        ):
            assert_same(mine, theirs, where=name)
    for name, at in WRITABLE.items():
        x, a = placed(at, fill(POOL, at.room, dtype))
        m = np.resize([True, False, False, True, True], a.size).reshape(a.shape)
        values = fill(POOL[3:], int(m.sum()) + 2, dtype)
        x.masked_scatter_(strided.tensor(m), strided.tensor(values))
        a[m] = values[:-2]
        assert_same(x, a, where=name)
        x[strided.tensor(m)] = strided.tensor(values[2:])
        a[m] = values[2:]
        assert_same(x, a, where=name)
        x[strided.tensor(m)] = 1
        a[m] = 1
        assert_same(x, a, where=name)


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


def test_gathers_are_logged() -> None:
    def count() -> int:
        return strided.copy_totals()["gather"].count

    x, before = strided.arange(6), count()
    x[strided.tensor([0, 1])]
    x.take(strided.tensor([2]))
    x.gather(0, strided.tensor([3]))
    x[x > 2]
    assert count() == before + 4


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_add_in_float32_and_round(dtype: str) -> None:
    x = strided.ones(1, dtype=dtype_of(dtype)) * 256
    x.scatter_add_(0, strided.tensor([0, 0]), strided.tensor([1.5, 1.5]).to(dtype_of(dtype)))
    step = as_numpy(strided.tensor([257.5]).to(dtype_of(dtype)))[0] + np.float32(1.5)
    assert as_numpy(x)[0] == as_numpy(strided.tensor([step]).to(dtype_of(dtype)))[0]
