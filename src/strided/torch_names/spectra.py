"""Windows, and Fourier transforms of pieces of a signal."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.creation import arange
from strided.ops.define import operation

# ---- windows ----


def _cosines(window_length: int, periodic: bool, weights: tuple[float, ...], dtype: Any) -> Tensor:
    if window_length < 0:
        raise InvalidArgument(
            argument="window_length", got=str(window_length), requirement="must not be negative"
        )
    if window_length == 1:
        return _native.empty(1, dtype=dtype).fill_(1)
    last = window_length if periodic else window_length - 1
    turn = arange(window_length, dtype=_native.float64) * (2 * math.pi / max(1, last))
    made: Any = 0.0
    for k, weight in enumerate(weights):
        made = (turn * k).cos() * weight + made
    window: Tensor = made._convert(dtype or _native.float32)
    return window


@operation(method=None, operands=0)
def hann_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """Return a Hann window: half of ``1 - cos``. A new tensor.

    >>> import strided
    >>> strided.hann_window(4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _cosines(window_length, periodic, (0.5, -0.5), dtype)


@operation(method=None, operands=0)
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: Any = None,
) -> Tensor:
    """Return a Hamming window, ``alpha - beta cos``. A new tensor.

    >>> import strided
    >>> f"{strided.hamming_window(4)[0].item():.2f}"
    '0.08'
    """
    return _cosines(window_length, periodic, (alpha, -beta), dtype)


@operation(method=None, operands=0)
def blackman_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """Return a Blackman window. A new tensor.

    >>> import strided
    >>> strided.blackman_window(4).shape
    (4,)
    """
    return _cosines(window_length, periodic, (0.42, -0.5, 0.08), dtype)


@operation(method=None, operands=0)
def bartlett_window(window_length: int, periodic: bool = True, *, dtype: Any = None) -> Tensor:
    """Return a triangular window. A new tensor.

    >>> import strided
    >>> strided.bartlett_window(4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    if window_length == 1:
        return _native.empty(1, dtype=dtype).fill_(1)
    last = window_length if periodic else window_length - 1
    at = arange(window_length, dtype=_native.float64) * (2 / max(1, last))
    return at.minimum(2 - at)._convert(dtype or _native.float32)


@operation(method=None, operands=0)
def kaiser_window(
    window_length: int, periodic: bool = True, beta: float = 12.0, *, dtype: Any = None
) -> Tensor:
    """Return a Kaiser window. A new tensor.

    >>> import strided
    >>> strided.kaiser_window(3, periodic=False)[1].item()
    1.0
    """
    from strided.special.functions import computed

    if window_length == 1:
        return _native.empty(1, dtype=dtype).fill_(1)
    last = window_length if periodic else window_length - 1
    at = arange(window_length, dtype=_native.float64) * (2 / max(1, last)) - 1
    shape = computed("i0", (1 - at * at).clamp(min=0).sqrt() * beta)
    full = computed("i0", _native.empty((), dtype=_native.float64).fill_(beta))
    return (shape / full)._convert(dtype or _native.float32)


# ---- transforms of pieces ----


@operation(operands=1)
def stft(
    x: Tensor,
    /,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: bool | None = None,
) -> Tensor:
    """Return the Fourier transforms of pieces of signals: frequencies by pieces. A new tensor.

    The pieces are a view of the signal; each is multiplied by the window.

    >>> import strided
    >>> strided.stft(strided.ones(8), 4, return_complex=True).shape
    (3, 9)
    """
    from strided.fft.transforms import fft, rfft
    from strided.nn.padding import pad

    if not return_complex and not x.dtype.is_complex:
        raise InvalidArgument(
            argument="return_complex", got=str(return_complex), requirement="must be True"
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    lines = x.unsqueeze(0) if x.ndim == 1 else x
    if center:
        lines = pad(lines.unsqueeze(0), (n_fft // 2, n_fft // 2), pad_mode).squeeze(0)
    pieces = lines.unfold(-1, n_fft, hop)
    if window is not None or win_length is not None:
        pieces = pieces * _whole_window(window, n_fft, win_length, x)
    one_side = (not x.dtype.is_complex) if onesided is None else onesided
    made = (rfft if one_side else fft)(pieces, norm="ortho" if normalized else "backward").mT
    return made.squeeze(0) if x.ndim == 1 else made


def _whole_window(window: Tensor | None, n_fft: int, length: int | None, x: Tensor) -> Tensor:
    length = n_fft if length is None else length
    real = _native.float64 if x.dtype.name in ("float64", "complex128") else _native.float32
    part = _native.empty(length, dtype=real).fill_(1) if window is None else window
    if part.shape != (length,) or length > n_fft:
        raise InvalidArgument(
            argument="window", got=f"shape {part.shape}", requirement=f"must have {length} elements"
        )
    whole = _native.zeros(n_fft, dtype=part.dtype)
    whole.narrow(0, (n_fft - length) // 2, length).copy_(part)
    return whole


@operation(operands=1)
def istft(
    x: Tensor,
    /,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Tensor:
    """Return the signals whose ``stft`` is given. A new tensor.

    >>> import strided
    >>> pieces = strided.stft(strided.ones(8), 4, return_complex=True)
    >>> strided.allclose(strided.istft(pieces, 4), strided.ones(8))
    True
    """
    from strided.fft.transforms import ifft, irfft

    hop = n_fft // 4 if hop_length is None else hop_length
    norm = "ortho" if normalized else "backward"
    lines = (x.unsqueeze(0) if x.ndim == 2 else x).mT
    one_side = not return_complex if onesided is None else onesided
    pieces = irfft(lines, n=n_fft, norm=norm) if one_side else ifft(lines, norm=norm)
    if not return_complex and not one_side:
        pieces = pieces.real
    weight = _whole_window(window, n_fft, win_length, x)
    pieces = pieces * weight
    count = pieces.shape[-2]
    total = n_fft + hop * (count - 1)
    places = (arange(count).unsqueeze(1) * hop + arange(n_fft)).reshape(-1)
    flat = pieces.reshape(pieces.shape[0], -1)
    made = _native.zeros((pieces.shape[0], total), dtype=flat.dtype).index_add(1, places, flat)
    squares = (weight * weight).expand(count, n_fft).reshape(-1)
    share = _native.zeros(total, dtype=weight.dtype).index_add(0, places, squares)
    first = n_fft // 2 if center else 0
    end = total - first if length is None else min(total, first + length)
    part, share = made[:, first:end], share[first:end]
    if share.numel() and float(share.amin()) < 1e-11:
        raise InvalidArgument(
            argument="window", got="zeros", requirement="must cover every place of the signal"
        )
    found = part / share
    if length is not None and found.shape[-1] < length:
        from strided.nn.padding import pad

        found = pad(found, (0, length - found.shape[-1]))
    return found.squeeze(0) if x.ndim == 2 else found
