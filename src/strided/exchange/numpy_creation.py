"""NumPy's functions that make an array like a tensor: ``np.zeros_like(x)``, ``np.full_like(x, 3)``.

Rows of ``numpy_functions``. What is like a tensor is a tensor: a dtype that tensors do not have is
refused instead of left to NumPy, by which dask learns that chunks have no structured dtypes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.exchange import numpy_views
from strided.functions import create
from strided.functions.arrays import asarray


def _dtype(given: Any) -> DType | None:
    import numpy as np

    return None if given is None else _native.as_dtype(np.dtype(given))


def _pattern(a: Any, shape: Any) -> Tensor:
    """Return a tensor whose dtype and shape a new one takes. A view, or of one element."""
    x = asarray(a)
    return x if shape is None else numpy_views.broadcast_to(_native.empty((), dtype=x.dtype), shape)


def _like(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return function(_pattern(a, shape), dtype=_dtype(dtype))

    return row


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    made = create.empty_like(_pattern(a, shape), dtype=_dtype(dtype))
    made[...] = fill_value
    return made


ROWS: dict[str, Callable[..., Any]] = {
    **{f"{n}_like": _like(getattr(create, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}
