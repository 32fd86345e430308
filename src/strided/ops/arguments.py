"""Arguments of operations: what becomes tensors, axes, and tensors that take the results.

Results for ``out=`` are computed first and written then, so an ``out`` that shares memory with an
operand is safe, and a refused call leaves it as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import index
from typing import Any, NamedTuple, TypeVar, cast

from strided import _native
from strided._native import DType, Tensor, as_tensor
from strided.errors import (
    DTypeMismatch,
    GradientNotPossible,
    IndexTypeMismatch,
    InvalidArgument,
    ShapeMismatch,
)

# ---- operands ----


class Form(NamedTuple):
    """What an argument is made into before an operation runs: once, for its body and its rule."""

    make: Callable[[Any], Tensor]
    kinds: str = "biufc"  # a tensor of one of these kinds, and of this rank, has the form already
    rank: int = -1  # -1: any


def as_index(item: Any) -> Tensor:
    """Return an integer tensor for a tensor, array or list of positions."""
    if isinstance(item, str):
        raise IndexTypeMismatch(
            operation="indexing",
            got="str",
            reason="axes have no names",
            hint="index with integers, slices, lists or masks",
        )
    index = as_tensor(item)
    if index.dtype.kind in "iu":
        return index
    if index.size == 0 and isinstance(item, (list, tuple)):
        return index._convert(_native.int64, reason="promote")
    raise IndexTypeMismatch(
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


def in_wide(x: Tensor, source: Tensor, write: Callable[[Tensor, Tensor], Any]) -> None:
    """Add elements to others: half-precision sums grow in float32, and are rounded once."""
    if x.dtype not in (_native.float16, _native.bfloat16):
        write(x, source)
        return
    wide = x._convert(_native.float32, reason="promote")
    write(wide, source._convert(_native.float32, reason="promote"))
    _native.copy_into(x, wide, "promote")


POSITIONS = Form(as_index, "iu")
ROWS = Form(as_vector, "iu", 1)
MASK = Form(as_mask, "b")
ARRAY = Form(as_operand)


# ---- axes ----

Axes = int | Sequence[int] | None


def as_integers(value: Any) -> tuple[int, ...]:
    """Return one integer (NumPy's are some too), or several, as a tuple."""
    return (index(value),) if hasattr(value, "__index__") else tuple(map(index, value))


def reduced_axes(x: Tensor, axis: Axes) -> tuple[int, ...]:
    """Return the axes that a reduction takes away, in order."""
    if axis is None:
        return tuple(range(x.ndim))
    if x.ndim == 0:
        return ()
    return tuple(sorted(one % x.ndim for one in as_integers(axis)))  # the operation checked them


def count_along(x: Tensor, axes: Sequence[int]) -> int:
    """Return how many elements are reduced to one."""
    return math.prod(x.shape[axis] for axis in axes)


def with_axes(g: Tensor, axes: Sequence[int], kept: bool) -> Tensor:
    """Return the gradient of a reduction with its axes back, of length 1. A view."""
    if kept:
        return g
    for axis in axes:
        g = g.unsqueeze(axis)
    return g


# ---- out= ----

R = TypeVar("R")


def into(out: Any, result: R, operation: str) -> R:
    """Return the result, or ``out`` with the result in it; for each of several results."""
    if out is None:
        return result
    if isinstance(result, Tensor):
        _require_fit(out, result, operation)
        return cast(R, moved(out, result))
    results = cast(tuple[Tensor, ...], result)
    if isinstance(out, Tensor) or len(out) != len(results):
        raise InvalidArgument(
            argument="out",
            got="a tensor" if isinstance(out, Tensor) else f"{len(out)} tensors",
            requirement=f"must be the {len(results)} tensors that {operation} writes",
        )
    pairs = list(zip(out, results, strict=True))
    for target, part in pairs:
        _require_fit(target, part, operation)
    made: Any = type(result)
    return cast(R, made(*(moved(target, part) for target, part in pairs)))


def moved(out: Tensor, result: Tensor) -> Tensor:
    """Return ``out`` with a result of its shape in it, in its dtype. Logged as ``out``."""
    if _native.any_tracked((out, result)):
        raise GradientNotPossible(
            operation="writing a result into out=",
            reason="gradients do not pass a result that is written into a given tensor",
            hint="leave out= away, or call it under strided.no_grad()",
        )
    _native.copy_into(out, result, "out")
    return out


def _require_fit(out: Tensor, result: Tensor, operation: str) -> None:
    if out.dtype is not result.dtype:
        raise DTypeMismatch(
            operation=f"{operation}(out=...)",
            got=out.dtype.name,
            reason=f"the result is {result.dtype.name}",
            hint=f"give an out of strided.{result.dtype.name}",
        )
    if out.shape != result.shape:
        raise ShapeMismatch(
            operation=f"{operation}(out=...)",
            expected=result.shape,
            got=out.shape,
            hint="give an out of the shape of the result",
        )
