"""Alternatives: chains that go where a refused view could not, or that copy less."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from strided import StridedError, Tensor, ViewNotPossible, will_copy
from strided.explorer.expression import ExpressionError, Link
from strided.explorer.operations import STEPS, nearest_name


@dataclass(frozen=True)
class Fix:
    """A whole expression that would work, how its button is labelled, and what it gives instead."""

    label: str
    expression: str
    note: str = ""


def _replaced(link: Link, text: str, step: str, label: str = "", note: str = "") -> Fix:
    return Fix(label or step, text[: link.column] + step + text[link.end :], note)


def word_end(text: str, column: int) -> int:
    """Return where the word at a column ends; one character at least.

    >>> word_end("arange(6).reshap(2)", 10), word_end("arange(6)..T", 10)
    (16, 11)
    """
    end = column
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return min(max(end, column + 1), len(text))


def spelling_of(error: ExpressionError) -> tuple[Fix, ...]:
    """Return the text with the operation that a misspelt name is likely to mean."""
    text, column = error.expression, error.column
    end = word_end(text, column)
    name = text[column:end]
    close = nearest_name(name)
    if not close or name in STEPS or text[:column].rstrip()[-1:] != ".":
        return ()
    return (Fix(close, text[:column] + close + text[end:]),)


def fixes_of(error: StridedError, link: Link, text: str) -> tuple[Fix, ...]:
    """Return chains that go where a refused view could not."""
    if not isinstance(error, ViewNotPossible):
        return ()
    size = ", ".join(map(str, error.new_shape))
    instead = [f".reshape({size})", f".contiguous().view({size})"]
    if ".T.view(" in str(error):  # the error says when the other order is a view
        instead.append(f".T.view({size})")
    return tuple(_replaced(link, text, step) for step in instead)


def alternatives_of(
    reason: str, link: Link, before: Tensor, x: Tensor, text: str
) -> tuple[Fix, ...]:
    """Return the chains that copy less than a step does, or nothing, as far as there are any.

    >>> import strided
    >>> from strided.explorer.expression import parse
    >>> x = strided.arange(6)
    >>> link = parse("arange(6)[[0, 2, 4]]")[-1]
    >>> alternatives_of("gather", link, x, x[[0, 2, 4]], "arange(6)[[0, 2, 4]]")[0].expression
    'arange(6)[0:5:2]'
    """
    if reason == "contiguous":
        return (_replaced(link, text, "", "leave it out", "the strides stay as they are"),)
    if reason == "clone":
        return (_replaced(link, text, "", "leave it out", "a write is then seen in both"),)
    if reason == "reshape":
        forecast = will_copy(before, "reshape", tuple(x.shape))
        return tuple(
            _replaced(link, text, other.code, note=str(other).removeprefix(f"{other.code} "))
            for other in forecast.alternatives
        )
    step = _as_slice(before, link.args) if reason == "gather" else ""
    note = "is a view: the positions are evenly spaced"
    return (_replaced(link, text, step, note=note),) if step else ()


def _as_slice(x: Tensor, items: Sequence[Any]) -> str:
    """Return the index with a slice for its only list; empty where its steps differ."""
    lists = [item for item in items if isinstance(item, list)]
    if len(lists) != 1 or any(isinstance(item, int) for item in items):
        return ""
    (positions,) = lists
    if not positions or not all(isinstance(position, int) for position in positions):
        return ""
    length = _length_at(x, items, next(i for i, item in enumerate(items) if item is positions))
    places = [place + length if place < 0 else place for place in positions]
    step = places[1] - places[0] if len(places) > 1 else 1
    if step == 0 or places != [places[0] + i * step for i in range(len(places))]:
        return ""
    end = places[-1] + (1 if step > 0 else -1)
    regular = slice(places[0], None if end < 0 else end, None if step == 1 else step)
    texts = [_item_text(regular if item is positions else item) for item in items]
    return f"[{', '.join(texts)}]"


def _length_at(x: Tensor, items: Sequence[Any], place: int) -> int:
    """Return the length of the axis that an item of an index stands for."""
    used = [item for item in items if item is not None and item is not Ellipsis]
    left = [item for item in items[:place] if item is not None]
    dots = x.ndim - len(used) - 1 if Ellipsis in left else 0
    return x.shape[len(left) + dots]


def _item_text(item: Any) -> str:
    if item is None:
        return "None"
    if item is Ellipsis:
        return "..."
    bounds = [item.start, item.stop, *([] if item.step is None else [item.step])]
    return ":".join("" if bound is None else str(bound) for bound in bounds)
