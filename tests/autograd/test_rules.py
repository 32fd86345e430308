"""Every gradient rule against finite differences, on every layout class, and its own gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.differences import differences
from support.gradient_cases import all_cases, arguments_of

import strided as st

CASES = all_cases()
# What they return, or whether they do, depends on how a tensor lies in memory.
_OF_THE_STORAGE = {
    *("Tensor.resize_", "Tensor.resize_as_"),
    *("as_strided", "Tensor.as_strided", "Tensor.view", "Tensor.view_as"),
    *("Tensor.as_strided_", "Tensor.view_as_complex"),
}


def _flipped(a: Any) -> Any:
    return np.flip(np.flip(a).copy())


def _stepped(a: Any) -> Any:
    return np.repeat(a, 2, -1)[..., ::2] if a.ndim else a


LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": np.array,
    "transposed": lambda a: np.array(a, order="F"),
    "flipped": _flipped,
    "stepped": _stepped,
}


def _leaves(arrays: list[Any], layout: str = "contiguous") -> list[st.Tensor]:
    return [st.from_numpy(LAYOUTS[layout](a)).requires_grad_() for a in arrays]


def _weights(y: st.Tensor, seed: int = 3) -> st.Tensor:
    random = np.random.default_rng(seed)
    w = random.standard_normal(y.shape)
    if y.dtype.is_complex:
        w = w + 1j * random.standard_normal(y.shape)
    return st.tensor(w)


def _total(call: Callable[..., Any], *tensors: st.Tensor) -> st.Tensor:
    """Return one real number: results with weights."""
    y = call(*tensors)
    weighted = (y * _weights(y)).sum()
    return weighted.real if y.dtype.is_complex else weighted


def _gradients(call: Callable[..., Any], leaves: list[st.Tensor]) -> list[Any]:
    _total(call, *leaves).backward()
    return [np.zeros(x.shape) if x.grad is None else np.array(x.grad) for x in leaves]


def _value(call: Callable[..., Any], *arrays: Any) -> float:
    return float(_total(call, *(st.from_numpy(a) for a in arrays)))


def _close(got: list[Any], expected: list[Any]) -> None:
    for one, other in zip(got, expected, strict=True):
        scale = 1 + np.nanmax(np.abs(other), initial=0)
        np.testing.assert_allclose(one, np.nan_to_num(other), rtol=0, atol=2e-7 * scale)


# Differences of NaN are NaN.
NUMBERS = [case for case in CASES if not any(np.isnan(a).any() for a in arguments_of(case[1]))]


def _cases(cases: list[tuple[str, Callable[..., Any]]]) -> pytest.MarkDecorator:
    ids = [f"{name}-{place}" for place, (name, _) in enumerate(cases)]
    return pytest.mark.parametrize(("name", "call"), cases, ids=ids)


@_cases(CASES)
def test_gradient_is_that_of_finitedifferences(name: str, call: Callable[..., Any]) -> None:
    arrays = arguments_of(call)
    expected = differences(lambda *moved: _value(call, *moved), arrays)
    for layout in ("contiguous",) if name in _OF_THE_STORAGE else LAYOUTS:
        _close(_gradients(call, _leaves(arrays, layout)), expected)


@_cases([case for case in NUMBERS if case[0] not in _OF_THE_STORAGE])
def test_gradient_of_repeated_rows_is_their_sum(name: str, call: Callable[..., Any]) -> None:
    """The same with expanded operands: strides of 0, and equal elements everywhere."""
    arrays = arguments_of(call)

    def repeated(*rows: st.Tensor) -> Any:
        return call(*(x.expand(a.shape) for x, a in zip(rows, arrays, strict=True)))

    rows = [a[:1] if a.ndim else a for a in arrays]
    expected = differences(lambda *moved: _value(repeated, *moved), rows)
    _close(_gradients(repeated, _leaves(rows)), expected)


def _directional(call: Callable[..., Any], leaves: list[st.Tensor]) -> st.Tensor | None:
    """Return the gradient times fixed weights: a function whose gradient is a second derivative."""
    first = st.autograd.grad(_total(call, *leaves), leaves, create_graph=True, allow_unused=True)
    total = None
    for seed, g in enumerate(first):
        if g is None or not g.requires_grad:
            continue
        part = (g * _weights(g, 7 + seed)).sum()
        part = part.real if part.dtype.is_complex else part
        total = part if total is None else total + part
    return total


@_cases(NUMBERS)
def test_gradient_can_be_differentiated(name: str, call: Callable[..., Any]) -> None:
    arrays = arguments_of(call)
    leaves = _leaves(arrays)
    total = _directional(call, leaves)
    if total is None:  # linear in every argument around here
        moved = [a * (1 + 2**-10) for a in arrays]
        _close(_gradients(call, leaves), _gradients(call, _leaves(moved)))
        return

    def value(*moved: Any) -> float:
        found = _directional(call, _leaves(list(moved)))
        assert found is not None
        return float(found.detach())

    total.backward()
    got = [np.zeros(x.shape) if x.grad is None else np.array(x.grad) for x in leaves]
    _close(got, differences(value, arrays))
