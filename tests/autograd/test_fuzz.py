"""Gradients of random programs of views, operations and in-place writes agree with NumPy's."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import gradient_fuzz, gradient_twins
from support.gradient_fuzz import OPERATIONS, VIEWS, WRITES, Program, outcome_of, slopes_of

import strided

SHAPES = ((6,), (2, 3), (3, 4), (2, 2, 3), (1, 5), ())
PROGRAMS = 3000
CHUNKS = 10


def check(program: Program) -> bool:
    """Compare values and gradients; return whether there was a gradient to compare."""
    outcome = outcome_of(program)
    value, slopes = slopes_of(program, outcome.done)
    scale = max(1.0, abs(value))
    assert abs(outcome.value - value) <= 1e-10 * scale, f"{program}: {outcome.value} and {value}"
    if outcome.gradient is None:
        return False
    limit = 1e-10 * max(1.0, np.abs(slopes).max(initial=0.0), scale)
    assert np.allclose(outcome.gradient, slopes, rtol=0, atol=limit), (
        f"{program}:\n{outcome.gradient}\n{slopes}"
    )
    return True


def random_program(rng: random.Random, depth: int = 12) -> Program:
    """Make up a program, half of it views and writes."""
    kinds = (tuple(VIEWS), WRITES, OPERATIONS)
    steps = [
        (rng.choice(rng.choice(kinds)), *(rng.randrange(12) for _ in range(4)))
        for _ in range(rng.randint(1, depth))
    ]
    return Program(rng.choice(SHAPES), steps)


def smaller(program: Program) -> Program:
    """Drop steps as long as the program still fails."""
    for k in range(len(program.steps)):
        shorter = Program(program.shape, program.steps[:k] + program.steps[k + 1 :])
        try:
            check(shorter)
        except Exception:
            return smaller(shorter)
    return program


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_random_programs(chunk: int) -> None:
    compared = 0
    seeds = range(chunk, PROGRAMS, CHUNKS)
    for seed in seeds:
        program = random_program(random.Random(seed))
        try:
            compared += check(program)
        except Exception as error:
            pytest.fail(f"seed {seed}: {smaller(program)}: {error!r}", pytrace=False)
    assert compared > 0.6 * len(seeds)


numbers = st.integers(0, 11)


@settings(
    max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
@given(
    st.sampled_from(SHAPES),
    st.lists(
        st.tuples(st.sampled_from(OPERATIONS), numbers, numbers, numbers, numbers), max_size=12
    ),
)
def test_hypothesis_programs(shape: tuple[int, ...], steps: list[gradient_fuzz.Step]) -> None:
    check(Program(shape, steps))


def test_every_operation_occurs() -> None:
    seen = set()
    for seed in range(400):
        program = random_program(random.Random(seed))
        done = outcome_of(program).done
        seen |= {step[0] for step, was in zip(program.steps, done, strict=True) if was}
    assert seen == set(OPERATIONS)


def test_second_derivatives_of_random_programs() -> None:
    """The gradient of the gradient along one direction, against differences of gradients."""
    compared = 0
    for seed in range(1000):
        program = random_program(random.Random(seed), depth=8)
        start = gradient_fuzz._start(program.shape)
        direction = np.cos(np.arange(start.size, dtype=np.float64)).reshape(start.shape)

        def slope(at: np.ndarray, program: Program = program, create: bool = False) -> tuple:
            x = strided.from_numpy(at.copy()).requires_grad_()
            loss = gradient_fuzz.run_strided(program, x)[0]
            return x, strided.autograd.grad(loss, x, create_graph=create)[0]

        try:
            x, gradient = slope(start, create=True)
            if not gradient.requires_grad:
                continue
            along = (gradient * strided.from_numpy(direction)).sum()
            (mine,) = strided.autograd.grad(along, x, allow_unused=True)
        except strided.StaleGradient:
            continue
        eps = 1e-5
        sides = [np.array(slope(start + s * eps * direction)[1].tolist()) for s in (1, -1)]
        expected = ((sides[0] - sides[1]) / (2 * eps)).reshape(start.shape)
        found = np.zeros_like(start) if mine is None else np.array(mine.tolist())
        found = found.reshape(start.shape)
        limit = 1e-6 * max(1.0, np.abs(expected).max(initial=0.0))
        assert np.allclose(found, expected, rtol=0, atol=limit), f"seed {seed}: {program}"
        compared += 1
    assert compared > 200


@pytest.mark.peers
@pytest.mark.parametrize("chunk", range(4))
def test_random_lines_agree_with_torch(chunk: int) -> None:
    torch = pytest.importorskip("torch")
    compared = 0
    seeds = range(chunk, 2000, 4)
    for seed in seeds:
        lines = gradient_twins.random_lines(random.Random(seed))
        wrong, agreed = gradient_twins.compare(strided, torch, lines)
        assert wrong is None, f"seed {seed}: {lines}: {wrong}"
        compared += agreed
    assert compared > 0.7 * len(seeds)
