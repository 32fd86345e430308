"""Pickles and deep copies: what is written, what is shared again, and that nothing else is."""

from __future__ import annotations

import copy
import io
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shared_views import SHARED, grid

import strided
from strided import Layout
from strided.interop.shared_memory import own_elements

PROTOCOLS = range(2, pickle.HIGHEST_PROTOCOL + 1)


def again(value: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> Any:
    return pickle.loads(pickle.dumps(value, protocol))


WAYS: dict[str, Callable[[Any], Any]] = {
    **{f"protocol {n}": lambda value, n=n: again(value, n) for n in PROTOCOLS},
    "deepcopy": copy.deepcopy,
    "Python's pickler": lambda value: pickle.loads(pickle._dumps(value)),  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", SHARED)
def test_memory_is_shared_as_before(case: str, way: str) -> None:
    x = grid()
    before = SHARED[case](x)
    after = WAYS[way](before)
    assert not any(strided.shares_memory(new, x) for new in after)
    for old, new in zip(before, after, strict=True):
        assert (new.shape, new.dtype, new.tolist()) == (old.shape, old.dtype, old.tolist())
        assert new.writable
    pairs = [(i, j) for i in range(len(before)) for j in range(len(before))]
    for i, j in pairs:
        wanted = strided.shares_memory(before[i], before[j])
        assert strided.shares_memory(after[i], after[j]) == wanted, (i, j)
    # Every element of every view is written, and the others must see it as the first ones did.
    for old, new in zip(before, after, strict=True):
        for index in np.ndindex(*old.shape):
            old[index] = new[index] = 100 - old[index].item()
            assert [one.tolist() for one in after] == [one.tolist() for one in before]


def test_a_view_takes_only_its_own_elements_along() -> None:
    x = strided.zeros(1000, 100)
    for view in (x[3], x[:, 3], x[::100, ::10], x[5].expand(1000, 100), x[2].flip(0)):
        reached = own_elements(strided._native.layout_of(view)).core.size
        assert len(pickle.dumps(view)) < 4 * reached + 500
        assert again(view).bytes_kept_alive == 4 * reached
        assert copy.deepcopy(view).bytes_kept_alive == 4 * reached
    # Rows that touch nobody stay apart: nothing is kept for what lay between them.
    first, last = again([x[0], x[999]])
    assert first.bytes_kept_alive == last.bytes_kept_alive == 400
    assert len(pickle.dumps([x, x.T, x.flip(0), x.mT])) < x.nbytes + 1500


def test_a_layout_comes_back_in_its_memory_order() -> None:
    x = strided.arange(24).reshape(2, 3, 4)
    assert again(x.permute(2, 0, 1)).stride() == x.permute(2, 0, 1).stride()
    assert again(x.flip(1)).stride() == x.flip(1).stride()
    assert again(x[:, :, 1:3]).stride() == (6, 2, 1)
    assert again(x[0].expand(5, 3, 4)).stride() == (0, 4, 1)


@pytest.mark.parametrize("view", [lambda x: x, lambda x: x.T, lambda x: x[1:3]])
def test_buffers_out_of_band_are_the_elements_themselves(view: Any) -> None:
    x = view(grid())
    buffers: list[pickle.PickleBuffer] = []
    with strided.no_copies(implicit_only=False):
        data = pickle.dumps(x, protocol=5, buffer_callback=buffers.append)
        back = pickle.loads(data, buffers=buffers)
    assert len(data) < 400
    assert (back.data_ptr(), back.stride()) == (x.data_ptr(), x.stride())
    back[0, 0] = 77
    assert x[0, 0].item() == 77


def test_buffers_that_may_not_be_written() -> None:
    buffers: list[pickle.PickleBuffer] = []
    parts = [strided.arange(3), strided.arange(4.0)[1:]]
    data = pickle.dumps(parts, 5, buffer_callback=buffers.append)
    frozen = [buffer.raw().tobytes() for buffer in buffers]
    for x in pickle.loads(data, buffers=frozen):
        assert not x.writable
    shifted = [memoryview(b"x" + one)[1:] for one in frozen]  # between multiples of the item size
    assert pickle.loads(data, buffers=shifted)[0].tolist() == [0, 1, 2]
    read_only = strided.frombuffer(bytes(range(8)), dtype="int16")
    for protocol in PROTOCOLS:
        whole, part = again([read_only, read_only[1:3]], protocol)
        assert (whole.writable, part.writable) == (False, False)
        assert strided.shares_memory(whole, part)


def test_pickles_within_pickles_and_threads_do_not_mix() -> None:
    x = grid()

    class Nested:
        def __reduce__(self) -> Any:
            return _unpacked, (pickle.dumps(x[1]), x[1])

    inner, outer, row = again([Nested(), x, x[2]])[0], None, None
    assert inner[0].tolist() == inner[1].tolist() == x[1].tolist()
    assert not strided.shares_memory(inner[0], inner[1])
    outer, row = again([x, x[2]])
    assert strided.shares_memory(outer, row)

    wrong: list[Any] = []

    def work() -> None:
        for _ in range(50):
            whole, part = again([x, x[1:]])
            if whole.tolist() != x.tolist() or not strided.shares_memory(whole, part):
                wrong.append((whole, part))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def _unpacked(data: bytes, beside: Any) -> Any:
    return pickle.loads(data), beside


def test_one_pickler_many_dumps() -> None:
    x, file = grid(), io.BytesIO()
    pickler = pickle.Pickler(file, 5)
    pickler.dump(x)
    pickler.dump(x[1])
    loader = pickle.Unpickler(io.BytesIO(file.getvalue()))
    whole, row = loader.load(), loader.load()
    assert strided.shares_memory(whole, row)


def test_what_is_freed_is_not_confused() -> None:
    """Storages that come and go at one address while a pickle is written stay apart."""

    class Fresh:
        def __init__(self, value: int) -> None:
            self.value = value

        def __reduce__(self) -> Any:
            return list, ([strided.full((5,), self.value)],)

    for i, (x,) in enumerate(again([Fresh(i) for i in range(20)])):
        assert x.tolist() == [i] * 5


def test_thousands_of_rows() -> None:
    x = strided.arange(12000).reshape(6000, 2)
    rows = again(list(x))
    assert rows[4321].tolist() == [8642, 8643]
    windows = again([x.view(-1)[i : i + 8] for i in range(0, 4000, 4)])
    windows[1][0] = -1
    assert windows[0][4].item() == -1
    assert windows[500].tolist() == list(range(2000, 2008))


def test_subclasses_share_too() -> None:
    x = Kept(grid())
    x.note = ["n"]
    for way in WAYS.values():
        whole, row = way([x, x[1]])
        assert (type(whole), whole.note) == (Kept, ["n"])
        row[0] = -5
        assert whole[1, 0].item() == -5
        row, whole = way([Kept(x[1]), x])
        row[0] = -5
        assert (type(row), whole[1, 0].item()) == (Kept, -5)


class Kept(strided.Tensor):
    note: list[str]


def test_another_process() -> None:
    x = strided.arange(6.0).reshape(2, 3)
    code = "import pickle, sys; print([x.sum().item() for x in pickle.load(sys.stdin.buffer)])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=pickle.dumps([x.T, x[1]]),
        capture_output=True,
        timeout=60,
    )
    assert done.stdout.decode().strip() == "[15.0, 12.0]", done.stderr


# ---- own elements, against the plain way of counting them ----

AXES = st.lists(st.tuples(st.integers(0, 4), st.integers(-4, 4)), max_size=4)


@given(AXES)
def test_own_elements_are_found_again(axes: list[tuple[int, int]]) -> None:
    shape, strides = [n for n, _ in axes], [s for _, s in axes]
    low = sum((n - 1) * s for n, s in axes if s < 0 and n)
    storage = strided.arange(100)
    x = storage.as_strided(shape, strides, max(-low, 0))
    own = own_elements(strided._native.layout_of(x))
    elements = own.taken_from(storage).reshape(-1)
    assert own.found_in(elements.clone(), x.shape).tolist() == x.tolist()
    assert len(set(elements.tolist())) == elements.size
    assert set(np.asarray(x).ravel().tolist()) <= set(elements.tolist())
    if x.size and own.core.rank != 1:
        assert len(set(np.asarray(x).ravel().tolist())) == elements.size


def test_own_elements_of_an_empty_layout() -> None:
    assert own_elements(Layout((3, 0, 2))).core.size == 0
