"""Sets as vectors of distinct elements, orders by several keys, partitions."""

from __future__ import annotations

from typing import Any

from strided._native import Tensor
from strided.numpy_names.calls import in_floats, numpys, tensors
from strided.ops.arguments import as_operand
from strided.ops.joining import concat
from strided.ops.sets import isin, unique_values
from strided.ops.sorting import sort

# ---- sets ----


def union1d(ar1: Any, ar2: Any) -> Tensor:
    """Return the distinct elements of two tensors, in order. A new tensor.

    >>> import strided
    >>> strided.union1d([3, 1], [1, 2]).tolist()
    [1, 2, 3]
    """
    x, y = as_operand(ar1).reshape(-1), as_operand(ar2).reshape(-1)
    return unique_values(concat([x, y], axis=0))


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """Return the distinct elements that two tensors share, in order. A new tensor.

    With ``return_indices`` also where each first stands in both.

    >>> import strided
    >>> strided.intersect1d([3, 1, 2], [2, 3, 5]).tolist()
    [2, 3]
    """
    x, y = as_operand(ar1), as_operand(ar2)
    return numpys("intersect1d", x, y, assume_unique, return_indices)


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """Return the distinct elements of the first tensor that the second lacks. A new tensor.

    >>> import strided
    >>> strided.setdiff1d([3, 1, 2], [2]).tolist()
    [1, 3]
    """
    x, y = as_operand(ar1).reshape(-1), as_operand(ar2)
    x = x if assume_unique else unique_values(x)
    return x[isin(x, y, invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Tensor:
    """Return the distinct elements that only one of two tensors has. A new tensor.

    >>> import strided
    >>> strided.setxor1d([3, 1], [1, 2]).tolist()
    [2, 3]
    """
    made: Tensor = numpys("setxor1d", as_operand(ar1), as_operand(ar2), assume_unique)
    return made


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Return which elements of a flattened tensor occur in another. A new tensor of bool.

    >>> import strided
    >>> strided.in1d([3, 1], [1, 2]).tolist()
    [False, True]
    """
    return isin(as_operand(ar1).reshape(-1), as_operand(ar2), invert=invert)


# ---- orders ----


def lexsort(keys: Any, axis: int = -1) -> Tensor:
    """Return the order by several keys, of which the last counts most. A new tensor.

    >>> import strided
    >>> strided.lexsort(([2, 1, 3], [0, 0, -1])).tolist()
    [2, 1, 0]
    """
    made: Tensor = numpys("lexsort", tuple(tensors(keys)), axis)
    return made


def partition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> Tensor:
    """Return the elements with the k-th in its place, no larger ones before it. A new tensor.

    >>> import strided
    >>> strided.partition(strided.tensor([3, 1, 2]), 1)[1].item()
    2
    """
    made: Tensor = numpys("partition", as_operand(a), _places(kth), axis, kind)
    return made


def argpartition(
    a: Any, kth: Any, axis: int | None = -1, kind: str = "introselect", order: None = None
) -> Tensor:
    """Return the positions that ``partition`` takes elements from. A new tensor.

    >>> import strided
    >>> strided.argpartition(strided.tensor([3, 1, 2]), 0)[0].item()
    1
    """
    made: Tensor = numpys("argpartition", as_operand(a), _places(kth), axis, kind)
    return made


def _places(kth: Any) -> Any:
    return kth.tolist() if isinstance(kth, Tensor) else kth


def sort_complex(a: Any) -> Tensor:
    """Return numbers in order as complex numbers, the real part first. A new tensor.

    >>> import strided
    >>> strided.sort_complex([2, 1]).tolist()
    [(1+0j), (2+0j)]
    """
    x = in_floats(a)
    if not x.dtype.is_complex:
        kind = "complex128" if x.itemsize == 8 else "complex64"
        return sort(x).to(kind)
    made: Tensor = numpys("sort_complex", x)
    return made
