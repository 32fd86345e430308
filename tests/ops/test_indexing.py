"""Reading and writing elements: indexing by arrays and masks, and elements as Python numbers."""

from __future__ import annotations

import math
import operator
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.compare import ALL_DTYPES, COMPLEX, FLOATS, INTS, assert_same, dtype_of, kind_of
from support.layouts import LAYOUTS, NONEMPTY_AXES, WITH_AXES, WRITABLE, laid
from support.op_reference import PLAIN
from support.view_proposals import slice_of

import strided

SHAPE = (3, 4, 5)
ROWS = np.array([True, False, True])
PLANE = np.array([[True, False, False, True], [False] * 4, [True, True, False, False]])
EVERY = np.arange(60).reshape(SHAPE) % 7 == 0

# Keys for an array of shape (3, 4, 5): one of every kind that NumPy tells apart.
KEYS: list[Any] = [
    [0], [2, 0, 0], [-1, 1], [], [[0, 1], [2, 0]], np.array([1, 2]), np.array([[1], [0]]),
    np.array(2), np.array([2, 1], np.int8), np.array([2, 1], np.uint64), np.array([], np.int64),
    np.array([[]], int), (slice(None), [3, 0]), (slice(None), [3, 0], slice(1, 3)),
    (..., [4, 4, 0]), ([0, 2], ...), ([0, 1], [2, 3]), ([0, 1], [2, 3], [4, 0]),
    ([[0], [1]], [2, 3]), ([0, 1], [2]), ([1], slice(None), [2, 3]),
    (slice(None), [0, 1], [1, 2]), (slice(1, None), [0, 1], [1, 2]),
    ([0, 1], slice(None), [1, 2]), (0, [1, 2]), (0, slice(None), [1, 2]), ([1, 2], 0),
    ([1, 2], slice(None), 0), (slice(None), 1, [0, 4]), (0, [1, 2], [3, 4]), ([1, 2], 0, [3, 4]),
    ([0, 1], None, [1, 2]), (None, [0, 1]), ([0, 1], None), (slice(None), None, [0, 1]),
    ([0, 1], slice(None), None, [2, 3]), (None, [0, 1], [1, 2], None),
    (slice(None, None, -1), [1, 3]), ([2, 1], slice(None, None, -2)), (slice(0, 0), [1, 1]),
    ([], [], []), (slice(None), np.array([[0, 1], [2, 3]])),
    (np.array([[0], [2]]), slice(1, 3), np.array([[4, 0]])), ROWS, ~ROWS, PLANE, EVERY,
    np.zeros(SHAPE, bool), np.ones(SHAPE, bool), ROWS.tolist(), PLANE.tolist(), (ROWS, 0),
    (ROWS, slice(None), 2), (ROWS, [0, 1]), (slice(None), PLANE[0]), (slice(None), PLANE[0], 1),
    (..., np.array([True, False, True, False, True])), (PLANE, 0), (PLANE, [0, 1, 2, 3]),
    (PLANE, slice(1, 3)), (ROWS, ..., 1), (None, ROWS), (ROWS, None),
    (ROWS, slice(None), np.array([0, 3])), (0, PLANE[0]), True, False, np.array(True), (True, 0),
    (0, True), (..., False), (True, [0, 1]), (None, True), (np.int64(1),), (np.int64(1), [0, 1]),
    (slice(None), np.int32(2)),
]  # fmt: skip
BAD_KEYS: list[Any] = [
    [3], [-4], ([0], [0], [0], [0]), ([0, 1], [0, 1, 2]), (slice(None), [4]),
    np.array([True, False]), np.ones((3, 5), bool), (0, 0, 0, [0]), (ROWS, [0, 1, 2]),
    (..., ..., [0]), (0, 0, 0, 0), [0, 10**9],
]  # fmt: skip
WRONG_KINDS: list[Any] = [[0.5], np.array([1.0]), "name", {1}, 1.0, (0, "a"), 1j]


def _tensor_key(key: Any) -> Any:
    """Return the key with tensors in place of NumPy arrays."""
    if isinstance(key, tuple):
        return tuple(map(_tensor_key, key))
    return strided.asarray(key) if isinstance(key, np.ndarray) else key


