"""Indexing by masks and integer arrays, by NumPy's rules. The native type asks here when a key
holds more than ints, slices, None and Ellipsis.

Basic parts of the key are applied first, as a view; what is left is a list of positions for some
axes. Those axes go to the front, one native gather or scatter does the work, and the result's axes
go where NumPy puts them: in the place of the index when the index axes stand together, else in
front.
"""

from __future__ import annotations

from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import (
    IndexOutOfBounds,
    IndexShapeMismatch,
    InvalidDimension,
    MaskMismatch,
    ShapeMismatch,
)
from strided.ops.arguments import Form, as_index, as_operand, in_wide
from strided.ops.define import operation
from strided.ops.gradients import AddInto, Backward, Call, Gradients
from strided.ops.indexing_reading import Written, add_at, masked
from strided.ops.searching import argwhere

_bool = _native.bool
_WHERE = _native.op_table()["where"][0]


def _as_positions(item: Any) -> list[Tensor]:
    """Return the positions an index array stands for: itself, or one tensor per axis of a mask."""
    index = as_index(item) if isinstance(item, str) else as_operand(item)
    if index.dtype is _bool:
        return list(argwhere(index).unbind(1))
    return [as_index(item)]


def _mask_rank(item: Any) -> int | None:
    """Return the rank of a mask, None for anything else."""
    if isinstance(item, bool):
        return 0
    dtype = getattr(item, "dtype", None)
    if dtype is not None:
        is_bool = dtype is _bool or getattr(dtype, "name", "") == "bool"
        return len(item.shape) if is_bool else None
    if isinstance(item, (list, tuple)):
        inner = as_operand(item)
        return inner.ndim if inner.dtype is _bool and inner.size else None
    return None


class _Plan:
    """A key taken apart: a view of the tensor, and positions for some of the view's axes."""

    def __init__(self, x: Tensor, key: Any) -> None:
        items = list(key) if isinstance(key, tuple) else [key]
        items = self._without_ellipsis(x, items)
        view_key: list[Any] = []
        self.positions: dict[int, Tensor] = {}
        for item in items:
            axis = len(view_key)
            if item is None:
                view_key.append(None)
            elif isinstance(item, slice):
                view_key.append(item)
            elif _mask_rank(item) == 0:
                # A single True or False is a new axis of length 1 or 0 picked by position.
                view_key.append(None)
                count = 1 if bool(item) else 0
                self.positions[axis] = _native.zeros(count, dtype=_native.int64)
            elif (rank := _mask_rank(item)) is not None:
                self._check_mask(x, view_key, item, rank)
                for k, found in enumerate(_as_positions(item)):
                    self.positions[axis + k] = found
                    view_key.append(slice(None))
            else:
                self.positions[axis] = _as_positions(item)[0]
                view_key.append(slice(None))
                if self.positions[axis].ndim == 0:
                    self._check_number(x, view_key, item)
        self.view = x[tuple(view_key)]
        # The tensor's axis behind each index array, for errors.
        self.source_axes = [
            sum(item is not None for item in view_key[:axis]) for axis in sorted(self.positions)
        ]
        self._broadcast()

    @staticmethod
    def _without_ellipsis(x: Tensor, items: list[Any]) -> list[Any]:
        used = 0
        for item in items:
            if item is None or item is Ellipsis:
                continue
            rank = _mask_rank(item)
            used += 1 if rank is None else rank
        if used > x.ndim:
            raise InvalidDimension(dim=used - 1, rank=x.ndim)
        dots = [i for i, item in enumerate(items) if item is Ellipsis]
        if len(dots) > 1:
            raise IndexError("an index can have only one Ellipsis ('...')")
        if not dots:
            return items
        fill = [slice(None)] * (x.ndim - used)
        return items[: dots[0]] + fill + items[dots[0] + 1 :]

    @staticmethod
    def _check_mask(x: Tensor, view_key: list[Any], mask: Any, rank: int) -> None:
        first = sum(item is not None for item in view_key)
        expected = x.shape[first : first + rank]
        got = tuple(as_operand(mask).shape)
        # An axis of length 0 fits any: such a mask selects nothing.
        if any(given not in (0, wanted) for given, wanted in zip(got, expected, strict=True)):
            raise MaskMismatch(
                operation="indexing by a mask",
                expected=expected,
                got=got,
                hint="a mask has the shape of the axes it selects from",
            )

    @staticmethod
    def _check_number(x: Tensor, view_key: list[Any], number: Any) -> None:
        """Refuse a number out of bounds here: beside an empty array no kernel reads it."""
        axis = sum(item is not None for item in view_key) - 1
        length = x.shape[axis]
        if not -length <= int(number) < length:
            raise IndexOutOfBounds(index=int(number), length=length, axis=axis)

    def _broadcast(self) -> None:
        axes = sorted(self.positions)
        shape: tuple[int, ...] = ()
        for axis in axes:
            try:
                shape = _native.broadcast_shape(shape, self.positions[axis].shape)
            except ShapeMismatch:
                raise IndexShapeMismatch(
                    operation="indexing",
                    expected=shape,
                    got=self.positions[axis].shape,
                    hint="they could not be broadcast together; "
                    "for all pairs write x[rows.unsqueeze(1), columns]",
                ) from None
        self.indices = [self.positions[axis].expand(shape) for axis in axes]
        self.index_shape = shape
        rest = [axis for axis in range(self.view.ndim) if axis not in self.positions]
        # Index axes in front: what gather and scatter take.
        self.front = self.view.permute(*axes, *rest)
        together = axes[-1] - axes[0] == len(axes) - 1
        self.at = sum(axis < axes[0] for axis in rest) if together else 0
        self.rest_shape = tuple(self.view.shape[axis] for axis in rest)
        self.result_shape = self.rest_shape[: self.at] + shape + self.rest_shape[self.at :]

    def located(self, error: IndexOutOfBounds) -> IndexOutOfBounds:
        """Return the error of a kernel, which counts index arrays, with the axis of the tensor."""
        axis = self.source_axes[error.axis]
        return IndexOutOfBounds(index=error.index, length=error.length, axis=axis)

    def index_axes_first(self, result: Tensor) -> Tensor:
        """Return a view of a result-shaped tensor with the index axes in front."""
        n = len(self.index_shape)
        index_axes = range(self.at, self.at + n)
        others = [axis for axis in range(result.ndim) if axis not in index_axes]
        return result.permute(*index_axes, *others)


