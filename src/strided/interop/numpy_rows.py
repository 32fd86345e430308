"""Functions of NumPy that run as ours: rows that definitions name, and those of other arguments.

The parameters of a row have NumPy's names and order. ``numpy_functions`` decides which calls a row
takes. What differs in its defaults or its results (``eig``, ``pinv``, ``lstsq``) has no row and
runs as NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, Signature
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import UnsupportedOperation
from strided.interop.numpy_ufuncs import numpys_dtype, references
from strided.ops import creation, later, manipulation, shapes
from strided.ops.arguments import as_operand
from strided.ops.arrays import asarray
from strided.ops.comparison import clip, isclose
from strided.ops.define import DEFINITIONS, Definition
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
        return int(x.size)  # ours can be called
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


# ---- products and integrals ----


def _cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Tensor:
    from strided import linalg

    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = asarray(a).movedim(axisa, -1), asarray(b).movedim(axisb, -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise _left_to_numpy("a product of vectors of two elements")
    found: Tensor = linalg.cross(x, y)
    return found.movedim(-1, axisc)


def _later(name: str, *args: Any, **options: Any) -> Tensor:
    """Return what a function gives whose chapter is loaded when it is needed."""
    function: Any = later.function(name)
    found: Tensor = function(*args, **options)
    return found


def _trapezoid(y: Any, x: Any = None, dx: float = 1.0, axis: int = -1) -> Tensor:
    values, places = asarray(y), () if x is None else (asarray(x),)
    if values.dtype.kind not in "fc":
        raise _left_to_numpy("the integral of integers")
    found: Tensor = _later("trapezoid", values, *places, dx=dx, axis=axis)
    return found


def _diag(v: Any, k: int = 0) -> Tensor:
    found: Tensor = _later("diag", asarray(v), k)
    return found


def _diagflat(v: Any, k: int = 0) -> Tensor:
    found: Tensor = _later("diagflat", asarray(v), k)
    return found


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


def _left_to_numpy(operation: str) -> UnsupportedOperation:
    return UnsupportedOperation(
        operation=operation, reason="only NumPy has it so", hint="NumPy's runs in its place"
    )


# ---- linalg and fft ----


def _qr(a: Any, mode: str = "reduced") -> Any:
    from strided import linalg

    if mode not in ("reduced", "complete"):
        raise _left_to_numpy(f"qr of mode {mode!r}")
    return linalg.qr(asarray(a), mode=mode)


def _svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    from strided import linalg

    x = asarray(a)
    return linalg.svd(x, full_matrices=full_matrices) if compute_uv else linalg.svdvals(x)


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    from strided import linalg

    array = asarray(x)
    # Without an order all axes are one vector; with one, two axes are a matrix.
    of_vectors = ord is None or hasattr(axis, "__index__") or (axis is None and array.ndim == 1)
    if of_vectors and not isinstance(ord, str):
        order = 2 if ord is None else ord
        return linalg.vector_norm(array, axis=axis, keepdims=keepdims, ord=order)
    if axis is None and array.ndim == 2:
        return linalg.matrix_norm(array, keepdims=keepdims, ord=ord)
    raise _left_to_numpy(f"a norm of order {ord!r} along {axis}")


def _along_two_axes(name: str) -> Callable[..., Any]:
    def row(a: Any, s: Any = None, axes: Any = (-2, -1), norm: str | None = None) -> Tensor:
        from strided import fft

        run = getattr(fft, name)
        result: Tensor = run(asarray(a), s=s, axes=axes, norm=norm or "backward")
        return result

    return row


_BY_AXES = ("fftn", "ifftn", "rfftn", "irfftn")

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
    "cross": _cross,
    "trapezoid": _trapezoid,
    "diag": _diag,
    "diagflat": _diagflat,
    "copy": _copy,
    "where": _where,
    "clip": _clip,
    **dict.fromkeys(("round", "around"), _around),
    **{name: _elementwise(name) for name in ("sinc", "angle", "isposinf", "isneginf")},
    "einsum": _einsum,
    "linalg.qr": _qr,
    "linalg.svd": _svd,
    "linalg.norm": _norm,
    **{f"fft.{name[:-1]}2": _along_two_axes(name) for name in _BY_AXES},
    **{f"{n}_like": _like(getattr(creation, f"{n}_like")) for n in ("empty", "zeros", "ones")},
    "full_like": _full_like,
}


# ---- rows of definitions ----
# "std: a axis dtype out ddof keepdims * correction" (``numpy=`` in ``ops/define.py``): NumPy's
# names of the function, then those of its parameters in its order; those after the star come by
# name only. ``norm?``: NumPy's None is our default. ``indices=index``: NumPy's name and ours.
# ``arrays[]`` is a list of operands.


def _row_of(definition: Definition, names: list[str]) -> Callable[..., Any]:
    optional = [name[:-1] for name in names if name.endswith("?")]
    is_list = names[0].endswith("[]")
    ours = dict(name.split("=") for name in names if "=" in name)
    names = [name.removesuffix("?").removesuffix("[]").partition("=")[0] for name in names]
    placed = names[: names.index("*")] if "*" in names else names
    function = definition.operation
    unnamed = definition.python.__code__.co_posonlyargcount or 1
    operands = definition.operands or 1

    special = {"dtype", "out", *optional}
    by_place = unnamed  # so many come by their place in the definition too
    while (
        by_place < min(len(placed), definition.placed)
        and placed[by_place] not in special
        and ours.get(placed[by_place], placed[by_place]) == definition.parameters[by_place]
    ):
        by_place += 1
    rest = placed[by_place:]
    is_plain = not ours and not special.intersection(names)

    def row(*args: Any, **options: Any) -> Any:
        first = args[:by_place]
        if len(args) > by_place:
            options = dict(zip(rest, args[by_place:], strict=False)) | options
        elif len(args) < unnamed:
            first += tuple(options.pop(name) for name in placed[len(args) : unnamed])
        if is_list:
            first = ([as_operand(one) for one in first[0]], *first[1:])
        elif operands > 1 or not isinstance(first[0], Tensor):
            first = (*map(as_operand, first[:operands]), *first[operands:])
        if options and not is_plain:
            prepare(options)
        return function(*first, **options)

    def prepare(given: dict[str, Any]) -> None:
        for name in optional:
            if name in given and given[name] is None:
                del given[name]
        if "dtype" in given:
            given["dtype"] = numpys_dtype(given["dtype"])
        if given.get("out") is not None:
            given["out"] = asarray(given["out"], copy=False)
        for name in ours.keys() & given.keys():
            given[ours[name]] = given.pop(name)

    # The table asks it which calls the row takes.
    kinds = {True: Parameter.POSITIONAL_OR_KEYWORD, False: Parameter.KEYWORD_ONLY}
    listed = [name for name in names if name != "*"]
    parameters = [
        Parameter(name, kinds[name in placed], default=Parameter.empty if place < unnamed else None)
        for place, name in enumerate(listed)
    ]
    row.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return row


def rows_of_definitions() -> dict[str, Callable[..., Any]]:
    """Return a row for each name that NumPy has for an operation with a definition."""
    from strided import fft, linalg  # noqa: F401  (they fill the registry)

    made: dict[str, Callable[..., Any]] = {}
    for definition in DEFINITIONS.values():
        if definition.numpy is not None:
            names, parameters = definition.numpy.split(":")
            row = _row_of(definition, parameters.split())
            made.update(dict.fromkeys(names.split(), row))
    return made
