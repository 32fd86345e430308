"""One step of a program, done to either side: a strided tensor ``x`` or a NumPy array ``a``.

A step is data (a name and its arguments), so it can be applied, dropped, and printed as code.
NumPy's side gets ``root`` too, the flat storage behind ``a``: layouts that NumPy has no function
for, or hands out read-only, are laid over it directly.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import strided

Array = np.ndarray


class Step(NamedTuple):
    """One operation; ``source`` is the view of x that a write reads from."""

    op: str
    args: tuple[Any, ...] = ()
    source: Step | None = None


class Mismatch(AssertionError):
    """The two sides disagree."""


class Inapplicable(Exception):
    """A step that makes no sense here (after steps before it were dropped)."""


# ---- NumPy's side of every view operation ----


def place(a: Array, root: Array) -> int:
    """Return the distance in bytes of the first element from the start of the storage."""
    return a.__array_interface__["data"][0] - root.__array_interface__["data"][0]


def restride(root: Array, dtype: Any, shape: Any, strides: Any, offset: int) -> Array:
    """Return any layout over the storage, in bytes; NumPy checks that it stays inside."""
    return np.ndarray(shape, dtype, buffer=root, offset=offset, strides=strides)


def relaid(a: Array, root: Array, shape: Any, strides: Any) -> Array:
    """Return another layout that starts where ``a`` does."""
    return restride(root, a.dtype, shape, strides, place(a, root))


def is_view_of(a: Array, root: Array) -> bool:
    return bool(np.may_share_memory(a, root))


def _expand(a: Array, root: Array, *shape: int) -> Array:
    added = len(shape) - a.ndim
    lengths, strides = list(shape), [0] * added + list(a.strides)
    for axis, length in enumerate(a.shape, added):
        if lengths[axis] == -1:
            lengths[axis] = length
        elif lengths[axis] != length:
            strides[axis] = 0
    return relaid(a, root, lengths, strides)


def _flip(a: Array, _: Array, *dims: int) -> Array:
    axes = {d % a.ndim for d in dims} if dims else range(a.ndim)
    key = [slice(None, None, -1 if axis in axes else 1) for axis in range(a.ndim)]
    return a[(*key, ...)]


def _diagonal(a: Array, root: Array, offset: int, dim1: int, dim2: int) -> Array:
    d = a.diagonal(offset, dim1, dim2)  # read-only, so its layout is laid over the storage again
    return restride(root, a.dtype, d.shape, d.strides, place(d, root)) if d.size else d.copy()


def _unfold(a: Array, root: Array, dim: int, size: int, step: int) -> Array:
    dim = dim % a.ndim if a.ndim else 0
    shape, strides = list(a.shape), list(a.strides)
    stride = strides[dim]
    shape[dim] = (shape[dim] - size) // step + 1
    strides[dim] *= step
    return relaid(a, root, [*shape, size], [*strides, stride])


def _windows(a: Array, root: Array, sizes: tuple[int, ...]) -> Array:
    kept = [n - w + 1 for n, w in zip(a.shape, sizes, strict=True)]
    return relaid(a, root, [*kept, *sizes], a.strides * 2)


def _as_strided(a: Array, root: Array, shape: Any, strides: Any, offset: int) -> Array:
    item = a.itemsize
    return restride(root, a.dtype, shape, [s * item for s in strides], offset * item)


def _unflatten(a: Array, root: Array, dim: int, sizes: tuple[int, ...]) -> Array:
    dim %= a.ndim
    new = a.reshape(*a.shape[:dim], *sizes, *a.shape[dim + 1 :])
    # NumPy may copy where two neighbouring axes of length 1 hide; splitting one axis never has to.
    if a.size and not is_view_of(new, root):
        raise Inapplicable
    return new


def _squeeze(a: Array, _: Array, *dims: Any) -> Array:
    if not dims:
        return a.squeeze()
    wanted = (dims[0],) if isinstance(dims[0], int) else dims[0]
    axes = tuple(d for d in wanted if a.ndim and a.shape[d] == 1)
    return a.squeeze(axes) if axes else a[...]


def _flatten(a: Array, _: Array, start: int, end: int) -> Array:
    if a.ndim == 0:
        return a.reshape(1)
    start, end = start % a.ndim, end % a.ndim
    return a.reshape(*a.shape[:start], math.prod(a.shape[start : end + 1]), *a.shape[end + 1 :])


def get(a: Array, key: Any) -> Array:
    """Index without turning single elements into NumPy scalars, which are no views."""
    items = key if isinstance(key, tuple) else (key,)
    return a[key if any(item is Ellipsis for item in items) else (*items, Ellipsis)]


def _select(a: Array, _: Array, dim: int, index: int) -> Array:
    return get(a, (slice(None),) * (dim % a.ndim) + (index,))


def _cut(a: Array, dim: int, bounds: list[int], pick: int) -> Array:
    start, stop = bounds[pick], bounds[pick + 1]
    if not 0 <= start <= stop <= a.shape[dim]:
        raise Inapplicable
    return a[(slice(None),) * (dim % a.ndim) + (slice(start, stop),)]


def _narrow(a: Array, _: Array, dim: int, start: int, length: int) -> Array:
    start += a.shape[dim] if start < 0 else 0
    return _cut(a, dim, [start, start + length], 0)


def _split(a: Array, _: Array, size: Any, dim: int, pick: int) -> Array:
    n = a.shape[dim]
    if isinstance(size, int):
        return _cut(a, dim, [*range(0, n, size), n] if n else [0, 0], pick)
    return _cut(a, dim, [sum(size[:i]) for i in range(len(size) + 1)], pick)


def _tensor_split(a: Array, _: Array, sections: int, dim: int, pick: int) -> Array:
    small, larger = divmod(a.shape[dim], sections)
    sizes = [small + (i < larger) for i in range(sections)]
    return _cut(a, dim, [sum(sizes[:i]) for i in range(sections + 1)], pick)


def _view_dtype(a: Array, root: Array, dtype: str) -> Array:
    new = np.dtype(dtype)
    shape, strides = list(a.shape), list(a.strides)
    if new.itemsize != a.itemsize:
        shape[-1] = shape[-1] * a.itemsize // new.itemsize
        strides[-1] = new.itemsize
    return restride(root, new, shape, strides, place(a, root))


def _view_as_real(a: Array, root: Array) -> Array:
    part = a.real.dtype
    shape, strides = [*a.shape, 2], [*a.strides, part.itemsize]
    return restride(root, part, shape, strides, place(a, root))


def _contiguous(a: Array, _: Array) -> Array:
    return a if a.flags.c_contiguous else a.copy(order="C")


TWINS: dict[str, Callable[..., Array]] = {
    "getitem": lambda a, _, key: get(a, key),
    "narrow": _narrow,
    "select": _select,
    "slice_dim": lambda a, _, dim, start, end: _cut(a, dim, [start, end], 0),
    "slice": lambda a, _, start, end: _cut(a, 0, [start, end], 0),
    "transpose": lambda a, _, *d: a.transpose() if not d else a.swapaxes(*d) if a.ndim else a[...],
    "T": lambda a, _: a.T,
    "mT": lambda a, _: a.swapaxes(-1, -2),
    "t": lambda a, _: a.T,
    "swapaxes": lambda a, _, d0, d1: a.swapaxes(d0, d1),
    "permute": lambda a, _, *dims: a.transpose(dims),
    "movedim": lambda a, _, source, to: np.moveaxis(a, source, to),
    "reshape": lambda a, _, shape: a.reshape(shape),
    "view": lambda a, _, shape: a.reshape(shape),
    "flatten": _flatten,
    "ravel": lambda a, _: a.ravel(),
    "unflatten": _unflatten,
    "squeeze": _squeeze,
    "unsqueeze": lambda a, _, dim: np.expand_dims(a, dim),
    "expand": _expand,
    "broadcast_to": lambda a, root, shape: _expand(a, root, *shape),
    "flip": _flip,
    "flipud": lambda a, _: a[::-1],
    "fliplr": lambda a, _: a[:, ::-1],
    "rot90": lambda a, _, k, dims: np.rot90(a, k, dims),
    "diagonal": _diagonal,
    "unfold": _unfold,
    "sliding_window_view": _windows,
    "split": _split,
    "chunk": lambda a, r, n, dim, pick: (
        _split(a, r, max(1, -(-a.shape[dim] // n)), dim, pick) if a.shape[dim] else a[...]
    ),
    "tensor_split": _tensor_split,
    "unbind": _select,
    "hsplit": lambda a, r, n, pick: _tensor_split(a, r, n, 1 if a.ndim > 1 else 0, pick),
    "vsplit": lambda a, r, n, pick: _tensor_split(a, r, n, 0, pick),
    "dsplit": lambda a, r, n, pick: _tensor_split(a, r, n, 2, pick),
    "as_strided": _as_strided,
    "view_dtype": _view_dtype,
    "view_as_real": _view_as_real,
    "real": lambda a, _: a.real,
    "imag": lambda a, _: a.imag,
    "detach": lambda a, _: a[...],
    "contiguous": _contiguous,
    "clone": lambda a, _: a.copy(order="K"),
    "clone_row_major": lambda a, _: a.copy(order="C"),
    "take": lambda a, _, key: np.ascontiguousarray(a[key]).reshape(a[key].shape),
}
PICKED = frozenset(("split", "chunk", "tensor_split", "unbind", "hsplit", "vsplit", "dsplit"))
# The in-place forms change the tensor object, not its elements; they are done to a second object.
CHANGING = frozenset(("squeeze_", "unsqueeze_", "transpose_", "t_", "as_strided_"))
TWINS |= {name: TWINS[name[:-1]] for name in CHANGING}
ATTRIBUTES = frozenset(("T", "mT", "real", "imag"))


def view_numpy(a: Array, root: Array, step: Step) -> Array:
    """Apply a step to the NumPy side."""
    try:
        return TWINS[step.op](a, root, *step.args)
    except (ValueError, IndexError, TypeError, ZeroDivisionError) as error:
        raise Inapplicable from error


def view_strided(x: Any, step: Step) -> Any:
    """Apply a step to the strided side."""
    op, args = step.op, step.args
    if op in ATTRIBUTES:
        return getattr(x, op)
    if op in PICKED:
        return getattr(x, op)(*args[:-1])[args[-1]]
    if op in ("getitem", "take"):
        return x[args[0]]
    if op in CHANGING:
        return getattr(x.detach(), op)(*args)
    if op == "view_dtype":
        return x.view(getattr(strided, args[0]))
    if op == "clone_row_major":
        return x.clone(memory_format=strided.row_major)
    return getattr(x, op)(*args)


# ---- writes ----


def overlaps_itself(a: Array) -> bool:
    """Return whether one element stands at two indices, by walking over all of them if need be."""
    if a.size < 2:
        return False
    reach = a.itemsize
    for stride, length in sorted(
        (abs(s), n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1
    ):
        if stride < reach:
            break
        reach = stride * length
    else:
        return False
    places = np.zeros((), dtype=np.int64)
    for stride, length in zip(a.strides, a.shape, strict=True):
        places = np.add.outer(places, np.arange(length) * stride)
    return bool(np.diff(np.sort(places, axis=None)).min() < a.itemsize)


OPERATORS = {
    "+=": lambda a, b: np.add(a, b, out=a, casting="unsafe"),
    "-=": lambda a, b: np.subtract(a, b, out=a, casting="unsafe"),
    "*=": lambda a, b: np.multiply(a, b, out=a, casting="unsafe"),
    "&=": lambda a, b: np.bitwise_and(a, b, out=a),
    "|=": lambda a, b: np.bitwise_or(a, b, out=a),
    "^=": lambda a, b: np.bitwise_xor(a, b, out=a),
}
METHODS = {"add_": "+=", "sub_": "-=", "mul_": "*="}
WRITES = frozenset(("setitem", "copy_", "fill_", "zero_", "put", *OPERATORS, *METHODS))


def _in_place(x: Any, op: str, other: Any) -> Any:
    if op == "+=":
        x += other
    elif op == "-=":
        x -= other
    elif op == "*=":
        x *= other
    elif op == "&=":
        x &= other
    elif op == "|=":
        x |= other
    else:
        x ^= other
    return x


def write_numpy(a: Array, root: Array, step: Step) -> Array:
    """Do a write on the NumPy side; return what was written to."""
    op, args = step.op, step.args
    try:
        # NumPy itself promises copy-first only for equal strides in one dimension: say it outright.
        value = view_numpy(a, root, step.source).copy() if step.source else args[-1] if args else 0
        target = get(a, args[0]) if op == "setitem" else a
        if np.ndim(value) and np.broadcast_shapes(np.shape(value), target.shape) != target.shape:
            raise Inapplicable
        if overlaps_itself(target):
            return target
        if op in ("setitem", "put"):
            a[args[0]] = value
        elif op in ("copy_", "fill_", "zero_"):
            a[...] = value
        else:
            OPERATORS[METHODS.get(op, op)](a, value)
    except (ValueError, IndexError, TypeError) as error:
        raise Inapplicable from error
    return target


def write_strided(x: Any, step: Step) -> None:
    """Do a write on the strided side."""
    op, args = step.op, step.args
    value = view_strided(x, step.source) if step.source else args[-1] if args else None
    if op in ("setitem", "put"):
        x[args[0]] = value
    elif op in OPERATORS:
        if _in_place(x, op, value) is not x:
            raise Mismatch(f"{op} returned another tensor")
    elif op == "zero_":
        x.zero_()
    elif getattr(x, op)(value) is not x:
        raise Mismatch(f"{op} returned another tensor")
