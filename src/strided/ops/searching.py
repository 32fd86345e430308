"""Searching and counting: where elements are, where values belong, how often they occur."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, UnsupportedOperation
from strided.ops.arguments import as_comparable, as_index, as_operand
from strided.ops.define import operation

# ---- positions of nonzero elements ----


@operation(converts=True)
def argwhere(x: Tensor, /) -> Tensor:
    """Return the positions of nonzero elements as rows. A new tensor of int64.

    >>> import strided
    >>> strided.argwhere(strided.tensor([[0, 1], [2, 0]])).tolist()
    [[0, 1], [1, 0]]
    """
    ...


@operation(method=None)
def nonzero(x: Tensor, /) -> tuple[Tensor, ...]:
    """Return the positions of nonzero elements, one tensor per axis. New tensors.

    A tensor without axes has no positions: UnsupportedOperation.

    >>> import strided
    >>> [t.tolist() for t in strided.nonzero(strided.tensor([[0, 1], [2, 0]]))]
    [[0, 1], [1, 0]]
    """
    if x.ndim == 0:
        raise UnsupportedOperation(
            operation="nonzero",
            reason="a tensor without axes has no positions",
            hint="use x != 0, or x.reshape(1)",
        )
    return argwhere(x).unbind(1)


@operation(
    name="nonzero as rows",
    function=None,
    method="nonzero",
    overloads=(
        "(self, *, as_tuple: Literal[False] = False) -> Tensor",
        "(self, *, as_tuple: Literal[True]) -> tuple[Tensor, ...]",
        "(self, *, as_tuple: bool) -> Tensor | tuple[Tensor, ...]",
    ),
)
def nonzero_as_rows(x: Tensor, /, *, as_tuple: bool = False) -> Tensor | tuple[Tensor, ...]:
    """Return the positions of nonzero elements as rows, or one tensor per axis. New tensors.

    >>> import strided
    >>> strided.tensor([[0, 1], [2, 0]]).nonzero().tolist()
    [[0, 1], [1, 0]]
    """
    found = argwhere(x)
    return found.unbind(1) if as_tuple else found


@operation(method=None, converts=True)
def flatnonzero(x: Tensor, /) -> Tensor:
    """Return the positions of nonzero elements of the flattened tensor. A new tensor of int64.

    >>> import strided
    >>> strided.flatnonzero(strided.tensor([[0, 1], [2, 0]])).tolist()
    [1, 2]
    """
    return argwhere(x.reshape(-1)).reshape(-1)


@operation(function=None, kind="value")
def __contains__(x: Tensor, value: Any, /) -> bool:
    """Return whether an element equals the value.

    >>> import strided
    >>> 3 in strided.arange(4).reshape(2, 2)
    True
    """
    return bool((x == value).any())


# ---- searching sorted tensors ----


@operation(function=None, method=None)
def places_in(lists: Tensor, values: Tensor, /, right: bool) -> Tensor:
    """Return how many elements of sorted lists come before each value, or not behind it."""
    ...


@operation(operands=1, converts=True, copies_out=True, numpy="searchsorted: a v side sorter")
def searchsorted(
    x1: Tensor,
    x2: Any,
    /,
    side: str = "left",
    sorter: Any = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Return where values belong in a sorted tensor. A new tensor of int64.

    With ``side="left"`` before equal elements, with "right" behind them. A sorted tensor of more
    than one axis is searched row by row, as in PyTorch.

    >>> import strided
    >>> strided.searchsorted(strided.tensor([1, 3, 5]), strided.tensor([3, 4])).tolist()
    [1, 2]
    """
    if side not in ("left", "right"):
        raise InvalidArgument(argument="side", got=repr(side), requirement="is 'left' or 'right'")
    lists = x1 if sorter is None else x1.gather(-1, as_index(sorter))
    return places_in(lists, as_comparable(x2, x1), side == "right")


