"""Every operation has a plan: a result in new memory has passes, and each pass names its loops."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support.gradient_cases import INPUTS, all_cases

import strided as st

# What gradients do not pass, so it has no case there: positions, counts, truth values, new numbers.
WITHOUT_GRADIENTS: dict[str, Callable[[Any, Any], Any]] = {
    "all": lambda a, i: st.all(a, axis=1),
    "any": lambda a, i: a.any(0),
    "arange": lambda a, i: st.arange(7),
    "argmax": lambda a, i: a.argmax(1),
    "argmin": lambda a, i: a.argmin(),
    "argsort": lambda a, i: a.argsort(1),
    "argwhere": lambda a, i: st.argwhere(a),
    "bincount": lambda a, i: st.bincount(i),
    "bucketize": lambda a, i: st.bucketize(a, st.arange(3)),
    "count_nonzero": lambda a, i: st.count_nonzero(a, axis=0),
    "eye": lambda a, i: st.eye(3),
    "histogram": lambda a, i: st.histogram(a, 4),
    "isclose": lambda a, i: st.isclose(a, a),
    "isin": lambda a, i: st.isin(i, i[:1]),
    "linspace": lambda a, i: st.linspace(0, 1, 5),
    "nonzero": lambda a, i: a.nonzero(),
    "ones": lambda a, i: st.ones(2, 3),
    "searchsorted": lambda a, i: st.searchsorted(st.arange(4.0), a),
    "topk indices": lambda a, i: a.topk(2, 1).indices,
    "unique_all": lambda a, i: st.unique_all(i),
    "unique_consecutive": lambda a, i: i.unique_consecutive(),
}


# NumPy computes them, over the tensor's memory: no kernel of ours runs.
NUMPYS = {"cbrt", "convolve", "correlate", "frexp", "Tensor.frexp", "Tensor.stft"}


def _flat(result: Any) -> list[st.Tensor]:
    if isinstance(result, st.Tensor):
        return [result]
    return [each for part in result for each in _flat(part)] if isinstance(result, tuple) else []


def _check(call: Callable[..., Any], inputs: list[st.Tensor]) -> None:
    results: list[Any] = []
    passes = st.plan(lambda: results.append(call(*inputs))).passes
    assert [each.operation for each in passes if not each.loops] == []
    views = [any(each.shares_storage(given) for given in inputs) for each in _flat(results[0])]
    # Without elements there is nothing to visit: a sum of none is zeroed memory.
    assert passes or all(views) or not any(given.size for given in inputs)


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(call, id=f"{name}-{k}")
        for k, (name, call) in enumerate(all_cases())
        if name not in NUMPYS
    ],
)
def test_with_gradients(call: Callable[..., Any]) -> None:
    names = [p.name for p in inspect.signature(call).parameters.values() if p.default is p.empty]
    _check(call, [st.from_numpy(np.array(INPUTS[name])) for name in names])


@pytest.mark.parametrize("name", WITHOUT_GRADIENTS)
def test_without_gradients(name: str) -> None:
    _check(WITHOUT_GRADIENTS[name], [st.from_numpy(np.array(INPUTS["a"])), st.tensor([2, 0, 2])])