def _twins(order: str) -> tuple[Any, np.ndarray]:
    """Return a tensor and an array of one layout with equal elements in storages of their own."""
    base_shape, view = {
        "row-major": (SHAPE, lambda t: t),
        "permuted": ((5, 3, 4), lambda t: t.transpose(0, 1).transpose(1, 2)),
        "sliced": ((6, 4, 11), lambda t: t[::2, :, 1:6]),
        "flipped": (SHAPE, lambda t: t.flip(0, 2)),
    }[order]
    x = strided.zeros(base_shape, dtype=strided.int64)
    x = view(x)
    x.copy_(strided.arange(60).reshape(SHAPE))
    return x, np.arange(60).reshape(SHAPE)


@pytest.mark.parametrize("order", ["row-major", "permuted", "flipped", "sliced"])
@pytest.mark.parametrize("number", range(len(KEYS)))
def test_keys(number: int, order: str) -> None:
    key = KEYS[number]
    for made in (key, _tensor_key(key)):
        x, a = _twins(order)
        got = x[made]
        expected = np.asarray(a[key])
        assert_same(got, expected, where=repr(key))
        if got.size and not (isinstance(key, np.ndarray) and key.ndim == 0):
            # (A rank-0 index array counts as an int here, as in PyTorch: a view.)
            assert strided.shares_memory(got, x) == np.shares_memory(expected, a)
        for value in (-1, np.arange(expected.size).reshape(expected.shape)[..., :] + 100):
            x, a = _twins(order)
            if not isinstance(value, int) and len(np.unique(a[key])) != expected.size:
                continue  # a position twice: see test_last_write_wins
            x[made] = value
            a[key] = value
            assert_same(x, a, where=repr(key))


@pytest.mark.parametrize("number", range(len(BAD_KEYS)))
def test_keys_out_of_bounds(number: int) -> None:
    key = BAD_KEYS[number]
    x, a = _twins("row-major")
    with pytest.raises(IndexError):
        a[key]
    for made in (key, _tensor_key(key)):
        with pytest.raises((IndexError, ValueError)):
            x[made]
        with pytest.raises((IndexError, ValueError)):
            x[made] = 0
    assert_same(x, a)


@pytest.mark.parametrize("key", WRONG_KINDS, ids=repr)
def test_keys_of_the_wrong_kind(key: Any) -> None:
    x = strided.zeros(3, 4)
    with pytest.raises((TypeError, IndexError)):
        x[key]
    with pytest.raises((TypeError, IndexError)):
        x[key] = 1


def test_index_errors_have_fields() -> None:
    x = strided.zeros(3, 4)
    cases = [(5, 5, 3, 0), ((0, -5), -5, 4, 1), ([0, 7], 7, 3, 0), ((slice(None), [4]), 4, 4, 1)]
    for key, index, length, axis in cases:
        with pytest.raises(strided.IndexOutOfBounds) as caught:
            x[key]
        error = caught.value
        assert (error.index, error.length, error.axis) == (index, length, axis), key
    with pytest.raises(strided.InvalidDimension) as rank:
        x[0, 0, 0]
    assert rank.value.rank == 2


@pytest.mark.parametrize("layout", WITH_AXES)
def test_reads_over_layouts(layout: str) -> None:
    for dtype in ("float32", "int64", "bool", "int16", "uint8", "complex64", "complex128"):
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        rows = np.array([0, a.shape[0] - 1, -1, 0])
        where = (dtype, layout)
        assert_same(x[rows], a[rows], where=where)
        assert_same(x[..., [0]], a[..., [0]], where=where)
        assert_same(x[x != 0], a[a != 0], where=where)
        found = strided.nonzero(x)
        for mine, theirs in zip(found, np.nonzero(a), strict=True):
            assert_same(mine, theirs, where=where)


@pytest.mark.parametrize("layout", [name for name in NONEMPTY_AXES if name in WRITABLE])
def test_writes_over_layouts(layout: str) -> None:
    for dtype in ("float32", "int64", "bool", "int16", "uint8", "complex64", "complex128"):
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        x[x == x.flat(0)] = 1
        a[a == a.flat[0]] = 1
        x[[-1]] = x[[0]]
        a[[-1]] = a[[0]].copy()
        assert x.storage().tensor().tolist() == a.base.tolist(), dtype


