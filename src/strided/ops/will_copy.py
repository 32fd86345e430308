"""Will an operation be a view or a copy? Asked by the name of the operation, before it is run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided._native import Tensor
from strided.copies import forecast as forecasts
from strided.copies.forecast import CopyForecast
from strided.errors import InvalidArgument
from strided.ops.arrays import asarray
from strided.ops.define import DEFINITIONS
from strided.ops.indexing import is_basic, picked_shape


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
