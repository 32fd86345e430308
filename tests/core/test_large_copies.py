"""Copies large enough for tiles, planes, streaming stores and several threads, against NumPy."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided

DTYPES = ["u1", "u2", "f4", "f8", "c16"]
# Edges of tiles on every side, tiny axes in every place, and lengths that are powers of two.
SHAPES = [
    (64, 64),
    (65, 129),
    (1, 300),
    (257, 3),
    (2, 1000),
    (5, 333),
    (8, 512),
    (16, 48, 80),
    (7, 66, 131),
    (3, 224, 30),
    (33, 2, 65),
    (6, 5, 4, 37),
    (9, 16, 3, 17, 5),
    (2, 3, 2, 3, 2, 3, 2),
]
VIEWS: dict[str, Callable[[Any], Any]] = {
    "as it is": lambda x: x,
    "flipped": lambda x: x[(slice(None, None, -1),) * x.ndim],
    "last axis flipped": lambda x: x[..., ::-1],
    "stepped": lambda x: x[..., ::2],
    "stepped by three": lambda x: x[..., ::3],
    "backwards by two": lambda x: x[..., ::-2],
    "first axis stepped": lambda x: x[::2],
    "with gaps": lambda x: x[..., 1:-1] if x.shape[-1] > 2 else x,
}


def numbered(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Elements that are all different as far as the dtype allows, and never zero in a row."""
    count = int(np.prod(shape))
    return (np.arange(1, count + 1) * 7919 % 65521).astype(dtype).reshape(shape)


