"""Adaptive pooling to a size of the result, of averages and of maxima."""

from __future__ import annotations

from typing import Literal, TypeAlias, cast, overload

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.nn.padding import Sizes, as_axes, as_given, images, per_axis
from strided.ops.arrays import tensor
from strided.ops.define import operation
from strided.ops.joining import stack

# The lengths of a result; None keeps one.
Output: TypeAlias = Sizes | tuple[int | None, ...] | None


def _wanted(x: Tensor, output_size: Output, axes: int) -> tuple[int, ...]:
    """Return the lengths of a result, of which None keeps that of the input."""
    given = output_size if isinstance(output_size, int) else output_size and tuple(output_size)
    if given is None:
        given = (None,) * axes
    if not isinstance(given, int):
        own = x.shape[x.ndim - axes :]
        given = tuple(own[i] if one is None else one for i, one in enumerate(given))
    return per_axis(cast(Sizes, given), axes, "output_size")


def _ends(length: int, count: int) -> list[tuple[int, int]]:
    """Return begin and end of each part of an axis."""
    return [(i * length // count, -(-(i + 1) * length // count)) for i in range(count)]


def _averaged(operation: str, axes: int, input: Tensor, output_size: Output) -> Tensor:
    x = images(operation, input, axes)
    for axis, count in enumerate(as_axes(_wanted(input, output_size, axes), 1), 2):
        length = x.shape[axis]
        if length % count == 0:
            x = x.unflatten(axis, (count, length // count)).mean(axis + 1)
            continue
        ends = _ends(length, count)
        x = stack([x.narrow(axis, a, b - a).mean(axis) for a, b in ends], axis=axis)
    return as_given(x, input, axes)


def _largest(
    operation: str, axes: int, input: Tensor, output_size: Output, return_indices: bool
) -> Tensor | tuple[Tensor, Tensor]:
    x = images(operation, input, axes)
    if x.numel() == 0:
        raise InvalidArgument(
            argument="input", got=f"shape {tuple(input.shape)}", requirement="must have elements"
        )
    places: Tensor | None = None  # in the axes that are done
    size = 1  # of those axes in the input
    wanted = as_axes(_wanted(input, output_size, axes), 1)
    for axis, count in reversed([*enumerate(wanted, 2)]):
        length = x.shape[axis]
        ends = _ends(length, count)
        widest = max(b - a for a, b in ends)
        rows = tensor([[min(a + i, b - 1) for i in range(widest)] for a, b in ends])
        parts = x.index_select(axis, rows.flatten()).unflatten(axis, (count, widest))
        x, chosen = parts.max(dim=axis + 1)
        begins = tensor([a for a, _ in ends]).reshape((-1, *(1,) * (x.ndim - axis - 1)))
        here = chosen + begins
        places = here if places is None else places.gather(axis, here) + here * size
        size *= length
    assert places is not None
    made = as_given(x, input, axes)
    return (made, as_given(places.to(_native.int64), input, axes)) if return_indices else made


@operation(namespace="nn")
def adaptive_avg_pool1d(input: Tensor, output_size: Output) -> Tensor:
    """Return the adaptive average pooling of (n, c, length) to a size. A new tensor.

    >>> import strided
    >>> strided.nn.adaptive_avg_pool1d(strided.arange(6.0).reshape(1, 1, 6), 2).tolist()
    [[[1.0, 4.0]]]
    """
    return _averaged("adaptive_avg_pool1d", 1, input, output_size)


@overload
def adaptive_max_pool1d(
    input: Tensor, output_size: Output, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool1d(
    input: Tensor, output_size: Output, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def adaptive_max_pool1d(
    input: Tensor, output_size: Output, return_indices: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the adaptive max pooling of (n, c, length) to a size. A new tensor.

    With ``return_indices`` also the index in the flattened axes.

    >>> import strided
    >>> strided.nn.adaptive_max_pool1d(strided.arange(6.0).reshape(1, 1, 6), 2).tolist()
    [[[2.0, 5.0]]]
    """
    return _largest("adaptive_max_pool1d", 1, input, output_size, return_indices)


@operation(namespace="nn")
def adaptive_avg_pool2d(input: Tensor, output_size: Output) -> Tensor:
    """Return the adaptive average pooling of (n, c, height, width) to a size. A new tensor.

    >>> import strided
    >>> strided.nn.adaptive_avg_pool2d(strided.arange(6.0).reshape(1, 2, 3), 1).tolist()
    [[[2.5]]]
    """
    return _averaged("adaptive_avg_pool2d", 2, input, output_size)


@overload
def adaptive_max_pool2d(
    input: Tensor, output_size: Output, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool2d(
    input: Tensor, output_size: Output, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def adaptive_max_pool2d(
    input: Tensor, output_size: Output, return_indices: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the adaptive max pooling of (n, c, height, width) to a size. A new tensor.

    With ``return_indices`` also the index in the flattened axes.

    >>> import strided
    >>> strided.nn.adaptive_max_pool2d(strided.arange(6.0).reshape(1, 2, 3), 1).tolist()
    [[[5.0]]]
    """
    return _largest("adaptive_max_pool2d", 2, input, output_size, return_indices)


@operation(namespace="nn")
def adaptive_avg_pool3d(input: Tensor, output_size: Output) -> Tensor:
    """Return the adaptive average pooling of (n, c, depth, height, width) to a size. A new tensor.

    >>> import strided
    >>> strided.nn.adaptive_avg_pool3d(strided.arange(8.0).reshape(1, 2, 2, 2), 1).tolist()
    [[[[3.5]]]]
    """
    return _averaged("adaptive_avg_pool3d", 3, input, output_size)


@overload
def adaptive_max_pool3d(
    input: Tensor, output_size: Output, return_indices: Literal[False] = False
) -> Tensor: ...
@overload
def adaptive_max_pool3d(
    input: Tensor, output_size: Output, return_indices: Literal[True]
) -> tuple[Tensor, Tensor]: ...
@operation(namespace="nn")
def adaptive_max_pool3d(
    input: Tensor, output_size: Output, return_indices: bool = False
) -> Tensor | tuple[Tensor, Tensor]:
    """Return the adaptive max pooling of (n, c, depth, height, width) to a size. A new tensor.

    With ``return_indices`` also the index in the flattened axes.

    >>> import strided
    >>> strided.nn.adaptive_max_pool3d(strided.arange(8.0).reshape(1, 2, 2, 2), 1).tolist()
    [[[[7.0]]]]
    """
    return _largest("adaptive_max_pool3d", 3, input, output_size, return_indices)
