"""Gradients of elements that are picked: each goes back to where it was taken, doubled ones add up.

Few of many elements are touched, so a rule returns what adds itself into a buffer.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.autograd.rules.written import Written
from strided.ops.rule import AddInto, Backward, Call, Gradients, gradient_of


@gradient_of("gather")
def _gather(call: Call, x: Tensor, dim: int, index: Tensor) -> Backward:
    saved = call.save(index)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        return AddInto(lambda buffer: buffer.scatter_add_(dim, index, g)), None

    return backward


@gradient_of("take")
def _take(call: Call, x: Tensor, index: Tensor, axis: int) -> Backward:
    saved = call.save(index)
    rank = x.ndim
    before = _native.normal_axis(axis, rank) if rank else 0

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        if rank == 0:
            return g.sum(), None
        key = (*[slice(None)] * before, index) if before else index
        return AddInto(lambda buffer: _add_at(buffer, key, g)), None

    return backward


@gradient_of("take_flat")
def _take_flat(call: Call, x: Tensor, index: Tensor) -> Backward:
    saved = call.save(index)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        return AddInto(lambda buffer: buffer.put_(index, g, accumulate=True)), None

    return backward


@gradient_of("masked_select")
def _masked_select(call: Call, x: Tensor, mask: Tensor) -> Backward:
    saved = call.save(mask)
    shape = x.shape

    def backward(g: Tensor) -> Gradients:
        return _masked(g, saved()[0], shape), None

    return backward


def _masked(g: Tensor, mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    return _native.zeros(shape, dtype=g.dtype).masked_scatter_(mask, g)


# ---- keys ----


class _Key:
    """A key of ``x[key]`` whose tensors are kept as a rule keeps tensors."""

    def __init__(self, call: Call, key: Any) -> None:
        self._alone = not isinstance(key, tuple)
        self._items = [key] if self._alone else list(key)
        tensors = (item if isinstance(item, Tensor) else None for item in self._items)
        self._saved = call.save(*tensors)

    def __call__(self) -> Any:
        kept = zip(self._saved(), self._items, strict=True)
        items = [item if tensor is None else tensor for tensor, item in kept]
        return items[0] if self._alone else tuple(items)


@gradient_of("get_advanced")
def _get_advanced(call: Call, x: Tensor, key: Any) -> Backward:
    kept = _Key(call, key)
    shape = x.shape
    is_mask = isinstance(key, Tensor) and key.dtype is _native.bool and key.shape == shape
    others = [None] * (len(call.tensors) - 1)

    def backward(g: Tensor) -> Gradients:
        key = kept()
        if is_mask:
            return [_masked(g, key, shape), *others]
        return [AddInto(lambda buffer: _add_at(buffer, key, g)), *others]

    return backward


def _add_at(buffer: Tensor, key: Any, g: Tensor) -> None:
    """Do ``buffer[key] += g``, with every place counted as often as it is named."""
    if isinstance(key, Tensor) and key.dtype.kind in "iu" and not grad_mode():
        _native.scatter_into(buffer, g, [key], True)  # rows, as an embedding has them
    else:
        buffer.index_put_(key, g, accumulate=True)


@gradient_of("index_put", "set_advanced")
def _index_put(
    call: Call, x: Tensor, indices: Any, values: Any, accumulate: bool = False
) -> Backward:
    """Gradients of ``x[indices] = values``: what was overwritten has none."""
    kept = _Key(call, indices)
    wanted = Written(call, values)
    shape = values.shape if isinstance(values, Tensor) else ()

    def backward(g: Tensor) -> Gradients:
        key = kept()
        of_x = None
        if wanted.x:
            of_x = g if accumulate else _without(g, key)
        return wanted.gradients(of_x, _as_written(g[key], shape) if wanted.source else None)

    return backward


def _without(g: Tensor, key: Any) -> Tensor:
    made = g.clone()
    made[key] = 0
    return made


def _as_written(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a value that had axes of length 1 in front, which writing drops."""
    extra = len(shape) - g.ndim
    return g.reshape((1,) * extra + g.shape) if extra > 0 else g
