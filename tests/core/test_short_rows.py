"""Rows of one to nine elements against NumPy: arithmetic, copies, conversions, writes, reductions.

Such rows are computed and copied several at a time, so what matters is where a block of them begins
and ends in memory: nothing outside a view may be read into a result, or written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import strided

DTYPES = ["bool", "uint8", "int16", "int32", "float16", "float32", "float64", "complex128"]
WIDTHS = [1, 2, 3, 4, 5, 7, 8, 9]
# How rows lie in memory that has room for them.
VIEWS: dict[str, Callable[[np.ndarray, int], np.ndarray]] = {
    "packed": lambda x, n: x.reshape(-1)[: len(x) * n].reshape(-1, n),
    "padded": lambda x, n: x[:, 1 : n + 1],
    "at the end": lambda x, n: x[:, x.shape[1] - n :],
    "every other": lambda x, n: x[:, ::2][:, :n],
    "every third": lambda x, n: x[:, 1::3][:, :n],
    "backwards": lambda x, n: x[:, n - 1 :: -1] if n > 1 else x[:, :1],
    "rows backwards": lambda x, n: x[::-1, :n],
    "both backwards": lambda x, n: x[::-1, ::-1][:, :n],
    "one row": lambda x, n: np.broadcast_to(x[3, :n], (len(x), n)),
    "one column": lambda x, n: np.broadcast_to(x[:, 2:3], (len(x), n)),
    "transposed": lambda x, n: x.reshape(-1)[: len(x) * n].reshape(n, -1).T,
    "in threes": lambda x, n: x[: len(x) // 3 * 3, :n].reshape(-1, 3, n).transpose(1, 0, 2),
}


def memory(dtype: str, rows: int = 701) -> np.ndarray:
    """Make memory whose views reach its first and its last element."""
    values = np.random.default_rng(0).integers(0, 12, (rows, 28))
    return (values > 5) if dtype == "bool" else values.astype(dtype)


def views(dtype: str) -> Iterator[tuple[str, np.ndarray, strided.Tensor]]:
    whole = memory(dtype)
    for name, view in VIEWS.items():
        for width in WIDTHS:
            x = view(whole, width)
            yield f"{name} {width}", x, strided.from_numpy(x)


def same(found: Any, wanted: np.ndarray, what: str) -> None:
    np.testing.assert_array_equal(np.asarray(found), wanted, err_msg=what)


@pytest.mark.parametrize("dtype", DTYPES)
def test_copies_and_conversions(dtype: str) -> None:
    for name, wanted, x in views(dtype):
        same(x.clone(), wanted, name)
        same(x.contiguous(), wanted, name)
        for other in ("float32", "complex64") if dtype == "float64" else ("complex128",):
            same(x.to(getattr(strided, other)), wanted.astype(other), f"{name} to {other}")


@pytest.mark.parametrize("dtype", [one for one in DTYPES if one != "bool"])
def test_arithmetic(dtype: str) -> None:
    for name, wanted, x in views(dtype):
        same(x * x, wanted * wanted, name)
        same(x + x[..., :1], wanted + wanted[..., :1], f"{name} and a column")
        same(x + x[:1], wanted + wanted[:1], f"{name} and a row")
        same(x - x.clone(), wanted - wanted, f"{name} and packed")
        same(x == x[:1], wanted == wanted[:1], f"{name} compared")


@pytest.mark.parametrize("dtype", DTYPES)
def test_writes_leave_what_is_between_rows(dtype: str) -> None:
    names = [name for name in VIEWS if not name.startswith("one")]
    for name in names:
        for width in WIDTHS:
            wanted = memory(dtype)
            given = strided.from_numpy(wanted.copy())
            values = np.arange(701 * width).reshape(-1, width).astype(dtype)
            target = VIEWS[name](wanted, width)
            # The same view of the copy, by its strides.
            item = wanted.itemsize
            offset = target.__array_interface__["data"][0] - wanted.__array_interface__["data"][0]
            to = given.as_strided(target.shape, [s // item for s in target.strides], offset // item)
            values = values[: target.size // width].reshape(target.shape)
            target[...] = values
            to.copy_(strided.from_numpy(values))
            same(given, wanted, f"{name} {width}")
            if dtype != "bool":
                target += values
                to += strided.from_numpy(values)
                same(given, wanted, f"{name} {width} added")


@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions(dtype: str) -> None:
    for name, wanted, x in views(dtype):
        for axis in (0, wanted.ndim - 1, tuple(range(wanted.ndim))):
            what = f"{name} along {axis}"
            same(x.any(axis), wanted.any(axis), what)
            same(x.all(axis), wanted.all(axis), what)
            exact = np.float64 if dtype[0] == "f" else None
            total = wanted.sum(axis, dtype=exact)
            np.testing.assert_allclose(
                np.asarray(x.sum(axis)), total, 1e-3 if dtype == "float16" else 1e-6
            )
            if dtype[0] in "iuf":
                same(x.amax(axis), wanted.max(axis), what)
                same(x.amin(axis), wanted.min(axis), what)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(300, 3, 2), (80, 5, 4), (3, 200, 2, 3), (2, 3, 400), (9, 9, 9)])
def test_reductions_over_boxes_with_gaps(shape: tuple[int, ...], dtype: str) -> None:
    """Equal elements abound: the first of them counts, in whatever order boxes are visited."""
    random = np.random.default_rng(0)
    whole = random.integers(0, 4, [length + 2 for length in shape]).astype(dtype)
    inside = whole[tuple(slice(1, length + 1) for length in shape)]
    flipped = inside[..., ::-1]
    for wanted in (inside, inside.swapaxes(0, -1), flipped, np.moveaxis(flipped, 1, -1)):
        x = strided.from_numpy(wanted)
        for axis in (None, *range(wanted.ndim)):
            what = f"{wanted.strides} along {axis}"
            same(strided.argmax(x, axis=axis), wanted.argmax(axis), what)
            same(strided.argmin(x, axis=axis), wanted.argmin(axis), what)
            same(strided.max(x, axis=axis), wanted.max(axis), what)
            same(strided.sum(x, axis=axis), wanted.sum(axis), what)


@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32", "float64"])
def test_large_copies_past_the_caches(dtype: str) -> None:
    rows = (9 << 20) // (3 * np.dtype(dtype).itemsize)
    whole = (
        np.arange(rows * 5 + 1, dtype=np.int64).astype(np.uint8).astype(dtype)[1:].reshape(rows, 5)
    )
    for view in (
        whole[:, :3],
        whole[::-1, 1:4],
        whole[:, ::-2],
        np.broadcast_to(whole[1, :3], (rows, 3)),
    ):
        x = strided.from_numpy(view)
        same(x.contiguous(), np.ascontiguousarray(view), str(view.strides))
        same(x + x, view + view, str(view.strides))


def test_threads_do_not_change_a_bit() -> None:
    x = strided.from_numpy(np.random.default_rng(0).random((60_000, 5), np.float32))
    threads, results = strided.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            strided.set_num_threads(count)
            y = x[:, 1:4]
            results.append([y * x[0, :3], y.exp() + y[:, :1], y.sum(1), y.sum(0), y.clone()])
    finally:
        strided.set_num_threads(threads)
    for other in results[1:]:
        assert all(bool((a == b).all()) for a, b in zip(results[0], other, strict=True))
