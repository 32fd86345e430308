"""Sorting, selecting and counting, as in PyTorch. ``dim`` is also called ``axis``.

NaN counts as the largest value, and elements that count as equal keep their order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.autograd import recorded
from strided.autograd.differentiable import differentiable
from strided.errors import DTypeMismatch, InvalidArgument
from strided.ops.indexing import as_index, as_operand
from strided.ops.joining import joined
from strided.ops.results import into, into_pair

Pair = tuple[Tensor, Tensor]


class Ordered(NamedTuple):
    """What ``sort``, ``topk`` and their like return: the values and where they stood."""

    values: Tensor
    indices: Tensor


def _dim(dim: int, axis: int | None) -> int:
    return dim if axis is None else axis


def sort(
    self: Tensor,
    dim: int = -1,
    descending: bool = False,
    stable: bool = True,
    *,
    axis: int | None = None,
    out: Pair | None = None,
) -> Ordered:
    """Return the elements in order along an axis, and where they stood. New tensors, or ``out``.

    The order is always stable.

    >>> import strided
    >>> values, indices = strided.tensor([3, 1, 2]).sort()
    >>> values.tolist(), indices.tolist()
    ([1, 2, 3], [1, 2, 0])
    """
    values, places = recorded.sort(self, _dim(dim, axis), True, True, descending)
    assert values is not None
    assert places is not None
    return Ordered(*into_pair(out, (values, places), "sort"))


def argsort(
    self: Tensor,
    dim: int = -1,
    descending: bool = False,
    stable: bool = True,
    *,
    axis: int | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Return the positions that put an axis in order; always stable. A new tensor of int64.

    >>> import strided
    >>> strided.tensor([3, 1, 2]).argsort(descending=True).tolist()
    [0, 2, 1]
    """
    _, places = _native.sort(self, _dim(dim, axis), False, True, descending)
    assert places is not None
    return into(out, places, "argsort")


def msort(self: Tensor) -> Tensor:
    """Return the elements in order along the first axis. A new tensor.

    >>> import strided
    >>> strided.tensor([[3, 1], [2, 5]]).msort().tolist()
    [[2, 1], [3, 5]]
    """
    # A gradient goes back by the places.
    values, _ = recorded.sort(self, 0, True, _native.any_tracked((self,)), False)
    assert values is not None
    return values


def topk(
    self: Tensor,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
    *,
    axis: int | None = None,
    out: Pair | None = None,
) -> Ordered:
    """Return the k largest (or smallest) elements along an axis and where they stand. New tensors.

    Of equal elements the first ones are taken. Nothing else is sorted.

    >>> import strided
    >>> values, indices = strided.tensor([3, 9, 2, 7]).topk(2)
    >>> values.tolist(), indices.tolist()
    ([9, 7], [1, 3])
    """
    found = recorded.topk(self, k, _dim(dim, axis), largest, sorted)
    return Ordered(*into_pair(out, found, "topk"))


def kthvalue(
    self: Tensor,
    k: int,
    dim: int = -1,
    keepdim: bool = False,
    *,
    axis: int | None = None,
    out: Pair | None = None,
) -> Ordered:
    """Return the k-th smallest element along an axis (k = 1: the smallest). New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([[3, 9, 2], [5, 4, 6]]).kthvalue(2)
    >>> values.tolist(), indices.tolist()
    ([3, 5], [0, 0])
    """
    found = recorded.select_rank(self, k - 1, _dim(dim, axis), keepdim, False)
    return Ordered(*into_pair(out, found, "kthvalue"))


