"""Activation functions, softmax, their gradients and modules."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.nn.module import Module
from strided.ops.define import operation
from strided.ops.fused import fuse
from strided.ops.gradients import Backward, Call, Gradients


@fuse
def _swiglu_gradients(g: Any, gate: Any, up: Any) -> Any:
    gated = gate.sigmoid()
    return g * up * gated * (1 + gate * (1 - gated)), g * gate * gated


def _swiglu_gradient(call: Call, gate: Tensor, up: Tensor, out: None, dtype: Any) -> Backward:
    saved = call.save(gate, up)

    def backward(g: Tensor) -> Gradients:
        gradients: Gradients = _swiglu_gradients(g, *saved())
        return gradients

    return backward


@operation(gradient=_swiglu_gradient, operands=2, namespace="nn")
def swiglu(gate: Tensor, up: Tensor, *, out: Tensor | None = None, dtype: Any = None) -> Tensor:
    """Return SwiGLU, ``silu(gate) * up``. A new tensor, or ``out``.

    >>> import strided
    >>> x = strided.tensor([0.0, 2.0])
    >>> strided.nn.swiglu(x, x, out=x).round().tolist()
    [0.0, 4.0]
    """
    return _native.swiglu(gate, up, out, dtype)


def _softmax_gradient(call: Call, x: Tensor, dim: int, out: None, dtype: Any) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        (y,) = saved()
        if not grad_mode():
            return (_native.softmax_gradient(g, y, dim, False),)
        return (y * (g - (g * y).sum(dim, keepdim=True)) if y.ndim else g * 0,)

    return backward


@operation(gradient=_softmax_gradient, operands=1, namespace="nn", method="softmax")
def softmax(x: Tensor, dim: int = -1, *, out: Tensor | None = None, dtype: Any = None) -> Tensor:
    """Return softmax, ``exp(x) / exp(x).sum(dim)``. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.softmax(strided.zeros(2, 4)).tolist()
    [[0.25, 0.25, 0.25, 0.25], [0.25, 0.25, 0.25, 0.25]]
    """
    return _native.softmax(x, dim, False, out, dtype)


def _log_softmax_gradient(call: Call, x: Tensor, dim: int, out: None, dtype: Any) -> Backward:
    saved = call.save(call.output)

    def backward(g: Tensor) -> Gradients:
        (y,) = saved()
        if not grad_mode():
            return (_native.softmax_gradient(g, y, dim, True),)
        return (g - y.exp() * g.sum(dim, keepdim=True) if y.ndim else g * 0,)

    return backward


@operation(gradient=_log_softmax_gradient, operands=1, namespace="nn", method="log_softmax")
def log_softmax(
    x: Tensor, dim: int = -1, *, out: Tensor | None = None, dtype: Any = None
) -> Tensor:
    """Return the logarithm of softmax, exact where softmax is 0. A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.log_softmax(strided.tensor([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """
    return _native.softmax(x, dim, True, out, dtype)


class GELU(Module):
    """Gaussian error linear unit, ``x * Phi(x)``; ``approximate`` is none or tanh.

    >>> import strided
    >>> strided.nn.GELU()(strided.tensor([0.0, 10.0])).tolist()
    [0.0, 10.0]
    """

    _shown = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        return x.gelu(approximate=self.approximate)


class Tanh(Module):
    """Hyperbolic tangent.

    >>> import strided
    >>> strided.nn.Tanh()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.tanh()


class Sigmoid(Module):
    """Logistic sigmoid, ``1 / (1 + exp(-x))``.

    >>> import strided
    >>> strided.nn.Sigmoid()(strided.tensor([0.0])).tolist()
    [0.5]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.sigmoid()


class Softmax(Module):
    """Softmax along an axis.

    >>> import strided
    >>> strided.nn.Softmax(dim=-1)(strided.zeros(4)).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        return softmax(x, self.dim)


class LogSoftmax(Module):
    """Logarithm of softmax along an axis.

    >>> import strided
    >>> strided.nn.LogSoftmax(dim=-1)(strided.tensor([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        return log_softmax(x, self.dim)
