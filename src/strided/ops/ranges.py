"""Ranges of numbers, and the grids that they span."""

from __future__ import annotations

import math
from typing import Any

from strided import _native
from strided._native import Tensor, empty
from strided.errors import InvalidArgument
from strided.ops.data_types import iinfo
from strided.ops.define import operation
from strided.ops.operands import as_operand


def default_dtype(*numbers: Any) -> Any:
    """Return the dtype of a tensor of numbers: the widest kind among them decides."""
    if any(isinstance(n, complex) for n in numbers):
        return _native.complex64
    if any(isinstance(n, float) for n in numbers):
        return _native.float32
    return _native.int64


@operation(method=None, operands=0)
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return start, start + step, ... up to but without stop, as a new tensor.

    >>> import strided
    >>> strided.arange(3).tolist(), strided.arange(1, 2, 0.5).tolist()
    ([0, 1, 2], [1.0, 1.5])
    """
    if requires_grad:
        return arange(start, stop, step, dtype=dtype, device=device).requires_grad_()
    if stop is None:
        start, stop = 0, start
    start, stop, step = (n.item() if hasattr(n, "item") else n for n in (start, stop, step))
    if step == 0:
        raise InvalidArgument(argument="step", got="0", requirement="must not be zero")
    if not all(isinstance(n, int) for n in (start, stop, step)):
        if not all(map(math.isfinite, (start, stop, step))):
            raise InvalidArgument(
                argument="range", got=f"{start} to {stop}", requirement="must be finite"
            )
        dtype = default_dtype(start, stop, step) if dtype is None else dtype
        made = empty(max(0, math.ceil((stop - start) / step)), dtype=dtype, device=device)
        return _native._fill_range(made, float(start), float(step))
    count = int(max(0, -((start - stop) // step)))
    last = start + (count - 1) * step if count else start
    if dtype is None:
        dtype = _native.int64 if max(start, last) < 2**63 else _native.uint64
    made = empty(count, dtype=dtype, device=device)
    if made.dtype.kind not in "iu":
        return _native._fill_range(made, float(start), float(step))
    limits = iinfo(made.dtype)
    if count and not (limits.min <= min(start, last) and max(start, last) <= limits.max):
        raise InvalidArgument(
            argument="range",
            got=f"{start} to {last}",
            requirement=f"must lie inside {made.dtype.name}: pass a wider dtype",
        )
    return _native._fill_range(made, start, step) if count else made


@operation(method=None, operands=0)
def linspace(
    start: Any,
    stop: Any,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Any = None,
    endpoint: bool = True,
    requires_grad: bool = False,
) -> Tensor:
    """Return ``num`` values from start to stop, evenly spaced, as a new tensor.

    >>> import strided
    >>> strided.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if requires_grad:
        made = linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
        return made.requires_grad_()
    start, stop = (n.item() if hasattr(n, "item") else n for n in (start, stop))
    if num < 0:
        raise InvalidArgument(argument="num", got=str(num), requirement="must not be negative")
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    if dtype is None:
        dtype = _native.complex64 if is_complex else _native.float32
    if is_complex:
        made = empty(num, dtype=dtype, device=device)
        made.real.copy_(
            linspace(start.real, stop.real, num, endpoint=endpoint, dtype=_native.float64)
        )
        made.imag.copy_(
            linspace(start.imag, stop.imag, num, endpoint=endpoint, dtype=_native.float64)
        )
        return made
    gaps = num - 1 if endpoint else num
    step = (stop - start) / gaps if gaps > 0 else 0.0
    made = _native._fill_range(empty(num, dtype=dtype, device=device), float(start), float(step))
    if endpoint and num > 1:
        made[-1] = stop  # rounding must not move the end
    return made


@operation(kind="view", method=None)
def meshgrid(*arrays: Any, indexing: str = "xy") -> tuple[Tensor, ...]:
    """Return coordinate grids. Views with stride 0: a grid costs no memory.

    >>> import strided
    >>> x, y = strided.meshgrid(strided.arange(3), strided.arange(2))
    >>> x.tolist(), x.stride()
    ([[0, 1, 2], [0, 1, 2]], (0, 1))
    """
    if indexing not in ("xy", "ij"):
        raise InvalidArgument(
            argument="indexing", got=repr(indexing), requirement="must be 'xy' or 'ij'"
        )
    axes = [as_operand(a) for a in arrays]
    shape = tuple(a.size for a in axes)
    grids = []
    for i, a in enumerate(axes):
        lengths = [1] * len(axes)
        lengths[i] = a.size
        grids.append(a.reshape(lengths).expand(shape))
    if indexing == "xy" and len(axes) > 1:
        grids = [g.transpose(0, 1) for g in grids]
    return tuple(grids)