@operation(method=None, converts=True, copies_out=True)
def bucketize(
    x: Tensor, boundaries: Tensor, /, *, right: bool = False, out: Tensor | None = None
) -> Tensor:
    """Return the number of the bucket each element falls into. A new tensor of int64.

    Bucket i ends with ``boundaries[i]``, which belongs to it, or with ``right`` to the next.

    >>> import strided
    >>> strided.bucketize(strided.tensor([0, 3, 9]), strided.tensor([3, 5])).tolist()
    [0, 0, 2]
    """
    return places_in(boundaries, x, right)


# ---- counting ----


@operation(function=None, method=None)
def bin_counts(x: Tensor, /, weights: Tensor | None, least: int) -> Tensor:
    """Count how often 0, 1, 2, ... occur, at least so many of them, or add up their weights."""
    ...


@operation(method=None, converts=True)
def bincount(x: Tensor, /, weights: Any = None, minlength: int = 0) -> Tensor:
    """Count how often 0, 1, 2, ... occur, or add up their weights in float64. A new tensor.

    >>> import strided
    >>> strided.bincount(strided.tensor([1, 4, 1])).tolist()
    [0, 2, 0, 0, 1]
    """
    return bin_counts(x, None if weights is None else as_operand(weights), minlength)


@operation(name="bincount in the dtype of weights", function=None, method="bincount")
def bincount_as_weights(x: Tensor, /, weights: Any = None, minlength: int = 0) -> Tensor:
    """Count how often 0, 1, 2, ... occur, or add up their weights. A new tensor.

    Counts are int64; sums have the weights' dtype if that is float32, else float64.

    >>> import strided
    >>> strided.tensor([1, 4, 1]).bincount().tolist()
    [0, 2, 0, 0, 1]
    """
    if weights is None:
        return bin_counts(x, None, minlength)
    weights = as_operand(weights)
    sums = bin_counts(x, weights, minlength)
    wanted = _native.float32 if weights.dtype is _native.float32 else sums.dtype
    return sums._convert(wanted, reason="promote")


@operation(converts=True)
def histogram(
    x: Tensor,
    /,
    bins: int | Sequence[float] | Tensor = 10,
    range: tuple[float, float] | None = None,
    density: bool = False,
    weights: Any = None,
) -> tuple[Tensor, Tensor]:
    """Return how many elements fall between neighbouring edges, and the edges. New tensors.

    ``bins`` is how many of equal width, or the edges themselves. The last one includes its end.

    >>> import strided
    >>> counts, edges = strided.histogram(strided.tensor([1.0, 2.0, 1.0, 4.0]), bins=3)
    >>> counts.tolist(), edges.tolist()
    ([2, 1, 1], [1.0, 2.0, 3.0, 4.0])
    """
    x = x.reshape(-1)
    edges = _edges(x, bins, range)
    # The last edge belongs to the last bucket: what ends it is the next number.
    ends = edges.clone()
    ends[-1] = ends[-1].nextafter(_native.empty((), dtype=ends.dtype).fill_(float("inf")))
    places = places_in(ends, x._convert(edges.dtype, reason="promote"), True)
    count = edges.shape[0] - 1  # bucket 0 lies before the first edge
    added = None if weights is None else as_operand(weights).reshape(-1)
    counts = bin_counts(places, added, count + 2).narrow(0, 1, count)
    if density:
        return counts / (edges.diff() * counts.sum()), edges
    return counts, edges


def _edges(x: Tensor, bins: Any, limits: tuple[float, float] | None) -> Tensor:
    if not isinstance(bins, int):
        edges = as_operand(bins)
        wanted = edges.dtype if edges.dtype.kind == "f" else _native.float64
        return edges._convert(wanted, reason="promote")
    if bins < 1:
        raise InvalidArgument(argument="bins", got=str(bins), requirement="must be at least 1")
    if limits is None:
        limits = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
    if len(limits) != 2:
        raise InvalidArgument(argument="range", got=str(limits), requirement="must be two numbers")
    low, high = limits
    if not low <= high or low - low != 0 or high - high != 0:
        raise InvalidArgument(
            argument="range", got=f"({low}, {high})", requirement="must be finite and rising"
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    steps = _native._fill_range(_native.empty(bins + 1, dtype=_native.float64), 0.0, 1.0)
    edges = steps * ((high - low) / bins) + low
    edges[-1] = high
    return edges
