"""Dropout of elements and of channels, alpha dropout, their gradient and modules."""

from __future__ import annotations

from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.nn.module import Module
from strided.ops.deferred import compute
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.fused import Compiled
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.random_tensors import Generator, random_bits


@operation(namespace="nn")
def dropout(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return dropout of x: elements are zero with probability p, others scaled by 1 / (1 - p).

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.ones(1000)
    >>> kept = strided.nn.dropout(x, 0.5, generator=strided.Generator(0))
    >>> sorted(set(kept.tolist())), strided.nn.dropout(x, training=False) is x
    ([0.0, 2.0], True)
    """
    return _dropped(x, tuple(x.shape), p, training, inplace, generator)


def _by_channel(x: Tensor, axes: int) -> tuple[int, ...]:
    """Return the shape of one number per channel: of (n, c, ...), or of one sample (c, ...)."""
    lead = 1 if x.ndim == axes + 1 else 2
    return (*x.shape[:lead], *(1 for _ in x.shape[lead:]))


@operation(namespace="nn")
def dropout1d(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return channel-wise dropout of signals (batch, channels, length), or of one.

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.nn.dropout1d(strided.ones(1, 100, 2), generator=strided.Generator(0))
    >>> sorted(set(x.sum(2).flatten().tolist()))
    [0.0, 4.0]
    """
    return _dropped(x, _by_channel(x, 1), p, training, inplace, generator)


@operation(namespace="nn")
def dropout2d(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return channel-wise dropout of x (batch, channels, ...).

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.nn.dropout2d(strided.ones(1, 100, 2, 2), generator=strided.Generator(0))
    >>> sorted(set(x.sum((2, 3)).flatten().tolist()))
    [0.0, 8.0]
    """
    return _dropped(x, _by_channel(x, -1), p, training, inplace, generator)


@operation(namespace="nn")
def dropout3d(
    x: Tensor,
    p: float = 0.5,
    training: bool = True,
    inplace: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Return channel-wise dropout of volumes (batch, channels, depth, height, width), or of one.

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.nn.dropout3d(strided.ones(1, 100, 1, 2, 2), generator=strided.Generator(0))
    >>> sorted(set(x.sum((2, 3, 4)).flatten().tolist()))
    [0.0, 8.0]
    """
    return _dropped(x, _by_channel(x, 3), p, training, inplace, generator)


def _dropped(
    x: Tensor,
    shape: tuple[int, ...],
    p: float,
    training: bool,
    inplace: bool,
    generator: Generator | None,
) -> Tensor:
    if not 0.0 <= p <= 1.0:
        raise InvalidArgument(argument="p", got=str(p), requirement="must lie between 0 and 1")
    if not training or p == 0.0:
        return x
    scaled: Tensor = _scaled_where(
        x, _kept(shape, p, generator), 1.0 / (1.0 - p) if p < 1.0 else 0.0
    )
    return x.copy_(scaled) if inplace else scaled


def _kept(shape: tuple[int, ...], p: float, generator: Generator | None) -> Tensor:
    """Return a mask that is False with probability p."""
    kept = random_bits(shape, generator) >= min(round(p * 2**32), 2**32 - 1)
    return kept.zero_() if p == 1.0 else kept


# What selu tends to for large negative numbers: what alpha dropout puts in the place of elements.
_SATURATED = -1.7580993408473766


def _alpha_dropped(
    x: Tensor, shape: tuple[int, ...], p: float, training: bool, inplace: bool
) -> Tensor:
    if not 0.0 <= p <= 1.0:
        raise InvalidArgument(argument="p", got=str(p), requirement="must lie between 0 and 1")
    if not training or p == 0.0:
        return x
    kept = _kept(shape, p, None)
    if p == 1.0:
        made = x * 0.0
    else:
        scale = ((_SATURATED**2 * p + 1.0) * (1.0 - p)) ** -0.5
        shift = -scale * _SATURATED * p
        made = where(kept, x, _SATURATED) * scale + shift
    return x.copy_(made) if inplace else made


@operation(namespace="nn")
def alpha_dropout(
    x: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Return alpha dropout: mean 0 and variance 1 stay as they are (arXiv:1706.02515).

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.ones(2)
    >>> strided.nn.alpha_dropout(x) is x
    True
    """
    return _alpha_dropped(x, tuple(x.shape), p, training, inplace)


@operation(namespace="nn")
def feature_alpha_dropout(
    x: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Return alpha dropout of whole channels of x (batch, channels, ...).

    A new tensor; x itself when not training, p is 0, or ``inplace``.

    >>> import strided
    >>> x = strided.ones(1, 2, 2)
    >>> strided.nn.feature_alpha_dropout(x) is x
    True
    """
    return _alpha_dropped(x, _by_channel(x, -1), p, training, inplace)


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

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return dropout(input, self.p, self.training, self.inplace)


class Dropout1d(Dropout):
    """Channel-wise dropout of signals: zeroes whole channels at random while training.

    >>> import strided
    >>> strided.nn.Dropout1d(0.5).eval()(strided.ones(1, 2, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(Dropout):
    """Channel-wise dropout: zeroes whole channels at random while training.

    >>> import strided
    >>> strided.nn.Dropout2d(0.5).eval()(strided.ones(1, 2, 1, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(Dropout):
    """Channel-wise dropout of volumes: zeroes whole channels at random while training.

    >>> import strided
    >>> strided.nn.Dropout3d(0.5).eval()(strided.ones(1, 2, 1, 1, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(Dropout):
    """Alpha dropout: keeps mean 0 and variance 1 while training.

    >>> import strided
    >>> strided.nn.AlphaDropout(0.5).eval()(strided.ones(1, 2)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(Dropout):
    """Alpha dropout of whole channels while training.

    >>> import strided
    >>> strided.nn.FeatureAlphaDropout(0.5).eval()(strided.ones(1, 2, 1)).flatten().tolist()
    [1.0, 1.0]
    """

    def forward(self, input: Tensor) -> Tensor:
        return feature_alpha_dropout(input, self.p, self.training, self.inplace)
