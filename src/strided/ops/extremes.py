"""Smallest and largest elements along axes, their positions, and medians."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided._native import Tensor
from strided.ops.arguments import Axes, reduced_axes, with_axes
from strided.ops.define import DTypeLike, operation
from strided.ops.elementwise import where
from strided.ops.fused import in_one_pass
from strided.ops.gradients import RULES, AddInto, Backward, Call, Gradient, Gradients
from strided.ops.statistics import count_numbers

_NAN = float("nan")


class Extreme(NamedTuple):
    """What ``max(dim)`` and ``min(dim)`` return: the values and where they stand."""

    values: Tensor
    indices: Tensor


class Extremes(NamedTuple):
    """What ``aminmax()`` returns: the smallest and the largest elements."""

    min: Tensor
    max: Tensor


# ---- gradients: the element that is the result gets it, equal ones share it ----


def _shared(g: Tensor, x: Tensor, y: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Return g in equal parts for all elements that equal the result."""
    if not axes:
        return g
    if bool(y.isnan().any()):
        # NaN is the result of NaN, though it equals nothing.
        found = (x == y) | (x.isnan() & y.isnan())
        return where(found, g / found.sum(axes, keepdim=True), 0)
    each = g / (x == y).sum(axes, keepdim=True)
    made: Tensor = in_one_pass(lambda g, x, y: where(x == y, g, 0), each, x, y)
    return made


def at_position(g: Tensor, positions: Tensor, axis: int, kept: bool = True) -> Gradient:
    """Return g at positions along an axis, zeros elsewhere."""
    if positions.ndim == 0 and kept:
        return g
    if not kept:
        g, positions = g.unsqueeze(axis), positions.unsqueeze(axis)
    return AddInto(lambda buffer: buffer.scatter_add_(axis, positions, g))


def equal_ones_share(
    call: Call, x: Tensor, axis: Axes = None, keepdims: bool = False, *_: Any
) -> Backward:
    """Give the elements that equal the result equal parts of the gradient."""
    axes = reduced_axes(x, axis)
    saved = call.save(x, call.output)

    def backward(g: Tensor) -> Gradients:
        x, y = saved()
        return (_shared(with_axes(g, axes, keepdims), x, with_axes(y, axes, keepdims), axes),)

    return backward


def _aminmax_gradient(call: Call, x: Tensor, axis: Axes, keepdims: bool) -> Backward:
    axes = reduced_axes(x, axis)
    saved = call.save(x, *call.output)

    def backward(*grads: Tensor | None) -> Gradients:
        x, *results = saved()
        total = None
        for g, y in zip(grads, results, strict=True):
            if g is not None:
                of_y = with_axes(y, axes, keepdims)
                part = _shared(with_axes(g, axes, keepdims), x, of_y, axes)
                total = part if total is None else total + part
        return (total,)

    return backward


def one_at_its_position(call: Call, x: Tensor, axis: int, keepdims: bool) -> Backward:
    """Give the element at the position found all of the gradient."""
    along = reduced_axes(x, axis)[0] if x.ndim else 0
    kept = keepdims or x.ndim == 0
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], along, kept),)

    return backward


def each_at_its_position(call: Call, axis: int) -> Backward:
    """Give each result's gradient to the position where it was found."""
    saved = call.save(call.output[1])

    def backward(g: Tensor) -> Gradients:
        return (at_position(g, saved()[0], axis),)

    return backward


# ---- along axes ----


@operation(
    gradient=equal_ones_share,
    numpy="min amin: a axis out keepdims",
    fuse="min",
)
def amin(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the smallest element along axes, or of all; NaN wins. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).amin(dim=1).tolist()
    [1, 3]
    """
    ...


@operation(
    gradient=equal_ones_share,
    numpy="max amax: a axis out keepdims",
    fuse="max",
)
def amax(
    x: Tensor,
    /,
    axis: Axes = None,
    keepdims: bool = False,
    *,
    dtype: DTypeLike | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the largest element along axes, or of all; NaN wins. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).amax(dim=1).tolist()
    [2, 4]
    """
    ...


@operation(gradient=_aminmax_gradient, result=Extremes)
def aminmax(x: Tensor, /, axis: Axes = None, keepdims: bool = False) -> Extremes:
    """Return the smallest and the largest elements, in one pass. New tensors.

    >>> import strided
    >>> least, most = strided.tensor([[1, 2], [3, 4]]).aminmax(dim=0)
    >>> least.tolist(), most.tolist()
    ([1, 2], [3, 4])
    """
    ...


@operation(gradient=equal_ones_share, function=None, method=None)
def least_number(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, dtype: DTypeLike | None = None
) -> Tensor:
    """Return the smallest number along axes; infinity where there is none."""
    ...


