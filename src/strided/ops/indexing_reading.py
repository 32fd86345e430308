"""Elements picked by positions or masks: ``take`` of the array API, the rest as in PyTorch.

Positions are integers of any dtype, negative ones count from the end. Gradients go back to where
elements were taken, those of elements that were taken twice are added up. Few of many elements are
touched, so a rule returns what adds itself into a buffer.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor, grad_mode
from strided.errors import ShapeMismatch
from strided.ops.arguments import MASK, POSITIONS, ROWS, in_wide
from strided.ops.define import operation
from strided.ops.gradients import AddInto, Backward, Call, Gradient, Gradients

# ---- what gradients of indexing are made of ----


class Written:
    """The target of a write and what is written: the arguments that gradients pass."""

    def __init__(self, call: Call, source: Any) -> None:
        places = [i for i, tensor in enumerate(call.tensors) if tensor is source]
        self._count = len(call.tensors)
        # The target stands first. It may be the source too, which then stands last.
        self._place = places[-1] if places else 0
        self.x = call.needs(0)
        self.source = bool(places) and call.needs(self._place)

    def gradients(self, of_x: Gradient, of_source: Gradient) -> Gradients:
        """Return one gradient per tensor argument: positions and masks have none."""
        made: list[Gradient] = [None] * self._count
        made[0] = of_x
        if self._place:
            made[self._place] = of_source
        return made


def padded(part: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a source of which only the front part was written."""
    if part.shape == shape:
        return part
    made = _native.zeros(shape, dtype=part.dtype)
    made[tuple(slice(0, length) for length in part.shape)] = part
    return made


