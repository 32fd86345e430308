"""Pooling by norms, by windows at random places, and the inverse of max pooling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from strided import _native
from strided._native import Tensor
from strided.errors import IndexOutOfBounds, InvalidArgument, ShapeMismatch
from strided.nn.padding import Sizes, per_axis
from strided.nn.pooling import avg_pool1d, avg_pool2d, avg_pool3d
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.random_tensors import rand

_AVERAGES = {1: avg_pool1d, 2: avg_pool2d, 3: avg_pool3d}


def _lp_pool(
    axes: int,
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None,
    ceil_mode: bool,
) -> Tensor:
    size = per_axis(kernel_size, axes, "kernel_size")
    count = 1
    for one in size:
        count *= one
    powers = input.pow(norm_type)
    made = _AVERAGES[axes](powers, kernel_size, stride, 0, ceil_mode)
    return (made.sign() * made.abs().relu() * count).pow(1.0 / norm_type)


@operation(namespace="nn")
def lp_pool1d(
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the p-norm of every window of (n, c, length). A new tensor.

    >>> import strided
    >>> strided.nn.lp_pool1d(strided.tensor([[3.0, 4.0]]), 2.0, 2).flatten().tolist()
    [5.0]
    """
    return _lp_pool(1, input, norm_type, kernel_size, stride, ceil_mode)


