"""Random view-and-write programs agree with NumPy in shape, strides, elements and sharing."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import twin
from support.steps import TWINS, WRITES
from support.view_proposals import VIEWS

import strided
from strided.ops.define import DEFINITIONS

PROGRAMS = int(os.environ.get("STRIDED_TWIN_PROGRAMS", "20000"))
CHUNKS = 20


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int) -> None:
    for seed in range(chunk, PROGRAMS, CHUNKS):
        try:
            twin.run_random(random.Random(seed))
        except twin.Mismatch as mismatch:
            pytest.fail(f"seed {seed}: {mismatch}", pytrace=False)


@settings(
    max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(st.randoms(use_true_random=False))
def test_hypothesis_programs(rng: random.Random) -> None:
    twin.run_random(rng)


def test_every_step_occurs() -> None:
    seen = set()
    for seed in range(1500):
        seen |= {step.op for step in twin.run_random(random.Random(seed)).steps}
    assert seen == set(VIEWS) | WRITES


# Views that a program has no arguments for: another tensor, one position, a last axis of two.
LEFT_OUT = {"expand_as", "view_as", "view_as_complex"}
LEFT_OUT |= {"split_with_sizes", "unsafe_split"}  # PyTorch's names of split


def test_every_view_is_proposed() -> None:
    views = [one for one in DEFINITIONS.values() if one.kind == "view" and one.methods]
    proposed = {one.name for one in views if one.methods.keys() & VIEWS.keys()}
    assert {one.name for one in views} - proposed == LEFT_OUT


def test_programs_print_as_code() -> None:
    for seed in range(300):
        program = twin.run_random(random.Random(seed))
        twins = twin.Twins(program.shape, program.dtype)
        for step in program.steps:
            twins.do(step)
        names = {"strided": strided, "np": np}
        try:
            exec(twin.code_of(program), names)
        except (strided.ViewNotPossible, strided.WriteThroughOverlap):
            continue  # a refusal that the program asked for
        assert np.asarray(names["x"]).tobytes() == twins.a.tobytes()


def test_failures_shrink_to_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TWINS, "fliplr", lambda a, _: a[::-1, :])

    def run_all() -> None:
        for seed in range(2000):
            twin.run_random(random.Random(seed))

    with pytest.raises(twin.Mismatch) as caught:
        run_all()
    line, _, error = str(caught.value).partition("  # ")
    assert line.startswith("x = strided.arange(")
    assert line.endswith("; x = x.fliplr()")
    assert line.count(";") == 1
    assert error.startswith("Mismatch: ")
