"""Layer, RMS and group normalization, normalization of vectors; gradients and modules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.arguments import into
from strided.ops.creation import ones, zeros_like
from strided.ops.data_types import check_device, finfo
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients


def _rms_rows_gradient(
    call: Call, x: Tensor, weight: Tensor | None, eps: float, out: None, dtype: Any
) -> Backward:
    return _rule(call, x, weight, None, eps, False)


@operation(gradient=_rms_rows_gradient, function=None, operands=2, namespace="nn")
def rms_rows(
    x: Tensor,
    weight: Tensor | None,
    eps: float,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return ``rms_norm`` over the last axis. A new tensor, or ``out``."""
    return _native.rms_norm(x, weight, eps, out, dtype)


@operation(namespace="nn", converts=True, operands=1)
def rms_norm(
    x: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    eps: float | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the RMS normalization over the last axes. A new tensor, or ``out``.

    It is ``x / sqrt(mean(x**2) + eps) * weight``; ``eps`` is that of the dtype by default.

    >>> import strided
    >>> x, weight = strided.tensor([3.0, 3.0]), strided.tensor([1.0, 2.0])
    >>> strided.nn.rms_norm(x, 2, weight, 0.0).tolist()
    [1.0, 2.0]
    """
    shape = _shape(normalized_shape)
    axes = len(shape)
    number = float(finfo(x.dtype).eps) if eps is None else eps
    _expect_last("rms_norm", x, shape)
    if axes == 1:
        return rms_rows(x, weight, number, out=out, dtype=dtype)
    _expect_weights("rms_norm", shape, weight)
    flat = None if weight is None else weight.flatten()
    made = rms_rows(x.flatten(-axes), flat, number, dtype=dtype)
    return into(out, made.unflatten(-1, shape), "rms_norm")


def _row_norm_gradient(
    call: Call,
    x: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    eps: float,
) -> Backward:
    return _rule(call, x, weight, bias, eps, True)


@operation(gradient=_row_norm_gradient, function=None, operands=3, namespace="nn")
def row_norm(
    x: Tensor, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Return ``layer_norm`` over the last axis. A new tensor."""
    return _native.row_norm(x, weight, bias, eps, None, None)


def _rule(
    call: Call, x: Tensor, weight: Tensor | None, bias: Tensor | None, eps: float, centred: bool
) -> Backward:
    given = [one is not None for one in (weight, bias)]
    saved = call.save(x, weight)
    wants_weights = any(call.needs(1 + i) for i in range(sum(given)))
    wants_x = call.needs(0)

    def backward(g: Tensor) -> Gradients:
        x, weight = saved()
        to_x: Tensor | None
        weights: Sequence[Tensor | None]
        if grad_mode():
            to_x, *weights = _formula(g, x, weight, eps, centred)
        else:
            to_x, rows = _native.norm_gradients(g, x, weight, eps, centred, wants_x, wants_weights)
            weights = (None, None) if rows is None else rows.unbind()
        return to_x, *(one for one, wanted in zip(weights, given, strict=False) if wanted)

    return backward


def _formula(
    g: Tensor, x: Tensor, weight: Tensor | None, eps: float, centred: bool
) -> tuple[Tensor, Tensor, Tensor]:
    lead = tuple(range(x.ndim - 1))
    middle = x - x.mean(-1, keepdim=True) if centred else x
    factor = ((middle * middle).mean(-1, keepdim=True) + eps).rsqrt()
    z = middle * factor
    h = g if weight is None else g * weight
    to_x = h - z * (h * z).mean(-1, keepdim=True)
    if centred:
        to_x = to_x - h.mean(-1, keepdim=True)
    along = g * z
    return to_x * factor, along.sum(lead) if lead else along, g.sum(lead) if lead else g


@operation(namespace="nn")
def layer_norm(
    input: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return the layer normalization of x over its last axes. A new tensor.

    They get mean 0 and variance 1, then are scaled by ``weight`` and shifted by ``bias``.

    >>> import strided
    >>> strided.nn.layer_norm(strided.tensor([[1.0, 3.0]]), 2, eps=0.0).tolist()
    [[-1.0, 1.0]]
    """
    shape = _shape(normalized_shape)
    axes = len(shape)
    _expect_last("layer_norm", input, shape)
    if axes == 1:
        return row_norm(input, weight, bias, eps)
    _expect_weights("layer_norm", shape, weight, bias)
    made = row_norm(
        input.flatten(-axes),
        None if weight is None else weight.flatten(),
        None if bias is None else bias.flatten(),
        eps,
    )
    return made.unflatten(-1, shape)


@operation(namespace="nn")
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Return the group normalization of x (n, channels, ...). A new tensor.

    Each group of channels gets mean 0 and variance 1.

    >>> import strided
    >>> x = strided.tensor([[1.0, 3.0, 5.0, 5.0]])
    >>> strided.nn.group_norm(x, 2, eps=0.0).tolist()[0][:2]
    [-1.0, 1.0]
    """
    if input.ndim < 2 or num_groups < 1 or input.shape[1] % num_groups:
        raise InvalidArgument(
            argument="num_groups",
            got=str(num_groups),
            requirement=f"must divide the channels of an input of shape {tuple(input.shape)}",
        )
    grouped = input.flatten(1).unflatten(1, (num_groups, -1))
    made = row_norm(grouped, None, None, eps).flatten(1).unflatten(1, tuple(input.shape[1:]))
    ones = (1,) * (input.ndim - 2)
    if weight is not None:
        made = made * weight.unflatten(0, (-1, *ones))
    return made if bias is None else made + bias.unflatten(0, (-1, *ones))


def _expect_last(operation: str, x: Tensor, shape: tuple[int, ...]) -> None:
    if not shape or tuple(x.shape[-len(shape) :]) != shape:
        raise ShapeMismatch(
            operation=operation,
            expected=shape,
            got=tuple(x.shape),
            hint="normalized_shape says the last axes of the input",
        )


def _expect_weights(operation: str, shape: tuple[int, ...], *weights: Tensor | None) -> None:
    for given in weights:
        if given is not None and tuple(given.shape) != shape:
            raise ShapeMismatch(
                operation=operation,
                expected=shape,
                got=tuple(given.shape),
                hint="weight and bias have the normalized shape",
            )


def _shape(normalized_shape: int | Sequence[int]) -> tuple[int, ...]:
    return (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)


class LayerNorm(Module):
    """Layer normalization over the last axes.

    >>> import strided
    >>> layer = strided.nn.LayerNorm(4)
    >>> layer, layer(strided.arange(4.0)).mean().item()
    (LayerNorm(normalized_shape=(4,), eps=1e-05), 0.0)
    """

    _shown = ("normalized_shape", "eps")
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if elementwise_affine:
            self.weight = Parameter(ones(self.normalized_shape, dtype=dtype))
            if bias:
                self.bias = Parameter(zeros_like(self.weight.detach()))

    def forward(self, x: Tensor) -> Tensor:
        return layer_norm(x, self.normalized_shape, self.weight, self.bias, self.eps)


class RMSNorm(Module):
    """RMS normalization over the last axes.

    >>> import strided
    >>> strided.nn.RMSNorm(2)(strided.tensor([3.0, 3.0])).round().tolist()
    [1.0, 1.0]
    """

    _shown = ("normalized_shape", "eps")
    weight: Parameter | None

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.normalized_shape, self.eps = _shape(normalized_shape), eps
        self.register_parameter("weight", None)
        if elementwise_affine:
            self.weight = Parameter(ones(self.normalized_shape, dtype=dtype))

    def forward(self, x: Tensor) -> Tensor:
        return rms_norm(x, self.normalized_shape, self.weight, self.eps)


class GroupNorm(Module):
    """Group normalization: mean 0 and variance 1 for each group of channels.

    >>> import strided
    >>> strided.nn.GroupNorm(2, 4)(strided.rand(3, 4, 5)).shape
    (3, 4, 5)
    """

    _shown = ("num_groups", "num_channels", "eps")
    weight: Parameter | None
    bias: Parameter | None

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.num_groups, self.num_channels, self.eps = num_groups, num_channels, eps
        self.register_parameter("weight", None)
        self.register_parameter("bias", None)
        if affine:
            self.weight = Parameter(ones(num_channels, dtype=dtype))
            self.bias = Parameter(zeros_like(self.weight.detach()))

    def forward(self, x: Tensor) -> Tensor:
        return group_norm(x, self.num_groups, self.weight, self.bias, self.eps)


@operation(namespace="nn")
def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Return x normalized: divided by its p-norm along an axis. A new tensor.

    >>> import strided
    >>> [round(x, 3) for x in strided.nn.normalize(strided.tensor([3.0, 4.0]), dim=0).tolist()]
    [0.6, 0.8]
    """
    norm = input.norm(p, dim, keepdim=True)
    return input / norm.clamp(eps)


@operation(namespace="nn")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Return the cosine similarity of vectors along an axis. A new tensor.

    >>> import strided
    >>> a, b = strided.tensor([[1.0, 0.0]]), strided.tensor([[3.0, 4.0]])
    >>> round(strided.nn.cosine_similarity(a, b).item(), 4)
    0.6
    """
    lengths = [x.norm(2.0, dim, keepdim=True).clamp(eps) for x in (x1, x2)]
    return ((x1 / lengths[0]) * (x2 / lengths[1])).sum(dim)
