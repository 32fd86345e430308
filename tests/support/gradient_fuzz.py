"""Random programs of views, operations and in-place writes, run on strided and on NumPy.

NumPy has the same views and writes but no gradients; all operations here are analytic, so the
gradient of its program is the imaginary part of one run per element with a tiny imaginary step
(the complex-step derivative, exact to rounding). A step is an operation and four whole numbers that
it makes sense of on whatever tensors there are, so that any part of a program is a program.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import strided

Step = tuple[str, int, int, int, int]
LIMIT = 60  # elements of a tensor
_TINY = 1e-30


class Skip(Exception):
    """A step that does not fit the tensors it would be done on."""


class Program(NamedTuple):
    """The shape of the leaf, and what to do."""

    shape: tuple[int, ...]
    steps: list[Step]


class Outcome(NamedTuple):
    """What a program on strided gave: its gradient (None: stale), value and the steps done."""

    gradient: np.ndarray | None
    value: float
    done: list[bool]


# ---- views: one function per step, for tensors and arrays alike ----


def _axis(x: Any, a: int) -> int:
    if x.ndim == 0:
        raise Skip
    return a % x.ndim


def _along(x: Any, axis: int, key: Any) -> Any:
    return x[(*[slice(None)] * axis, key, ...)]  # NumPy's single element is a view with the dots


def _slice(x: Any, a: int, b: int, c: int) -> Any:
    axis = _axis(x, a)
    n = x.shape[axis]
    start, stop, step = b % (n + 1), n - c % 2, 1 + (b + c) % 3
    return _along(x, axis, slice(start, stop, step))


def _backwards(x: Any, a: int, b: int, c: int) -> Any:
    return _along(x, _axis(x, a), slice(None, None, -1 - b % 2))


def _select(x: Any, a: int, b: int, c: int) -> Any:
    axis = _axis(x, a)
    if x.shape[axis] == 0:
        raise Skip
    return _along(x, axis, b % x.shape[axis] - (x.shape[axis] if c % 2 else 0))


def _piece(x: Any, a: int, b: int, c: int) -> Any:
    axis = _axis(x, a)
    if x.shape[axis] == 0:
        raise Skip
    place = b % x.shape[axis]
    return _along(x, axis, place) if isinstance(x, np.ndarray) else x.unbind(axis)[place]


def _swap(x: Any, a: int, b: int, c: int) -> Any:
    return x.swapaxes(_axis(x, a), _axis(x, b))


def _new_axis(x: Any, a: int, b: int, c: int) -> Any:
    return x[(*[slice(None)] * (a % (x.ndim + 1)), None)]


def _expand(x: Any, a: int, b: int, c: int) -> Any:
    shape = (1 + a % 3, *x.shape)
    if math.prod(shape) > LIMIT:
        raise Skip
    if isinstance(x, np.ndarray):
        return np.lib.stride_tricks.as_strided(x, shape, (0, *x.strides))
    return x.expand(shape)


def _windows(x: Any, a: int, b: int, c: int) -> Any:
    axis = _axis(x, a)
    size, step = 1 + b % 3, 1 + c % 2
    if x.shape[axis] < size:
        raise Skip
    if isinstance(x, np.ndarray):
        count = (x.shape[axis] - size) // step + 1
        shape = (*x.shape[:axis], count, *x.shape[axis + 1 :], size)
        stride = x.strides[axis]
        strides = (*x.strides[:axis], stride * step, *x.strides[axis + 1 :], stride)
        made = np.lib.stride_tricks.as_strided(x, shape, strides)
    else:
        made = x.unfold(axis, size, step)
    if math.prod(made.shape) > LIMIT:
        raise Skip
    return made


def _diagonal(x: Any, a: int, b: int, c: int) -> Any:
    if x.ndim < 2:
        raise Skip
    if not isinstance(x, np.ndarray):
        return x.diagonal(0, 0, 1)
    count = min(x.shape[:2])
    shape, strides = (*x.shape[2:], count), (*x.strides[2:], x.strides[0] + x.strides[1])
    return np.lib.stride_tricks.as_strided(x, shape, strides)


def _reshape(x: Any, a: int, b: int, c: int) -> Any:
    count = math.prod(x.shape)
    lengths = [n for n in range(1, count + 1) if count % n == 0] or [1]
    n = lengths[a % len(lengths)]
    return x.reshape((n, count // n))


VIEWS: dict[str, Callable[[Any, int, int, int], Any]] = {
    "slice": _slice,
    "backwards": _backwards,
    "select": _select,
    "piece": _piece,
    "swap": _swap,
    "new axis": _new_axis,
    "expand": _expand,
    "windows": _windows,
    "diagonal": _diagonal,
    "reshape": _reshape,
}


# ---- operations ----


def _lib(x: Any) -> Any:
    return np if isinstance(x, np.ndarray) else strided


def _private(x: Any, a: int) -> Any:
    """Return what an operation may save: mostly a copy, which no later write can reach."""
    if a % 5 == 0:
        return x
    return x.copy() if isinstance(x, np.ndarray) else x.clone()


UNARY: dict[str, Callable[[Any, int, int], Any]] = {
    "sin": lambda x, a, b: _lib(x).sin(_private(x, a)),
    "tanh": lambda x, a, b: _lib(x).tanh(_private(x, a)),
    "scale": lambda x, a, b: x * (1 + b % 3 / 2),
    "shift": lambda x, a, b: x + b % 3,
    "square": lambda x, a, b: _lib(x).square(_lib(x).sin(_private(x, a))),
    "sum": lambda x, a, b: x.sum(_axis(x, a)),
    "mean": lambda x, a, b: x.mean(_axis(x, a)) if math.prod(x.shape) else x.sum(_axis(x, a)),
    "cumsum": lambda x, a, b: x.cumsum(_axis(x, a)),
    "copy": lambda x, a, b: x.copy() if isinstance(x, np.ndarray) else x.clone(),
}
BINARY: dict[str, Callable[[Any, Any, int], Any]] = {
    "add": lambda x, y, a: x + y,
    "subtract": lambda x, y, a: x - y,
    "multiply": lambda x, y, a: _private(x, a) * _private(y, a),
}


def _binary(op: str, x: Any, y: Any, a: int) -> Any:
    try:
        shape = np.broadcast_shapes(tuple(x.shape), tuple(y.shape))
    except ValueError:
        raise Skip from None
    if math.prod(shape) > LIMIT:
        raise Skip
    return BINARY[op](x, y, a)


# ---- writes ----


def _fits(x: Any, y: Any) -> None:
    try:
        fits = np.broadcast_shapes(tuple(x.shape), tuple(y.shape)) == tuple(x.shape)
    except ValueError:
        fits = False
    if not fits:
        raise Skip


def _write(op: str, x: Any, y: Any, a: int, b: int) -> None:
    array = isinstance(x, np.ndarray)
    if op in ("put", "add to", "multiply by"):
        _fits(x, y)
    if op == "put":
        x[...] = y
    elif op == "add to":
        x += y
    elif op == "multiply by":
        x *= y.copy() if array else y.clone()
    elif op == "scale by":
        x *= 1 + a % 3 / 2
    elif op == "fill":
        x[...] = a % 3
    elif op == "sine of":
        np.sin(x, out=x) if array else x.sin_()
    elif op == "part":
        if x.ndim == 0 or x.shape[0] == 0:
            raise Skip
        x[a % x.shape[0]] = b % 4


WRITES = ("put", "add to", "multiply by", "scale by", "fill", "sine of", "part")
OPERATIONS = (*VIEWS, *UNARY, *BINARY, *WRITES)


# ---- running ----


def _packed(x: Any) -> Any:
    """Return a result in row-major order: libraries may choose, and views of it depend on that."""
    return x.contiguous() if isinstance(x, strided.Tensor) else np.asarray(x, order="C")


def _do(pool: list[Any], step: Step) -> None:
    op, i, a, b, c = step
    x = pool[i % len(pool)]
    if op in VIEWS:
        pool.append(VIEWS[op](x, a, b, c))
    elif op in UNARY:
        pool.append(_packed(UNARY[op](x, a, b)))
    elif op in BINARY:
        pool.append(_packed(_binary(op, x, pool[c % len(pool)], a)))
    else:
        _write(op, x, pool[c % len(pool)], a, b)


def _weights(k: int, shape: tuple[int, ...]) -> np.ndarray:
    count = math.prod(shape)
    return np.array([0.25 + (5 * j + 3 * k) % 7 / 8 for j in range(count)]).reshape(shape)


def _start(shape: tuple[int, ...]) -> np.ndarray:
    count = math.prod(shape)
    return np.array([((7 * k + 2) % 11 - 5) / 4 for k in range(count)]).reshape(shape)


def loss_of(pool: list[Any]) -> Any:
    """Return a number that every element of every tensor has its own share in."""
    total: Any = 0.0
    for k, x in enumerate(pool):
        weights = _weights(k, tuple(x.shape))
        if isinstance(x, np.ndarray):
            total = total + (x * weights).sum()
        else:
            total = total + (x * strided.from_numpy(weights)).sum()
    return total


def run_strided(program: Program, x: Any) -> tuple[Any, list[Any], list[bool]]:
    """Run a program from a leaf; return the loss, the tensors, and which steps were done."""
    plain = strided.from_numpy(_start((3, 2)))  # becomes part of the graph when written to
    pool = [x * 1, plain]
    done = []
    for step in program.steps:
        count = len(pool)
        try:
            _do(pool, step)
        except (Skip, strided.WriteThroughOverlap, strided.GradientNotPossible):
            # Pieces of a tensor are not written to; nothing may have changed then.
            del pool[count:]
            done.append(False)
        else:
            done.append(True)
    return loss_of(pool), pool, done


def run_numpy(program: Program, x: np.ndarray, done: list[bool]) -> tuple[Any, list[np.ndarray]]:
    """Run the steps that strided did on a complex array."""
    pool = [np.asarray(x * 1), _start((3, 2)).astype(np.complex128)]
    for step, was_done in zip(program.steps, done, strict=True):
        if was_done:
            _do(pool, step)
            pool[-1] = np.asarray(pool[-1])  # it makes scalars of what has rank 0
    return loss_of(pool), pool


def outcome_of(program: Program) -> Outcome:
    """Run a program and its backward pass on strided."""
    x = strided.from_numpy(_start(program.shape)).requires_grad_()
    loss, _, done = run_strided(program, x)
    try:
        loss.backward()
    except strided.StaleGradient:
        return Outcome(None, loss.item(), done)
    assert x.grad is not None
    return Outcome(np.array(x.grad.tolist()).reshape(program.shape), loss.item(), done)


def slopes_of(program: Program, done: list[bool]) -> tuple[float, np.ndarray]:
    """Return the value and the gradient of the program on NumPy."""
    start = _start(program.shape)
    found = np.zeros(start.size)
    for k in range(start.size):
        x = start.astype(np.complex128)
        x.reshape(-1)[k] += _TINY * 1j
        found[k] = run_numpy(program, x, done)[0].imag / _TINY
    value = run_numpy(program, start.astype(np.complex128), done)[0].real
    return float(value), found.reshape(program.shape)
