"""Frequencies of transforms (fftfreq, rfftfreq), and shifts of frequency zero to the middle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch, InvalidArgument
from strided.ops.creation import arange
from strided.ops.define import operation
from strided.ops.joining import roll


def _scaled(operation: str, steps: Tensor, n: int, d: float, dtype: Any) -> Tensor:
    """Return integer multiples of the base frequency: computed in float64, rounded once."""
    dtype = _native.float32 if dtype is None else _native.as_dtype(dtype)
    if dtype.kind != "f":
        raise DTypeMismatch(
            operation=operation,
            got=dtype.name,
            reason="frequencies are real floats",
            hint="pass dtype=strided.float32 or float64",
        )
    return steps.divide(n * d, out=_native.empty(steps.shape, dtype=dtype))


def _check_count(n: int) -> None:
    if n < 1:
        raise InvalidArgument(argument="n", got=str(n), requirement="must be at least 1")


@operation(namespace="fft", operands=0)
def fftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Return the sample frequencies of ``fft`` of n samples with spacing d. A new tensor.

    >>> import strided
    >>> strided.fft.fftfreq(4).tolist()
    [0.0, 0.25, -0.5, -0.25]
    """
    _check_count(n)
    steps = arange(n, dtype=_native.float64, device=device)
    steps[(n + 1) // 2 :] -= n
    return _scaled("fftfreq", steps, n, d, dtype)


@operation(namespace="fft", operands=0)
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: Any = None, device: Any = None) -> Tensor:
    """Return the sample frequencies of ``rfft`` of n samples with spacing d. A new tensor.

    >>> import strided
    >>> strided.fft.rfftfreq(4).tolist()
    [0.0, 0.25, 0.5]
    """
    _check_count(n)
    steps = arange(n // 2 + 1, dtype=_native.float64, device=device)
    return _scaled("rfftfreq", steps, n, d, dtype)


def _rolled(x: Tensor, axes: int | Sequence[int] | None, back: bool) -> Tensor:
    if axes is None:
        axes = range(x.ndim)
    dims = [axes] if isinstance(axes, int) else list(axes)
    lengths = [x.shape[_native.normal_axis(a, x.ndim)] for a in dims]
    shifts = [-(length // 2) if back else length // 2 for length in lengths]
    return roll(x, shifts, axis=dims)


@operation(numpy="fft.fftshift: x axes", namespace="fft", converts=True)
def fftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Shift frequency zero to the middle of axes, all by default. A new tensor.

    >>> import strided
    >>> strided.fft.fftshift(strided.tensor([0.0, 1.0, -2.0, -1.0])).tolist()
    [-2.0, -1.0, 0.0, 1.0]
    """
    return _rolled(x, axes, back=False)


@operation(numpy="fft.ifftshift: x axes", namespace="fft", converts=True)
def ifftshift(x: Any, /, *, axes: int | Sequence[int] | None = None) -> Tensor:
    """Return the inverse of ``fftshift``. A new tensor.

    >>> import strided
    >>> strided.fft.ifftshift(strided.tensor([-2.0, -1.0, 0.0, 1.0])).tolist()
    [0.0, 1.0, -2.0, -1.0]
    """
    return _rolled(x, axes, back=True)
