"""Matrix products, by NumPy's BLAS on zero-copy arrays."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import ShapeMismatch
from strided.functions.arrays import asarray, from_numpy


def _check_shapes(a: Tensor, b: Tensor) -> None:
    rows = b.shape[-2] if b.ndim > 1 else b.shape[0] if b.ndim else 0
    if a.ndim and b.ndim and a.shape[-1] == rows:
        _native.broadcast_shape(a.shape[:-2], b.shape[:-2])
        return
    raise ShapeMismatch(
        operation="matmul",
        expected=a.shape,
        got=b.shape,
        cure="the last axis of the first must be as long as the rows of the second",
    )


def matmul(x1: Any, x2: Any, /) -> Tensor:
    """Return the matrix product of the last two axes, others broadcast. A new tensor.

    >>> import strided
    >>> (strided.ones(2, 3) @ strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    import numpy as np

    a, b = asarray(x1), asarray(x2)
    _check_shapes(a, b)
    dtype = _native.promote_types(a.dtype, b.dtype)
    # Half types have no BLAS: the product runs in float32 and is rounded once.
    wide = _native.float32 if dtype in (_native.float16, _native.bfloat16) else dtype
    product = np.matmul(a.to(wide).numpy(), b.to(wide).numpy())
    return from_numpy(np.asarray(product)).to(dtype)
