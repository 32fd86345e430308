"""Results do not depend on the machine: kernels run with caches that nobody would build."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from support.paths import ROOT, TESTS

# name: STRIDED_MACHINE, STRIDED_NUM_THREADS
MACHINES = {
    "this one": ("", "2"),
    "tiny first cache": ("l1=1024,l2=4096,l3=65536", "1"),
    "no caches": ("line=1,l1=1,l2=1,l3=1,stream=1", "2"),
    "everything streams": ("stream=1", "2"),
    "one thread": ("l1=300", "1"),
    "64 threads, small chunks": ("chunk=512", "64"),
    "64 threads, many chunks": ("l1=1024,l2=65536,stream=4096,chunk=64,chunks=50", "64"),
    "huge caches": (
        "line=4096,l1=1073741824,l2=1073741824,l3=1099511627776,stream=1099511627776",
        "5",
    ),
}

PROGRAM = f"""
import runpy, sys
sys.path.insert(0, {str(TESTS)!r})
runpy.run_module("support.machine_answers", run_name="__main__")
"""


def _checksums(name: str) -> dict[str, int]:
    """Return a checksum of all results by family of kernels, on a machine."""
    machine, threads = MACHINES[name]
    environment = os.environ | {"STRIDED_MACHINE": machine, "STRIDED_NUM_THREADS": threads}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def here() -> dict[str, int]:
    return _checksums("this one")


def test_every_family_of_kernels_is_there(here: dict[str, int]) -> None:
    own_names = {"nn": "layers", "quantized": "quantized_products"}
    folders = [path.name for path in (ROOT / "core" / "kernels").iterdir() if path.is_dir()]
    assert sorted(here) == sorted(own_names.get(name, name) for name in folders)


@pytest.mark.parametrize("name", [name for name in MACHINES if name != "this one"])
def test_values_are_numpys_and_bits_the_same(name: str, here: dict[str, int]) -> None:
    assert _checksums(name) == here


def _plan(machine: str) -> str:
    program = "import strided as st; print(st.plan(lambda x: x + x.T, st.ones(300, 300)))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"STRIDED_MACHINE": machine, "STRIDED_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_the_environment_says_which_machine() -> None:
    assert "streaming stores" in _plan("stream=1000")
    assert "streaming stores" not in _plan("stream=1000000000")
    assert _plan("l2=65536") != _plan("l2=8192")
    assert "8 chunks" in _plan("chunk=4096")
    assert "chunks" not in _plan("chunk=1000000000")


def test_entries_that_say_nothing_are_ignored() -> None:
    assert _plan("l2=0,garbage,l2=x,=,stream=-1,l2") == _plan("")
    assert _plan("garbage,stream=1000,l2=") == _plan("stream=1000")
