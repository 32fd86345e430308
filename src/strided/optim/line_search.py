"""Line search by the strong Wolfe conditions (Nocedal and Wright 2006, algorithms 3.5 and 3.6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

from strided._native import Tensor

# A point on the line: step, value, gradient, slope.
Point: TypeAlias = tuple[float, float, Tensor, float]
# Sufficient decrease, curvature; the least change of a bracket.
_DECREASE, _CURVATURE, _LEAST = 1e-4, 0.9, 1e-9
_MOST_STEPS = 25


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Return where the cubic through two points with these slopes is smallest."""
    (x1, f1, _, g1), (x2, f2, _, g2) = a, b
    low, high = bounds if bounds is not None else (min(x1, x2), max(x1, x2))
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - g1 * g2
    if square < 0:
        return (low + high) / 2.0
    d2 = math.sqrt(square)
    if x1 <= x2:
        at = x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2))
    else:
        at = x1 - (x1 - x2) * ((g1 + d2 - d1) / (g1 - g2 + 2 * d2))
    return min(max(at, low), high)


def strong_wolfe(
    probe: Callable[[float], tuple[float, Tensor]],
    length: float,
    direction: Tensor,
    loss: float,
    gradient: Tensor,
    slope: float,
) -> tuple[float, Tensor, float, int]:
    """Return value, gradient, step and number of evaluations of a step that fulfils them."""
    largest = float(direction.abs().max())

    def at(size: float) -> Point:
        value, found = probe(size)
        return size, value, found, float(found.dot(direction))

    start: Point = (0.0, loss, gradient, slope)
    before, here = start, at(length)
    asked, done = 1, False
    bracket: list[Point] = []
    for number in range(_MOST_STEPS):
        above = here[1] > loss + _DECREASE * here[0] * slope
        if above or (number > 0 and here[1] >= before[1]):
            bracket = [before, here]
            break
        if abs(here[3]) <= -_CURVATURE * slope:
            bracket, done = [here], True
            break
        if here[3] >= 0:
            bracket = [before, here]
            break
        bounds = (here[0] + 0.01 * (here[0] - before[0]), here[0] * 10)
        step = cubic_minimum(before, here, bounds)
        before, here = here, at(step)
        asked += 1
    else:
        bracket = [start, here]
    stuck, tries = False, 0
    low, high = (0, 1) if bracket[0][1] <= bracket[-1][1] else (1, 0)
    while not done and tries < _MOST_STEPS:
        ends = sorted(point[0] for point in bracket)
        if (ends[1] - ends[0]) * largest < _LEAST:
            break
        step = cubic_minimum(bracket[0], bracket[1])
        margin = 0.1 * (ends[1] - ends[0])
        if min(ends[1] - step, step - ends[0]) < margin:
            # Near an end: once is allowed, then the step keeps its distance.
            if stuck or step >= ends[1] or step <= ends[0]:
                nearer = abs(step - ends[1]) < abs(step - ends[0])
                step = ends[1] - margin if nearer else ends[0] + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        here = at(step)
        asked, tries = asked + 1, tries + 1
        if here[1] > loss + _DECREASE * step * slope or here[1] >= bracket[low][1]:
            bracket[high] = here
            low, high = (0, 1) if bracket[0][1] <= bracket[1][1] else (1, 0)
            continue
        if abs(here[3]) <= -_CURVATURE * slope:
            done = True
        elif here[3] * (bracket[high][0] - bracket[low][0]) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = here
    size, value, found, _ = bracket[low if len(bracket) > 1 else 0]
    return value, found, size, asked
