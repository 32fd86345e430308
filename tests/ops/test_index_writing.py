"""Elements written by position, over layouts and dtypes, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from support.compare import as_numpy, assert_same, dtype_of
from support.layouts import LAYOUTS, NONEMPTY_AXES, WRITABLE, fill, laid, placed
from support.ordering import threads
from support.picking import POOL, RANDOM, along, positions

import strided

WRITTEN = [name for name in NONEMPTY_AXES if name in WRITABLE]


@pytest.mark.parametrize("layout", WRITTEN)
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "complex128", "bool", "float16"])
@pytest.mark.parametrize("workers", [1, 3])
def test_scatter_over_layouts(dtype: str, workers: int, layout: str) -> None:
    at = WRITABLE[layout]
    flat = fill(POOL, at.room, dtype)
    with threads(workers):
        for axis in range(len(at.shape)):
            i = positions(at.shape[axis], along(at.shape, axis, 7), seed=3)
            values = fill(POOL[::-1], i.size, dtype).reshape(i.shape)
            x, a = placed(at, flat)
            x.scatter_(axis, strided.tensor(i), strided.tensor(values))
            for place in range(7):  # in order, so that the last one stays
                step = tuple(
                    slice(place, place + 1) if k == axis else slice(None) for k in range(a.ndim)
                )
                np.put_along_axis(a, i[step], values[step], axis)
            assert_same(x, a, where=axis)
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


@pytest.mark.parametrize("layout", WRITTEN)
def test_put_over_layouts(layout: str) -> None:
    x, a = laid(layout, POOL, "int32")
    i = positions(a.size, (2, 3), seed=2)
    values = np.arange(6, dtype="int32").reshape(2, 3)
    x.put_(strided.tensor(i), strided.tensor(values))
    for place, value in zip(i.reshape(-1), values.reshape(-1), strict=True):
        a[np.unravel_index(place % a.size, a.shape)] = value
    assert_same(x, a)
    x.put_(strided.tensor(i), strided.tensor(values), accumulate=True)
    np.add.at(a, np.unravel_index(i % a.size, a.shape), values)
    assert_same(x, a)


def test_put_along_axis_broadcasts() -> None:
    a = np.arange(12.0).reshape(3, 4)
    x = strided.tensor(a)
    strided.put_along_axis(x, [[0], [2], [1]], -1, axis=1)
    np.put_along_axis(a, np.array([[0], [2], [1]]), -1, 1)
    assert_same(x, a)
    strided.put_along_axis(x, [[1]], strided.tensor([7, 8, 9, 10]), axis=0)
    np.put_along_axis(a, np.array([[1]]), np.array([7, 8, 9, 10.0]), 0)
    assert_same(x, a)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_halves_add_in_float32_and_round(dtype: str) -> None:
    x = strided.ones(1, dtype=dtype_of(dtype)) * 256
    x.scatter_add_(0, strided.tensor([0, 0]), strided.tensor([1.5, 1.5]).to(dtype_of(dtype)))
    step = as_numpy(strided.tensor([257.5]).to(dtype_of(dtype)))[0] + np.float32(1.5)
    assert as_numpy(x)[0] == as_numpy(strided.tensor([step]).to(dtype_of(dtype)))[0]


def test_numbers_are_rounded_once() -> None:
    """A number is not taken for a tensor of the default dtype on its way."""
    x, z = (strided.zeros(2, dtype=dtype) for dtype in (strided.float64, strided.complex128))
    index, mask = strided.tensor([0]), strided.tensor([True, False])
    for key in (0, index, mask, slice(0, 1)):
        x[key], z[key] = 0.1, 0.1j
        assert (x.tolist(), z.tolist()) == ([0.1, 0.0], [0.1j, 0j])
        x[key], z[key] = 0, 0
    strided.put_along_axis(x, index, 0.1, axis=0)
    strided.put_along_axis(z, index, 0.1j, axis=0)
    assert (x.tolist(), z.tolist()) == ([0.1, 0.0], [0.1j, 0j])
    scalar = strided.zeros((), dtype=strided.complex128)
    scalar[strided.tensor(True)] = 2e-107j
    assert scalar.item() == 2e-107j
    for key in (0, index, mask):
        with pytest.raises(strided.DTypeMismatch):
            x[key] = 1j
