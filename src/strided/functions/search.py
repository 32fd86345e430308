"""Where things are, how often they occur, and whether tensors share memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, UnsupportedOperation
from strided.functions.arrays import asarray
from strided.functions.dtypes import iinfo
from strided.functions.fuse import fuse
from strided.ops.results import into
from strided.ops.with_parameters import are_close

_MANY = 1 << 15  # elements from which one pass over memory repays its preparation


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
    return _native.nonzero(x).unbind(1)


def flatnonzero(x: Any, /) -> Tensor:
    """Return the positions of nonzero elements of the flattened tensor. A new tensor of int64.

    >>> import strided
    >>> strided.flatnonzero(strided.tensor([[0, 1], [2, 0]])).tolist()
    [1, 2]
    """
    return _native.nonzero(asarray(x).reshape(-1)).reshape(-1)


def argwhere(x: Any, /) -> Tensor:
    """Return the positions of nonzero elements as rows. A new tensor of int64.

    >>> import strided
    >>> strided.argwhere(strided.tensor([[0, 1], [2, 0]])).tolist()
    [[0, 1], [1, 0]]
    """
    return _native.nonzero(asarray(x))


def searchsorted(
    x1: Any, x2: Any, /, *, side: str = "left", sorter: Any = None, out: Tensor | None = None
) -> Tensor:
    """Return where values belong in a sorted tensor. A new tensor of int64.

    With ``side="left"`` before equal elements, with "right" behind them. A sorted tensor of more
    than one axis is searched row by row, as in PyTorch.

    >>> import strided
    >>> strided.searchsorted(strided.tensor([1, 3, 5]), strided.tensor([3, 4])).tolist()
    [1, 2]
    """
    lists = asarray(x1)
    return lists.searchsorted(comparable(x2, lists), side, sorter, out=out)


def comparable(value: Any, other: Tensor) -> Tensor:
    """Return a tensor of what is looked for; a number in the other's dtype, where that holds it."""
    if isinstance(value, bool) or not isinstance(value, (int, float, complex)):
        return asarray(value)
    kind = other.dtype.kind
    if kind == "c" or (kind == "f" and not isinstance(value, complex)):
        return asarray(value, dtype=other.dtype)
    if kind in "iu" and isinstance(value, int):
        limits = iinfo(other.dtype)
        return asarray(value, dtype=other.dtype if limits.min <= value <= limits.max else None)
    wide = {float: _native.float64, complex: _native.complex128}
    return asarray(value, dtype=wide.get(type(value)))


def bucketize(
    x: Any, boundaries: Any, /, *, right: bool = False, out: Tensor | None = None
) -> Tensor:
    """Return the number of the bucket each element falls into. A new tensor of int64.

    Bucket i ends with ``boundaries[i]``, which belongs to it, or with ``right`` to the next.

    >>> import strided
    >>> strided.bucketize(strided.tensor([0, 3, 9]), strided.tensor([3, 5])).tolist()
    [0, 0, 2]
    """
    found = _native.searchsorted(asarray(boundaries), asarray(x), right)
    return into(out, found, "bucketize")


def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Tensor:
    """Count how often 0, 1, 2, ... occur, or add up their weights in float64. A new tensor.

    >>> import strided
    >>> strided.bincount(strided.tensor([1, 4, 1])).tolist()
    [0, 2, 0, 0, 1]
    """
    return _native.bincount(asarray(x), None if weights is None else asarray(weights), minlength)


def histogram(
    x: Any,
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
    x = asarray(x).reshape(-1)
    edges = _edges(x, bins, range)
    # The last edge belongs to the last bucket: what ends it is the next number.
    ends = edges.clone()
    ends[-1] = ends[-1].nextafter(_native.empty((), dtype=ends.dtype).fill_(float("inf")))
    places = _native.searchsorted(ends, x._convert(edges.dtype, reason="promote"), True)
    count = edges.shape[0] - 1  # bucket 0 lies before the first edge
    added = None if weights is None else asarray(weights).reshape(-1)
    counts = _native.bincount(places, added, count + 2).narrow(0, 1, count)
    if density:
        return counts / (edges.diff() * counts.sum()), edges
    return counts, edges


def _edges(x: Tensor, bins: Any, limits: tuple[float, float] | None) -> Tensor:
    if not isinstance(bins, int):
        edges = asarray(bins)
        wanted = edges.dtype if edges.dtype.kind == "f" else _native.float64
        return edges._convert(wanted, reason="promote")
    if bins < 1:
        raise InvalidArgument(argument="bins", got=str(bins), requirement="must be at least 1")
    if limits is None:
        limits = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
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


def shares_memory(a: Tensor, b: Tensor) -> bool:
    """Return whether two tensors share at least one byte.

    Exact; raises OverlapTooHard where that would take too long.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.shares_memory(x[::2], x[1::2]), strided.shares_memory(x, x.flip())
    (False, True)
    """
    return _native.shares_memory(a, b)


def may_share_memory(a: Tensor, b: Tensor) -> bool:
    """Return whether the address ranges of two tensors touch. Quick; false means surely disjoint.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.may_share_memory(x[::2], x[1::2])
    True
    """
    return _native.may_share_memory(a, b)


def allclose(
    a: Tensor, b: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Return whether all elements agree within atol + rtol * abs(b).

    >>> import strided
    >>> strided.allclose(strided.ones(2), strided.ones(2) + 1e-7)
    True
    """

    def close(a: Tensor, b: Tensor) -> Tensor:
        near: Tensor = are_close(a, b, rtol, atol, equal_nan)
        return near.all()

    return _holds(close, a, b)


def array_equal(a: Tensor, b: Tensor) -> bool:
    """Return whether two tensors have the same shape and elements.

    >>> import strided
    >>> strided.array_equal(strided.arange(3), strided.tensor([0, 1, 2]))
    True
    """
    return a.shape == b.shape and _holds(lambda a, b: (a == b).all(), a, b)


def _holds(function: Callable[[Tensor, Tensor], Tensor], a: Tensor, b: Tensor) -> bool:
    """Ask whether something is true of all elements; of many, without temporaries."""
    return bool((fuse(function) if a.numel() + b.numel() > _MANY else function)(a, b))
