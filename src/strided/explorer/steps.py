"""Step evaluation: layout, view or copy, why, and how many bytes, at each step of a chain.

A chain is evaluated with strided itself and described in plain data. Whether a step is a view is
read from the storage of its result, never assumed.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from strided import OverlapTooHard, StridedError, Tensor, ViewNotPossible, copy_totals
from strided.explorer import operations
from strided.explorer.expression import ExpressionError, Link, parse
from strided.explorer.operations import NextStep, next_steps

MAX_CELLS = 1024
_GAP = 6  # memory cells between two that are reached, drawn rather than left out

EXAMPLES = (
    ("A chain of views", "arange(24).reshape(2, 3, 4).transpose(0, 2)[:, ::2].flip(1)"),
    ("Transpose, then flatten", "arange(12).reshape(3, 4).T.reshape(12)"),
    ("Repeat without memory", "arange(3).unsqueeze(1).expand(3, 4)"),
    ("Sliding windows", "arange(8).unfold(0, 3, 1)"),
    ("A refused view", "arange(6).reshape(2, 3).T.view(6)"),
    ("Heads of attention", "arange(48).reshape(2, 4, 6).unflatten(2, (2, 3)).transpose(1, 2)"),
)


@dataclass(frozen=True)
class Step:
    """One evaluated link of a chain. ``kind`` is made, view, copy or same (the tensor itself)."""

    source: str
    name: str
    column: int
    end: int
    layout: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    size: int
    dtype: str
    itemsize: int
    nbytes: int
    contiguous: bool
    why_not_contiguous: str
    overlaps_itself: bool | None
    kind: str
    why: str
    bytes_copied: int
    reason: str
    hint: str
    storage: int
    storage_size: int
    picture: Picture


@dataclass(frozen=True)
class Fix:
    """A whole expression that would work, and how its button is labelled."""

    label: str
    expression: str


@dataclass(frozen=True)
class Problem:
    """Why a chain ends early, and where in its text."""

    type: str
    message: str
    column: int
    end: int
    fixes: tuple[Fix, ...] = ()


@dataclass(frozen=True)
class Trace:
    """Every step of a chain up to its end or its first problem, and what could come next."""

    expression: str
    steps: tuple[Step, ...]
    problem: Problem | None
    next_steps: tuple[NextStep, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the trace as dictionaries, lists, numbers and text.

        >>> evaluate("arange(6)[::2]").to_dict()["steps"][1]["strides"]
        (2,)
        """
        return asdict(self)


def value_of(expression: str, names: Mapping[str, Tensor] | None = None) -> Tensor:
    """Return the tensor that a chain gives; a view or a copy, as its operations are.

    >>> value_of("arange(6).reshape(2, 3).T").tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    x: Tensor | None = None
    for link in parse(expression, names or {}):
        x = _apply(link, x, expression, names or {})
    assert x is not None
    return x


def evaluate(expression: str, names: Mapping[str, Tensor] | None = None) -> Trace:
    """Return what each step of a chain does. Bad text and refusals are part of the answer.

    >>> trace = evaluate("arange(6).reshape(2, 3).T.reshape(6)")
    >>> [(step.layout, step.kind) for step in trace.steps][1:3]
    [('(2, 3):(3, 1)+0', 'view'), ('(3, 2):(1, 3)+0', 'view')]
    >>> print(trace.steps[3].why)
    axes 0 and 1 do not step together: stride[0] = 1, length[1] * stride[1] = 6
    >>> evaluate("arange(6).view(4)").problem.type
    'ShapeMismatch'
    """
    names = names or {}
    try:
        links = parse(expression, names)
    except ExpressionError as error:
        end = min(error.column + 1, len(expression))
        return Trace(expression, (), _problem(error, error.column, end), ())
    steps: list[Step] = []
    x: Tensor | None = None
    problem = None
    storage = 0
    for link in links:
        try:
            result = _apply(link, x, expression, names)
        except StridedError as error:
            fixes = _fixes(error, link, expression)
            problem = _problem(error, link.column, link.end, fixes)
            break
        described = _describe(link, x, result, storage)
        storage = described.storage
        steps.append(described)
        x = result
    return Trace(expression, tuple(steps), problem, () if x is None else tuple(next_steps(x)))


def _problem(error: StridedError, column: int, end: int, fixes: tuple[Fix, ...] = ()) -> Problem:
    return Problem(type(error).__name__, str(error), column, end, fixes)


def _apply(link: Link, x: Tensor | None, text: str, names: Mapping[str, Tensor]) -> Tensor:
    """Do one link; a misuse that strided answers with a plain Python error gets its column."""
    try:
        if link.kind == "name":
            return names[link.name]
        if link.kind == "make" or x is None:
            return operations.make(link.name, link.args)
        if link.kind == "index":
            return operations.index(x, link.args)
        return operations.step(x, link.name, link.args, dict(link.keywords))
    except StridedError:
        raise
    except (TypeError, ValueError, OverflowError) as error:
        row = operations.MAKERS.get(link.name) or operations.STEPS.get(link.name)
        raise ExpressionError(
            expression=text,
            column=link.column,
            problem=str(error).partition("\n")[0],
            hint=f"use {(row or operations.INDEX).use}",
        ) from error


def _fixes(error: StridedError, link: Link, text: str) -> tuple[Fix, ...]:
    """Return expressions that go where a refused view could not."""
    if not isinstance(error, ViewNotPossible):
        return ()
    before, after = text[: link.column], text[link.end :]
    size = ", ".join(map(str, error.new_shape))
    instead = [f".reshape({size})", f".contiguous().view({size})"]
    if ".T.view(" in str(error):  # the error says when the other order is a view
        instead.append(f".T.view({size})")
    return tuple(Fix(step, before + step + after) for step in instead)


def _describe(link: Link, before: Tensor | None, x: Tensor, storage: int) -> Step:
    layout = x.layout
    kind, why, reason = _kind(link, before, x)
    try:
        overlaps = layout.overlaps_itself()
    except OverlapTooHard:
        overlaps = None
    storage += kind == "copy"
    return Step(
        source=link.source,
        name=link.name,
        column=link.column,
        end=link.end,
        layout=str(layout),
        shape=tuple(x.shape),
        strides=tuple(x.stride()),
        offset=x.storage_offset(),
        size=x.size,
        dtype=x.dtype.name,
        itemsize=x.itemsize,
        nbytes=x.nbytes,
        contiguous=x.is_contiguous(),
        why_not_contiguous=layout.why_not_contiguous() or "",
        overlaps_itself=overlaps,
        kind=kind,
        why=why,
        bytes_copied=x.nbytes if kind == "copy" else 0,
        reason=reason,
        hint=copy_totals()[reason].hint if reason else "",
        storage=storage,
        storage_size=len(x.storage()),
        picture=picture_of(x),
    )


def _kind(link: Link, before: Tensor | None, x: Tensor) -> tuple[str, str, str]:
    """Return made, view, copy or same; why; and the copy log's word for a copy."""
    if before is None:
        row = operations.MAKERS.get(link.name)
        return "made", row.says if row else "A tensor that is there already.", ""
    row = operations.STEPS.get(link.name, operations.INDEX)
    if x is before:
        return "same", row.says, ""
    if x.shares_storage(before):
        return "view", row.says, ""
    return "copy", _cause(row.reason, before, x), row.reason


