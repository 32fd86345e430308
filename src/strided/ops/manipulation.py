"""Manipulation functions: views with other axes, and tensors of another shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import (
    DuplicateAxis,
    InvalidArgument,
    InvalidDimension,
    ShapeMismatch,
    UnsupportedOperation,
)
from strided.ops.arguments import as_integers
from strided.ops.define import operation


def normal_axis(dim: int, rank: int) -> int:
    """Return an axis counted from the first one."""
    if not -rank <= dim < rank:
        raise InvalidDimension(dim=dim, rank=rank)
    return dim % rank


def needs_rank(
    x: Tensor, rank: int, name: str, hint: str = "use .tensor_split(sections, dim)"
) -> None:
    """Refuse a tensor of fewer axes."""
    if x.ndim < rank:
        raise UnsupportedOperation(
            operation=name,
            reason=f"needs rank {rank} or more, this tensor has shape {x.shape}",
            hint=hint,
        )


# ---- axes in another order ----


@operation(
    kind="view",
    native=("permute",),
    overloads=("(self, *dims: int) -> Tensor", "(self, dims: Sequence[int]) -> Tensor"),
    effect="order",
)
def permute(x: Tensor, /, dims: Sequence[int]) -> Tensor:
    """Return the tensor with its axes in another order. A view.

    >>> import strided
    >>> x = strided.zeros(2, 3, 4).permute(2, 0, 1)
    >>> x.shape, x.stride()
    ((4, 2, 3), (1, 12, 4))
    """
    return x.permute(dims)


@operation(kind="view", method=None, also={"axes": "dims"})
def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """Return the tensor with its axes in another order. A view.

    >>> import strided
    >>> strided.permute_dims(strided.zeros(2, 3, 4), (2, 0, 1)).stride()
    (1, 12, 4)
    """
    return x.permute(axes)


@operation(
    kind="view",
    native=("transpose",),
    overloads=(
        "(self, *dims: int) -> Tensor",
        "(self, dim0: int, dim1: int) -> Tensor",
        "(self, dims: Sequence[int], /) -> Tensor",
    ),
    effect="swap",
)
def transpose(x: Tensor, /, *axes: Any) -> Tensor:
    """Return the tensor with two axes swapped, all reversed, or all in the given order. A view.

    >>> import strided
    >>> x = strided.zeros(2, 3, 4)
    >>> x.transpose(0, 2).shape, x.transpose().shape, x.transpose(1, 2, 0).shape
    ((4, 3, 2), (4, 3, 2), (3, 4, 2))
    """
    return x.transpose(*axes)


@operation(kind="view", method=None, numpy="matrix_transpose: x")
def matrix_transpose(x: Tensor, /) -> Tensor:
    """Return the tensor with its last two axes swapped. A view.

    >>> import strided
    >>> strided.matrix_transpose(strided.zeros(2, 3, 4)).shape
    (2, 4, 3)
    """
    return x.mT


@operation(
    kind="view",
    native=("swapaxes", "swapdims"),
    overloads=("(self, dim0: int, dim1: int) -> Tensor",),
    aliases=("swapdims",),
    numpy="swapaxes: a axis1 axis2",
    also={"dim0": "axis0 axis1", "dim1": "axis2"},
    effect="swap",
)
def swapaxes(x: Tensor, /, dim0: int, dim1: int) -> Tensor:
    """Return the tensor with two axes swapped. A view.

    >>> import strided
    >>> strided.zeros(2, 3, 4).swapaxes(0, -1).stride()
    (1, 4, 12)
    """
    ...


@operation(kind="view", function=None, native=("T",), attribute=True, effect="swap")
def T(x: Tensor, /) -> Tensor:
    """The transpose of a matrix, rank 2 only. A view.

    >>> import strided
    >>> strided.arange(6).reshape(2, 3).T.tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    ...


@operation(kind="view", function=None, native=("mT",), attribute=True, effect="swap")
def mT(x: Tensor, /) -> Tensor:
    """The tensor with its last two axes swapped. A view.

    >>> import strided
    >>> strided.zeros(2, 3, 4).mT.shape
    (2, 4, 3)
    """
    ...


