"""Sorting and selecting over layouts, dtypes, lengths and orders, against NumPy's stable sort."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.compare import COMPLEX, as_numpy, dtype_of, kind_of
from support.layouts import LAYOUTS, NONEMPTY_AXES, WITH_AXES, fill, laid
from support.ordering import (
    ORDERED_DTYPES,
    POOLS,
    data_of,
    kept_as,
    same_bits,
    stable_order,
    tensor_of,
    threads,
)

import strided

# Around every limit: insertion, vectors, networks, counting, digits.
LENGTHS = (1, 2, 3, 12, 13, 16, 17, 64, 65, 100, 255, 512, 513, 1024, 1025, 2047, 2049, 5000)
NAN = float("nan")
ORDERS = ("random", "ties", "outlier", "rising", "falling")


def check_sorted(x: Any, a: np.ndarray, axis: int, descending: bool, where: object) -> None:
    """Compare all three results with the stable order."""
    order = stable_order(a, axis, descending)
    expected = np.take_along_axis(a, order, axis)
    values, indices = x.sort(axis, descending)
    assert (as_numpy(indices) == order).all(), (where, "indices")
    assert indices.dtype is strided.int64
    assert same_bits(values, expected), (where, "values beside indices")
    assert same_bits(strided.sort(x, axis=axis, descending=descending), expected), (where, "values")
    again = strided.argsort(x, axis=axis, descending=descending)
    assert (as_numpy(again) == order).all(), (where, "argsort")


# ---- every layout, every dtype ----


@pytest.mark.parametrize("layout", WITH_AXES)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
@pytest.mark.parametrize("descending", [False, True])
def test_over_layouts(dtype: str, descending: bool, layout: str) -> None:
    pool = POOLS[kind_of(dtype)]
    x, a = laid(layout, pool, kept_as(dtype))
    if dtype == "bfloat16":
        at = LAYOUTS[layout]
        flat = strided.tensor(fill(pool, at.room, "float32")).to(strided.bfloat16)
        x = flat.as_strided(at.shape, at.strides, at.offset)
    for axis in range(-a.ndim, a.ndim):
        check_sorted(x, a, axis, descending, (layout, axis))


def test_rank_0_is_one_element() -> None:
    x = strided.tensor(3.5)
    values, indices = x.sort()
    assert (values.shape, values.item(), indices.item()) == ((), 3.5, 0)
    assert strided.argsort(x).shape == ()
    assert strided.sort(x, axis=None).tolist() == [3.5]
    with pytest.raises(strided.InvalidDimension):
        x.sort(1)


def test_empty_axes() -> None:
    for shape in ((0,), (3, 0), (0, 3), (2, 0, 4)):
        x = strided.zeros(*shape)
        for axis in range(len(shape)):
            values, indices = x.sort(axis)
            assert values.shape == indices.shape == shape


HUGE = 2**62


@pytest.mark.parametrize("shape", [(0, HUGE), (HUGE, 0), (0, 2**40, 2**20)])
def test_empty_tensors_with_huge_axes(shape: tuple[int, ...]) -> None:
    x = strided.empty(shape)
    for axis, length in enumerate(shape):
        assert x.sort(axis).values.shape == shape
        assert x.sort(axis, descending=True).indices.shape == shape
        assert x.argsort(axis).shape == shape
        assert x.cummax(axis).values.shape == x.cummin(axis).indices.shape == shape
        none = (*shape[:axis], 0, *shape[axis + 1 :])
        assert x.topk(0, axis).values.shape == none
        if length == 0:
            continue
        rest = (*shape[:axis], *shape[axis + 1 :])
        assert x.topk(3, axis).indices.shape == (*shape[:axis], 3, *shape[axis + 1 :])
        assert x.kthvalue(length, axis).values.shape == rest
        assert x.median(axis).values.shape == rest
    assert strided.unique_values(x).shape == (0,)
    assert strided.searchsorted(x, x).shape == shape
    assert strided.searchsorted(strided.zeros(3), x).shape == shape


@pytest.mark.parametrize("out", [strided.ones(3), (strided.ones(3),)])
def test_two_results_need_two_outs(out: Any) -> None:
    for call in (strided.topk, strided.kthvalue, strided.Tensor.topk):
        with pytest.raises(strided.InvalidArgument, match="must be the 2 tensors"):
            call(strided.ones(3), 3, out=out)


@pytest.mark.parametrize("length", [2**45, HUGE])
def test_lists_that_no_memory_holds(length: int) -> None:
    x = strided.zeros(1).expand(length)
    for sort in (x.sort, x.argsort, lambda: x.topk(3), lambda: x.kthvalue(4), lambda: x.median(0)):
        with pytest.raises(strided.OutOfMemory):
            sort()


def test_input_stays_and_layout_is_kept() -> None:
    a = data_of("float32", (40, 30), "random")
    x = strided.tensor(a).T
    values, indices = x.sort(0)
    assert (as_numpy(x) == a.T).all()
    assert values.stride() == indices.stride() == x.stride()
    fixed = strided.frombuffer(bytes(range(8, 0, -1)), dtype=strided.uint8)
    assert strided.sort(fixed).tolist() == list(range(1, 9))


def test_axis_none_flattens_in_row_major_order() -> None:
    a = data_of("int16", (7, 9), "random")
    x = strided.tensor(a).T
    assert (as_numpy(strided.sort(x, axis=None)) == np.sort(a, axis=None)).all()
    order = np.argsort(a.T, axis=None, kind="stable")
    assert (as_numpy(strided.argsort(x, axis=None)) == order).all()


def test_msort_and_keywords() -> None:
    a = data_of("int64", (6, 5), "random")
    x = strided.tensor(a)
    assert (as_numpy(x.msort()) == np.sort(a, axis=0)).all()
    assert (as_numpy(strided.msort(x)) == np.sort(a, axis=0)).all()
    assert x.sort(axis=0).values.tolist() == x.sort(dim=0).values.tolist()
    assert strided.sort(a, axis=0, stable=False).tolist() == np.sort(a, axis=0).tolist()


# ---- every length and order ----


@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_lengths(dtype: str) -> None:
    for length in LENGTHS:
        for order in ORDERS:
            a = data_of(dtype, length, order, seed=length)
            x = tensor_of(a, dtype)
            for descending in (False, True):
                check_sorted(x, a, 0, descending, (length, order, descending))


@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
@pytest.mark.parametrize("workers", [1, 3])
def test_long_lists(dtype: str, workers: int) -> None:
    with threads(workers):
        for order in ORDERS:
            a = data_of(dtype, 300_000, order)
            check_sorted(tensor_of(a, dtype), a, 0, order == "random", order)


@pytest.mark.parametrize("workers", [1, 3])
def test_lists_that_digits_split_badly(workers: int) -> None:
    """Nearly all keys share leading digits, again and again."""
    random = np.random.default_rng(1)
    with threads(workers):
        for bits in (11, 22, 33, 44, 55):
            a = random.integers(0, 1 << 12, 200_000)
            a[:bits] = np.int64(1) << (np.arange(bits) + 8)
            check_sorted(strided.tensor(a), a, 0, False, bits)
        a = np.exp2(random.integers(-1000, 1000, 200_000).astype("float64"))
        check_sorted(strided.tensor(a), a, 0, False, "powers")


@pytest.mark.parametrize("shape", [(1000, 3), (3000, 20), (17, 400), (2, 3, 700), (5, 2100, 2)])
@pytest.mark.parametrize("workers", [1, 3])
def test_several_lists(shape: tuple[int, ...], workers: int) -> None:
    with threads(workers):
        for dtype in ("float32", "int64", "float64", "uint8", "float16"):
            a = data_of(dtype, shape, "ties")
            x = strided.tensor(a)
            for axis in range(len(shape)):
                check_sorted(x, a, axis, False, (dtype, axis))
                check_sorted(
                    x.movedim(axis, 0).flip(0), np.flip(np.moveaxis(a, axis, 0), 0), 0, True, axis
                )


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint16"])
def test_many_lists_of_any_length(dtype: str) -> None:
    for length in (*LENGTHS[:-2], 31, 33, 71, 97, 113, 129, 200, 257, 300, 700):
        a = data_of(dtype, (37, length), "random", seed=length)
        x = tensor_of(a, dtype)
        check_sorted(x, a, 1, False, length)
        check_sorted(x.T, a.T, 0, True, length)


# ---- the few largest or smallest ----


def check_topk(x: Any, a: np.ndarray, k: int, axis: int, where: object) -> None:
    for largest in (True, False):
        order = stable_order(a, axis, largest)
        order = np.take(order, range(k), axis)
        values, indices = x.topk(k, axis, largest)
        assert (as_numpy(indices) == order).all(), (where, largest)
        assert same_bits(values, np.take_along_axis(a, order, axis)), (where, largest)
        loose = as_numpy(x.topk(k, axis, largest, sorted=False).indices)
        assert (np.sort(loose, axis) == np.sort(order, axis)).all(), (where, largest)


@pytest.mark.parametrize("layout", WITH_AXES)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_topk_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOLS[kind_of(dtype)], kept_as(dtype))
    x = x.to(dtype_of(dtype))
    for axis in range(a.ndim):
        for k in {0, min(1, a.shape[axis]), a.shape[axis] // 2, a.shape[axis]}:
            check_topk(x, a, k, axis, (layout, axis, k))


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bfloat16", "uint64"])
def test_topk_of_long_lists(dtype: str, workers: int) -> None:
    with threads(workers):
        for order in ORDERS:
            a = data_of(dtype, 100_000, order)
            x = tensor_of(a, dtype)
            for k in (1, 7, 100, 5000, 12_500, 60_000):
                check_topk(x, a, k, 0, (order, k))
        a = data_of(dtype, (3000, 40), "ties")
        check_topk(tensor_of(a, dtype), a, 20, 0, "across")
        check_topk(tensor_of(a, dtype).T, a.T, 20, 1, "across, transposed")


def test_topk_refusals() -> None:
    x = strided.arange(6).reshape(2, 3)
    for k in (-1, 4):
        with pytest.raises(strided.InvalidArgument) as caught:
            x.topk(k)
        assert caught.value.argument == "k"
    with pytest.raises(strided.InvalidDimension):
        x.topk(1, 2)
    assert strided.topk(strided.tensor(4), 1).values.item() == 4
    assert strided.topk(x, 2, axis=0).values.tolist() == [[3, 4, 5], [0, 1, 2]]


# ---- one of a rank ----


@pytest.mark.parametrize("layout", NONEMPTY_AXES)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_kthvalue_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOLS[kind_of(dtype)], kept_as(dtype))
    x = x.to(dtype_of(dtype))
    for axis in range(a.ndim):
        order = stable_order(a, axis, False)
        for k in {1, (a.shape[axis] + 1) // 2, a.shape[axis]}:
            place = np.take(order, [k - 1], axis)
            values, indices = x.kthvalue(k, axis, keepdim=True)
            assert (as_numpy(indices) == place).all(), (layout, axis, k)
            assert same_bits(values, np.take_along_axis(a, place, axis)), (layout, axis, k)
            assert x.kthvalue(k, axis).values.shape == np.squeeze(place, axis).shape


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "uint64"])
def test_kthvalue_of_long_lists(dtype: str) -> None:
    for order in ORDERS:
        a = data_of(dtype, 30_000, order)
        places = stable_order(a, 0, False)
        x = tensor_of(a, dtype)
        for k in (1, 2, 777, 15_000, 29_999, 30_000):
            values, index = strided.kthvalue(x, k)
            assert index.item() == places[k - 1], (order, k)
            assert same_bits(values, a[places[k - 1]]), (order, k)
    a = data_of(dtype, (5000, 9), "ties")
    got = tensor_of(a, dtype).kthvalue(2500, 0).indices
    assert (as_numpy(got) == stable_order(a, 0, False)[2499]).all()


def test_kthvalue_refusals() -> None:
    for k in (0, 4):
        with pytest.raises(strided.InvalidArgument) as caught:
            strided.zeros(2, 3).kthvalue(k)
        assert (caught.value.argument, caught.value.got) == ("k", str(k))
    with pytest.raises(strided.InvalidArgument):
        strided.zeros(2, 0).kthvalue(1)


def test_median_methods_take_the_lower_middle() -> None:
    x = strided.tensor([[5, 1, 4, 2], [8, 9, 7, 6]])
    assert x.median().item() == 5
    assert [t.tolist() for t in x.median(1)] == [[2, 7], [3, 2]]
    assert x.median(0, keepdim=True).values.shape == (1, 4)
    nan = strided.tensor([1.0, float("nan"), 3.0])
    assert np.isnan(nan.median().item())
    assert nan.median(0).indices.item() == 1
    assert np.isnan(strided.zeros(0).median().item())


@pytest.mark.parametrize("shape", [(7,), (8,), (4, 5), (3, 4, 6), (6000,)])
def test_median_functions_are_numpys(shape: tuple[int, ...]) -> None:
    a = data_of("float64", shape, "random")
    x = strided.tensor(a)
    for axis in (None, *range(-len(shape), len(shape)), tuple(range(len(shape)))):
        for keep in (False, True):
            expected = np.asarray(np.median(a, axis=axis, keepdims=keep))
            got = strided.median(x, axis=axis, keepdims=keep)
            assert got.shape == expected.shape
            assert np.allclose(as_numpy(got), expected, rtol=1e-15)
    assert np.isnan(strided.median(strided.tensor([1.0, float("nan")])).item())
    assert np.isnan(strided.median(strided.zeros(0, dtype=strided.int32)).item())
    assert np.isnan(as_numpy(strided.median(strided.zeros(2, 0), axis=1, keepdims=True))).all()
    assert strided.median(strided.zeros(2, 0), axis=0).shape == (0,)


# ---- the largest and smallest so far ----


@pytest.mark.parametrize("layout", WITH_AXES)
@pytest.mark.parametrize("dtype", ORDERED_DTYPES)
def test_running_extremes_over_layouts(dtype: str, layout: str) -> None:
    x, a = laid(layout, POOLS[kind_of(dtype)], kept_as(dtype))
    x = x.to(dtype_of(dtype))
    for axis in range(a.ndim):
        for largest, got in ((True, x.cummax(axis)), (False, x.cummin(axis))):
            choose = np.logical_or if largest else np.logical_and
            if a.dtype.kind != "b":
                choose = np.maximum if largest else np.minimum
            expected = choose.accumulate(a, axis=axis)
            mine = as_numpy(got.values)
            assert np.array_equal(mine, expected, equal_nan=a.dtype.kind == "f"), (layout, axis)
            places = as_numpy(got.indices)
            assert same_bits(got.values, np.take_along_axis(a, places, axis)), (layout, axis)
            steps = np.arange(a.shape[axis])
            shape = [-1 if k == axis else 1 for k in range(a.ndim)]
            assert (places <= steps.reshape(shape)).all()


def test_running_extremes_take_the_latest() -> None:
    x = strided.tensor([2.0, 1.0, 2.0, NAN, 3.0, NAN])
    assert x.cummax(0).indices.tolist() == [0, 0, 2, 3, 3, 5]
    assert x.cummin(0).indices.tolist() == [0, 1, 1, 3, 3, 5]


# ---- refusals ----


@pytest.mark.parametrize("dtype", COMPLEX)
def test_complex_numbers_have_no_order(dtype: str) -> None:
    x = strided.zeros(3, dtype=dtype_of(dtype))
    calls = (
        x.sort,
        x.argsort,
        x.msort,
        x.median,
        lambda: x.cummax(0),
        lambda: x.topk(1),
        lambda: x.kthvalue(1),
        lambda: strided.searchsorted(x, x),
    )
    for call in calls:
        with pytest.raises(strided.DTypeMismatch) as caught:
            call()
        assert caught.value.got == dtype
        assert "real" in caught.value.hint


# ---- out= ----


def test_results_go_into_out() -> None:
    a = data_of("float32", (5, 6), "ties")
    x = strided.tensor(a)
    pairs = {
        "sort": lambda out: x.sort(0, out=out),
        "topk": lambda out: x.topk(5, 0, out=out),
        "topk, function": lambda out: strided.topk(x, 5, 0, out=out),
        "cummax": lambda out: x.cummax(0, out=out),
        "cummin": lambda out: x.cummin(0, out=out),
        "kthvalue": lambda out: x.T.kthvalue(2, 0, True, out=out),
        "kthvalue, function": lambda out: strided.kthvalue(x.T, 2, 0, True, out=out),
    }
    for name, call in pairs.items():
        expected = call(None)
        shape = expected.values.shape
        values = strided.zeros(*shape[::-1]).T  # any layout
        places = strided.zeros(*shape, dtype=strided.int64).flip(0)
        got = call((values, places))
        assert got.values is values, name
        assert got.indices is places, name
        assert same_bits(values, as_numpy(expected.values)), name
        assert places.tolist() == expected.indices.tolist(), name
        with pytest.raises(strided.DTypeMismatch):
            call((values, values))
        with pytest.raises(strided.ShapeMismatch):
            call((strided.zeros(2, 2), places))
    for call in (strided.argsort, lambda x, out: x.argsort(out=out)):
        places = strided.zeros(5, 6, dtype=strided.int64)
        assert call(x, out=places) is places
        assert places.tolist() == x.sort().indices.tolist()
    assert strided.sort(x, out=x) is x
    assert same_bits(x, np.take_along_axis(a, stable_order(a, -1, False), -1))


def test_axes_that_do_not_exist_are_refused() -> None:
    x = strided.zeros(3, 4)
    for name in ("sort", "argsort", "cummax", "cummin", "median", "diff"):
        for dim in (2, -3):
            with pytest.raises(strided.InvalidDimension):
                getattr(x, name)(dim=dim)
    for call in (
        lambda: x.topk(1, 2),
        lambda: x.kthvalue(1, 2),
        lambda: strided.sort(x, axis=2),
        lambda: strided.median(x, axis=2),
        lambda: strided.median(x, axis=(0, -3)),
    ):
        with pytest.raises(strided.InvalidDimension):
            call()
