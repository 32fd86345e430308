"""LAPACK by NumPy: tensors as arrays over the same memory, results as tensors; adjoints.

LAPACK knows four dtypes. Half-precision tensors are computed in float32 and rounded once; integers
are refused, since which float they should become is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import Any

from strided import _native
from strided._native import DType, Tensor, grad_mode
from strided.errors import (
    GradientNotPossible,
    LinearAlgebraError,
    NotPositiveDefinite,
    ShapeMismatch,
    SingularMatrix,
)
from strided.ops.arrays import from_numpy
from strided.ops.creation import eye
from strided.ops.elementwise import where

_NATIVE = ("float32", "float64", "complex64", "complex128")
_PHASE = 1e-2  # a dependence on phases that is no rounding


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
    # Integers take the default float, as in mean.
    return x if x.dtype.kind in "fc" else x._convert(_native.float32, reason="promote")


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


# ---- adjoints and diagonals of matrices, of which gradients are made ----


def adjoint(x: Tensor) -> Tensor:
    """Return the transposed matrices, conjugate if they are complex."""
    return conjugate(x).mT


def conjugate(x: Tensor) -> Tensor:
    """Return the conjugates of complex numbers, and real ones as they are."""
    return x.conj() if x.dtype.is_complex else x


def total(*terms: Tensor | None) -> Tensor | None:
    """Return the sum of the terms that are given, None where there is none."""
    given = [term for term in terms if term is not None]
    return reduce(add, given) if given else None


def with_diagonal(values: Tensor, matrices: Tensor) -> Tensor:
    """Return matrices with these values instead of those on the diagonal."""
    side = matrices.shape[-1]
    return where(eye(side, dtype=_native.bool), values.unsqueeze(-1), matrices)


def gaps(values: Tensor) -> Tensor:
    """Return the differences ``values[j] - values[i]`` as matrices, with 1 on the diagonal."""
    between = values.unsqueeze(-2) - values.unsqueeze(-1)
    return with_diagonal(values * 0 + 1, between)


def diagonal_of(x: Tensor) -> Tensor:
    """Return the main diagonals of matrices. A view."""
    return x.diagonal(0, -2, -1)


def check_phase(operation: str, along_phase: Tensor) -> None:
    """Refuse a gradient along the phase of vectors: it has none."""
    if along_phase.size and float(along_phase.detach().imag.abs().amax()) > _PHASE:
        raise GradientNotPossible(
            operation=f"a gradient of {operation}",
            reason="it depends on the phase of complex vectors, which is arbitrary",
            hint="use what does not change with it: sizes, or products of a vector and its adjoint",
        )
