"""Layers without parameters: functions that stand in a Sequential."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.nn import functional as F
from strided.nn.module import Module


class Identity(Module):
    """Returns its argument; whatever it is made with is passed over.

    >>> import strided
    >>> x = strided.ones(2)
    >>> strided.nn.Identity()(x) is x
    True
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def forward(self, x: Any) -> Any:
        return x


class ReLU(Module):
    """The larger of x and 0.

    >>> import strided
    >>> strided.nn.ReLU()(strided.tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.relu()


class LeakyReLU(Module):
    """x where it is positive, and a small part of it elsewhere.

    >>> import strided
    >>> strided.nn.LeakyReLU(0.5)(strided.tensor([-1.0, 2.0])).tolist()
    [-0.5, 2.0]
    """

    _shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01) -> None:
        self.negative_slope = negative_slope

    def forward(self, x: Tensor) -> Tensor:
        return x.leaky_relu(self.negative_slope)


class ELU(Module):
    """x where it is positive, and ``alpha * (exp(x) - 1)`` elsewhere.

    >>> import strided
    >>> strided.nn.ELU()(strided.tensor([0.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0) -> None:
        self.alpha = alpha

    def forward(self, x: Tensor) -> Tensor:
        return x.elu(self.alpha)


class GELU(Module):
    """x times the share of a normal distribution below it; ``approximate`` is none or tanh.

    >>> import strided
    >>> strided.nn.GELU()(strided.tensor([0.0, 10.0])).tolist()
    [0.0, 10.0]
    """

    _shown = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        self.approximate = approximate

    def forward(self, x: Tensor) -> Tensor:
        return x.gelu(approximate=self.approximate)


class SiLU(Module):
    """x times its sigmoid.

    >>> import strided
    >>> strided.nn.SiLU()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.silu()


class Tanh(Module):
    """The hyperbolic tangent.

    >>> import strided
    >>> strided.nn.Tanh()(strided.tensor([0.0])).tolist()
    [0.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.tanh()


class Sigmoid(Module):
    """``1 / (1 + exp(-x))``.

    >>> import strided
    >>> strided.nn.Sigmoid()(strided.tensor([0.0])).tolist()
    [0.5]
    """

    def forward(self, x: Tensor) -> Tensor:
        return x.sigmoid()


class Softplus(Module):
    """``log(1 + exp(beta * x)) / beta``.

    >>> import strided
    >>> round(strided.nn.Softplus()(strided.tensor([0.0])).item(), 4)
    0.6931
    """

    _shown = ("beta",)

    def __init__(self, beta: float = 1.0) -> None:
        self.beta = beta

    def forward(self, x: Tensor) -> Tensor:
        return x.softplus(beta=self.beta)


class Softmax(Module):
    """Shares that add up to 1 along an axis.

    >>> import strided
    >>> strided.nn.Softmax(dim=-1)(strided.zeros(4)).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        return F.softmax(x, self.dim)


class LogSoftmax(Module):
    """Logarithms of shares along an axis.

    >>> import strided
    >>> strided.nn.LogSoftmax(dim=-1)(strided.tensor([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        self.dim = dim

    def forward(self, x: Tensor) -> Tensor:
        return F.log_softmax(x, self.dim)


class Dropout(Module):
    """Leaves elements out at random while training.

    >>> import strided
    >>> strided.nn.Dropout(1.0)(strided.ones(2)).tolist()
    [0.0, 0.0]
    """

    _shown = ("p",)

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.p, self.training)


class Dropout2d(Dropout):
    """Leaves whole channels out at random while training.

    >>> import strided
    >>> strided.nn.Dropout2d(0.5).eval()(strided.ones(1, 2, 1, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout2d(x, self.p, self.training)


class Flatten(Module):
    """Axes joined into one: a view where strides allow it.

    >>> import strided
    >>> strided.nn.Flatten()(strided.zeros(2, 3, 4)).shape
    (2, 12)
    """

    _shown = ("start_dim", "end_dim")

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, x: Tensor) -> Tensor:
        return x.flatten(self.start_dim, self.end_dim)


class Unflatten(Module):
    """One axis taken apart into several: a view.

    >>> import strided
    >>> strided.nn.Unflatten(1, (3, 4))(strided.zeros(2, 12)).shape
    (2, 3, 4)
    """

    _shown = ("dim", "unflattened_size")

    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None:
        self.dim, self.unflattened_size = dim, tuple(unflattened_size)

    def forward(self, x: Tensor) -> Tensor:
        return x.unflatten(self.dim, self.unflattened_size)


class Upsample(Module):
    """Pictures in another size.

    >>> import strided
    >>> strided.nn.Upsample(scale_factor=2)(strided.zeros(1, 1, 2, 3)).shape
    (1, 1, 4, 6)
    """

    _shown = ("size", "scale_factor", "mode", "align_corners")

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
    ) -> None:
        self.size, self.scale_factor = size, scale_factor
        self.mode, self.align_corners = mode, align_corners

    def forward(self, x: Tensor) -> Tensor:
        return F.interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)
