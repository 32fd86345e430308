"""NumPy's functions that make an array like a tensor: ``np.zeros_like(x)``, ``np.full_like(x, 3)``.

Rows of ``numpy_functions``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.exchange import numpy_views
from strided.exchange.numpy_arrays import numpys_dtype
from strided.functions import create
from strided.functions.arrays import asarray


def _pattern(a: Any, shape: Any) -> Tensor:
    """Return a tensor whose dtype and shape a new one takes. A view, or of one element."""
    x = asarray(a)
    return x if shape is None else numpy_views.broadcast_to(_native.empty((), dtype=x.dtype), shape)


def _like(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return function(_pattern(a, shape), dtype=numpys_dtype(dtype))

    return row


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    made = create.empty_like(_pattern(a, shape), dtype=numpys_dtype(dtype))
    made[...] = fill_value
    return made


ROWS: dict[str, Callable[..., Any]] = {
    **{f"{n}_like": _like(getattr(create, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}
