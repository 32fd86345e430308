"""Rows, columns and blocks joined; parts inserted, removed and repeated."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.numpy_names.calls import tensors, with_dtype
from strided.ops.arguments import as_operand
from strided.ops.joining import concat
from strided.ops.manipulation import normal_axis
from strided.ops.splitting import tensor_split

# ---- at least so many axes ----


def _each(arys: tuple[Any, ...], made: Any) -> Any:
    if len(arys) == 1 and isinstance(arys[0], tuple):  # PyTorch's way
        return tuple(made(as_operand(one)) for one in arys[0])
    parts = tuple(made(as_operand(one)) for one in arys)
    return parts[0] if len(parts) == 1 else parts


def _of_rank_1(x: Tensor) -> Tensor:
    return x if x.ndim else x.unsqueeze(0)


def _of_rank_2(x: Tensor) -> Tensor:
    return x if x.ndim > 1 else _of_rank_1(x).unsqueeze(0)


def _of_rank_3(x: Tensor) -> Tensor:
    return x if x.ndim > 2 else _of_rank_2(x).unsqueeze(-1)


def atleast_1d(*arys: Any) -> Any:
    """Return tensors with at least one axis. Views.

    >>> import strided
    >>> strided.atleast_1d(3).shape, strided.atleast_1d(strided.zeros(2, 3)).shape
    ((1,), (2, 3))
    """
    return _each(arys, _of_rank_1)


def atleast_2d(*arys: Any) -> Any:
    """Return tensors with at least two axes, new ones in front. Views.

    >>> import strided
    >>> strided.atleast_2d(strided.arange(3)).shape
    (1, 3)
    """
    return _each(arys, _of_rank_2)


def atleast_3d(*arys: Any) -> Any:
    """Return tensors with at least three axes: a vector lies along the middle one. Views.

    >>> import strided
    >>> strided.atleast_3d(strided.arange(3)).shape
    (1, 3, 1)
    """
    return _each(arys, _of_rank_3)


# ---- joined ----


def hstack(tup: Sequence[Any], *, dtype: Any = None) -> Tensor:
    """Return tensors joined along columns (vectors end to end). A new tensor.

    >>> import strided
    >>> strided.hstack([strided.zeros(2, 1), strided.ones(2, 2)]).tolist()
    [[0.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    """
    parts = [_of_rank_1(one) for one in tensors(tup)]
    return with_dtype(concat(parts, axis=0 if parts and parts[0].ndim == 1 else 1), dtype)


def vstack(tup: Sequence[Any], *, dtype: Any = None) -> Tensor:
    """Return tensors joined along rows (vectors are rows). A new tensor.

    >>> import strided
    >>> strided.vstack([strided.zeros(2), strided.ones(2)]).tolist()
    [[0.0, 0.0], [1.0, 1.0]]
    """
    return with_dtype(concat([_of_rank_2(one) for one in tensors(tup)], axis=0), dtype)


row_stack = vstack


def dstack(tup: Sequence[Any], *, dtype: Any = None) -> Tensor:
    """Return tensors joined along a third axis. A new tensor.

    >>> import strided
    >>> strided.dstack([strided.zeros(2), strided.ones(2)]).tolist()
    [[[0.0, 1.0], [0.0, 1.0]]]
    """
    return with_dtype(concat([_of_rank_3(one) for one in tensors(tup)], axis=2), dtype)


def column_stack(tup: Sequence[Any]) -> Tensor:
    """Return vectors as the columns of a matrix; matrices side by side. A new tensor.

    >>> import strided
    >>> strided.column_stack([strided.arange(2), strided.arange(2)]).tolist()
    [[0, 0], [1, 1]]
    """
    parts = [one if one.ndim > 1 else _of_rank_1(one).unsqueeze(1) for one in tensors(tup)]
    return concat(parts, axis=1)


def block(arrays: Any) -> Tensor:
    """Return a tensor put together from nested lists of blocks. A new tensor.

    >>> import strided
    >>> one = strided.ones(1, 1)
    >>> strided.block([[one, 0 * one], [0 * one, one]]).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    def depth(item: Any) -> int:
        return 1 + depth(item[0]) if isinstance(item, list) and item else 0

    levels = depth(arrays)

    def leaves(item: Any) -> list[Any]:
        if not isinstance(item, list):
            return [item]
        return [leaf for one in item for leaf in leaves(one)]

    rank = max(levels, *(as_operand(leaf).ndim for leaf in leaves(arrays)))

    def joined(item: Any, level: int) -> Tensor:
        if not isinstance(item, list):
            x = as_operand(item)
            return x.reshape(*(1,) * (rank - x.ndim), *x.shape) if x.ndim < rank else x
        if not item:
            raise InvalidArgument(argument="arrays", got="[]", requirement="must hold blocks")
        return concat([joined(one, level - 1) for one in item], axis=-level)

    return joined(arrays, levels)


# ---- parts added and removed ----


def append(arr: Any, values: Any, axis: int | None = None) -> Tensor:
    """Return a tensor with values joined to its end (flattened without an axis). A new tensor.

    >>> import strided
    >>> strided.append(strided.arange(2), [5, 6]).tolist()
    [0, 1, 5, 6]
    """
    x, more = as_operand(arr), as_operand(values)
    if axis is None:
        return concat([x.reshape(-1), more.reshape(-1)], axis=0)
    return concat([x, more], axis=axis)


def _places(obj: Any, length: int) -> Any:
    """Return the positions that an index names along an axis, as an array."""
    import numpy as np

    if isinstance(obj, slice):
        return np.arange(length)[obj]
    found = np.asarray(obj)
    if found.dtype == bool:
        return np.flatnonzero(found)
    if found.size == 0:
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise InvalidArgument(argument="obj", got=str(obj), requirement="must name positions")
    outside = (found < -length) | (found > length)
    if outside.any():
        raise IndexError(
            f"index {found[outside].flat[0]} is out of bounds for an axis of length {length}"
        )
    return np.where(found < 0, found + length, found)


def delete(arr: Any, obj: Any, axis: int | None = None) -> Tensor:
    """Return a tensor without some places of an axis (flattened without one). A new tensor.

    >>> import strided
    >>> strided.delete(strided.arange(5), [1, 3]).tolist()
    [0, 2, 4]
    """
    import numpy as np

    x = as_operand(arr)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normal_axis(axis, x.ndim)
    length = x.shape[axis]
    gone = np.unique(_places(obj, length))
    if gone.size and gone[-1] >= length:
        raise IndexError(f"index {gone[-1]} is out of bounds for an axis of length {length}")
    return x.index_select(axis, as_operand(np.delete(np.arange(length), gone)))


def insert(arr: Any, obj: Any, values: Any, axis: int | None = None) -> Tensor:
    """Return a tensor with values inserted before places of an axis. A new tensor.

    Without an axis the tensor is flattened. Places count in the tensor as it was.

    >>> import strided
    >>> strided.insert(strided.arange(3), 1, 9).tolist()
    [0, 9, 1, 2]
    """
    import numpy as np

    x, more = as_operand(arr), as_operand(values)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normal_axis(axis, x.ndim)
    length = x.shape[axis]
    places = _places(obj, length)
    is_one = places.ndim == 0
    places = np.atleast_1d(places)
    if is_one:  # one place: values may have several along the axis
        if more.ndim == x.ndim:
            shape = [*x.shape]
            shape[axis] = more.shape[axis]
        elif x.ndim == 1:
            shape = [max(more.size, 1)]
        else:
            shape = [*x.shape]
            shape[axis] = 1
            more = more.unsqueeze(axis) if more.ndim == x.ndim - 1 else more
        places = np.repeat(places, shape[axis])
    else:
        shape = [*x.shape]
        shape[axis] = places.size
    more = more.expand(shape)._convert(x.dtype, reason="promote")
    # Where each element of the result is, in the tensor followed by the values.
    order = np.argsort(np.concatenate([np.arange(length), places - 0.5]), kind="stable")
    return concat([x, more], axis=axis).index_select(axis, as_operand(order))


def resize(a: Any, new_shape: int | Sequence[int]) -> Tensor:
    """Return the elements, repeated as often as a new shape needs them. A new tensor.

    >>> import strided
    >>> strided.resize(strided.arange(3), (2, 4)).tolist()
    [[0, 1, 2, 0], [1, 2, 0, 1]]
    """
    x = as_operand(a).reshape(-1)
    made = _native.empty(new_shape, dtype=x.dtype)
    if not x.size or not made.size:
        return made.zero_()
    places = _native._fill_range(_native.empty(made.size, dtype=_native.int64), 0, 1) % x.size
    return x.index_select(0, places).view(made.shape)


def trim_zeros(filt: Any, trim: str = "fb") -> Tensor:
    """Return a vector without the zeros at its front, its back or both. A view.

    >>> import strided
    >>> strided.trim_zeros(strided.tensor([0, 0, 3, 0])).tolist()
    [3]
    """
    x = as_operand(filt)
    if not trim or set(trim.lower()) - set("fb"):
        raise InvalidArgument(
            argument="trim", got=repr(trim), requirement='must be "f", "b" or "fb"'
        )
    (places,) = (x.detach() != 0).numpy().nonzero() if x.ndim == 1 else (None,)
    if places is None:
        raise InvalidArgument(argument="filt", got=f"rank {x.ndim}", requirement="must be a vector")
    if not places.size:
        return x[:0]
    first = int(places[0]) if "f" in trim.lower() else 0
    end = int(places[-1]) + 1 if "b" in trim.lower() else x.shape[0]
    return x[first:end]


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> tuple[Tensor, ...]:
    """Return so many parts of an axis, some one longer, or parts cut at positions. Views.

    >>> import strided
    >>> [part.tolist() for part in strided.array_split(strided.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    return tensor_split(as_operand(ary), indices_or_sections, axis)


def rollaxis(a: Any, axis: int, start: int = 0) -> Tensor:
    """Return the tensor with an axis moved in front of another. A view (``moveaxis`` is clearer).

    >>> import strided
    >>> strided.rollaxis(strided.zeros(2, 3, 4), 2).shape
    (4, 2, 3)
    """
    x = as_operand(a)
    axis = normal_axis(axis, x.ndim)
    start = start + x.ndim if start < 0 else start
    if not 0 <= start <= x.ndim:
        raise InvalidArgument(
            argument="start", got=str(start), requirement=f"must lie in 0 to {x.ndim}"
        )
    return x.movedim(axis, start - 1 if axis < start else start)
