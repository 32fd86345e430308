"""Functions of each element: parts of floats, bits, roots."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch
from strided.numpy_names.calls import numpys, with_dtype
from strided.ops.arguments import as_operand, into
from strided.ops.elementwise import where


def modf(x: Any) -> tuple[Tensor, Tensor]:
    """Return the fractional and the integral parts. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.modf(strided.tensor([1.5, -2.5]))]
    [[0.5, -0.5], [1.0, -2.0]]
    """
    values = as_operand(x)
    whole = values.trunc()
    rest = where(values.isinf(), 0, values - whole)
    return rest.copysign(values), whole


def divmod(x1: Any, x2: Any) -> tuple[Tensor, Tensor]:
    """Return the quotients, rounded down, and the remainders. New tensors.

    >>> import strided
    >>> [part.tolist() for part in strided.divmod(strided.tensor([7, -7]), 4)]
    [[1, -2], [3, 1]]
    """
    a, b = as_operand(x1), x2 if isinstance(x2, (int, float)) else as_operand(x2)
    return a // b, a % b


def spacing(x: Any) -> Tensor:
    """Return the distance to the next number away from zero. A new tensor.

    >>> import strided
    >>> strided.spacing(strided.tensor(1.0)).item() == strided.finfo(strided.float32).eps
    True
    """
    return as_operand(numpys("spacing", as_operand(x)))


def bitwise_count(x: Any) -> Tensor:
    """Return how many bits of each integer's absolute value are set. A new tensor.

    >>> import strided
    >>> strided.bitwise_count(strided.tensor([7, 8])).tolist()
    [3, 1]
    """
    values = as_operand(x)
    if values.dtype.kind not in "iub":
        raise DTypeMismatch(
            operation="bitwise_count",
            got=values.dtype.name,
            reason="it has no bits to count",
            hint="use integers",
        )
    return as_operand(numpys("bitwise_count", values))


def cbrt(x: Any, out: Tensor | None = None) -> Tensor:
    """Return the cube roots, of negative numbers too. A new tensor.

    >>> import strided
    >>> strided.cbrt(strided.tensor([-8.0])).tolist()
    [-2.0]
    """
    values = as_operand(x)
    values = (
        values if values.dtype.kind == "f" else values._convert(_native.float32, reason="promote")
    )
    if not values.requires_grad:
        return into(out, with_dtype(numpys("cbrt", values), values.dtype), "cbrt")
    return into(out, values.sign() * values.abs() ** (1 / 3), "cbrt")


def fabs(x: Any, out: Tensor | None = None) -> Tensor:
    """Return absolute values as floats. A new tensor.

    >>> import strided
    >>> strided.fabs([-2]).tolist()
    [2.0]
    """
    values = as_operand(x)
    values = (
        values if values.dtype.kind == "f" else values._convert(_native.float32, reason="promote")
    )
    return into(out, values.abs(), "fabs")


def rint(x: Any, out: Tensor | None = None) -> Tensor:
    """Return the nearest integers as floats, halves to even ones. A new tensor.

    >>> import strided
    >>> strided.rint(strided.tensor([0.5, 1.5])).tolist()
    [0.0, 2.0]
    """
    values = as_operand(x)
    values = (
        values if values.dtype.kind in "fc" else values._convert(_native.float32, reason="promote")
    )
    return into(out, values.round(), "rint")


def packbits(a: Any, axis: int | None = None, bitorder: str = "big") -> Tensor:
    """Return truth values as the bits of bytes. A new tensor of uint8.

    >>> import strided
    >>> strided.packbits([True, False, True]).tolist()
    [160]
    """
    return as_operand(numpys("packbits", as_operand(a), axis, bitorder))


def unpackbits(
    a: Any, axis: int | None = None, count: int | None = None, bitorder: str = "big"
) -> Tensor:
    """Return the bits of bytes as zeros and ones. A new tensor of uint8.

    >>> import strided
    >>> strided.unpackbits(strided.tensor([160], dtype=strided.uint8), count=3).tolist()
    [1, 0, 1]
    """
    return as_operand(numpys("unpackbits", as_operand(a), axis, count, bitorder))
