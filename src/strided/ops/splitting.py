"""Parts of tensors: slices, splits and windows along axes. Views."""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Sequence
from operator import index
from typing import Any

from strided._native import Tensor
from strided.errors import IndexOutOfBounds, InvalidArgument, ShapeMismatch
from strided.ops.arguments import as_integers
from strided.ops.define import operation
from strided.ops.manipulation import needs_rank, normal_axis


@operation(
    kind="view",
    native=("narrow",),
    overloads=("(self, dim: int, start: int, length: int) -> Tensor",),
    effect="part",
)
def narrow(x: Tensor, /, dim: int, start: int, length: int) -> Tensor:
    """Return ``length`` neighbours of one axis, from ``start`` on. A view.

    >>> import strided
    >>> strided.arange(12).reshape(3, 4).narrow(1, 1, 2).tolist()
    [[1, 2], [5, 6], [9, 10]]
    """
    ...


@operation(
    kind="view",
    native=("select",),
    overloads=("(self, dim: int, index: int) -> Tensor",),
    function=None,
    effect="part",
)
def select(x: Tensor, dim: int, index: int, /) -> Tensor:
    """Return one place of an axis, without that axis. A view.

    >>> import strided
    >>> strided.arange(6).reshape(2, 3).select(1, -1).tolist()
    [2, 5]
    """
    ...


@operation(kind="view", function=None)
def slice_dim(x: Tensor, /, dim: int, start: int, end: int) -> Tensor:
    """Return elements start..end-1 of one axis, strictly inside its bounds. A view.

    >>> import strided
    >>> x = strided.arange(12).reshape(3, 4)
    >>> x.slice_dim(1, 1, 3).tolist()
    [[1, 2], [5, 6], [9, 10]]
    """
    axis = normal_axis(dim, x.ndim)
    length = x.shape[axis]
    if not 0 <= start < end <= length:
        at = start if not 0 <= start < min(end, length) else end
        raise IndexOutOfBounds(index=at, length=length, axis=axis)
    return x.narrow(axis, start, end - start)


@operation(kind="view", function=None)
def slice(x: Tensor, /, *bounds: int) -> Tensor:
    """Return ``slice(start, end)`` of the first axis or ``slice(dim, start, end)`` of any. A view.

    >>> import strided
    >>> x = strided.arange(6).reshape(3, 2)
    >>> x.slice(1, 3).tolist(), x.slice(1, 3).storage_offset()
    ([[2, 3], [4, 5]], 2)
    >>> x.slice(1, 0, 1).tolist()
    [[0], [2], [4]]
    """
    if len(bounds) == 2:
        return slice_dim(x, 0, *bounds)
    if len(bounds) == 3:
        return slice_dim(x, *bounds)
    raise TypeError(f"slice() takes (start, end) or (dim, start, end), got {len(bounds)} arguments")


