"""View methods that are arithmetic on other view methods."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import (
    IndexOutOfBounds,
    InvalidArgument,
    InvalidDimension,
    ShapeMismatch,
    UnsupportedOperation,
)


def _axis(dim: int, rank: int) -> int:
    if not -rank <= dim < rank:
        raise InvalidDimension(dim=dim, rank=rank)
    return dim % rank


# ---- parts of an axis ----


def slice_dim(self: Tensor, dim: int, start: int, end: int) -> Tensor:
    """Return elements start..end-1 of one axis, strictly inside its bounds. A view.

    >>> import strided
    >>> x = strided.arange(12).reshape(3, 4)
    >>> x.slice_dim(1, 1, 3).tolist()
    [[1, 2], [5, 6], [9, 10]]
    """
    axis = _axis(dim, self.ndim)
    length = self.shape[axis]
    if not 0 <= start < end <= length:
        at = start if not 0 <= start < min(end, length) else end
        raise IndexOutOfBounds(index=at, length=length, axis=axis)
    return self.narrow(axis, start, end - start)


def slice(self: Tensor, *bounds: int) -> Tensor:
    """Return ``slice(start, end)`` of the first axis or ``slice(dim, start, end)`` of any. A view.

    >>> import strided
    >>> x = strided.arange(6).reshape(3, 2)
    >>> x.slice(1, 3).tolist(), x.slice(1, 3).storage_offset()
    ([[2, 3], [4, 5]], 2)
    >>> x.slice(1, 0, 1).tolist()
    [[0], [2], [4]]
    """
    if len(bounds) == 2:
        return slice_dim(self, 0, *bounds)
    if len(bounds) == 3:
        return slice_dim(self, *bounds)
    raise TypeError(f"slice() takes (start, end) or (dim, start, end), got {len(bounds)} arguments")


def chunk(
    self: Tensor, chunks: int, dim: int = 0, *, axis: int | None = None
) -> tuple[Tensor, ...]:
    """Return at most ``chunks`` pieces of equal size, the last one shorter. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(5).chunk(3)]
    [[0, 1], [2, 3], [4]]
    """
    if chunks <= 0:
        raise InvalidArgument(argument="chunks", got=str(chunks), requirement="must be positive")
    axis = _axis(dim if axis is None else axis, self.ndim)
    length = self.shape[axis]
    if length == 0:
        return tuple(self.narrow(axis, 0, 0) for _ in range(chunks))
    return self.split(-(-length // chunks), axis)


def tensor_split(
    self: Tensor,
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
    axis = _axis(dim if axis is None else axis, self.ndim)
    length = self.shape[axis]
    cuts: Sequence[int]
    if isinstance(indices_or_sections, int):
        sections = indices_or_sections
        if sections <= 0:
            raise InvalidArgument(
                argument="sections", got=str(sections), requirement="must be positive"
            )
        small, larger = divmod(length, sections)
        cuts = [i * small + min(i, larger) for i in range(1, sections)]
    else:
        cuts = indices_or_sections
    key: list[Any] = [builtins.slice(None)] * self.ndim
    pieces, start = [], 0
    for stop in (*cuts, length):
        key[axis] = builtins.slice(start, stop)
        pieces.append(self[tuple(key)])
        start = stop
    return tuple(pieces)


def _split_along(
    self: Tensor, sections: int | Sequence[int], dim: int, name: str
) -> tuple[Tensor, ...]:
    if isinstance(sections, int) and (sections <= 0 or self.shape[dim] % sections):
        raise ShapeMismatch(
            operation=name,
            expected=(self.shape[dim],),
            got=(sections,),
            hint=f"{sections} must divide the length {self.shape[dim]}; tensor_split allows any",
        )
    return tensor_split(self, sections, dim)


def _needs_rank(
    self: Tensor, rank: int, name: str, hint: str = "use .tensor_split(sections, dim)"
) -> None:
    if self.ndim < rank:
        raise UnsupportedOperation(
            operation=name,
            reason=f"needs rank {rank} or more, this tensor has shape {self.shape}",
            hint=hint,
        )


def hsplit(self: Tensor, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along columns (the only axis of a rank-1 tensor). Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).hsplit(2)]
    [[[0], [2]], [[1], [3]]]
    """
    _needs_rank(self, 1, "hsplit")
    return _split_along(self, sections, 0 if self.ndim == 1 else 1, "hsplit")


