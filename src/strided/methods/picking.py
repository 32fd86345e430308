"""Elements picked by positions or masks, as in PyTorch.

Positions are integers of any dtype, negative ones count from the end.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd import recorded
from strided.errors import ShapeMismatch
from strided.ops.operands import as_index, as_mask, as_vector
from strided.ops.results import into


def gather(self: Tensor, dim: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return the elements at positions along an axis, one position for each result. A new tensor.

    ``out[i][j] = x[index[i][j]][j]`` for ``dim = 0``; the index is no longer than x elsewhere.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).gather(1, strided.tensor([[1], [0]])).tolist()
    [[2], [3]]
    """
    return into(out, recorded.gather(self, dim, as_index(index)), "gather")


def take_along_dim(
    self: Tensor, indices: Any, dim: int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Return the elements at positions along an axis; other axes broadcast. A new tensor.

    >>> import strided
    >>> x = strided.tensor([[3, 1], [2, 5]])
    >>> x.take_along_dim(x.argsort(1), 1).tolist()
    [[1, 3], [2, 5]]
    """
    index = as_index(indices)
    if dim is None:
        return into(out, recorded.take_flat(self, index.reshape(-1)), "take_along_dim")
    if index.ndim != self.ndim:
        raise ShapeMismatch(
            operation="take_along_dim",
            expected=self.shape,
            got=index.shape,
            hint="the indices have as many axes as the tensor",
        )
    axis = _native.normal_axis(dim, self.ndim)
    others = [1 if i == axis else n for i, n in enumerate(self.shape)]
    picked = [1 if i == axis else n for i, n in enumerate(index.shape)]
    shape = list(_native.broadcast_shape(others, picked))
    x = self.expand(*[-1 if i == axis else n for i, n in enumerate(shape)])
    index = index.expand(*[-1 if i == axis else n for i, n in enumerate(shape)])
    return into(out, recorded.gather(x, axis, index), "take_along_dim")


def take(self: Tensor, index: Any, axis: int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Return the elements at positions of the flattened tensor, or along an axis. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).take(strided.tensor([3, 0])).tolist()
    [4, 1]
    """
    if axis is None:
        return into(out, recorded.take_flat(self, as_index(index)), "take")
    return into(out, recorded.take(self, as_index(index), axis), "take")


def index_select(self: Tensor, dim: int, index: Any, *, out: Tensor | None = None) -> Tensor:
    """Return rows of an axis by their positions. A new tensor.

    >>> import strided
    >>> strided.tensor([[1, 2], [3, 4]]).index_select(0, strided.tensor([1, 1])).tolist()
    [[3, 4], [3, 4]]
    """
    picked = recorded.take(self, as_vector(index), dim)
    return into(out, picked if self.ndim else picked.reshape(()), "index_select")


def masked_select(self: Tensor, mask: Any) -> Tensor:
    """Return the elements where a mask is true, in a row; both broadcast. A new tensor.

    >>> import strided
    >>> strided.arange(4).masked_select(strided.tensor([True, False, True, True])).tolist()
    [0, 2, 3]
    """
    mask = as_mask(mask)
    shape = _native.broadcast_shape(self.shape, mask.shape)
    return recorded.masked_select(self.expand(*shape), mask.expand(*shape))


METHODS: dict[str, Any] = {
    function.__name__: function
    for function in (
        gather,
        take_along_dim,
        take,
        index_select,
        masked_select,
    )
}
