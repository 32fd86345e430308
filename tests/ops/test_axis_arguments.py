"""Axes may be NumPy's integers: operations and their gradients take them as Python's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import strided as st
from strided import Tensor

Call = Callable[[Tensor, Any], Any]
REDUCTIONS = "sum mean prod var std amax amin max nansum logsumexp cumsum median"
CALLS: dict[str, Call] = {
    **{name: lambda x, n, name=name: getattr(x, name)(n) for name in REDUCTIONS.split()},
    "norm": lambda x, n: x.norm(2, n),
    "strided.median": lambda x, n: st.median(x, axis=n),
    "squeeze": lambda x, n: st.squeeze(x[:, :1], axis=n),
    "expand_dims": lambda x, n: st.expand_dims(x, axis=n),
    "roll": lambda x, n: st.roll(x, n, axis=n),
    "tensordot": lambda x, n: st.tensordot(x, x.T, axes=n),
    "sliding_window_view": lambda x, n: x.sliding_window_view(n, axis=n),
    "fftshift": lambda x, n: st.fft.fftshift(x, axes=n),
    "fuse": lambda x, n: st.fuse(lambda a: a - a.sum(n, keepdim=True))(x),
    "numpy.squeeze": lambda x, n: np.squeeze(x[:, :1], axis=n),
}


def _results(call: Call, n: Any) -> list[Any]:
    x = st.tensor([[1.0, 5.0, 2.0], [4.0, 3.0, 7.0]], requires_grad=True)
    made = call(x, n)
    first = made if isinstance(made, Tensor) else made[0]
    (first * first).sum().backward()
    assert x.grad is not None
    return [first.tolist(), x.grad.tolist()]


@pytest.mark.parametrize("name", CALLS)
def test_numpy_integers_are_axes(name: str) -> None:
    assert _results(CALLS[name], np.int64(1)) == _results(CALLS[name], 1)
