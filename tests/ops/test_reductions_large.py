"""Reductions and scans of tensors large enough for every way of walking them, with several threads.

Which loops run depends on lengths and steps: long and short runs, rows one by one or many at once,
several short rows as a wide one, tiles that are brought side by side first. The shapes below are
about the smallest that reach each of them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from support.compare import as_numpy, assert_same, dtype_of, kind_of

import strided

THREADS = (1, 2, 3)
DTYPES = (
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
)
RTOL = {
    "float16": 1e-3,
    "bfloat16": 8e-3,
    "float32": 3e-7,
    "complex64": 3e-7,
    "float64": 1e-14,
    "complex128": 1e-14,
}


@pytest.fixture(autouse=True)
def _threads_as_they_were() -> Iterator[None]:
    before = strided.get_num_threads()
    yield
    strided.set_num_threads(before)


def with_all_threads(compute: Callable[[], Any]) -> Any:
    """Return the result, once it is sure that it has the same bits for any number of threads."""
    results = []
    for threads in THREADS:
        strided.set_num_threads(threads)
        results.append(compute())
    first, *others = (r if isinstance(r, tuple) else (r,) for r in results)
    for other in others:
        for mine, theirs in zip(first, other, strict=True):
            assert as_numpy(mine).tobytes() == as_numpy(theirs).tobytes()
    return results[0]


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> tuple[Any, np.ndarray]:
    """Return a tensor and the same elements as an array, bfloat16 as float32."""
    random, kind = np.random.default_rng(seed), kind_of(dtype)
    if kind in "biu":
        low = -100 if kind == "i" else 0
        a = random.integers(low, 2 if kind == "b" else 100, shape).astype(dtype)
    else:
        a = random.standard_normal(shape, dtype="float32")
        a = a + 1j * random.standard_normal(shape) if kind == "c" else a
        a = a.astype("float32" if dtype == "bfloat16" else dtype)
    x = strided.from_numpy(a.copy()).to(dtype_of(dtype))
    return x, as_numpy(x)


def wide(a: np.ndarray) -> np.ndarray:
    """Return an array in which NumPy's own sums are more exact than what is tested."""
    return a.astype({"f": "longdouble", "c": "clongdouble"}.get(a.dtype.kind, a.dtype))


def expected_sum(a: np.ndarray, axis: Any) -> np.ndarray:
    kind = {"b": "int64", "i": "int64", "u": "uint64"}.get(a.dtype.kind)
    return np.asarray(wide(a).sum(axis=axis, dtype=kind))


def assert_near(got: Any, expected: Any, dtype: str, scale: Any = 1.0, where: object = "") -> None:
    """Fail unless a result is right to the last digit or two of its dtype, relative to a scale."""
    mine, expected = wide(as_numpy(got)), np.asarray(expected)
    assert mine.shape == expected.shape, where
    if dtype not in RTOL:
        assert (mine == expected).all(), where
        return
    error = np.abs(mine - expected)
    assert (error <= RTOL[dtype] * np.maximum(np.abs(expected), scale)).all(), (where, error.max())


# ---- every traversal ----

SHAPES = [
    (3, 70_001),  # long runs, few results
    (70_001, 3),  # short rows, several at a time, and short runs
    (70_001, 16),
    (521, 4099),  # rows so wide that several are taken at once
    (4099, 70),
    (40, 9, 11, 50),
    (2, 150_001),
    (1, 300_007),
    (33_000, 1, 9),
]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "float16"])
def test_large(shape: tuple[int, ...], dtype: str) -> None:
    x, a = numbers(shape, dtype)
    axes = [None, *range(len(shape))]
    if len(shape) > 2:
        axes += list(itertools.combinations(range(len(shape)), 2))
    for axis in axes:
        total = expected_sum(a, axis)
        size = np.abs(wide(a)).sum(axis=axis) * 1e-2
        assert_near(with_all_threads(lambda i=axis: x.sum(i)), total, dtype, size, axis)
        assert_same(
            with_all_threads(lambda i=axis: x.amax(i)).to(strided.float64),
            a.max(axis=axis).astype(float),
        )
        most = with_all_threads(lambda i=axis: x.aminmax(i))
        assert_same(most.min.to(strided.float64), a.min(axis=axis).astype(float))
        assert_same(most.max.to(strided.float64), a.max(axis=axis).astype(float))
        count = with_all_threads(lambda i=axis: x.count_nonzero(i))
        assert_same(count, np.sum(a != 0, axis=axis, dtype="int64"))
        if kind_of(dtype) == "f":
            spread = with_all_threads(lambda i=axis: x.var(i, correction=0))
            assert_near(spread, wide(a).var(axis=axis), dtype, 1e-2, ("var", axis))
            size = with_all_threads(lambda i=axis: x.norm(2, i))
            assert_near(size, np.sqrt((wide(a) ** 2).sum(axis=axis)), dtype, 0, ("norm", axis))
        if axis is None or isinstance(axis, int):
            assert_same(with_all_threads(lambda i=axis: x.argmax(i)), a.argmax(axis=axis))
            assert_same(with_all_threads(lambda i=axis: x.argmin(i)), a.argmin(axis=axis))