@operation(kind="either", function=None, attribute=True, forecast=lambda of: of.conjugate_transpose)
def H(x: Tensor, /) -> Tensor:
    """The conjugate transpose of a matrix. A view for real dtypes, a new tensor for complex ones.

    >>> import strided
    >>> strided.tensor([[1 + 2j]]).H.tolist()
    [[(1-2j)]]
    """
    return x.T.conj() if x.dtype.is_complex else x.T


@operation(kind="view", native=("t",), overloads=("(self) -> Tensor",), effect="swap")
def t(x: Tensor, /) -> Tensor:
    """Return the transpose of a tensor of rank 0, 1 or 2. A view.

    >>> import strided
    >>> strided.zeros(2, 3).t().shape, strided.zeros(3).t().shape
    ((3, 2), (3,))
    """
    ...


@operation(
    kind="view",
    native=("movedim", "moveaxis"),
    overloads=("(self, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor",),
    aliases=("movedim",),
    numpy="moveaxis: a source destination",
    effect="order",
)
def moveaxis(x: Tensor, /, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """Return the tensor with some axes at new places, the others in order around them. A view.

    >>> import strided
    >>> strided.zeros(2, 3, 4).movedim(0, -1).shape
    (3, 4, 2)
    """
    return x.movedim(source, destination)


@operation(
    kind="view",
    native=("flip",),
    overloads=("(self, *dims: int) -> Tensor", "(self, dims: Sequence[int]) -> Tensor"),
    numpy="flip: m axis",
    also={"axis": "dims", "x": "m"},
    effect="reverse",
)
def flip(x: Tensor, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return the tensor with axes reversed, all by default. A view with negative strides.

    >>> import strided
    >>> x = strided.arange(4).flip(0)
    >>> x.tolist(), x.stride(), x.storage_offset()
    ([3, 2, 1, 0], (-1,), 3)
    """
    return x.flip() if axis is None else x.flip(axis)


@operation(kind="view", also={"x": "m"}, effect="reverse")
def flipud(x: Tensor, /) -> Tensor:
    """Reverse the rows. A view with a negative stride.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).flipud().stride()
    (-2, 1)
    """
    needs_rank(x, 1, "flipud", "use .flip() for every axis there is")
    return x.flip(0)


@operation(kind="view", also={"x": "m"}, effect="reverse")
def fliplr(x: Tensor, /) -> Tensor:
    """Reverse the columns. A view with a negative stride.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).fliplr().stride()
    (2, -1)
    """
    needs_rank(x, 2, "fliplr", "use .flip(dims) to say which axes")
    return x.flip(1)


@operation(
    kind="view", numpy="rot90: m k axes=dims", also={"dims": "axes", "x": "m"}, effect="rotate"
)
def rot90(x: Tensor, /, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Turn by 90 degrees k times, from the first axis towards the second. A view.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).rot90().tolist()
    [[1, 3], [0, 2]]
    """
    if len(dims) != 2 or normal_axis(dims[0], x.ndim) == normal_axis(dims[1], x.ndim):
        raise InvalidArgument(
            argument="dims", got=str(tuple(dims)), requirement="must be two axes that differ"
        )
    first, second = (normal_axis(d, x.ndim) for d in dims)
    turns = k % 4
    if turns == 0:
        return x.view()
    if turns == 2:
        return x.flip((first, second))
    if turns == 1:
        return x.flip(second).transpose(first, second)
    return x.transpose(first, second).flip(second)


# ---- axes of length 1, and repeated ones ----


