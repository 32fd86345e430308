"""Elements chosen by conditions and positions, and written where these say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.numpy_names.calls import common_dtype, tensors, with_dtype
from strided.ops.arguments import as_index, as_operand, into
from strided.ops.elementwise import where
from strided.ops.joining import stack
from strided.ops.manipulation import broadcast_shapes


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Tensor:
    """Return, element by element, the first choice whose condition holds. A new tensor.

    ``select(x, dim, index)`` is PyTorch's: one place of an axis. A view.

    >>> import strided
    >>> x = strided.arange(4)
    >>> strided.select([x < 1, x > 2], [-x, 10 * x], default=5).tolist()
    [0, 5, 5, 30]
    >>> strided.select(x, 0, 3).item()
    3
    """
    if isinstance(condlist, Tensor):
        part: Tensor = condlist.select(choicelist, default)
        return part
    if len(condlist) != len(choicelist) or not len(condlist):
        raise InvalidArgument(
            argument="condlist",
            got=f"{len(condlist)} conditions, {len(choicelist)} choices",
            requirement="must have a condition for each choice",
        )
    choices = tensors(choicelist)
    dtype = common_dtype(*choices)
    if isinstance(default, Tensor):
        dtype = common_dtype(*choices, default)
    elif isinstance(default, (float, complex)) and dtype.kind not in "fc":
        dtype = _native.promote_types(dtype, as_operand(default).dtype)
    found: Any = as_operand(default)._convert(dtype, reason="promote")
    for condition, choice in reversed([*zip(tensors(condlist), choices, strict=True)]):
        found = where(condition, with_dtype(choice, dtype), found)
    shape = broadcast_shapes(*(part.shape for part in (*choices, found)))
    whole: Tensor = found if found.shape == shape else found.expand(shape)
    return whole


def choose(
    a: Any, choices: Sequence[Any] | Tensor, out: Tensor | None = None, mode: str = "raise"
) -> Tensor:
    """Return, element by element, the choice whose number is given. A new tensor.

    >>> import strided
    >>> strided.choose([1, 0], [[10, 20], [30, 40]]).tolist()
    [30, 20]
    """
    index = as_index(a)
    listed = tensors(choices)
    count = len(listed)
    if mode == "wrap":
        index = index % count
    elif mode == "clip":
        index = index.clip(0, count - 1)
    elif bool(((index < 0) | (index >= count)).any()):
        raise InvalidArgument(
            argument="a", got=str(index.tolist()), requirement=f"must lie in 0 to {count - 1}"
        )
    shape = broadcast_shapes(index.shape, *(one.shape for one in listed))
    dtype = common_dtype(*listed)
    parts = [with_dtype(one, dtype).expand(shape) for one in listed]
    index = index._convert(_native.int64, reason="promote").expand(shape).unsqueeze(0)
    return into(out, stack(parts, axis=0).take_along_dim(index, 0).squeeze(0), "choose")


def piecewise(x: Any, condlist: Any, funclist: Sequence[Any], *args: Any, **options: Any) -> Tensor:
    """Return functions of the elements, each where its condition holds. A new tensor.

    One function more than conditions is for the elements that are left.

    >>> import strided
    >>> x = strided.tensor([-2.0, 3.0])
    >>> strided.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: 10 * v]).tolist()
    [2.0, 30.0]
    """
    values = as_operand(x)
    is_one = not isinstance(condlist, (list, tuple)) or not hasattr(condlist[0], "__len__")
    is_one = is_one and not (
        isinstance(condlist, (list, tuple)) and isinstance(condlist[0], Tensor) and not values.ndim
    )
    conditions = [as_operand(condlist)] if is_one and values.ndim else tensors(condlist)
    conditions = [one.to(_native.bool) for one in conditions]
    if len(funclist) == len(conditions) + 1:
        rest = conditions[0]
        for one in conditions[1:]:
            rest = rest | one
        conditions.append(rest.logical_not())
    if len(funclist) != len(conditions):
        raise InvalidArgument(
            argument="funclist",
            got=f"{len(funclist)} functions",
            requirement=f"must be {len(conditions)}, or one more for the rest",
        )
    made = _native.zeros(values.shape, dtype=values.dtype)
    for condition, function in zip(conditions, funclist, strict=True):
        mask = condition.expand(values.shape)
        if callable(function):
            chosen = values[mask]
            if chosen.size:
                made[mask] = function(chosen, *args, **options)
        else:
            made[mask] = function
    return made


def extract(condition: Any, arr: Any) -> Tensor:
    """Return the elements where a condition holds, as a vector. A new tensor.

    >>> import strided
    >>> x = strided.arange(5)
    >>> strided.extract(x % 2 == 0, x).tolist()
    [0, 2, 4]
    """
    mask = as_operand(condition).reshape(-1).to(_native.bool)
    return compress(mask, as_operand(arr).reshape(-1), axis=0)


def compress(condition: Any, a: Any, axis: int | None = None, out: Tensor | None = None) -> Tensor:
    """Return the places of an axis where a condition holds. A new tensor.

    >>> import strided
    >>> strided.compress([False, True], strided.arange(4).reshape(2, 2), axis=0).tolist()
    [[2, 3]]
    """
    x = as_operand(a)
    if axis is None:
        x, axis = x.reshape(-1), 0
    mask = as_operand(condition).to(_native.bool)
    return into(out, x.index_select(axis, mask.argwhere().select(1, 0)), "compress")


# ---- in place ----


def place(arr: Tensor, mask: Any, vals: Any) -> None:
    """Write values one after the other where a mask holds, in place; they repeat.

    >>> import strided
    >>> x = strided.arange(4)
    >>> strided.place(x, x > 1, [7, 8])
    >>> x.tolist()
    [0, 1, 7, 8]
    """
    held = as_operand(mask).to(_native.bool)
    values = as_operand(vals).reshape(-1)
    count = int(held.count_nonzero())
    if not count:
        return
    if not values.size:
        raise InvalidArgument(argument="vals", got="empty", requirement="must have a value")
    places = _native._fill_range(_native.empty(count, dtype=_native.int64), 0, 1) % values.size
    arr[held.reshape(arr.shape)] = values.index_select(0, places)


def putmask(a: Tensor, mask: Any, values: Any) -> None:
    """Write the value of the same place where a mask holds, in place; too few repeat.

    >>> import strided
    >>> x = strided.arange(4)
    >>> strided.putmask(x, x > 1, x * 10)
    >>> x.tolist()
    [0, 1, 20, 30]
    """
    held = as_operand(mask).to(_native.bool)
    given = as_operand(values)
    if not given.size:
        return
    if given.shape != a.shape:
        flat = given.reshape(-1)
        places = _native._fill_range(_native.empty(a.size, dtype=_native.int64), 0, 1) % flat.size
        given = flat.index_select(0, places).view(a.shape)
    a[held.reshape(a.shape)] = given[held.reshape(a.shape)]


def put(a: Tensor, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values at positions of the flattened tensor, in place; too few repeat.

    >>> import strided
    >>> x = strided.arange(4)
    >>> strided.put(x, [0, 2], [7, 8])
    >>> x.tolist()
    [7, 1, 8, 3]
    """
    index = as_index(ind).reshape(-1)
    values = as_operand(v).reshape(-1)
    if not index.size:
        return
    if mode == "wrap":
        index = index % a.size
    elif mode == "clip":
        index = index.clip(0, a.size - 1)
    if values.size != index.size:
        order = _native._fill_range(_native.empty(index.size, dtype=_native.int64), 0, 1)
        values = values.index_select(0, order % values.size)
    a.put_(index, values._convert(a.dtype, reason="promote"))


