"""Dropout, its gradient and modules."""

from __future__ import annotations

from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.nn.module import Module
from strided.ops.deferred import compute
from strided.ops.define import operation
from strided.ops.fused import Compiled
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.random import Generator, random_bits


@operation(namespace="nn")
def dropout(
    x: Tensor, p: float = 0.5, training: bool = True, generator: Generator | None = None
) -> Tensor:
    """Return dropout of x: elements are zero with probability p, others scaled by 1 / (1 - p).

    A new tensor; x itself when not training or p is 0.

    >>> import strided
    >>> x = strided.ones(1000)
    >>> kept = strided.nn.dropout(x, 0.5, generator=strided.Generator(0))
    >>> sorted(set(kept.tolist())), strided.nn.dropout(x, training=False) is x
    ([0.0, 2.0], True)
    """
    return _dropped(x, tuple(x.shape), p, training, generator)


@operation(namespace="nn")
def dropout2d(
    x: Tensor, p: float = 0.5, training: bool = True, generator: Generator | None = None
) -> Tensor:
    """Return channel-wise dropout of x (batch, channels, ...).

    A new tensor; x itself when not training or p is 0.

    >>> import strided
    >>> x = strided.nn.dropout2d(strided.ones(1, 100, 2, 2), generator=strided.Generator(0))
    >>> sorted(set(x.sum((2, 3)).flatten().tolist()))
    [0.0, 8.0]
    """
    shape = (*x.shape[:2], *(1 for _ in x.shape[2:]))
    return _dropped(x, shape, p, training, generator)


def _dropped(
    x: Tensor, shape: tuple[int, ...], p: float, training: bool, generator: Generator | None
) -> Tensor:
    if not 0.0 <= p <= 1.0:
        raise InvalidArgument(argument="p", got=str(p), requirement="must lie between 0 and 1")
    if not training or p == 0.0:
        return x
    kept = random_bits(shape, generator) >= min(round(p * 2**32), 2**32 - 1)
    if p == 1.0:
        kept.zero_()
    scaled: Tensor = _scaled_where(x, kept, 1.0 / (1.0 - p) if p < 1.0 else 0.0)
    return scaled


_scale_kept = Compiled(lambda t, n: (compute("where", t[1], t[0] * n[0], 0),), 2, 1)


def _scaled_where_gradient(call: Call, x: Tensor, kept: Tensor, scale: float) -> Backward:
    """Scale the gradient by the same mask, which is saved: a byte per element."""
    saved = call.save(kept)

    def backward(g: Tensor) -> Gradients:
        (kept,) = saved()
        return _scaled_where(g, kept, scale), None

    return backward


@operation(
    gradient=_scaled_where_gradient, name="scaled_where", function=None, operands=2, namespace="nn"
)
def _scaled_where(x: Tensor, kept: Tensor, scale: float) -> Tensor:
    out = empty(x.shape, dtype=x.dtype)
    _scale_kept((x, kept), (scale,), (out,))
    return out


class Dropout(Module):
    """Dropout: zeroes elements at random while training.

    >>> import strided
    >>> strided.nn.Dropout(1.0)(strided.ones(2)).tolist()
    [0.0, 0.0]
    """

    _shown = ("p",)

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def forward(self, x: Tensor) -> Tensor:
        return dropout(x, self.p, self.training)


class Dropout2d(Dropout):
    """Channel-wise dropout: zeroes whole channels at random while training.

    >>> import strided
    >>> strided.nn.Dropout2d(0.5).eval()(strided.ones(1, 2, 1, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, x: Tensor) -> Tensor:
        return dropout2d(x, self.p, self.training)
