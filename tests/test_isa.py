"""Every instruction set gives the same bits: all ops, casts and reductions.

Functions that are computed by fused products have other bits on baseline, which has none;
test_math_accuracy.py holds them to their bounds there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.math_bounds import BOUNDS

LEVELS = ["baseline", "avx2", "avx512"]


PROGRAM = f"""
import runpy, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
runpy.run_module("support.isa_answers", run_name="__main__")
"""


def start(level: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "STRIDED_ISA": level},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture(scope="module")
def found() -> dict[str, Any]:
    running = {level: start(level) for level in (*LEVELS, "unheard of")}
    found = {}
    for level, process in running.items():
        out, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        found[level] = json.loads(out)
    return found


def test_the_wish_is_granted_up_to_what_the_processor_has(found: dict[str, Any]) -> None:
    best = LEVELS.index(found["unheard of"]["isa"])
    for wish, level in enumerate(LEVELS):
        assert found[level]["isa"] == LEVELS[min(wish, best)]


FUSED = {*BOUNDS, "float_power", "elu", "ldexp"} - {"sqrt", "rsqrt", "fmod", "remainder"}


def is_fused(name: str) -> bool:
    """Whether an answer, named by dtype and op, may have other bits without fused products."""
    dtype, op = name.split()[:2]
    return op in FUSED and not (op == "pow" and "int" in dtype)


@pytest.mark.parametrize("level", LEVELS[:2])
def test_same_bits(found: dict[str, Any], level: str) -> None:
    plain, other = found[level]["answers"], found["avx512"]["answers"]
    assert len(plain) > 5000
    assert plain.keys() == other.keys()
    differing = [name for name in plain if plain[name] != other[name]]
    if level == "baseline":
        differing = [name for name in differing if not is_fused(name)]
    assert not differing, f"{len(differing)} of {len(plain)}: {differing[:20]}"
