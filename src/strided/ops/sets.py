"""Sets: distinct elements, membership. A NaN is distinct from every other, -0.0 is 0.0."""

from __future__ import annotations

from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import DTypeMismatch
from strided.ops.arguments import as_comparable, as_operand
from strided.ops.define import operation
from strided.ops.searching import places_in
from strided.ops.sorting import sort

# ---- what all of them are made of ----


@operation(function=None, method=None)
def distinct_rows(
    x: Tensor, /, first: bool, inverse: bool, counts: bool, as_they_lie: bool
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """Return the distinct elements of a vector, or rows of a matrix, and what else is wanted.

    In order, or, ``as_they_lie``, of every run of equal neighbours the first.
    """
    ...


def distinct_elements(
    x: Tensor, first: bool, inverse: bool, counts: bool, as_they_lie: bool = False
) -> tuple[Tensor, Tensor | None, Tensor | None, Tensor | None]:
    """Return the distinct elements of a tensor of any shape and dtype, and what else is wanted."""
    if x.dtype.kind != "c":
        return distinct_rows(x.reshape(-1), first, inverse, counts, as_they_lie)
    # Pairs of numbers, ordered by the real part first.
    pairs = x.reshape(-1)._convert(None, False, "row_major", "pack").view_as_real()
    values, *rest = distinct_rows(pairs, first, inverse, counts, as_they_lie)
    return values.view_as_complex(), rest[0], rest[1], rest[2]


# ---- by the array API ----


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


@operation(method=None, converts=True)
def unique_values(x: Tensor, /) -> Tensor:
    """Return the distinct elements, in order. A new tensor.

    >>> import strided
    >>> strided.unique_values(strided.tensor([3, 1, 3])).tolist()
    [1, 3]
    """
    return distinct_elements(x, False, False, False)[0]


@operation(method=None, converts=True)
def unique_counts(x: Tensor, /) -> UniqueCountsResult:
    """Return the distinct elements and how often each occurs. New tensors.

    >>> import strided
    >>> values, counts = strided.unique_counts(strided.tensor([3, 1, 3]))
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    values, _, _, counts = distinct_elements(x, False, False, True)
    assert counts is not None
    return UniqueCountsResult(values, counts)


@operation(method=None, converts=True)
def unique_inverse(x: Tensor, /) -> UniqueInverseResult:
    """Return the distinct elements, and which of them each element is. New tensors.

    >>> import strided
    >>> values, inverse = strided.unique_inverse(strided.tensor([3, 1, 3]))
    >>> values[inverse].tolist()
    [3, 1, 3]
    """
    values, _, inverse, _ = distinct_elements(x, False, True, False)
    assert inverse is not None
    return UniqueInverseResult(values, inverse.reshape(*x.shape))


@operation(method=None, converts=True)
def unique_all(x: Tensor, /) -> UniqueAllResult:
    """Return the distinct elements, their first places, which each is, their counts. New tensors.

    >>> import strided
    >>> [t.tolist() for t in strided.unique_all(strided.tensor([3, 1, 3]))]
    [[1, 3], [1, 0], [1, 0, 1], [1, 2]]
    """
    values, first, inverse, counts = distinct_elements(x, True, True, True)
    assert first is not None
    assert inverse is not None
    assert counts is not None
    return UniqueAllResult(values, first, inverse.reshape(*x.shape), counts)


# ---- as in PyTorch ----


def _unique(
    x: Tensor, first: bool, inverse: bool, counts: bool, dim: int | None, as_they_lie: bool
) -> Tensor | tuple[Tensor, ...]:
    if dim is None:
        values, place, where, number = distinct_elements(x, first, inverse, counts, as_they_lie)
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
        values, place, where, number = distinct_rows(rows, first, inverse, counts, as_they_lie)
        values = values.reshape(values.shape[0], *lines.shape[1:]).movedim(0, dim)
    found = [values, *(part for part in (place, where, number) if part is not None)]
    return found[0] if len(found) == 1 else tuple(found)


def _empty_rows(lines: Tensor) -> Tensor:
    return _native.empty((lines.shape[0], 0), dtype=lines.dtype)


def _overloads(first: str, more: str = "") -> tuple[str, ...]:
    """Return the signatures of a method that returns more where it is asked for more."""
    no, yes, dim = "Literal[False] = False", "Literal[True]", "dim: int | None = None"
    several = "tuple[Tensor, ...]"
    named = f", {more}" if more else ""
    end = f", *, {more}" if more else ""
    return (
        f"({first}, return_inverse: {no}, return_counts: {no}, {dim}) -> Tensor",
        f"({first}, *, return_inverse: {yes}, return_counts: bool = False, {dim}{named})"
        f" -> {several}",
        f"({first}, return_inverse: bool = False, *, return_counts: {yes}, {dim}{named})"
        f" -> {several}",
        f"({first}, return_inverse: bool = False, return_counts: bool = False, {dim}{end})"
        f" -> Tensor | {several}",
    )


@operation(
    overloads=_overloads("self, sorted: bool = True", "return_index: bool = False"),
    also={"dim": "axis", "x": "ar"},
)
def unique(
    x: Tensor,
    /,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
    *,
    return_index: bool = False,
) -> Tensor | tuple[Tensor, ...]:
    """Return the distinct elements, or rows along ``dim``, in order. New tensors.

    With ``return_index`` also where each first stands, with ``return_inverse`` which of them each
    element is, with ``return_counts`` how often each occurs. A NaN is distinct from every other.

    >>> import strided
    >>> values, counts = strided.tensor([3, 1, 3]).unique(return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    return _unique(x, return_index, return_inverse, return_counts, dim, as_they_lie=False)


@operation(overloads=_overloads("self"), also={"dim": "axis"})
def unique_consecutive(
    x: Tensor, /, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Tensor | tuple[Tensor, ...]:
    """Return the first of every run of equal elements, or of equal rows along ``dim``. New tensors.

    >>> import strided
    >>> strided.tensor([3, 3, 1, 3]).unique_consecutive().tolist()
    [3, 1, 3]
    """
    return _unique(x, False, return_inverse, return_counts, dim, as_they_lie=True)


# ---- membership ----


@operation(method=None)
def isin(
    element: Any, test_elements: Any, /, *, assume_unique: bool = False, invert: bool = False
) -> Tensor:
    """Return which elements occur among others. A new tensor of bool.

    >>> import strided
    >>> strided.isin(strided.tensor([1, 2, 3]), strided.tensor([3, 1])).tolist()
    [True, False, True]
    """
    x, others = as_operand(element), as_operand(test_elements)
    if isinstance(element, (int, float, complex)):
        x = as_comparable(element, others)
    elif isinstance(test_elements, (int, float, complex)):
        others = as_comparable(test_elements, x)
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
    listed = sort(others)
    places = places_in(listed, x, False).clamp_(max=listed.shape[0] - 1)
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