def gathered(g: Tensor, axis: int, index: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a source that was written to positions along an axis."""
    return padded(g.gather(axis, index), shape)


def masked(g: Tensor, mask: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return zeros with the elements of g where the mask is true."""
    return _native.zeros(shape, dtype=g.dtype).masked_scatter_(mask, g)


def add_at(buffer: Tensor, key: Any, g: Tensor) -> None:
    """Do ``buffer[key] += g``, with every place counted as often as it is named."""
    if isinstance(key, Tensor) and key.dtype.kind in "iu" and not grad_mode():
        # Rows, as an embedding has them.
        in_wide(buffer, g, lambda x, g: _native.scatter_into(x, g, [key], True))
    else:
        buffer.index_put_(key, g, accumulate=True)


# ---- one position for each result ----


def _gather_gradient(call: Call, x: Tensor, axis: int, index: Tensor, out: None) -> Backward:
    saved = call.save(index)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        return AddInto(lambda buffer: buffer.scatter_add_(axis, index, g)), None

    return backward


@operation(gradient=_gather_gradient, forms={"index": POSITIONS}, converts=True, copies_out=True)
def gather(x: Tensor, /, axis: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the elements at positions along an axis, one position for each result. A new tensor.

    ``out[i][j] = x[index[i][j]][j]`` for axis 0; the index is no longer than x elsewhere.

    >>> import strided
    >>> x = strided.tensor([[1, 2], [3, 4]])
    >>> strided.gather(x, 1, strided.tensor([[1], [0]])).tolist()
    [[2], [3]]
    """
    return _native.gather(x, axis, index)


@operation(
    method="take_along_dim",
    defaults={"axis": None},
    forms={"indices": POSITIONS},
    operands=2,
    converts=True,
    copies_out=True,
    numpy="take_along_axis: arr indices axis",
)
def take_along_axis(
    x: Tensor, /, indices: Any, axis: int | None = -1, *, out: Tensor | None = None
) -> Tensor:
    """Return the elements at positions along an axis; other axes broadcast. A new tensor.

    Without an axis they are positions of the flattened tensor.

    >>> import strided
    >>> x = strided.tensor([[3, 1], [2, 5]])
    >>> strided.take_along_axis(x, strided.argsort(x)).tolist()
    [[1, 3], [2, 5]]
    """
    if axis is None:
        return take_flat(x, indices.reshape(-1))
    if indices.ndim != x.ndim:
        raise ShapeMismatch(
            operation="take_along_dim",
            expected=x.shape,
            got=indices.shape,
            hint="the indices have as many axes as the tensor",
        )
    axis = _native.normal_axis(axis, x.ndim)
    others = [1 if i == axis else n for i, n in enumerate(x.shape)]
    picked = [1 if i == axis else n for i, n in enumerate(indices.shape)]
    shape = _native.broadcast_shape(others, picked)
    sizes = [-1 if i == axis else n for i, n in enumerate(shape)]
    return gather(x.expand(*sizes), axis, indices.expand(*sizes))


# ---- rows ----


def _take_gradient(call: Call, x: Tensor, indices: Tensor, axis: int | None, out: None) -> Backward:
    saved = call.save(indices)
    rank = x.ndim
    before = _native.normal_axis(axis, rank) if rank and axis is not None else 0

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        if rank == 0:
            return g.sum(), None
        key = (*[slice(None)] * before, index) if before else index
        return AddInto(lambda buffer: add_at(buffer, key, g)), None

    return backward


@operation(
    gradient=_take_gradient,
    method=None,
    forms={"indices": POSITIONS},
    operands=2,
    converts=True,
    copies_out=True,
    also={"indices": "index"},
)
def take(
    x: Tensor, /, indices: Any, axis: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return the elements at positions along an axis, or of the flattened tensor. A new tensor.

    The shape of the indices takes the place of the axis.

    >>> import strided
    >>> strided.take(strided.tensor([[1, 2], [3, 4]]), strided.tensor([1, 0]), axis=1).tolist()
    [[2, 1], [4, 3]]
    """
    return take_flat(x, indices) if axis is None else _native.take(x, indices, axis)


@operation(converts=True, copies_out=True, forms={"index": ROWS})
def index_select(x: Tensor, /, axis: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return rows of an axis by their positions. A new tensor.

    >>> import strided
    >>> strided.index_select(strided.arange(3), 0, strided.tensor([2, 0])).tolist()
    [2, 0]
    """
    picked = take(x, index, axis=axis)
    return picked if x.ndim else picked.reshape(())


# ---- elements of the flattened tensor ----


def _take_flat_gradient(call: Call, x: Tensor, index: Tensor) -> Backward:
    saved = call.save(index)

    def backward(g: Tensor) -> Gradients:
        (index,) = saved()
        return AddInto(lambda buffer: buffer.put_(index, g, accumulate=True)), None

    return backward


@operation(gradient=_take_flat_gradient, function=None, method=None)
def take_flat(x: Tensor, index: Tensor, /) -> Tensor:
    """Return the elements at positions of the flattened tensor. A new tensor."""
    return _native.take_flat(x, index)


@operation(
    name="take of the flattened tensor",
    function=None,
    method="take",
    forms={"index": POSITIONS},
    copies_out=True,
    numpy="take: a indices=index axis out",
)
def take_of_flattened(
    x: Tensor, /, index: Any, axis: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return the elements at positions of the flattened tensor, or along an axis. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).take(strided.tensor([3, 0])).tolist()
    [4, 1]
    """
    return take_flat(x, index) if axis is None else take(x, index, axis=axis)


# ---- masks ----


def _masked_select_gradient(call: Call, x: Tensor, mask: Tensor) -> Backward:
    saved = call.save(mask)
    shape = _native.broadcast_shape(x.shape, mask.shape)

    def backward(g: Tensor) -> Gradients:
        (mask,) = saved()
        return masked(g, mask.expand(*shape), shape), None

    return backward


@operation(gradient=_masked_select_gradient, forms={"mask": MASK}, converts=True)
def masked_select(x: Tensor, /, mask: Any) -> Tensor:
    """Return the elements where a mask is true, in a row; both broadcast. A new tensor.

    >>> import strided
    >>> strided.masked_select(strided.arange(3), strided.tensor([True, False, True])).tolist()
    [0, 2]
    """
    shape = _native.broadcast_shape(x.shape, mask.shape)
    return _native.masked_select(x.expand(*shape), mask.expand(*shape))
