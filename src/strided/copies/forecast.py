"""Copy forecasts: view or copy, and why, from layouts alone. Nothing is copied by asking.

A reshape that has no strides has none whatever comes before it: the same elements in the same order
always need a copy. What can be cheaper is to copy before elements are repeated, to take another
order of elements (undo a permutation first), or to join fewer axes; those are searched for.

Definitions name the forecast of their operation (``forecast=`` in ``ops/define.py``); ``will_copy``
asks it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.copies.contexts import views_are_copied
from strided.errors import ViewNotPossible
from strided.memory_layout import memory_order

EVERY_VIEW_COPIES = "copy_everything() is on: every view is a copy"

# So many orders of axes are tried: all of 6 axes.
_MOST_AXES = 6


@dataclass(frozen=True, repr=False)
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

    def __str__(self) -> str:
        cost = f"copies {self.nbytes} bytes" if self.nbytes else "is a view"
        return f"{self.code} {cost}, {self.note}"

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class CopyForecast:
    """Whether an operation would be a view or a copy, and why. True when it would copy.

    ``allowed`` is false where the operation raises an error instead of copying, as ``view`` does.

    >>> import strided
    >>> forecast = strided.will_copy(strided.zeros(6, 4).T, "reshape", 24)
    >>> bool(forecast), forecast.nbytes
    (True, 96)
    >>> forecast
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
        lines += [f"instead: {other}" for other in self.alternatives]
        return "\n  ".join(line for line in lines if line)

    def __repr__(self) -> str:
        return str(self)


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
    if refusal is None and views_are_copied():
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


# ---- forecasts of operations ----


def _shape(given: Sequence[Any]) -> tuple[int, ...]:
    first: Any = given[0] if len(given) == 1 else given
    return (int(first),) if hasattr(first, "__index__") else tuple(int(n) for n in first)


def _source(x: Tensor) -> str:
    return described(x.layout, x.dtype)


def of_views(x: Tensor, operation: str, results: Sequence[Tensor], why: str) -> CopyForecast:
    """Return the forecast for views, which copy_everything() would copy all the same."""
    made = [result for result in results if result is not x]
    if views_are_copied() and made:
        target = described(Layout(made[0].shape), made[0].dtype)
        nbytes = sum(result.nbytes for result in made)
        return CopyForecast(operation, _source(x), target, True, EVERY_VIEW_COPIES, nbytes)
    target = _source(results[0]) if results else ""
    return CopyForecast(operation, _source(x), target, False, why)


def of_a_copy(x: Tensor, operation: str, shape: Any, dtype: DType, why: str) -> CopyForecast:
    """Return the forecast for a copy of a shape and dtype."""
    nbytes = math.prod(shape) * dtype.itemsize
    return CopyForecast(operation, _source(x), f"{tuple(shape)} {dtype.name}", True, why, nbytes)


def of_a_trial(name: str, x: Tensor, /, *args: Any, **options: Any) -> CopyForecast:
    """Return the forecast for a view operation: it is tried out, which costs nothing."""
    member = getattr(x, name)
    is_attribute = isinstance(member, Tensor)
    result = member if is_attribute else member(*args, **options)
    results = list(result) if isinstance(result, tuple) else [result]
    given = ", ".join([*map(repr, args), *(f"{n}={value!r}" for n, value in options.items())])
    shown = f".{name}" if is_attribute else f".{name}({given})"
    return of_views(x, shown, results, "a view operation, always: arithmetic on strides")


def reshape(x: Tensor, *shape: Any, copy: bool | None = None) -> CopyForecast:
    """Return what ``reshape`` would do."""
    return reshape_forecast(x.layout, x.dtype, _shape(shape), copy)


def flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> CopyForecast:
    """Return what ``flatten`` would do."""
    try:
        shape = x.layout.flattened(start_dim, end_dim).shape
    except ViewNotPossible as error:
        shape = error.new_shape
    return reshape(x, tuple(shape))


