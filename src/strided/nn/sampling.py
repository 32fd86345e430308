"""Sampling images at any places: affine grids and grid sampling."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn.interpolate import cubic_weights
from strided.ops.creation import arange, ones
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.joining import stack


def _base(length: int, align_corners: bool, like: Tensor) -> Tensor:
    """Return where the pixels of an axis lie between -1 and 1."""
    if align_corners:
        step = 2.0 / (length - 1) if length > 1 else 0.0
        first = -1.0 if length > 1 else 0.0
        return arange(length, dtype=like.dtype) * step + first
    return (arange(length, dtype=like.dtype) * 2.0 + 1.0) / length - 1.0


@operation(namespace="nn")
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    """Return where each pixel of images of a size lies after an affine map (n, 2, 3). A new tensor.

    For volumes the map is (n, 3, 4). Places are those that ``grid_sample`` takes: x, y (and z).

    >>> import strided
    >>> theta = strided.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> strided.nn.affine_grid(theta, (1, 1, 1, 2)).tolist()
    [[[[-0.5, 0.0], [0.5, 0.0]]]]
    """
    lengths, axes = tuple(size)[2:], len(size) - 2
    if axes not in (2, 3) or tuple(theta.shape) != (size[0], axes, axes + 1):
        raise ShapeMismatch(
            operation="affine_grid",
            expected=(size[0], axes, axes + 1),
            got=tuple(theta.shape),
            hint="theta has one matrix for each image of the size (n, c, height, width)",
        )
    places = []
    for axis in reversed(range(axes)):
        shape = [1] * axes
        shape[axis] = lengths[axis]
        base = _base(lengths[axis], bool(align_corners), theta).reshape(tuple(shape))
        places.append(base.expand(*lengths))
    places.append(ones(*lengths, dtype=theta.dtype))
    points = stack(places, axis=-1).flatten(0, -2)  # (pixels, axes + 1)
    return (points @ theta.mT).unflatten(1, lengths)


@operation(namespace="nn")
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    """Return images (n, c, height, width) sampled at places (n, ..., 2) from -1 to 1. A new tensor.

    Volumes (n, c, depth, height, width) take places (n, ..., 3). The last axis is x, y (and z).

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 3.0]]]])
    >>> strided.nn.grid_sample(x, strided.zeros(1, 1, 1, 2)).tolist()
    [[[[2.0]]]]
    """
    axes = input.ndim - 2
    wrong = axes not in (2, 3) or grid.ndim != input.ndim or grid.shape[-1] != axes
    if wrong or len(grid) != len(input) or 0 in input.shape[2:]:
        raise ShapeMismatch(
            operation="grid_sample",
            expected=(len(input), *(-1,) * axes, axes),
            got=tuple(grid.shape),
            hint="a grid has a place of 2 numbers (of volumes 3) for each pixel of the result",
        )
    modes = ("bilinear", "nearest", "bicubic") if axes == 2 else ("bilinear", "nearest")
    for name, given, allowed in (
        ("mode", mode, modes),
        ("padding_mode", padding_mode, ("zeros", "border", "reflection")),
    ):
        if given not in allowed:
            raise InvalidArgument(
                argument=name, got=repr(given), requirement=f"must be one of {allowed}"
            )
    corners, lengths = bool(align_corners), tuple(input.shape[2:])
    flat = grid.flatten(1, -2).to(input.dtype)  # (n, points, axes)
    places = [_pixels(flat[..., axes - 1 - axis], lengths[axis], corners) for axis in range(axes)]
    if mode != "bicubic":
        places = [
            _moved(at, length, padding_mode, corners)
            for at, length in zip(places, lengths, strict=True)
        ]
    parts = [_neighbours(at, mode) for at in places]
    made: Tensor | None = None
    for chosen in itertools.product(*parts):
        indices = [index for index, _ in chosen]
        if mode == "bicubic":
            indices = [
                _moved(index, length, padding_mode, corners)
                for index, length in zip(indices, lengths, strict=True)
            ]
        value = _at(input, indices, lengths)
        for _, weight in chosen:
            if weight is not None:
                value = value * weight.unsqueeze(1)
        made = value if made is None else made + value
    assert made is not None
    return made.unflatten(2, tuple(grid.shape[1:-1]))


def _pixels(at: Tensor, length: int, corners: bool) -> Tensor:
    """Return places from -1 to 1 as places in pixels."""
    if corners:
        return (at + 1.0) * ((length - 1) / 2.0)
    return ((at + 1.0) * length - 1.0) / 2.0


def _moved(at: Tensor, length: int, padding_mode: str, corners: bool) -> Tensor:
    """Return places in pixels as the padding mode puts them inside."""
    if padding_mode == "zeros":
        return at
    if padding_mode == "reflection":
        low, high = (0.0, length - 1.0) if corners else (-0.5, length - 0.5)
        span = high - low
        if span == 0.0:
            at = at * 0.0
        else:
            away = (at - low).abs()
            turns = (away / span).floor().detach()
            rest = away - turns * span
            at = where(turns % 2 == 0, rest + low, high - rest)
    return at.clamp(0.0, length - 1.0)


def _neighbours(at: Tensor, mode: str) -> list[tuple[Tensor, Tensor | None]]:
    """Return pixels along one axis and their weights."""
    if mode == "nearest":
        return [(at.detach().round(), None)]
    low = at.detach().floor()
    part = at - low
    if mode == "bilinear":
        return [(low, 1.0 - part), (low + 1.0, part)]
    return [(low + (i - 1.0), weight) for i, weight in enumerate(cubic_weights(part))]


def _at(x: Tensor, indices: list[Tensor], lengths: tuple[int, ...]) -> Tensor:
    """Return the pixels of (n, c, ...) at places (n, points), 0 outside: (n, c, points)."""
    inside: Tensor | None = None
    flat: Tensor | None = None
    for index, length in zip(indices, lengths, strict=True):
        within = (index >= 0) & (index <= length - 1)
        place = where(within, index, 0.0).to(_native.int64)
        inside = within if inside is None else inside & within
        flat = place if flat is None else flat * length + place
    assert flat is not None
    assert inside is not None
    count = x.shape[1]
    every = flat.unsqueeze(1).expand(len(x), count, flat.shape[1])
    picked = x.flatten(2).gather(2, every)
    return where(inside.unsqueeze(1), picked, 0.0)
