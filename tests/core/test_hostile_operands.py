"""No operation dies or hangs of operands that are beyond all sizes: results or typed errors."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from support.paths import TESTS

SHARES = 8
# Of every definition: some thousand calls in all. More find more: HOSTILE_ROUNDS=100.
ROUNDS = int(os.environ.get("HOSTILE_ROUNDS", "4"))

PROGRAM = f"""
import faulthandler, resource, runpy, sys
faulthandler.enable()
sys.path.insert(0, {str(TESTS)!r})
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # terabytes there
resource.setrlimit(resource.RLIMIT_AS, (used + (4 << 30), resource.RLIM_INFINITY))
runpy.run_module("support.hostile_calls", run_name="__main__")
"""


def report(mode: str, share: int, rounds: int, threads: int) -> tuple[list[str], int]:
    """Return the calls that broke a promise, and how many there were."""
    numbers = map(str, (share, SHARES, rounds, threads))
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, mode, *numbers],
        capture_output=True,
        text=True,
        timeout=200 * rounds,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    *broken, calls = done.stdout.splitlines()
    return broken, int(calls.removeprefix("calls:"))


@pytest.mark.parametrize("share", range(SHARES))
def test_of_many_axes_or_no_elements(share: int) -> None:
    broken, calls = report("empty", share, ROUNDS, threads=2)
    assert calls >= 40 * ROUNDS
    assert not broken, broken


@pytest.mark.parametrize("share", range(SHARES))
def test_of_more_elements_than_can_be_counted(share: int) -> None:
    """Sizes in bytes do not wrap around, and everything that goes on for ever is interrupted."""
    broken, calls = report("endless", share, 2, threads=1 + share % 2)
    assert calls >= 80
    assert not broken, broken
