"""Padding: a tensor with a border of constants, of its own elements, or of what they sum up to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.numpy_names.calls import numpys
from strided.ops.arguments import as_operand

# What the border consists of: elements, whose positions NumPy's pad of a range says.
_BY_POSITION = ("edge", "reflect", "symmetric", "wrap")


def _widths(pad_width: Any, rank: int) -> list[tuple[int, int]]:
    import numpy as np

    if isinstance(pad_width, dict):
        given = [(0, 0)] * rank
        for axis, width in pad_width.items():
            before, after = (width, width) if hasattr(width, "__index__") else tuple(width)
            given[_native.normal_axis(axis, rank)] = (int(before), int(after))
        return given
    found = np.asarray(pad_width)
    if found.dtype.kind not in "iu":
        raise InvalidArgument(
            argument="pad_width", got=str(pad_width), requirement="must be integers"
        )
    if found.size and found.min() < 0:
        raise InvalidArgument(
            argument="pad_width", got=str(pad_width), requirement="must not be negative"
        )
    return [(int(b), int(a)) for b, a in np.broadcast_to(found, (rank, 2))]


def _pairs(values: Any, rank: int) -> list[tuple[Any, Any]]:
    """Return a value before and one after, for each axis."""
    import numpy as np

    listed = np.broadcast_to(np.asarray(values), (rank, 2)).tolist()
    return [(before, after) for before, after in listed]


def pad(
    array: Any, pad_width: Any, mode: str | Callable[..., Any] = "constant", **options: Any
) -> Tensor:
    """Return a tensor with a border around it. A new tensor.

    ``pad_width`` is one number, (before, after), or such a pair for each axis. Modes are those of
    NumPy: "constant" (with ``constant_values``), "edge", "reflect", "symmetric", "wrap", "empty",
    "linear_ramp", "maximum", "mean", "median", "minimum", or a function. Gradients pass those in
    which the border is constant or elements of the tensor.

    >>> import strided
    >>> strided.pad(strided.tensor([1, 2]), 1).tolist()
    [0, 1, 2, 0]
    >>> strided.pad(strided.tensor([1, 2, 3]), (0, 2), "reflect").tolist()
    [1, 2, 3, 2, 1]
    """
    import numpy as np

    x = as_operand(array)
    widths = _widths(pad_width, x.ndim)
    if mode in _BY_POSITION and options.get("reflect_type", "even") == "even":
        for axis, (before, after) in enumerate(widths):
            if before or after:
                places = np.pad(np.arange(x.shape[axis]), (before, after), mode=mode)  # type: ignore[call-overload]
                x = x.index_select(axis, as_operand(places))
        return x
    if mode not in ("constant", "empty"):
        arrays = {name: _list_of(value) for name, value in options.items()}
        made: Tensor = numpys("pad", x, widths, mode, **arrays)
        return made
    if options.keys() - {"constant_values"} or (options and mode == "empty"):
        raise InvalidArgument(
            argument="options",
            got=str(sorted(options)),
            requirement=f"are not of the mode {mode!r}",
        )
    shape = [n + before + after for n, (before, after) in zip(x.shape, widths, strict=True)]
    out = _native.empty(shape, dtype=x.dtype)
    inner = out
    values = _pairs(options.get("constant_values", 0), x.ndim)
    for axis, (before, after) in enumerate(widths):
        # Borders of later axes lie over the corners, as NumPy's do.
        for start, count, value in (
            (0, before, values[axis][0]),
            (shape[axis] - after, after, values[axis][1]),
        ):
            if count and mode == "constant":
                out.narrow(axis, start, count).fill_(value)
    for axis, (before, _) in enumerate(widths):
        inner = inner.narrow(axis, before, x.shape[axis])
    inner.copy_(x)
    return out


def _list_of(value: Any) -> Any:
    return value.tolist() if isinstance(value, Tensor) else value