_WHOLE = slice(None)


def _only_array(x: Tensor, key: Any) -> tuple[Tensor, int] | None:
    """Return the array and its axis for a key that holds one array and nothing else but ``:``."""
    if isinstance(key, Tensor):
        return key, 0
    if isinstance(key, list) or hasattr(key, "__array_interface__"):
        return as_operand(key), 0
    if not isinstance(key, tuple):
        return None
    found: tuple[Tensor, int] | None = None
    dots = False
    for place, item in enumerate(key):
        if item is Ellipsis and not dots:
            dots = True
        elif isinstance(item, Tensor) and item.dtype is not _bool and found is None:
            # Axes behind the dots are counted from the end.
            found = item, place - len(key) if dots else place
        elif not isinstance(item, slice) or item != _WHOLE:
            return None
    return found if len(key) - dots <= x.ndim else None


def is_basic(key: Any) -> bool:
    """Return whether a key holds only numbers, slices, None and ``...``, so that x[key] is a view.

    >>> is_basic((0, slice(None), None)), is_basic([0, 1]), is_basic(True)
    (True, False, False)
    """
    items = key if isinstance(key, tuple) else (key,)
    return all(
        item is None
        or item is Ellipsis
        or isinstance(item, slice)
        or (hasattr(item, "__index__") and not isinstance(item, bool) and not _has_axes(item))
        for item in items
    )


def _has_axes(item: Any) -> bool:
    return bool(getattr(item, "shape", ())) or _mask_rank(item) is not None


def picked_shape(x: Tensor, key: Any) -> tuple[tuple[int, ...], bool]:
    """Return the shape of x[key] for a key with arrays, and True; of masks the largest, and False.

    Elements of masks are not counted: that would be work.
    """
    items = key if isinstance(key, tuple) else (key,)
    if any(_mask_rank(item) for item in items):
        return (x.size,), False
    return _Plan(x, key).result_shape, True


# ---- reading ----


class _Kept:
    """A key of ``x[key]`` whose tensors are kept as a rule keeps tensors."""

    def __init__(self, call: Call, key: Any) -> None:
        self._alone = not isinstance(key, tuple)
        self._items = [key] if self._alone else list(key)
        tensors = (item if isinstance(item, Tensor) else None for item in self._items)
        self._saved = call.save(*tensors)

    def __call__(self) -> Any:
        kept = zip(self._saved(), self._items, strict=True)
        items = [item if tensor is None else tensor for tensor, item in kept]
        return items[0] if self._alone else tuple(items)


def _get_gradient(call: Call, x: Tensor, key: Any) -> Backward:
    kept = _Kept(call, key)
    shape = x.shape
    is_mask = isinstance(key, Tensor) and key.dtype is _bool and key.shape == shape
    others = [None] * (len(call.tensors) - 1)

    def backward(g: Tensor) -> Gradients:
        key = kept()
        if is_mask:
            return [masked(g, key, shape), *others]
        return [AddInto(lambda buffer: add_at(buffer, key, g)), *others]

    return backward


@operation(gradient=_get_gradient, function=None, method=None)
def get_advanced(x: Tensor, key: Any, /) -> Tensor:
    """Return x[key] for a key with masks or integer arrays: a new tensor, logged as a gather."""
    only = _only_array(x, key) if x.ndim else None
    if only is not None:
        index, axis = only
        if index.dtype.kind in "iu":
            return _native.take(x, index, axis)
        if index.dtype is _bool and index.shape == x.shape:
            return _native.masked_select(x, index)
    plan = _Plan(x, key)
    result = _native.empty(plan.result_shape, dtype=x.dtype)
    try:
        _native.gather_into(plan.index_axes_first(result), plan.front, plan.indices)
    except IndexOutOfBounds as error:
        raise plan.located(error) from None
    return result


