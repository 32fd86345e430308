"""What operations are given: tensors, or array-likes that become tensors, and what they must be."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor, as_tensor
from strided.errors import DTypeMismatch, ShapeMismatch
from strided.ops.define import Form


def as_index(item: Any) -> Tensor:
    """Return an integer tensor for a tensor, array or list of positions."""
    index = as_tensor(item)
    if index.dtype.kind in "iu":
        return index
    if index.size == 0 and isinstance(item, (list, tuple)):
        return index._convert(_native.int64, reason="promote")
    raise DTypeMismatch(
        operation="indexing",
        got=index.dtype.name,
        reason="positions are integers, masks are bool",
        hint="convert the index with .to(strided.int64)",
    )


def as_vector(item: Any) -> Tensor:
    """Return a list of positions, of rank 1."""
    positions = as_index(item)
    if positions.ndim > 1:
        raise ShapeMismatch(
            operation="choosing rows",
            expected=(positions.size,),
            got=positions.shape,
            hint="give a list of positions, or use x[:, index]",
        )
    return positions if positions.ndim else positions.reshape(-1)


def as_operand(item: Any) -> Tensor:
    """Return a tensor for a tensor or array."""
    return as_tensor(item)


def as_comparable(value: Any, other: Tensor) -> Tensor:
    """Return a tensor of what is looked for; a number in the other's dtype, where that holds it."""
    if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
        return as_operand(value)
    dtype, kind = other.dtype, other.dtype.kind
    if kind == "c" or (kind == "f" and not isinstance(value, complex)):
        return _number(value, dtype)
    if isinstance(value, int):
        bits = 8 * dtype.itemsize - (kind == "i")
        holds = kind in "iu" and (-1 << bits if kind == "i" else 0) <= value < 1 << bits
        return _number(value, dtype) if holds else as_tensor(value)
    return _number(value, _native.complex128 if isinstance(value, complex) else _native.float64)


def _number(value: complex, dtype: DType) -> Tensor:
    return _native.empty((), dtype=dtype).fill_(value)


def as_mask(item: Any) -> Tensor:
    """Return a tensor of bool for a tensor, array or list of truth values."""
    mask = as_operand(item)
    if mask.dtype is _native.bool:
        return mask
    raise DTypeMismatch(
        operation="masking",
        got=mask.dtype.name,
        reason="masks are bool",
        hint="say which elements are meant: mask != 0",
    )


POSITIONS = Form(as_index, "iu")
ROWS = Form(as_vector, "iu", 1)
MASK = Form(as_mask, "b")
ARRAY = Form(as_operand)
