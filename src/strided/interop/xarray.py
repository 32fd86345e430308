"""xarray: what it asks a namespace for and the array API does not have.

Missing values need a NumPy dtype, padding and windows a function of NumPy's. These go to NumPy's
own, which take tensors; everything else of xarray runs as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided._native import DType, Tensor
from strided.errors import UnsupportedOperation

_replaced: list[str] = []


def enable() -> None:
    """Replace functions of xarray by ones that hand what is a tensor on to NumPy's.

    A version of xarray that has other names for these goes on without them.
    """
    if _replaced:
        return
    import numpy as np

    try:
        from xarray.core import dtypes, duck_array_ops
    except ImportError as error:
        raise UnsupportedOperation(
            operation="enable('xarray')",
            reason="this version of xarray keeps its array functions elsewhere",
            hint="use DataArray(x.numpy()) where values may be missing",
        ) from error

    def promoted(known: Callable[..., Any]) -> Callable[..., Any]:
        def of_dtype(dtype: Any, *rest: Any, **options: Any) -> Any:
            kind = np.dtype(dtype.dtype) if isinstance(dtype, DType) else dtype
            return known(kind, *rest, **options)

        return of_dtype

    def padded(known: Callable[..., Any]) -> Callable[..., Any]:
        def pad(array: Any, pad_width: Any, **options: Any) -> Any:
            run = np.pad if isinstance(array, Tensor) else known
            return run(array, pad_width, **options)

        return pad

    def windowed(known: Callable[..., Any]) -> Callable[..., Any]:
        def sliding_window_view(
            array: Any, window_shape: Any, axis: Any = None, **rest: Any
        ) -> Any:
            if not isinstance(array, Tensor):
                return known(array, window_shape, axis=axis, **rest)
            return np.lib.stride_tricks.sliding_window_view(array, window_shape, axis=axis)

        return sliding_window_view

    for module, name, wrapped in (
        (dtypes, "maybe_promote", promoted),
        (dtypes, "get_pos_infinity", promoted),
        (dtypes, "get_neg_infinity", promoted),
        (duck_array_ops, "pad", padded),
        (duck_array_ops, "sliding_window_view", windowed),
    ):
        if hasattr(module, name):
            setattr(module, name, wrapped(getattr(module, name)))
            _replaced.append(name)
