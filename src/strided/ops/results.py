"""Results handed over in tensors that the caller gave as ``out=``.

They are computed first and written then, so an ``out`` that shares memory with an operand is safe,
and a refused call leaves it as it was.
"""

from __future__ import annotations

from typing import Any, TypeVar, cast

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch, GradientNotPossible, InvalidArgument, ShapeMismatch

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
