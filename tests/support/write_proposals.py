"""Which write may come next, mostly one whose source overlaps its target."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np

from .steps import Array, Step, get
from .view_proposals import LARGEST, advanced_key, basic_key, propose_flip, strided_inside

Rng = random.Random
_KINDS = ("setitem", "setitem", "shift", "copy_", "fill_", "zero_", "put", "in place", "in place")


def random_shape(rng: Rng) -> tuple[int, ...]:
    while True:
        shape = tuple(rng.choice((0, 1, 2, 2, 3, 3, 4, 5, 6)) for _ in range(rng.randint(0, 5)))
        # Empty tensors are worth a test, not one in three.
        if math.prod(shape) <= LARGEST and (0 not in shape or rng.random() < 0.2):
            return shape


def _scalar(rng: Rng, dtype: Any) -> Any:
    if dtype.kind == "b":
        return rng.random() < 0.5
    if dtype.kind == "c" and rng.random() < 0.5:
        return complex(rng.randint(-9, 9), rng.randint(-9, 9))
    if dtype.kind in "fc" and rng.random() < 0.5:
        return rng.randint(-20, 20) / 4
    return rng.randint(0, 99)


def _array(rng: Rng, a: Array, shape: tuple[int, ...]) -> Array:
    """Return values of any dtype that broadcast to a shape: fewer axes, or length-1 ones."""
    shape = tuple(rng.choice((n, n, 1)) for n in shape[rng.randint(0, len(shape)) :])
    dtype = rng.choice(("int64", "uint8", "float64", "bool", a.dtype.name))
    return np.array([rng.randrange(50) for _ in range(math.prod(shape))], dtype).reshape(shape)


def _source(rng: Rng, a: Array, root: Array, target: Array) -> Step | None:
    """Return a view of x in a shape that broadcasts to the target."""
    kind = rng.random()
    if target.shape == a.shape and a.ndim:
        if kind < 0.3:
            return Step("flip", propose_flip(rng, a, root))
        if kind < 0.5 and a.ndim >= 2:
            dim0, dim1 = rng.sample(range(a.ndim), 2)
            if a.shape[dim0] == a.shape[dim1]:
                return Step("transpose", (dim0, dim1))
        if kind < 0.6 and a.shape[0]:
            return Step("getitem", (rng.randrange(a.shape[0]),))
    # The same shape anywhere in the storage.
    args = strided_inside(rng, root.nbytes // a.itemsize, target.shape, 4)
    return args and Step("as_strided", args)


def _shift(rng: Rng, a: Array) -> Step | None:
    """Return x[1:] = x[:-1] and its like, along any axis and in either direction."""
    dim = rng.randrange(a.ndim)
    n = a.shape[dim]
    if n < 2:
        return None
    by = rng.randint(1, n - 1)
    ends = [slice(by, None), slice(None, n - by)]
    rng.shuffle(ends)
    to, source = ((slice(None),) * dim + (end,) for end in ends)
    return Step("setitem", (to,), Step("getitem", (source,)))


def _in_place(rng: Rng, a: Array, root: Array) -> Step | None:
    kind = a.dtype.kind
    if kind != "b" and rng.random() < 0.4:
        return Step(rng.choice(("add_", "sub_", "mul_", "+=", "*=")), (rng.randint(0, 3),))
    source = _source(rng, a, root, a)
    if kind == "b":
        ops: tuple[str, ...] = ("&=", "|=", "^=")
    else:  # products of floats would grow past what is exact
        ops = ("+=", "-=", "add_", "sub_", "*=") if kind in "iu" else ("+=", "-=", "add_")
    return source and Step(rng.choice(ops), (), source)


def propose_write(rng: Rng, a: Array, root: Array, exact: bool) -> Step | None:
    """Return a random write, or None when the one drawn does not fit."""
    kind = rng.choice(_KINDS)
    if kind == "setitem":
        key = basic_key(rng, a)
        if rng.random() < 0.4:
            return Step("setitem", (key, _scalar(rng, a.dtype)))
        if rng.random() < 0.2:
            return Step("setitem", (key, _array(rng, a, get(a, key).shape)))
        source = _source(rng, a, root, get(a, key))
        return source and Step("setitem", (key,), source)
    if kind == "copy_":
        source = _source(rng, a, root, a)
        return source and Step("copy_", (), source)
    if kind == "fill_":
        return Step("fill_", (_scalar(rng, a.dtype),))
    if kind == "zero_":
        return Step("zero_")
    if a.ndim and kind == "shift":
        return _shift(rng, a)
    if a.ndim and kind == "put":
        return Step("put", (advanced_key(rng, a), _scalar(rng, a.dtype)))
    return _in_place(rng, a, root) if exact and kind == "in place" else None
