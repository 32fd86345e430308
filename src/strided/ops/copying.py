"""Copies and fills; whether two tensors share memory, whether an operation will copy."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.memory import Storage
from strided.ops.arrays import asarray
from strided.ops.define import DEFINITIONS, operation
from strided.ops.gradients import AddInto, Backward, Call, Gradients, gradient_of
from strided.ops.indexing import is_basic, picked_shape

if TYPE_CHECKING:
    from strided.copies.forecast import CopyForecast


@operation(
    kind="either",
    native=("contiguous",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    function=None,
    forecast=lambda of: of.contiguous,
    effect="pack",
)
def contiguous(x: Tensor, /, memory_format: Any = None) -> Tensor:
    """Return the tensor in row-major or the given order: itself when it is, else a logged copy.

    >>> import strided
    >>> x = strided.zeros(2, 3)
    >>> x.contiguous() is x, x.T.contiguous().stride()
    (True, (2, 1))
    """
    ...


@gradient_of("clone")
def _clone(call: Call, x: Tensor) -> Backward:
    """Every copy (contiguous, to, a reshape that copies): the same numbers, in the old shape."""
    shape = x.shape
    same = call.output.shape == shape

    def backward(g: Tensor) -> Gradients:
        return (g if same else g.reshape(shape),)

    return backward


@operation(
    native=("clone",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    forecast=lambda of: of.clone,
    effect="same",
)
def clone(x: Tensor, /, memory_format: Any = None) -> Tensor:
    """Return a copy that keeps the axis order and closes gaps, or has the given order.

    >>> import strided
    >>> x = strided.zeros(4, 3)[::2].T
    >>> x.stride(), x.clone().stride(), x.clone(strided.row_major).stride()
    ((1, 6), (1, 3), (2, 1))
    """
    ...


@operation(function=None, effect="same")
def copy(x: Tensor, /) -> Tensor:
    """Return a tensor with memory of its own, as ``clone()``: the name NumPy uses. A copy.

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.copy().shares_storage(x)
    False
    """
    return x.clone()


# Of what was overwritten: zeros.
nothing = AddInto(lambda buffer: None)


@gradient_of("copy_")
def _copy(call: Call, target: Tensor, source: Tensor) -> Backward:
    """What was in the target before does not count any more."""
    return lambda g: (nothing, g)


@operation(
    kind="in place",
    native=("copy_",),
    overloads=("(self, source: Any, /) -> Self",),
    function=None,
)
def copy_(x: Tensor, source: Any, /) -> Tensor:
    """Write the elements of a tensor or array into this one, in place. The source broadcasts.

    >>> import strided
    >>> strided.zeros(2, 2).copy_(strided.arange(2)).tolist()
    [[0.0, 1.0], [0.0, 1.0]]
    """
    ...


@gradient_of("fill_")
def _fill(call: Call, target: Tensor, value: Any) -> Backward:
    """Nothing of what was there is left."""
    return lambda g: (nothing,)


@operation(
    kind="in place",
    native=("fill_",),
    overloads=("(self, value: Any, /) -> Self",),
    function=None,
)
def fill_(x: Tensor, value: Any, /) -> Tensor:
    """Write one value everywhere, in place.

    >>> import strided
    >>> x = strided.zeros(3)
    >>> _ = x[1:].fill_(7)
    >>> x.tolist()
    [0.0, 7.0, 7.0]
    """
    ...


@operation(kind="in place", native=("zero_",), overloads=("(self) -> Self",), function=None)
def zero_(x: Tensor, /) -> Tensor:
    """Write zeros everywhere, in place.

    >>> import strided
    >>> strided.ones(2).zero_().tolist()
    [0.0, 0.0]
    """
    ...


# ---- memory that two tensors share ----


@operation(method=None)
def shares_memory(a: Tensor, b: Tensor, /) -> bool:
    """Return whether two tensors share at least one byte.

    Exact; raises OverlapTooHard where that would take too long.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.shares_memory(x[::2], x[1::2]), strided.shares_memory(x, x.flip())
    (False, True)
    """
    return _native.shares_memory(a, b)


@operation(method=None)
def may_share_memory(a: Tensor, b: Tensor, /) -> bool:
    """Return whether the address ranges of two tensors touch. Quick; false means surely disjoint.

    >>> import strided
    >>> x = strided.arange(6)
    >>> strided.may_share_memory(x[::2], x[1::2])
    True
    """
    return _native.may_share_memory(a, b)


@operation(function=None, kind="value")
def shares_storage(x: Tensor, /, other: Tensor) -> bool:
    """Return whether both are views of one storage (they may still reach different elements).

    >>> import strided
    >>> x = strided.zeros(4)
    >>> x[:2].shares_storage(x[2:])
    True
    """
    return Storage(x) == Storage(other)


# ---- view or copy? Asked before it is run ----


# The forecasts are loaded when somebody asks for one.
Forecasts: TypeAlias = dict[str, "Callable[..., CopyForecast]"]


def _forecasts() -> Forecasts:
    """Return the forecasts by the names of methods that may give views or copies."""
    from strided.copies import forecast

    def index(x: Tensor, *key: Any) -> CopyForecast:
        item = key[0] if len(key) == 1 else key
        if is_basic(item):
            why = "slices, numbers, None and ... are arithmetic on strides"
            return forecast.of_views(x, f"[{item!r}]", [x[item]], why)
        shape, exact = picked_shape(x, item)
        why = "positions are picked one by one"
        if not exact:
            why = "a mask picks elements one by one; so many bytes at most"
        return forecast.of_a_copy(x, "[array]", shape, x.dtype, why)

    known: Forecasts = {
        "[]": index,
        "getitem": index,
        "numpy": forecast.numpy,
    }
    for definition in DEFINITIONS.values():
        for name in definition.methods or definition.functions:
            if definition.forecast is not None:
                known[name] = definition.forecast(forecast)
            elif definition.kind == "view" and definition.methods:
                known[name] = functools.partial(forecast.of_a_trial, name)
    return known


def will_copy(x: Any, operation: str, /, *args: Any, **options: Any) -> CopyForecast:
    """Say beforehand whether an operation is a view or a copy, why, and what would be cheaper.

    ``operation`` is the name of a method: ``reshape``, ``view``, ``flatten``, ``ravel``,
    ``contiguous``, ``clone``, ``to``, ``astype``, ``numpy``, any view operation, ``"[]"`` for
    indexing, or ``"asarray"``. The answer is true when it would copy; asking copies and computes
    nothing.

    >>> import strided
    >>> x = strided.zeros(2, 3, 4).permute(0, 2, 1)
    >>> bool(strided.will_copy(x, "flip", 0)), bool(strided.will_copy(x, "reshape", (8, 1, 3)))
    (False, True)
    >>> print(strided.will_copy(x, "reshape", (2, -1)))
    .reshape(2, -1) of (2, 4, 3):(12, 1, 4)+0 float32 copies 96 bytes
      axes 1 and 2 do not step together: stride[1] = 1, length[2] * stride[2] = 12
      instead: .permute(0, 2, 1).view(2, 12) is a view, in another order of elements
    """
    tensor = x if isinstance(x, Tensor) else asarray(x, copy=False)
    known = _forecasts()
    if operation in known:
        return known[operation](tensor, *args, **options)
    raise InvalidArgument(
        argument="operation",
        got=repr(operation),
        requirement=f"must be one of: {', '.join(sorted(known))}",
    )
