"""Results handed over in tensors that the caller gave as ``out=``.

They are computed first and written then, so an ``out`` that shares memory with an operand is safe,
and a refused call leaves it as it was.
"""

from __future__ import annotations

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch, GradientNotPossible, ShapeMismatch


def into(out: Tensor | None, result: Tensor, operation: str) -> Tensor:
    """Return the result, or ``out`` with the result in it."""
    if out is None:
        return result
    _require_fit(out, result, operation)
    return moved(out, result)


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


def into_pair(
    out: tuple[Tensor, Tensor] | None, results: tuple[Tensor, Tensor], operation: str
) -> tuple[Tensor, Tensor]:
    """Return both results, or the tensors of ``out`` with the results in them."""
    if out is None:
        return results
    first, second = out
    _require_fit(first, results[0], operation)
    _require_fit(second, results[1], operation)
    return moved(first, results[0]), moved(second, results[1])


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
