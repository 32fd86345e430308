"""Elements written to positions or where a mask is true, as in PyTorch.

Positions are integers of any dtype, negative ones count from the end; they are checked before
anything is written. Writes happen in the order of the positions: where one place is named twice the
last write stays, and sums come out the same however many threads work.
"""

from __future__ import annotations

import inspect
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.autograd.record import differentiable_in_place
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.elementwise import where
from strided.ops.indexing import is_basic, set_advanced
from strided.ops.operands import as_index, as_mask, as_operand, as_vector


def _scalar(value: Any, x: Tensor) -> Tensor:
    """Return a value as a tensor of rank 0 in the dtype of ``x``."""
    if isinstance(value, Tensor):
        return value.reshape(())._convert(x.dtype, reason="promote")
    return _native.empty((), dtype=x.dtype).fill_(value)


# ---- writing along an axis ----

_REDUCTIONS = ("add", "multiply")
_SCATTER_REDUCTIONS = {
    "sum": ("add", 0),
    "prod": ("multiply", 1),
    "mean": ("add", 0),
    "amax": ("greatest", None),
    "amin": ("least", None),
}


def scatter_(self: Tensor, dim: int, index: Any, src: Any, *, reduce: str | None = None) -> Tensor:
    """Write elements, or one number, to positions along an axis, in place.

    ``x[index[i][j]][j] = src[i][j]`` for ``dim = 0``; ``reduce`` is "add" or "multiply".

    >>> import strided
    >>> strided.zeros(4).scatter_(0, strided.tensor([1, 3]), 7).tolist()
    [0.0, 7.0, 0.0, 7.0]
    """
    if reduce is not None and reduce not in _REDUCTIONS:
        raise InvalidArgument(
            argument="reduce", got=repr(reduce), requirement="is 'add' or 'multiply'"
        )
    positions = as_index(index)
    if not isinstance(src, Tensor):
        src = _scalar(src, self).expand(*positions.shape)
    if reduce == "multiply":
        return scatter_reduce_(self, dim, positions, src, "prod")
    return (put_along_ if reduce is None else scatter_add_)(self, dim, positions, src)


@differentiable_in_place
def put_along_(self: Tensor, dim: int, index: Tensor, src: Tensor) -> Tensor:
    """Write elements to positions along an axis, in place."""
    _native.scatter_along(self, dim, index, src, "put", "scatter_")
    return self


@differentiable_in_place
def scatter_add_(self: Tensor, dim: int, index: Any, src: Tensor) -> Tensor:
    """Add elements to those at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).scatter_add_(0, strided.tensor([1, 1]), strided.ones(2)).tolist()
    [0.0, 2.0, 0.0]
    """
    _native.scatter_along(self, dim, as_index(index), src, "add", "scatter_add_")
    return self


