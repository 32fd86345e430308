"""Asks a library for the gradients of the expressions of gradient_table.py.

The leaves of an expression lie in memory in one of several ways (``CLASSES``) while their values
stay the same, so the answer may not depend on it: gradients are told in the coordinates of the
values. ``expanded`` alone has other values: every row is the first one, and its leaf is that row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from .gradient_table import NOT_EXPANDED, POOLS, SHAPES, TABLE
from .torch_answers import errors_of, names_of

CLASSES = ("contiguous", "transposed", "stepped", "flipped", "expanded")


class Row(NamedTuple):
    """One expression of one group."""

    group: str
    expression: str

    @property
    def name(self) -> str:
        return f"{self.group}: {self.expression}"

    @property
    def classes(self) -> tuple[str, ...]:
        return CLASSES[:-1] if self.group in NOT_EXPANDED else CLASSES


def rows() -> Iterator[Row]:
    """Every expression of the table."""
    for group, (_, text) in TABLE.items():
        for expression in text.replace("\n", ";").split(";"):
            if expression.strip():
                yield Row(group, expression.strip())


class Leaf(NamedTuple):
    """A leaf, the view of it that an expression sees, and what takes its gradient there."""

    leaf: Any
    seen: Any
    of_gradient: Callable[[Any], Any]

    def told(self, gradient: Any) -> list[Any]:
        """Return the elements of a gradient in the coordinates of what the expression saw."""
        part = array_of(self.of_gradient(gradient))
        outside = np.count_nonzero(array_of(gradient)) - np.count_nonzero(part)
        assert outside == 0, "a gradient outside of the view"
        return numbers(part)


def array_of(x: Any) -> np.ndarray:
    """Return the elements of a tensor of either library."""
    name = str(x.dtype).split(".")[-1]
    known = "float32" if name in ("float16", "bfloat16") else name
    return np.array(x.detach().clone().tolist(), dtype=known).reshape(tuple(x.shape))


def tensor_of(lib: Any, values: np.ndarray) -> Any:
    """Return a contiguous tensor of either library that is no view."""
    dtype = getattr(lib, values.dtype.name)
    if values.size == 0:
        return lib.zeros(tuple(values.shape), dtype=dtype)
    return lib.tensor(values.tolist(), dtype=dtype)


def values_of(letter: str, pool: str) -> np.ndarray:
    """Return the values of a letter's leaf."""
    shape, source = SHAPES[letter], POOLS[pool]
    start = 2 * list(SHAPES).index(letter)
    picked = [source[(start + k) % len(source)] for k in range(math.prod(shape))]
    return np.array(picked, np.complex128 if pool == "complex" else np.float64).reshape(shape)


def placed(lib: Any, values: np.ndarray, kind: str) -> Leaf:
    """Return a leaf whose view holds the values and lies in memory as a class of layouts says."""
    rank = values.ndim
    start, view = values, None
    if kind == "stepped":
        key = (slice(1, None, 2),) * rank or (1,)
        start = np.full([2 * n + 1 for n in values.shape] or 3, 9.0, values.dtype)
        start[key] = values

        def view(x: Any) -> Any:
            return x[key]
    elif kind == "transposed":
        start = values.T

        def view(x: Any) -> Any:
            return x.permute(tuple(reversed(range(rank))))
    elif kind == "flipped" and rank:
        start = np.flip(values)

        def view(x: Any) -> Any:
            return x.flip(tuple(range(rank)))
    elif kind == "expanded" and rank:
        leaf = tensor_of(lib, values[:1]).requires_grad_()
        return Leaf(leaf, leaf.expand(tuple(values.shape)), lambda g: g)
    leaf = tensor_of(lib, start).requires_grad_()
    if view is None:
        return Leaf(leaf, leaf, lambda g: g)
    return Leaf(leaf, view(leaf), view)


class Layers:
    """Activations and layers by PyTorch's names, for either library."""

    def __init__(self, lib: Any) -> None:
        self._homes = (lib, lib.nn) if lib.__name__ == "strided" else (lib.nn.functional,)

    def __getattr__(self, name: str) -> Any:
        return next(getattr(home, name) for home in self._homes if hasattr(home, name))


