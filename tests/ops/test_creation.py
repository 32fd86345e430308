"""New tensors: argument forms, values against NumPy, limits and refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.compare import ALL_DTYPES, NUMPY_DTYPES, assert_same, dtype_of

import strided

# ---- shapes and options, in every spelling ----

FILLED: dict[str, Callable[..., Any]] = {
    "empty": strided.empty,
    "zeros": strided.zeros,
    "ones": strided.ones,
    "full": lambda *size, **options: strided.full(
        options.pop("shape", size[0] if len(size) == 1 else size), 1.0, **options
    ),
}
SHAPES: list[tuple[tuple[Any, ...], dict[str, Any], tuple[int, ...]]] = [
    ((), {"shape": ()}, ()),
    (((),), {}, ()),
    ((3,), {}, (3,)),
    (((3,),), {}, (3,)),
    (([2, 3],), {}, (2, 3)),
    ((2, 3), {}, (2, 3)),
    ((2, 0, 3), {}, (2, 0, 3)),
    ((), {"shape": (2, 3)}, (2, 3)),
    ((), {"shape": 4}, (4,)),
    ((np.int64(2),), {}, (2,)),
    (((np.int32(2), strided.tensor(3)),), {}, (2, 3)),
    (((1,) * 64,), {}, (1,) * 64),
]


@pytest.mark.parametrize("name", FILLED)
@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_shapes(name: str, number: int) -> None:
    size, named, shape = SHAPES[number]
    for options in ({}, {"dtype": strided.int16}, {"device": "cpu", "dtype": "int16"}):
        x = FILLED[name](*size, **named, **options)
        assert (x.shape, x.is_view, x.is_contiguous()) == (shape, False, True)
        assert x.dtype is (strided.int16 if options else strided.float32)
        if name != "empty":
            assert bool((x == (name != "zeros")).all())


@pytest.mark.parametrize("name", FILLED)
def test_memory_formats(name: str) -> None:
    make = FILLED[name]
    for order, strides in (
        ("row_major", (60, 20, 5, 1)),
        ("column_major", (1, 2, 6, 24)),
        (strided.channels_last, (60, 1, 15, 3)),
        ((2, 0, 3, 1), (15, 1, 30, 3)),
        (None, (60, 20, 5, 1)),
    ):
        x = make((2, 3, 4, 5), memory_format=order, dtype=strided.float64)
        assert (x.stride(), x.bytes_kept_alive) == (strides, 960), order
        if name != "empty":
            assert bool((x == (name != "zeros")).all())


@pytest.mark.parametrize("name", FILLED)
@pytest.mark.parametrize(
    ("size", "options", "error"),
    [
        ((-1,), {}, strided.InvalidArgument),
        ((2, -3), {}, strided.InvalidArgument),
        ((1 << 40, 1 << 40), {}, strided.InvalidArgument),
        ((1 << 63,), {}, OverflowError),
        (((1,) * 65,), {}, strided.InvalidArgument),
        ((2,), {"device": "cuda"}, strided.InvalidArgument),
        ((2,), {"memory_format": "sideways"}, strided.InvalidArgument),
        ((2, 3), {"memory_format": (0, 0)}, strided.InvalidArgument),
        ((2, 3), {"memory_format": strided.channels_last}, strided.UnsupportedOperation),
        ((2,), {"dtype": "int17"}, TypeError),
        ((2.5,), {}, TypeError),
        (("ab",), {}, TypeError),
        ((2, (3,)), {}, TypeError),
        ((2,), {"no_such_option": 1}, TypeError),
    ],
)
def test_refused_options(
    name: str, size: tuple[Any, ...], options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        FILLED[name](*size, **options)


@pytest.mark.parametrize("make", [strided.empty, strided.zeros, strided.ones])
def test_shape_given_twice(make: Callable[..., Any]) -> None:
    for size in ((2,), (2, 3)):
        with pytest.raises(TypeError):
            make(*size, shape=(3,))


# ---- one value everywhere ----


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (True, "bool"),
        (7, "int64"),
        (-2.5, "float32"),
        (1 + 2j, "complex64"),
        (np.int8(3), "int8"),
        (np.float32(1.5), "float32"),
        (np.bool_(True), "bool"),
        (strided.tensor(2.5, dtype=strided.float64), "float64"),
    ],
)
def test_full_takes_the_dtype_of_its_value(value: Any, dtype: str) -> None:
    x = strided.full((2,), value)
    plain = value.item() if hasattr(value, "item") else value
    assert (x.dtype.name, x.tolist()) == (dtype, [plain, plain])
    assert strided.full(2, value, dtype=strided.complex128).tolist() == [plain, plain]


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype(dtype: str) -> None:
    x = strided.ones(2, 3, dtype=dtype_of(dtype))
    likes = (strided.zeros_like(x.T), strided.ones_like(x.T), strided.full_like(x.T, 1))
    for made, value in zip(likes, (0, 1, 1), strict=True):
        assert (made.dtype, made.shape, made.stride()) == (x.dtype, (3, 2), (1, 3))
        assert made.tolist() == [[value] * 2] * 3
    assert strided.empty_like(x[:, ::2], dtype="int8").stride() == (2, 1)
    assert strided.zeros_like(x.T, memory_format="row_major").stride() == (2, 1)
    assert strided.eye(2, dtype=dtype).tolist() == [[1, 0], [0, 1]]
    if dtype != "bool":
        assert strided.arange(3, dtype=dtype).tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("value", "dtype", "error"),
    [
        (300, "uint8", strided.InvalidArgument),
        (-1, "uint64", strided.InvalidArgument),
        (2**63, "int64", strided.InvalidArgument),
        (float("nan"), "int32", strided.InvalidArgument),
        (1e10, "int32", strided.InvalidArgument),
        (1j, "float32", strided.DTypeMismatch),
        (2**64, "float64", OverflowError),
        (None, "float32", TypeError),
        ("1", "float32", TypeError),
    ],
)
def test_values_that_do_not_fit(value: Any, dtype: str, error: type[Exception]) -> None:
    for make in (
        lambda: strided.full((2,), value, dtype=dtype),
        lambda: strided.full_like(strided.zeros(2), value, dtype=dtype),
        lambda: strided.tensor([value], dtype=dtype),
    ):
        with pytest.raises(error):
            make()


# ---- arange and linspace ----

BIG = 2**63
RANGES: list[tuple[Any, ...]] = [
    (5,),
    (0,),
    (-3,),
    (2, 7),
    (7, 2),
    (7, 2, -2),
    (-5, 5, 3),
    (0, 10, 100),
    (2.5,),
    (1, 2, 0.25),
    (1.0, -1.0, -0.5),
    (0, 1, 0.1),
    (0.5, 0.5),
    (BIG - 3, BIG),
    (-BIG, -BIG + 3),
    (-BIG, BIG - 1, BIG - 1),
    (BIG, BIG + 3),
    (2 * BIG - 1, 2 * BIG - 4, -1),
    (np.int8(-100), np.int8(100), np.int8(50)),
    (np.float32(2.5),),
]


@pytest.mark.parametrize("number", range(len(RANGES)))
def test_arange(number: int) -> None:
    bounds = [b.item() if hasattr(b, "item") else b for b in RANGES[number]]
    x, wide = strided.arange(*RANGES[number]), strided.arange(*bounds, dtype=strided.float64)
    if all(isinstance(b, int) for b in bounds):
        expected = list(range(*bounds))  # NumPy rounds near the limits
        assert x.dtype.name == ("uint64" if max(expected, default=0) >= BIG else "int64")
        assert x.tolist() == expected
    else:
        assert x.dtype is strided.float32
        expected = np.arange(*bounds).tolist()
        assert np.allclose(x.numpy(), expected, rtol=1e-6, atol=1e-7)
    assert wide.shape == x.shape
    largest = max(map(abs, expected), default=0)
    assert np.allclose(wide.numpy(), np.array(expected, "float64"), rtol=0, atol=1e-15 * largest)


def test_arange_keywords_and_long_ranges() -> None:
    assert strided.arange(1, stop=10, step=4, dtype=strided.uint8).tolist() == [1, 5, 9]
    assert strided.arange(0, 5.5, 2, dtype=strided.int64).tolist() == [0, 2, 4]
    assert strided.arange(strided.tensor(3), device="cpu").tolist() == [0, 1, 2]
    assert_same(strided.arange(-70_000, 70_000, 7), np.arange(-70_000, 70_000, 7))
    assert_same(strided.arange(2000, dtype=strided.int16), np.arange(2000, dtype="int16"))


@pytest.mark.parametrize(
    ("bounds", "dtype", "error"),
    [
        ((0, 5, 0), None, strided.InvalidArgument),
        ((254, 258), "uint8", strided.InvalidArgument),
        ((-1, 3), "uint64", strided.InvalidArgument),
        ((0, 200), "int8", strided.InvalidArgument),
        ((-1, 2 * BIG, BIG), None, strided.InvalidArgument),
        ((2 * BIG, 2 * BIG + 1), None, strided.InvalidArgument),
        ((float("inf"),), None, (OverflowError, ValueError)),
        ((float("nan"),), None, (OverflowError, ValueError)),
        ((3j,), None, TypeError),
        (("3",), None, TypeError),
        ((), None, TypeError),
    ],
)
def test_refused_ranges(bounds: tuple[Any, ...], dtype: str | None, error: Any) -> None:
    with pytest.raises(error):
        strided.arange(*bounds, dtype=dtype)


@pytest.mark.parametrize(
    "bounds", [(0, 1), (-3, 7), (2.5, -2.5), (1e-3, 1e3), (1j, 2), (0, 1 + 1j)]
)
@pytest.mark.parametrize("num", [0, 1, 2, 5, 1001])
def test_linspace(bounds: tuple[Any, Any], num: int) -> None:
    for endpoint in (True, False):
        expected = np.linspace(*bounds, num, endpoint=endpoint)
        wide = "complex128" if expected.dtype.kind == "c" else "float64"
        x = strided.linspace(*bounds, num, dtype=dtype_of(wide), endpoint=endpoint)
        assert_same(x, expected, 1e-15)
        narrow = strided.linspace(*bounds, num, endpoint=endpoint)
        assert_same(narrow, expected.astype("complex64" if wide[0] == "c" else "float32"), 1e-6)
        if endpoint and num > 1:
            assert x[-1].item() == bounds[1]


def test_refused_linspace() -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        strided.linspace(0, 1, -1)
    assert caught.value.argument == "num"
    for arguments in ((0,), (0, 1, 2.5), ("0", 1, 2)):
        with pytest.raises(TypeError):
            strided.linspace(*arguments)  # type: ignore[call-arg]


# ---- matrices and grids ----


@pytest.mark.parametrize("k", [-7, -2, -1, 0, 1, 2, 7])
def test_triangles(k: int) -> None:
    for rows, columns in ((3, 3), (2, 4), (4, 2), (0, 3), (1, 1)):
        assert_same(strided.eye(rows, columns, k=k), np.eye(rows, columns, k, dtype="float32"))
        for dtype in NUMPY_DTYPES:
            a = np.arange(1, 2 * rows * columns + 1).astype(dtype).reshape(2, columns, rows)
            x = strided.from_numpy(a).mT
            assert_same(strided.tril(x, k=k), np.tril(a.mT, k))
            assert_same(strided.triu(x, k=k), np.triu(a.mT, k))


def test_triangles_need_two_axes() -> None:
    for make in (strided.tril, strided.triu):
        with pytest.raises(strided.UnsupportedOperation):
            make(strided.ones(3))


@pytest.mark.parametrize("indexing", ["xy", "ij"])
def test_meshgrid(indexing: Any) -> None:
    axes = [np.arange(3), np.arange(2.0), np.array([True, False]), np.array(5)]
    for count in range(len(axes) + 1):
        grids = strided.meshgrid(*axes[:count], indexing=indexing)
        expected = np.meshgrid(*axes[:count], indexing=indexing)
        assert len(grids) == len(expected)
        for grid, wanted in zip(grids, expected, strict=True):
            assert_same(grid, wanted)
            assert grid.bytes_kept_alive <= 24
    with pytest.raises(strided.InvalidArgument):
        strided.meshgrid([1], indexing="yx")


def test_ranges_are_lists_of_numbers() -> None:
    assert strided.tensor(range(1, 7, 2)).tolist() == [1, 3, 5]


def test_an_axis_has_one_name() -> None:
    rows = [strided.zeros(2, 3), strided.ones(2, 3)]
    for join in (strided.concat, strided.stack):
        assert join(rows, dim=1).shape == join(rows, axis=1).shape
        with pytest.raises(TypeError):
            join(rows, axis=1, dim=0)
