"""Where bytes come from, how long they stay, who counts them: the heap, versions, owners."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided
from strided import memory

MIB = 1 << 20
EDGES = (0, 1, 63, 64, 65, 127, 128, 4095, 4096, 4097, 65537, MIB - 1, MIB, MIB + 1, 3 * MIB)


@pytest.fixture
def heap() -> Iterator[memory.HeapFacts]:
    """No blocks wait for reuse, and the limit is as before afterwards."""
    gc.collect()
    memory.release_kept_blocks()
    facts = memory.heap_facts()
    assert facts.kept_bytes == 0
    yield facts
    memory.set_keep_limit(facts.keep_limit)
    memory.set_keep_seconds(facts.keep_seconds)


# ---- fresh bytes ----


@pytest.mark.parametrize("make", [strided.empty, strided.zeros, strided.ones])
def test_every_size_is_aligned_and_its_own(make: Callable[..., Any]) -> None:
    made = [make(n, dtype=strided.uint8) for n in EDGES for _ in range(3)]
    for i, x in enumerate(made):
        assert x.data_ptr() % 64 == 0, x.shape
        x.fill_(i)
    for i, x in enumerate(made):
        assert bool((x == i).all()), x.shape
    assert (made[-1] + 1).data_ptr() % 64 == 0
    assert strided.zeros(3, 5)[1:].clone().data_ptr() % 64 == 0


@pytest.mark.parametrize("nbytes", EDGES)
def test_zeros_are_zero_after_reuse(nbytes: int) -> None:
    for _ in range(3):
        strided.full((nbytes,), 255, dtype=strided.uint8)
    assert not bool(strided.zeros(nbytes, dtype=strided.uint8).any())
    used = strided.zeros((nbytes,), dtype=strided.uint8, memory_format="column_major")
    assert not bool(used.any())


def test_freed_blocks_are_used_again(heap: memory.HeapFacts) -> None:
    x = strided.empty(16 * MIB, dtype=strided.uint8)
    at = x.data_ptr()
    del x
    assert memory.heap_facts().kept_bytes == 16 * MIB
    y = strided.empty(15 * MIB, dtype=strided.uint8)
    assert (y.data_ptr(), memory.heap_facts().kept_bytes) == (at + MIB, MIB)  # the end is taken
    assert (y.bytes_kept_alive, y.storage().nbytes) == (15 * MIB, 15 * MIB)
    del y
    memory.release_kept_blocks()
    assert memory.heap_facts().kept_bytes == 0


def test_blocks_are_cut_and_joined(heap: memory.HeapFacts) -> None:
    x = strided.empty(16 * MIB, dtype=strided.uint8)
    begin = x.data_ptr()
    del x
    parts = [strided.empty(n * MIB, dtype=strided.uint8) for n in (3, 6, 7)]
    assert memory.heap_facts().kept_bytes == 0
    assert min(part.data_ptr() for part in parts) == begin
    for value, part in enumerate(parts):
        part.fill_(value)
    assert [(part[0].item(), part[-1].item()) for part in parts] == [(0, 0), (1, 1), (2, 2)]
    del part
    # Neighbours that wait are one block, whatever the order in which they came back.
    for which in (0, 1, 0):
        del parts[which]
    assert memory.heap_facts().kept_bytes == 16 * MIB
    x = strided.empty(16 * MIB, dtype=strided.uint8)
    assert (x.data_ptr(), memory.heap_facts().kept_bytes) == (begin, 0)


def test_blocks_are_taken_from_one_end(heap: memory.HeapFacts) -> None:
    x = strided.empty(16 * MIB, dtype=strided.uint8)
    begin = x.data_ptr()
    del x
    for _ in range(3):  # what comes and goes leaves the other end whole
        passing = strided.empty(4 * MIB, dtype=strided.uint8)
        assert passing.data_ptr() == begin + 12 * MIB
        del passing
    stays = strided.empty(4 * MIB, dtype=strided.uint8)
    large = strided.empty(12 * MIB, dtype=strided.uint8)
    assert (stays.data_ptr(), large.data_ptr()) == (begin + 12 * MIB, begin)


def test_a_block_that_was_cut_has_zeros_where_they_are_asked_for(heap: memory.HeapFacts) -> None:
    strided.ones(8 * MIB, dtype=strided.uint8)
    for _ in range(3):
        assert not bool(strided.zeros(3 * MIB, dtype=strided.uint8).any())


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux for resident pages")
def test_pages_go_back_to_the_system(heap: memory.HeapFacts) -> None:
    def resident() -> int:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    before = resident()
    x = strided.ones(64 * MIB, dtype=strided.uint8)
    assert resident() - before > 48 * MIB
    del x
    assert resident() - before > 48 * MIB
    memory.release_kept_blocks()
    assert resident() - before < 16 * MIB


def test_keep_limit(heap: memory.HeapFacts) -> None:
    memory.set_keep_limit(32 * MIB)
    assert memory.heap_facts().keep_limit == 32 * MIB
    blocks = [strided.empty(24 * MIB, dtype=strided.uint8) for _ in range(2)]
    blocks.clear()
    assert memory.heap_facts().kept_bytes == 24 * MIB
    memory.set_keep_limit(7 * MIB)  # of a block only what must go goes back
    assert memory.heap_facts().kept_bytes == 6 * MIB
    memory.set_keep_limit(0)
    assert memory.heap_facts().kept_bytes == 0
    strided.empty(4 * MIB, dtype=strided.uint8)
    assert memory.heap_facts().kept_bytes == 0
    with pytest.raises((TypeError, ValueError)):
        memory.set_keep_limit(-1)


def test_kept_blocks_age(heap: memory.HeapFacts) -> None:
    assert heap.keep_seconds == 10
    memory.set_keep_seconds(1)
    strided.empty(24 * MIB, dtype=strided.uint8)
    assert memory.heap_facts().kept_bytes == 24 * MIB
    deadline = time.monotonic() + 30
    while memory.heap_facts().kept_bytes > 2 * MIB and time.monotonic() < deadline:
        strided.empty(2 * MIB, dtype=strided.uint8)  # its own block is used again and stays
        time.sleep(0.05)
    assert memory.heap_facts().kept_bytes == 2 * MIB
    with pytest.raises((TypeError, ValueError)):
        memory.set_keep_seconds(-1)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="asks Linux for resident pages")
@pytest.mark.parametrize("nbytes", [1_050_000, 3_000_000, 16 * MIB + 1])
def test_tensors_take_little_more_than_their_bytes(nbytes: int, heap: memory.HeapFacts) -> None:
    def sizes() -> tuple[int, ...]:
        pages = Path("/proc/self/statm").read_text().split()[:2]
        return tuple(int(number) * os.sysconf("SC_PAGE_SIZE") for number in pages)

    before = sizes()
    count = 1_000_000_000 // nbytes if nbytes < MIB * 2 else 300_000_000 // nbytes
    made = [strided.ones(nbytes, dtype=strided.uint8) for _ in range(count)]
    total = nbytes * len(made)
    for now, then in zip(sizes(), before, strict=True):
        assert now - then < 1.15 * total + 40 * MIB


FACTS = """
import strided
x = strided.ones(8 << 20, dtype=strided.uint8)
del x
facts = strided.memory.heap_facts()
print(facts.keep_limit, facts.keep_seconds, facts.kept_bytes)
"""


def facts_with(**variables: str) -> tuple[int, ...]:
    """Return limit, seconds and bytes kept after 8 MiB were freed, in a new process."""
    environment = {**os.environ, **variables}
    done = subprocess.run(
        [sys.executable, "-c", FACTS], env=environment, capture_output=True, text=True, check=True
    )
    return tuple(int(word) for word in done.stdout.split())


def fake_cgroup(root: Path, groups: str, **files: str) -> str:
    (root / "proc" / "self").mkdir(parents=True)
    (root / "proc" / "self" / "cgroup").write_text(groups)
    for path, text in files.items():
        place = root / "sys" / "fs" / "cgroup" / path.replace("__", "/").replace("DOT", ".")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return str(root)


HOST = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    ("groups", "files", "limit"),
    [
        ("0::/pod/app\n", {"pod__app__memoryDOTmax": f"{256 * MIB}\n"}, 256 * MIB),
        (
            "0::/pod/app\n",
            {"pod__memoryDOTmax": f"{128 * MIB}\n", "pod__app__memoryDOThigh": f"{96 * MIB}\n"},
            96 * MIB,
        ),
        ("4:memory:/docker/ab\n", {"memory__memoryDOTlimit_in_bytes": f"{64 * MIB}\n"}, 64 * MIB),
        ("0::/pod\n", {"pod__memoryDOTmax": "max\n"}, HOST),
        ("0::/pod\n", {"pod__memoryDOTmax": "garbage\n"}, HOST),
        ("4:memory:/\n", {"memory__memoryDOTlimit_in_bytes": "9223372036854771712\n"}, HOST),
        ("", {}, HOST),
    ],
    ids=["v2", "v2-high-nested", "v1", "max", "garbage", "v1-none", "no-groups"],
)
def test_containers_limit_what_is_kept(
    groups: str, files: dict[str, str], limit: int, tmp_path: Path
) -> None:
    """A container with a memory limit: files of a cgroup, written here."""
    root = fake_cgroup(tmp_path, groups, **files)
    kept = 8 * MIB if limit // 8 >= 8 * MIB else 0
    assert facts_with(STRIDED_CGROUP_ROOT=root) == (limit // 8, 10, kept)


def test_keeping_is_turned_off_by_a_variable() -> None:
    assert facts_with(STRIDED_KEEP_BYTES="0") == (0, 10, 0)
    assert facts_with(STRIDED_KEEP_BYTES=str(MIB), STRIDED_KEEP_SECONDS="3") == (MIB, 3, 0)
    usual = facts_with()
    for word in ("", "-1", "many", "1e9"):
        assert facts_with(STRIDED_KEEP_BYTES=word, STRIDED_KEEP_SECONDS=word) == usual


def test_live_and_peak(heap: memory.HeapFacts) -> None:
    def live() -> int:
        return memory.heap_facts().live_bytes - heap.live_bytes

    x = strided.empty(MIB)
    view = x[5:6]
    del x
    assert (live(), view.nbytes, view.bytes_kept_alive) == (4 * MIB, 4, 4 * MIB)
    del view
    assert live() == 0
    tiny, middle = strided.empty(4096, dtype=strided.uint8), strided.empty(4097, dtype=strided.int8)
    assert (live(), tiny.nbytes, middle.nbytes) == (4097, 4096, 4097)
    del tiny, middle
    memory.reset_peak()
    strided.empty(2 * MIB)
    y = strided.zeros(MIB)
    peak = memory.heap_facts().peak_bytes - heap.live_bytes
    assert (peak, live()) == (8 * MIB, 4 * MIB)
    memory.reset_peak()
    y.add_(1).mul_(y)
    y[1:] = y[:-1]
    assert memory.heap_facts().peak_bytes - heap.live_bytes == 4 * MIB  # nothing was set aside


def test_memory_freed_by_another_thread(heap: memory.HeapFacts) -> None:
    box: list[Any] = []
    thread = threading.Thread(target=lambda: box.extend(strided.ones(n) for n in (4, 2000, MIB)))
    thread.start()
    thread.join()
    assert [float(x.sum()) for x in box] == [4, 2000, MIB]
    box.clear()
    assert memory.heap_facts().live_bytes == heap.live_bytes


@pytest.mark.parametrize("make", [strided.empty, strided.zeros, strided.ones])
def test_out_of_memory(make: Callable[..., Any], heap: memory.HeapFacts) -> None:
    with pytest.raises(strided.OutOfMemory) as caught:
        make(1 << 60, dtype=strided.uint8)
    assert caught.value.nbytes == 1 << 60
    assert isinstance(caught.value, MemoryError)
    assert memory.heap_facts().live_bytes == heap.live_bytes


# ---- versions ----

WRITES: dict[str, Callable[[Any], Any]] = {
    "fill_": lambda x: x.fill_(2),
    "zero_": lambda x: x.zero_(),
    "copy_": lambda x: x.copy_(strided.ones(3)),
    "copy_ of itself": lambda x: x.copy_(x),
    "add_": lambda x: x.add_(1),
    "div_ by itself": lambda x: x.div_(x),
    "sqrt_": lambda x: x.sqrt_(),
    "clamp_": lambda x: x.clamp_(0, 1),
    "masked_fill_": lambda x: x.masked_fill_(x > 0, 3),
    "+=": lambda x: x.__iadd__(1),
    "**=": lambda x: x.__ipow__(2),
    "x[0] =": lambda x: x.__setitem__(0, 5),
    "x[:, 1:] =": lambda x: x.__setitem__((slice(None), slice(1, None)), strided.zeros(2)),
    "x[mask] =": lambda x: x.__setitem__(x > 0, 0),
    "x[rows] =": lambda x: x.__setitem__([0, 1], 4),
    "out=": lambda x: strided.add(x, 1, out=x),
    "reduction out=": lambda x: strided.ones(4, 2, 3).sum(0, out=x),
    "through a view": lambda x: x.T[1:].neg_(),
    "through other dtype": lambda x: x.view(strided.int32).fill_(0),
    "through storage": lambda x: x.storage().__setitem__(0, 1.0),
    "into nothing": lambda x: x[:0].fill_(1),
}


@pytest.mark.parametrize("write", WRITES)
def test_writes_count(write: str) -> None:
    x = strided.ones(2, 3)
    view, other = x[0], strided.ones(2, 3)
    first = x._version
    for count in (1, 2):
        WRITES[write](x)
        assert (x._version - first, view._version, other._version) == (count, x._version, first)


READS: dict[str, Callable[[Any], Any]] = {
    "views": lambda x: (
        x.T,
        x[0],
        x.view(3, 2),
        x.expand(2, 2, 3),
        x.flip(),
        x.unbind(),
        x.detach(),
    ),
    "copies": lambda x: (x.clone(), x.T.contiguous(), x.to(strided.int64), x.T.reshape(6), x[[0]]),
    "arithmetic": lambda x: (x + 1, x.exp(), x == x, x @ x.T, strided.where(x > 0, x, x)),
    "reductions": lambda x: (x.sum(), x.argmax(), x.cumsum(0), x.any()),
    "numbers": lambda x: (x.tolist(), x[0, 0].item(), list(x), repr(x), str(x), bytes(x)),
    "exchange": lambda x: (
        x.numpy(),
        memoryview(x),
        x.__dlpack__(),
        pickle.dumps(x),
        np.asarray(x),
    ),
    "own layout": lambda x: x.unsqueeze_(0).squeeze_().t_().t_(),
}


@pytest.mark.parametrize("read", READS)
def test_reads_do_not_count(read: str) -> None:
    x = strided.ones(2, 3)
    first = x._version
    READS[read](x)
    assert x._version == first


@pytest.mark.parametrize(
    ("error", "write"),
    [
        (strided.ShapeMismatch, lambda x: x.copy_(strided.ones(4))),
        (strided.WriteThroughOverlap, lambda x: x[0].expand(2, 3).fill_(1)),
        (strided.DTypeMismatch, lambda x: x.fill_(1j)),
        (strided.IndexOutOfBounds, lambda x: x.__setitem__(5, 1)),
        (strided.IndexOutOfBounds, lambda x: x.__setitem__([0, 5], 1)),
        (strided.DTypeMismatch, lambda x: strided.add(x, 1j, out=x)),
    ],
)
def test_refused_writes_do_not_count(error: type[Exception], write: Callable[[Any], Any]) -> None:
    x = strided.ones(2, 3)
    first = x._version
    with pytest.raises(error):
        write(x)
    assert (x._version, x.tolist()) == (first, [[1, 1, 1], [1, 1, 1]])


# ---- owners ----


INTO: dict[str, Callable[[np.ndarray], Any]] = {
    "from_numpy": strided.from_numpy,
    "asarray": strided.asarray,
    "from_dlpack": strided.from_dlpack,
    "memoryview": lambda a: strided.asarray(memoryview(a)),
}


class Owner(np.ndarray):
    """An array whose end can be watched."""


HOLDERS: dict[str, Callable[[Any], Any]] = {
    "view": lambda x: x[1:],
    "view of a view": lambda x: x[1:].view(2, -1)[0],
    "NumPy": lambda x: x.numpy()[::2],
    "memoryview": memoryview,
    "storage": lambda x: x.storage(),
    "unused capsule": lambda x: x.__dlpack__(),
    "unused versioned capsule": lambda x: x.__dlpack__(max_version=(1, 0)),
    "capsule in NumPy": np.from_dlpack,
    "capsule in a tensor": lambda x: strided._native._from_dlpack(x.__dlpack__()),
    "iterator": iter,
    "subclass": lambda x: type("Sub", (strided.Tensor,), {})(x),
}


@pytest.mark.parametrize("way", INTO)
@pytest.mark.parametrize("holder", HOLDERS)
def test_owner_lives_as_long_as_anyone_looks(way: str, holder: str) -> None:
    owner = Owner(5)
    end = weakref.ref(owner)
    x = INTO[way](owner)
    held = HOLDERS[holder](x)
    del owner, x
    assert end() is not None
    del held
    assert end() is None


def test_bytearrays_are_locked_while_exported() -> None:
    source = bytearray(8)
    alive = [strided.frombuffer(source)]
    alive.append(alive[0][1:])
    while alive:
        with pytest.raises(BufferError):
            source.append(1)
        del alive[0]
    source.append(1)
    with pytest.raises(strided.InvalidArgument):  # nine bytes; a refusal must not lock either
        strided.frombuffer(source)
    source.append(1)
