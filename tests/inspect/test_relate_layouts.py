"""strided.relate against brute force: every byte of both sides, listed."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from support.view_proposals import strided_inside

import strided
from strided.inspect import relation
from strided.inspect.relation import IndexSet


def bytes_of(x: np.ndarray) -> dict[tuple[int, ...], set[int]]:
    """Return the addresses of the bytes of every element."""
    start, item = x.ctypes.data, x.itemsize
    found = {}
    for index in np.ndindex(*x.shape):
        at = start + sum(i * s for i, s in zip(index, x.strides, strict=True))
        found[index] = set(range(at, at + item))
    return found


def expected(a: np.ndarray, b: np.ndarray) -> tuple[int, list[Any], list[Any]]:
    mine, theirs = bytes_of(a), bytes_of(b)
    common = set().union(*mine.values()) & set().union(*theirs.values())
    holders = [[i for i, at in side.items() if at & common] for side in (mine, theirs)]
    return len(common), holders[0], holders[1]


def check(a: np.ndarray, b: np.ndarray, x: Any = None, y: Any = None) -> strided.Relation:
    found = strided.relate(a if x is None else x, b if y is None else y)
    shared, in_a, in_b = expected(a, b)
    assert found.shared_bytes == shared
    assert found.overlaps == (shared > 0)
    assert found.in_a is not None
    assert found.in_b is not None
    assert found.in_a.indices() == in_a
    assert found.in_b.indices() == in_b
    return found


@pytest.mark.parametrize("dtypes", [("int32", "int32"), ("int64", "int16"), ("uint8", "float64")])
def test_random_pairs_over_one_buffer(dtypes: tuple[str, str]) -> None:
    rng = random.Random(str(dtypes))
    kinds = set()
    for _ in range(250):
        raw = np.zeros(320, dtype=np.uint8)
        views = []
        for dtype in dtypes:
            room = 320 // np.dtype(dtype).itemsize
            shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(0, 3)))
            placed = None
            while placed is None:
                placed = strided_inside(rng, room, shape, 9)
            item = np.dtype(dtype).itemsize
            steps = tuple(s * item for s in placed[1])
            views.append(np.ndarray(placed[0], dtype, raw, placed[2] * item, steps))
        kinds.add(check(*views).kind)
    assert {"overlapping", "disjoint"} <= kinds


def test_views_at_odd_bytes() -> None:
    packets = np.zeros(5, dtype=[("flag", "u1"), ("value", "f8"), ("code", "i2")])
    found = check(packets["value"], packets["code"])
    assert found.kind == "disjoint"
    assert found.same_storage
    raw = packets.view("u1")
    assert check(raw[3:20], packets["value"]).kind == "overlapping"


def test_kinds() -> None:
    x = strided.arange(12).reshape(3, 4)
    assert strided.relate(x, x).kind == "same elements"
    assert strided.relate(x, x.T.T).kind == "same elements"
    assert strided.relate(x, x.T).kind == "overlapping"
    assert strided.relate(x, x.view(strided.float64)).kind == "overlapping"
    assert strided.relate(x[:, ::2], x[:, 1::2]).kind == "disjoint"
    assert strided.relate(x, x.clone()).kind == "different storage"
    assert strided.relate(x[:0], x).kind == "disjoint"
    assert not strided.relate(x[:0], x).overlaps


def test_across_libraries() -> None:
    a = np.arange(24.0).reshape(4, 6)
    x = strided.from_numpy(a[1:])
    found = check(a, a[1:, ::-2], y=x.flip(1)[:, ::2])
    assert found.same_storage
    assert found.kind == "overlapping"
    # Two loans of different parts of one array are one storage, though their ranges are disjoint.
    two = strided.relate(strided.from_numpy(a[:1]), strided.from_numpy(a[3:]))
    assert (two.same_storage, two.kind) == (True, "disjoint")
    assert strided.relate(x.numpy(), x).kind == "same elements"


def test_layouts_lie_over_one_storage() -> None:
    found = strided.relate(strided.Layout((3,), (2,)), strided.Layout((2, 2), (4, 1)))
    assert (found.shared_bytes, str(found.in_a), str(found.in_b)) == (2, "[::2]", "[:, 0]")


# ---- large ones ----


def test_large_views_are_cut_down_before_listing() -> None:
    x = strided.empty(4000, 4000, dtype=strided.uint8)
    found = strided.relate(x, x[1000:1002, 5:8])
    assert (found.shared_bytes, str(found.in_a), str(found.in_b)) == (
        6,
        "[1000:1002, 5:8]",
        "[:, :]",
    )


def test_too_many_to_list() -> None:
    x = strided.empty(4000, 4000)
    found = strided.relate(x, x.T)
    assert (found.overlaps, found.in_a, found.in_b) == (True, None, None)
    assert found.shared_bytes == 64_000_000
    assert strided.relate(x[:, ::2], x.T).shared_bytes == 32_000_000
    gaps = strided.relate(x[:, ::2], x[::2, :3000])
    assert (gaps.overlaps, gaps.shared_bytes, gaps.work_limit) == (True, None, 4_000_000)
    assert "not listed" in str(gaps)
    assert strided.relate(x[:, ::2], x[:, 1::2]).kind == "disjoint"


def test_too_hard_to_decide_is_said_or_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    x = strided.arange(12)
    monkeypatch.setattr(relation, "_overlap", lambda a, b: None)
    assert strided.relate(x[:8], x[6:]).overlaps is True
    assert strided.relate(x[:6], x[6:]).overlaps is False
    monkeypatch.setattr(relation, "WORK_LIMIT", 2)
    hard = strided.relate(x[::2], x[::3])
    assert (hard.overlaps, hard.kind) == (None, "too hard to decide")


# ---- the elements in words ----


@pytest.mark.parametrize(
    ("shape", "rows", "text"),
    [
        ((), [()], "[...]"),
        ((4,), [], "[none]"),
        ((4,), [(2,)], "[2]"),
        ((4,), [(0,), (1,), (2,), (3,)], "[:]"),
        ((5,), [(0,), (2,), (4,)], "[::2]"),
        ((6,), [(1,), (3,)], "[1:4:2]"),
        ((6,), [(1,), (3,), (5,)], "[1::2]"),
        ((1,), [(0,)], "[:]"),
        ((4,), [(0,), (1,), (3,)], "[(0,), (1,), (3,)]"),
        ((3, 4), [(0, 1), (0, 2), (1, 1), (1, 2)], "[:2, 1:3]"),
        ((3, 4), [(0, 1), (1, 2)], "[(0, 1), (1, 2)]"),
        ((40,), [(n * n,) for n in range(6)] + [(30,), (33,), (39,)], None),
    ],
)
def test_index_sets(shape: tuple[int, ...], rows: list[tuple[int, ...]], text: str | None) -> None:
    found = IndexSet(shape, np.array(rows, dtype=np.int64).reshape(len(rows), len(shape)))
    assert found.indices() == rows
    assert found.count == len(found) == len(rows)
    assert found.text == text or (text is None and found.text.endswith(", ...]"))
    if found.box is not None:
        picked = np.zeros(shape, dtype=bool)
        picked[found.box] = True
        assert [tuple(row) for row in np.argwhere(picked).tolist()] == rows


def test_as_data_and_text() -> None:
    x = strided.arange(12).reshape(3, 4)
    found = strided.relate(x, x.diagonal())
    assert found.to_dict()["in_a"]["indices"] == [[0, 0], [1, 1], [2, 2]]
    assert str(found).splitlines()[-2:] == [
        "  a[(0, 0), (1, 1), (2, 2)]  3 of 12 elements",
        "  b[:]  3 of 3 elements",
    ]
    assert repr(found) == str(found)
