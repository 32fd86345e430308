"""How long an operation takes to notice a signal."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable

import pytest
from support.sanitizers import SLOWDOWN

# Seconds per thread that an operation may go on: 0.2 are promised, a busy machine may be slow.
PATIENCE = 0.3 * SLOWDOWN


class Stop(Exception):
    """What the handler raises."""


def _again_and_again(run: Callable[[], object]) -> None:
    while True:
        run()


def seconds_to_stop(run: Callable[[], object]) -> float:
    """From the moment a signal is due to the end of the operation that it interrupts.

    In processor time of all threads, so that other work on the machine does not count.
    """

    def handler(number: int, frame: object) -> None:
        raise Stop

    before = signal.signal(signal.SIGPROF, handler)
    due = time.process_time() + 0.2
    signal.setitimer(signal.ITIMER_PROF, 0.2)
    try:
        with pytest.raises(Stop):
            _again_and_again(run)
        return time.process_time() - due
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
