"""Sorting and selecting, by the array API; ``topk`` and ``kthvalue`` as in PyTorch.

NaN counts as the largest value, and elements that count as equal keep their order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd import recorded
from strided.functions.arrays import asarray
from strided.methods.sorting import Ordered, Pair
from strided.ops.results import into


def sort(
    x: Any,
    /,
    *,
    axis: int | None = -1,
    descending: bool = False,
    stable: bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Return the elements in order along an axis (flattened with ``None``). A new tensor.

    The order is always stable.

    >>> import strided
    >>> strided.sort(strided.tensor([3, 1, 2]), descending=True).tolist()
    [3, 2, 1]
    """
    x, axis = _flattened(x, axis)
    # A gradient goes back by the places.
    values, _ = recorded.sort(x, axis, True, _native.any_tracked((x,)), descending)
    assert values is not None
    return into(out, values, "sort")


def argsort(
    x: Any,
    /,
    *,
    axis: int | None = -1,
    descending: bool = False,
    stable: bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """Return the positions that put an axis in order; always stable. A new tensor of int64.

    >>> import strided
    >>> strided.argsort(strided.tensor([3, 1, 2])).tolist()
    [1, 2, 0]
    """
    x, axis = _flattened(x, axis)
    _, places = _native.sort(x, axis, False, True, descending)
    assert places is not None
    return into(out, places, "argsort")


def _flattened(x: Any, axis: int | None) -> tuple[Tensor, int]:
    x = x if isinstance(x, Tensor) else asarray(x)
    return (x.reshape(-1), 0) if axis is None else (x, axis)


def msort(x: Any, /) -> Tensor:
    """Return the elements in order along the first axis. A new tensor.

    >>> import strided
    >>> strided.msort(strided.tensor([[3, 1], [2, 5]])).tolist()
    [[2, 1], [3, 5]]
    """
    return sort(x, axis=0)


def topk(
    x: Any,
    k: int,
    dim: int = -1,
    largest: bool = True,
    sorted: bool = True,
    *,
    axis: int | None = None,
    out: Pair | None = None,
) -> Ordered:
    """Return the k largest (or smallest) elements along an axis and where they stand. New tensors.

    >>> import strided
    >>> strided.topk(strided.tensor([3, 9, 2, 7]), 2).values.tolist()
    [9, 7]
    """
    return asarray(x).topk(k, dim, largest, sorted, axis=axis, out=out)


def kthvalue(
    x: Any,
    k: int,
    dim: int = -1,
    keepdim: bool = False,
    *,
    axis: int | None = None,
    out: Pair | None = None,
) -> Ordered:
    """Return the k-th smallest element along an axis and where it stands. New tensors.

    >>> import strided
    >>> strided.kthvalue(strided.tensor([3, 9, 2]), 2).values.item()
    3
    """
    return asarray(x).kthvalue(k, dim, keepdim, axis=axis, out=out)


def median(x: Any, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False) -> Tensor:
    """Return the median along axes, or of all elements: the mean of both middle ones. A new tensor.

    NaN is the median of no elements, and of any with a NaN among them.

    >>> import strided
    >>> strided.median(strided.tensor([1.0, 2.0, 4.0, 9.0])).item()
    3.0
    """
    x = asarray(x)
    axes = range(x.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    gone = sorted({_native.normal_axis(a, x.ndim) for a in axes})
    kept = [a for a in range(x.ndim) if a not in gone]
    length = math.prod(x.shape[a] for a in gone)
    lines = x.permute(*kept, *gone).reshape(*(x.shape[a] for a in kept), length)
    dtype = x.dtype if x.dtype.kind == "f" else _native.float64
    if length == 0:
        middle = _native.empty(lines.shape[:-1], dtype=dtype).fill_(float("nan"))
    else:
        low, _ = recorded.select_rank(lines, (length - 1) // 2, -1, False, True)
        middle = low._convert(dtype, reason="promote")
    if length and length % 2 == 0:
        high, _ = recorded.select_rank(lines, length // 2, -1, False, True)
        middle = (middle + high._convert(dtype, reason="promote")) / 2
    if not keepdims:
        return middle
    return middle.reshape(*(1 if a in gone else n for a, n in enumerate(x.shape)))
