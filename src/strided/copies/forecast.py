"""Copy forecasts: view or copy, from layouts alone. Nothing is copied or computed by asking.

A reshape that has no strides has none whatever comes before it: the same elements in the same order
always need a copy. What can be cheaper is to copy before elements are repeated, to take another
order of elements (undo a permutation first), or to join fewer axes; those are searched for.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from strided._native import DType, Layout
from strided.copies import baseline

EVERY_VIEW_COPIES = "copy_everything() is on: every view is a copy"

# So many orders of axes are tried: all of 6 axes.
_MOST_AXES = 6


@dataclass(frozen=True)
class Alternative:
    """Another way to get the wanted shape, or close to it.

    ``code`` is what to write after the tensor, ``nbytes`` what it copies, ``note`` what is
    different. ``same_result`` is true where nothing is.

    >>> import strided
    >>> forecast = strided.will_copy(strided.zeros(6, 4).T, "reshape", 24)
    >>> forecast.alternatives[0].code, forecast.alternatives[0].nbytes
    ('.permute(1, 0).view(24)', 0)
    """

    code: str
    nbytes: int
    same_result: bool
    note: str


@dataclass(frozen=True)
class CopyForecast:
    """Whether an operation would be a view or a copy, and why. True when it would copy.

    ``allowed`` is false where the operation raises an error instead of copying, as ``view`` does.

    >>> import strided
    >>> forecast = strided.will_copy(strided.zeros(6, 4).T, "reshape", 24)
    >>> bool(forecast), forecast.nbytes
    (True, 96)
    >>> print(forecast)
    .reshape(24) of (4, 6):(1, 4)+0 float32 copies 96 bytes
      axes 0 and 1 do not step together: stride[0] = 1, length[1] * stride[1] = 24
      instead: .permute(1, 0).view(24) is a view, in another order of elements
    """

    operation: str
    source: str
    target: str
    copies: bool
    why: str
    nbytes: int = 0
    alternatives: tuple[Alternative, ...] = ()
    allowed: bool = True

    def __bool__(self) -> bool:
        return self.copies

    def __str__(self) -> str:
        if not self.allowed:
            verdict = "is refused"
        else:
            verdict = f"copies {self.nbytes} bytes" if self.copies else "is a view"
        lines = [f"{self.operation} of {self.source} {verdict}", self.why]
        for other in self.alternatives:
            cost = f"copies {other.nbytes} bytes" if other.nbytes else "is a view"
            lines.append(f"instead: {other.code} {cost}, {other.note}")
        return "\n  ".join(line for line in lines if line)


def described(layout: Layout, dtype: DType) -> str:
    """Return a layout and a dtype as reports show them."""
    return f"{layout} {dtype.name}"


def written(name: str, numbers: Sequence[int]) -> str:
    """Return a method call as one would write it."""
    return f".{name}({', '.join(map(str, numbers))})"


def _in_full(shape: Sequence[int], size: int) -> tuple[int, ...]:
    """Return a shape with its -1 replaced; what does not fit is refused elsewhere."""
    known = math.prod(length for length in shape if length != -1)
    return tuple(size // known if length == -1 and known else length for length in shape)


def reshape_forecast(
    layout: Layout, dtype: DType, shape: Sequence[int], copy: bool | None = None
) -> CopyForecast:
    """Return what ``reshape(shape, copy=copy)`` of a layout would do.

    >>> from strided import Layout, float32
    >>> bool(reshape_forecast(Layout((2, 3)), float32, (6,)))
    False
    """
    operation, source = written("reshape", shape), described(layout, dtype)
    refusal = layout.reshape_refusal(tuple(shape))  # raises where the shape does not fit
    full = _in_full(shape, layout.size)
    packed = described(Layout(full), dtype)
    nbytes = layout.size * dtype.itemsize
    if copy:
        return CopyForecast(operation, source, packed, True, "copy=True asks for it", nbytes)
    if refusal is None and baseline.is_on():
        return CopyForecast(operation, source, packed, True, EVERY_VIEW_COPIES, nbytes)
    if refusal is None:
        target = described(layout.reshaped(full), dtype)
        return CopyForecast(operation, source, target, False, "strides exist for the new shape")
    axis, step, needed = refusal
    why = (
        f"axes {axis} and {axis + 1} do not step together: stride[{axis}] = {step}, "
        f"length[{axis + 1}] * stride[{axis + 1}] = {needed}"
    )
    others = tuple(_alternatives(layout, dtype, full))
    if copy is False:
        return CopyForecast(operation, source, "", False, why, 0, others, allowed=False)
    return CopyForecast(operation, source, packed, True, why, nbytes, others)


def _alternatives(layout: Layout, dtype: DType, shape: tuple[int, ...]) -> Iterator[Alternative]:
    """Yield cheaper ways, those with the same elements first."""
    yield from _copied_before_repeating(layout, dtype, shape)
    order = _viewable_order(layout, shape)
    if order is not None:
        code = written("permute", order) + written("view", shape)
        yield Alternative(code, 0, False, "in another order of elements")
    joined = _joined_where_possible(layout)
    if 1 < len(joined) < len(layout.shape):
        note = "the same elements in the fewest axes that a view can have"
        yield Alternative(written("view", joined), 0, False, note)


def _copied_before_repeating(
    layout: Layout, dtype: DType, shape: tuple[int, ...]
) -> Iterator[Alternative]:
    """Leading axes of stride 0 that stay as they are: reshape one repetition, then repeat it."""
    repeated = 0
    for length, stride, wanted in zip(layout.shape, layout.strides, shape, strict=False):
        if stride != 0 or length != wanted or length < 2:
            break
        repeated += 1
    inner = Layout(layout.shape[repeated:], layout.strides[repeated:], layout.offset)
    if not repeated or inner.size != math.prod(shape[repeated:]):
        return
    picked = "[" + ", ".join("0" for _ in range(repeated)) + "]"
    refused = inner.reshape_refusal(shape[repeated:]) is not None
    nbytes = inner.size * dtype.itemsize if refused else 0
    code = picked + written("reshape", shape[repeated:]) + written("expand", shape)
    yield Alternative(code, nbytes, True, "the same elements, repeated after the copy")


def _viewable_order(layout: Layout, shape: tuple[int, ...]) -> tuple[int, ...] | None:
    """Return an order of axes in which the shape is a view, one that moves few axes if possible."""
    rank = len(layout.shape)
    if not 2 <= rank <= _MOST_AXES:
        return None
    found = [
        order
        for order in itertools.permutations(range(rank))
        if layout.permuted(order).reshape_refusal(shape) is None
    ]

    def moved(order: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
        return sum(axis != place for place, axis in enumerate(order)), order

    return min(found, key=moved, default=None)


def _joined_where_possible(layout: Layout) -> tuple[int, ...]:
    """Return the shape with all neighbours joined that step together."""
    joined: list[int] = []
    strides: list[int] = []
    for length, stride in zip(layout.shape, layout.strides, strict=True):
        if length == 1:
            continue
        if joined and strides[-1] == length * stride:
            joined[-1] *= length
            strides[-1] = stride
        else:
            joined.append(length)
            strides.append(stride)
    return tuple(joined)
