"""Elements written to positions along an axis or of the flattened tensor, as in PyTorch.

Positions are integers of any dtype, negative ones count from the end; they are checked before
anything is written. Writes happen in the order of the positions: where one place is named twice the
last write stays, and sums come out the same however many threads work. What was written over gets
no gradient, what was written gets that of its place.
"""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.arguments import ARRAY, MASK, POSITIONS, in_wide
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients
from strided.ops.indexing import number_for, value_for
from strided.ops.indexing_reading import Written, gathered, padded

# ---- along an axis: the last write stays ----


def _put_along_gradient(call: Call, x: Tensor, axis: int, index: Tensor, src: Tensor) -> Backward:
    wanted = Written(call, src)
    saved = call.save(index)
    shape = src.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.scatter(axis, index, 0) if wanted.x else None
        return wanted.gradients(of_x, gathered(g, axis, index, shape) if wanted.source else None)

    return backward


@operation(gradient=_put_along_gradient, function=None, method=None, kind="in place", operands=4)
def put_along_(x: Tensor, /, axis: int, index: Tensor, src: Tensor) -> Tensor:
    """Write elements to positions along an axis, in place."""
    _native.scatter_along(x, axis, index, src, "put", "scatter_")
    return x


@operation(method=None, kind="in place", forms={"indices": POSITIONS}, also={"x": "arr"})
def put_along_axis(x: Tensor, /, indices: Any, values: Any, axis: int | None) -> None:
    """Write values to positions along an axis, in place; indices and values broadcast.

    >>> import strided
    >>> x = strided.zeros(2, 2)
    >>> strided.put_along_axis(x, strided.tensor([[1], [0]]), 7, axis=1)
    >>> x.tolist()
    [[0.0, 7.0], [7.0, 0.0]]
    """
    if axis is None:  # positions of the flattened tensor
        put_(x, indices, value_for(x, values).broadcast_to(indices.shape))
        return
    at = _native.normal_axis(axis, x.ndim)
    shape = [indices.shape[i] if i == at else n for i, n in enumerate(x.shape)]
    source = value_for(x, values)
    put_along_(x, at, indices.expand(*shape), source.expand(*shape))


# ---- along an axis: reduced into what is there ----


def _scatter_add_gradient(call: Call, x: Tensor, axis: int, index: Tensor, src: Tensor) -> Backward:
    wanted = Written(call, src)
    saved = call.save(index if wanted.source else None)
    shape = src.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_source = gathered(g, axis, index, shape) if wanted.source else None
        return wanted.gradients(g if wanted.x else None, of_source)

    return backward


@operation(
    gradient=_scatter_add_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": POSITIONS},
    operands=4,
)
def scatter_add_(x: Tensor, /, axis: int, index: Any, src: Tensor) -> Tensor:
    """Add elements to those at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).scatter_add_(0, strided.tensor([1, 1]), strided.ones(2)).tolist()
    [0.0, 2.0, 0.0]
    """
    in_wide(
        x, src, lambda x, src: _native.scatter_along(x, axis, index, src, "add", "scatter_add_")
    )
    return x


_REDUCTIONS = {
    "sum": ("add", 0),
    "prod": ("multiply", 1),
    "mean": ("add", 0),
    "amax": ("greatest", None),
    "amin": ("least", None),
}


def _scatter_reduce_gradient(
    call: Call,
    x: Tensor,
    axis: int,
    index: Tensor,
    src: Tensor,
    reduce: str,
    include_self: bool,
) -> Backward:
    wanted = Written(call, src)
    reads = reduce in ("prod", "amax", "amin")
    saved = call.save(index, *((x, src, call.output) if reads else ()))
    of_source = src.shape

    def backward(g: Tensor) -> Gradients:
        index, *values = saved()
        if reads:
            x, src, y = values
            src = src[tuple(slice(0, length) for length in index.shape)]
            of_x, part = (_product_shares if reduce == "prod" else _extreme_shares)(
                g, x, axis, index, src, y, include_self
            )
        else:
            if reduce == "mean":
                g = g / _counts(g, axis, index, include_self)
            of_x, part = g, g.gather(axis, index)
        if not include_self:
            of_x = of_x.scatter(axis, index, 0)
        return wanted.gradients(
            of_x if wanted.x else None, padded(part, of_source) if wanted.source else None
        )

    return backward