@operation(
    kind="view",
    native=("squeeze",),
    overloads=(
        "(self, dim: int | Sequence[int] | None = None, *,"
        " axis: int | Sequence[int] | None = None) -> Tensor",
    ),
    numpy="squeeze: a axis",
    effect="one",
)
def squeeze(x: Tensor, /, axis: int | Sequence[int] | None = None) -> Tensor:
    """Return the tensor without its axes of length 1, or those of them that are named. A view.

    >>> import strided
    >>> x = strided.zeros(1, 3, 1)
    >>> x.squeeze().shape, x.squeeze(0).shape, x.squeeze(1).shape
    ((3,), (3, 1), (1, 3, 1))
    """
    if axis is None:
        return x.squeeze()
    for dim in as_integers(axis):
        if -x.ndim <= dim < x.ndim and x.shape[dim] != 1:
            raise ShapeMismatch(
                operation="squeeze",
                expected=(1,),
                got=(x.shape[dim],),
                hint="x.squeeze(dim) skips them",
            )
    return x.squeeze(axis)


@operation(
    kind="view",
    native=("unsqueeze", "expand_dims"),
    overloads=("(self, dim: int) -> Tensor",),
    aliases=("unsqueeze",),
    numpy="expand_dims: a axis",
    effect="one",
)
def expand_dims(x: Tensor, /, axis: int | Sequence[int] = 0) -> Tensor:
    """Return the tensor with a new axis of length 1. A view.

    >>> import strided
    >>> strided.zeros(3, 4).unsqueeze(-1).shape
    (3, 4, 1)
    """
    if isinstance(axis, int):
        return x.unsqueeze(axis)
    axes = as_integers(axis)
    rank = x.ndim + len(axes)
    places: set[int] = set()
    for a in axes:
        if not -rank <= a < rank:
            raise InvalidDimension(dim=a, rank=rank)
        if a % rank in places:
            raise DuplicateAxis(axis=a, axes=axes)
        places.add(a % rank)
    return x[tuple(None if place in places else slice(None) for place in range(rank))]


@operation(
    kind="view",
    native=("expand",),
    overloads=("(self, *size: int) -> Tensor", "(self, size: Sequence[int]) -> Tensor"),
    function=None,
    effect="repeat",
)
def expand(x: Tensor, size: Sequence[int], /) -> Tensor:
    """Return axes of length 1, and new ones in front, repeated by stride 0; -1 keeps. A view.

    >>> import strided
    >>> x = strided.arange(3).unsqueeze(1).expand(2, -1, 4)
    >>> x.shape, x.stride(), x.bytes_kept_alive
    ((2, 3, 4), (0, 1, 0), 24)
    """
    ...


@operation(
    kind="view",
    native=("broadcast_to",),
    overloads=("(self, *size: int) -> Tensor", "(self, size: Sequence[int]) -> Tensor"),
    also={"shape": "size"},
    effect="repeat",
)
def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    """Return the tensor repeated to a shape by stride 0. A view (NumPy's name for ``expand``).

    >>> import strided
    >>> strided.arange(3).broadcast_to((2, 3)).tolist()
    [[0, 1, 2], [0, 1, 2]]
    """
    return x.broadcast_to(tuple(shape))


@operation(kind="view", function=None)
def expand_as(x: Tensor, /, other: Tensor) -> Tensor:
    """Return this tensor repeated to the shape of another, by stride 0. A view.

    >>> import strided
    >>> strided.arange(3).expand_as(strided.zeros(2, 3)).stride()
    (0, 1)
    """
    return x.expand(other.shape)


@operation(kind="value", method=None, operands=0)
def broadcast_shapes(*shapes: int | Sequence[int]) -> tuple[int, ...]:
    """Return the shape that all given shapes broadcast to.

    >>> import strided
    >>> strided.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    shape: tuple[int, ...] = ()
    for other in shapes:
        shape = _native.broadcast_shape(shape, as_integers(other))
    return shape


@operation(kind="view", method=None, aliases=("broadcast_arrays",))
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Return all tensors repeated to their common shape by stride 0. Views.

    >>> import strided
    >>> [t.shape for t in strided.broadcast_tensors(strided.zeros(2, 1), strided.zeros(3))]
    [(2, 3), (2, 3)]
    """
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return tuple(t.broadcast_to(shape) for t in tensors)