@pytest.mark.parametrize("dtype", DTYPES)
def test_all_dtypes(dtype: str) -> None:
    x, a = numbers((300, 2100), dtype)
    for axis in (None, 0, 1):
        size = np.abs(wide(a)).sum(axis=axis) * 1e-2
        where = (dtype, axis)
        assert_near(
            with_all_threads(lambda i=axis: x.sum(i)), expected_sum(a, axis), dtype, size, where
        )
        mean = wide(a).mean(axis=axis)
        real = dtype if kind_of(dtype) in "fc" else "float32"
        assert_near(with_all_threads(lambda i=axis: x.mean(i)), mean, real, 0.1, where)
        assert_same(x.any(axis), np.asarray((a != 0).any(axis=axis)))
        assert_same(x.all(axis), np.asarray((a != 0).all(axis=axis)))
        assert_same(x.count_nonzero(axis), np.sum(a != 0, axis=axis, dtype="int64"))
        if kind_of(dtype) != "c":
            assert_near(x.amin(axis), a.min(axis=axis), dtype)
            assert_near(x.amax(axis), a.max(axis=axis), dtype)
            assert_same(x.argmin(axis), a.argmin(axis=axis))
            assert_same(x.argmax(axis), a.argmax(axis=axis))
        if kind_of(dtype) in "iu":
            with np.errstate(all="ignore"):
                product = np.prod(
                    a, axis=axis, dtype="uint64" if kind_of(dtype) == "u" else "int64"
                )
            assert_same(x.prod(axis), product)


@pytest.mark.parametrize("length", [*range(1, 20), 31, 33, 63, 65])
def test_short_axes(length: int) -> None:
    """Axes of a few elements, swept and kept, with and without gaps."""
    for dtype in ("float32", "int32", "uint8", "float64"):
        flat, a = numbers((600, length + 2), dtype, length)
        for x, b in ((flat[:, :length].contiguous(), a[:, :length]), (flat[:, 1:-1], a[:, 1:-1])):
            for axis in (0, 1):
                assert_near(x.sum(axis), expected_sum(b, axis), dtype, 1e-3 * length)
                assert_same(x.amin(axis), b.min(axis=axis))
                assert_same(x.argmax(axis), b.argmax(axis=axis))
                assert_same(x.flip(axis).argmax(axis), np.flip(b, axis).argmax(axis=axis))
            deep = x.reshape(60, 10, length).contiguous()
            assert_near(deep.sum(1), expected_sum(b.reshape(60, 10, length), 1), dtype, 1e-3)
            assert_near(deep.sum((0, 2)), expected_sum(b.reshape(60, 10, length), (0, 2)), dtype, 1)