def _counts(g: Tensor, axis: int, index: Tensor, include_self: bool) -> Tensor:
    """Return how many elements each result is the mean of."""
    counts = _native.empty(g.shape, dtype=_native.int64).fill_(1 if include_self else 0)
    ones = _native.empty((), dtype=_native.int64).fill_(1).expand(*index.shape)
    in_wide(
        counts,
        ones,
        lambda x, src: _native.scatter_along(x, axis, index, src, "add", "scatter_reduce_"),
    )
    return counts.clamp_(min=1)


def _extreme_shares(
    g: Tensor, x: Tensor, axis: int, index: Tensor, src: Tensor, y: Tensor, include_self: bool
) -> tuple[Tensor, Tensor]:
    """Return equal parts of g for all that equal the result."""
    own = (x == y).to(g.dtype)
    if not include_self:
        own = own.scatter(axis, index, 0)
    given = (src == y.gather(axis, index)).to(g.dtype)
    each = g / own.scatter_add(axis, index, given).clamp(min=1)
    return own * each, given * each.gather(axis, index)


def _product_shares(
    g: Tensor, x: Tensor, axis: int, index: Tensor, src: Tensor, y: Tensor, include_self: bool
) -> tuple[Tensor, Tensor]:
    """Return g times the product of all other factors; a single zero among them is left out."""

    def product(start: Tensor, factors: Tensor) -> Tensor:
        return start.scatter_reduce(axis, index, factors, "prod", include_self=include_self)

    filled = where(x == 0, 1, x)
    of_x = g * product(filled, src) / filled
    zero = src == 0
    counts = _native.zeros(x.shape, dtype=_native.int64)
    number = counts.scatter_add_(axis, index, zero.to(_native.int64)).gather(axis, index)
    single = zero & (number == 1)
    without = (g * product(x, where(single, 1, src))).gather(axis, index)
    other = (g * y).gather(axis, index) / where(zero, 1, src)
    return of_x, where(single, without, other)