@operation(
    kind="view",
    native=("diagonal",),
    overloads=("(self, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor",),
    numpy="diagonal: a offset axis1=dim1 axis2=dim2",
    also={"dim1": "axis1", "dim2": "axis2"},
    effect="diagonal",
)
def diagonal(x: Tensor, /, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """Return a diagonal of two axes as a new last axis; offset 1 is the one above. A view.

    >>> import strided
    >>> x = strided.arange(9).reshape(3, 3)
    >>> x.diagonal().tolist(), x.diagonal(1).tolist()
    ([0, 4, 8], [1, 5])
    """
    return x.diagonal(offset, dim1, dim2)


@operation(
    kind="view",
    native=("unfold",),
    overloads=("(self, dim: int, size: int, step: int = 1) -> Tensor",),
    function=None,
    effect="window",
)
def unfold(x: Tensor, dim: int, size: int, step: int, /) -> Tensor:
    """Return all windows along an axis, ``step`` apart, each along a new last axis. A view.

    >>> import strided
    >>> x = strided.arange(5).unfold(0, 3, 2)
    >>> x.tolist(), x.stride()
    ([[0, 1, 2], [2, 3, 4]], (2, 1))
    """
    ...


@operation(kind="view", effect="window")
def sliding_window_view(
    x: Tensor,
    /,
    window_shape: int | Sequence[int],
    dim: int | Sequence[int] | None = None,
    *,
    axis: int | Sequence[int] | None = None,
) -> Tensor:
    """Return all windows of a shape, with the window axes last, as NumPy does. A view.

    >>> import strided
    >>> strided.arange(4).sliding_window_view(3).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    sizes = as_integers(window_shape)
    dim = dim if axis is None else axis
    dims = tuple(range(x.ndim)) if dim is None else as_integers(dim)
    if len(sizes) != len(dims):
        raise ShapeMismatch(
            operation="sliding_window_view",
            expected=dims,
            got=sizes,
            hint="give one window length per axis",
        )
    out = x
    for place, size in zip(dims, sizes, strict=True):
        out = out.unfold(normal_axis(place, x.ndim), size, 1)
    return out


# ---- split ----


@operation(
    kind="view",
    native=("split",),
    overloads=("(self, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]",),
    also={"split_size": "split_size_or_sections", "dim": "axis"},
)
def split(x: Tensor, /, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Return pieces of ``split_size`` (the last may be shorter), or of the listed sizes. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(5).split(2)]
    [[0, 1], [2, 3], [4]]
    >>> [p.tolist() for p in strided.arange(5).split([1, 4])]
    [[0], [1, 2, 3, 4]]
    """
    return x.split(split_size, dim)


@operation(
    kind="view",
    native=("unbind",),
    overloads=("(self, dim: int = 0) -> tuple[Tensor, ...]",),
    also={"dim": "axis"},
)
def unbind(x: Tensor, /, dim: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along one axis, without that axis. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).unbind(1)]
    [[0, 2], [1, 3]]
    """
    return x.unbind(dim)


@operation(kind="view", method=None)
def unstack(x: Tensor, /, axis: int = 0) -> tuple[Tensor, ...]:
    """Return the slices along an axis, without that axis. Views (the array API's name).

    >>> import strided
    >>> [t.tolist() for t in strided.unstack(strided.arange(4).reshape(2, 2), axis=1)]
    [[0, 2], [1, 3]]
    """
    return x.unbind(axis)


@operation(kind="view", aliases=("unsafe_chunk",))
def chunk(
    x: Tensor, /, chunks: int, dim: int = 0, *, axis: int | None = None
) -> tuple[Tensor, ...]:
    """Return at most ``chunks`` pieces of equal size, the last one shorter. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(5).chunk(3)]
    [[0, 1], [2, 3], [4]]
    """
    if chunks <= 0:
        raise InvalidArgument(argument="chunks", got=str(chunks), requirement="must be positive")
    axis = normal_axis(dim if axis is None else axis, x.ndim)
    length = x.shape[axis]
    if length == 0:
        return tuple(x.narrow(axis, 0, 0) for _ in range(chunks))
    return x.split(-(-length // chunks), axis)


@operation(kind="view", also={"indices_or_sections": "indices sections"})
def tensor_split(
    x: Tensor,
    /,
    indices_or_sections: int | Sequence[int],
    dim: int = 0,
    *,
    axis: int | None = None,
) -> tuple[Tensor, ...]:
    """Return exactly so many pieces, sizes differing by at most one, or cut at indices. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(5).tensor_split(3)]
    [[0, 1], [2, 3], [4]]
    >>> [p.tolist() for p in strided.arange(5).tensor_split((1, 3))]
    [[0], [1, 2], [3, 4]]
    """
    axis = normal_axis(dim if axis is None else axis, x.ndim)
    length = x.shape[axis]
    cuts: Sequence[int]
    given: Any = indices_or_sections
    if hasattr(given, "__index__") and not getattr(given, "ndim", 0):
        sections = index(given)
        if sections <= 0:
            raise InvalidArgument(
                argument="sections", got=str(sections), requirement="must be positive"
            )
        small, larger = divmod(length, sections)
        cuts = [i * small + min(i, larger) for i in range(1, sections)]
    else:
        cuts = as_integers(indices_or_sections)
    key: list[Any] = [builtins.slice(None)] * x.ndim
    pieces, start = [], 0
    for stop in (*cuts, length):
        key[axis] = builtins.slice(start, stop)
        pieces.append(x[tuple(key)])
        start = stop
    return tuple(pieces)


def _split_along(
    x: Tensor, sections: int | Sequence[int], dim: int, name: str
) -> tuple[Tensor, ...]:
    if isinstance(sections, int) and (sections <= 0 or x.shape[dim] % sections):
        raise ShapeMismatch(
            operation=name,
            expected=(x.shape[dim],),
            got=(sections,),
            hint=f"{sections} must divide the length {x.shape[dim]}; tensor_split allows any",
        )
    return tensor_split(x, sections, dim)


@operation(kind="view", also={"sections": "indices_or_sections indices"})
def hsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along columns (the only axis of a rank-1 tensor). Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).hsplit(2)]
    [[[0], [2]], [[1], [3]]]
    """
    needs_rank(x, 1, "hsplit")
    return _split_along(x, sections, 0 if x.ndim == 1 else 1, "hsplit")


@operation(kind="view", also={"sections": "indices_or_sections indices"})
def vsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along rows. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).vsplit(2)]
    [[[0, 1]], [[2, 3]]]
    """
    needs_rank(x, 2, "vsplit")
    return _split_along(x, sections, 0, "vsplit")


@operation(kind="view", also={"sections": "indices_or_sections indices"})
def dsplit(x: Tensor, /, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along the third axis. Views.

    >>> import strided
    >>> [p.shape for p in strided.zeros(2, 2, 4).dsplit(2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    needs_rank(x, 3, "dsplit")
    return _split_along(x, sections, 2, "dsplit")


@operation(function=None, kind="value")
def __reversed__(x: Tensor, /) -> Iterator[Tensor]:
    """Iterate over the first axis from its end. Views.

    >>> import strided
    >>> [x.item() for x in reversed(strided.arange(3))]
    [2, 1, 0]
    """
    return iter(x.flip(0))
