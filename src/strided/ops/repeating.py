"""PyTorch's ways to repeat, to resize and to split; views and sums by other names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.ops.arrays import asarray
from strided.ops.define import operation
from strided.ops.joining import repeat, tile
from strided.ops.splitting import split

# ---- repeats ----


@operation(name="repeat of a tensor", function=None, method="repeat", spread=True, operands=1)
def repeat_whole(x: Tensor, /, repeats: int | Sequence[int]) -> Tensor:
    """Return the tensor put together repeatedly, so many times along each axis. A new tensor.

    >>> import strided
    >>> strided.tensor([1, 2]).repeat(2, 2).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    times = (repeats,) if isinstance(repeats, int) else tuple(repeats)
    if len(times) < x.ndim:
        raise InvalidArgument(
            argument="repeats",
            got=str(times),
            requirement=f"must be a number for each of the {x.ndim} axes"
            " (elements are repeated by repeat_interleave)",
        )
    return tile(x, times)


@operation(operands=1)
def repeat_interleave(
    x: Tensor, /, repeats: Any = None, axis: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Repeat each element, along an axis or of the flattened tensor. A new tensor.

    With counts alone: each position as often as its count says.

    >>> import strided
    >>> strided.repeat_interleave(strided.tensor([1, 2]), 2).tolist()
    [1, 1, 2, 2]
    """
    if repeats is None:
        if x.ndim != 1:
            raise ShapeMismatch(
                operation="repeat_interleave",
                expected=(x.numel(),),
                got=x.shape,
                hint="counts alone are a vector; else name what is repeated, and how often",
            )
        return repeat(_native._fill_range(empty(x.numel(), dtype=_native.int64), 0, 1), x)
    if isinstance(repeats, (list, tuple)):
        repeats = asarray(list(repeats))
    return repeat(x, repeats, axis=axis)


# ---- other sizes, in place ----


@operation(function=None, kind="in place", spread=True, operands=1)
def resize_(x: Tensor, /, size: int | Sequence[int], *, memory_format: Any = None) -> Tensor:
    """Give this tensor another shape, in place: as many elements of its storage as that needs.

    The shape must fit into the storage from the tensor's first element on: storages do not grow.

    >>> import strided
    >>> strided.arange(6).resize_(2, 2).tolist()
    [[0, 1], [2, 3]]
    """
    shape = (size,) if isinstance(size, int) else tuple(size)
    strides, step = [], 1
    for length in reversed(shape):
        strides.append(step)
        step *= max(1, length)
    return x.as_strided_(shape, strides[::-1], x.storage_offset())


@operation(function=None, kind="in place", operands=1)
def resize_as_(x: Tensor, /, other: Tensor, *, memory_format: Any = None) -> Tensor:
    """Give this tensor the shape of another, in place, over its own storage.

    >>> import strided
    >>> strided.arange(6).resize_as_(strided.zeros(2)).tolist()
    [0, 1]
    """
    return resize_(x, other.shape)


# ---- sums and views by other names ----


@operation(function=None, spread=True, operands=1)
def sum_to_size(x: Tensor, /, size: int | Sequence[int]) -> Tensor:
    """Sum the axes along which a shape was repeated to this one. A new tensor.

    >>> import strided
    >>> strided.ones(2, 3).sum_to_size(1, 3).tolist()
    [[2.0, 2.0, 2.0]]
    """
    shape = (size,) if isinstance(size, int) else tuple(size)
    if _native.broadcast_shape(shape, x.shape) != x.shape:
        raise ShapeMismatch(
            operation="sum_to_size",
            expected=x.shape,
            got=shape,
            hint="the size must broadcast to the shape of the tensor",
        )
    lead = x.ndim - len(shape)
    axes = [a for a in range(x.ndim) if a < lead or shape[a - lead] != x.shape[a]]
    return x.sum(axes, keepdim=True).reshape(shape) if axes else x.clone()


@operation()
def narrow_copy(x: Tensor, /, dim: int, start: int, length: int) -> Tensor:
    """Return a copy of some places along an axis. A new tensor.

    >>> import strided
    >>> strided.arange(5).narrow_copy(0, 1, 2).tolist()
    [1, 2]
    """
    return x.narrow(dim, start, length).clone()


@operation(kind="view", aliases=("unsafe_split_with_sizes",))
def split_with_sizes(x: Tensor, /, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Cut into parts of given lengths along an axis. Views.

    >>> import strided
    >>> [part.tolist() for part in strided.arange(3).split_with_sizes([1, 2])]
    [[0], [1, 2]]
    """
    return split(x, list(split_sizes), dim)


@operation(kind="either", forecast=lambda of: of.conjugate_transpose)
def adjoint(x: Tensor, /) -> Tensor:
    """Return the conjugate transposes of matrices. A view for real dtypes, else a new tensor.

    >>> import strided
    >>> strided.tensor([[1 + 2j]]).adjoint().tolist()
    [[(1-2j)]]
    """
    return x.mT.conj() if x.dtype.is_complex else x.mT


@operation(function=None, kind="either", attribute=True, forecast=lambda of: of.conjugate_transpose)
def mH(x: Tensor, /) -> Tensor:
    """The conjugate transposes of matrices. A view for real dtypes, a new tensor for complex ones.

    >>> import strided
    >>> strided.tensor([[1 + 2j]]).mH.tolist()
    [[(1-2j)]]
    """
    return x.mT.conj() if x.dtype.is_complex else x.mT


@operation(method=None, operands=1)
def take_along_dim(x: Tensor, indices: Tensor, /, dim: int | None = None) -> Tensor:
    """Return the elements at positions along an axis; without one, of all elements. A new tensor.

    >>> import strided
    >>> strided.take_along_dim(strided.tensor([[1, 2]]), strided.tensor([[1]]), 1).tolist()
    [[2]]
    """
    return x.take_along_dim(indices, dim)


def _in_place(name: str) -> None:
    def body(x: Tensor, /, dim: int) -> Tensor:
        return x.copy_(getattr(x.clone(), name)(dim))

    body.__doc__ = (
        f"Overwrite with what ``{name}`` returns, in place.\n\n    >>> import strided\n"
        f"    >>> strided.tensor([2, 3]).{name}_(0).tolist()\n"
        f"    {'[2, 5]' if name == 'cumsum' else '[2, 6]'}\n    "
    )
    operation(name=f"{name} in place", function=None, method=f"{name}_", kind="in place")(body)


_in_place("cumsum")
_in_place("cumprod")


@operation(kind="view")
def unsafe_split(x: Tensor, /, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Return pieces of a length along an axis; another name of ``split``. Views.

    >>> import strided
    >>> [part.tolist() for part in strided.arange(3).unsafe_split(2)]
    [[0, 1], [2]]
    """
    return split(x, split_size, dim)