def test_values_broadcast_and_convert() -> None:
    x, a = _twins("row-major")
    for key, value in [
        ([0, 2], np.arange(5)), ((slice(None), [1, 2]), np.arange(3).reshape(3, 1, 1)),
        (ROWS, 2.75),
        ([1], np.ones((1, 1, 4, 5))), (([0, 1], [1, 2]), np.float32([[1.5], [2.5]])),
        ([], np.ones((0, 4, 5))), ([0], [[1, 2, 3, 4, 5]]), (EVERY, np.arange(EVERY.sum())),
        (PLANE, True), ((..., [0]), np.uint8(200)),
    ]:  # fmt: skip
        x[key] = value
        a[key] = value
        assert_same(x, a, where=repr(key))
    with pytest.raises(strided.ShapeMismatch):
        x[[0, 1]] = strided.zeros(3, 4, 5)
    with pytest.raises(strided.ShapeMismatch):
        x[EVERY] = strided.zeros(2)
    with pytest.raises(strided.DTypeMismatch):
        x[[0]] = strided.zeros(5, dtype=strided.complex64)


def test_last_write_wins() -> None:
    x = strided.zeros(4, dtype=strided.int64)
    x[[1, 2, 1, 1]] = strided.tensor([10, 20, 30, 40])
    assert x.tolist() == [0, 40, 20, 0]
    x[[0, 0]] += 1
    assert x[0].item() == 1


def test_written_memory_may_hold_index_and_value() -> None:
    x = strided.tensor([3, 2, 1, 0])
    x[x] = x
    assert x.tolist() == [0, 1, 2, 3]
    a = np.array([1, 3, 0, 2])
    y = strided.tensor([1, 3, 0, 2])
    expected = a.copy()
    expected[a] = a[::-1]
    y[y] = y.flip(0)
    assert y.tolist() == expected.tolist()
    z = strided.arange(6)
    z[[0, 1, 2]] = z[1:4]
    assert z.tolist() == [1, 2, 3, 3, 4, 5]


def test_mask_and_index_writes_are_refused_where_writes_are() -> None:
    wide = strided.zeros(3).expand(2, 3)
    with pytest.raises(strided.WriteThroughOverlap):
        wide[[0]] = 1
    with pytest.raises(strided.WriteThroughOverlap):
        wide[wide == 0] = 1
    fixed = strided.frombuffer(b"abcd", dtype=strided.uint8)
    with pytest.raises(strided.ReadOnlyTensor):
        fixed[[0, 1]] = 0


# ---- random keys ----


def _random_key(rng: random.Random, shape: tuple[int, ...]) -> Any:
    items: list[Any] = []
    axis = 0
    common = tuple(rng.choice((1, 2, 3)) for _ in range(rng.randint(0, 2)))
    while axis < len(shape) and rng.random() < 0.9:
        n, kind = shape[axis], rng.random()
        if kind < 0.1:
            items.append(None)
            continue
        if kind < 0.25:
            items.append(slice_of(rng, n))
        elif kind < 0.4 and n:
            items.append(rng.randrange(-n, n))
        elif kind < 0.85 and n:
            lengths = tuple(rng.choice((c, 1)) for c in common)
            count = math.prod(lengths)
            items.append(
                np.array([rng.randrange(-n, n) for _ in range(count)], int).reshape(lengths)
            )
        else:
            covered = shape[axis : axis + rng.randint(1, 2)]
            bits = [rng.random() < 0.4 for _ in range(math.prod(covered))]
            items.append(np.array(bits, bool).reshape(covered))
            axis += len(covered) - 1
        axis += 1
    return tuple(items)


