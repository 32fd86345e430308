"""Smooth activation functions, gated linear units, and their modules."""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.nn.activation import softmax
from strided.nn.module import Module
from strided.nn.rectifiers import kept
from strided.ops import activations, transcendental
from strided.ops.creation import zeros_like
from strided.ops.data_types import finfo
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.random_tensors import rand_like

# Klambauer et al. 2017 (arXiv:1706.02515): mean 0 and variance 1 are a fixed point of selu.
_SELU_ALPHA = 1.6732632423543772848170429916717
_SELU_SCALE = 1.0507009873554804934193349852946


@operation(namespace="nn")
def elu(
    x: Tensor, alpha: float = 1.0, inplace: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the element, or alpha * (exp(x) - 1) of a negative one.

    A new tensor, ``out``, or x itself.

    >>> import strided
    >>> strided.nn.elu(strided.tensor([2.0, -800.0]), alpha=0.5).tolist()
    [2.0, -0.5]
    """
    return x.elu_(alpha) if inplace else activations.elu(x, alpha, out=out)


@operation(namespace="nn")
def silu(x: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return ``x * sigmoid(x)``. A new tensor, ``out``, or x itself.

    >>> import strided
    >>> strided.nn.silu(strided.tensor([0.0])).tolist()
    [0.0]
    """
    return x.silu_() if inplace else activations.silu(x, out=out)


@operation(namespace="nn")
def softplus(
    x: Tensor, beta: float = 1.0, threshold: float = 20.0, *, out: Tensor | None = None
) -> Tensor:
    """Return log(1 + exp(beta * x)) / beta, and x where beta * x is above a threshold.

    A new tensor, or ``out``.

    >>> import strided
    >>> strided.nn.softplus(strided.tensor([-200.0, 200.0])).tolist()
    [0.0, 200.0]
    """
    if threshold == 20.0 and x.dtype is not _native.float64:
        return activations.softplus(x, beta, out=out)  # exp(-20) is below half a bit there
    made = where(x * beta > threshold, x, activations.softplus(x, beta))
    return made if out is None else out.copy_(made)


@operation(namespace="nn")
def celu(x: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Return the element, or alpha * (exp(x / alpha) - 1) of a negative one.

    A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.celu(strided.tensor([2.0, -800.0]), alpha=0.5).tolist()
    [2.0, -0.5]
    """
    if alpha == 0:
        raise InvalidArgument(argument="alpha", got="0", requirement="must not be zero")
    return kept(x, where(x > 0, x, alpha * (x.minimum(0.0) / alpha).expm1()), inplace)


@operation(namespace="nn")
def selu(x: Tensor, inplace: bool = False) -> Tensor:
    """Return the scaled exponential linear unit. A new tensor, or x itself.

    Mean 0 and variance 1 are a fixed point of it.

    >>> import strided
    >>> [round(x, 4) for x in strided.nn.selu(strided.tensor([1.0, -800.0])).tolist()]
    [1.0507, -1.7581]
    """
    return kept(x, activations.elu(x, _SELU_ALPHA) * _SELU_SCALE, inplace)


@operation(namespace="nn")
def mish(x: Tensor, inplace: bool = False) -> Tensor:
    """Return ``x * tanh(softplus(x))``. A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.mish(strided.tensor([0.0, 30.0])).tolist()
    [0.0, 30.0]
    """
    return kept(x, x * activations.softplus(x).tanh(), inplace)


@operation(namespace="nn")
def softsign(x: Tensor) -> Tensor:
    """Return ``x / (1 + abs(x))``. A new tensor.

    >>> import strided
    >>> strided.nn.softsign(strided.tensor([1.0, -3.0])).tolist()
    [0.5, -0.75]
    """
    return x / (x.abs() + 1.0)


@operation(namespace="nn")
def tanhshrink(x: Tensor) -> Tensor:
    """Return ``x - tanh(x)``. A new tensor.

    >>> import strided
    >>> strided.nn.tanhshrink(strided.tensor([0.0, 30.0])).tolist()
    [0.0, 29.0]
    """
    return x - transcendental.tanh(x)


@operation(namespace="nn")
def logsigmoid(x: Tensor) -> Tensor:
    """Return log(sigmoid(x)), exact for large negative elements. A new tensor.

    >>> import strided
    >>> strided.nn.logsigmoid(strided.tensor([-1000.0, 1000.0])).tolist()
    [-1000.0, 0.0]
    """
    return x.minimum(0.0) - (-x.abs()).exp().log1p()


@operation(namespace="nn")
def softmin(x: Tensor, dim: int = -1, *, dtype: object = None) -> Tensor:
    """Return softmax of the negative elements. A new tensor.

    >>> import strided
    >>> strided.nn.softmin(strided.tensor([0.0, 1000.0])).tolist()
    [1.0, 0.0]
    """
    return softmax(-x, dim, dtype=dtype)


@operation(namespace="nn")
def glu(x: Tensor, dim: int = -1) -> Tensor:
    """Return the first half along an axis times the sigmoid of the second. A new tensor.

    >>> import strided
    >>> strided.nn.glu(strided.tensor([2.0, 4.0, 0.0, 0.0])).tolist()
    [1.0, 2.0]
    """
    if x.shape[dim] % 2:
        raise InvalidArgument(
            argument="dim",
            got=f"an axis of {x.shape[dim]} elements",
            requirement="must have an even number of elements: they are cut into halves",
        )
    half = x.shape[dim] // 2
    return x.narrow(dim, 0, half) * x.narrow(dim, half, half).sigmoid()


@operation(namespace="nn")
def gumbel_softmax(
    logits: Tensor, tau: float = 1.0, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Tensor:
    """Return samples of a relaxed categorical distribution (arXiv:1611.01144). A new tensor.

    With ``hard`` they are one-hot, with the gradients of the relaxed ones.

    >>> import strided
    >>> picked = strided.nn.gumbel_softmax(strided.zeros(5, 3), hard=True)
    >>> picked.sum(-1).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """
    drawn = rand_like(logits.detach())
    noise = -(-(drawn.clamp(finfo(drawn.dtype).smallest_normal)).log()).log()
    soft = softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    picked = soft.detach().argmax(dim, keepdim=True)
    sharp = zeros_like(soft.detach()).scatter_(dim, picked, 1.0)
    return sharp - soft.detach() + soft


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Replace negative elements by alpha * (exp(x) - 1) in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.elu_(strided.tensor([2.0, -800.0])).tolist()
    [2.0, -1.0]
    """
    return input.elu_(alpha)


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Replace negative elements by alpha * (exp(x / alpha) - 1) in place; returns the tensor.

    >>> import strided
    >>> strided.nn.functional.celu_(strided.tensor([2.0, -800.0])).tolist()
    [2.0, -1.0]
    """
    return celu(input, alpha, True)


def selu_(input: Tensor) -> Tensor:
    """Write the scaled exponential linear unit in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.selu_(strided.tensor([0.0])).tolist()
    [0.0]
    """
    return selu(input, True)


class ELU(Module):
    """Exponential linear unit: x above 0, ``alpha * (exp(x) - 1)`` below.

    >>> import strided
    >>> strided.nn.ELU()(strided.tensor([0.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        return elu(input, self.alpha, self.inplace)


class SiLU(Module):
    """Sigmoid linear unit (swish), ``x * sigmoid(x)``.

    >>> import strided
    >>> strided.nn.SiLU()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return silu(input, self.inplace)


class Softplus(Module):
    """Softplus, ``log(1 + exp(beta * x)) / beta``.

    >>> import strided
    >>> round(strided.nn.Softplus()(strided.tensor([0.0])).item(), 4)
    0.6931
    """

    _shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        return softplus(input, self.beta, self.threshold)


class CELU(Module):
    """Exponential linear unit that is smooth for every alpha.

    >>> import strided
    >>> strided.nn.CELU()(strided.tensor([0.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Tensor) -> Tensor:
        return celu(input, self.alpha, self.inplace)


class SELU(Module):
    """Scaled exponential linear unit.

    >>> import strided
    >>> strided.nn.SELU()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return selu(input, self.inplace)


class Mish(Module):
    """``x * tanh(softplus(x))``.

    >>> import strided
    >>> strided.nn.Mish()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return mish(input, self.inplace)


class Softsign(Module):
    """``x / (1 + abs(x))``.

    >>> import strided
    >>> strided.nn.Softsign()(strided.tensor([1.0])).tolist()
    [0.5]
    """

    def forward(self, input: Tensor) -> Tensor:
        return softsign(input)


class Tanhshrink(Module):
    """``x - tanh(x)``.

    >>> import strided
    >>> strided.nn.Tanhshrink()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return tanhshrink(input)


class LogSigmoid(Module):
    """Logarithm of the sigmoid.

    >>> import strided
    >>> strided.nn.LogSigmoid()(strided.tensor([-1000.0])).tolist()
    [-1000.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return logsigmoid(input)


class Softmin(Module):
    """Softmax of the negative elements.

    >>> import strided
    >>> strided.nn.Softmin(dim=-1)(strided.tensor([0.0, 1000.0])).tolist()
    [1.0, 0.0]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return softmin(input, self.dim)


class GLU(Module):
    """Gated linear unit: the first half times the sigmoid of the second.

    >>> import strided
    >>> strided.nn.GLU()(strided.tensor([2.0, 0.0])).tolist()
    [1.0]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        return glu(input, self.dim)


class Softmax2d(Module):
    """Softmax over the channels of images (batch, channels, height, width).

    >>> import strided
    >>> strided.nn.Softmax2d()(strided.zeros(1, 4, 1, 1)).flatten().tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in (3, 4):
            raise InvalidArgument(
                argument="input",
                got=f"of rank {input.ndim}",
                requirement="must have rank 3 or 4: channels, height and width",
            )
        return softmax(input, -3)