def copyto(dst: Tensor, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Write a tensor over another, broadcast to its shape, in place; ``where`` says which elements.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> strided.copyto(x, [1.0, 2.0])
    >>> x.tolist()
    [1.0, 2.0]
    """
    values = as_operand(src)
    if where is True:
        dst.copy_(values.expand(dst.shape))
        return
    mask = as_operand(where).to(_native.bool).expand(dst.shape)
    dst[mask] = values.expand(dst.shape)[mask]._convert(dst.dtype, reason="promote")


def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: Any, *args: Any, **options: Any
) -> Tensor:
    """Return what a function gives for every line along an axis. A new tensor.

    >>> import strided
    >>> strided.apply_along_axis(lambda row: row.sum(), 1, strided.ones(2, 3)).tolist()
    [3.0, 3.0]
    """
    x = as_operand(arr)
    axis = _native.normal_axis(axis, x.ndim)
    moved = x.movedim(axis, -1)
    lines = moved.reshape(-1, moved.shape[-1]).unbind(0)
    if not lines:
        raise InvalidArgument(argument="arr", got="no lines", requirement="must have elements")
    made = stack([as_operand(func1d(line, *args, **options)) for line in lines], axis=0)
    outer = moved.shape[:-1]
    result = made.reshape(*outer, *made.shape[1:])
    inner = range(len(outer), result.ndim)
    return result.movedim(tuple(inner), tuple(range(axis, axis + len(inner)))) if inner else result


def apply_over_axes(func: Callable[..., Any], a: Any, axes: Any) -> Tensor:
    """Return what a reduction gives along several axes in turn; they stay. A new tensor.

    >>> import strided
    >>> strided.apply_over_axes(strided.sum, strided.ones(2, 3), [0, 1]).tolist()
    [[6.0]]
    """
    x = as_operand(a)
    for axis in (axes,) if hasattr(axes, "__index__") else tuple(axes):
        axis = _native.normal_axis(int(axis), x.ndim)
        found = func(x, axis)
        x = found if found.ndim == x.ndim else found.unsqueeze(axis)
    return x


class vectorize:
    """A function of numbers as one of tensors: it is called for each element, with broadcasting.

    Results are new tensors. A loop of Python runs: operations on whole tensors are much faster.

    >>> import strided
    >>> strided.vectorize(lambda a, b: a if a > b else b)(strided.arange(3), 1).tolist()
    [1, 1, 2]
    """

    def __init__(
        self,
        pyfunc: Callable[..., Any],
        otypes: Any = None,
        doc: str | None = None,
        excluded: Any = None,
        cache: bool = False,
        signature: str | None = None,
    ) -> None:
        import numpy as np

        self.pyfunc = pyfunc
        self.__doc__ = doc or pyfunc.__doc__
        self._numpys = np.vectorize(pyfunc, otypes, doc, excluded, cache, signature)

    def __call__(self, *args: Any, **options: Any) -> Any:
        from strided.interop.numpy_ufuncs import by_numpy

        return by_numpy(self._numpys, args, options)
