"""Rectifiers: activation functions of straight pieces, and their modules."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops import activations
from strided.ops.data_types import check_device
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.random_tensors import rand_like


def kept(x: Tensor, made: Tensor, inplace: bool) -> Tensor:
    """Return a result, or x overwritten by it."""
    return x.copy_(made) if inplace else made


@operation(namespace="nn")
def relu(x: Tensor, inplace: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Return the element, or 0 when it is negative. A new tensor, ``out``, or x itself.

    >>> import strided
    >>> strided.nn.relu(strided.tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return x.relu_() if inplace else activations.relu(x, out=out)


@operation(namespace="nn")
def leaky_relu(
    x: Tensor, negative_slope: float = 0.01, inplace: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the element, or a fraction of a negative one. A new tensor, ``out``, or x itself.

    >>> import strided
    >>> strided.nn.leaky_relu(strided.tensor([2.0, -4.0]), 0.25).tolist()
    [2.0, -1.0]
    """
    if inplace:
        return x.leaky_relu_(negative_slope)
    return activations.leaky_relu(x, negative_slope, out=out)


@operation(namespace="nn")
def hardtanh(
    x: Tensor,
    min_val: float = -1.0,
    max_val: float = 1.0,
    inplace: bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Limit elements to [min_val, max_val]. A new tensor, ``out``, or x itself.

    >>> import strided
    >>> strided.nn.hardtanh(strided.tensor([-2.0, 0.5, 9.0])).tolist()
    [-1.0, 0.5, 1.0]
    """
    if inplace:
        return x.hardtanh_(min_val, max_val)
    return activations.hardtanh(x, min_val, max_val, out=out)


@operation(namespace="nn")
def relu6(x: Tensor, inplace: bool = False) -> Tensor:
    """Limit elements to [0, 6]. A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.relu6(strided.tensor([-1.0, 7.0])).tolist()
    [0.0, 6.0]
    """
    return hardtanh(x, 0.0, 6.0, inplace)


@operation(namespace="nn")
def hardsigmoid(x: Tensor, inplace: bool = False) -> Tensor:
    """Return (x + 3) / 6, limited to [0, 1]. A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.hardsigmoid(strided.tensor([-4.0, 0.0])).tolist()
    [0.0, 0.5]
    """
    return x.hardsigmoid_() if inplace else activations.hardsigmoid(x)


@operation(namespace="nn")
def hardswish(x: Tensor, inplace: bool = False) -> Tensor:
    """Return ``x * hardsigmoid(x)``. A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.hardswish(strided.tensor([-4.0, 3.0])).tolist()
    [-0.0, 3.0]
    """
    return kept(x, x * activations.hardsigmoid(x), inplace)


@operation(namespace="nn")
def threshold(x: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Return elements above a threshold, and a value in place of the others.

    A new tensor, or x itself.

    >>> import strided
    >>> strided.nn.threshold(strided.tensor([0.5, 2.0]), 1.0, -3.0).tolist()
    [-3.0, 2.0]
    """
    return kept(x, where(x <= threshold, value, x), inplace)


@operation(namespace="nn")
def hardshrink(x: Tensor, lambd: float = 0.5) -> Tensor:
    """Return elements outside of [-lambd, lambd], and 0 in place of the others. A new tensor.

    >>> import strided
    >>> strided.nn.hardshrink(strided.tensor([-1.0, 0.25])).tolist()
    [-1.0, 0.0]
    """
    return where((x >= -lambd) & (x <= lambd), 0.0, x)


@operation(namespace="nn")
def softshrink(x: Tensor, lambd: float = 0.5) -> Tensor:
    """Return elements moved towards 0 by ``lambd``, as far as 0. A new tensor.

    >>> import strided
    >>> strided.nn.softshrink(strided.tensor([-1.0, 0.25])).tolist()
    [-0.5, 0.0]
    """
    if lambd < 0:
        raise InvalidArgument(argument="lambd", got=str(lambd), requirement="must not be negative")
    return where(x > lambd, x - lambd, where(x < -lambd, x + lambd, x * 0.0))


@operation(namespace="nn", operands=2)
def prelu(x: Tensor, weight: Tensor) -> Tensor:
    """Return the element, or a negative one times the weight of its channel. A new tensor.

    >>> import strided
    >>> strided.nn.prelu(strided.tensor([2.0, -4.0]), strided.tensor([0.25])).tolist()
    [2.0, -1.0]
    """
    if weight.numel() != 1:
        channels = x.shape[1] if x.ndim > 1 else 1
        if weight.shape != (channels,):
            raise ShapeMismatch(
                operation="prelu",
                expected=(channels,),
                got=tuple(weight.shape),
                hint="the weight has one number, or one per channel (axis 1)",
            )
        weight = weight.reshape((-1, *(1,) * (x.ndim - 2)))
    elif weight.ndim:
        weight = weight.reshape(())
    return where(x > 0, x, weight * x)


@operation(namespace="nn")
def rrelu(
    x: Tensor,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Tensor:
    """Return the element, or a random fraction of a negative one. A new tensor, or x itself.

    In training each element draws its fraction from [lower, upper]; otherwise it is their mean.

    >>> import strided
    >>> strided.nn.rrelu(strided.tensor([2.0, -4.0]), 0.25, 0.75).tolist()
    [2.0, -2.0]
    """
    if not training:
        return leaky_relu(x, (lower + upper) / 2, inplace)
    slopes = rand_like(x.detach()) * (upper - lower) + lower
    return kept(x, where(x >= 0, x, x * slopes), inplace)


def relu_(input: Tensor) -> Tensor:
    """Set negative elements to 0 in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.relu_(strided.tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """
    return input.relu_()


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Replace negative elements by a fraction in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.leaky_relu_(strided.tensor([-4.0, 2.0]), 0.5).tolist()
    [-2.0, 2.0]
    """
    return leaky_relu(input, negative_slope, True)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """Limit elements to [min_val, max_val] in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.hardtanh_(strided.tensor([-4.0, 0.5])).tolist()
    [-1.0, 0.5]
    """
    return hardtanh(input, min_val, max_val, True)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """Replace elements up to a threshold by a value in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.threshold_(strided.tensor([0.5, 2.0]), 1.0, 0.0).tolist()
    [0.0, 2.0]
    """
    return kept(input, where(input <= threshold, value, input), True)


def rrelu_(
    input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False
) -> Tensor:
    """Replace negative elements by a random fraction in place, and return the tensor itself.

    >>> import strided
    >>> strided.nn.functional.rrelu_(strided.tensor([2.0, -4.0]), 0.5, 0.5).tolist()
    [2.0, -2.0]
    """
    return rrelu(input, lower, upper, training, True)


class ReLU(Module):
    """Rectified linear unit, ``max(x, 0)``.

    >>> import strided
    >>> strided.nn.ReLU()(strided.tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace
        if inplace:
            self._shown = ("inplace",)

    def forward(self, input: Tensor) -> Tensor:
        return input.relu_() if self.inplace else input.relu()


class LeakyReLU(Module):
    """Leaky ReLU: x where it is positive, ``negative_slope * x`` elsewhere.

    >>> import strided
    >>> strided.nn.LeakyReLU(0.5)(strided.tensor([-1.0, 2.0])).tolist()
    [-0.5, 2.0]
    """

    _shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Tensor) -> Tensor:
        return leaky_relu(input, self.negative_slope, self.inplace)


class ReLU6(Module):
    """Limits elements to [0, 6].

    >>> import strided
    >>> strided.nn.ReLU6()(strided.tensor([-1.0, 7.0])).tolist()
    [0.0, 6.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return relu6(input, self.inplace)


class Hardtanh(Module):
    """Limits elements to [min_val, max_val].

    >>> import strided
    >>> strided.nn.Hardtanh()(strided.tensor([-2.0, 0.5])).tolist()
    [-1.0, 0.5]
    """

    _shown = ("min_val", "max_val")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Tensor) -> Tensor:
        return hardtanh(input, self.min_val, self.max_val, self.inplace)


class Hardsigmoid(Module):
    """(x + 3) / 6, limited to [0, 1].

    >>> import strided
    >>> strided.nn.Hardsigmoid()(strided.tensor([-4.0, 0.0])).tolist()
    [0.0, 0.5]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return hardsigmoid(input, self.inplace)


class Hardswish(Module):
    """``x * hardsigmoid(x)``.

    >>> import strided
    >>> strided.nn.Hardswish()(strided.tensor([-4.0, 3.0])).tolist()
    [-0.0, 3.0]
    """

    def __init__(self, inplace: bool = False) -> None:
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        return hardswish(input, self.inplace)


class Threshold(Module):
    """Elements above a threshold, and a value in place of the others.

    >>> import strided
    >>> strided.nn.Threshold(1.0, -3.0)(strided.tensor([0.5, 2.0])).tolist()
    [-3.0, 2.0]
    """

    _shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Tensor) -> Tensor:
        return threshold(input, self.threshold, self.value, self.inplace)


class Hardshrink(Module):
    """Elements outside of [-lambd, lambd], and 0 in place of the others.

    >>> import strided
    >>> strided.nn.Hardshrink()(strided.tensor([-1.0, 0.25])).tolist()
    [-1.0, 0.0]
    """

    _shown = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return hardshrink(input, self.lambd)


class Softshrink(Module):
    """Elements moved towards 0 by ``lambd``, as far as 0.

    >>> import strided
    >>> strided.nn.Softshrink()(strided.tensor([-1.0, 0.25])).tolist()
    [-0.5, 0.0]
    """

    _shown = ("lambd",)

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def forward(self, input: Tensor) -> Tensor:
        return softshrink(input, self.lambd)


class PReLU(Module):
    """ReLU with trained slopes of negative elements: one for all channels, or one each.

    >>> import strided
    >>> strided.nn.PReLU()(strided.tensor([[2.0, -4.0]])).tolist()
    [[2.0, -1.0]]
    """

    _shown = ("num_parameters",)

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        check_device(device)
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(empty(num_parameters, dtype=dtype).fill_(init))

    def reset_parameters(self) -> None:
        """Set the slopes to ``init`` in place.

        >>> import strided
        >>> layer = strided.nn.PReLU(2, init=0.5)
        >>> layer.reset_parameters()
        >>> layer.weight.tolist()
        [0.5, 0.5]
        """
        self.weight.detach().fill_(self.init)

    def forward(self, input: Tensor) -> Tensor:
        return prelu(input, self.weight)


class RReLU(Module):
    """ReLU with random slopes of negative elements while training.

    >>> import strided
    >>> strided.nn.RReLU(0.25, 0.75).eval()(strided.tensor([2.0, -4.0])).tolist()
    [2.0, -2.0]
    """

    _shown = ("lower", "upper")

    def __init__(
        self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False
    ) -> None:
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Tensor) -> Tensor:
        return rrelu(input, self.lower, self.upper, self.training, self.inplace)