@operation(
    gradient=_scatter_reduce_gradient,
    reads_self=True,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": POSITIONS},
    operands=4,
)
def scatter_reduce_(
    x: Tensor, /, axis: int, index: Any, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Reduce elements into those at positions along an axis, in place.

    ``reduce`` is "sum", "prod", "mean", "amax" or "amin". Without ``include_self`` what was there
    does not count, where anything is written.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.scatter_reduce_(0, strided.tensor([1, 1]), strided.tensor([3.0, 5.0]), "amax").tolist()
    [0.0, 5.0]
    """
    if reduce not in _REDUCTIONS:
        known = ", ".join(map(repr, _REDUCTIONS))
        raise InvalidArgument(argument="reduce", got=repr(reduce), requirement=f"is one of {known}")
    how, start = _REDUCTIONS[reduce]
    counts = _counts(x, axis, index, include_self) if reduce == "mean" else None
    if not include_self:
        first = src if start is None else number_for(x, start).expand(*index.shape)
        # An element that is reduced stands in for none where there is no neutral one.
        _native.scatter_along(x, axis, index, first, "put", "scatter_reduce_")

    def reduce_into(x: Tensor, src: Tensor) -> None:
        _native.scatter_along(x, axis, index, src, how, "scatter_reduce_")
        if counts is not None:
            if x.dtype.kind in "fc":
                x.divide_(counts)
            else:
                x.floor_divide_(counts)

    in_wide(x, src, reduce_into)
    return x


@operation(function=None, kind="in place", on_a_copy=True, forms={"index": POSITIONS})
def scatter_(x: Tensor, /, axis: int, index: Any, src: Any, *, reduce: str | None = None) -> Tensor:
    """Write elements, or one number, to positions along an axis, in place.

    ``x[index[i][j]][j] = src[i][j]`` for axis 0; ``reduce`` is "add" or "multiply".

    >>> import strided
    >>> strided.zeros(4).scatter_(0, strided.tensor([1, 3]), 7).tolist()
    [0.0, 7.0, 0.0, 7.0]
    """
    if reduce not in (None, "add", "multiply"):
        raise InvalidArgument(
            argument="reduce", got=repr(reduce), requirement="is 'add' or 'multiply'"
        )
    if not isinstance(src, Tensor):
        src = number_for(x, src).expand(*index.shape)
    if reduce == "multiply":
        return scatter_reduce_(x, axis, index, src, "prod")
    return (put_along_ if reduce is None else scatter_add_)(x, axis, index, src)


# ---- of the flattened tensor ----


def _put_gradient(
    call: Call, x: Tensor, index: Tensor, source: Tensor, accumulate: bool
) -> Backward:
    wanted = Written(call, source)
    saved = call.save(index)
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = None
        if wanted.x:
            nothing = _native.zeros((), dtype=g.dtype).expand(*index.shape)
            of_x = g if accumulate else g.put(index, nothing)
        return wanted.gradients(of_x, g.take(index).reshape(shape) if wanted.source else None)

    return backward


@operation(
    gradient=_put_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": POSITIONS, "source": ARRAY},
    operands=3,
)
def put_(x: Tensor, /, index: Any, source: Any, accumulate: bool = False) -> Tensor:
    """Write elements to positions of the flattened tensor, or add to those there, in place.

    >>> import strided
    >>> strided.zeros(2, 2).put_(strided.tensor([3, 0]), strided.tensor([7.0, 8.0])).tolist()
    [[8.0, 0.0], [0.0, 7.0]]
    """
    if source.size != index.size:
        raise ShapeMismatch(
            operation="put_",
            expected=index.shape,
            got=source.shape,
            hint="give one element for each position",
        )
    source = source.reshape(*index.shape)
    if accumulate:
        in_wide(x, source, lambda x, source: _native.put_flat(x, index, source, True))
    else:
        _native.put_flat(x, index, source, False)
    return x


# ---- elements written where a mask is true ----


@operation(forms={"mask": MASK}, operands=1)
def masked_fill(x: Tensor, /, mask: Any, value: Any) -> Tensor:
    """Return the tensor with a value where the mask is true; both broadcast. A new tensor.

    >>> import strided
    >>> strided.zeros(3).masked_fill(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(mask, number_for(x, value), x)


def _masked_fill_gradient(call: Call, x: Tensor, mask: Tensor, value: Any) -> Backward:
    wanted = Written(call, value)
    saved = call.save(mask)

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        return wanted.gradients(of_x, where(mask, g, 0).sum() if wanted.source else None)

    return backward


@operation(
    gradient=_masked_fill_gradient,
    function=None,
    kind="in place",
    forms={"mask": MASK},
    operands=3,
)
def masked_fill_(x: Tensor, /, mask: Any, value: Any) -> Tensor:
    """Write a value where the mask is true, in place. The mask broadcasts; nothing is gathered.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_fill_(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(mask, value, x, out=x)


def _masked_scatter_gradient(call: Call, x: Tensor, mask: Tensor, source: Tensor) -> Backward:
    wanted = Written(call, source)
    saved = call.save(mask.expand(*x.shape))
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        of_x = where(mask, 0, g) if wanted.x else None
        if not wanted.source:
            return wanted.gradients(of_x, None)
        flat = padded(g.masked_select(mask), (math.prod(shape),))
        return wanted.gradients(of_x, flat.reshape(shape))

    return backward


@operation(
    gradient=_masked_scatter_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"mask": MASK},
    operands=3,
)
def masked_scatter_(x: Tensor, /, mask: Any, source: Tensor) -> Tensor:
    """Write the elements of a tensor, one after the other, where the mask is true, in place.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_scatter_(strided.tensor([True, False, True]), strided.tensor([7.0, 8.0])).tolist()
    [7.0, 0.0, 8.0]
    """
    _native.masked_put(x, mask.expand(*x.shape), source.reshape(-1), True)
    return x
