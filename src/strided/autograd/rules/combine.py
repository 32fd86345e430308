"""Gradients of tensors that are put together, repeated, moved or cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.ops.operands import as_operand
from strided.ops.rule import AddInto, Backward, Call, Gradients, gradient_of
from strided.ops.searching import places_in


def _pieces(
    call: Call, lengths: list[tuple[bool, int]], shapes: list[tuple[int, ...]], axis: int
) -> Backward:
    """Return the function that hands each part its slice of g, as a view.

    ``lengths`` says of each part whether it is a tensor argument, and how long it is.
    """
    wanted = [call.needs(i) for i in range(len(call.tensors))]

    def backward(g: Tensor) -> Gradients:
        made: list[Tensor | None] = []
        start = 0
        for is_tensor, length in lengths:
            if is_tensor:
                place = len(made)
                part = g.narrow(axis, start, length).reshape(shapes[place])
                made.append(part if wanted[place] else None)
            start += length
        return made

    return backward


@gradient_of("concat")
def _concat(
    call: Call, arrays: Sequence[Any], /, *, axis: int | None = 0, dim: int | None = None
) -> Backward:
    axis = axis if dim is None else dim
    parts = [as_operand(part) for part in arrays]
    shapes = [part.shape for part in call.tensors]
    if axis is None:
        sizes = [part.size for part in parts]
        axis = 0
    else:
        axis = _native.normal_axis(axis, parts[0].ndim)
        sizes = [part.shape[axis] for part in parts]
    are_tensors = [isinstance(part, Tensor) for part in arrays]
    return _pieces(call, list(zip(are_tensors, sizes, strict=True)), shapes, axis)


@gradient_of("stack")
def _stack(
    call: Call, arrays: Sequence[Any], /, *, axis: int = 0, dim: int | None = None
) -> Backward:
    axis = axis if dim is None else dim
    axis = _native.normal_axis(axis, call.output.ndim)
    places = [place for place, part in enumerate(arrays) if isinstance(part, Tensor)]
    wanted = [call.needs(i) for i in range(len(places))]

    def backward(g: Tensor) -> Gradients:
        return [
            g.select(axis, place) if wants else None
            for place, wants in zip(places, wanted, strict=True)
        ]

    return backward


@gradient_of("tile")
def _tile(call: Call, x: Tensor, repetitions: Sequence[int], /) -> Backward:
    counts = [1] * (x.ndim - len(repetitions)) + list(repetitions)
    shape = x.shape
    padded = (1,) * (len(counts) - x.ndim) + shape
    split = [n for pair in zip(counts, padded, strict=True) for n in pair]
    tiles = list(range(0, len(split), 2))

    def backward(g: Tensor) -> Gradients:
        return (g.reshape(split).sum(tiles).reshape(shape),)

    return backward


@gradient_of("repeat")
def _repeat(
    call: Call, x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None
) -> Backward:
    shape = x.shape
    along = (x.size,) if axis is None else shape
    at = 0 if axis is None else _native.normal_axis(axis, x.ndim)
    counts = as_operand(repeats)
    nothing = [None] * (len(call.tensors) - 1)  # counts have no gradient

    if counts.size == 1:
        split = [*along[: at + 1], int(counts), *along[at + 1 :]]

        def backward(g: Tensor) -> Gradients:
            return (g.reshape(split).sum(at + 1).reshape(shape), *nothing)

        return backward

    # Where each element of the result came from; without an axis the whole is one row.
    ends = counts.cumsum(0, dtype=_native.int64)
    places = _native._fill_range(_native.empty(call.output.shape[at], dtype=_native.int64), 0, 1)
    sources = places_in(ends, places, True)

    def add_rows(g: Tensor) -> Gradients:
        def add(buffer: Tensor) -> Any:
            return buffer.view(along).index_add_(at, sources, g.to(buffer.dtype))

        return (AddInto(add), *nothing)

    return add_rows


@gradient_of("roll")
def _roll(
    call: Call,
    x: Tensor,
    /,
    shift: int | Sequence[int],
    *,
    axis: int | Sequence[int] | None = None,
) -> Backward:
    back = -shift if isinstance(shift, int) else [-one for one in shift]

    def backward(g: Tensor) -> Gradients:
        import strided

        return (strided.roll(g, back, axis=axis),)

    return backward


@gradient_of("tril")
def _tril(call: Call, x: Tensor, /, *, k: int = 0) -> Backward:
    def backward(g: Tensor) -> Gradients:
        import strided

        return (strided.tril(g, k=k),)

    return backward


@gradient_of("triu")
def _triu(call: Call, x: Tensor, /, *, k: int = 0) -> Backward:
    def backward(g: Tensor) -> Gradients:
        import strided

        return (strided.triu(g, k=k),)

    return backward
