"""Matrix products, by NumPy's BLAS on zero-copy arrays."""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.functions.arrays import asarray, from_numpy


def matmul(x1: Any, x2: Any, /) -> Tensor:
    """Return the matrix product of the last two axes, others broadcast. A new tensor.

    >>> import strided
    >>> (strided.ones(2, 3) @ strided.ones(3, 1)).tolist()
    [[3.0], [3.0]]
    """
    import numpy as np

    a, b = asarray(x1), asarray(x2)
    dtype = _native.promote_types(a.dtype, b.dtype)
    # Half types have no BLAS: the product runs in float32 and is rounded once.
    wide = _native.float32 if dtype in (_native.float16, _native.bfloat16) else dtype
    product = np.matmul(a.to(wide).numpy(), b.to(wide).numpy())
    return from_numpy(np.asarray(product)).to(dtype)
