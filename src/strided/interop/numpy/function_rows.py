"""Functions of NumPy that run as ours and take other arguments. ONE ROW PER FUNCTION.

The parameters of a row have NumPy's names and order. ``array_function`` decides which calls a row
takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import UnsupportedOperation
from strided.interop.numpy import linalg_rows
from strided.interop.numpy.ufuncs import references
from strided.ops import creation, manipulation, shapes
from strided.ops.arrays import asarray
from strided.ops.comparison import clip, isclose
from strided.ops.einsum import einsum
from strided.ops.elementwise import where
from strided.ops.joining import concat, tile


def _named(out: Any) -> dict[str, Tensor]:
    return {} if out is None else {"out": asarray(out, copy=False)}


# ---- what is known without an element ----


def _shape(a: Any) -> tuple[int, ...]:
    return tuple(asarray(a).shape)


def _ndim(a: Any) -> int:
    return asarray(a).ndim


def _size(a: Any, axis: int | None = None) -> int:
    x = asarray(a)
    if axis is None:
        return x.size
    if not hasattr(axis, "__index__"):
        raise UnsupportedOperation(
            operation="size", reason="it is asked for several axes", hint="multiply their lengths"
        )
    return x.shape[axis]


# ---- views ----


def _ravel(a: Any) -> Tensor:
    return shapes.reshape(asarray(a), (-1,))


def _transpose(a: Any, axes: Sequence[int] | None = None) -> Tensor:
    x = asarray(a)
    return x.permute(tuple(reversed(range(x.ndim))) if axes is None else tuple(axes))


def _broadcast_to(array: Any, shape: Any) -> Tensor:
    lengths = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    return manipulation.broadcast_to(asarray(array), lengths)


# ---- elements joined and repeated ----


def _at_least(rank: int, x: Tensor) -> Tensor:
    return shapes.reshape(x, (*(1,) * (rank - x.ndim), *x.shape)) if x.ndim < rank else x


def _vstack(tup: Sequence[Any]) -> Tensor:
    return concat([_at_least(2, asarray(one)) for one in tup])


def _hstack(tup: Sequence[Any]) -> Tensor:
    parts = [_at_least(1, asarray(one)) for one in tup]
    return concat(parts, axis=0 if parts and parts[0].ndim == 1 else 1)


def _tile(A: Any, reps: Any) -> Tensor:
    return tile(asarray(A), (reps,) if hasattr(reps, "__index__") else tuple(reps))


def _copy(a: Any) -> Tensor:
    return asarray(a).clone()


def _where(condition: Any, x: Any, y: Any, /) -> Tensor:
    numbers = (int, float, complex)
    return where(*(one if isinstance(one, numbers) else asarray(one) for one in (condition, x, y)))


# ---- comparison and arithmetic ----


def _closeness(function: Callable[..., Any]) -> Callable[..., Any]:
    def row(
        a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False
    ) -> Any:
        return function(asarray(a), asarray(b), rtol, atol, equal_nan)

    return row


def _clip(a: Any, a_min: Any = None, a_max: Any = None, out: Any = None) -> Tensor:
    return clip(asarray(a), a_min, a_max, **_named(out))


def _around(a: Any) -> Any:
    return references()["round"](asarray(a))


def _elementwise(name: str) -> Callable[..., Any]:
    def row(x: Any, /) -> Any:
        return references()[name](asarray(x))

    return row


def _einsum(*operands: Any) -> Tensor:
    return einsum(*operands)


# ---- arrays like a tensor ----
# What is like a tensor is a tensor: a dtype that tensors do not have is refused instead of left to
# NumPy, by which dask learns that chunks have no structured dtypes.


def _dtype(given: Any) -> DType | None:
    import numpy as np

    return None if given is None else _native.as_dtype(np.dtype(given))


def _pattern(a: Any, shape: Any) -> Tensor:
    """Return a tensor whose dtype and shape a new one takes. A view, or of one element."""
    x = asarray(a)
    return x if shape is None else _broadcast_to(_native.empty((), dtype=x.dtype), shape)


def _like(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return function(_pattern(a, shape), dtype=_dtype(dtype))

    return row


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    made = creation.empty_like(_pattern(a, shape), dtype=_dtype(dtype))
    made[...] = fill_value
    return made


ROWS: dict[str, Callable[..., Any]] = {
    "shape": _shape,
    "ndim": _ndim,
    "size": _size,
    "ravel": _ravel,
    **dict.fromkeys(("transpose", "permute_dims"), _transpose),
    "broadcast_to": _broadcast_to,
    "isclose": _closeness(isclose),
    "vstack": _vstack,
    "hstack": _hstack,
    "tile": _tile,
    "copy": _copy,
    "where": _where,
    "clip": _clip,
    **dict.fromkeys(("round", "around"), _around),
    **{name: _elementwise(name) for name in ("sinc", "angle", "isposinf", "isneginf")},
    "einsum": _einsum,
    **linalg_rows.ROWS,
    **{f"{n}_like": _like(getattr(creation, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}
