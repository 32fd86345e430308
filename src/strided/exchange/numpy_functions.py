"""NumPy's other functions on tensors: ``np.concatenate([x, x])``, ``np.mean(x)``, ``np.where``.

ONE ROW PER FUNCTION that runs as ours: its parameters have NumPy's names and order. A call with
arguments that the row does not have, and every function without a row, runs as NumPy's on arrays
over the same memory. Both return tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch, UnsupportedOperation
from strided.exchange.numpy_arrays import by_numpy
from strided.exchange.numpy_ufuncs import references
from strided.functions import combine, create, linalg, picking, search, sorting, views
from strided.functions.arrays import asarray
from strided.functions.einsum import einsum, tensordot
from strided.ops.elementwise import clip, where

Axis = int | Sequence[int] | None


# ---- reductions ----


def _named(out: Any) -> dict[str, Tensor]:
    return {} if out is None else {"out": asarray(out, copy=False)}


def _summing(method: str) -> Callable[..., Any]:
    def row(
        a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        return getattr(asarray(a), method)(axis, keepdims, dtype=dtype, **_named(out))

    return row


def _choosing(method: str) -> Callable[..., Any]:
    def row(a: Any, axis: Axis = None, out: Any = None, keepdims: bool = False) -> Any:
        return getattr(asarray(a), method)(axis, keepdims, **_named(out))

    return row


def _spreading(method: str) -> Callable[..., Any]:
    def row(
        a: Any,
        axis: Axis = None,
        dtype: Any = None,
        out: Any = None,
        ddof: float = 0,
        keepdims: bool = False,
        *,
        correction: float | None = None,
    ) -> Any:
        less = ddof if correction is None else correction
        run = getattr(asarray(a), method)
        return run(axis, correction=less, keepdim=keepdims, dtype=dtype, **_named(out))

    return row


def _running(method: str) -> Callable[..., Any]:
    def row(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
        return getattr(asarray(a), method)(axis, dtype=dtype, **_named(out))

    return row


def _count_nonzero(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    return asarray(a).count_nonzero(axis, keepdims)


# ---- views ----


def _reshape(a: Any, /, shape: Any, *, copy: bool | None = None) -> Tensor:
    return views.reshape(asarray(a), shape, copy=copy)


def _ravel(a: Any) -> Tensor:
    return views.reshape(asarray(a), (-1,))


def _transpose(a: Any, axes: Sequence[int] | None = None) -> Tensor:
    x = asarray(a)
    return x.permute(tuple(reversed(range(x.ndim))) if axes is None else tuple(axes))


def _moveaxis(a: Any, source: Any, destination: Any) -> Tensor:
    return views.moveaxis(asarray(a), source, destination)


def _swapaxes(a: Any, axis1: int, axis2: int) -> Tensor:
    return asarray(a).transpose(axis1, axis2)


def _squeeze(a: Any, axis: Axis = None) -> Tensor:
    return views.squeeze(asarray(a), axis)


def _expand_dims(a: Any, axis: int | Sequence[int]) -> Tensor:
    return views.expand_dims(asarray(a), axis)


def _broadcast_to(array: Any, shape: Any) -> Tensor:
    lengths = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    return views.broadcast_to(asarray(array), lengths)


def _flip(m: Any, axis: Axis = None) -> Tensor:
    return views.flip(asarray(m), axis=axis)


def _rot90(m: Any, k: int = 1, axes: Sequence[int] = (0, 1)) -> Tensor:
    return views.rot90(asarray(m), k, axes)


def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    return views.diagonal(asarray(a), offset, axis1, axis2)


def _matrix_transpose(x: Any, /) -> Tensor:
    return views.matrix_transpose(asarray(x))


def _real(val: Any) -> Tensor:
    return views.real(asarray(val))


def _imag(val: Any) -> Tensor:
    return views.imag(asarray(val))


# ---- elements joined, repeated and picked ----


def _concatenate(arrays: Sequence[Any], /, axis: int | None = 0) -> Tensor:
    return combine.concat([asarray(one) for one in arrays], axis=axis)


def _stack(arrays: Sequence[Any], axis: int = 0) -> Tensor:
    return combine.stack([asarray(one) for one in arrays], axis=axis)


def _at_least(rank: int, x: Tensor) -> Tensor:
    return views.reshape(x, (*(1,) * (rank - x.ndim), *x.shape)) if x.ndim < rank else x


def _vstack(tup: Sequence[Any]) -> Tensor:
    return combine.concat([_at_least(2, asarray(one)) for one in tup])


def _hstack(tup: Sequence[Any]) -> Tensor:
    parts = [_at_least(1, asarray(one)) for one in tup]
    return combine.concat(parts, axis=0 if parts and parts[0].ndim == 1 else 1)


def _tile(A: Any, reps: Any) -> Tensor:
    return combine.tile(asarray(A), (reps,) if hasattr(reps, "__index__") else tuple(reps))


def _repeat(a: Any, repeats: Any, axis: int | None = None) -> Tensor:
    return combine.repeat(asarray(a), repeats, axis=axis)


def _roll(a: Any, shift: Any, axis: Axis = None) -> Tensor:
    return combine.roll(asarray(a), shift, axis=axis)


def _copy(a: Any) -> Tensor:
    return asarray(a).clone()


def _take(a: Any, indices: Any, axis: int | None = None, out: Any = None) -> Tensor:
    x = _ravel(a) if axis is None else asarray(a)
    return picking.take(x, indices, axis=0 if axis is None else axis, **_named(out))


def _take_along_axis(arr: Any, indices: Any, axis: int | None = -1) -> Tensor:
    return picking.take_along_axis(asarray(arr), indices, axis=axis)


def _where(condition: Any, x: Any, y: Any, /) -> Tensor:
    numbers = (int, float, complex)
    return where(*(one if isinstance(one, numbers) else asarray(one) for one in (condition, x, y)))


def _sort(a: Any, axis: int | None = -1) -> Tensor:
    return sorting.sort(asarray(a), axis=axis)


def _argsort(a: Any, axis: int | None = -1) -> Tensor:
    return sorting.argsort(asarray(a), axis=axis)


def _searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Tensor:
    return search.searchsorted(asarray(a), asarray(v), side=side, sorter=sorter)


def _triangle(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(m: Any, k: int = 0) -> Tensor:
        return function(asarray(m), k=k)

    return row


# ---- arithmetic ----


def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> Tensor:
    return clip(asarray(a), a_min, a_max, **_named(out))


def _around(a: Any) -> Any:
    return references()["round"](asarray(a))


def _elementwise(name: str) -> Callable[..., Any]:
    def row(x: Any, /) -> Any:
        return references()[name](asarray(x))

    return row


def _dot(a: Any, b: Any) -> Tensor:
    x, y = asarray(a), asarray(b)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.ndim > 1 and y.ndim > 1:
        return tensordot(x, y, axes=((-1,), (-2,)))
    return linalg.matmul(x, y)


def _product(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, b: Any) -> Tensor:
        return function(asarray(a), asarray(b))

    return row


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Tensor:
    return tensordot(asarray(a), asarray(b), axes=axes)


def _einsum(*operands: Any) -> Tensor:
    return einsum(*operands)


def _pattern(a: Any, shape: Any) -> Tensor:
    """Return a tensor whose dtype and shape a new one takes. A view, or of one element."""
    x = asarray(a)
    return x if shape is None else _broadcast_to(_native.empty((), dtype=x.dtype), shape)


def _like(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return function(_pattern(a, shape), dtype=dtype)

    return row


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    made = create.empty_like(_pattern(a, shape), dtype=dtype)
    made[...] = fill_value
    return made


ROWS: dict[str, Callable[..., Any]] = {
    **{name: _summing(name) for name in ("sum", "prod", "mean")},
    **{name: _choosing(name) for name in ("any", "all", "argmax", "argmin")},
    **dict.fromkeys(("max", "amax"), _choosing("amax")),
    **dict.fromkeys(("min", "amin"), _choosing("amin")),
    **{name: _spreading(name) for name in ("std", "var")},
    **{name: _running(name) for name in ("cumsum", "cumprod")},
    "count_nonzero": _count_nonzero,
    "reshape": _reshape,
    "ravel": _ravel,
    **dict.fromkeys(("transpose", "permute_dims"), _transpose),
    "moveaxis": _moveaxis,
    "swapaxes": _swapaxes,
    "squeeze": _squeeze,
    "expand_dims": _expand_dims,
    "broadcast_to": _broadcast_to,
    "flip": _flip,
    "rot90": _rot90,
    "diagonal": _diagonal,
    "matrix_transpose": _matrix_transpose,
    "real": _real,
    "imag": _imag,
    **dict.fromkeys(("concatenate", "concat"), _concatenate),
    "stack": _stack,
    "vstack": _vstack,
    "hstack": _hstack,
    "tile": _tile,
    "repeat": _repeat,
    "roll": _roll,
    "copy": _copy,
    "take": _take,
    "take_along_axis": _take_along_axis,
    "where": _where,
    "sort": _sort,
    "argsort": _argsort,
    "searchsorted": _searchsorted,
    "tril": _triangle(create.tril),
    "triu": _triangle(create.triu),
    "clip": _clip,
    **dict.fromkeys(("round", "around"), _around),
    **{name: _elementwise(name) for name in ("sinc", "angle", "isposinf", "isneginf")},
    "dot": _dot,
    **{name: _product(getattr(linalg, name)) for name in ("vdot", "inner", "outer", "kron")},
    "tensordot": _tensordot,
    "einsum": _einsum,
    **{f"{n}_like": _like(getattr(create, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}
# These fill their first argument and return nothing.
_WRITERS = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}


@cache
def _rows() -> dict[Any, tuple[Callable[..., Any], inspect.Signature]]:
    import numpy as np

    found = ((getattr(np, name, None), row) for name, row in ROWS.items())
    return {function: (row, inspect.signature(row)) for function, row in found if function}


def _as_ours(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return what our own function gives, NotImplemented where there is none for this call."""
    if function not in _rows():
        return NotImplemented
    run, signature = _rows()[function]
    try:
        given = signature.bind(*args, **options)
    except TypeError:  # an argument that ours does not have
        return NotImplemented
    try:
        result = run(*args, **options)
    except (DTypeMismatch, UnsupportedOperation):  # NumPy may know how, or has its own refusal
        return NotImplemented
    out = given.arguments.get("out")
    return result if out is None else out


def __array_function__(
    self: Tensor, func: Any, types: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a function of NumPy: a view where ours is one, otherwise a new tensor, or ``out``.

    Ours where there is one, on any strides; otherwise NumPy's on an array over the same memory.

    >>> import numpy, strided
    >>> x = strided.arange(6.0).reshape(2, 3)
    >>> numpy.mean(x, axis=0)
    tensor([1.5000, 2.5000, 3.5000], shape=(3,), dtype=float32)
    >>> numpy.transpose(x).shares_storage(x)
    True
    """
    import numpy as np

    if not all(issubclass(kind, (Tensor, np.ndarray)) for kind in types):
        return NotImplemented
    result = _as_ours(func, args, kwargs)
    if result is not NotImplemented:
        return result
    written = args[:1] if func.__name__ in _WRITERS else (kwargs.get("out"),)
    return by_numpy(func, args, kwargs, written)
