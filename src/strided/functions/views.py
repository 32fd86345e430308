"""View operations as functions, by their array-API and NumPy names."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import DuplicateAxis, InvalidDimension, ShapeMismatch


def reshape(x: Tensor, /, shape: int | Sequence[int], *, copy: bool | None = None) -> Tensor:
    """Return the tensor in another shape. A view where one exists, else one logged copy.

    ``copy=False`` raises instead, ``copy=True`` always copies.

    >>> import strided
    >>> strided.reshape(strided.arange(6), (2, -1)).shape
    (2, 3)
    """
    return x.reshape(shape, copy=copy)


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """Return the tensor with its axes in another order. A view.

    >>> import strided
    >>> strided.permute_dims(strided.zeros(2, 3, 4), (2, 0, 1)).stride()
    (1, 12, 4)
    """
    return x.permute(axes)


def permute(x: Tensor, dims: Sequence[int]) -> Tensor:
    """Return the tensor with its axes in another order. A view (PyTorch's name).

    >>> import strided
    >>> strided.permute(strided.zeros(2, 3), (1, 0)).shape
    (3, 2)
    """
    return x.permute(dims)


def transpose(x: Tensor, *axes: Any) -> Tensor:
    """Return the tensor with two axes swapped, all reversed, or in the given order. A view.

    >>> import strided
    >>> strided.transpose(strided.zeros(2, 3, 4), 0, 2).shape
    (4, 3, 2)
    """
    return x.transpose(*axes)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Return the tensor with its last two axes swapped. A view.

    >>> import strided
    >>> strided.matrix_transpose(strided.zeros(2, 3, 4)).shape
    (2, 4, 3)
    """
    return x.mT


def moveaxis(x: Tensor, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """Return the tensor with some axes at new places. A view.

    >>> import strided
    >>> strided.moveaxis(strided.zeros(2, 3, 4), 0, -1).shape
    (3, 4, 2)
    """
    return x.movedim(source, destination)


def squeeze(x: Tensor, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return the tensor without the given axes of length 1, all such by default. A view.

    >>> import strided
    >>> strided.squeeze(strided.zeros(1, 3, 1), 0).shape
    (3, 1)
    """
    if axis is None:
        return x.squeeze()
    for dim in (axis,) if isinstance(axis, int) else axis:
        if -x.ndim <= dim < x.ndim and x.shape[dim] != 1:
            raise ShapeMismatch(
                operation="squeeze",
                expected=(1,),
                got=(x.shape[dim],),
                hint="x.squeeze(dim) skips them",
            )
    return x.squeeze(axis)


def expand_dims(x: Tensor, /, axis: int | Sequence[int] = 0) -> Tensor:
    """Return the tensor with new axes of length 1. A view.

    >>> import strided
    >>> strided.expand_dims(strided.zeros(3, 4), 0).stride()
    (12, 4, 1)
    """
    if isinstance(axis, int):
        return x.unsqueeze(axis)
    rank = x.ndim + len(axis)
    places: set[int] = set()
    for a in map(index, axis):
        if not -rank <= a < rank:
            raise InvalidDimension(dim=a, rank=rank)
        if a % rank in places:
            raise DuplicateAxis(axis=a, axes=tuple(axis))
        places.add(a % rank)
    return x[tuple(None if place in places else slice(None) for place in range(rank))]


unsqueeze = expand_dims


def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    """Return the tensor repeated to a shape by stride 0. A view.

    >>> import strided
    >>> strided.broadcast_to(strided.arange(4), (2, 3, 4)).stride()
    (0, 0, 1)
    """
    return x.broadcast_to(tuple(shape))


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape that all given shapes broadcast to.

    >>> import strided
    >>> strided.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    shape: tuple[int, ...] = ()
    for other in shapes:
        shape = _native.broadcast_shape(shape, tuple(other))
    return shape


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return all tensors repeated to their common shape by stride 0. Views.

    >>> import strided
    >>> [t.shape for t in strided.broadcast_tensors(strided.zeros(2, 1), strided.zeros(3))]
    [(2, 3), (2, 3)]
    """
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return tuple(t.broadcast_to(shape) for t in tensors)


broadcast_arrays = broadcast_tensors


def flip(x: Tensor, /, *, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return the tensor with axes reversed, all of them by default. A view with negative strides.

    >>> import strided
    >>> y = strided.flip(strided.arange(12).reshape(3, 4), axis=0)
    >>> y.stride(), y.storage_offset()
    ((-4, 1), 8)
    """
    return x.flip() if axis is None else x.flip(axis)


def rot90(x: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Return the tensor turned by 90 degrees k times. A view.

    >>> import strided
    >>> strided.rot90(strided.arange(4).reshape(2, 2)).tolist()
    [[1, 3], [0, 2]]
    """
    return x.rot90(k, dims)


def diagonal(x: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return a diagonal of two axes as a new last axis. A view.

    >>> import strided
    >>> strided.diagonal(strided.arange(9).reshape(3, 3)).tolist()
    [0, 4, 8]
    """
    return x.diagonal(offset, dim1, dim2)


def as_strided(
    x: Tensor, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None
) -> Tensor:
    """Return any layout over the tensor's storage, checked to stay inside it. A view.

    >>> import strided
    >>> strided.as_strided(strided.arange(6), (2, 2), (1, 2)).tolist()
    [[0, 2], [1, 3]]
    """
    return x.as_strided(size, stride, storage_offset)


def unbind(x: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along an axis, without that axis. Views.

    >>> import strided
    >>> [t.tolist() for t in strided.unbind(strided.arange(4).reshape(2, 2))]
    [[0, 1], [2, 3]]
    """
    return x.unbind(dim)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along an axis, without that axis. Views (the array API's name).

    >>> import strided
    >>> [t.tolist() for t in strided.unstack(strided.arange(4).reshape(2, 2), axis=1)]
    [[0, 2], [1, 3]]
    """
    return x.unbind(axis)


def split(x: Tensor, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Return pieces of a size, or of listed sizes, along an axis. Views.

    >>> import strided
    >>> [t.tolist() for t in strided.split(strided.arange(5), 2)]
    [[0, 1], [2, 3], [4]]
    """
    return x.split(split_size, dim)


def chunk(x: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """Return at most so many pieces of equal size along an axis. Views.

    >>> import strided
    >>> [t.tolist() for t in strided.chunk(strided.arange(5), 2)]
    [[0, 1, 2], [3, 4]]
    """
    return x.chunk(chunks, dim)


def flatten(x: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Return a run of axes as one. A view where one exists, else one logged copy.

    >>> import strided
    >>> strided.flatten(strided.zeros(2, 3, 4), 1).shape
    (2, 12)
    """
    return x.flatten(start_dim, end_dim)


def real(x: Tensor, /) -> Tensor:
    """Return the real parts. A view.

    >>> import strided
    >>> strided.real(strided.tensor([1 + 2j])).tolist()
    [1.0]
    """
    return x.real


def imag(x: Tensor, /) -> Tensor:
    """Return the imaginary parts. A view.

    >>> import strided
    >>> strided.imag(strided.tensor([1 + 2j])).tolist()
    [2.0]
    """
    return x.imag
