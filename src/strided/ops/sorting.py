"""Sorting, selecting by rank, and medians.

NaN counts as the largest value, and elements that count as equal keep their order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple, cast

from strided import _native
from strided._native import Tensor
from strided.ops.arguments import Axes, as_integers
from strided.ops.define import operation
from strided.ops.extremes import each_at_its_position, equal_ones_share, one_at_its_position
from strided.ops.gradients import Backward, Call

Pair = tuple[Tensor, Tensor]


class Ordered(NamedTuple):
    """What ``sort``, ``topk`` and their like return: the values and where they stood."""

    values: Tensor
    indices: Tensor


# ---- sorting ----


def _in_order_gradient(call: Call, x: Tensor, axis: int, *_: Any) -> Backward:
    return each_at_its_position(call, axis)


@operation(gradient=_in_order_gradient, function=None, method=None)
def in_order(
    x: Tensor, /, axis: int, values: bool, places: bool, descending: bool
) -> tuple[Tensor, Tensor]:
    """Return the elements in order along an axis, where they stood; None for what is not wanted."""
    ...


def _flattened(x: Tensor, axis: int | None) -> tuple[Tensor, int]:
    return (x.reshape(-1), 0) if axis is None else (x, axis)


_BY_NAME = (
    "with axis= it gives values, as NumPy does; with dim= also where they stand, as PyTorch does"
)


@operation(
    method=None,
    function_by_name=_BY_NAME,
    converts=True,
    copies_out=True,
    numpy="sort: a axis",
    overloads=(
        "(x: Any, /, *, axis: int | None = -1, descending: bool = False, stable: bool = True,"
        " kind: str | None = None, out: Tensor | None = None) -> Tensor",
        "(x: Any, /, *, dim: int, descending: bool = False, stable: bool = True,"
        " out: Pair | None = None) -> Ordered",
    ),
)
def sort(
    x: Tensor,
    /,
    axis: int | None = -1,
    descending: bool = False,
    stable: bool = True,
    *,
    dim: int | None = None,
    kind: str | None = None,
    out: Any = None,
) -> Tensor:
    """Return the elements in order along an axis (flattened with ``None``). A new tensor.

    The order is always stable. With ``dim=`` it also says where they stood, as PyTorch does.

    >>> import strided
    >>> strided.sort(strided.tensor([3, 1, 2]), descending=True).tolist()
    [3, 2, 1]
    """
    if dim is not None:
        return cast(Tensor, sort_with_positions(x, dim, descending, stable))
    x, axis = _flattened(x, axis)
    # A gradient goes back by the places.
    return in_order(x, axis, True, _native.any_tracked((x,)), descending)[0]


@operation(name="sort with positions", function=None, method="sort", copies_out=True)
def sort_with_positions(
    x: Tensor,
    /,
    axis: int | None = -1,
    descending: bool = False,
    stable: bool = True,
    *,
    out: Pair | None = None,
) -> Ordered:
    """Return the elements in order along an axis, and where they stood. New tensors, or ``out``.

    The order is always stable.

    >>> import strided
    >>> values, indices = strided.tensor([3, 1, 2]).sort()
    >>> values.tolist(), indices.tolist()
    ([1, 2, 3], [1, 2, 0])
    """
    x, axis = _flattened(x, axis)
    return Ordered(*in_order(x, axis, True, True, descending))


@operation(converts=True, copies_out=True, numpy="argsort: a axis")
def argsort(
    x: Tensor,
    /,
    axis: int | None = -1,
    descending: bool = False,
    stable: bool = True,
    *,
    kind: str | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the positions that put an axis in order; always stable. A new tensor of int64.

    >>> import strided
    >>> strided.tensor([3, 1, 2]).argsort(descending=True).tolist()
    [0, 2, 1]
    """
    x, axis = _flattened(x, axis)
    return in_order(x, axis, False, True, descending)[1]


@operation(converts=True)
def msort(x: Tensor, /) -> Tensor:
    """Return the elements in order along the first axis. A new tensor.

    >>> import strided
    >>> strided.msort(strided.tensor([[3, 1], [2, 5]])).tolist()
    [[2, 1], [3, 5]]
    """
    return sort(x, axis=0)


# ---- selecting ----


def _topk_gradient(call: Call, x: Tensor, k: int, axis: int, *_: Any) -> Backward:
    return each_at_its_position(call, axis)


@operation(gradient=_topk_gradient, converts=True, result=Ordered, copies_out=True)
def topk(
    x: Tensor,
    /,
    k: int,
    axis: int = -1,
    largest: bool = True,
    sorted: bool = True,
    *,
    out: Pair | None = None,
) -> Ordered:
    """Return the k largest (or smallest) elements along an axis and where they stand. New tensors.

    Of equal elements the first ones are taken. Nothing else is sorted.

    >>> import strided
    >>> values, indices = strided.tensor([3, 9, 2, 7]).topk(2)
    >>> values.tolist(), indices.tolist()
    ([9, 7], [1, 3])
    """
    ...


