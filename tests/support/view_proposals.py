"""Which view may come next: random arguments that fit the array at hand, or None."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from .steps import Array, Step, place

Rng = random.Random
Proposal = Callable[[Rng, Array, Array], "tuple[Any, ...] | None"]

LARGEST = 200  # elements in any tensor of a program
HIGHEST_RANK = 7
# What view(dtype) may turn into what: bytes that are no bool must never be read as one.
REINTERPRETED = ("float32", "int64", "int16", "complex64", "uint8", "int32", "float64")

VIEWS: dict[str, tuple[float, Proposal]] = {}


def view(name: str, weight: float, rank: int = 0) -> Callable[[Proposal], Proposal]:
    """Enter a proposal into the table, for arrays of at least the given rank."""

    def enter(propose: Proposal) -> Proposal:
        VIEWS[name] = (
            weight,
            lambda rng, a, root: propose(rng, a, root) if a.ndim >= rank else None,
        )
        return propose

    return enter


def _plain(name: str, weight: float, fits: Callable[[Array], bool] = lambda a: True) -> None:
    """Enter a view without arguments."""
    VIEWS[name] = (weight, lambda rng, a, root: () if fits(a) else None)


def dim_of(rng: Rng, a: Array) -> int:
    return rng.randrange(-a.ndim, a.ndim)


def dims_of(rng: Rng, a: Array, count: int) -> tuple[int, ...]:
    return tuple(d - rng.choice((0, a.ndim)) for d in rng.sample(range(a.ndim), count))


_plain("T", 1, lambda a: a.ndim == 2)
_plain("mT", 0.5, lambda a: a.ndim >= 2)
_plain("t", 0.3, lambda a: a.ndim <= 2)
_plain("ravel", 0.5)
_plain("flipud", 0.3, lambda a: a.ndim >= 1)
_plain("fliplr", 0.3, lambda a: a.ndim >= 2)
_plain("view_as_real", 0.3, lambda a: a.dtype.kind == "c" and a.ndim < HIGHEST_RANK)
_plain("real", 0.2, lambda a: a.dtype.kind == "c")
_plain("imag", 0.2, lambda a: a.dtype.kind == "c")
_plain("detach", 0.2)
_plain("contiguous", 0.4)
# Where a copy puts axes of stride 0 is PyTorch's rule, not NumPy's: see test_torch_results.
_plain("clone", 0.3, lambda a: 0 not in a.strides)
_plain("clone_row_major", 0.1)


# ---- parts of axes ----


def slice_of(rng: Rng, n: int) -> slice:
    def bound() -> int | None:
        return None if rng.random() < 0.4 else rng.randint(-n - 2, n + 2)

    return slice(bound(), bound(), rng.choice((None, 1, 1, 2, 3, -1, -1, -2, -3)))


def basic_key(rng: Rng, a: Array) -> Any:
    axes = list(a.shape)
    dots = rng.choice((None, None, None, 0, -1))
    if axes and rng.random() < 0.3:  # leave some axes to the ellipsis, or to the end
        count = rng.randrange(len(axes))
        axes = axes[len(axes) - count :] if dots == 0 else axes[:count]
    items: list[Any] = []
    for n in axes:
        kind = rng.random()
        if kind < 0.1 and a.ndim + items.count(None) < HIGHEST_RANK:
            items.append(None)
        if kind < 0.3 and n:
            items.append(rng.randrange(-n, n))
        else:
            items.append(slice(None) if kind < 0.5 else slice_of(rng, n))
    if dots is not None:
        items.insert(0 if dots == 0 else len(items), Ellipsis)
    return items[0] if len(items) == 1 and rng.random() < 0.7 else tuple(items)


@view("getitem", 8)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any]:
    return (basic_key(rng, a),)


@view("narrow", 1, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int]:
    dim = dim_of(rng, a)
    n = a.shape[dim]
    start = rng.randint(0, n)
    from_end = n if start < n and rng.random() < 0.2 else 0
    return dim, start - from_end, rng.randint(0, n - start)


@view("slice_dim", 0.7, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int] | None:
    dim = dim_of(rng, a)
    if a.shape[dim] == 0:
        return None
    start = rng.randrange(a.shape[dim])
    return dim, start, rng.randint(start + 1, a.shape[dim])


@view("slice", 0.3, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int] | None:
    return (0, rng.randint(1, a.shape[0])) if a.shape[0] else None


@view("select", 0.7, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int] | None:
    dim = dim_of(rng, a)
    n = a.shape[dim]
    return (dim, rng.randrange(-n, n)) if n else None


@view("unbind", 0.5, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int] | None:
    dim = dim_of(rng, a)
    return (dim, rng.randrange(a.shape[dim])) if a.shape[dim] else None


@view("split", 0.7, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, ...]:
    dim = dim_of(rng, a)
    n = a.shape[dim]
    if rng.random() < 0.5:
        size = rng.randint(1, n + 1)
        return size, dim, rng.randrange(max(1, -(-n // size)))
    cut = rng.randint(0, n)
    return (cut, n - cut), dim, rng.randrange(2)


@view("chunk", 0.5, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int]:
    dim, chunks = dim_of(rng, a), rng.randint(1, 4)
    n = a.shape[dim]
    return chunks, dim, rng.randrange(-(-n // -(-n // chunks)) if n else chunks)


@view("tensor_split", 0.5, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int]:
    sections = rng.randint(1, 4)
    return sections, dim_of(rng, a), rng.randrange(sections)


# ---- order and direction of axes ----


@view("transpose", 1.5)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, ...]:
    return (dim_of(rng, a), dim_of(rng, a)) if a.ndim and rng.random() < 0.7 else ()


@view("swapaxes", 0.7, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int]:
    return dim_of(rng, a), dim_of(rng, a)


@view("permute", 2)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, ...]:
    return dims_of(rng, a, a.ndim)


@view("movedim", 1, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, Any]:
    if rng.random() < 0.5:
        return dim_of(rng, a), dim_of(rng, a)
    count = rng.randint(0, a.ndim)
    return dims_of(rng, a, count), dims_of(rng, a, count)


@view("flip", 2)
def propose_flip(rng: Rng, a: Array, root: Array) -> tuple[int, ...]:
    return dims_of(rng, a, rng.choice((0, 1, 1, 1, a.ndim)) if a.ndim else 0)


@view("rot90", 0.7, rank=2)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, ...]:
    return rng.randint(-2, 5), tuple(rng.sample(range(-1, a.ndim - 1), 2))


@view("diagonal", 1.5, rank=2)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int]:
    n = max(a.shape)
    return rng.randint(-n, n), *dims_of(rng, a, 2)


# ---- shapes ----


def _factors(rng: Rng, n: int) -> list[int]:
    """Return a random list of lengths whose product is n."""
    if n == 0:
        lengths = [rng.randint(0, 3) for _ in range(rng.randint(0, 3))]
        lengths.insert(rng.randint(0, len(lengths)), 0)
        return lengths
    lengths = []
    while n > 1 and len(lengths) < 4 and rng.random() < 0.8:
        lengths.append(rng.choice([d for d in range(2, n + 1) if n % d == 0]))
        n //= lengths[-1]
    if n > 1:
        lengths.append(n)
    rng.shuffle(lengths)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        lengths.insert(rng.randint(0, len(lengths)), 1)
    return lengths


@view("view", 2)
@view("reshape", 4)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, ...] | None:
    # Splitting and merging neighbours often has a view; a random shape rarely does.
    shape = list(a.shape)
    kind = rng.random()
    if kind < 0.3 and len(shape) > 1:
        at = rng.randrange(len(shape) - 1)
        shape[at : at + 2] = [shape[at] * shape[at + 1]]
    elif kind < 0.6 and shape:
        at = rng.randrange(len(shape))
        shape[at : at + 1] = _factors(rng, shape[at])
    else:
        shape = _factors(rng, a.size)
    if shape and a.size and rng.random() < 0.2:
        shape[rng.randrange(len(shape))] = -1
    return (tuple(shape),) if len(shape) <= HIGHEST_RANK else None


@view("flatten", 1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int]:
    if a.ndim == 0:
        return 0, -1
    start = rng.randrange(a.ndim)
    return start, rng.randrange(start, a.ndim) - rng.choice((0, a.ndim))


@view("unflatten", 1, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, ...] | None:
    dim = dim_of(rng, a)
    sizes = _factors(rng, a.shape[dim])
    return (dim, tuple(sizes)) if sizes and a.ndim + len(sizes) <= HIGHEST_RANK else None


@view("squeeze", 1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, ...]:
    kind = rng.random()
    if kind < 0.4 or a.ndim == 0:
        return ()
    return (dim_of(rng, a),) if kind < 0.8 else (dims_of(rng, a, rng.randint(0, a.ndim)),)


@view("unsqueeze", 1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int] | None:
    return (rng.randint(-a.ndim - 1, a.ndim),) if a.ndim < HIGHEST_RANK else None


@view("expand", 1.5)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, ...] | None:
    shape = [rng.choice((n, -1)) if n != 1 else rng.choice((1, -1, 0, 2, 3)) for n in a.shape]
    for _ in range(rng.choice((0, 1, 1, 2))):
        shape.insert(0, rng.choice((1, 2, 3)))
    sizes = [n if n != -1 else a.shape[i - len(shape)] for i, n in enumerate(shape)]
    return tuple(shape) if math.prod(sizes) <= LARGEST and len(shape) <= HIGHEST_RANK else None


@view("broadcast_to", 0.3)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any] | None:
    fits = 2 * a.size <= LARGEST and a.ndim < HIGHEST_RANK
    return (
        ((2, *(rng.choice((1, 3)) if n == 1 and not a.size else n for n in a.shape)),)
        if fits
        else None
    )


@view("unfold", 1, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[int, int, int] | None:
    dim = dim_of(rng, a)
    size, step = rng.randint(0, a.shape[dim]), rng.choice((1, 1, 2, 3))
    grown = a.size // max(a.shape[dim], 1) * ((a.shape[dim] - size) // step + 1) * size
    return (dim, size, step) if a.ndim < HIGHEST_RANK and grown <= LARGEST else None


@view("sliding_window_view", 0.5)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any] | None:
    if a.size == 0 or 2 * a.ndim > HIGHEST_RANK:
        return None
    sizes = tuple(rng.randint(1, n) for n in a.shape)
    grown = math.prod((n - w + 1) * w for n, w in zip(a.shape, sizes, strict=True))
    return (sizes,) if grown <= LARGEST else None


# ---- any layout, any dtype, any positions ----


def strided_inside(
    rng: Rng, room: int, shape: tuple[int, ...], most: int
) -> tuple[Any, ...] | None:
    """Return random strides for a shape and an offset that keeps them inside ``room`` elements."""
    strides, low, high = [], 0, 0
    for length in shape:
        strides.append(rng.randint(-most, most))
        reach = max(length - 1, 0) * strides[-1]
        low, high = low + min(reach, 0), high + max(reach, 0)
    if high - low >= room:
        return None
    return shape, tuple(strides), rng.randint(-low, room - 1 - high)


@view("as_strided", 1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any, ...] | None:
    shape = tuple(rng.choice((0, 1, 2, 2, 3, 4)) for _ in range(rng.randint(0, 3)))
    return strided_inside(rng, root.nbytes // a.itemsize, shape, 6)


@view("view_dtype", 0.8)
def _(rng: Rng, a: Array, root: Array) -> tuple[str] | None:
    if a.dtype == bool:
        return ("bool",)
    name = rng.choice(REINTERPRETED)
    old, new = a.itemsize, np.dtype(name).itemsize
    if old == new:
        return (name,)
    if a.ndim == 0 or a.size == 0 or (a.shape[-1] > 1 and a.strides[-1] != old):
        return None
    outer = [s for s, n in zip(a.strides[:-1], a.shape[:-1], strict=True) if n > 1]
    whole = all(k % new == 0 for k in (a.shape[-1] * old, place(a, root), root.nbytes, *outer))
    return (name,) if whole and a.size * old // new <= LARGEST else None


def advanced_key(rng: Rng, a: Array) -> Any:
    """Return a key with a mask or an integer array in it (rank 1 and above)."""
    kind = rng.random()
    if kind < 0.35:
        axes = a.shape[: rng.randint(1, a.ndim)]
        return np.array([rng.random() < 0.5 for _ in range(math.prod(axes))], dtype=bool).reshape(
            axes
        )
    axis = rng.randrange(a.ndim)
    n = a.shape[axis]
    # No position twice: which of two writes stays is asked in test_indexing.
    index: Any = [
        i - rng.choice((0, 0, n)) for i in rng.sample(range(n), min(rng.randint(0, 3), n))
    ]
    if kind < 0.7:
        index = np.array(index, dtype=rng.choice(("int64", "int32")))
    before = tuple(slice_of(rng, m) for m in a.shape[:axis])
    return (*before, index) if before or rng.random() < 0.5 else index


@view("take", 0.8, rank=1)
def _(rng: Rng, a: Array, root: Array) -> tuple[Any]:
    return (advanced_key(rng, a),)


def _enter_even_splits() -> None:
    for name, rank, dim in (("hsplit", 2, 1), ("vsplit", 2, 0), ("dsplit", 3, 2)):

        @view(name, 0.2, rank)
        def _(rng: Rng, a: Array, root: Array, dim: int = dim) -> tuple[int, int]:
            sections = rng.choice([n for n in range(1, 5) if a.shape[dim] % n == 0])
            return sections, rng.randrange(sections)


_enter_even_splits()
for _name in ("squeeze", "unsqueeze", "t", "as_strided"):
    VIEWS[_name + "_"] = (0.2, VIEWS[_name][1])
view("transpose_", 0.2, rank=1)(lambda rng, a, root: (dim_of(rng, a), dim_of(rng, a)))

_NAMES = list(VIEWS)
_WEIGHTS = [weight for weight, _ in VIEWS.values()]


def propose_view(rng: Rng, a: Array, root: Array) -> Step | None:
    """Return a random view of the array, or None when the one drawn does not fit."""
    (op,) = rng.choices(_NAMES, _WEIGHTS)
    args = VIEWS[op][1](rng, a, root)
    return None if args is None else Step(op, args)
