"""Rows of NumPy's shape and view functions: no element is read.

Parameters have NumPy's names and order; all tensors returned are views.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided._native import Tensor
from strided.errors import UnsupportedOperation
from strided.functions.arrays import asarray
from strided.ops import complex_parts, manipulation, shapes, splitting

Axis = int | Sequence[int] | None


# ---- what is known without an element ----


def _shape(a: Any) -> tuple[int, ...]:
    return tuple(asarray(a).shape)


def _ndim(a: Any) -> int:
    return asarray(a).ndim


def _size(a: Any, axis: int | None = None) -> int:
    x = asarray(a)
    if axis is None:
        return x.size
    if not hasattr(axis, "__index__"):
        raise UnsupportedOperation(
            operation="size", reason="it is asked for several axes", hint="multiply their lengths"
        )
    return x.shape[axis]


# ---- views ----


def _reshape(a: Any, /, shape: Any, *, copy: bool | None = None) -> Tensor:
    return shapes.reshape(asarray(a), shape, copy=copy)


def ravel(a: Any) -> Tensor:
    return shapes.reshape(asarray(a), (-1,))


def _transpose(a: Any, axes: Sequence[int] | None = None) -> Tensor:
    x = asarray(a)
    return x.permute(tuple(reversed(range(x.ndim))) if axes is None else tuple(axes))


def _moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    return manipulation.moveaxis(asarray(a), source, destination)


def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    return asarray(a).transpose(axis1, axis2)


def _squeeze(a: Any, axis: Axis = None) -> Tensor:
    return manipulation.squeeze(asarray(a), axis)


def _expand_dims(a: Any, axis: int | Sequence[int]) -> Tensor:
    return manipulation.expand_dims(asarray(a), axis)


def broadcast_to(array: Any, shape: Any) -> Tensor:
    """Return an array repeated to a shape. A view."""
    lengths = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    return manipulation.broadcast_to(asarray(array), lengths)


def _flip(m: Any, axis: Axis = None) -> Tensor:
    return manipulation.flip(asarray(m), axis=axis)


def _rot90(m: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    return manipulation.rot90(asarray(m), k, axes)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return splitting.diagonal(asarray(a), offset, axis1, axis2)


def _matrix_transpose(x: Any, /) -> Tensor:
    return manipulation.matrix_transpose(asarray(x))


def _real(val: Any) -> Tensor:
    return complex_parts.real(asarray(val))


def _imag(val: Any) -> Tensor:
    return complex_parts.imag(asarray(val))


ROWS: dict[str, Callable[..., Any]] = {
    "shape": _shape,
    "ndim": _ndim,
    "size": _size,
    "reshape": _reshape,
    "ravel": ravel,
    **dict.fromkeys(("transpose", "permute_dims"), _transpose),
    "moveaxis": _moveaxis,
    "swapaxes": _swapaxes,
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "broadcast_to": broadcast_to,
    "flip": _flip,
    "rot90": _rot90,
    "diagonal": _diagonal,
    "matrix_transpose": _matrix_transpose,
    "real": _real,
    "imag": _imag,
}