def _of_rank_gradient(
    call: Call, x: Tensor, rank: int, axis: int, keepdims: bool, *_: Any
) -> Backward:
    return one_at_its_position(call, x, axis, keepdims)


@operation(gradient=_of_rank_gradient, function=None, method=None, result=Ordered)
def of_rank(x: Tensor, /, rank: int, axis: int, keepdims: bool, nan_wins: bool) -> Ordered:
    """Return the element of a rank along an axis, counted from 0, and where it stands."""
    ...


@operation(converts=True, copies_out=True)
def kthvalue(
    x: Tensor, /, k: int, axis: int = -1, keepdims: bool = False, *, out: Pair | None = None
) -> Ordered:
    """Return the k-th smallest element along an axis (k = 1: the smallest). New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([[3, 9, 2], [5, 4, 6]]).kthvalue(2)
    >>> values.tolist(), indices.tolist()
    ([3, 5], [0, 0])
    """
    return of_rank(x, k - 1, axis, keepdims, False)


# ---- medians ----


@operation(
    method=None,
    function_by_name=_BY_NAME,
    converts=True,
    overloads=(
        "(x: Any, /, *, axis: Axes = None, keepdims: bool = False) -> Tensor",
        "(x: Any, /, *, dim: int, keepdim: bool = False) -> Ordered",
    ),
)
def median(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, *, dim: int | None = None
) -> Tensor:
    """Return the median along axes, or of all elements: the mean of both middle ones. A new tensor.

    With ``dim=`` it is the lower one and where it stands, as PyTorch does.

    NaN is the median of no elements, and of any with a NaN among them.

    >>> import strided
    >>> strided.median(strided.tensor([1.0, 2.0, 4.0, 9.0])).item()
    3.0
    """
    if dim is not None:
        return cast(Tensor, lower_median(x, dim, keepdims))
    axes = range(x.ndim) if axis is None else as_integers(axis)
    gone = sorted({_native.normal_axis(a, x.ndim) for a in axes})
    kept = [a for a in range(x.ndim) if a not in gone]
    length = math.prod(x.shape[a] for a in gone)
    lines = x.permute(*kept, *gone).reshape(*(x.shape[a] for a in kept), length)
    dtype = x.dtype if x.dtype.kind == "f" else _native.float64
    if length == 0:
        middle = _native.empty(lines.shape[:-1], dtype=dtype).fill_(float("nan"))
    else:
        low, _ = of_rank(lines, (length - 1) // 2, -1, False, True)
        middle = low._convert(dtype, reason="promote")
    if length and length % 2 == 0:
        high, _ = of_rank(lines, length // 2, -1, False, True)
        middle = (middle + high._convert(dtype, reason="promote")) / 2
    if not keepdims:
        return middle
    return middle.reshape(*(1 if a in gone else n for a, n in enumerate(x.shape)))


def _middle_gradient(call: Call, line: Tensor) -> Backward:
    return equal_ones_share(call, line)


@operation(gradient=_middle_gradient, function=None, method=None)
def middle(line: Tensor, /) -> Tensor:
    """Return the lower median of a vector, as a new tensor of rank 0."""
    return of_rank(line, (line.size - 1) // 2, 0, False, True)[0]


@operation(
    name="lower median",
    function=None,
    method="median",
    overloads=(
        "(self, dim: None = None, keepdim: bool = False, *, axis: None = None,"
        " keepdims: bool = False) -> Tensor",
        "(self, dim: int, keepdim: bool = False, *, keepdims: bool = False) -> Ordered",
        "(self, *, axis: int, keepdim: bool = False, keepdims: bool = False) -> Ordered",
    ),
)
def lower_median(x: Tensor, /, axis: int | None = None, keepdims: bool = False) -> Tensor | Ordered:
    """Return the lower median of all elements, or along an axis with its position. New tensors.

    A NaN among the elements is the answer.

    >>> import strided
    >>> x = strided.tensor([[3, 9, 2, 4], [5, 4, 6, 6]])
    >>> x.median().item(), x.median(1).values.tolist()
    (4, [3, 5])
    """
    if axis is None:
        flat = x.reshape(-1)
        if flat.size == 0 and flat.dtype.kind == "f":
            return _native.empty((), dtype=x.dtype).fill_(float("nan"))
        return middle(flat)
    length = x.shape[_native.normal_axis(axis, x.ndim)] if x.ndim else 1
    return of_rank(x, (length - 1) // 2, axis, keepdims, True)