# ---- writing ----


def number_for(x: Tensor, value: Any) -> Tensor:
    """Return one value as a tensor of rank 0 in the dtype of what it is written to."""
    if isinstance(value, Tensor):
        return value.reshape(())._convert(x.dtype, reason="promote")
    return _native.empty((), dtype=x.dtype).fill_(value)


def value_for(x: Tensor, value: Any) -> Tensor:
    """Return what is written to a tensor, in its dtype; numbers are rounded to it only once."""
    if type(value) in (int, float, bool) or (type(value) is complex and x.dtype.kind == "c"):
        return _native.empty((), dtype=x.dtype).fill_(value)
    source = as_operand(value)
    return in_dtype(source, x.dtype)


def in_dtype(source: Tensor, dtype: DType) -> Tensor:
    """Return a value in the dtype of what it is written to: itself, or a copy (``promote``).

    Complex numbers are refused where their imaginary parts would be lost.
    """
    if source.dtype is dtype:
        return source
    made = _native.empty(source.shape, dtype=dtype)
    _native.copy_into(made, source, "promote")
    return made


def _fitted(source: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return a value seen in a shape; axes of length 1 that it has too many are dropped."""
    while source.ndim > len(shape) and source.shape[0] == 1:
        source = source[0]
    return source.expand(shape)


def _set_by_array(x: Tensor, index: Tensor, axis: int, source: Tensor) -> bool:
    """Write by a mask of the tensor's shape, or by positions along the first axis; else False."""
    if index.dtype is _bool and index.shape == x.shape:
        if source.ndim == 0:
            _native.apply_into(_WHERE, x, index, source, x)
            return True
        if source.ndim == 1 and source.shape[0] != 1:
            _native.masked_put(x, index, source, False)
            return True
    elif axis == 0 and index.dtype.kind in "iu":
        source = _fitted(source, (*index.shape, *x.shape[1:]))
        _native.scatter_into(x, source, [index], False)
        return True
    return False


def _set_gradient(call: Call, x: Tensor, key: Any, value: Any, accumulate: bool) -> Backward:
    """Gradients of ``x[key] = value``: what was overwritten has none."""
    kept = _Kept(call, key)
    wanted = Written(call, value)
    shape = value.shape if isinstance(value, Tensor) else ()

    def backward(g: Tensor) -> Gradients:
        key = kept()
        of_x = None
        if wanted.x:
            of_x = g if accumulate else _without(g, key)
        return wanted.gradients(of_x, _as_written(g[key], shape) if wanted.source else None)

    return backward


def _without(g: Tensor, key: Any) -> Tensor:
    made = g.clone()
    made[key] = 0
    return made


def _as_written(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Return the gradient of a value that had axes of length 1 in front, which writing drops."""
    extra = len(shape) - g.ndim
    return g.reshape((1,) * extra + g.shape) if extra > 0 else g


@operation(gradient=_set_gradient, function=None, method=None, kind="in place", operands=3)
def set_advanced(x: Tensor, key: Any, value: Any, /, accumulate: bool = False) -> None:
    """Do x[key] = value for a key with masks or integer arrays; of doubled places the last wins."""
    _set(x, key, value, accumulate)


def _set(x: Tensor, key: Any, value: Any, accumulate: bool) -> None:
    only = _only_array(x, key) if x.ndim and not accumulate else None
    source = value_for(x, value)
    if only is not None and _set_by_array(x, *only, source):
        return
    plan = _Plan(x, key)
    source = _fitted(source, plan.result_shape)
    try:
        front, rows = plan.front, plan.index_axes_first(source)
        if accumulate:
            in_wide(front, rows, lambda x, r: _native.scatter_into(x, r, plan.indices, True))
        else:
            _native.scatter_into(front, rows, plan.indices, False)
    except IndexOutOfBounds as error:
        raise plan.located(error) from None


def _as_key(indices: Any) -> Any:
    """Return a list of tensors as a tuple: one for each axis, as in PyTorch."""
    if isinstance(indices, list) and any(isinstance(one, Tensor) for one in indices):
        return tuple(indices)
    return indices


@operation(
    gradient=_set_gradient,
    function=None,
    kind="in place",
    on_a_copy=True,
    operands=3,
    forms={"indices": Form(_as_key)},
)
def index_put_(x: Tensor, /, indices: Any, values: Any, accumulate: bool = False) -> Tensor:
    """Do ``self[indices] = values``, or add to what is there, in place.

    Where one place is named twice the last value stays, or all are added.

    >>> import strided
    >>> places = (strided.tensor([1, 1]),)
    >>> strided.zeros(3).index_put_(places, strided.ones(2), accumulate=True).tolist()
    [0.0, 2.0, 0.0]
    """
    if is_basic(indices):
        x[indices] = x[indices] + values if accumulate else values
    else:
        _set(x, indices, values, accumulate)
    return x