@operation(gradient=equal_ones_share, function=None, method=None)
def largest_number(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, dtype: DTypeLike | None = None
) -> Tensor:
    """Return the largest number along axes; minus infinity where there is none."""
    ...


def _numbers_or_nan(x: Tensor, found: Tensor, axis: Axes, keepdims: bool) -> Tensor:
    # An infinite result is what is left where there was no number; or it was one.
    if not x.dtype.is_floating_point or found.isfinite().all():
        return found
    return where(count_numbers(x, axis, keepdims) == 0, _NAN, found)


@operation()
def nanmin(x: Tensor, /, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Return the smallest number along axes, or of all; NaN where there is none. A new tensor.

    >>> import strided
    >>> strided.tensor([4.0, strided.nan, 3.0]).nanmin().item()
    3.0
    """
    return _numbers_or_nan(x, least_number(x, axis, keepdims), axis, keepdims)


@operation()
def nanmax(x: Tensor, /, axis: Axes = None, keepdims: bool = False) -> Tensor:
    """Return the largest number along axes, or of all; NaN where there is none. A new tensor.

    >>> import strided
    >>> strided.tensor([4.0, strided.nan, 3.0]).nanmax().item()
    4.0
    """
    return _numbers_or_nan(x, largest_number(x, axis, keepdims), axis, keepdims)


# ---- min and max as methods: of all, along one axis with positions, or elementwise ----

_OVERLOADS = (
    "(self, dim: None = None, keepdim: bool = False, *, axis: int | Sequence[int] | None = None,"
    " keepdims: bool = False, out: Tensor | None = None) -> Tensor",
    "(self, dim: int, keepdim: bool = False, *, keepdims: bool = False) -> Extreme",
    "(self, dim: Tensor, *, out: Tensor | None = None) -> Tensor",
)


_BY_NAME = (
    "with axis= strided.max and strided.min give values, as NumPy does; with dim= also where they"
    " stand, as PyTorch does"
)


def _max_or_min_gradient(elementwise: str) -> Any:
    def rule(call: Call, x: Tensor, dim: Any, keepdims: bool, axis: Axes, out: None) -> Backward:
        if isinstance(dim, Tensor):
            return RULES[elementwise].prepare(call, x, dim)
        if dim is None:
            return equal_ones_share(call, x, axis, keepdims)
        return one_at_its_position(call, x, dim, keepdims)

    return rule


@operation(
    name="min",
    gradient=_max_or_min_gradient("minimum"),
    function_by_name=_BY_NAME,
    operands=2,
    fuse="min",
    result=Extreme,
    overloads=_OVERLOADS,
)
def min_or_minimum(
    x: Tensor,
    /,
    dim: int | Tensor | None = None,
    keepdims: bool = False,
    *,
    axis: Axes = None,
    out: Tensor | None = None,
) -> Tensor | Extreme:
    """The smallest element, of all or along an axis. A new tensor.

    ``min(dim)`` also says where it stands, as PyTorch does; ``min(axis=...)`` gives only the
    values, as NumPy does; ``min(other)`` works elementwise.

    >>> import strided
    >>> values, indices = strided.tensor([[4, 1], [5, 3]]).min(1)
    >>> values.tolist(), indices.tolist()
    ([1, 3], [1, 1])
    """
    ...


@operation(
    name="max",
    gradient=_max_or_min_gradient("maximum"),
    function_by_name=_BY_NAME,
    operands=2,
    fuse="max",
    result=Extreme,
    overloads=_OVERLOADS,
)
def max_or_maximum(
    x: Tensor,
    /,
    dim: int | Tensor | None = None,
    keepdims: bool = False,
    *,
    axis: Axes = None,
    out: Tensor | None = None,
) -> Tensor | Extreme:
    """The largest element, of all or along an axis. A new tensor.

    ``max(dim)`` also says where it stands, as PyTorch does; ``max(axis=...)`` gives only the
    values, as NumPy does; ``max(other)`` works elementwise.

    >>> import strided
    >>> values, indices = strided.tensor([[4, 1], [5, 3]]).max(1)
    >>> values.tolist(), indices.tolist()
    ([4, 5], [0, 0])
    """
    ...


# ---- positions ----


@operation(numpy="argmin: a axis out keepdims")
def argmin(
    x: Tensor, /, axis: int | None = None, keepdims: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the position of the first smallest element, along an axis or of all. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 9], [7, 2]]).argmin(1).tolist()
    [0, 1]
    """
    ...


@operation(numpy="argmax: a axis out keepdims")
def argmax(
    x: Tensor, /, axis: int | None = None, keepdims: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the position of the first largest element, along an axis or of all. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 9], [7, 2]]).argmax(1).tolist()
    [1, 0]
    """
    ...