def _cause(reason: str, before: Tensor, x: Tensor) -> str:
    if reason == "reshape":
        try:
            before.view(x.shape)
        except ViewNotPossible as error:
            return str(error).splitlines()[1].strip()
    if reason == "contiguous":
        return f"not row-major: {before.layout.why_not_contiguous()}"
    return {
        "clone": "clone() always copies: that is what it is for",
        "gather": "positions in a list follow no single stride, so the elements are gathered",
        "join": "the elements that leave at one end come back at the other: no stride does that",
    }.get(reason, "no layout over the old storage gives these elements")


# ---- pictures: cells of the index grid and of the memory strip, and which belong together ----
# Small tensors are drawn whole. Of large ones the first and last places of each axis are drawn, as
# in the printed form of an array, and of the storage only what these reach. The number of cells is
# bounded whatever the tensor.


@dataclass(frozen=True)
class Picture:
    """The drawn part of a tensor, cells in row-major order.

    ``places`` are the drawn indices of each axis, ``cells`` the storage element of each drawn cell,
    ``spans`` the drawn storage elements as (first, end), ``values`` and ``reached`` one entry for
    each of those. ``used`` counts the distinct elements reached; None where it was not counted.
    """

    whole: bool
    places: tuple[tuple[int, ...], ...]
    cells: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    values: tuple[str, ...]
    reached: tuple[bool, ...]
    used: int | None


def picture_of(x: Tensor) -> Picture:
    """Return what to draw of a tensor.

    >>> import strided
    >>> p = picture_of(strided.arange(6).reshape(2, 3).T)
    >>> p.cells, p.spans
    ((0, 3, 1, 4, 2, 5), ((0, 6),))
    >>> p = picture_of(strided.arange(10000).reshape(100, 100)[:, :2])
    >>> p.whole, p.spans[0], len(p.cells)
    (True, (0, 2), 200)
    """
    places = _places(tuple(x.shape))
    layout = x.layout
    cells = tuple(layout.offset_of(index) for index in itertools.product(*places))
    whole = len(cells) == x.size
    storage = x.storage()
    spans = _spans(cells, len(storage))
    positions = [p for first, end in spans for p in range(first, end)]
    seen = set(cells)
    if whole:
        reached = tuple(p in seen for p in positions)
        used: int | None = len(seen)
    else:
        reached = tuple(layout.index_of(p) is not None for p in positions)
        used = None
    values = tuple(_text(storage[p]) for p in positions)
    return Picture(whole, places, cells, spans, values, reached, used)


def _places(shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    if math.prod(shape) <= MAX_CELLS:
        return tuple(tuple(range(length)) for length in shape)
    edge = 8
    while edge > 1 and math.prod(min(length, 2 * edge) for length in shape) > MAX_CELLS:
        edge -= 1
    return tuple(
        tuple(range(length))
        if length <= 2 * edge
        else (*range(edge), *range(length - edge, length))
        for length in shape
    )


def _spans(cells: tuple[int, ...], size: int) -> tuple[tuple[int, int], ...]:
    """Return runs of storage elements to draw: all of a small storage, else those near cells."""
    if size <= MAX_CELLS:
        return ((0, size),) if size else ()
    spans: list[tuple[int, int]] = []
    for cell in sorted(set(cells)):
        if spans and cell - spans[-1][1] <= _GAP:
            spans[-1] = (spans[-1][0], cell + 1)
        else:
            spans.append((cell, cell + 1))
    return tuple(spans)


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
