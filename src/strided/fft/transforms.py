"""Discrete Fourier transforms, by the array API: pocketfft, by NumPy, over the tensor's memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided._native import Tensor
from strided.autograd.differentiable import differentiable
from strided.fft.pocketfft import along_axes, along_axis


@differentiable
def fft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the discrete Fourier transform along an axis. A new tensor.

    ``n`` cuts the axis or pads it with zeros; ``norm`` says which direction divides: "backward",
    "forward" by n, or "ortho" both by its root.

    >>> import strided
    >>> strided.fft.fft(strided.tensor([1 + 0j, 1 + 0j])).tolist()
    [(2+0j), 0j]
    """
    return along_axis("fft", x, n, axis, norm, takes="fc", gives="c")


@differentiable
def ifft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the inverse of ``fft`` along an axis. A new tensor.

    ``n`` cuts the axis or pads it with zeros.

    >>> import strided
    >>> strided.fft.ifft(strided.tensor([2 + 0j, 0j])).tolist()
    [(1+0j), (1+0j)]
    """
    return along_axis("ifft", x, n, axis, norm, takes="fc", gives="c")


@differentiable
def rfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the transform of real numbers: frequencies from 0 up only. A new tensor.

    The axis gets ``n // 2 + 1`` elements, as the others are their conjugates.

    >>> import strided
    >>> strided.fft.rfft(strided.tensor([1.0, 1.0])).tolist()
    [(2+0j), 0j]
    """
    return along_axis("rfft", x, n, axis, norm, takes="f", gives="c")


@differentiable
def irfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the inverse of ``rfft``: real numbers. A new tensor.

    ``n`` is the length of the result, ``2 * (m - 1)`` by default: odd lengths need it.

    >>> import strided
    >>> strided.fft.irfft(strided.tensor([2 + 0j, 0j])).tolist()
    [1.0, 1.0]
    """
    return along_axis("irfft", x, n, axis, norm, takes="fc", gives="f")


@differentiable
def hfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the real transform of a signal given by its half, the rest conjugate. A new tensor.

    ``n`` is the length of the result, ``2 * (m - 1)`` by default.

    >>> import strided
    >>> strided.fft.hfft(strided.tensor([1 + 0j, 1 + 0j])).tolist()
    [2.0, 0.0]
    """
    return along_axis("hfft", x, n, axis, norm, takes="fc", gives="f")


@differentiable
def ihfft(x: Any, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Tensor:
    """Return the inverse of ``hfft``: the half of a conjugate-symmetric signal. A new tensor.

    The axis gets ``n // 2 + 1`` elements.

    >>> import strided
    >>> strided.fft.ihfft(strided.tensor([2.0, 0.0])).tolist()
    [(1-0j), (1-0j)]
    """
    return along_axis("ihfft", x, n, axis, norm, takes="f", gives="c")


@differentiable
def fftn(
    x: Any,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Tensor:
    """Return the discrete Fourier transform along several axes, all by default. A new tensor.

    ``s`` cuts those axes or pads them with zeros.

    >>> import strided
    >>> strided.fft.fftn(strided.ones(2, 2)).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return along_axes("fftn", x, s, axes, norm, takes="fc", gives="c")


@differentiable
def ifftn(
    x: Any,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Tensor:
    """Return the inverse of ``fftn``. A new tensor.

    ``s`` cuts those axes or pads them with zeros.

    >>> import strided
    >>> strided.fft.ifftn(strided.ones(2, 2)).tolist()
    [[(1+0j), 0j], [0j, 0j]]
    """
    return along_axes("ifftn", x, s, axes, norm, takes="fc", gives="c")


@differentiable
def rfftn(
    x: Any,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Tensor:
    """Return the transform of real numbers along several axes, all by default. A new tensor.

    The last of the axes gets ``n // 2 + 1`` elements, the frequencies from 0 up.

    >>> import strided
    >>> strided.fft.rfftn(strided.ones(2, 2)).tolist()
    [[(4+0j), 0j], [0j, 0j]]
    """
    return along_axes("rfftn", x, s, axes, norm, takes="f", gives="c")


@differentiable
def irfftn(
    x: Any,
    /,
    *,
    s: Sequence[int] | None = None,
    axes: Sequence[int] | None = None,
    norm: str = "backward",
) -> Tensor:
    """Return the inverse of ``rfftn``: real numbers. A new tensor.

    ``s`` are the lengths of the result; the last is ``2 * (m - 1)`` by default.

    >>> import strided
    >>> strided.fft.irfftn(strided.tensor([[4 + 0j, 0j], [0j, 0j]])).tolist()
    [[1.0, 1.0], [1.0, 1.0]]
    """
    return along_axes("irfftn", x, s, axes, norm, takes="fc", gives="f")
