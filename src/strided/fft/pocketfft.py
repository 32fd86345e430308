"""pocketfft by NumPy: tensors as arrays over the same memory, results as tensors.

Precision is kept: float32 gives complex64, also with a NumPy that computes in float64 only. Half
precision is computed and returned in single precision, as there is no complex half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch, InvalidArgument, UnsupportedOperation
from strided.ops.arrays import from_numpy

_NORMS = ("backward", "ortho", "forward")
_WIDE = ("float64", "complex128")


def _floats(operation: str, x: Tensor, kinds: str) -> Tensor:
    if x.dtype.kind in kinds:
        return x
    wanted = "real floats" if kinds == "f" else "floats"
    raise DTypeMismatch(
        operation=operation,
        got=x.dtype.name,
        reason=f"it transforms {wanted}",
        hint="take strided.real(x), or fft" if x.dtype.kind == "c" else "convert it: x.double()",
    )


def _check_norm(norm: str | None) -> None:
    if norm is not None and norm not in _NORMS:
        raise InvalidArgument(
            argument="norm", got=repr(norm), requirement=f"must be one of {', '.join(_NORMS)}"
        )


def check_length(name: str, length: int) -> None:
    """Raise InvalidArgument for an axis without elements."""
    if length < 1:
        raise InvalidArgument(argument=name, got=str(length), requirement="must be at least 1")


def _run(operation: str, x: Tensor, complex_result: bool, **named: Any) -> Tensor:
    import numpy as np

    half = x.dtype.itemsize == 2
    # What a gradient needs is recorded around this.
    array = (x._convert(_native.float32, reason="promote") if half else x).detach().numpy()
    try:
        with np.errstate(all="ignore"):  # what overflows becomes infinite or NaN
            result = getattr(np.fft, operation)(array, **named)
    except ValueError as error:
        raise UnsupportedOperation(
            operation=operation, reason=f"NumPy says: {error}", hint="transform fewer numbers"
        ) from None
    found, wide = from_numpy(np.asarray(result)), x.dtype.name in _WIDE
    if complex_result:
        dtype = _native.complex128 if wide else _native.complex64
    else:
        dtype = _native.float64 if wide else _native.float32
    if found.dtype is dtype:
        return found
    return found.positive(out=_native.empty(found.shape, dtype=dtype))


def along_axis(
    operation: str, x: Tensor, n: int | None, axis: int, norm: str | None, *, takes: str, gives: str
) -> Tensor:
    """Transform one axis, truncated or zero-padded to n; ``takes``, ``gives``: dtype kinds."""
    signal = _floats(operation, x, takes)
    _check_norm(norm)
    axis = _native.normal_axis(axis, signal.ndim)
    if n is None:
        length = signal.shape[axis]
        n = length if gives == "c" else 2 * (length - 1)
    check_length("n", n)
    return _run(operation, signal, gives == "c", n=n, axis=axis, norm=norm)


def along_axes(
    operation: str,
    x: Tensor,
    s: Sequence[int] | None,
    axes: Sequence[int] | None,
    norm: str | None,
    *,
    takes: str,
    gives: str,
) -> Tensor:
    """Transform several axes, each truncated or zero-padded to its length in s (-1: unchanged)."""
    signal = _floats(operation, x, takes)
    _check_norm(norm)
    if s is not None and axes is None:
        raise InvalidArgument(argument="axes", got="None", requirement="must be given along with s")
    dims = [
        _native.normal_axis(a, signal.ndim) for a in (range(signal.ndim) if axes is None else axes)
    ]
    lengths = [signal.shape[a] for a in dims]
    if s is not None:
        if len(s) != len(dims):
            raise InvalidArgument(
                argument="s", got=str(tuple(s)), requirement=f"must hold {len(dims)} lengths"
            )
        lengths = [old if new == -1 else new for new, old in zip(s, lengths, strict=True)]
    elif gives == "f" and lengths:
        lengths[-1] = 2 * (lengths[-1] - 1)
    for length in lengths:
        check_length("s", length)
    if not dims:
        return signal._convert(None, True)
    return _run(operation, signal, gives == "c", s=lengths, axes=dims, norm=norm)
