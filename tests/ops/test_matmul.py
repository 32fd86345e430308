"""Matrix products over every layout class, shape, dtype and output, against NumPy in float64."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.compare import ALL_DTYPES, FLOATS, HALVES, INTS, assert_same, dtype_of
from support.layouts import Placed, placed
from support.matrices import assert_product, layouts, made, numbers, over, writable

import strided

# rows, k, columns: below, at and above the sizes of vectors and tiles, and of their parts.
SMALL = [(1, 1, 1), (2, 3, 2), (3, 4, 5), (4, 1, 16), (8, 8, 48), (9, 17, 49), (7, 5, 33)]
# Several blocks of each axis; vectors; few vectors.
LARGE = [
    (130, 400, 70),
    (65, 1000, 97),
    (300, 64, 200),
    (20, 2500, 30),
    (1, 700, 90),
    (90, 700, 1),
    (3, 700, 90),
    (90, 700, 7),
    (1, 20000, 1),
    (2, 20000, 3),
    (70, 9000, 1),
    (3000, 20, 1),
]


# ---- layouts and dtypes ----


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_small_products_over_layouts(dtype: str) -> None:
    for rows, k, columns in SMALL:
        right = list(over(k, columns, dtype, 2))
        for name, x, a in over(rows, k, dtype, 1):
            for other, y, b in right:
                where = (dtype, rows, k, columns, name, other)
                assert_product(x @ y, a, b, dtype, where)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_large_products_over_layouts(dtype: str) -> None:
    for rows, k, columns in LARGE:
        right = list(over(k, columns, dtype, 2))
        for i, (name, x, a) in enumerate(over(rows, k, dtype, 1)):
            # Each layout of one side meets two of the other.
            for j in (i, (5 * i + 3) % len(right)):
                other, y, b = right[j]
                where = (dtype, rows, k, columns, name, other)
                assert_product(x @ y, a, b, dtype, where)


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_out_over_layouts(dtype: str) -> None:
    for rows, k, columns in [(3, 4, 5), (9, 17, 49), (70, 500, 60), (1, 300, 40), (40, 300, 1)]:
        x, a = made(layouts(rows, k)["padded rows"], dtype, 1)
        y, b = made(layouts(k, columns)["transposed"], dtype, 2)
        for name, at in writable(rows, columns).items():
            out, _ = made(at, dtype, 3)
            before = out.as_strided((at.room,), (1,), 0).clone()
            assert strided.matmul(x, y, out=out) is out
            assert_product(out, a, b, dtype, (dtype, rows, k, columns, name))
            # What lies in the gaps stays as it was.
            untouched = np.ones(at.room, bool)
            _, marks = placed(at, np.arange(at.room))
            untouched[marks.ravel()] = False
            after = out.as_strided((at.room,), (1,), 0)
            same = after.view(strided.uint8).numpy() == before.view(strided.uint8).numpy()
            assert same.reshape(at.room, -1)[untouched].all(), (dtype, name)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("float32", "float64"),
        ("int32", "float32"),
        ("float64", "int8"),
        ("bool", "int16"),
        ("uint8", "int8"),
        ("float32", "complex64"),
        ("complex128", "float32"),
        ("int64", "complex64"),
        ("float16", "bfloat16"),
        ("float16", "float32"),
        ("bfloat16", "float64"),
        ("bool", "float32"),
        ("int8", "bool"),
        ("uint64", "uint8"),
    ],
)
def test_dtypes_meet_as_in_arithmetic(left: str, right: str) -> None:
    result = (strided.ones(1, dtype=left) + strided.ones(1, dtype=right)).dtype.name
    for shape in [(3, 4, 5), (20, 300, 33), (1, 50, 40), (40, 50, 1)]:
        for name, at in layouts(*shape[:2]).items():
            x, a = made(at, left, 1)
            y, b = made(layouts(*shape[1:])["row-major"], right, 2)
            if "int" in right or "int" in left:  # small, so that floats hold them
                x, a = (x % 5, a % 5) if "int" in left else (x, a)
                y, b = (y % 5, b % 5) if "int" in right else (y, b)
            assert_product(x @ y, a, b, result, (name, shape))


def test_no_common_dtype() -> None:
    with pytest.raises(strided.DTypeMismatch):
        strided.ones(2, 2, dtype=strided.uint64) @ strided.ones(2, 2, dtype=strided.int8)


def test_bool_is_true_where_any_pair_is() -> None:
    # 256 and 65536 pairs: a count would wrap to 0.
    for k in (256, 65536):
        x = strided.ones(2, k, dtype=strided.bool)
        assert (x @ x.T).tolist() == [[True, True], [True, True]]


def test_halves_are_added_up_in_float32() -> None:
    for dtype in HALVES:
        x = strided.ones(9, 5000, dtype=dtype_of(dtype))
        for y in (x.T, x.T[:, 0], x.T[:, :3]):
            assert_same((x @ y).to(strided.float32), np.full((x @ y).shape, 5000, "f"), 2.0**-8)
        exact = strided.matmul(x, x.T, out=strided.empty(9, 9))
        assert set(exact.flatten().tolist()) == {5000.0}


def test_special_values_stay_in_their_row_and_column() -> None:
    for rows, k, columns in [(3, 5, 7), (9, 17, 49), (50, 400, 60), (1, 40, 50)]:
        for dtype in FLOATS + HALVES:
            _, a = made(layouts(rows, k)["row-major"], dtype, 1)
            _, b = made(layouts(k, columns)["row-major"], dtype, 2)
            a[-1, -1], b[0, -1] = np.inf, np.nan
            x, y = (strided.from_numpy(z).to(dtype_of(dtype)) for z in (a, b))
            got = (x @ y).to(strided.float32).numpy()
            finite = np.ones(got.shape, bool)
            finite[-1] = finite[:, -1] = False
            assert np.array_equal(np.isfinite(got), finite), (dtype, rows)
            assert np.isnan(got[:, -1]).all()


# ---- shapes ----

SHAPES = [
    ((4,), (4,)),
    ((3, 4), (4,)),
    ((4,), (4, 5)),
    ((2, 3, 4), (4,)),
    ((4,), (2, 4, 5)),
    ((2, 3, 4), (4, 5)),
    ((3, 4), (2, 4, 5)),
    ((2, 3, 4), (2, 4, 5)),
    ((1, 3, 4), (2, 4, 5)),
    ((2, 3, 4), (1, 4, 5)),
    ((2, 1, 3, 4), (5, 4, 2)),
    ((7, 1, 2, 3, 4), (1, 6, 1, 4, 5)),
    ((2, 3, 1, 4), (2, 3, 4, 1)),
    ((2, 3, 4, 4), (4,)),
    ((1, 1, 1), (1, 1, 1)),
    ((40, 9, 17), (40, 17, 5)),
    ((5, 70, 80), (80, 90)),
    # Empty: no rows, no columns, nothing to sum up, no matrices.
    ((0,), (0,)),
    ((0, 4), (4, 5)),
    ((3, 4), (4, 0)),
    ((3, 0), (0, 5)),
    ((2, 3, 0), (0, 5)),
    ((0, 3, 4), (4, 5)),
    ((0, 3, 4), (1, 4, 5)),
    ((2, 0, 4), (2, 4, 0)),
    ((3, 0), (0,)),
]


def arrays_of(shape: tuple[int, ...], dtype: str, seed: int) -> Iterator[np.ndarray]:
    """Yield arrays of a shape: row-major, axes reversed, stepped, flipped, repeated."""
    a = numbers(int(np.prod(shape)), dtype, seed).reshape(shape)
    yield a
    yield np.asfortranarray(a)
    yield np.repeat(a, 2, -1)[..., ::2]
    yield a[tuple(slice(None, None, -1) for _ in shape)]
    if a.size:
        yield np.broadcast_to(a[:1], shape)
        yield np.broadcast_to(a[..., :1], shape)


@pytest.mark.parametrize(("left", "right"), SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "int64", "complex128"])
def test_shapes_and_broadcasting(left: tuple[int, ...], right: tuple[int, ...], dtype: str) -> None:
    for a in arrays_of(left, dtype, 1):
        for b in arrays_of(right, dtype, 2):
            x, y = strided.from_numpy(a), strided.from_numpy(b)
            expected = np.matmul(a, b)
            where = (left, right, a.strides, b.strides)
            got = x @ y
            assert got.is_contiguous()
            assert_product(got, a, b, dtype, where)
            out = strided.full(expected.shape, 7, dtype=got.dtype)
            assert strided.matmul(a, b, out=out) is out
            assert_product(out, a, b, dtype, where)


def test_batches_that_are_one_matrix() -> None:
    """With one matrix on the other side the batch is part of the rows, or of the columns."""
    for dtype in ("float32", "bfloat16"):
        x, a = made(Placed((6, 5, 33), (165, 33, 1)), dtype, 1)
        y, b = made(Placed((33, 40), (40, 1)), dtype, 2)
        for view in (lambda z: z, lambda z: z[::2], lambda z: z[:, ::-1], lambda z: z[::-1, 1:3]):
            assert_product(view(x) @ y, view(a), b, dtype)
            wide, c = view(x).swapaxes(1, 2), view(a).swapaxes(1, 2)
            assert_product(y.T @ wide, b.T, c, dtype)
        one, single = x[:, :1], a[:, :1]
        assert_product(one @ y, single, b, dtype)


def test_attention_views() -> None:
    """Heads of [batch, sequence, heads, width] are multiplied where they lie."""
    q, a = made(Placed((2, 9, 3, 16), (432, 48, 16, 1)), "float32", 1)
    k, b = made(Placed((2, 11, 3, 16), (528, 48, 16, 1)), "float32", 2)
    before = strided.copy_totals()
    scores = q.permute(0, 2, 1, 3) @ k.permute(0, 2, 3, 1)
    assert_product(scores, a.transpose(0, 2, 1, 3), b.transpose(0, 2, 3, 1), "float32")
    assert_product(
        scores @ k.permute(0, 2, 1, 3), scores.numpy(), b.transpose(0, 2, 1, 3), "float32"
    )
    # One key head for all query heads, as a stride of 0.
    shared = k[:, :, :1].expand(2, 11, 3, 16).permute(0, 2, 3, 1)
    expected = np.broadcast_to(b[:, :, :1], b.shape).transpose(0, 2, 3, 1)
    assert_product(q.permute(0, 2, 1, 3) @ shared, a.transpose(0, 2, 1, 3), expected, "float32")
    assert strided.copy_totals() == before


def test_ranks_up_to_the_limit() -> None:
    x = strided.ones(*[1] * 60, 2, 1, 2, 3)
    assert (x @ x.mT).shape == (*[1] * 60, 2, 1, 2, 2)


def test_many_integers() -> None:
    """Sums wrap around in every width, as in NumPy."""
    for dtype in INTS:
        a, b = numbers(50 * 300, dtype, 1).reshape(50, 300), numbers(300, dtype, 2)
        assert_same(strided.from_numpy(a) @ strided.from_numpy(b), a @ b)
