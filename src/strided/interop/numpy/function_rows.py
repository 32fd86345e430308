"""Functions of NumPy that run as ours. ONE ROW PER FUNCTION.

The parameters of a row have NumPy's names and order. ``array_function`` decides which calls a row
takes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.functions import combine, create
from strided.functions.arrays import asarray
from strided.interop.numpy import linalg_rows, view_rows
from strided.interop.numpy.ufuncs import references
from strided.ops import shapes
from strided.ops.arithmetic import clip
from strided.ops.closeness import isclose
from strided.ops.einsum import einsum
from strided.ops.elementwise import where

Axis = int | Sequence[int] | None


def _named(out: Any) -> dict[str, Tensor]:
    return {} if out is None else {"out": asarray(out, copy=False)}


# ---- elements joined and repeated ----


def _concatenate(arrays: Sequence[Any], /, axis: int | None = 0) -> Tensor:
    return combine.concat([asarray(one) for one in arrays], axis=axis)


def _stack(arrays: Sequence[Any], axis: int = 0) -> Tensor:
    return combine.stack([asarray(one) for one in arrays], axis=axis)


def _at_least(rank: int, x: Tensor) -> Tensor:
    return shapes.reshape(x, (*(1,) * (rank - x.ndim), *x.shape)) if x.ndim < rank else x


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


def _where(condition: Any, x: Any, y: Any, /) -> Tensor:
    numbers = (int, float, complex)
    return where(*(one if isinstance(one, numbers) else asarray(one) for one in (condition, x, y)))


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
    return x if shape is None else view_rows.broadcast_to(_native.empty((), dtype=x.dtype), shape)


def _like(function: Callable[..., Tensor]) -> Callable[..., Any]:
    def row(a: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
        return function(_pattern(a, shape), dtype=_dtype(dtype))

    return row


def _full_like(a: Any, fill_value: Any, dtype: Any = None, *, shape: Any = None) -> Tensor:
    made = create.empty_like(_pattern(a, shape), dtype=_dtype(dtype))
    made[...] = fill_value
    return made


ROWS: dict[str, Callable[..., Any]] = {
    **view_rows.ROWS,
    "isclose": _closeness(isclose),
    **dict.fromkeys(("concatenate", "concat"), _concatenate),
    "stack": _stack,
    "vstack": _vstack,
    "hstack": _hstack,
    "tile": _tile,
    "repeat": _repeat,
    "roll": _roll,
    "copy": _copy,
    "where": _where,
    "tril": _triangle(create.tril),
    "triu": _triangle(create.triu),
    "clip": _clip,
    **dict.fromkeys(("round", "around"), _around),
    **{name: _elementwise(name) for name in ("sinc", "angle", "isposinf", "isneginf")},
    "einsum": _einsum,
    **linalg_rows.ROWS,
    **{f"{n}_like": _like(getattr(create, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}