VIEWS: dict[str, Callable[[Any], Any]] = {
    "permuted": lambda t: t.transpose(2, 0, 1),
    "reversed": lambda t: t.transpose(2, 1, 0),
    "stepped": lambda t: t[::2, ::3, ::2],
    "gaps": lambda t: t[:, 2:-3, 5:60],
    "flipped": lambda t: t[::-1, :, ::-1],
    "one column": lambda t: t[:, :, 3:4],
    "one row": lambda t: t[:, :1],
}


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("dtype", ["float32", "int16", "complex64"])
def test_views(name: str, dtype: str) -> None:
    x, a = numbers((47, 31, 120), dtype)
    view, b = VIEWS[name](x), VIEWS[name](a)
    for count in (1, 2, 3):
        for axis in itertools.combinations(range(3), count):
            size = np.abs(wide(b)).sum(axis=axis) * 1e-2
            got = with_all_threads(lambda i=axis: view.sum(i))
            assert_near(got, expected_sum(b, axis), dtype, size, axis)
            if dtype != "complex64":
                assert_same(view.amax(axis), b.max(axis=axis))
            else:
                spread = view.var(axis, correction=0)
                assert_near(spread, wide(b).var(axis=axis), "float32", 1e-3)


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_permutations(order: tuple[int, ...]) -> None:
    """Every axis of every permutation, whichever of them is the fast one."""
    x, a = numbers((33, 70, 130), "float32")
    a[5, 7, 11] = math.nan
    x = strided.from_numpy(a.copy())
    view, b = x.permute(order), a.transpose(order)
    for axis in range(3):
        run = lambda name, axis=axis: with_all_threads(lambda: getattr(view, name)(axis))  # noqa: E731
        assert_same(run("argmax"), b.argmax(axis=axis))
        assert_same(run("any"), (b != 0).any(axis=axis))
        assert_near(run("nansum"), np.nansum(wide(b), axis=axis), "float32", 0.1, axis)
        assert_same(run("nanmax"), np.nanmax(b, axis=axis))
        clean, c = view[:, :, :5], b[:, :, :5]
        if not np.isnan(c).any():
            assert_near(clean.var(axis), wide(c).var(axis=axis, ddof=1), "float32", 1e-3)
        expected = np.cumsum(np.nan_to_num(wide(b)), axis=axis)
        got = with_all_threads(lambda i=axis: strided.from_numpy(np.nan_to_num(b)).cumsum(i))
        assert_near(got, expected, "float32", np.abs(expected).max() * 1e-2, axis)


def test_expanded() -> None:
    x, a = numbers((300, 1, 70), "float32")
    view, b = x.expand(300, 50, 70), np.broadcast_to(a, (300, 50, 70))
    for axis in (0, 1, 2, (0, 1), (1, 2), (0, 2), None):
        size = np.abs(wide(b)).sum(axis=axis) * 1e-2
        assert_near(
            with_all_threads(lambda i=axis: view.sum(i)), expected_sum(b, axis), "float32", size
        )
        if not isinstance(axis, tuple):
            assert_same(view.argmin(axis), b.argmin(axis=axis))


# ---- accuracy ----


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_do_not_lose_digits(dtype: str) -> None:
    """Terms that nearly cancel: what is left is right to the last digits of the terms' dtype."""
    _, a = numbers((300, 1000), dtype)
    a = a * np.exp(8 * np.random.default_rng(1).standard_normal(a.shape)).astype(dtype)
    a = np.concatenate([a, -a[::-1], a[:1]])
    x = strided.from_numpy(a)
    exact = math.fsum(a.ravel().tolist())
    size = math.fsum(np.abs(a).ravel().tolist())
    for view in (x, x.T, x.T.contiguous()):
        got = with_all_threads(lambda v=view: v.sum(dtype=strided.float64)).item()
        assert abs(got - exact) <= 2e-16 * size
    columns = [math.fsum(column.tolist()) for column in a.T]
    sizes = np.abs(a.astype("float64")).sum(axis=0)
    got = as_numpy(with_all_threads(lambda: x.sum(0, dtype=strided.float64)))
    assert (np.abs(got - columns) <= 2e-15 * sizes).all()


def test_long_float32_sums() -> None:
    steady = strided.full((3_000_000,), 0.1)
    exact = 3_000_000 * float(np.float32(0.1))
    for view in (steady, steady[::2], steady.reshape(3000, 1000).T, steady.flip(0)):
        share = view.numel() / 3_000_000
        got = with_all_threads(lambda v=view: v.sum()).item()
        assert got == float(np.float32(exact * share))
        assert view.mean().item() == float(np.float32(0.1))
    running = with_all_threads(lambda: steady.cumsum(0))
    assert running[-1].item() == float(np.float32(exact))