def check(x: Any, a: np.ndarray) -> None:
    np.testing.assert_array_equal(x.contiguous().numpy(), a)
    # Into a place with gaps, which must stay as they are.
    room = np.full((*a.shape[:-1], a.shape[-1] + 3), 5, a.dtype)
    target = strided.from_numpy(room)
    target[..., 1:-2] = x
    np.testing.assert_array_equal(room[..., 1:-2], a)
    assert (room[..., 0] == 5).all()
    assert (room[..., -2:] == 5).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_permutations(shape: tuple[int, ...], dtype: str) -> None:
    a = numbered(shape, dtype)
    x = strided.from_numpy(a.copy())
    orders = list(itertools.permutations(range(len(shape))))
    for order in orders[:: max(1, len(orders) // 40)]:
        check(x.permute(order), a.transpose(order))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", VIEWS)
def test_views(view: str, dtype: str) -> None:
    for shape in [(70, 150), (5, 40, 67), (300, 3), (3, 300), (4, 9, 130)]:
        a = numbered(shape, dtype)
        seen, array = VIEWS[view](strided.from_numpy(a.copy())), VIEWS[view](a)
        for order in itertools.permutations(range(len(shape))):
            check(seen.permute(order), array.transpose(order))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [2, 3, 4, 5, -2, -3])
def test_every_few(step: int, dtype: str) -> None:
    """Rows of all lengths up to some vectors, which end with the storage or before."""
    for n in range(1, 150):
        a = numbered((n,), dtype)
        check(strided.from_numpy(a)[::step], a[::step])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("planes", range(2, 18))
def test_planes(planes: int, dtype: str) -> None:
    for n in (1, 15, 16, 64, 67, 1000):
        a = numbered((n, planes), dtype)
        check(strided.from_numpy(a.copy()).T, a.T)
        check(strided.from_numpy(a.T.copy()).T, a)
        images = numbered((3, n, planes), dtype)
        check(strided.from_numpy(images.copy()).permute(0, 2, 1), images.transpose(0, 2, 1))


LARGE = {
    "transposed": lambda x: x.swapaxes(-1, -2),
    "reversed": lambda x: x[::-1, ::-1],
    "stepped": lambda x: x[:, ::2],
    "transposed and stepped": lambda x: x[:, ::2].swapaxes(-1, -2),
    "transposed and flipped": lambda x: x[::-1].swapaxes(-1, -2)[::-1],
    "repeated rows": lambda x: x[:1, :],
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("view", LARGE)
def test_streamed(view: str, dtype: str, threads: int) -> None:
    """Above 8 MB results are written past the caches; lengths and starts at odd places."""
    size = np.dtype(dtype).itemsize
    rows = {1: 3001, 2: 2213, 4: 1531, 8: 1087, 16: 769}[size]
    a = numbered((rows, 3011), dtype)
    view_of = LARGE[view]
    x, a = view_of(strided.from_numpy(a.copy())), view_of(a)
    if view == "repeated rows":
        x, a = x.expand(rows, 3011), np.broadcast_to(a, (rows, 3011))
    assert np.array_equal(x.contiguous().numpy(), a)
    # A destination whose rows begin anywhere.
    room = np.zeros((a.shape[0], a.shape[1] + 5), dtype)
    strided.from_numpy(room)[:, 3:-2].copy_(x)
    assert np.array_equal(room[:, 3:-2], a)
    assert not room[:, :3].any()
    assert not room[:, -2:].any()


ROWS = {
    "rows backwards": lambda x: x[::-1],
    "columns backwards": lambda x: x[:, ::-1],
    "both backwards": lambda x: x[::-1, ::-1],
    "gaps": lambda x: x[:, 3:-4],
    "gaps backwards": lambda x: x[::-1, 3:-4],
    "every second row": lambda x: x[::2],
    "every third row backwards": lambda x: x[::-3],
    "every second column": lambda x: x[:, 1::2],
    "every second column backwards": lambda x: x[:, ::-2],
    "far apart": lambda x: x[:, :: x.shape[1] // 3],
}


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16"])
@pytest.mark.parametrize("row_bytes", [1008, 2048, 20000])
@pytest.mark.parametrize("view", ROWS)
def test_streamed_rows(view: str, row_bytes: int, dtype: str, threads: int) -> None:
    """Rows in the order of the input, with gaps that are read through and gaps that are not."""
    columns = row_bytes // np.dtype(dtype).itemsize
    a = numbered(((20 << 20) // row_bytes, columns), dtype)
    x, a = ROWS[view](strided.from_numpy(a.copy())), ROWS[view](a)
    made = strided.empty(x.shape, dtype=x.dtype)
    assert np.array_equal(made.copy_(x).numpy(), a)


@pytest.mark.parametrize("dtype", DTYPES)
def test_streamed_powers_of_two(dtype: str, threads: int) -> None:
    size = np.dtype(dtype).itemsize
    a = numbered((64, 64, (16 << 20) // size // 4096), dtype)
    for order in itertools.permutations(range(3)):
        x = strided.from_numpy(a.copy()).permute(order)
        assert np.array_equal(x.contiguous().numpy(), a.transpose(order))


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
@pytest.mark.parametrize("planes", [2, 3, 4, 5])
def test_streamed_planes(planes: int, dtype: str, threads: int) -> None:
    size = np.dtype(dtype).itemsize
    n = (9 << 20) // size // planes + 1
    a = numbered((n, planes), dtype)
    assert np.array_equal(strided.from_numpy(a.copy()).T.contiguous().numpy(), a.T)
    assert np.array_equal(strided.from_numpy(a.T.copy()).T.contiguous().numpy(), a)


@pytest.mark.parametrize("to", ["float64", "int32", "uint8"])
def test_converted_across_axes(to: str, threads: int) -> None:
    a = numbered((1300, 1700), "f4") % 251
    x = strided.from_numpy(a.copy())
    for seen, array in [(x.T, a.T), (x[::-1, ::2].T, a[::-1, ::2].T), (x[:, ::3], a[:, ::3])]:
        made = strided.empty(seen.shape, dtype=to)
        made.copy_(seen)
        np.testing.assert_array_equal(made.numpy(), array.astype(to))


OPS: dict[str, Callable[..., Any]] = {
    "a + b": lambda a, b, r, c: a + b,
    "a + b.T": lambda a, b, r, c: a + b.T,
    "a.T * b": lambda a, b, r, c: a.T * b,
    "a + row": lambda a, b, r, c: a + r,
    "a + column": lambda a, b, r, c: a + c,
    "row - column": lambda a, b, r, c: r - c,
    "comparison": lambda a, b, r, c: a < b.T,
    "three ways": lambda a, b, r, c: (a[::-1] + b.T) * r,
    "mixed dtypes": lambda a, b, r, c: a.astype("float64") + b.T,
    "flipped": lambda a, b, r, c: a[:, ::-1] - b[::-1].T,
}


@pytest.mark.parametrize("n", [700, 1531])
@pytest.mark.parametrize("name", OPS)
def test_elementwise(name: str, n: int, threads: int) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.random(shape, dtype=np.float32) for shape in ((n, n), (n, n), (n,), (n, 1))]
    tensors = [strided.from_numpy(a.copy()) for a in arrays]
    np.testing.assert_array_equal(OPS[name](*tensors).numpy(), OPS[name](*arrays))


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2", "c8"])
@pytest.mark.parametrize("steps", [(2, 2), (-1, 1), (3, -2), (7, 1)])
@pytest.mark.parametrize("width", [90, 6000])
def test_stepped_operands(width: int, steps: tuple[int, int], dtype: str, threads: int) -> None:
    """They are put side by side a block at a time; the result and its gaps are right, too."""
    a = numbered((2_400_000 // width, width * 7), dtype)
    one, two = (a[:, ::step][:, :width] for step in steps)
    room = np.full((*one.shape[:-1], 2 * width), 5, dtype)
    x, y = (strided.from_numpy(array) for array in (one, two))
    with np.errstate(all="ignore"):
        expected = one * two + one
    np.testing.assert_array_equal((x * y + x).numpy(), expected)
    np.testing.assert_array_equal(strided.fuse(lambda x, y: x * y + x)(x, y).numpy(), expected)
    target = strided.from_numpy(room)[:, ::2]
    strided.multiply(x, y, out=target)
    target += x
    np.testing.assert_array_equal(room[:, ::2], expected)
    assert (room[:, 1::2] == 5).all()


@pytest.mark.parametrize("dtype", ["u1", "f4", "f8"])
@pytest.mark.parametrize(
    "shape",
    [(9, 65, 70), (16, 5, 7, 130), (4, 9, 16, 9, 11), (8,) * 6, (3, 5, 2, 7, 4, 3, 6), (4,) * 8],
    ids=str,
)
def test_many_short_axes(shape: tuple[int, ...], dtype: str, threads: int) -> None:
    """Operands that run along other axes are transposed in boxes of several of them."""
    a = numbered(shape, dtype)
    b = numbered(shape[::-1], dtype).T
    c = np.moveaxis(numbered((*shape[1:], shape[0]), dtype), -1, 0)
    x, y, z = (strided.from_numpy(one) for one in (a, b, c))
    np.testing.assert_array_equal((x + y).numpy(), a + b)
    total = strided.fuse(lambda *xs: xs[0] + xs[1] + xs[2] + xs[3])
    np.testing.assert_array_equal(total(x, y, z, -y).numpy(), a + b + c - b)


def test_three_operands_of_three_orders(threads: int) -> None:
    rng = np.random.default_rng(0)
    a = rng.random((60, 70, 80), dtype=np.float32)
    b = rng.random((70, 80, 60), dtype=np.float32).transpose(2, 0, 1)
    c = rng.random((80, 60, 70), dtype=np.float32).transpose(1, 2, 0)
    x, y, z = (strided.from_numpy(one) for one in (a, b, c))
    np.testing.assert_array_equal(strided.where(x > y, y, z).numpy(), np.where(a > b, b, c))
    out = strided.empty(80, 70, 60).permute(2, 1, 0)
    strided.add(y, z, out=out)
    np.testing.assert_array_equal(out.numpy(), b + c)


@pytest.mark.parametrize("count", [3, 5, 7])
def test_many_operands_of_many_orders(count: int) -> None:
    """Each runs along another axis: the boxes through which they are transposed must still fit."""
    rng = np.random.default_rng(0)
    shape = (18, 17, 19, 4, 6, 20)
    orders = [np.roll(range(6), k) for k in range(count)]
    arrays = [
        rng.random([shape[axis] for axis in order]).transpose(np.argsort(order)) for order in orders
    ]
    tensors = [strided.from_numpy(a) for a in arrays]
    fused = strided.fuse(lambda *xs: sum(xs[1:], xs[0]))(*tensors)
    np.testing.assert_array_equal(fused.numpy(), sum(arrays[1:], arrays[0]))
