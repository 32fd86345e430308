"""Ctrl-C in the middle of long sorts, searches and transfers: handlers run soon, and often."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.sanitizers import SLOWDOWN

import strided

N = 12_000_000 // SLOWDOWN
RANDOM = np.random.default_rng(2)


def numbers(below: int, count: int = N) -> strided.Tensor:
    return strided.tensor(RANDOM.integers(0, below, count))


CASES: dict[str, tuple[Callable[[], tuple[Any, ...]], Callable[..., Any]]] = {
    "sort": (lambda: (numbers(1 << 60),), lambda x: x.sort()),
    "sort by counting": (lambda: (numbers(1 << 15, 4 * N).to(strided.int16),), lambda x: x.sort()),
    "sort of two bytes": (lambda: (numbers(50_000),), lambda x: x.sort()),
    "argsort": (lambda: (numbers(1 << 60),), lambda x: x.argsort()),
    "topk": (lambda: (numbers(1 << 60),), lambda x: x.topk(N // 10)),
    "kthvalue": (lambda: (numbers(3, 4 * N),), lambda x: x.kthvalue(5)),
    "unique rows": (lambda: (numbers(1000).reshape(-1, 4),), lambda x: x.unique(dim=0)),
    "places": (lambda: (numbers(9), numbers(N)), lambda x, i: x[i]),
    "sums at places": (
        lambda: (strided.zeros(N, dtype=strided.int64), numbers(N), numbers(9)),
        lambda x, i, y: x.scatter_add_(0, i, y),
    ),
    "bincount": (lambda: (numbers(N),), strided.bincount),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("threads", [1, 2], indirect=True)
@pytest.mark.usefixtures("threads")
def test_a_handler_runs_in_between(name: str) -> None:
    make, run = CASES[name]
    operands = make()
    times: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: times.append(time.monotonic()))
    try:
        run(*operands)  # pages of results are there
        times.clear()
        times.append(time.monotonic())
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
        while times[-1] - times[0] < 0.6:
            run(*operands)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    # It is asked every 50 to 100 ms; a busy machine may be slow.
    gaps = np.diff(times)
    assert np.median(gaps) < 0.3
    assert len(gaps) >= 0.3 * (times[-1] - times[0]) / 0.15


def test_an_interrupted_sort_leaves_its_operand_alone() -> None:
    x = numbers(1 << 60)
    kept = x.clone()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def sort_forever() -> None:
        while True:
            x.sort()

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.15)
        with pytest.raises(KeyboardInterrupt):
            sort_forever()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert bool((x == kept).all())
    assert bool((x.sort().values.diff() >= 0).all())
