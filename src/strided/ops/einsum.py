"""einsum and tensordot: sums of products over named axes.

Views (permute, diagonal, expand) bring the axes in order, one kernel multiplies and adds. No
operand is copied, whatever its strides.

Each axis of an operand has a label. A pair of operands is multiplied at a time:

    labels of both that are still needed     batch axes
    labels of both that are not              summed over
    labels of one                            rows or columns
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import index
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.copies.contexts import as_handed_out
from strided.errors import DuplicateAxis, InvalidArgument, InvalidDimension, ShapeMismatch
from strided.ops.arguments import as_operand, moved
from strided.ops.define import operation
from strided.ops.gradients import (
    Backward,
    Call,
    Gradient,
    Gradients,
    conj,
    gradient_of,
    save_others,
)

# A letter, a number of the sublist form, or (0, n): the n-th axis from the right of an ellipsis.
Label = str | int | tuple[int, int]


class _Term:
    """A tensor with one label per axis, none of them twice."""

    __slots__ = ("labels", "x")

    def __init__(self, x: Tensor, labels: tuple[Label, ...]) -> None:
        self.x = x
        self.labels = labels


def _refuse(got: Any, requirement: str) -> InvalidArgument:
    return InvalidArgument(argument="subscripts", got=repr(got), requirement=requirement)


# ---- reading the subscripts ----


def _letters(text: str) -> list[str]:
    """Return letters, and "..." as one item."""
    items: list[str] = []
    for part in text.replace(" ", "").split("..."):
        if part and not (part.isascii() and part.isalpha()):
            raise _refuse(text, "may have letters, commas, '...' and one '->'")
        items += [*part, "..."]
    return items[:-1]


def _from_text(text: str, count: int) -> tuple[list[list[Any]], list[Any] | None]:
    left, arrow, right = text.partition("->")
    terms = [_letters(term) for term in left.split(",")]
    if len(terms) != count:
        raise _refuse(text, f"must name the axes of {count} operands, separated by commas")
    return terms, _letters(right) if arrow else None


def _from_lists(arguments: Sequence[Any]) -> tuple[list[Any], list[list[Any]], list[Any] | None]:
    def items(given: Any) -> list[Any]:
        return ["..." if item is Ellipsis else int(item) for item in given]

    pairs, rest = len(arguments) // 2, len(arguments) % 2
    operands = list(arguments[0 : 2 * pairs : 2])
    terms = [items(given) for given in arguments[1 : 2 * pairs : 2]]
    return operands, terms, items(arguments[-1]) if rest else None


def _labels(items: list[Any], rank: int, given: Any) -> list[Label]:
    """Return one label per axis; an ellipsis stands for the axes that are left over."""
    if items.count("...") > 1:
        raise _refuse(given, "may have one '...' per operand")
    hidden = rank - len(items) + 1
    if "..." not in items:
        if hidden != 1:
            raise ShapeMismatch(
                operation="einsum",
                expected=(len(items),),
                got=(rank,),
                hint=f"{''.join(map(str, items))!r} names another number of axes than there are",
            )
        return items
    if hidden < 0:
        raise ShapeMismatch(
            operation="einsum",
            expected=(len(items) - 1,),
            got=(rank,),
            hint="more axes are named than there are",
        )
    at = items.index("...")
    axes: list[Label] = [(0, n) for n in range(hidden, 0, -1)]
    return [*items[:at], *axes, *items[at + 1 :]]


def _output(items: list[Any] | None, terms: list[list[Label]], given: Any) -> list[Label]:
    """Return the labels of the result: as asked for, or all that occur once, in order."""
    seen = [label for term in terms for label in term]
    hidden = sorted({label for label in seen if isinstance(label, tuple)}, reverse=True)
    if items is None:
        single = [x for x in set(seen) if not isinstance(x, tuple) and seen.count(x) == 1]
        return [*hidden, *sorted(single, key=lambda label: (str(type(label)), label))]
    if items.count("...") > 1:
        raise _refuse(given, "may have one '...' in the result")
    labels: list[Label] = []
    for item in items:
        labels += hidden if item == "..." else [item]
    for label in labels:
        if label not in seen:
            raise _refuse(given, f"names {label!r} in the result but in no operand")
        if labels.count(label) > 1:
            raise _refuse(given, f"names {label!r} twice in the result")
    return labels


# ---- views ----


def _diagonals(x: Tensor, labels: list[Label]) -> _Term:
    """Return the operand with every label once: axes of one label become their diagonal, a view."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first = labels.index(label)
            second = labels.index(label, first + 1)
            if x.shape[first] != x.shape[second]:
                raise ShapeMismatch(
                    operation="einsum",
                    expected=(x.shape[first],),
                    got=(x.shape[second],),
                    hint=f"axes named {label!r} must be equally long",
                )
            x = x.diagonal(0, first, second)
            labels = [*labels[:first], *labels[first + 1 : second], *labels[second + 1 :], label]
    return _Term(x, tuple(labels))


