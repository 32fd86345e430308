"""Ranges and grids: spaced values, positions of every element, ``mgrid``, ``r_``, ``ix_``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.numpy_names.calls import numpys, tensors, with_dtype
from strided.ops.arguments import as_integers, as_operand
from strided.ops.creation import arange, linspace, meshgrid
from strided.ops.joining import concat, stack

# ---- spaced values ----


def logspace(
    start: float,
    stop: float,
    num: int = 50,
    endpoint: bool = True,
    base: float = 10.0,
    dtype: Any = None,
) -> Tensor:
    """Return ``num`` powers of a base whose exponents are evenly spaced. A new tensor.

    >>> import strided
    >>> strided.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    exponents: Tensor = linspace(start, stop, num, endpoint=endpoint, dtype=_native.float64)
    return (base**exponents).to(_native.float32 if dtype is None else dtype)


def geomspace(
    start: float, stop: float, num: int = 50, endpoint: bool = True, dtype: Any = None
) -> Tensor:
    """Return ``num`` values with one ratio between neighbours. A new tensor.

    >>> import strided
    >>> strided.geomspace(1, 8, 4).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    made: Tensor = numpys("geomspace", start, stop, num, endpoint)
    if dtype is None:
        dtype = _native.complex64 if made.dtype.is_complex else _native.float32
    return with_dtype(made, dtype)


# ---- positions ----


def indices(dimensions: Sequence[int], dtype: Any = int, sparse: bool = False) -> Any:
    """Return for every axis the position of each element along it. A new tensor.

    With ``sparse`` one tensor for each axis, which broadcast against each other: views.

    >>> import strided
    >>> strided.indices((2, 2)).tolist()
    [[[0, 0], [1, 1]], [[0, 1], [0, 1]]]
    """
    shape = as_integers(dimensions)
    ranges = [arange(length).to(dtype) for length in shape]
    if sparse:
        return tuple(
            one.reshape(tuple(-1 if i == place else 1 for i in range(len(shape))))
            for place, one in enumerate(ranges)
        )
    if not shape:
        return _native.empty((0,), dtype=dtype)
    return stack(meshgrid(*ranges, indexing="ij"), axis=0)


def fromfunction(
    function: Callable[..., Any], shape: Sequence[int], *, dtype: Any = float, **options: Any
) -> Any:
    """Return what a function gives for the positions of all elements, an argument for each axis.

    A new tensor, if the function makes one.

    >>> import strided
    >>> strided.fromfunction(lambda i, j: i + j, (2, 2)).tolist()
    [[0.0, 1.0], [1.0, 2.0]]
    """
    return function(*indices(shape, dtype=dtype), **options)


def fromiter(iter: Any, dtype: Any, count: int = -1) -> Tensor:
    """Return a vector of what an iterator gives. A new tensor.

    >>> import strided
    >>> strided.fromiter((i * i for i in range(3)), int).tolist()
    [0, 1, 4]
    """
    import numpy as np

    made = np.fromiter(iter, np.dtype(dtype), count)
    return as_operand(made)


def ix_(*args: Any) -> tuple[Tensor, ...]:
    """Return index vectors shaped so that together they pick rows and columns. Views.

    >>> import strided
    >>> x = strided.arange(9).reshape(3, 3)
    >>> x[strided.ix_([0, 2], [1, 2])].tolist()
    [[1, 2], [7, 8]]
    """
    made = []
    for place, one in enumerate(args):
        index = as_operand(one)
        if index.ndim != 1:
            raise InvalidArgument(
                argument="args", got=f"rank {index.ndim}", requirement="must be vectors"
            )
        if index.dtype is _native.bool:
            index = index.argwhere().select(1, 0)
        elif not index.size:
            index = index._convert(_native.int64, reason="promote")
        made.append(index.reshape(tuple(-1 if i == place else 1 for i in range(len(args)))))
    return tuple(made)


def unravel_index(indices: Any, shape: Sequence[int], order: str = "C") -> tuple[Tensor, ...]:
    """Return the positions along each axis of elements counted in row-major order. New tensors.

    >>> import strided
    >>> [part.item() for part in strided.unravel_index(5, (2, 3))]
    [1, 2]
    """
    lengths = as_integers(shape)
    found: tuple[Tensor, ...] = numpys("unravel_index", as_operand(indices), lengths, order)
    return tuple(as_operand(part) for part in found)


def ravel_multi_index(
    multi_index: Any, dims: Sequence[int], mode: Any = "raise", order: str = "C"
) -> Tensor:
    """Return which element in row-major order each position is. A new tensor.

    >>> import strided
    >>> strided.ravel_multi_index(([0, 1], [2, 2]), (2, 3)).tolist()
    [2, 5]
    """
    parts = tuple(tensors(multi_index))
    made: Tensor = numpys("ravel_multi_index", parts, as_integers(dims), mode, order)
    return as_operand(made)


class ndindex:
    """Iterate over the positions of a shape, in row-major order.

    >>> import strided
    >>> list(strided.ndindex(1, 2))
    [(0, 0), (0, 1)]
    """

    def __init__(self, *shape: Any) -> None:
        given = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
        self.shape = as_integers(given)
        self._left = self._all()

    def _all(self) -> Iterator[tuple[int, ...]]:
        from itertools import product

        return product(*map(range, self.shape))

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return self

    def __next__(self) -> tuple[int, ...]:
        return next(self._left)


def ndenumerate(arr: Any) -> Iterator[tuple[tuple[int, ...], Tensor]]:
    """Iterate over positions and elements, in row-major order. Elements are views of rank 0.

    >>> import strided
    >>> [(place, x.item()) for place, x in strided.ndenumerate(strided.tensor([[5, 6]]))]
    [((0, 0), 5), ((0, 1), 6)]
    """
    x = as_operand(arr)
    return ((place, x[place]) for place in ndindex(*x.shape))


# ---- what is written in brackets ----


def _range_of(part: slice) -> Tensor:
    start, step = part.start or 0, 1 if part.step is None else part.step
    if isinstance(step, complex):
        spaced: Tensor = linspace(start, part.stop, int(abs(step)))
        return spaced
    return arange(start, part.stop, step)


class _Grid:
    """Grids of ranges: ``mgrid[0:2, 0:3]`` whole, ``ogrid`` as lines that broadcast."""

    def __init__(self, is_whole: bool) -> None:
        self.is_whole = is_whole

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _range_of(key)
        ranges = [_range_of(part) for part in key]
        dtype = ranges[0].dtype
        for one in ranges[1:]:
            dtype = _native.promote_types(dtype, one.dtype)
        ranges = [with_dtype(one, dtype) for one in ranges]
        if self.is_whole:
            return stack(meshgrid(*ranges, indexing="ij"), axis=0)
        return tuple(
            one.reshape(tuple(-1 if i == place else 1 for i in range(len(ranges))))
            for place, one in enumerate(ranges)
        )

    def __repr__(self) -> str:
        return f"strided.{'mgrid' if self.is_whole else 'ogrid'}"


class _Joined:
    """Ranges, numbers and tensors joined: ``r_[0:3, 5]`` along rows, ``c_`` as columns."""

    def __init__(self, axis: int, rank: int, place: int) -> None:
        self.defaults = (axis, rank, place)

    def __getitem__(self, key: Any) -> Tensor:
        items = list(key) if isinstance(key, tuple) else [key]
        axis, rank, place = self.defaults
        if items and isinstance(items[0], str):
            numbers = [int(one) for one in items.pop(0).split(",")]
            axis, rank, place = (*numbers, *(axis, rank, -1)[len(numbers) :])
        parts = []
        for item in items:
            x = _range_of(item) if isinstance(item, slice) else as_operand(item)
            missing = rank - x.ndim
            if missing > 0:
                # The axes of the part stand from `place` on; new ones of length 1 around them.
                at = place + missing + 1 if place < 0 else place
                at = min(max(at, 0), missing)
                x = x.reshape((*(1,) * at, *x.shape, *(1,) * (missing - at)))
            parts.append(x if x.ndim else x.reshape(1))
        return concat(parts, axis=axis)

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "strided.c_" if self.defaults[1] == 2 else "strided.r_"


class _Index:
    """What stands in brackets, as an index: ``s_[1:, ::2]`` is a tuple of slices."""

    def __init__(self, is_tuple: bool) -> None:
        self.is_tuple = is_tuple

    def __getitem__(self, key: Any) -> Any:
        return (key,) if self.is_tuple and not isinstance(key, tuple) else key

    def __repr__(self) -> str:
        return f"strided.{'index_exp' if self.is_tuple else 's_'}"


mgrid, ogrid = _Grid(True), _Grid(False)
r_, c_ = _Joined(0, 1, -1), _Joined(-1, 2, 0)
s_, index_exp = _Index(False), _Index(True)
euler_gamma = 0.57721566490153286061
