"""Gradients of elements that are written to positions, or where a mask is true: what was written
over gets none, what was written gets that of its place.
"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.rules.written import Written
from strided.ops.derivatives import conj
from strided.ops.elementwise import where
from strided.ops.operands import as_index, as_mask, as_vector
from strided.ops.rule import Backward, Call, Gradients, gradient_of

# ---- along an axis ----


@gradient_of("put_along")
def _put_along(call: Call, x: Tensor, dim: int, index: Any, src: Tensor) -> Backward:
    wanted = Written(call, src)
    saved = call.save(as_index(index))
    shape = src.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.scatter(dim, index, 0) if wanted.x else None
        return wanted.gradients(of_x, _gathered(g, dim, index, shape) if wanted.source else None)

    return backward


def _gathered(g: Tensor, dim: int, index: Tensor, shape: tuple[int, ...]) -> Tensor:
    return _padded(g.gather(dim, index), shape)


def _padded(part: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a source of which only the front part was written."""
    if part.shape == shape:
        return part
    made = _native.zeros(shape, dtype=part.dtype)
    made[tuple(slice(0, length) for length in part.shape)] = part
    return made


@gradient_of("scatter_add")
def _scatter_add(call: Call, x: Tensor, dim: int, index: Any, src: Tensor) -> Backward:
    wanted = Written(call, src)
    saved = call.save(as_index(index) if wanted.source else None)
    shape = src.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_source = _gathered(g, dim, index, shape) if wanted.source else None
        return wanted.gradients(g if wanted.x else None, of_source)

    return backward


@gradient_of("scatter_reduce", reads_self=True)
def _scatter_reduce(
    call: Call,
    x: Tensor,
    dim: int,
    index: Any,
    src: Tensor,
    reduce: str,
    *,
    include_self: bool = True,
) -> Backward:
    wanted = Written(call, src)
    reads = reduce in ("prod", "amax", "amin")
    positions = as_index(index)
    saved = call.save(positions, *((x, src, call.output) if reads else ()))
    of_source = src.shape

    def backward(g: Tensor) -> Gradients:
        index, *values = saved()
        if reads:
            x, src, y = values
            src = src[tuple(slice(0, length) for length in index.shape)]
            of_x, part = (_product_shares if reduce == "prod" else _extreme_shares)(
                g, x, dim, index, src, y, include_self
            )
        else:
            if reduce == "mean":
                g = g / _counts(g, dim, index, include_self)
            of_x, part = g, g.gather(dim, index)
        if not include_self:
            of_x = of_x.scatter(dim, index, 0)
        return wanted.gradients(
            of_x if wanted.x else None, _padded(part, of_source) if wanted.source else None
        )

    return backward


def _counts(g: Tensor, dim: int, index: Tensor, include_self: bool) -> Tensor:
    """Return how many elements each result is the mean of."""
    counts = _native.zeros(g.shape, dtype=_native.int64).fill_(1 if include_self else 0)
    ones = _native.zeros((), dtype=_native.int64).fill_(1).expand(*index.shape)
    return counts.scatter_add_(dim, index, ones).clamp_(min=1)


def _extreme_shares(
    g: Tensor, x: Tensor, dim: int, index: Tensor, src: Tensor, y: Tensor, include_self: bool
) -> tuple[Tensor, Tensor]:
    """Return equal parts of g for all that equal the result."""
    own = (x == y).to(g.dtype)
    if not include_self:
        own = own.scatter(dim, index, 0)
    given = (src == y.gather(dim, index)).to(g.dtype)
    each = g / own.scatter_add(dim, index, given).clamp(min=1)
    return own * each, given * each.gather(dim, index)


def _product_shares(
    g: Tensor, x: Tensor, dim: int, index: Tensor, src: Tensor, y: Tensor, include_self: bool
) -> tuple[Tensor, Tensor]:
    """Return g times the product of all other factors; a single zero among them is left out."""

    def product(start: Tensor, factors: Tensor) -> Tensor:
        return start.scatter_reduce(dim, index, factors, "prod", include_self=include_self)

    filled = where(x == 0, 1, x)
    of_x = g * product(filled, src) / filled
    zero = src == 0
    counts = _native.zeros(x.shape, dtype=_native.int64)
    number = counts.scatter_add_(dim, index, zero.to(_native.int64)).gather(dim, index)
    single = zero & (number == 1)
    without = (g * product(x, where(single, 1, src))).gather(dim, index)
    other = (g * y).gather(dim, index) / where(zero, 1, src)
    return of_x, where(single, without, other)


# ---- rows ----


@gradient_of("index_add")
def _index_add(
    call: Call, x: Tensor, dim: int, index: Any, source: Tensor, *, alpha: Any = 1
) -> Backward:
    wanted = Written(call, source)
    saved = call.save(as_vector(index) if wanted.source else None)
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        rows = None
        if wanted.source:
            rows = g.index_select(dim, index).reshape(shape)
            rows = rows if alpha == 1 else rows * conj(alpha)
        return wanted.gradients(g if wanted.x else None, rows)

    return backward


@gradient_of("index_copy")
def _index_copy(call: Call, x: Tensor, dim: int, index: Any, tensor: Tensor) -> Backward:
    wanted = Written(call, tensor)
    saved = call.save(as_vector(index))
    shape = tensor.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.index_fill(dim, index, 0) if wanted.x else None
        rows = g.index_select(dim, index).reshape(shape) if wanted.source else None
        return wanted.gradients(of_x, rows)

    return backward


@gradient_of("index_fill")
def _index_fill(call: Call, x: Tensor, dim: int, index: Any, value: Any) -> Backward:
    wanted = Written(call, value)
    saved = call.save(as_vector(index))

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.index_fill(dim, index, 0) if wanted.x else None
        return wanted.gradients(of_x, g.index_select(dim, index).sum() if wanted.source else None)

    return backward


@gradient_of("put")
def _put(call: Call, x: Tensor, index: Any, source: Any, accumulate: bool = False) -> Backward:
    wanted = Written(call, source)
    saved = call.save(as_index(index))
    shape = source.shape if isinstance(source, Tensor) else ()

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = None
        if wanted.x:
            nothing = _native.zeros((), dtype=g.dtype).expand(*index.shape)
            of_x = g if accumulate else g.put(index, nothing)
        return wanted.gradients(of_x, g.take(index).reshape(shape) if wanted.source else None)

    return backward


# ---- masks ----


@gradient_of("masked_fill")
def _masked_fill(call: Call, x: Tensor, mask: Any, value: Any) -> Backward:
    wanted = Written(call, value)
    saved = call.save(as_mask(mask))

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        return wanted.gradients(of_x, where(mask, g, 0).sum() if wanted.source else None)

    return backward


@gradient_of("masked_scatter")
def _masked_scatter(call: Call, x: Tensor, mask: Any, source: Tensor) -> Backward:
    wanted = Written(call, source)
    saved = call.save(as_mask(mask).expand(*x.shape))
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        if not wanted.source:
            return wanted.gradients(of_x, None)
        flat = _padded(g.masked_select(mask), (math.prod(shape),))
        return wanted.gradients(of_x, flat.reshape(shape))

    return backward
