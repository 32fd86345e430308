"""Fourier transforms of the last two axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.fft.transforms import fftn, ifftn, irfftn, rfftn


def fft2(
    x: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    dim: Sequence[int] | None = None,
) -> Tensor:
    """Return the discrete Fourier transform along two axes. A new tensor.

    >>> import strided
    >>> strided.fft.fft2(strided.ones(2, 2)).shape
    (2, 2)
    """
    along = axes if dim is None else dim
    return fftn(x, s=s, axes=along, norm=norm or "backward")


def ifft2(
    x: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    dim: Sequence[int] | None = None,
) -> Tensor:
    """Return the inverse Fourier transform along two axes. A new tensor.

    >>> import strided
    >>> strided.fft.ifft2(strided.ones(2, 2)).shape
    (2, 2)
    """
    along = axes if dim is None else dim
    return ifftn(x, s=s, axes=along, norm=norm or "backward")


def rfft2(
    x: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    dim: Sequence[int] | None = None,
) -> Tensor:
    """Return the Fourier transform of real numbers along two axes, half of it. A new tensor.

    >>> import strided
    >>> strided.fft.rfft2(strided.ones(2, 4)).shape
    (2, 3)
    """
    along = axes if dim is None else dim
    return rfftn(x, s=s, axes=along, norm=norm or "backward")


def irfft2(
    x: Any,
    s: Sequence[int] | None = None,
    axes: Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    dim: Sequence[int] | None = None,
) -> Tensor:
    """Return the inverse of ``rfft2``: real numbers. A new tensor.

    >>> import strided
    >>> strided.fft.irfft2(strided.ones(2, 3)).shape
    (2, 4)
    """
    along = axes if dim is None else dim
    return irfftn(x, s=s, axes=along, norm=norm or "backward")