def ravel(x: Tensor) -> CopyForecast:
    """Return what ``ravel`` would do."""
    first = reshape(x, -1)
    if first:
        return first
    second = contiguous(x.reshape(-1))
    return replace(second, source=first.source) if second else first


def reshape_as(x: Tensor, other: Tensor) -> CopyForecast:
    """Return what ``reshape_as`` would do."""
    return reshape(x, other.shape)


def view(x: Tensor, *shape: Any) -> CopyForecast:
    """Return what ``view`` would do."""
    if len(shape) != 1 or hasattr(shape[0], "__index__") or isinstance(shape[0], (tuple, list)):
        return reshape(x, *shape, copy=False)
    why = "the bytes are read as another dtype"
    return of_views(x, f".view({shape[0]})", [x.view(shape[0])], why)


def contiguous(x: Tensor, memory_format: Any = None) -> CopyForecast:
    """Return what ``contiguous`` would do."""
    shown = ".contiguous()" if memory_format is None else f".contiguous({memory_format!r})"
    if x.is_contiguous(memory_format=memory_format):
        return CopyForecast(shown, _source(x), _source(x), False, "nothing is to be done")
    order = tuple(range(x.ndim)) if memory_format is None else memory_order(x, memory_format)
    target = described(Layout.ordered(x.shape, order), x.dtype)
    why = x.layout.why_not_contiguous() if memory_format is None else None
    why = why or f"the axes lie in the order {x.layout.memory_order()}, or with gaps"
    return CopyForecast(shown, _source(x), target, True, why, x.nbytes)


def converted(
    x: Tensor, dtype: Any = None, *, copy: bool = False, memory_format: Any = None
) -> CopyForecast:
    """Return what ``to`` would do, and ``asarray`` with a tensor."""
    wanted = x.dtype if dtype is None else _native.as_dtype(dtype)
    shown = f".to({wanted.name})"
    if wanted is not x.dtype:
        why = f"{x.dtype.name} elements become {wanted.name}"
        return of_a_copy(x, shown, x.shape, wanted, why)
    if copy:
        return of_a_copy(x, shown, x.shape, wanted, "copy=True asks for it")
    if memory_format is not None:
        return contiguous(x, memory_format)
    return CopyForecast(shown, _source(x), _source(x), False, "it is the tensor itself")


def astype(x: Tensor, dtype: Any, *, copy: bool = True) -> CopyForecast:
    """Return what ``astype`` would do."""
    return converted(x, dtype, copy=copy)


def clone(x: Tensor, memory_format: Any = None) -> CopyForecast:
    """Return what ``clone`` would do."""
    return of_a_copy(x, ".clone()", x.shape, x.dtype, "a clone is a copy")


def numpy(x: Tensor, dtype: Any = None, *, copy: bool = False) -> CopyForecast:
    """Return what ``numpy`` would do."""
    changes = dtype is not None and _native.as_dtype(dtype) is not x.dtype
    if changes or copy:
        return converted(x, dtype, copy=True)
    return CopyForecast(
        ".numpy()", _source(x), _source(x), False, "NumPy takes strides as they are"
    )


def type_as(x: Tensor, other: Tensor) -> CopyForecast:
    """Return what ``type_as`` would do."""
    return converted(x, other.dtype)


def itself(x: Tensor, *_: Any, **options: Any) -> CopyForecast:
    """Return what an operation would do that returns the tensor."""
    why = "it is the tensor itself"
    return CopyForecast("", _source(x), _source(x), False, why)


def conjugate_transpose(x: Tensor) -> CopyForecast:
    """Return what ``H`` would do."""
    if x.dtype.is_complex:
        return of_a_copy(x, ".H", x.T.shape, x.dtype, "the elements are conjugated")
    return of_views(x, ".H", [x.T], "real elements are their own conjugates")
