"""Gradients of functions of arrays against central differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import strided

_STEP = 1e-6


def numbers(*shape: int, kind: str = "f", seed: int = 11) -> Any:
    """Return random numbers, real or complex."""
    chance = np.random.default_rng(seed)
    made = chance.standard_normal(shape)
    return made + 1j * chance.standard_normal(shape) if kind == "c" else made


def _weighted(result: Any) -> strided.Tensor:
    """Return one real number: all results with weights."""
    total: Any = 0
    for place, y in enumerate(result if isinstance(result, tuple) else (result,)):
        kind = "c" if y.dtype.is_complex else "f"
        part = (y * strided.asarray(numbers(*y.shape, kind=kind, seed=place))).sum()
        total = total + (part.real if kind == "c" else part)
    return total  # type: ignore[no-any-return]


def differences(function: Callable[..., float], arrays: list[Any]) -> list[Any]:
    """Return gradients of a real function by differences: d/dx + i d/dy for complex numbers."""
    made = []
    for place, a in enumerate(arrays):
        found = np.zeros(a.shape, a.dtype)
        for at in np.ndindex(a.shape):
            for direction in (1.0, 1j) if a.dtype.kind == "c" else (1.0,):
                values = []
                for sign in (1, -1):
                    moved = [np.array(one) for one in arrays]
                    moved[place][at] += sign * direction * _STEP
                    values.append(function(*moved))
                found[at] += direction * (values[0] - values[1]) / (2 * _STEP)
        made.append(found)
    return made


def check_gradients(
    function: Callable[..., Any], *arrays: Any, rounding: float = 1e-7, twice: bool = False
) -> None:
    """Compare the gradient of a function's weighted results with differences.

    ``twice``: that of the gradient itself, too.
    """

    def value(*moved: Any) -> float:
        return float(_weighted(function(*(strided.from_numpy(a) for a in moved))))

    def gradients(moved: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        leaves = [strided.from_numpy(np.array(a)).requires_grad_() for a in moved]
        total = _weighted(function(*leaves))
        return leaves, list(strided.autograd.grad(total, leaves, create_graph=twice))

    def weighted_gradients(*moved: Any) -> float:
        return float(_weighted(tuple(gradients(moved)[1])).detach())

    leaves, found = gradients(arrays)
    _compare([g.detach() for g in found], differences(value, list(arrays)), rounding)
    if not any(g.requires_grad for g in found):
        return  # linear, or not asked for
    _weighted(tuple(found)).backward()
    second = [np.zeros(x.shape) if x.grad is None else x.grad for x in leaves]
    _compare(second, differences(weighted_gradients, list(arrays)), rounding)


def _compare(found: list[Any], expected: list[Any], rounding: float) -> None:
    for one, other in zip(found, expected, strict=True):
        scale = 1 + np.abs(other).max(initial=0)
        np.testing.assert_allclose(np.asarray(one), other, rtol=0, atol=rounding * scale)