def scope(lib: Any) -> dict[str, Any]:
    """What an expression sees beside its leaves."""
    names = names_of(lib)
    layers = Layers(lib)
    causal = lib.tensor([[True, False], [True, True]])

    def attend(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False) -> Any:
        function = layers.scaled_dot_product_attention
        return function(q[None], k[None], v[None], attn_mask=mask, is_causal=causal)

    def rms(x: Any, weight: Any, eps: float) -> Any:
        return layers.rms_norm(x, weight.shape, weight, eps)

    def index(*values: Any) -> Any:
        return lib.tensor(list(values), dtype=lib.int64)

    names |= {"F": layers, "i": index, "attend": attend, "causal_mask": causal, "rms": rms}
    names["k"] = lib.tensor([[0.25, 0.75, 0.5], [1.5, -0.5, 0.125]], dtype=lib.float64)
    names["mask"] = lib.tensor([[True, False, True], [False, True, True]])
    return names


def opened(result: Any) -> list[Any]:
    """Return the tensors of a result."""
    return [result] if hasattr(result, "dtype") else list(result)


def weighted(lib: Any, tensors: list[Any]) -> Any:
    """Return a real scalar that every element of the tensors has its own share in, or None."""
    total = None
    for place, x in enumerate(tensors):
        if not x.requires_grad:
            continue
        count = math.prod(x.shape)
        weights = np.array([0.5 + (7 * k + 3 + place) % 11 / 8 for k in range(count)])
        if x.dtype.is_complex:
            weights = weights + 1j * np.flip(weights)
            share = (x * tensor_of(lib, weights.reshape(tuple(x.shape)))).sum().real
        else:
            x = x if x.dtype == lib.float64 else x.to(lib.float64)
            share = (x * tensor_of(lib, weights.reshape(tuple(x.shape)))).sum()
        total = share if total is None else total + share
    return total


def numbers(array: np.ndarray) -> list[Any]:
    """Return elements for the golden file: twelve digits, complex numbers as two."""
    flat = np.ascontiguousarray(array).reshape(-1)
    if array.dtype.kind == "c":
        flat = flat.view(np.float64)
    return [float(f"{v:.12g}") if isinstance(v, float) else v for v in flat.tolist()]


def described(x: Any) -> list[Any]:
    """Return dtype, shape and elements of a tensor."""
    return [str(x.dtype).split(".")[-1], list(x.shape), numbers(array_of(x))]


def answer(lib: Any, row: Row, kind: str) -> dict[str, Any]:
    """Return values, gradients and second derivatives of one row, or the errors that catch it."""
    pool = TABLE[row.group][0]
    letters = [n for n in SHAPES if re.search(rf"(?<![\w.\"]){n}\b(?!\()", row.expression)]
    names, leaves = scope(lib), {}
    for letter in letters:
        values = values_of(letter, pool)
        if kind == "expanded" and values.ndim:
            values = np.repeat(values[:1], values.shape[0], axis=0)
        leaves[letter] = placed(lib, values, kind)
        names[letter] = leaves[letter].seen
    try:
        results = opened(eval(row.expression, names))
    except Exception as error:
        return {"error": errors_of(error), "class": type(error).__name__}
    found: dict[str, Any] = {"value": [described(x) for x in results]}
    loss = weighted(lib, results)
    if loss is None:
        return found
    tensors = [at.leaf for at in leaves.values()]

    def told(grads: Any) -> dict[str, Any]:
        pairs = zip(leaves.items(), grads, strict=True)
        return {name: None if g is None else at.told(g) for (name, at), g in pairs}

    grad = lib.autograd.grad
    try:
        found["gradient"] = told(grad(loss, tensors, retain_graph=True, allow_unused=True))
        firsts = grad(loss, tensors, create_graph=True, allow_unused=True)
    except RuntimeError as error:
        return {**found, "gradient": {"error": errors_of(error)}}
    again = told(firsts)
    if lib.__name__ == "strided":  # otherwise the recording would hold everything twice
        found["gradient with graph"] = again
    pairs = zip(leaves.values(), firsts, strict=True)
    slope = weighted(lib, [at.of_gradient(g) for at, g in pairs if g is not None])
    found["second"] = {}
    if slope is not None:
        try:
            found["second"] = told(grad(slope, tensors, allow_unused=True))
        except RuntimeError as error:
            found["second"] = {"error": errors_of(error)}
    return found
