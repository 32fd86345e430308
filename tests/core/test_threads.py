"""Many Python threads at once, kernels that let others run, and children of a fork."""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import strided

THREADS = 8


@pytest.fixture
def restless() -> Iterator[None]:
    """The interpreter changes threads as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(work: Callable[[int], None]) -> None:
    """Run work(0) .. work(THREADS - 1) at the same time and raise what any of them raised."""
    barrier, failures = threading.Barrier(THREADS), []

    def run(number: int) -> None:
        try:
            barrier.wait(60)
            work(number)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    if failures:
        raise failures[0]


# ---- right answers ----


def test_private_tensors(restless: None) -> None:
    def work(number: int) -> None:
        rng = np.random.default_rng(number)
        for _ in range(60):
            a = rng.integers(-9, 9, (int(rng.integers(1, 30)), 7))
            x = strided.tensor(a)
            assert (x.T[::-1][:, ::2] + 1).tolist() == (a.T[::-1][:, ::2] + 1).tolist()
            assert x.reshape(7, -1).sum(0).tolist() == a.reshape(7, -1).sum(0).tolist()
            assert x[x > 0].tolist() == a[a > 0].tolist()
            x[1:] = x[:-1].clone()
            a[1:] = a[:-1].copy()
            x *= 2
            assert x.tolist() == (2 * a).tolist()
            with pytest.raises(strided.IndexOutOfBounds):
                x[99]
            assert len(repr(x)) > 10

    together(work)


def test_shared_reads_and_rows_of_ones_own(restless: None) -> None:
    source = strided.arange(1000, dtype=strided.float64).reshape(10, 100)
    expected = source.numpy().copy()
    target = strided.zeros(THREADS, 5000, dtype=strided.int64)

    def work(number: int) -> None:
        row = target[number]
        for step in range(100):
            row += number
            target[number, ::2] -= number
            view = source.T[number :: step + 1]
            assert view.tolist() == expected.T[number :: step + 1].tolist()
            assert float((source @ source.T)[0, 0]) == float(expected[0] @ expected[0])

    together(work)
    rows = np.tile(np.arange(5000) % 2, (THREADS, 1)) * 100 * np.arange(THREADS)[:, None]
    assert np.array_equal(target.numpy(), rows)
    assert np.array_equal(source.numpy(), expected)


def test_one_tensor_written_by_all(restless: None) -> None:
    """What is in it is nobody's promise; that it holds only what was written is."""
    shared = strided.zeros(100_000, dtype=strided.int32)
    versions = shared._version

    def work(number: int) -> None:
        for step in range(40):
            shared.fill_(number)
            shared[step::7] = number
            shared.copy_(shared.flip() if step % 2 else shared)
            assert int(shared.min()) >= 0
            assert int(shared.max()) < THREADS

    together(work)
    assert shared._version - versions == THREADS * 40 * 3


def test_layout_changes_under_readers(restless: None) -> None:
    shared = strided.arange(6).reshape(2, 3).view()

    def work(number: int) -> None:
        for _ in range(300):
            if number % 2:
                shared.t_()
            assert shared.view().shape in ((2, 3), (3, 2))
            assert len(shared.tolist()) in (2, 3)
            assert sorted(shared.reshape(-1).tolist()) == list(range(6))
            assert int(shared.sum()) == 15

    together(work)


def test_made_here_freed_there(restless: None) -> None:
    live = strided.memory.heap_facts().live_bytes
    handed: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def work(number: int) -> None:
        for step in range(400):
            size = (1, 50, 1500, 300_000)[step % 4 if step % 40 < 4 else step % 3]
            x = strided.full((size,), number, dtype=strided.int64)
            handed.put((number, x.view(), x[-1:], x.numpy()[:1]))
            owner, view, last, array = handed.get()
            assert (view[0].item(), last.item(), int(array[0])) == (owner, owner, owner)

    together(work)
    assert handed.empty()
    assert strided.memory.heap_facts().live_bytes == live


def test_thread_locals_outlive_their_thread() -> None:
    local = threading.local()

    def work(number: int) -> None:
        local.kept = [strided.ones(n) for n in (1, 100, 5000, 300_000)]

    together(work)
    assert not hasattr(local, "kept")


