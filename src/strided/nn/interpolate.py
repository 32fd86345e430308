"""Interpolation (resizing), function and module."""

from __future__ import annotations

import math
from collections.abc import Sequence

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.nn.module import Module
from strided.ops.arrays import tensor
from strided.ops.creation import arange
from strided.ops.define import operation

# How many axes behind (batch, channels) a mode takes.
_MODES = {
    "nearest": (1, 2, 3),
    "nearest-exact": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "trilinear": (3,),
}


@operation(namespace="nn")
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
) -> Tensor:
    """Resize x (batch, channels, ...) by interpolation, by PyTorch's rules. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 2.0]]])
    >>> strided.nn.interpolate(x, 4).tolist()
    [[[1.0, 1.0, 2.0, 2.0]]]
    >>> strided.nn.interpolate(x, 4, mode="linear").tolist()
    [[[1.0, 1.25, 1.75, 2.0]]]
    """
    axes = input.ndim - 2
    if mode not in _MODES or axes not in _MODES[mode]:
        raise InvalidArgument(
            argument="mode",
            got=f"{mode!r} for rank {input.ndim}",
            requirement="must be nearest, nearest-exact (rank 3 to 5), linear (3), bilinear (4) "
            "or trilinear (5)",
        )
    if align_corners is not None and mode.startswith("nearest"):
        raise InvalidArgument(
            argument="align_corners", got=str(align_corners), requirement="is for linear modes"
        )
    sizes, factors = _sizes(input, size, scale_factor)
    if recompute_scale_factor:
        factors = [None] * axes
    for axis, (length, factor) in enumerate(zip(sizes, factors, strict=True), 2):
        before = input.shape[axis]
        if length == before and (factor is None or factor == 1.0):
            continue
        step = before / length if factor is None else 1.0 / factor
        if mode.startswith("nearest"):
            shift = 0.5 if mode == "nearest-exact" else 0.0
            # PyTorch computes the position in float32: the same neighbour is chosen here.
            at = (arange(length, dtype=_native.float32) + shift) * step
            index = at.floor().to(_native.int64).clamp(0, before - 1)
            input = input.index_select(axis, index)
        else:
            input = _linear(input, axis, length, step, bool(align_corners))
    return input


def _sizes(
    x: Tensor, size: int | Sequence[int] | None, scale: float | Sequence[float] | None
) -> tuple[list[int], list[float | None]]:
    axes = x.ndim - 2
    if (size is None) == (scale is None):
        raise InvalidArgument(
            argument="size",
            got="given with scale_factor" if size is not None else "left out",
            requirement="or scale_factor must be given, one of the two",
        )
    factors: list[float | None]
    if size is not None:
        sizes, factors = [size] * axes if isinstance(size, int) else list(size), [None] * axes
    else:
        assert scale is not None
        given = [float(scale)] * axes if isinstance(scale, (int, float)) else list(scale)
        sizes = [math.floor(n * factor) for n, factor in zip(x.shape[2:], given, strict=False)]
        factors = [*given]
    if len(sizes) != axes or min(sizes, default=1) < 1:
        raise InvalidArgument(
            argument="size",
            got=str(tuple(sizes)),
            requirement=f"must be above zero for each of {axes} axes",
        )
    return sizes, factors


def _linear(x: Tensor, axis: int, length: int, step: float, align_corners: bool) -> Tensor:
    """Return x interpolated linearly along one axis."""
    before = x.shape[axis]
    if align_corners:
        step = (before - 1) / (length - 1) if length > 1 else 0.0
        at = [step * i for i in range(length)]
    else:
        at = [max(step * (i + 0.5) - 0.5, 0.0) for i in range(length)]
    low = [min(int(position), before - 1) for position in at]
    high = [min(index + 1, before - 1) for index in low]
    fractions = [position - index for position, index in zip(at, low, strict=True)]
    shape = [1] * x.ndim
    shape[axis] = length
    fraction = tensor(fractions, dtype=_native.float64).to(x.dtype).view(shape)
    near, far = (x.index_select(axis, tensor(indices)) for indices in (low, high))
    return near + (far - near) * fraction


class Upsample(Module):
    """Upsampling of images by interpolation.

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
        return interpolate(x, self.size, self.scale_factor, self.mode, self.align_corners)