def vsplit(self: Tensor, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along rows. Views.

    >>> import strided
    >>> [p.tolist() for p in strided.arange(4).reshape(2, 2).vsplit(2)]
    [[[0, 1]], [[2, 3]]]
    """
    _needs_rank(self, 2, "vsplit")
    return _split_along(self, sections, 0, "vsplit")


def dsplit(self: Tensor, sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Split along the third axis. Views.

    >>> import strided
    >>> [p.shape for p in strided.zeros(2, 2, 4).dsplit(2)]
    [(2, 2, 2), (2, 2, 2)]
    """
    _needs_rank(self, 3, "dsplit")
    return _split_along(self, sections, 2, "dsplit")


def sliding_window_view(
    self: Tensor,
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
    sizes = (window_shape,) if isinstance(window_shape, int) else tuple(window_shape)
    dim = dim if axis is None else axis
    if dim is None:
        dims: tuple[int, ...] = tuple(range(self.ndim))
    else:
        dims = (dim,) if isinstance(dim, int) else tuple(dim)
    if len(sizes) != len(dims):
        raise ShapeMismatch(
            operation="sliding_window_view",
            expected=dims,
            got=sizes,
            hint="give one window length per axis",
        )
    out = self
    for place, size in zip(dims, sizes, strict=True):
        out = out.unfold(_axis(place, self.ndim), size, 1)
    return out


# ---- turning and mirroring ----


def flipud(self: Tensor) -> Tensor:
    """Reverse the rows. A view with a negative stride.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).flipud().stride()
    (-2, 1)
    """
    _needs_rank(self, 1, "flipud", "use .flip() for every axis there is")
    return self.flip(0)


def fliplr(self: Tensor) -> Tensor:
    """Reverse the columns. A view with a negative stride.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).fliplr().stride()
    (2, -1)
    """
    _needs_rank(self, 2, "fliplr", "use .flip(dims) to say which axes")
    return self.flip(1)


def rot90(self: Tensor, k: int = 1, dims: Sequence[int] = (0, 1)) -> Tensor:
    """Turn by 90 degrees k times, from the first axis towards the second. A view.

    >>> import strided
    >>> strided.arange(4).reshape(2, 2).rot90().tolist()
    [[1, 3], [0, 2]]
    """
    if len(dims) != 2 or _axis(dims[0], self.ndim) == _axis(dims[1], self.ndim):
        raise InvalidArgument(
            argument="dims", got=str(tuple(dims)), requirement="must be two axes that differ"
        )
    first, second = (_axis(d, self.ndim) for d in dims)
    turns = k % 4
    if turns == 0:
        return self.view()
    if turns == 2:
        return self.flip((first, second))
    if turns == 1:
        return self.flip(second).transpose(first, second)
    return self.transpose(first, second).flip(second)


# ---- shapes ----


def ravel(self: Tensor) -> Tensor:
    """Return all elements in one axis. A view where one exists, else one logged copy.

    >>> import strided
    >>> strided.arange(6).reshape(2, 3).ravel().shape
    (6,)
    """
    return self.reshape(-1)


def unflatten(self: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Return one axis split into several; one size may be -1. A view, always.

    >>> import strided
    >>> strided.zeros(2, 12).unflatten(1, (3, -1)).shape
    (2, 3, 4)
    """
    axis = _axis(dim, self.ndim)
    parts, known = list(sizes), 1
    for part in parts:
        known *= part if part != -1 else 1
    if parts.count(-1) == 1 and known:
        parts[parts.index(-1)] = self.shape[axis] // known
    product = 1
    for part in parts:
        product *= part
    if product != self.shape[axis]:
        raise ShapeMismatch(
            operation="unflatten",
            expected=(self.shape[axis],),
            got=tuple(sizes),
            hint=f"the sizes must multiply to {self.shape[axis]}",
        )
    return self.view(*self.shape[:axis], *parts, *self.shape[axis + 1 :])


def view_as(self: Tensor, other: Tensor) -> Tensor:
    """Return this tensor in the shape of another. A view or an error.

    >>> import strided
    >>> strided.arange(6).view_as(strided.zeros(2, 3)).shape
    (2, 3)
    """
    return self.view(other.shape)


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """Return this tensor in the shape of another. A view where one exists, else one logged copy.

    >>> import strided
    >>> strided.arange(6).reshape_as(strided.zeros(2, 3)).shape
    (2, 3)
    """
    return self.reshape(other.shape)


def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """Return this tensor repeated to the shape of another, by stride 0. A view.

    >>> import strided
    >>> strided.arange(3).expand_as(strided.zeros(2, 3)).stride()
    (0, 1)
    """
    return self.expand(other.shape)


# ---- complex parts ----


def _real(self: Tensor) -> Tensor:
    """The real parts. A view; the tensor itself when it is real.

    >>> import strided
    >>> strided.tensor([1 + 2j, 3 + 4j]).real.tolist()
    [1.0, 3.0]
    """
    return self.view_as_real().select(-1, 0) if self.dtype.is_complex else self


def _imag(self: Tensor) -> Tensor:
    """The imaginary parts of a complex tensor, a view; of others, one zero repeated, also a view.

    >>> import strided
    >>> strided.tensor([1 + 2j, 3 + 4j]).imag.tolist()
    [2.0, 4.0]
    """
    # Never an error: whoever asks whether an array has the attribute must get an answer.
    if not self.dtype.is_complex:
        return _native.zeros((), dtype=self.dtype).expand(self.shape)
    return self.view_as_real().select(-1, 1)


def view_as_complex(self: Tensor) -> Tensor:
    """Return pairs along the last axis as complex numbers. A view.

    >>> import strided
    >>> strided.tensor([[1.0, 2.0]]).view_as_complex().tolist()
    [(1+2j)]
    """
    pairs = {_native.float32: _native.complex64, _native.float64: _native.complex128}
    if self.dtype not in pairs or self.ndim == 0 or self.shape[-1] != 2:
        raise UnsupportedOperation(
            operation="view_as_complex",
            reason=f"needs float32 or float64 with a last axis of 2, got {self.dtype} {self.shape}",
            hint="stack real and imaginary parts along a new last axis first",
        )
    return self.view(pairs[self.dtype]).select(-1, 0)


def _conjugate_transpose(self: Tensor) -> Tensor:
    """The conjugate transpose of a matrix. A view for real dtypes, a new tensor for complex ones.

    >>> import strided
    >>> strided.tensor([[1 + 2j]]).H.tolist()
    [[(1-2j)]]
    """
    return self.T.conj() if self.dtype.is_complex else self.T


METHODS: dict[str, Any] = {
    "slice": slice,
    "slice_dim": slice_dim,
    "chunk": chunk,
    "tensor_split": tensor_split,
    "hsplit": hsplit,
    "vsplit": vsplit,
    "dsplit": dsplit,
    "sliding_window_view": sliding_window_view,
    "flipud": flipud,
    "fliplr": fliplr,
    "rot90": rot90,
    "ravel": ravel,
    "unflatten": unflatten,
    "view_as": view_as,
    "reshape_as": reshape_as,
    "expand_as": expand_as,
    "view_as_complex": view_as_complex,
    "real": property(_real),
    "imag": property(_imag),
    "H": property(_conjugate_transpose),
}
