"""Distinct elements, by the array API: a NaN is distinct from every other, -0.0 is 0.0."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.functions.arrays import asarray
from strided.functions.search import comparable
from strided.methods.sorting import distinct


class UniqueAllResult(NamedTuple):
    """What ``unique_all`` returns.

    >>> import strided
    >>> strided.unique_all(strided.tensor([3, 1, 3])).indices.tolist()
    [1, 0]
    """

    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCountsResult(NamedTuple):
    """What ``unique_counts`` returns.

    >>> import strided
    >>> strided.unique_counts(strided.tensor([3, 1, 3])).counts.tolist()
    [1, 2]
    """

    values: Tensor
    counts: Tensor


class UniqueInverseResult(NamedTuple):
    """What ``unique_inverse`` returns.

    >>> import strided
    >>> strided.unique_inverse(strided.tensor([3, 1, 3])).inverse_indices.tolist()
    [1, 0, 1]
    """

    values: Tensor
    inverse_indices: Tensor


def unique_values(x: Any, /) -> Tensor:
    """Return the distinct elements, in order. A new tensor.

    >>> import strided
    >>> strided.unique_values(strided.tensor([3, 1, 3])).tolist()
    [1, 3]
    """
    return distinct(asarray(x), False, False, False)[0]


def unique_counts(x: Any, /) -> UniqueCountsResult:
    """Return the distinct elements and how often each occurs. New tensors.

    >>> import strided
    >>> values, counts = strided.unique_counts(strided.tensor([3, 1, 3]))
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    values, _, _, counts = distinct(asarray(x), False, False, True)
    assert counts is not None
    return UniqueCountsResult(values, counts)


def unique_inverse(x: Any, /) -> UniqueInverseResult:
    """Return the distinct elements, and which of them each element is. New tensors.

    >>> import strided
    >>> values, inverse = strided.unique_inverse(strided.tensor([3, 1, 3]))
    >>> values[inverse].tolist()
    [3, 1, 3]
    """
    x = asarray(x)
    values, _, inverse, _ = distinct(x, False, True, False)
    assert inverse is not None
    return UniqueInverseResult(values, inverse.reshape(*x.shape))


def unique_all(x: Any, /) -> UniqueAllResult:
    """Return the distinct elements, their first places, which each is, their counts. New tensors.

    >>> import strided
    >>> [t.tolist() for t in strided.unique_all(strided.tensor([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    x = asarray(x)
    values, first, inverse, counts = distinct(x, True, True, True)
    assert first is not None
    assert inverse is not None
    assert counts is not None
    return UniqueAllResult(values, first, inverse.reshape(*x.shape), counts)


def isin(
    element: Any, test_elements: Any, /, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Return which elements occur among others. A new tensor of bool.

    >>> import strided
    >>> strided.isin(strided.tensor([1, 2, 3]), strided.tensor([3, 1])).tolist()
    [True, False, True]
    """
    x, others = asarray(element), asarray(test_elements)
    if isinstance(element, (int, float, complex)):
        x = comparable(element, others)
    elif isinstance(test_elements, (int, float, complex)):
        others = comparable(test_elements, x)
    others = others.reshape(-1)
    dtype = _native.promote_types(x.dtype, others.dtype)
    x, others = (part._convert(dtype, reason="promote") for part in (x, others))
    if x.size * others.size <= _TINY:
        found = (x.unsqueeze(-1) == others).any(-1)
    elif others.shape[0] <= _FEW or dtype.kind == "c":
        found = _native.zeros(x.shape, dtype=_native.bool)
        for other in others:
            found |= x == other
    else:
        by_table = _in_table(x, others) if dtype.kind in "iu" else None
        found = _in_list(x, others) if by_table is None else by_table
    return found.logical_not() if invert else found


# So many comparisons, of each element or in all, are as fast as a search.
_FEW, _TINY = 8, 4096


def _in_list(x: Tensor, others: Tensor) -> Tensor:
    listed, _ = _native.sort(others, 0, True, False, False)
    assert listed is not None
    places = _native.searchsorted(listed, x, False).clamp_(max=listed.shape[0] - 1)
    return _native.take(listed, places, 0) == x


def _in_table(x: Tensor, others: Tensor) -> Tensor | None:
    """Look integers up in a table from the least to the largest of others, if that is small."""
    low, high = int(others.min()), int(others.max())
    span = high - low
    if span > 8 * (x.size + others.size):
        return None
    table = _native.zeros(span + 2, dtype=_native.bool)
    wide = _native.uint64 if x.dtype is _native.uint64 else _native.int64
    table[others._convert(wide, reason="promote") - low] = True
    # Differences wrap around, so only equal numbers come to lie inside; the rest share a place.
    places = (x._convert(wide, reason="promote") - low).clamp_(
        -1 if wide is _native.int64 else None, span + 1
    )
    return _native.take(table, places, 0)
