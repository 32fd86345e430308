"""Dispatch of dask.array: functions that it looks up by the type of a chunk. ONE ROW PER LOOKUP."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.ops.arrays import asarray
from strided.ops.creation import full
from strided.ops.einsum import einsum, tensordot
from strided.ops.indexing_reading import take
from strided.ops.joining import concat
from strided.ops.shapes import reshape


def _dtype(dtype: Any) -> DType:
    """Return the dtype that dask names, sometimes by letters that only NumPy reads."""
    import numpy as np

    return _native.as_dtype(np.dtype("float64" if dtype is None else dtype))


def _in(dtype: Any, *arrays: Any) -> list[Tensor]:
    """Return arrays as tensors of one dtype, or each of its own."""
    tensors = [asarray(one) for one in arrays]
    return tensors if dtype is None else [one.to(_dtype(dtype)) for one in tensors]


def _concatenate(arrays: Any, axis: int = 0) -> Tensor:
    """Return several chunks as one. A chunk that is alone along this axis is returned as it is."""
    parts = _in(None, *arrays)
    return parts[0] if len(parts) == 1 else concat(parts, axis=axis)


def _take(x: Tensor, indices: Any, axis: int | None = None) -> Tensor:
    whole = reshape(x, (-1,)) if axis is None else x
    return take(whole, asarray(indices), axis=axis or 0)


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return tensordot(asarray(a), asarray(b), axes=axes)


def _einsum(subscripts: str, *operands: Any, dtype: Any = None, **_: Any) -> Tensor:
    # What else dask names (casting, order) says how NumPy is to compute.
    return einsum(subscripts, *_in(dtype, *operands))


def _empty(shape: Any, dtype: Any = None, **_: Any) -> Tensor:
    lengths = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    return _native.empty(lengths, dtype=_dtype(dtype))


def _divide(a: Any, b: Any, dtype: Any = None) -> Tensor:
    above, below = _in(dtype, a, b)
    return above / below


def _numel(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Tensor:
    """Return how many elements are reduced, for each element of the result."""
    counted = range(x.ndim) if axis is None else (axis,) if isinstance(axis, int) else axis
    axes = {one % x.ndim for one in counted}
    shape = [
        1 if at in axes else length
        for at, length in enumerate(x.shape)
        if keepdims or at not in axes
    ]
    count = math.prod(x.shape[one] for one in axes)
    return full(shape, count, dtype=_dtype(dtype))


def _nannumel(x: Tensor, **options: Any) -> Any:
    import numpy as np

    return np.sum(~x.isnan(), **options)


def _to_numpy(x: Tensor, **_: Any) -> Any:
    return x.numpy()


FUNCTIONS: dict[str, Any] = {
    "concatenate_lookup": _concatenate,
    "take_lookup": _take,
    "tensordot_lookup": _tensordot,
    "einsum_lookup": _einsum,
    "empty_lookup": _empty,
    "divide_lookup": _divide,
    "numel_lookup": _numel,
    "nannumel_lookup": _nannumel,
    "to_numpy_dispatch": _to_numpy,
}