@operation(namespace="nn")
def lp_pool2d(
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the p-norm of every window of (n, c, height, width). A new tensor.

    >>> import strided
    >>> strided.nn.lp_pool2d(strided.tensor([[[3.0, 4.0]]]), 2.0, (1, 2)).flatten().tolist()
    [5.0]
    """
    return _lp_pool(2, input, norm_type, kernel_size, stride, ceil_mode)


@operation(namespace="nn")
def lp_pool3d(
    input: Tensor,
    norm_type: float,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    ceil_mode: bool = False,
) -> Tensor:
    """Return the p-norm of every window of (n, c, depth, height, width). A new tensor.

    >>> import strided
    >>> strided.nn.lp_pool3d(strided.tensor([[[[3.0, 4.0]]]]), 2.0, (1, 1, 2)).flatten().tolist()
    [5.0]
    """
    return _lp_pool(3, input, norm_type, kernel_size, stride, ceil_mode)


def _unpooled(
    operation: str,
    axes: int,
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None,
    padding: Sizes,
    output_size: Sequence[int] | None,
) -> Tensor:
    if input.shape != indices.shape or input.ndim not in (axes + 1, axes + 2):
        raise ShapeMismatch(
            operation=operation,
            expected=tuple(input.shape),
            got=tuple(indices.shape),
            hint="indices are those that max pooling returned, in its shape",
        )
    window = per_axis(kernel_size, axes, "kernel_size")
    steps = window if stride is None else per_axis(stride, axes, "stride")
    around = per_axis(padding, axes, "padding", 0)
    size = tuple(
        (n - 1) * step - 2 * zeros + length
        for n, step, zeros, length in zip(input.shape[-axes:], steps, around, window, strict=True)
    )
    if output_size is not None:
        wanted = tuple(output_size)[-axes:]
        if any(abs(n - m) >= step for n, m, step in zip(wanted, size, steps, strict=True)):
            raise InvalidArgument(
                argument="output_size",
                got=str(tuple(output_size)),
                requirement=f"must be less than a stride away from {size}",
            )
        size = wanted
    count = 1
    for one in size:
        count *= one
    flat, lead = indices.flatten(-axes).to(_native.int64), input.shape[:-axes]
    if flat.numel() and (flat.amin().item() < 0 or flat.amax().item() >= count):
        raise IndexOutOfBounds(index=flat.amax().item(), length=count, axis=input.ndim - 1)
    made = _native.zeros((*lead, count), dtype=input.dtype)
    return made.scatter(-1, flat, input.flatten(-axes)).reshape((*lead, *size))


@operation(namespace="nn")
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Return (n, c, length) with maxima in their places, else zeros. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[1.0, 3.0, 2.0, 0.0]])
    >>> made, indices = strided.nn.max_pool1d(x, 2, return_indices=True)
    >>> strided.nn.max_unpool1d(made, indices, 2).flatten().tolist()
    [0.0, 3.0, 2.0, 0.0]
    """
    more = kernel_size, stride, padding, output_size
    return _unpooled("max_unpool1d", 1, input, indices, *more)


@operation(namespace="nn")
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Return (n, c, height, width) with maxima in their places, else zeros. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[[1.0, 3.0, 2.0, 0.0]]])
    >>> made, indices = strided.nn.max_pool2d(x, (1, 2), return_indices=True)
    >>> strided.nn.max_unpool2d(made, indices, (1, 2)).flatten().tolist()
    [0.0, 3.0, 2.0, 0.0]
    """
    more = kernel_size, stride, padding, output_size
    return _unpooled("max_unpool2d", 2, input, indices, *more)


@operation(namespace="nn")
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Sizes,
    stride: Sizes | None = None,
    padding: Sizes = 0,
    output_size: Sequence[int] | None = None,
) -> Tensor:
    """Return (n, c, depth, height, width) with maxima in their places, else zeros. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[[[1.0, 3.0, 2.0, 0.0]]]])
    >>> made, indices = strided.nn.max_pool3d(x, (1, 1, 2), return_indices=True)
    >>> strided.nn.max_unpool3d(made, indices, (1, 1, 2)).flatten().tolist()
    [0.0, 3.0, 2.0, 0.0]
    """
    more = kernel_size, stride, padding, output_size
    return _unpooled("max_unpool3d", 3, input, indices, *more)


def _fractional(
    axes: int,
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None,
    output_ratio: float | Sequence[float] | None,
    return_indices: bool,
    samples: Tensor | None,
) -> Tensor | tuple[Tensor, Tensor]:
    if (output_size is None) == (output_ratio is None):
        raise InvalidArgument(
            argument="output_size",
            got="given with output_ratio" if output_size is not None else "left out",
            requirement="or output_ratio must be given, one of the two",
        )
    lengths = input.shape[-axes:]
    window = per_axis(kernel_size, axes, "kernel_size")
    if output_size is not None:
        counts = per_axis(output_size, axes, "output_size")
    else:
        ratio = output_ratio
        each = (
            [ratio] * axes if isinstance(ratio, (int, float)) else [*cast(Sequence[float], ratio)]
        )
        counts = tuple(int(n * one) for n, one in zip(lengths, each, strict=True))
    if any(c < 1 or c + k - 1 > n for c, k, n in zip(counts, window, lengths, strict=True)):
        raise ShapeMismatch(
            operation="fractional_max_pool",
            expected=window,
            got=tuple(input.shape),
            hint=f"{counts} windows do not fit: give a smaller kernel_size or output_size",
        )
    x = input.unsqueeze(0) if input.ndim == axes + 1 else input
    lead = tuple(x.shape[:2])
    drawn = rand(*lead, axes, dtype=_native.float64) if samples is None else samples
    # Samples of an image are those of columns, then rows; of a volume depth, rows, columns.
    order = range(axes) if axes == 3 else reversed(range(axes))
    flat: Tensor | None = None
    for axis, place in enumerate(order):
        first = _begins(drawn[..., place], lengths[axis], counts[axis], window[axis])
        along = first.unsqueeze(-1) + arange(window[axis])  # (n, c, count, window)
        shape = [1] * (2 * axes)
        shape[axis], shape[axes + axis] = counts[axis], window[axis]
        along = along.reshape((*lead, *shape))
        flat = along if flat is None else flat * lengths[axis] + along
    assert flat is not None
    every = flat.expand(*lead, *counts, *window)
    picked = x.flatten(2).gather(2, every.flatten(2)).reshape((*lead, *counts, -1))
    made, chosen = picked.max(dim=-1)
    places = every.reshape((*lead, *counts, -1)).gather(-1, chosen.unsqueeze(-1)).squeeze(-1)
    if input.ndim == axes + 1:
        made, places = made.squeeze(0), places.squeeze(0)
    return (made, places) if return_indices else made


def _begins(sample: Tensor, length: int, count: int, window: int) -> Tensor:
    """Return where windows begin: (n, c, count), by the random numbers of each (n, c)."""
    step = (length - window) / (count - 1) if count > 1 else 0.0
    at = ((arange(count) + sample.unsqueeze(-1)) * step).floor()
    begins = (at - (sample * step).floor().unsqueeze(-1)).to(_native.int64)
    begins[..., -1] = length - window
    return begins


@operation(namespace="nn")
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | Sequence[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the max pooling of (n, c, height, width) by random windows (arXiv:1412.6071).

    A new tensor.

    >>> import strided
    >>> strided.nn.fractional_max_pool2d(strided.arange(16.0).reshape(1, 4, 4), 2, 2).shape
    (1, 2, 2)
    """
    more = kernel_size, output_size, output_ratio, return_indices, _random_samples
    return _fractional(2, input, *more)


@operation(namespace="nn")
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: Sizes,
    output_size: Sizes | None = None,
    output_ratio: float | Sequence[float] | None = None,
    return_indices: bool = False,
    _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the max pooling of (n, c, depth, height, width) by random windows (arXiv:1412.6071).

    A new tensor.

    >>> import strided
    >>> strided.nn.fractional_max_pool3d(strided.arange(64.0).reshape(1, 4, 4, 4), 2, 2).shape
    (1, 2, 2, 2)
    """
    more = kernel_size, output_size, output_ratio, return_indices, _random_samples
    return _fractional(3, input, *more)
