"""The pool behind the kernels: counts, many callers, fork, and answers that do not depend on it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import strided


@pytest.fixture(autouse=True)
def count_is_restored() -> Iterator[None]:
    before = strided.get_num_threads()
    yield
    strided.set_num_threads(before)


WORK: dict[str, Callable[[Any], Any]] = {
    "copy": lambda x: x.T.contiguous(),
    "add": lambda x: x + x.T,
    "convert": lambda x: x.T.to(strided.float64),
    "exp": lambda x: x.exp(),
    "fused": strided.fuse(lambda x: (x - x.mean(-1, keepdim=True)) * 2 + x.T),
    "fill": lambda x: strided.full_like(x, 3.5),
}


@pytest.mark.parametrize("name", WORK)
def test_any_count_gives_the_same_bits(name: str) -> None:
    x = strided.randn(1024, 1024)
    strided.set_num_threads(1)
    alone = WORK[name](x).numpy()
    for count in (2, 3, 8):
        strided.set_num_threads(count)
        assert strided.get_num_threads() == count
        np.testing.assert_array_equal(WORK[name](x).numpy(), alone)


@pytest.mark.parametrize("count", [0, -1, 1025])
def test_counts_that_make_no_sense(count: int) -> None:
    with pytest.raises(strided.InvalidArgument):
        strided.set_num_threads(count)
    with pytest.raises(TypeError):
        strided.set_num_threads(1.5)  # type: ignore[arg-type]


def _python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(("wish", "count"), [("3", 3), ("1", 1), ("0", None), ("many", None)])
def test_the_environment_is_asked(wish: str, count: int | None) -> None:
    answer = int(
        _python("import strided; print(strided.get_num_threads())", STRIDED_NUM_THREADS=wish)
    )
    assert answer == (len(os.sched_getaffinity(0)) if count is None else count)


def test_small_work_stays_with_the_caller() -> None:
    code = """
import strided, threading, os
strided.set_num_threads(4)
x = strided.ones(1000)
for _ in range(100): x = x + 1
print(len(os.listdir("/proc/self/task")))
y = strided.ones(1 << 22) + 1
print(len(os.listdir("/proc/self/task")))
"""
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("counts threads in /proc")
    before, after = map(int, _python(code, OPENBLAS_NUM_THREADS="1").split())
    assert before == 1
    assert after == 4


def test_many_callers_at_once() -> None:
    """One of them gets the pool, the others do their work themselves; all get the right answer."""
    strided.set_num_threads(3)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            a = np.random.default_rng(seed).random((600, 700), dtype=np.float32)
            x = strided.from_numpy(a.copy())
            for _ in range(20):
                np.testing.assert_array_equal((x.T + 1).contiguous().numpy(), a.T + 1)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    assert not failures, failures[0]


def test_the_count_changes_while_kernels_run() -> None:
    stop = threading.Event()
    x = strided.randn(800, 900)
    expected = x.T.contiguous().numpy()
    wrong: list[int] = []

    def work() -> None:
        while not stop.is_set():
            if not np.array_equal(x.T.contiguous().numpy(), expected):
                wrong.append(1)

    thread = threading.Thread(target=work)
    thread.start()
    for count in [1, 4, 2, 3] * 10:
        strided.set_num_threads(count)
    stop.set()
    thread.join(60)
    assert not thread.is_alive()
    assert not wrong


FORK = """
import os, threading, strided
strided.set_num_threads(3)
x = strided.randn(700, 900)
expected = x.T.contiguous().tolist()
busy = {busy}
stop = False
def keep_busy():
    while not stop: x.T.contiguous()
if busy:
    other = threading.Thread(target=keep_busy, daemon=True); other.start()
children = []
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        right = x.T.contiguous().tolist() == expected and strided.get_num_threads() == 3
        os._exit(0 if right else 1)
    children.append(pid)
codes = [os.waitpid(pid, 0)[1] for pid in children]
stop = True
assert codes == [0] * 5, codes
assert x.T.contiguous().tolist() == expected
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.parametrize("busy", [False, True])
def test_children_make_their_own_pool(busy: bool) -> None:
    _python(FORK.format(busy=busy))