@differentiable_in_place
def scatter_reduce_(
    self: Tensor, dim: int, index: Any, src: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Reduce elements into those at positions along an axis, in place.

    ``reduce`` is "sum", "prod", "mean", "amax" or "amin". Without ``include_self`` what was there
    does not count, where anything is written.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.scatter_reduce_(0, strided.tensor([1, 1]), strided.tensor([3.0, 5.0]), "amax").tolist()
    [0.0, 5.0]
    """
    if reduce not in _SCATTER_REDUCTIONS:
        known = ", ".join(map(repr, _SCATTER_REDUCTIONS))
        raise InvalidArgument(argument="reduce", got=repr(reduce), requirement=f"is one of {known}")
    positions = as_index(index)
    how, start = _SCATTER_REDUCTIONS[reduce]
    counts = None
    if reduce == "mean":
        counts = _native.empty(self.shape, dtype=_native.int64).fill_(1 if include_self else 0)
        ones = _native.empty((), dtype=_native.int64).fill_(1).expand(*positions.shape)
        _native.scatter_along(counts, dim, positions, ones, "add", "scatter_reduce_")
    if not include_self:
        first = src if start is None else _scalar(start, self).expand(*positions.shape)
        # An element that is reduced stands in for none where there is no neutral one.
        _native.scatter_along(self, dim, positions, first, "put", "scatter_reduce_")
    _native.scatter_along(self, dim, positions, src, how, "scatter_reduce_")
    if counts is not None:
        counts.clamp_(min=1)
        if self.dtype.kind in "fc":
            self.divide_(counts)
        else:
            self.floor_divide_(counts)
    return self


# ---- writing rows ----


def _write_rows(x: Tensor, dim: int, index: Any, source: Tensor, accumulate: bool) -> Tensor:
    positions = as_vector(index)
    # Rank 0 stands for one element of rank 1.
    target = x if x.ndim else x.unsqueeze(0)
    rows = source if source.ndim else source.unsqueeze(0)
    axis = _native.normal_axis(dim, target.ndim)
    if rows.ndim != target.ndim:
        raise ShapeMismatch(
            operation="writing rows",
            expected=target.shape,
            got=source.shape,
            hint="give rows with as many axes as the tensor",
        )
    _native.scatter_into(target.movedim(axis, 0), rows.movedim(axis, 0), [positions], accumulate)
    return x


@differentiable_in_place
def index_add_(self: Tensor, dim: int, index: Any, source: Tensor, *, alpha: Any = 1) -> Tensor:
    """Add rows, times alpha, to the rows at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).index_add_(0, strided.tensor([1, 1]), strided.ones(2)).tolist()
    [0.0, 2.0, 0.0]
    """
    return _write_rows(self, dim, index, source if alpha == 1 else source * alpha, True)


def index_reduce_(
    self: Tensor, dim: int, index: Any, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """Reduce rows into the rows at positions along an axis, in place.

    ``reduce`` and ``include_self`` are those of ``scatter_reduce_``.

    >>> import strided
    >>> rows = strided.tensor([[1.0, 5.0], [4.0, 2.0]])
    >>> strided.zeros(1, 2).index_reduce_(0, strided.tensor([0, 0]), rows, "amax").tolist()
    [[4.0, 5.0]]
    """
    positions = as_vector(index)
    if source.ndim:
        lengths = [1] * source.ndim
        lengths[_native.normal_axis(dim, source.ndim)] = positions.shape[0]
        positions = positions.reshape(*lengths)
    positions = positions.expand(*source.shape)
    return scatter_reduce_(self, dim, positions, source, reduce, include_self=include_self)


@differentiable_in_place
def index_copy_(self: Tensor, dim: int, index: Any, tensor: Tensor) -> Tensor:
    """Write rows to positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(3).index_copy_(0, strided.tensor([2, 0]), strided.tensor([7.0, 8.0])).tolist()
    [8.0, 0.0, 7.0]
    """
    return _write_rows(self, dim, index, tensor, False)


@differentiable_in_place
def index_fill_(self: Tensor, dim: int, index: Any, value: Any) -> Tensor:
    """Write one value to the rows at positions along an axis, in place.

    >>> import strided
    >>> strided.zeros(2, 3).index_fill_(1, strided.tensor([0, 2]), 1).tolist()
    [[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]]
    """
    positions = as_vector(index)
    shape = list(self.shape) or [1]
    shape[_native.normal_axis(dim, len(shape))] = positions.numel()
    return _write_rows(self, dim, positions, _scalar(value, self).expand(*shape), False)


@differentiable_in_place
def put_(self: Tensor, index: Any, source: Any, accumulate: bool = False) -> Tensor:
    """Write elements to positions of the flattened tensor, or add to those there, in place.

    >>> import strided
    >>> strided.zeros(2, 2).put_(strided.tensor([3, 0]), strided.tensor([7.0, 8.0])).tolist()
    [[8.0, 0.0], [0.0, 7.0]]
    """
    positions = as_index(index)
    given = as_operand(source)
    if given.size != positions.size:
        raise ShapeMismatch(
            operation="put_",
            expected=positions.shape,
            got=given.shape,
            hint="give one element for each position",
        )
    _native.put_flat(self, positions, given.reshape(*positions.shape), accumulate)
    return self


@differentiable_in_place
def index_put_(self: Tensor, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """Do ``self[indices] = values``, or add to what is there, in place.

    Where one place is named twice the last value stays, or all are added.

    >>> import strided
    >>> places = (strided.tensor([1, 1]),)
    >>> strided.zeros(3).index_put_(places, strided.ones(2), accumulate=True).tolist()
    [0.0, 2.0, 0.0]
    """
    if is_basic(indices):
        self[indices] = self[indices] + values if accumulate else values
    else:
        set_advanced(self, indices, values, accumulate)
    return self


# ---- masks ----


def masked_fill(self: Tensor, mask: Any, value: Any) -> Tensor:
    """Return the tensor with a value where the mask is true; both broadcast. A new tensor.

    >>> import strided
    >>> strided.zeros(3).masked_fill(strided.tensor([True, False, True]), 7).tolist()
    [7.0, 0.0, 7.0]
    """
    return where(as_mask(mask), _scalar(value, self), self)


@differentiable_in_place
def masked_scatter_(self: Tensor, mask: Any, source: Tensor) -> Tensor:
    """Write the elements of a tensor, one after the other, where the mask is true, in place.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> x.masked_scatter_(strided.tensor([True, False, True]), strided.tensor([7.0, 8.0])).tolist()
    [7.0, 0.0, 8.0]
    """
    _native.masked_put(self, as_mask(mask).expand(*self.shape), source.reshape(-1), True)
    return self


# ---- the same on a copy ----


def _on_a_copy(name: str, in_place: Any, example: str, expected: str) -> Any:
    says = (in_place.__doc__ or "").partition("\n")[0]
    says = says.replace(", in place.", ", in a copy.")

    def method(self: Tensor, *args: Any, **options: Any) -> Tensor:
        result: Tensor = in_place(self.clone(), *args, **options)
        return result

    method.__name__ = method.__qualname__ = name
    method.__signature__ = inspect.signature(in_place)  # type: ignore[attr-defined]
    method.__doc__ = f"{says}\n\n    >>> import strided\n    >>> {example}\n    {expected}\n    "
    return method


_INDEX = "strided.tensor([1, 1])"
scatter = _on_a_copy(
    "scatter", scatter_, f"strided.zeros(3).scatter(0, {_INDEX}, 7).tolist()", "[0.0, 7.0, 0.0]"
)
scatter_add = _on_a_copy(
    "scatter_add",
    scatter_add_,
    f"strided.zeros(3).scatter_add(0, {_INDEX}, strided.ones(2)).tolist()",
    "[0.0, 2.0, 0.0]",
)
scatter_reduce = _on_a_copy(
    "scatter_reduce",
    scatter_reduce_,
    f'strided.ones(3).scatter_reduce(0, {_INDEX}, strided.ones(2) * 3, "prod").tolist()',
    "[1.0, 9.0, 1.0]",
)
index_add = _on_a_copy(
    "index_add",
    index_add_,
    f"strided.zeros(3).index_add(0, {_INDEX}, strided.ones(2)).tolist()",
    "[0.0, 2.0, 0.0]",
)
index_reduce = _on_a_copy(
    "index_reduce",
    index_reduce_,
    f'strided.ones(3).index_reduce(0, {_INDEX}, strided.ones(2) * 3, "prod").tolist()',
    "[1.0, 9.0, 1.0]",
)
index_copy = _on_a_copy(
    "index_copy",
    index_copy_,
    f"strided.zeros(3).index_copy(0, {_INDEX}, strided.ones(2)).tolist()",
    "[0.0, 1.0, 0.0]",
)
index_fill = _on_a_copy(
    "index_fill",
    index_fill_,
    f"strided.zeros(3).index_fill(0, {_INDEX}, 7).tolist()",
    "[0.0, 7.0, 0.0]",
)
index_put = _on_a_copy(
    "index_put",
    index_put_,
    f"strided.zeros(3).index_put(({_INDEX},), strided.ones(2)).tolist()",
    "[0.0, 1.0, 0.0]",
)
put = _on_a_copy(
    "put", put_, f"strided.zeros(3).put({_INDEX}, strided.ones(2)).tolist()", "[0.0, 1.0, 0.0]"
)
masked_scatter = _on_a_copy(
    "masked_scatter",
    masked_scatter_,
    "strided.zeros(2).masked_scatter(strided.tensor([True, False]), strided.ones(1)).tolist()",
    "[1.0, 0.0]",
)

METHODS: dict[str, Any] = {
    function.__name__: function
    for function in (
        scatter_,
        scatter_add_,
        scatter_reduce_,
        index_add_,
        index_reduce_,
        index_copy_,
        index_fill_,
        index_put_,
        put_,
        masked_fill,
        masked_scatter_,
        scatter,
        scatter_add,
        scatter_reduce,
        index_add,
        index_reduce,
        index_copy,
        index_fill,
        index_put,
        put,
        masked_scatter,
    )
}