@settings(
    max_examples=400, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(st.randoms(use_true_random=False))
def test_random_keys(rng: random.Random) -> None:
    shape = tuple(rng.choice((0, 1, 2, 3, 4)) for _ in range(rng.randint(1, 4)))
    axes = rng.sample(range(len(shape)), len(shape))
    a = np.arange(math.prod(shape)).reshape([shape[i] for i in axes]).transpose(np.argsort(axes))
    x = strided.from_numpy(a.copy(order="K"))
    key = _random_key(rng, shape)
    try:
        expected = np.asarray(a[key])
    except IndexError:
        with pytest.raises((IndexError, ValueError)):
            x[key]
        return
    assert_same(x[key], expected, where=repr(key))
    a = a.copy(order="K")
    a[key] = -7
    x[key] = -7
    assert_same(x, a, where=repr(key))


# ---- elements as Python numbers ----


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tolist_item_and_flat_over_layouts(layout: str) -> None:
    for dtype in ("bool", *INTS, "float16", *FLOATS, *COMPLEX):
        x, a = laid(layout, PLAIN[kind_of(dtype)], dtype)
        assert x.tolist() == a.tolist(), (dtype, layout)
        flat = a.ravel().tolist()
        for i in range(-min(a.size, 7), min(a.size, 7)):
            assert x.flat(i).item() == flat[i], (dtype, layout, i)
            assert type(x.flat(i).item()) is type(flat[i])
        if a.size:
            at = tuple(n - 1 for n in a.shape)
            assert x.item(*at) == a.item(*at)
            assert x.flat(a.size - 1).storage().data_ptr() == x.storage().data_ptr()


def test_flat_is_checked() -> None:
    for layout in LAYOUTS:
        x, a = laid(layout, [1], "int64")
        with pytest.raises(strided.IndexOutOfBounds):
            x.flat(a.size)
        with pytest.raises(strided.IndexOutOfBounds):
            x.flat(-a.size - 1)


def test_numbers() -> None:
    x = strided.tensor([[2.75]])
    assert (float(x), int(x), complex(x), bool(x)) == (2.75, 2, 2.75 + 0j, True)
    assert strided.tensor(2**64 - 1, dtype=strided.uint64).item() == 2**64 - 1
    assert strided.tensor(-(2**63)).item() == -(2**63)
    assert operator.index(strided.tensor(7, dtype=strided.uint8)) == 7
    assert [10, 20, 30][strided.tensor(1)] == 20
    assert list(range(strided.tensor(3))) == [0, 1, 2]
    assert complex(strided.tensor(1 + 2j)) == 1 + 2j
    assert bool(strided.tensor(0.0)) is False
    assert bool(strided.tensor(math.nan)) is True
    assert bool(strided.tensor(1j)) is True
    assert math.isnan(strided.tensor(math.nan).item())
    for value in (strided.zeros(2), strided.zeros(0)):
        for convert in (bool, int, float, complex, lambda t: t.item()):
            with pytest.raises(strided.UnsupportedOperation):
                convert(value)
    for value in (strided.tensor([1]), strided.tensor(1.0), strided.tensor(True)):
        with pytest.raises(TypeError):
            operator.index(value)
    with pytest.raises(TypeError):
        float(strided.tensor(1j))
    with pytest.raises(ValueError):
        int(strided.tensor(math.nan))


@pytest.mark.parametrize("dtype", ALL_DTYPES)
def test_every_dtype_reads_and_writes(dtype: str) -> None:
    x = strided.zeros(2, 3, dtype=dtype_of(dtype))
    x[1, ::2] = 1
    x[0] = strided.tensor([1, 0, 1])
    assert x.tolist() == [[1, 0, 1], [1, 0, 1]]
    assert x[x != 0].tolist() == [1, 1, 1, 1]
    assert x[[1], [2]].item() == 1
    assert x.clone().dtype is x.dtype


def test_iteration_and_length() -> None:
    x = strided.arange(24).reshape(2, 3, 4).permute(2, 0, 1)
    assert len(x) == 4
    assert [row.tolist() for row in x] == x.tolist()
    for row in x:
        row += 100
    assert x.amin().item() == 100
    first, *rest = strided.arange(3)
    assert (first.item(), len(rest)) == (0, 2)
    assert list(strided.zeros(0, 3)) == []
    assert 5 in strided.arange(6).tolist()
    for broken in (len, iter, list):
        with pytest.raises(TypeError):
            broken(strided.tensor(1))


def test_basic_writes() -> None:
    x, a = _twins("permuted")
    for key, value in [
        (0, 5), ((slice(None), 1), 6.9), ((..., -1), np.arange(4)),
        ((1, slice(None, None, -2)), np.arange(5)), ((2, 3, 4), True),
        ((None, 0), np.ones((1, 1, 1, 4, 5))), ((slice(2, 0),), 9), ((), 3), (..., 4),
        ((slice(None), slice(None), slice(None, None, 2)), np.arange(12).reshape(4, 3) / 2),
        ((0, 0), [1, 2, 3, 4, 5]), (np.int64(1), np.array(8)),
    ]:  # fmt: skip
        x[key] = value
        a[key] = value
        assert_same(x, a, where=repr(key))
    with pytest.raises(strided.ShapeMismatch):
        x[0] = strided.zeros(3, 5)
    with pytest.raises(strided.DTypeMismatch):
        x[0] = strided.ones(5, dtype=strided.complex64)
    with pytest.raises(TypeError):
        del x[0]
    with pytest.raises(OverflowError):
        x[0] = 2**80
    assert_same(x, a)