def _lengths(terms: list[_Term]) -> dict[Label, int]:
    """Return how long each label is; length 1 broadcasts."""
    lengths: dict[Label, int] = {}
    for term in terms:
        for label, length in zip(term.labels, term.x.shape, strict=True):
            known = lengths.setdefault(label, length)
            if known == 1:
                lengths[label] = length
            elif length not in (1, known):
                raise ShapeMismatch(
                    operation="einsum",
                    expected=(known,),
                    got=(length,),
                    hint=f"axes named {label!r} must be equally long",
                )
    return lengths


def _arranged(term: _Term, labels: Sequence[Label], lengths: dict[Label, int]) -> Tensor:
    """Return the operand with its axes in this order, expanded to full length: a view."""
    x = term.x.permute([term.labels.index(label) for label in labels])
    return x.expand([lengths[label] for label in labels])


def _summed(term: _Term, kept: set[Label]) -> _Term:
    """Return the term without the axes that nobody needs any more."""
    gone = [axis for axis, label in enumerate(term.labels) if label not in kept]
    if not gone:
        return term
    x = term.x
    # The dtype stays, as in NumPy: bool is true where anything is.
    x = x.any(gone) if x.dtype is _native.bool else x.sum(gone, dtype=x.dtype)
    return _Term(x, tuple(label for label in term.labels if label in kept))


# ---- products of pairs ----


def _multiplied(a: _Term, b: _Term, kept: list[Label], lengths: dict[Label, int]) -> _Term:
    """Return the product of two terms, summed over the labels that are not kept."""
    needed = set(kept)
    a = _summed(a, needed | set(b.labels))
    b = _summed(b, needed | set(a.labels))
    both = [label for label in a.labels if label in b.labels]
    order = [label for label in kept if label in a.labels or label in b.labels]
    batch = [label for label in order if label in a.labels and label in b.labels]
    rows = [label for label in order if label in a.labels and label not in b.labels]
    columns = [label for label in order if label in b.labels and label not in a.labels]
    # What comes first in the result should be the rows, so that it is row-major.
    if columns and rows and order.index(columns[0]) < order.index(rows[0]):
        a, b, rows, columns = b, a, columns, rows
    summed = [label for label in both if label not in needed]
    stride = dict(zip(a.labels, a.x.stride(), strict=True))
    summed.sort(key=lambda label: -abs(stride[label]))
    labels = (*batch, *rows, *columns)
    if not summed:
        left = _arranged(a, [*batch, *rows], lengths)
        right = _arranged(b, [*batch, *columns], lengths)
        for _ in columns:
            left = left.unsqueeze(-1)
        for _ in rows:
            right = right.unsqueeze(len(batch))
        if left.dtype is _native.bool and right.dtype is _native.bool:
            return _Term(left & right, labels)
        return _Term(left * right, labels)
    left = _arranged(a, [*batch, *rows, *summed], lengths)
    right = _arranged(b, [*batch, *summed, *columns], lengths)
    return _Term(_native.contract(left, right, len(batch), len(summed)), labels)


def _next_pair(
    terms: list[_Term], output: list[Label], lengths: dict[Label, int]
) -> tuple[int, int]:
    """Return the pair whose product grows least, the cheaper one of equals (a greedy choice)."""
    if len(terms) == 2:
        return 0, 1

    def size(labels: Any) -> int:
        return math.prod(lengths[label] for label in labels)

    best: tuple[tuple[int, int], tuple[int, int]] | None = None
    for i in range(len(terms)):
        for j in range(i + 1, len(terms)):
            a, b = set(terms[i].labels), set(terms[j].labels)
            rest = (set(t.labels) for k, t in enumerate(terms) if k not in (i, j))
            kept = (a | b) & set(output).union(*rest)
            grows = size(kept) - size(a) - size(b)
            choice = ((grows, size(a | b)), (i, j))
            if best is None or choice < best:
                best = choice
    assert best is not None
    return best[1]


# ---- the gradient of a contraction ----


@gradient_of("contract")
def _contract_gradient(call: Call, a: Tensor, b: Tensor, batch: int, summed: int) -> Backward:
    """Sums of products over several axes: (batch, rows, summed) and (batch, summed, columns)."""
    saved = save_others(call, a, b)
    rows, columns = a.ndim - batch - summed, b.ndim - batch - summed
    first = range(batch)

    def backward(g: Tensor) -> Gradients:
        a, b = saved()
        of_a: Gradient = None
        of_b: Gradient = None
        if b is not None:
            order = [*first, *range(batch + summed, b.ndim), *range(batch, batch + summed)]
            of_a = _contracted(g, conj(b).permute(order), batch, columns)
        if a is not None:
            order = [*first, *range(batch + rows, a.ndim), *range(batch, batch + rows)]
            of_b = _contracted(conj(a).permute(order), g, batch, rows)
        return of_a, of_b

    return backward


def _contracted(a: Tensor, b: Tensor, batch: int, summed: int) -> Tensor:
    if summed:
        return _native.contract(a, b, batch, summed)
    for _ in range(b.ndim - batch):
        a = a.unsqueeze(-1)
    for _ in range(a.ndim - b.ndim):
        b = b.unsqueeze(batch)
    return a * b


