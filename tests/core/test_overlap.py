"""Overlapping reads and writes behave as if the source had been copied first; sharing is exact."""

from __future__ import annotations

import operator
import random
from typing import Any

import numpy as np
import pytest
from support.compare import assert_same
from support.layouts import Placed, fill, placed
from support.steps import overlaps_itself
from support.view_proposals import strided_inside

import strided

ROOM = 40


def random_layout(rng: random.Random, shape: tuple[int, ...], most: int = 6) -> Placed:
    while True:
        found = strided_inside(rng, ROOM, shape, most)
        if found is not None:
            return Placed(*found)


def random_shape(rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.choice((1, 2, 2, 3, 4)) for _ in range(rng.randint(0, 3)))


def over(at: Placed, tensor: Any, array: np.ndarray) -> tuple[Any, np.ndarray]:
    """Lay one layout over the storages of both sides."""
    item = array.itemsize
    strides = tuple(s * item for s in at.strides)
    view = np.ndarray(at.shape, array.dtype, array, at.offset * item, strides)
    return tensor.as_strided(at.shape, at.strides, at.offset), view


# ---- writes ----

WRITES = {
    "copy_": lambda x, y: x.copy_(y),
    "setitem": lambda x, y: operator.setitem(x, ..., y),
    "add_": lambda x, y: x.add_(y),
    "isub": operator.isub,
    "imul": operator.imul,
    "out": lambda x, y: strided.add(y, 1, out=x),
    "out of three": lambda x, y: strided.where(y > 3, y, x, out=x),
    "bitwise": operator.ixor,
}
EXPECTED = {
    "copy_": lambda a, b: b,
    "setitem": lambda a, b: b,
    "add_": lambda a, b: a + b,
    "isub": lambda a, b: a - b,
    "imul": lambda a, b: a * b,
    "out": lambda a, b: b + 1,
    "out of three": lambda a, b: np.where(b > 3, b, a),
    "bitwise": lambda a, b: a ^ b,
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("dtype", ["int64", "int8"])
def test_random_overlapping_writes(write: str, dtype: str) -> None:
    rng = random.Random(write + dtype)
    done = refused = 0
    for _ in range(1500):
        shape = random_shape(rng)
        flat = np.arange(ROOM).astype(dtype)
        tensor, array = strided.from_numpy(flat.copy()), flat.copy()
        target_at = random_layout(rng, shape)
        source_at = random_layout(rng, shape[rng.randint(0, 1) :])
        x, a = over(target_at, tensor, array)
        y, b = over(source_at, tensor, array)
        where = (write, target_at, source_at)
        if overlaps_itself(a):
            with pytest.raises(strided.WriteThroughOverlap):
                WRITES[write](x, y)
            refused += 1
        else:
            expected = EXPECTED[write](a.copy(), b.copy()).astype(dtype)
            WRITES[write](x, y)
            a[...] = expected
            done += 1
        assert_same(tensor, array, where=where)
    assert done > 200
    assert refused > 200


LONG = {
    "forwards": lambda t: t,
    "backwards": lambda t: t[::-1],
    "rows with gaps": lambda t: t.reshape(5, 400)[:, :390],
    "columns": lambda t: t.reshape(400, 5).T,
}


@pytest.mark.parametrize("dtype", ["uint8", "int16", "float32", "int64", "complex128"])
@pytest.mark.parametrize("travel", LONG)
def test_long_shifts(dtype: str, travel: str) -> None:
    """Runs that are longer than any vector register or block."""
    for by in (1, 7, 64, 300):
        flat = np.arange(2000).astype(dtype)
        tensor, array = strided.from_numpy(flat.copy()), flat.copy()
        x, a = LONG[travel](tensor), LONG[travel](array)
        x[..., by:] = x[..., :-by]
        a[..., by:] = a[..., :-by].copy()
        x[..., :-by] = x[..., by:]
        a[..., :-by] = a[..., by:].copy()
        x[..., by:] += x[..., :-by]
        a[..., by:] += a[..., :-by].copy()
        assert_same(tensor, array, where=by)


def test_named_cases() -> None:
    x = strided.arange(5)
    x[1:] = x[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3]
    x[:-1] = x[1:]
    assert x.tolist() == [0, 1, 2, 3, 3]
    x.copy_(x.flip(0))
    assert x.tolist() == [3, 3, 2, 1, 0]
    m = strided.arange(9).reshape(3, 3)
    m += m.T
    assert m.tolist() == [[0, 4, 8], [4, 8, 12], [8, 12, 16]]
    m.copy_(m[0])
    assert m.tolist() == [[0, 4, 8]] * 3
    m -= m[:, :1].clone()
    m[:, 1:] = m[:, :2]
    assert m.tolist() == [[0, 0, 4]] * 3
    y = strided.arange(6)
    strided.multiply(y[:3], y[3:], out=y[1:4])
    assert y.tolist() == [0, 0, 4, 10, 4, 5]
    y[::2] = y[::-2]
    assert y.tolist() == [5, 0, 10, 10, 0, 5]


def test_reductions_into_their_source() -> None:
    x = strided.arange(9).reshape(3, 3)
    x.sum(0, out=x[0])
    assert x[0].tolist() == [9, 12, 15]


def test_other_dtype_over_the_same_bytes() -> None:
    """A source that is the same memory in another dtype is also read first."""
    x = strided.arange(8)
    low = x.view(strided.int32)[::2]
    x[1:] = low[:-1]
    assert x.tolist() == [0, 0, 1, 2, 3, 4, 5, 6]
    y = strided.arange(8).to(strided.int32)
    y[:4] = y.view(strided.int64)
    expected = np.arange(8, dtype=np.int32)
    expected[:4] = expected.view(np.int64).copy()
    assert y.tolist() == expected.tolist()


# ---- refusals ----


def test_self_overlap_is_refused_and_nothing_changes() -> None:
    base = strided.arange(6)
    views = [
        base.expand(2, 6),
        base.unfold(0, 3, 1),
        base.as_strided((2, 3), (1, 1)),
        base[:1].expand(4),
    ]
    operations = [
        lambda v: v.fill_(0),
        lambda v: v.zero_(),
        lambda v: v.add_(1),
        lambda v: v.copy_(strided.tensor(1)),
        lambda v: operator.setitem(v, ..., 1),
        lambda v: operator.imul(v, 2),
        lambda v: strided.negative(base[0], out=v),
        lambda v: v.clamp_(0, 1),
        lambda v: v.masked_fill_(v > 0, 1),
    ]
    for view in views:
        for operation in operations:
            with pytest.raises(strided.WriteThroughOverlap) as caught:
                operation(view)
            assert (caught.value.shape, caught.value.strides) == (view.shape, view.stride())
            assert isinstance(caught.value, RuntimeError)
    assert base.tolist() == [0, 1, 2, 3, 4, 5]
    # The question is asked of what is written to, not of what it was made from.
    base.expand(2, 6)[0] = 7
    base.unfold(0, 3, 1)[::3] = 8
    base.expand(2, 6)[1, 2] = 9
    assert base.tolist() == [8, 8, 9, 8, 8, 8]
    base.as_strided((0, 5), (0, 0)).fill_(1)
    base.as_strided((1, 1), (0, 0)).fill_(1)
    assert base[0].item() == 1


def test_read_only() -> None:
    fixed = strided.frombuffer(bytes(range(8)), dtype=strided.uint8)
    array = np.arange(4.0)
    array.flags.writeable = False
    for x in (
        fixed,
        fixed[2:],
        fixed.view(2, 4).T,
        fixed.flip(0),
        strided.from_numpy(array),
        strided.asarray(array),
    ):
        assert not x.writable
        for operation in (
            lambda v: v.fill_(1), lambda v: v.add_(1), lambda v: operator.setitem(v, 0, 1),
            lambda v: v.copy_(v), lambda v: strided.positive(v, out=v),
            lambda v: operator.setitem(v, [0], 1),
        ):  # fmt: skip
            with pytest.raises(strided.ReadOnlyTensor) as caught:
                operation(x)
            assert isinstance(caught.value, ValueError)
        copy = x.clone()
        assert copy.writable
        copy.fill_(1)
        assert not np.asarray(x).flags.writeable
    assert fixed.tolist() == list(range(8))


# ---- sharing ----


def test_shares_memory_is_exact() -> None:
    """Random pairs of layouts over one storage, of different dtypes too, against NumPy."""
    rng = random.Random(0)
    storage = np.zeros(ROOM * 8, np.uint8)
    answers = []
    for _ in range(6000):
        pair = []
        for dtype in (rng.choice(("uint8", "int16", "int64", "complex64")) for _ in "ab"):
            item = np.dtype(dtype).itemsize
            found = strided_inside(
                rng, storage.size // item, random_shape(rng), rng.choice((3, 9, 20))
            )
            if found is None:
                break
            shape, strides, offset = found
            byte_strides = tuple(s * item for s in strides)
            pair.append(np.ndarray(shape, dtype, storage, offset * item, byte_strides))
        if len(pair) < 2:
            continue
        a, b = pair
        x, y = strided.from_numpy(a), strided.from_numpy(b)
        expected = np.shares_memory(a, b)
        assert strided.shares_memory(x, y) == strided.shares_memory(y, x) == expected, (
            a.strides,
            b.strides,
        )
        assert strided.may_share_memory(x, y) == np.may_share_memory(a, b)
        answers.append(expected)
    assert 0.05 < np.mean(answers) < 0.95


def test_one_array_wrapped_twice() -> None:
    """Storages that know nothing of each other but lie over the same memory."""
    a = np.arange(10)
    x, y = strided.from_numpy(a), strided.from_numpy(a[::-1])
    assert strided.shares_memory(x, y)
    x.copy_(y)
    assert a.tolist() == list(range(9, -1, -1))
    first, second = strided.from_numpy(a[1:]), strided.from_numpy(a[:-1])
    first += second
    assert a.tolist() == [9, 17, 15, 13, 11, 9, 7, 5, 3, 1]
    even, odd = strided.from_numpy(a[::2]), strided.from_numpy(a[1::2])
    assert not strided.shares_memory(even, odd)
    assert strided.may_share_memory(even, odd)
    buffer = bytearray(range(16))
    p, q = (strided.frombuffer(buffer, dtype=strided.uint8) for _ in "pq")
    p[4:] = q[:-4]
    assert list(buffer) == [0, 1, 2, 3, *range(12)]


def test_nothing_and_one_element_share() -> None:
    x = strided.arange(6)
    assert not strided.shares_memory(x[:0], x)
    assert not strided.may_share_memory(x[3:3], x)
    assert strided.shares_memory(x[2], x)
    assert strided.shares_memory(x[2], x[2:3])
    assert not strided.shares_memory(x[2], x[3:])
    assert not strided.shares_memory(x, strided.arange(6))
    assert strided.shares_memory(x.view(strided.uint8)[47], x[5])
    assert not strided.shares_memory(x.view(strided.uint8)[47], x[4])
    z = strided.tensor([1 + 2j, 3 + 4j])
    assert not strided.shares_memory(z.real, z.imag)
    assert strided.shares_memory(z.real, z)


def test_hard_questions_are_never_answered_wrongly() -> None:
    """An answer is exact or OverlapTooHard; a write that may overlap copies first."""
    rng = random.Random(0)
    storage = strided.empty(130_000_000, dtype=strided.uint8)
    axes, middle = 24, 20_000_500
    # Sums of up to 24 strides that are 1 modulo 1000, subtracted from each other, are never 500
    # modulo 1000, but only a search through the sums can tell.
    strides = [tuple(1000 * rng.randrange(100, 2000) + 1 for _ in range(axes)) for _ in "xy"]
    x = storage.as_strided((2,) * axes, strides[0], 0)
    y = storage.as_strided((2,) * axes, strides[1], middle)
    assert strided.may_share_memory(x, y)
    with pytest.raises(strided.OverlapTooHard) as caught:
        strided.shares_memory(x, y)
    assert caught.value.work_limit > 0
    assert isinstance(caught.value, RuntimeError)
    small = (slice(0, 1),) * (axes - 6)
    assert not strided.shares_memory(x[small], y[small])
    y[small].fill_(3)
    x[small].copy_(y[small])
    assert bool((x[small] == 3).all())


def test_versions_count_writes() -> None:
    x = strided.arange(4)
    view = x[1:]
    before = x._version
    view[0] = 3
    view += 1
    x[[0]] = 1
    x.fill_(2)
    assert x._version == view._version == before + 4
    _ = x + 1, x.sum(), x[1:], x.clone()
    assert x._version == before + 4


def test_gaps_stay_untouched() -> None:
    at = Placed((4, 3), (9, -2), 5)
    x, a = placed(at, fill(range(50), 50, "int64"))
    x += x.flip(0)
    a += a[::-1].copy()
    assert x.storage().tensor().tolist() == a.base.tolist()
