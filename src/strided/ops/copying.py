"""Copies and fills; whether two tensors share memory, whether an operation will copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.copies import forecast as forecasts
from strided.copies.forecast import CopyForecast
from strided.errors import InvalidArgument
from strided.memory import Storage
from strided.ops.arrays import asarray
from strided.ops.define import DEFINITIONS, operation
from strided.ops.gradients import AddInto, Backward, Call, Gradients, gradient_of
from strided.ops.indexing import is_basic, picked_shape


@operation(
    kind="either",
    native=("contiguous",),
    overloads=("(self, memory_format: MemoryFormat | None = None) -> Tensor",),
    function=None,
    forecast=forecasts.contiguous,
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
    function=None,
    forecast=forecasts.clone,
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


@operation(function=None)
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


def _index(x: Tensor, *key: Any) -> CopyForecast:
    item = key[0] if len(key) == 1 else key
    shown = f"[{item!r}]" if is_basic(item) else "[array]"
    if is_basic(item):
        why = "slices, numbers, None and ... are arithmetic on strides"
        return forecasts.of_views(x, shown, [x[item]], why)
    shape, exact = picked_shape(x, item)
    why = "positions are picked one by one"
    if not exact:
        why = "a mask picks elements one by one; so many bytes at most"
    return forecasts.of_a_copy(x, shown, shape, x.dtype, why)


def _trial(name: str) -> Callable[..., CopyForecast]:
    """Return the forecast of a view operation: it is tried out, which costs nothing."""

    def forecast(x: Tensor, *args: Any, **options: Any) -> CopyForecast:
        member = getattr(x, name)
        is_attribute = isinstance(member, Tensor)
        result = member if is_attribute else member(*args, **options)
        results = list(result) if isinstance(result, tuple) else [result]
        given = ", ".join([*map(repr, args), *(f"{n}={value!r}" for n, value in options.items())])
        shown = f".{name}" if is_attribute else f".{name}({given})"
        why = "a view operation, always: arithmetic on strides"
        return forecasts.of_views(x, shown, results, why)

    return forecast


def _known() -> dict[str, Callable[..., CopyForecast]]:
    """Return the forecasts by the names of methods that may give views or copies."""
    known: dict[str, Callable[..., CopyForecast]] = {
        "[]": _index,
        "getitem": _index,
        "numpy": forecasts.numpy,
        "asarray": forecasts.converted,
    }
    for definition in DEFINITIONS.values():
        for name in definition.methods:
            if definition.forecast is not None:
                known[name] = definition.forecast
            elif definition.kind == "view":
                known[name] = _trial(name)
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
    known = _known()
    if operation in known:
        return known[operation](tensor, *args, **options)
    raise InvalidArgument(
        argument="operation",
        got=repr(operation),
        requirement=f"must be one of: {', '.join(sorted(known))}",
    )