# ---- the functions ----


@operation(method=None, kind="either")
def einsum(*operands: Any, out: Tensor | None = None) -> Tensor:
    """Return sums of products over named axes: Einstein's notation, as in NumPy and PyTorch.

    A label that is missing from the result is summed over, a label that stands twice in one operand
    takes its diagonal, ``...`` stands for axes without a label. Without ``->`` the result has the
    labels that occur once, sorted. Lists of numbers may stand for the letters, after each operand.

    A new tensor; a view when nothing is multiplied or summed (``"ij->ji"``, ``"ii->i"``).

    >>> import strided
    >>> a, b = strided.arange(6).reshape(2, 3), strided.arange(12).reshape(3, 4)
    >>> strided.einsum("ij,jk->ik", a, b).tolist()
    [[20, 23, 26, 29], [56, 68, 80, 92]]
    >>> strided.einsum("ij->ji", a).stride(), strided.einsum("ii->i", b[:, :3]).tolist()
    ((1, 3), [0, 5, 10])
    >>> strided.einsum(a, [0, 1], [0]).tolist()
    [3, 12]
    """
    if not operands:
        raise _refuse((), "must be a string such as 'ij,jk->ik', followed by the operands")
    given = operands[0]
    if isinstance(given, str):
        tensors = [as_operand(x) for x in operands[1:]]
        inputs, result = _from_text(given, len(tensors))
    else:
        arrays, inputs, result = _from_lists(operands)
        tensors = [as_operand(x) for x in arrays]
    if not tensors:
        raise _refuse(given, "must be followed by the operands")
    named = [_labels(items, x.ndim, given) for x, items in zip(tensors, inputs, strict=True)]
    output = _output(result, named, given)
    terms = [_diagonals(x, labels) for x, labels in zip(tensors, named, strict=True)]
    lengths = _lengths(terms)
    while len(terms) > 1:
        i, j = _next_pair(terms, output, lengths)
        b, a = terms.pop(j), terms.pop(i)
        kept = list(dict.fromkeys([*output, *(label for t in terms for label in t.labels)]))
        terms.append(_multiplied(a, b, kept, lengths))
    made = _arranged(_summed(terms[0], set(output)), output, lengths)
    return as_handed_out(made, tensors) if out is None else moved(out, made)


@operation(method=None, numpy="tensordot: a b axes", converts=True, also={"axes": "dims"})
def tensordot(
    x1: Any, x2: Any, /, *, axes: int | tuple[Sequence[int], Sequence[int]] = 2
) -> Tensor:
    """Return the sums of products over pairs of axes. A new tensor; no operand is copied.

    ``axes``: how many, the last ones of ``x1`` and the first ones of ``x2``; or two lists of them.

    >>> import strided
    >>> a, b = strided.ones(2, 3, 4), strided.ones(4, 3, 5)
    >>> strided.tensordot(a, b, axes=([1, 2], [1, 0])).shape
    (2, 5)
    """
    a: Tensor = x1
    b: Tensor = x2
    if not isinstance(axes, Sequence):
        count = index(axes)
        if not 0 <= count <= min(a.ndim, b.ndim):
            raise InvalidArgument(
                argument="axes",
                got=str(count),
                requirement=f"must lie in 0..{min(a.ndim, b.ndim)}",
            )
        of_a, of_b = list(range(a.ndim - count, a.ndim)), list(range(count))
    elif len(axes) != 2:
        raise InvalidArgument(
            argument="axes", got=str(axes), requirement="must be a number or two lists of axes"
        )
    else:
        of_a, of_b = (_axes(given, x) for given, x in zip(axes, (a, b), strict=True))
    shapes = [tuple(x.shape[axis] for axis in some) for x, some in ((a, of_a), (b, of_b))]
    if shapes[0] != shapes[1]:
        raise ShapeMismatch(
            operation="tensordot",
            expected=shapes[0],
            got=shapes[1],
            hint="the axes of each pair must be equally long",
        )
    # In the order in which the first operand lies, neighbouring axes are one.
    pairs = sorted(zip(of_a, of_b, strict=True), key=lambda pair: -abs(a.stride(pair[0])))
    left = a.permute([*(i for i in range(a.ndim) if i not in of_a), *(i for i, _ in pairs)])
    right = b.permute([*(j for _, j in pairs), *(j for j in range(b.ndim) if j not in of_b)])
    if not pairs:
        for _ in range(right.ndim):
            left = left.unsqueeze(-1)
        return left * right
    return _native.contract(left, right, 0, len(pairs))


def _axes(given: Any, x: Tensor) -> list[int]:
    listed = [given] if isinstance(given, int) else list(given)
    axes: list[int] = []
    for axis in listed:
        if not -x.ndim <= axis < x.ndim:
            raise InvalidDimension(dim=axis, rank=x.ndim)
        if axis % x.ndim in axes:
            raise DuplicateAxis(axis=axis, axes=tuple(listed))
        axes.append(axis % x.ndim)
    return axes