def median(
    self: Tensor, dim: int | None = None, keepdim: bool = False, *, axis: int | None = None
) -> Tensor | Ordered:
    """Return the lower median of all elements, or along an axis with its position. New tensors.

    A NaN among the elements is the answer.

    >>> import strided
    >>> x = strided.tensor([[3, 9, 2, 4], [5, 4, 6, 6]])
    >>> x.median().item(), x.median(1).values.tolist()
    (4, [3, 5])
    """
    dim = dim if axis is None else axis
    if dim is None:
        flat = self.reshape(-1)
        if flat.size == 0 and flat.dtype.kind == "f":
            return _native.empty((), dtype=self.dtype).fill_(float("nan"))
        return middle(flat)
    length = self.shape[_native.normal_axis(dim, self.ndim)] if self.ndim else 1
    return Ordered(*recorded.select_rank(self, (length - 1) // 2, dim, keepdim, True))


@differentiable
def middle(line: Tensor) -> Tensor:
    """Return the lower median of a vector, as a new tensor of rank 0."""
    return _native.select_rank(line, (line.size - 1) // 2, 0, False, True)[0]


def cummax(
    self: Tensor, dim: int = -1, *, axis: int | None = None, out: Pair | None = None
) -> Ordered:
    """Return the largest element so far along an axis, and where it stands. New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([1, 3, 2]).cummax(0)
    >>> values.tolist(), indices.tolist()
    ([1, 3, 3], [0, 1, 1])
    """
    found = recorded.running_extreme(self, _dim(dim, axis), True)
    return Ordered(*into_pair(out, found, "cummax"))


def cummin(
    self: Tensor, dim: int = -1, *, axis: int | None = None, out: Pair | None = None
) -> Ordered:
    """Return the smallest element so far along an axis, and where it stands. New tensors.

    >>> import strided
    >>> values, indices = strided.tensor([3, 1, 2]).cummin(0)
    >>> values.tolist(), indices.tolist()
    ([3, 1, 1], [0, 1, 1])
    """
    found = recorded.running_extreme(self, _dim(dim, axis), False)
    return Ordered(*into_pair(out, found, "cummin"))


def distinct(
    x: Tensor, first: bool, inverse: bool, counts: bool, as_they_lie: bool = False
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """Return the distinct elements of a tensor of any shape and dtype, and what else is wanted."""
    if x.dtype.kind != "c":
        return _native.unique(x.reshape(-1), first, inverse, counts, as_they_lie)
    # Pairs of numbers, ordered by the real part first.
    pairs = x.reshape(-1)._convert(None, False, "row_major", "pack").view_as_real()
    values, *rest = _native.unique(pairs, first, inverse, counts, as_they_lie)
    return values.view_as_complex(), rest[0], rest[1], rest[2]


def _unique(
    x: Tensor, inverse: bool, counts: bool, dim: int | None, as_they_lie: bool
) -> Tensor | tuple[Tensor, ...]:
    if dim is None:
        values, _, where, number = distinct(x, False, inverse, counts, as_they_lie)
        where = where.reshape(x.shape) if where is not None else None
    else:
        if x.dtype.kind == "c":
            raise DTypeMismatch(
                operation="unique(dim)",
                got=x.dtype.name,
                reason="complex numbers have no order",
                hint="use .view_as_real()",
            )
        lines = x.movedim(dim, 0)
        rows = lines.reshape(lines.shape[0], -1) if lines.size else _empty_rows(lines)
        values, _, where, number = _native.unique(rows, False, inverse, counts, as_they_lie)
        values = values.reshape(values.shape[0], *lines.shape[1:]).movedim(0, dim)
    found = [values, *(part for part in (where, number) if part is not None)]
    return found[0] if len(found) == 1 else tuple(found)


def _empty_rows(lines: Tensor) -> Tensor:
    return _native.empty((lines.shape[0], 0), dtype=lines.dtype)


def unique(
    self: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Return the distinct elements, or rows along ``dim``, in order. New tensors.

    With ``return_inverse`` also which of them each element is, with ``return_counts`` also how
    often each occurs. A NaN is distinct from every other.

    >>> import strided
    >>> values, counts = strided.tensor([3, 1, 3]).unique(return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    return _unique(self, return_inverse, return_counts, dim, as_they_lie=False)


def unique_consecutive(
    self: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Return the first of every run of equal elements, or of equal rows along ``dim``. New tensors.

    >>> import strided
    >>> strided.tensor([3, 3, 1, 3]).unique_consecutive().tolist()
    [3, 1, 3]
    """
    return _unique(self, return_inverse, return_counts, dim, as_they_lie=True)


def bincount(self: Tensor, weights: Any = None, minlength: int = 0) -> Tensor:
    """Count how often 0, 1, 2, ... occur, or add up their weights. A new tensor.

    Counts are int64; sums have the weights' dtype if that is float32, else float64.

    >>> import strided
    >>> strided.tensor([1, 4, 1]).bincount().tolist()
    [0, 2, 0, 0, 1]
    """
    if weights is None:
        return _native.bincount(self, None, minlength)
    weights = as_operand(weights)
    sums = _native.bincount(self, weights, minlength)
    wanted = _native.float32 if weights.dtype is _native.float32 else sums.dtype
    return sums._convert(wanted, reason="promote")


def diff(
    self: Tensor,
    n: int = 1,
    dim: int = -1,
    prepend: Tensor | None = None,
    append: Tensor | None = None,
    *,
    axis: int | None = None,
) -> Tensor:
    """Return the differences of neighbours along an axis, n times over. A new tensor.

    >>> import strided
    >>> strided.tensor([1, 4, 9, 16]).diff().tolist()
    [3, 5, 7]
    """
    dim = _native.normal_axis(_dim(dim, axis), self.ndim)
    if n < 0:
        raise InvalidArgument(argument="n", got=str(n), requirement="must not be negative")
    x = _one_or_joined([part for part in (prepend, self, append) if part is not None], dim)
    for _ in range(n):
        length = max(x.shape[dim] - 1, 0)
        later, earlier = x.narrow(dim, x.shape[dim] - length, length), x.narrow(dim, 0, length)
        x = later.not_equal(earlier) if x.dtype is _native.bool else later - earlier
    return x if n else x.clone()


def _one_or_joined(parts: list[Tensor], dim: int) -> Tensor:
    return parts[0] if len(parts) == 1 else joined(parts, axis=dim)


def searchsorted(
    self: Tensor, v: Any, side: str = "left", sorter: Any = None, *, out: Tensor | None = None
) -> Tensor:
    """Return where values belong in this sorted tensor, as NumPy does. A new tensor of int64.

    >>> import strided
    >>> strided.tensor([1, 3, 5]).searchsorted(strided.tensor([3, 4])).tolist()
    [1, 2]
    """
    if side not in ("left", "right"):
        raise InvalidArgument(argument="side", got=repr(side), requirement="is 'left' or 'right'")
    lists = self if sorter is None else _native.gather(self, -1, as_index(sorter))
    found = _native.searchsorted(lists, as_operand(v), side == "right")
    return into(out, found, "searchsorted")


METHODS: dict[str, Any] = {
    "sort": sort,
    "argsort": argsort,
    "msort": msort,
    "topk": topk,
    "kthvalue": kthvalue,
    "median": median,
    "cummax": cummax,
    "cummin": cummin,
    "unique": unique,
    "unique_consecutive": unique_consecutive,
    "bincount": bincount,
    "diff": diff,
    "searchsorted": searchsorted,
}
