"""NumPy's other functions on tensors: ``np.concatenate([x, x])``, ``np.mean(x)``, ``np.where``.

ONE ROW PER FUNCTION that runs as ours: its parameters have NumPy's names and order. A call with
arguments that the row does not have, and every function without a row, runs as NumPy's on arrays
over the same memory. Both return tensors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from strided._native import Tensor
from strided.errors import DTypeMismatch, LinearAlgebraError, UnsupportedOperation
from strided.exchange import numpy_creation, numpy_rooms, numpy_views
from strided.exchange.numpy_arrays import by_numpy, numpys_dtype
from strided.exchange.numpy_row import Row
from strided.exchange.numpy_ufuncs import references
from strided.functions import combine, create, linalg, picking, search, sorting, views
from strided.functions.arrays import asarray
from strided.functions.einsum import einsum, tensordot
from strided.ops.elementwise import clip, where
from strided.ops.with_parameters import isclose

Axis = int | Sequence[int] | None


# ---- reductions ----


def _named(out: Any) -> dict[str, Tensor]:
    return {} if out is None else {"out": asarray(out, copy=False)}


def _summing(method: str) -> Callable[..., Any]:
    def row(
        a: Any, axis: Axis = None, dtype: Any = None, out: Any = None, keepdims: bool = False
    ) -> Any:
        kind = numpys_dtype(dtype)
        return getattr(asarray(a), method)(axis, keepdims, dtype=kind, **_named(out))

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
        kind = numpys_dtype(dtype)
        return run(axis, correction=less, keepdim=keepdims, dtype=kind, **_named(out))

    return row


def _running(method: str) -> Callable[..., Any]:
    def row(a: Any, axis: int | None = None, dtype: Any = None, out: Any = None) -> Any:
        return getattr(asarray(a), method)(axis, dtype=numpys_dtype(dtype), **_named(out))

    return row


def _count_nonzero(a: Any, axis: Axis = None, *, keepdims: bool = False) -> Tensor:
    return asarray(a).count_nonzero(axis, keepdims)


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
    x = numpy_views.ravel(a) if axis is None else asarray(a)
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


# ---- comparison and arithmetic ----


def _closeness(function: Callable[..., Any]) -> Callable[..., Any]:
    def row(
        a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
    ) -> Any:
        return function(asarray(a), asarray(b), rtol, atol, equal_nan)

    return row


def _array_equal(a1: Any, a2: Any) -> bool:
    return search.array_equal(asarray(a1), asarray(a2))


def _diff(a: Any, n: int = 1, axis: int = -1) -> Tensor:
    return picking.diff(asarray(a), n=n, axis=axis)


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


ROWS: dict[str, Callable[..., Any]] = {
    **numpy_views.ROWS,
    **{name: _summing(name) for name in ("sum", "prod", "mean")},
    **{name: _choosing(name) for name in ("any", "all", "argmax", "argmin")},
    **dict.fromkeys(("max", "amax"), _choosing("amax")),
    **dict.fromkeys(("min", "amin"), _choosing("amin")),
    **{name: _spreading(name) for name in ("std", "var")},
    **{name: _running(name) for name in ("cumsum", "cumprod")},
    "count_nonzero": _count_nonzero,
    "isclose": _closeness(isclose),
    "allclose": _closeness(search.allclose),
    "array_equal": _array_equal,
    "diff": _diff,
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
    **numpy_rooms.ROWS,
    **numpy_creation.ROWS,
}
# These fill their first argument and return nothing.
_WRITERS = {"copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"}


@cache
def _rows() -> dict[Any, Row]:
    import numpy as np

    found = ((_named_in(np, name), row) for name, row in ROWS.items())
    return {function: Row(row) for function, row in found if function}


def _named_in(room: Any, name: str) -> Any:
    """Return what NumPy has under a name, ``linalg.det`` in a room of its own; None without."""
    for part in name.split("."):
        room = getattr(room, part, None)
    return room


def _as_ours(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Return what our own function gives, NotImplemented where there is none for this call."""
    row = _rows().get(function)
    if row is None or not row.takes(args, options):
        return NotImplemented
    try:
        result = row.run(*args, **options)
    except (DTypeMismatch, UnsupportedOperation):  # NumPy may know how, or has its own refusal
        return NotImplemented
    except LinearAlgebraError as error:
        import numpy as np

        raise np.linalg.LinAlgError(str(error)) from error
    out = row.out(args, options)
    return result if out is None else out


@cache
def _is_known(kind: type) -> bool:
    import numpy as np

    return issubclass(kind, (Tensor, np.ndarray))


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
    for kind in types:
        if not _is_known(kind):
            return NotImplemented
    result = _as_ours(func, args, kwargs)
    if result is not NotImplemented:
        return result
    written = args[:1] if func.__name__ in _WRITERS else (kwargs.get("out"),)
    return by_numpy(func, args, kwargs, written)
