"""LAPACK by NumPy: tensors as arrays over the same memory, results as tensors.

LAPACK knows four dtypes. Half-precision tensors are computed in float32 and rounded once; integers
are refused, since which float they should become is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import DType, Tensor, grad_mode
from strided.errors import (
    DTypeMismatch,
    LinearAlgebraError,
    NotPositiveDefinite,
    ShapeMismatch,
    SingularMatrix,
)
from strided.ops.arrays import from_numpy

_NATIVE = ("float32", "float64", "complex64", "complex128")


def matrices(operation: str, x: Tensor, square: bool = False) -> Tensor:
    """Return a stack of matrices of floats, or refuse what is none."""
    if x.ndim < 2:
        raise ShapeMismatch(
            operation=operation,
            expected=(1, *x.shape) if x.ndim else (1, 1),
            got=x.shape,
            hint="matrices need two axes: add one with strided.expand_dims",
        )
    if square and x.shape[-1] != x.shape[-2]:
        side = min(x.shape[-2:])
        raise ShapeMismatch(
            operation=operation,
            expected=(*x.shape[:-2], side, side),
            got=x.shape,
            hint="only square matrices have one; strided.linalg.pinv and svd take any",
        )
    if x.dtype.kind not in "fc":
        raise DTypeMismatch(
            operation=operation,
            got=x.dtype.name,
            reason="the result would be of floats, whose precision is not said",
            hint="convert it first, as with x.double()",
        )
    return x


def computed_in(dtype: DType) -> DType:
    """Return the dtype that LAPACK computes in: float32 for the half-precision ones."""
    return dtype if dtype.name in _NATIVE else _native.float32


def real_dtype(dtype: DType) -> DType:
    """Return the dtype of the parts of complex numbers; a real dtype is its own."""
    if dtype.kind != "c":
        return dtype
    return _native.float32 if dtype is _native.complex64 else _native.float64


def complex_dtype(dtype: DType) -> DType:
    """Return the complex dtype of the same precision."""
    if dtype.kind == "c":
        return dtype
    return _native.complex128 if dtype is _native.float64 else _native.complex64


def in_floats(x: Tensor) -> Tensor:
    """Return matrices in a dtype that is computed in: themselves but for half precision.

    They are of no graph: what a gradient needs is recorded around what is computed of them.
    """
    return x.detach()._convert(computed_in(x.dtype), reason="promote")


def rounded(found: Tensor, dtype: DType) -> Tensor:
    """Return a result in the dtype wanted: itself, or rounded to it."""
    if found.dtype is dtype:
        return found
    return found.positive(out=_native.empty(found.shape, dtype=dtype))


def array_of(x: Tensor) -> Any:
    """Return a NumPy array for LAPACK: over the tensor's memory but for half precision."""
    return in_floats(x).numpy()


def tensor_of(array: Any, dtype: DType) -> Tensor:
    """Return what NumPy computed as a tensor over its memory, or rounded to the dtype wanted."""
    import numpy as np

    return rounded(from_numpy(np.asarray(array)), dtype)


def called(operation: str, function: Callable[..., Any], *arrays: Any, **named: Any) -> Any:
    """Call a function of ``numpy.linalg``; a failure becomes an error of this library.

    Numbers that overflow or are NaN give such results, without a warning.
    """
    import numpy as np

    try:
        with np.errstate(all="ignore"):
            return function(*arrays, **named)
    except ValueError as error:  # LinAlgError is one; NumPy also refuses many axes, and huge ones
        raise _refusal(operation, arrays[0].shape, str(error)) from None


def singular(operation: str, shape: tuple[int, ...]) -> SingularMatrix:
    """Return the refusal of a matrix without an inverse."""
    reason = "a matrix is singular: its rows are not independent"
    return SingularMatrix(operation=operation, shape=shape, reason=reason)


def _refusal(operation: str, shape: tuple[int, ...], said: str) -> LinearAlgebraError:
    if "ingular" in said:
        return singular(operation, shape)
    if "positive definite" in said:
        reason = "a matrix is not positive definite"
        return NotPositiveDefinite(operation=operation, shape=shape, reason=reason)
    return LinearAlgebraError(operation=operation, shape=shape, reason=said)


def is_recorded(x: Tensor) -> bool:
    """Return whether operations on a tensor are recorded for gradients."""
    return x.requires_grad and grad_mode()
