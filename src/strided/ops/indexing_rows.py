"""Rows written to positions along an axis, as in PyTorch.

Positions are integers of any dtype, negative ones count from the end; they are checked before
anything is written. Where one place is named twice the last write stays, or all are added.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import ShapeMismatch
from strided.ops.arguments import ROWS, in_wide
from strided.ops.define import operation
from strided.ops.gradients import Backward, Call, Gradients, conj
from strided.ops.indexing import number_for
from strided.ops.indexing_reading import Written
from strided.ops.indexing_writing import scatter_reduce_


def _write_rows(x: Tensor, axis: int, index: Tensor, source: Tensor, accumulate: bool) -> Tensor:
    # Rank 0 stands for one element of rank 1.
    target = x if x.ndim else x.unsqueeze(0)
    rows = source if source.ndim else source.unsqueeze(0)
    axis = _native.normal_axis(axis, target.ndim)
    if rows.ndim != target.ndim:
        raise ShapeMismatch(
            operation="writing rows",
            expected=target.shape,
            got=source.shape,
            hint="give rows with as many axes as the tensor",
        )
    target, rows = target.movedim(axis, 0), rows.movedim(axis, 0)
    if accumulate:
        in_wide(target, rows, lambda x, rows: _native.scatter_into(x, rows, [index], True))
    else:
        _native.scatter_into(target, rows, [index], False)
    return x


def _index_add_gradient(
    call: Call, x: Tensor, axis: int, index: Tensor, source: Tensor, alpha: Any
) -> Backward:
    wanted = Written(call, source)
    saved = call.save(index if wanted.source else None)
    shape = source.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        rows = None
        if wanted.source:
            rows = g.index_select(axis, index).reshape(shape)
            rows = rows if alpha == 1 else rows * conj(alpha)
        return wanted.gradients(g if wanted.x else None, rows)

    return backward


@operation(
    gradient=_index_add_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": ROWS},
    operands=4,
)
def index_add_(x: Tensor, /, axis: int, index: Any, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add rows, times alpha, to the rows at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).index_add_(0, strided.tensor([1, 1]), strided.ones(2)).tolist()
    [0.0, 2.0, 0.0]
    """
    return _write_rows(x, axis, index, source if alpha == 1 else source * alpha, True)


@operation(function=None, kind="in place", on_a_copy=True, forms={"index": ROWS})
def index_reduce_(
    x: Tensor, /, axis: int, index: Any, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Reduce rows into the rows at positions along an axis, in place.

    ``reduce`` and ``include_self`` are those of ``scatter_reduce_``.

    >>> import strided
    >>> rows = strided.tensor([[1.0, 5.0], [4.0, 2.0]])
    >>> strided.zeros(1, 2).index_reduce_(0, strided.tensor([0, 0]), rows, "amax").tolist()
    [[4.0, 5.0]]
    """
    if source.ndim:
        lengths = [1] * source.ndim
        lengths[_native.normal_axis(axis, source.ndim)] = index.shape[0]
        index = index.reshape(*lengths)
    index = index.expand(*source.shape)
    return scatter_reduce_(x, axis, index, source, reduce, include_self=include_self)


def _index_copy_gradient(
    call: Call, x: Tensor, axis: int, index: Tensor, tensor: Tensor
) -> Backward:
    wanted = Written(call, tensor)
    saved = call.save(index)
    shape = tensor.shape

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.index_fill(axis, index, 0) if wanted.x else None
        rows = g.index_select(axis, index).reshape(shape) if wanted.source else None
        return wanted.gradients(of_x, rows)

    return backward


@operation(
    gradient=_index_copy_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": ROWS},
    operands=4,
)
def index_copy_(x: Tensor, /, axis: int, index: Any, tensor: Tensor) -> Tensor:
    """Write rows to positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).index_copy_(0, strided.tensor([2, 0]), strided.tensor([7.0, 8.0])).tolist()
    [8.0, 0.0, 7.0]
    """
    return _write_rows(x, axis, index, tensor, False)


def _index_fill_gradient(call: Call, x: Tensor, axis: int, index: Tensor, value: Any) -> Backward:
    wanted = Written(call, value)
    saved = call.save(index)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        of_x = g.index_fill(axis, index, 0) if wanted.x else None
        of_value = g.index_select(axis, index).sum() if wanted.source else None
        return wanted.gradients(of_x, of_value)

    return backward


@operation(
    gradient=_index_fill_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    forms={"index": ROWS},
    operands=4,
)
def index_fill_(x: Tensor, /, axis: int, index: Any, value: Any) -> Tensor:
    """Write one value to the rows at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(2, 3).index_fill_(1, strided.tensor([0, 2]), 1).tolist()
    [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    """
    shape = list(x.shape) or [1]
    shape[_native.normal_axis(axis, len(shape))] = index.numel()
    return _write_rows(x, axis, index, number_for(x, value).expand(*shape), False)
