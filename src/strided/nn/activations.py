"""Gates and shares: what turns sums into activations and probabilities."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.ops.elementwise import Function, functions
from strided.ops.with_parameters import elu, gelu, hardtanh, leaky_relu, softplus

_made = functions()
relu: Function = _made["relu"]
sigmoid: Function = _made["sigmoid"]
silu: Function = _made["silu"]
tanh: Function = _made["tanh"]

__all__ = [
    "elu",
    "gelu",
    "hardtanh",
    "leaky_relu",
    "log_softmax",
    "relu",
    "sigmoid",
    "silu",
    "softmax",
    "softplus",
    "swiglu",
    "tanh",
]


@differentiable
def swiglu(gate: Tensor, up: Tensor, *, out: Tensor | None = None, dtype: Any = None) -> Tensor:
    """Return ``silu(gate) * up``. A new tensor, or ``out``.

    >>> import strided
    >>> x = strided.tensor([0.0, 2.0])
    >>> strided.nn.swiglu(x, x, out=x).round().tolist()
    [0.0, 4.0]
    """
    return _native.swiglu(gate, up, out, dtype)


@differentiable
def softmax(x: Tensor, dim: int = -1, *, out: Tensor | None = None, dtype: Any = None) -> Tensor:
    """Return ``exp(x)`` as shares of their sum along an axis. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.softmax(strided.zeros(2, 4)).tolist()
    [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]
    """
    return _native.softmax(x, dim, False, out, dtype)


@differentiable
def log_softmax(
    x: Tensor, dim: int = -1, *, out: Tensor | None = None, dtype: Any = None
) -> Tensor:
    """Return the logarithm of ``softmax(x)``, exact where that is 0. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.log_softmax(strided.tensor([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """
    return _native.softmax(x, dim, True, out, dtype)
