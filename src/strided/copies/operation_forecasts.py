"""Copy forecasts of operations: would a call on a tensor be a view or a copy, and why.

Definitions name the one of theirs (``forecast=`` in ``ops/define.py``); ``will_copy`` asks it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.copies import baseline
from strided.copies.forecast import (
    EVERY_VIEW_COPIES,
    CopyForecast,
    described,
    reshape_forecast,
)
from strided.errors import ViewNotPossible
from strided.memory_layout import memory_order


def _shape(given: Sequence[Any]) -> tuple[int, ...]:
    first = given[0] if len(given) == 1 else given
    return (int(first),) if hasattr(first, "__index__") else tuple(int(n) for n in first)


def _source(x: Tensor) -> str:
    return described(x.layout, x.dtype)


def of_views(x: Tensor, operation: str, results: Sequence[Tensor], why: str) -> CopyForecast:
    """Return the forecast for views, which copy_everything() would copy all the same."""
    made = [result for result in results if result is not x]
    if baseline.is_on() and made:
        target = described(Layout(made[0].shape), made[0].dtype)
        nbytes = sum(result.nbytes for result in made)
        return CopyForecast(operation, _source(x), target, True, EVERY_VIEW_COPIES, nbytes)
    target = _source(results[0]) if results else ""
    return CopyForecast(operation, _source(x), target, False, why)


def of_a_copy(x: Tensor, operation: str, shape: Any, dtype: DType, why: str) -> CopyForecast:
    """Return the forecast for a copy of a shape and dtype."""
    nbytes = math.prod(shape) * dtype.itemsize
    return CopyForecast(operation, _source(x), f"{tuple(shape)} {dtype.name}", True, why, nbytes)


# ---- one function for each operation, by the name of the operation ----


def reshape(x: Tensor, *shape: Any, copy: bool | None = None) -> CopyForecast:
    """Return what ``reshape`` would do."""
    return reshape_forecast(x.layout, x.dtype, _shape(shape), copy)


def flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> CopyForecast:
    """Return what ``flatten`` would do."""
    try:
        shape = x.layout.flattened(start_dim, end_dim).shape
    except ViewNotPossible as error:
        shape = error.new_shape
    return reshape(x, tuple(shape))


def ravel(x: Tensor) -> CopyForecast:
    """Return what ``ravel`` would do."""
    return reshape(x, -1)


def reshape_as(x: Tensor, other: Tensor) -> CopyForecast:
    """Return what ``reshape_as`` would do."""
    return reshape(x, other.shape)


def view(x: Tensor, *shape: Any) -> CopyForecast:
    """Return what ``view`` would do."""
    if len(shape) != 1 or hasattr(shape[0], "__index__") or isinstance(shape[0], (tuple, list)):
        return reshape(x, *shape, copy=False)
    why = "the bytes are read as another dtype"
    return of_views(x, f".view({shape[0]})", [x.view(shape[0])], why)


def contiguous(x: Tensor, memory_format: Any = None) -> CopyForecast:
    """Return what ``contiguous`` would do."""
    shown = ".contiguous()" if memory_format is None else f".contiguous({memory_format!r})"
    if x.is_contiguous(memory_format=memory_format):
        return CopyForecast(shown, _source(x), _source(x), False, "nothing is to be done")
    order = tuple(range(x.ndim)) if memory_format is None else memory_order(x, memory_format)
    target = described(Layout.ordered(x.shape, order), x.dtype)
    why = x.layout.why_not_contiguous() if memory_format is None else None
    why = why or f"the axes lie in the order {x.layout.memory_order()}, or with gaps"
    return CopyForecast(shown, _source(x), target, True, why, x.nbytes)


def converted(
    x: Tensor, dtype: Any = None, *, copy: bool = False, memory_format: Any = None
) -> CopyForecast:
    """Return what ``to`` would do, and ``asarray`` with a tensor."""
    wanted = x.dtype if dtype is None else _native.as_dtype(dtype)
    shown = f".to({wanted.name})"
    if wanted is not x.dtype:
        why = f"{x.dtype.name} elements become {wanted.name}"
        return of_a_copy(x, shown, x.shape, wanted, why)
    if copy:
        return of_a_copy(x, shown, x.shape, wanted, "copy=True asks for it")
    if memory_format is not None:
        return contiguous(x, memory_format)
    return CopyForecast(shown, _source(x), _source(x), False, "it is the tensor itself")


def astype(x: Tensor, dtype: Any, *, copy: bool = True) -> CopyForecast:
    """Return what ``astype`` would do."""
    return converted(x, dtype, copy=copy)


def clone(x: Tensor, memory_format: Any = None) -> CopyForecast:
    """Return what ``clone`` would do."""
    return of_a_copy(x, ".clone()", x.shape, x.dtype, "a clone is a copy")


def numpy(x: Tensor, dtype: Any = None, *, copy: bool = False) -> CopyForecast:
    """Return what ``numpy`` would do."""
    changes = dtype is not None and _native.as_dtype(dtype) is not x.dtype
    if changes or copy:
        return converted(x, dtype, copy=True)
    return CopyForecast(
        ".numpy()", _source(x), _source(x), False, "NumPy takes strides as they are"
    )


def type_as(x: Tensor, other: Tensor) -> CopyForecast:
    """Return what ``type_as`` would do."""
    return converted(x, other.dtype)


def itself(x: Tensor, *_: Any, **options: Any) -> CopyForecast:
    """Return what an operation would do that returns the tensor."""
    why = "it is the tensor itself"
    return CopyForecast("", _source(x), _source(x), False, why)


def conjugate_transpose(x: Tensor) -> CopyForecast:
    """Return what ``H`` would do."""
    if x.dtype.is_complex:
        return of_a_copy(x, ".H", x.T.shape, x.dtype, "the elements are conjugated")
    return of_views(x, ".H", [x.T], "real elements are their own conjugates")
