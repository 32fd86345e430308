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
from strided.ops.elementwise import where

# How many axes behind (batch, channels) a mode takes.
_MODES = {
    "nearest": (1, 2, 3),
    "nearest-exact": (1, 2, 3),
    "linear": (1,),
    "bilinear": (2,),
    "trilinear": (3,),
    "bicubic": (2,),
    "area": (1, 2, 3),
}
# Cubic convolution (Keys 1981).
_CUBIC = -0.75


@operation(namespace="nn")
def interpolate(
    input: Tensor,
    size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Tensor:
    """Resize x (batch, channels, ...) by interpolation, by PyTorch's rules. A new tensor.

    ``mode`` is nearest, nearest-exact, linear, bilinear, trilinear, bicubic or area. ``antialias``
    widens the filter where images become smaller.

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
            requirement="must be nearest, nearest-exact, area (rank 3 to 5), linear (3), bilinear "
            "(4), bicubic (4) or trilinear (5)",
        )
    if align_corners is not None and (mode.startswith("nearest") or mode == "area"):
        raise InvalidArgument(
            argument="align_corners", got=str(align_corners), requirement="is for linear modes"
        )
    if antialias and mode not in ("bilinear", "bicubic"):
        raise InvalidArgument(
            argument="antialias", got="True", requirement="is for the modes bilinear and bicubic"
        )
    sizes, factors = _sizes(input, size, scale_factor)
    if mode == "area":
        from strided.nn import adaptive_pooling

        areas = getattr(adaptive_pooling, f"adaptive_avg_pool{axes}d")
        made: Tensor = areas(input, tuple(sizes))
        return made
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
        elif antialias:
            input = _smoothed(input, axis, length, step, bool(align_corners), mode == "bicubic")
        elif mode == "bicubic":
            input = _cubic(input, axis, length, step, bool(align_corners))
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
    factors: list[float | None] = [None] * axes
    if size is not None:
        sizes = [size] * axes if isinstance(size, int) else list(size)
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


def cubic_weights(part: Tensor) -> list[Tensor]:
    """Return the weights of four neighbours, for places behind the second of them."""
    a = _CUBIC

    def near(t: Tensor) -> Tensor:
        return ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0

    def far(t: Tensor) -> Tensor:
        return ((t - 5.0) * t + 8.0) * t * a - 4.0 * a

    rest = 1.0 - part
    return [far(part + 1.0), near(part), near(rest), far(rest + 1.0)]


def _step(before: int, length: int, step: float, align_corners: bool) -> float:
    """Return the distance of neighbours of the result, in pixels of the input."""
    if not align_corners:
        return step
    return (before - 1) / (length - 1) if length > 1 else 0.0


def _cubic(x: Tensor, axis: int, length: int, step: float, align_corners: bool) -> Tensor:
    """Return x interpolated along one axis by cubics through four neighbours."""
    before = x.shape[axis]
    step = _step(before, length, step, align_corners)
    places = arange(length, dtype=_native.float64)
    at = places * step if align_corners else (places + 0.5) * step - 0.5
    low = at.floor()
    shape = [1] * x.ndim
    shape[axis] = length
    made: Tensor | None = None
    for i, weight in enumerate(cubic_weights(at - low)):
        index = (low + (i - 1)).clamp(0, before - 1).to(_native.int64)
        part = x.index_select(axis, index) * weight.to(x.dtype).view(shape)
        made = part if made is None else made + part
    assert made is not None
    return made


def _smoothed(
    x: Tensor, axis: int, length: int, step: float, align_corners: bool, cubic: bool
) -> Tensor:
    """Return x resized along one axis by a filter that is as wide as a pixel of the result."""
    before = x.shape[axis]
    step = _step(before, length, step, align_corners)
    scale = max(step, 1.0)
    reach = (2.0 if cubic else 1.0) * scale
    centre = ((arange(length, dtype=_native.float64) + 0.5) * step).unsqueeze(1)
    first = (centre - reach + 0.5).trunc().clamp(0, before)
    end = (centre + reach + 0.5).trunc().clamp(0, before)
    pixel = arange(before, dtype=_native.float64)
    t = ((pixel - centre + 0.5) / scale).abs()
    if cubic:
        a = -0.5
        near = ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0
        far = (((t - 5.0) * t + 8.0) * t - 4.0) * a
        weights = where(t < 1.0, near, where(t < 2.0, far, 0.0))
    else:
        weights = (1.0 - t).clamp(0)
    weights = where((pixel >= first) & (pixel < end), weights, 0.0)
    weights = (weights / weights.sum(1, keepdim=True)).to(x.dtype)
    return (x.movedim(axis, -1) @ weights.mT).movedim(-1, axis)


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
        recompute_scale_factor: bool | None = None,
    ) -> None:
        self.size, self.scale_factor = size, scale_factor
        self.mode, self.align_corners = mode, align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        more = self.mode, self.align_corners, self.recompute_scale_factor
        return interpolate(input, self.size, self.scale_factor, *more)


class UpsamplingNearest2d(Upsample):
    """Upsampling of images by their nearest pixels.

    >>> import strided
    >>> strided.nn.UpsamplingNearest2d(scale_factor=2)(strided.zeros(1, 1, 2, 3)).shape
    (1, 1, 4, 6)
    """

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
    ) -> None:
        super().__init__(size, scale_factor)


class UpsamplingBilinear2d(Upsample):
    """Bilinear upsampling of images, whose corners lie upon each other.

    >>> import strided
    >>> strided.nn.UpsamplingBilinear2d(scale_factor=2)(strided.zeros(1, 1, 2, 3)).shape
    (1, 1, 4, 6)
    """

    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
    ) -> None:
        super().__init__(size, scale_factor, "bilinear", True)