# ---- large kernels let other threads run ----

N = 1 << 22
LARGE: dict[str, Callable[[Any], Any]] = {
    "add": lambda x: x + x,
    "exp": lambda x: x.exp(),
    "compare": lambda x: x == 1,
    "where": lambda x: strided.where(x > 0, x, 0),
    "in place": lambda x: x.add_(1),
    "out=": lambda x: strided.sqrt(x, out=x),
    "fill_": lambda x: x.fill_(1),
    "copy_": lambda x: x.copy_(x.flip()),
    "assign a number": lambda x: x.__setitem__(slice(1, None), 1),
    "assign": lambda x: x.__setitem__(slice(1, None), x[:-1]),
    "clone": lambda x: x.clone(),
    "contiguous": lambda x: x.view(2048, 2048).T.contiguous(),
    "to": lambda x: x.to(strided.float64),
    "reshape": lambda x: x.view(2048, 2048).T.reshape(-1),
    "sum": lambda x: x.sum(),
    "max": lambda x: x.amax(),
    "mean": lambda x: x.mean(),
    "var": lambda x: x.var(),
    "argmax": lambda x: x.argmax(),
    "cumsum": lambda x: x.cumsum(0),
    "gather": lambda x: x[INDEX],
    "scatter": lambda x: x.__setitem__(INDEX, x),
    "mask": lambda x: x[MASK],
    "nonzero": lambda x: strided.nonzero(x),
    "concat": lambda x: strided.concat([x, x]),
    "matmul": lambda x: x.view(2048, 2048)[:256] @ x.view(2048, 2048),
}
INDEX = strided.arange(N - 1, -1, -1)
MASK = strided.ones(N, dtype=strided.bool)


def another_thread_ran_during(call: Callable[[], Any], times: int = 200) -> bool:
    """Return whether a waiting thread got the interpreter while ``call`` was at work.

    With a switch interval of hours no thread is ever made to let go of the interpreter: the other
    one can only run when this one gives it up by itself, and here only ``call`` can. It is called
    until that happens: on a busy machine the other thread may be slow to wake.
    """
    gate, ran = threading.Lock(), []
    gate.acquire()

    def wait() -> None:
        gate.acquire()
        ran.append(True)

    thread = threading.Thread(target=wait)
    before = sys.getswitchinterval()
    thread.start()
    try:
        sys.setswitchinterval(10_000)
        gate.release()
        while not ran and times > 0:
            call()
            times -= 1
        seen = bool(ran)
    finally:
        sys.setswitchinterval(before)
    thread.join()
    return seen


@pytest.mark.parametrize("name", LARGE)
def test_large_kernels_let_others_run(name: str) -> None:
    x = strided.ones(N)
    assert another_thread_ran_during(lambda: LARGE[name](x))


def test_the_question_can_be_answered_no() -> None:
    x = strided.ones(N)
    assert not another_thread_ran_during(lambda: [x.view() for _ in range(1000)])
    assert not another_thread_ran_during(lambda: x[:100] + 1, 10_000)


# ---- fork ----

FORKS = """
import os, signal, sys, threading
import numpy as np
import strided

def compute():
    x = strided.arange(1 << 20, dtype=strided.float32)
    assert float((x * 2 + 1).sum()) == float((np.arange(1 << 20) * 2.0 + 1).sum())
    assert strided.ones(2048, 512).T.contiguous().sum().item() == 1 << 20
    assert strided.zeros(3, 4)[1:].T.tolist() == [[0, 0]] * 4
    assert x[x > 1e6].shape == ((1 << 20) - 1_000_001,)

stop = threading.Event()
def busy():
    while not stop.is_set():
        compute()

compute()
threads = [threading.Thread(target=busy) for _ in range(int(sys.argv[1]))]
for thread in threads:
    thread.start()
for number in range(12):
    child = os.fork()
    if child == 0:
        signal.alarm(30)  # a deadlock ends the child
        code = 1
        try:
            compute()
            strided.memory.release_kept_blocks()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0, "the child could not compute"
    compute()
stop.set()
for thread in threads:
    thread.join()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("busy_threads", [0, 3])
def test_children_compute(busy_threads: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FORKS, str(busy_threads)],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
