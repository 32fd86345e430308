"""Distinct elements, searching, counting and differences, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, FLOATS, INTS, as_numpy, assert_same, dtype_of, kind_of
from support.layouts import LAYOUTS, WITH_AXES, laid
from support.ordering import ORDERED_DTYPES, POOLS, data_of, kept_as, tensor_of, threads

import strided

NAN = float("nan")


def distinct(a: np.ndarray) -> tuple[np.ndarray, ...]:
    return np.unique(a, return_index=True, return_inverse=True, return_counts=True, equal_nan=False)


# ---- distinct elements ----


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_unique_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOLS[kind_of(dtype)], kept_as(dtype))
    x = x.to(dtype_of(dtype))
    values, first, inverse, counts = distinct(a)
    got = strided.unique_all(x)
    assert_same(got.values, values, where=layout)
    assert_same(got.indices, first, where=layout)
    assert_same(got.inverse_indices, inverse.reshape(a.shape), where=layout)
    assert_same(got.counts, counts, where=layout)
    assert_same(strided.unique_values(x), values)
    assert_same(strided.unique_counts(x).counts, counts)
    assert_same(strided.unique_inverse(x).inverse_indices, inverse.reshape(a.shape))
    assert_same(x.unique(), values)
    both = x.unique(return_inverse=True, return_counts=True)
    for mine, theirs in zip(both, (values, inverse.reshape(a.shape), counts), strict=True):
        assert_same(mine, theirs)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("dtype", ["float32", "int64", "uint8", "float64", "int16"])
def test_unique_of_many(dtype: str, workers: int) -> None:
    with threads(workers):
        for order in ("random", "ties", "rising"):
            a = data_of(dtype, 200_000, order)
            for mine, theirs in zip(
                strided.unique_all(tensor_of(a, dtype)), distinct(a), strict=True
            ):
                assert_same(mine, theirs, where=order)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_unique_complex_numbers(dtype: str) -> None:
    a = np.array([2 + 1j, 1 + 2j, 2 + 0j, 1 + 2j, 2 + 1j, 0], dtype)
    for mine, theirs in zip(strided.unique_all(strided.tensor(a)), distinct(a), strict=True):
        assert_same(mine, theirs)


def test_nan_is_distinct_and_zeros_are_not() -> None:
    x = strided.tensor([NAN, 0.0, NAN, -0.0])
    values, counts = strided.unique_counts(x)
    assert (values.shape, counts.tolist()) == ((3,), [2, 1, 1])
    assert strided.unique_values(strided.zeros(0)).shape == (0,)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_unique_rows(axis: int) -> None:
    random = np.random.default_rng(2)
    for dtype in ("int64", "float32", "uint8", "bool", "float64"):
        a = random.integers(0, 2, (30, 4)).astype(dtype)
        a = a if axis == 0 else a.T
        expected = np.unique(a, return_inverse=True, return_counts=True, axis=axis)
        got = strided.tensor(a).unique(return_inverse=True, return_counts=True, dim=axis)
        for mine, theirs in zip(got, expected, strict=True):
            assert_same(mine, theirs.reshape(mine.shape), where=dtype)
    cube = random.integers(0, 2, (3, 9, 2))
    assert_same(strided.tensor(cube).unique(dim=1), np.unique(cube, axis=1))
    assert strided.zeros(3, 0).unique(dim=0).shape == (1, 0)
    assert strided.zeros(0, 3).unique(dim=0).shape == (0, 3)


def test_unique_consecutive() -> None:
    x = strided.tensor([1, 1, 2, 2, 1, 3, 3])
    values, inverse, counts = x.unique_consecutive(return_inverse=True, return_counts=True)
    assert values.tolist() == [1, 2, 1, 3]
    assert inverse.tolist() == [0, 0, 1, 1, 2, 3, 3]
    assert counts.tolist() == [2, 2, 1, 2]
    assert x[::-2].unique_consecutive().tolist() == [3, 1, 2, 1]
    rows = strided.tensor([[1, 2], [1, 2], [0, 5], [1, 2]])
    assert rows.unique_consecutive(dim=0).tolist() == [[1, 2], [0, 5], [1, 2]]


@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_isin(dtype: str) -> None:
    a, few = data_of(dtype, 500, "ties"), data_of(dtype, 6, "ties", seed=1)
    many = np.concatenate(
        [data_of(dtype, 40, "ties", seed=2), data_of(dtype, 30, "random", seed=3)]
    )
    for others in (few, many, few[:0], many[:1]):
        for elements in (a, np.tile(a, 20), a[:5].reshape(5, 1)):
            x, y = tensor_of(elements, dtype), tensor_of(others, dtype)
            assert_same(strided.isin(x, y), np.isin(elements, others))
            assert_same(strided.isin(x, y, invert=True), np.isin(elements, others, invert=True))


def test_isin_at_the_limits() -> None:
    for dtype in INTS:
        limits = np.iinfo(dtype)
        a = np.array([limits.min, limits.max, 0, 1, limits.max - 1], dtype)
        a = np.tile(a, 400)
        for others in (
            a[:2].repeat(5),
            np.arange(9).astype(dtype),
            limits.max - np.arange(9).astype(dtype),
        ):
            assert_same(strided.isin(strided.tensor(a), strided.tensor(others)), np.isin(a, others))
    assert strided.isin(strided.tensor([1, 2]), strided.tensor([2.0])).tolist() == [False, True]


# ---- searching ----


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
@pytest.mark.parametrize("side", ["left", "right"])
def test_searchsorted_over_layouts(dtype: str, side: Any, layout: str) -> None:
    for length in (0, 1, 2, 5, 16, 17, 100):
        listed = np.sort(data_of(dtype, length, "ties"))
        lists = tensor_of(listed, dtype)
        x, a = laid(layout, POOLS[kind_of(dtype)], kept_as(dtype))
        x = x.to(dtype_of(dtype))
        expected = np.searchsorted(listed, a, side=side)
        assert_same(strided.searchsorted(lists, x, side=side), expected, where=(length, layout))
        assert_same(strided.bucketize(x, lists, right=side == "right"), expected)
        spaced = strided.tensor(np.repeat(as_numpy(lists), 3)).to(dtype_of(dtype))[::3]
        assert_same(spaced.searchsorted(lists, side), np.searchsorted(listed, listed, side=side))


@pytest.mark.parametrize("workers", [1, 3])
def test_searchsorted_rows_and_sorters(workers: int) -> None:
    random = np.random.default_rng(4)
    with threads(workers):
        lists = np.sort(random.standard_normal((40, 300)), axis=1)
        values = random.standard_normal((40, 700))
        expected = np.stack([np.searchsorted(s, v) for s, v in zip(lists, values, strict=True)])
        assert_same(strided.searchsorted(strided.tensor(lists), strided.tensor(values)), expected)
        transposed = strided.tensor(values.T.copy()).T
        assert_same(strided.searchsorted(strided.tensor(lists), transposed), expected)
        unsorted = random.standard_normal(1000)
        order = np.argsort(unsorted)
        got = strided.searchsorted(strided.tensor(unsorted), strided.tensor(values), sorter=order)
        assert_same(got, np.searchsorted(unsorted, values, sorter=order))


def test_searchsorted_mixes_dtypes_and_refuses() -> None:
    whole = strided.tensor([1, 3, 5])
    assert strided.searchsorted(whole, strided.tensor([2.5, 3.0])).tolist() == [1, 1]
    assert strided.searchsorted(whole, 4).item() == 2
    with pytest.raises(strided.ShapeMismatch):
        strided.searchsorted(strided.zeros(2, 3), strided.zeros(3, 3))
    with pytest.raises(strided.ShapeMismatch):
        strided.searchsorted(strided.tensor(1), strided.zeros(3))
    with pytest.raises(strided.InvalidArgument):
        strided.searchsorted(whole, whole, side="middle")


# ---- counting ----


@pytest.mark.parametrize("dtype", INTS)
def test_bincount(dtype: str) -> None:
    a = np.random.default_rng(5).integers(0, 100, 3000).astype(dtype)
    x = strided.tensor(a)
    whole = a.astype("int64")
    assert_same(strided.bincount(x), np.bincount(whole))
    assert_same(x[::3].bincount(minlength=150), np.bincount(whole[::3], minlength=150))
    weights = np.random.default_rng(6).random(3000).astype("float32")
    expected = np.bincount(whole, weights)
    assert_same(strided.bincount(x, strided.tensor(weights)), expected, 1e-12)
    assert x.bincount(strided.tensor(weights)).dtype is strided.float32
    assert x[:0].bincount().shape == (0,)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("bins", [3, 4096, 5000, 200_000])
def test_bincount_of_many(bins: int, workers: int) -> None:
    with threads(workers):
        a = np.random.default_rng(7).integers(0, bins, 400_000)
        assert_same(strided.bincount(strided.tensor(a)), np.bincount(a))


def test_bincount_refusals() -> None:
    for bad in ([-1], [2**63 - 1], [1 << 61]):
        with pytest.raises(strided.InvalidArgument):
            strided.bincount(strided.tensor(bad))
    with pytest.raises(strided.InvalidArgument):
        strided.bincount(strided.tensor([[1]]))
    with pytest.raises(strided.InvalidArgument):
        strided.bincount(strided.tensor([1]), minlength=-1)
    with pytest.raises(strided.DTypeMismatch):
        strided.bincount(strided.tensor([1.0]))
    with pytest.raises(strided.ShapeMismatch):
        strided.bincount(strided.tensor([1]), strided.zeros(2))
    with pytest.raises(strided.DTypeMismatch):
        strided.bincount(strided.tensor([1]), strided.tensor([1j]))


def test_histogram() -> None:
    a = np.random.default_rng(8).standard_normal(5000)
    x = strided.tensor(a)
    for options in (
        {},
        {"bins": 7},
        {"bins": 20, "range": (-1.0, 2.0)},
        {"bins": [-2.0, 0.0, 0.5, 3.0]},
    ):
        counts, edges = strided.histogram(x, **options)
        expected, theirs = np.histogram(a, **options)
        assert_same(counts, expected, where=options)
        assert np.allclose(as_numpy(edges), theirs, rtol=1e-14)
    density, _ = strided.histogram(x, bins=9, density=True)
    assert np.allclose(as_numpy(density), np.histogram(a, bins=9, density=True)[0])
    whole = np.random.default_rng(9).integers(0, 10, 1000)
    assert_same(strided.histogram(strided.tensor(whole))[0], np.histogram(whole)[0])
    weighted = strided.histogram(x, bins=5, weights=strided.tensor(a**2))[0]
    assert np.allclose(as_numpy(weighted), np.histogram(a, bins=5, weights=a**2)[0])
    assert strided.histogram(strided.ones(4), bins=2)[0].tolist() == [0, 4]
    assert strided.histogram(strided.zeros(0), bins=2)[0].tolist() == [0, 0]
    for bad in ({"bins": 0}, {"range": (2.0, 1.0)}, {"range": (0.0, float("inf"))}):
        with pytest.raises(strided.InvalidArgument):
            strided.histogram(x, **bad)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_count_nonzero_over_axes(layout: str) -> None:
    for dtype in ("bool", "int64", "float32", "complex64"):
        x, a = laid(layout, [0, 1, 2, 0, 3], dtype)
        for axis in (None, *range(-a.ndim, a.ndim), tuple(range(a.ndim))):
            expected = np.asarray(np.count_nonzero(a, axis=axis))
            assert_same(strided.count_nonzero(x, axis=axis), expected, where=(layout, axis))


# ---- differences ----


@pytest.mark.parametrize("layout", WITH_AXES)
@pytest.mark.parametrize("dtype", [*INTS, *FLOATS, "bool", "complex64"])
def test_diff_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, [3, 1, 4, 1, 5, 9, 2, 6], dtype)
    for axis in range(-a.ndim, a.ndim):
        for n in (0, 1, 2, 9):
            expected = np.diff(a, n=n, axis=axis)
            assert_same(strided.diff(x, axis=axis, n=n), expected, where=(layout, axis, n))
            assert_same(x.diff(n, axis), expected)


def test_diff_with_ends() -> None:
    a = np.arange(6.0).reshape(2, 3) ** 2
    x = strided.tensor(a)
    before, after = np.full((2, 1), 7.0), np.zeros((2, 2))
    got = strided.diff(x, prepend=strided.tensor(before), append=strided.tensor(after))
    assert_same(got, np.diff(a, prepend=before, append=after))
    with pytest.raises(strided.InvalidArgument):
        x.diff(-1)


def test_places_go_into_out() -> None:
    lists, values = strided.tensor([1, 3, 5]), strided.tensor([[0, 3], [4, 9]])
    for call in (
        lambda out: strided.searchsorted(lists, values, out=out),
        lambda out: lists.searchsorted(values, out=out),
        lambda out: strided.bucketize(values, lists, out=out),
    ):
        out = strided.zeros(2, 2, dtype=strided.int64).T
        assert call(out) is out
        assert out.tolist() == [[0, 1], [2, 3]]
        with pytest.raises(strided.DTypeMismatch):
            call(strided.zeros(2, 2))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64", "float32", "float64"])
def test_isin_takes_numbers(dtype: str) -> None:
    x = strided.tensor([1, 3, 5]).to(getattr(strided, dtype))
    assert strided.isin(x, 3).tolist() == [False, True, False]
    assert strided.isin(x, 3, invert=True).tolist() == [True, False, True]
    found = strided.isin(5, x)
    assert (found.shape, found.item()) == ((), True)
    assert strided.isin(x[:0], 0).shape == (0,)


def test_isin_compares_in_the_precision_of_the_tensor() -> None:
    x = strided.tensor([0.1, 0.2], dtype=strided.float64)
    assert strided.isin(x, 0.1).tolist() == [True, False]
    assert strided.isin(0.2, x).item()
    assert strided.isin(x, 0.1 + 0j).tolist() == [True, False]
    assert strided.isin(x.to(strided.complex128), 0.1).tolist() == [True, False]
    assert strided.isin(strided.arange(3), 1.0).tolist() == [False, True, False]
