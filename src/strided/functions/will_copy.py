"""Will an operation be a view or a copy? Asked by the name of the operation, before it is run."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
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
from strided.errors import InvalidArgument, ViewNotPossible
from strided.functions.arrays import asarray
from strided.memory_layout import memory_order
from strided.ops.define import DEFINITIONS
from strided.ops.indexing import is_basic, picked_shape

Forecaster = Callable[..., CopyForecast]


@functools.cache
def _views() -> frozenset[str]:
    """Return the view operations, always: they are tried out, which costs nothing."""
    of_definitions = (one.methods for one in DEFINITIONS.values() if one.kind == "view")
    return frozenset({"T", "mT"}.union(*of_definitions) - {"view"})


def _shape(given: Sequence[Any]) -> tuple[int, ...]:
    first = given[0] if len(given) == 1 else given
    return (int(first),) if hasattr(first, "__index__") else tuple(int(n) for n in first)


def _source(x: Tensor) -> str:
    return described(x.layout, x.dtype)


def _view(x: Tensor, operation: str, results: Sequence[Tensor], why: str) -> CopyForecast:
    """Return the forecast for views, which copy_everything() would copy all the same."""
    made = [result for result in results if result is not x]
    if baseline.is_on() and made:
        target = described(Layout(made[0].shape), made[0].dtype)
        nbytes = sum(result.nbytes for result in made)
        return CopyForecast(operation, _source(x), target, True, EVERY_VIEW_COPIES, nbytes)
    target = _source(results[0]) if results else ""
    return CopyForecast(operation, _source(x), target, False, why)


def _copy(x: Tensor, operation: str, shape: Any, dtype: DType, why: str) -> CopyForecast:
    nbytes = math.prod(shape) * dtype.itemsize
    return CopyForecast(operation, _source(x), f"{tuple(shape)} {dtype.name}", True, why, nbytes)


# ---- one function for each operation ----


def _reshape(x: Tensor, *shape: Any, copy: bool | None = None) -> CopyForecast:
    return reshape_forecast(x.layout, x.dtype, _shape(shape), copy)


def _flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> CopyForecast:
    try:
        shape = x.layout.flattened(start_dim, end_dim).shape
    except ViewNotPossible as error:
        shape = error.new_shape
    return _reshape(x, tuple(shape))


def _ravel(x: Tensor) -> CopyForecast:
    return _reshape(x, -1)


def _reshape_as(x: Tensor, other: Tensor) -> CopyForecast:
    return _reshape(x, other.shape)


def _as_shape(x: Tensor, *shape: Any) -> CopyForecast:
    if len(shape) != 1 or hasattr(shape[0], "__index__") or isinstance(shape[0], (tuple, list)):
        return _reshape(x, *shape, copy=False)
    why = "the bytes are read as another dtype"
    return _view(x, f".view({shape[0]})", [x.view(shape[0])], why)


def _contiguous(x: Tensor, memory_format: Any = None) -> CopyForecast:
    shown = ".contiguous()" if memory_format is None else f".contiguous({memory_format!r})"
    if x.is_contiguous(memory_format=memory_format):
        return CopyForecast(shown, _source(x), _source(x), False, "nothing is to be done")
    order = tuple(range(x.ndim)) if memory_format is None else memory_order(x, memory_format)
    target = described(Layout.ordered(x.shape, order), x.dtype)
    why = x.layout.why_not_contiguous() if memory_format is None else None
    why = why or f"the axes lie in the order {x.layout.memory_order()}, or with gaps"
    return CopyForecast(shown, _source(x), target, True, why, x.nbytes)


def _convert(
    x: Tensor, dtype: Any = None, *, copy: bool = False, memory_format: Any = None
) -> CopyForecast:
    wanted = x.dtype if dtype is None else _native.as_dtype(dtype)
    shown = f".to({wanted.name})"
    if wanted is not x.dtype:
        why = f"{x.dtype.name} elements become {wanted.name}"
        return _copy(x, shown, x.shape, wanted, why)
    if copy:
        return _copy(x, shown, x.shape, wanted, "copy=True asks for it")
    if memory_format is not None:
        return _contiguous(x, memory_format)
    return CopyForecast(shown, _source(x), _source(x), False, "it is the tensor itself")


def _astype(x: Tensor, dtype: Any, *, copy: bool = True) -> CopyForecast:
    return _convert(x, dtype, copy=copy)


def _clone(x: Tensor, memory_format: Any = None) -> CopyForecast:
    return _copy(x, ".clone()", x.shape, x.dtype, "a clone is a copy")


def _index(x: Tensor, *key: Any) -> CopyForecast:
    item = key[0] if len(key) == 1 else key
    shown = f"[{item!r}]" if is_basic(item) else "[array]"
    if is_basic(item):
        return _view(x, shown, [x[item]], "slices, numbers, None and ... are arithmetic on strides")
    shape, exact = picked_shape(x, item)
    why = "positions are picked one by one"
    if not exact:
        why = "a mask picks elements one by one; so many bytes at most"
    return _copy(x, shown, shape, x.dtype, why)


def _numpy(x: Tensor, dtype: Any = None, *, copy: bool = False) -> CopyForecast:
    changes = dtype is not None and _native.as_dtype(dtype) is not x.dtype
    if changes or copy:
        return _convert(x, dtype, copy=True)
    return CopyForecast(
        ".numpy()", _source(x), _source(x), False, "NumPy takes strides as they are"
    )


_FORECASTS: dict[str, Forecaster] = {
    "reshape": _reshape,
    "reshape_as": _reshape_as,
    "view": _as_shape,
    "flatten": _flatten,
    "ravel": _ravel,
    "contiguous": _contiguous,
    "clone": _clone,
    "to": _convert,
    "astype": _astype,
    "getitem": _index,
    "[]": _index,
    "numpy": _numpy,
    "asarray": _convert,
}


def _as_view(x: Tensor, operation: str, args: tuple[Any, ...], options: Any) -> CopyForecast:
    member = getattr(x, operation)
    result = member(*args, **options) if callable(member) and not _is_tensor(member) else member
    results = list(result) if isinstance(result, tuple) else [result]
    numbers = [*map(repr, args), *(f"{name}={value!r}" for name, value in options.items())]
    shown = f".{operation}" if _is_tensor(member) else f".{operation}({', '.join(numbers)})"
    return _view(x, shown, results, "a view operation, always: arithmetic on strides")


def _is_tensor(member: Any) -> bool:
    return isinstance(member, Tensor)


def will_copy(x: Any, operation: str, /, *args: Any, **options: Any) -> CopyForecast:
    """Say beforehand whether an operation is a view or a copy, why, and what would be cheaper.

    ``operation`` is the name of a method: ``reshape``, ``view``, ``flatten``, ``ravel``,
    ``contiguous``, ``clone``, ``to``, ``astype``, ``numpy``, any view operation, ``"[]"`` for
    indexing, or ``"asarray"``. The answer is true when it would copy; asking copies and computes
    nothing.

    >>> import strided
    >>> x = strided.zeros(2, 3, 4).permute(0, 2, 1)
    >>> bool(strided.will_copy(x, "flip", 0)), bool(strided.will_copy(x, "reshape", (8, 1, 3)))
    (False, True)
    >>> print(strided.will_copy(x, "reshape", (2, -1)))
    .reshape(2, -1) of (2, 4, 3):(12, 1, 4)+0 float32 copies 96 bytes
      axes 1 and 2 do not step together: stride[1] = 1, length[2] * stride[2] = 12
      instead: .permute(0, 2, 1).view(2, 12) is a view, in another order of elements
    """
    tensor = x if isinstance(x, Tensor) else asarray(x, copy=False)
    if operation in _FORECASTS:
        return _FORECASTS[operation](tensor, *args, **options)
    if operation in _views():
        return _as_view(tensor, operation, args, options)
    known = ", ".join(sorted([*_FORECASTS, *_views()]))
    raise InvalidArgument(
        argument="operation", got=repr(operation), requirement=f"must be one of: {known}"
    )