@pytest.mark.parametrize("axis", [0, 1])
def test_variance_does_not_lose_digits(axis: int) -> None:
    random = np.random.default_rng(2)
    for dtype, offset, rtol in (("float64", 1e8, 1e-7), ("float32", 1e3, 1e-6)):
        a = (random.standard_normal((2100, 301)) + offset).astype(dtype)
        a[:, 0] = a[:, 0] * -3  # a beginning that is far from the rest
        a[0] = offset * 7
        x = strided.from_numpy(a)
        expected = a.astype("longdouble").var(axis=axis)
        got = as_numpy(with_all_threads(lambda v=x: v.var(axis, correction=0)))
        assert (np.abs(got - expected) <= rtol * expected).all()
    steady = strided.full((100_000,), 0.1)
    assert steady.var().item() < 1e-15
    assert steady.std().item() < 1e-7


# ---- the first, the only, the last ----


@pytest.mark.parametrize("dtype", ["bool", "float32", "int64"])
def test_one_among_many(dtype: str) -> None:
    """Looking ends where it may, but never too early."""
    for at in (0, 5, 2047, 2048, 70_000, 299_999):
        x = strided.zeros(300_000, dtype=dtype_of(dtype))
        assert not with_all_threads(lambda v=x: v.any()).item()
        x[at] = 1
        assert with_all_threads(lambda v=x: v.any()).item()
        assert with_all_threads(lambda v=x: v.argmax()).item() == at
        assert with_all_threads(lambda v=x: v.count_nonzero()).item() == 1
        y = x == 0
        assert not with_all_threads(lambda v=y: v.all()).item()
        assert with_all_threads(lambda v=y: v.argmin()).item() == at
        assert with_all_threads(lambda v=x: v.flip(0).argmax()).item() == 299_999 - at
        square = x.reshape(500, 600)
        assert square.any(1).count_nonzero().item() == 1
        assert square.T.argmax().item() == at % 600 * 500 + at // 600


def test_nan_among_many() -> None:
    for at in (0, 4095, 4096, 123_456):
        x = strided.ones(400, 500)
        x.reshape(-1)[at] = math.nan
        for axis in (None, 0, 1):
            for name in ("sum", "amax", "amin", "mean", "var", "norm"):
                got = with_all_threads(lambda n=name, i=axis, v=x: getattr(v, n)(dim=i))
                assert got.isnan().count_nonzero().item() == 1, (name, axis)
        assert x.argmax().item() == x.argmin().item() == at
        assert x.nansum().item() == 199_999
        assert x.nanmax().item() == x.nanmean().item() == 1
        assert not x.logsumexp(1).isfinite().all().item()


# ---- running sums ----


@pytest.mark.parametrize(
    ("shape", "axis"),
    [
        *(((300_001,), 0), ((2, 150_000), 1), ((150_000, 3), 0), ((3000, 5), 1), ((600, 1100), 0)),
        *(((600, 1100), 1), ((7, 90, 300), 1), ((140_000, 2, 1), 0), ((20_000, 17), 1)),
    ],
)
def test_running(shape: tuple[int, ...], axis: int) -> None:
    for dtype in ("float32", "float64", "int64", "uint8", "float16", "complex64"):
        x, a = numbers(shape, dtype)
        x, a = (x / 64, a / 64) if dtype == "float16" else (x, a)
        got = with_all_threads(lambda v=x: v.cumsum(axis))
        kind = {"b": "int64", "i": "int64", "u": "uint64"}.get(kind_of(dtype))
        expected = np.cumsum(wide(a), axis=axis, dtype=kind)
        assert_near(got, expected, dtype, np.abs(expected).max() * 1e-3, dtype)
        reverse = with_all_threads(lambda v=x: v.flip(axis).cumsum(axis))
        expected = np.cumsum(np.flip(wide(a), axis), axis=axis, dtype=kind)
        assert_near(reverse, expected, dtype, np.abs(expected).max() * 1e-3, dtype)


def test_running_products() -> None:
    x, a = numbers((40, 5000), "float64")
    y, b = x * 1e-3 + 1, a * 1e-3 + 1
    for axis in (0, 1):
        assert_same(with_all_threads(lambda i=axis: y.cumprod(i)), np.cumprod(b, axis=axis), 1e-12)
        assert_same(y.T.cumprod(axis), np.cumprod(b.T, axis=axis), 1e-12)
    ones = strided.ones(200_000, dtype=strided.int64)
    ones[100_000] = 3
    assert with_all_threads(lambda: ones.cumprod(0)).sum().item() == 400_000
