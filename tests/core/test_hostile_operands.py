"""No operation dies of operands with 64 axes or with huge empty ones: results or typed errors."""

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
import faulthandler, os, resource, runpy, sys
faulthandler.enable()
if "san.so" not in os.environ.get("LD_PRELOAD", ""):  # sanitizers map more than there is memory
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, resource.RLIM_INFINITY))
sys.path.insert(0, {str(TESTS)!r})
runpy.run_module("support.hostile_calls", run_name="__main__")
"""


@pytest.mark.parametrize("share", range(SHARES))
def test_every_definition(share: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(share), str(SHARES), str(ROUNDS)],
        capture_output=True,
        text=True,
        timeout=100 * ROUNDS,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    *broken, calls = done.stdout.splitlines()
    assert int(calls.removeprefix("calls:")) >= 40 * ROUNDS
    assert not broken, broken
