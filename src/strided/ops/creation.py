"""Creation functions: tensors filled with one value, ranges and grids, unit matrices, triangles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument, UnsupportedOperation
from strided.memory_layout import memory_order
from strided.ops.arguments import as_operand, into
from strided.ops.data_types import iinfo
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.gradients import Backward, Call, Gradients

# ---- one value ----


_LENGTHS = (
    "(shape: int | Sequence[int] = (), *more: int, dtype: DTypeLike | None = None,"
    " device: str | None = None, memory_format: MemoryFormat | None = None,"
    " requires_grad: bool = False) -> Tensor"
)


@operation(method=None, operands=0, spread=True, native_function=True, overloads=(_LENGTHS,))
def empty(
    shape: int | Sequence[int] = (),
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor whose elements are not set; float32 unless a dtype is given.

    >>> import strided
    >>> strided.empty(2, 3, memory_format=strided.column_major).stride()
    (1, 2)
    """
    ...


@operation(method=None, operands=0, spread=True, native_function=True, overloads=(_LENGTHS,))
def zeros(
    shape: int | Sequence[int] = (),
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of zeros; float32 unless a dtype is given.

    >>> import strided
    >>> strided.zeros(2, dtype=strided.int64).tolist(), strided.zeros((2, 3)).shape
    ([0, 0], (2, 3))
    """
    ...


@operation(method=None, operands=0, also={"shape": "size"})
def full(
    shape: int | Sequence[int],
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor with one value everywhere; the value decides the dtype unless given.

    >>> import strided
    >>> strided.full((2, 2), 7).tolist()
    [[7, 7], [7, 7]]
    """
    if dtype is None:
        if hasattr(fill_value, "dtype"):  # a tensor, a NumPy scalar
            dtype = fill_value.dtype
        else:
            is_bool = isinstance(fill_value, bool)
            dtype = _native.bool if is_bool else default_dtype(fill_value)
    made = empty(shape, dtype=dtype, device=device, memory_format=memory_format).fill_(fill_value)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0, spread=True)
def ones(
    shape: int | Sequence[int] = (),
    *,
    dtype: Any = _native.float32,
    device: Any = None,
    memory_format: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of ones, of a shape given whole or length by length.

    >>> import strided
    >>> strided.ones(2, 2).tolist(), strided.ones((1, 2)).tolist()
    ([[1.0, 1.0], [1.0, 1.0]], [[1.0, 1.0]])
    """
    if isinstance(shape, tuple) and len(shape) == 2 and not hasattr(shape[1], "__index__"):
        shape, dtype = shape  # ones(shape, dtype), as NumPy has it
    dtype = dtype or _native.float32
    made = empty(shape, dtype=dtype, device=device, memory_format=memory_format)
    made.fill_(1)
    return made.requires_grad_() if requires_grad else made


@operation(method=None)
def empty_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of the same shape, dtype and axis order, its elements not set.

    >>> import strided
    >>> strided.empty_like(strided.zeros(2, 3).T).stride()
    (1, 3)
    """
    order = memory_order(x, memory_format)
    made = empty(x.shape, dtype=dtype or x.dtype, device=device, memory_format=order)
    return made.requires_grad_() if requires_grad else made


@operation(method=None)
def zeros_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of zeros, of the same shape, dtype and axis order.

    >>> import strided
    >>> strided.zeros_like(strided.ones(2)).tolist()
    [0.0, 0.0]
    """
    made = empty_like(x, dtype=dtype, device=device, memory_format=memory_format).zero_()
    return made.requires_grad_() if requires_grad else made


@operation(method=None)
def ones_like(
    x: Tensor,
    /,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of ones, of the same shape, dtype and axis order.

    >>> import strided
    >>> strided.ones_like(strided.zeros(2)).tolist()
    [1.0, 1.0]
    """
    made = empty_like(x, dtype=dtype, device=device, memory_format=memory_format).fill_(1)
    return made.requires_grad_() if requires_grad else made


@operation(method=None)
def full_like(
    x: Tensor,
    /,
    fill_value: Any,
    dtype: Any = None,
    *,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor with one value everywhere, of the same shape, dtype and axis order.

    >>> import strided
    >>> strided.full_like(strided.zeros(2), 3).tolist()
    [3.0, 3.0]
    """
    made = empty_like(x, dtype=dtype, device=device, memory_format=memory_format).fill_(fill_value)
    return made.requires_grad_() if requires_grad else made


# ---- ranges of numbers, and the grids that they span ----


def default_dtype(*numbers: Any) -> Any:
    """Return the dtype of a tensor of numbers: the widest kind among them decides."""
    if any(isinstance(n, complex) for n in numbers):
        return _native.complex64
    if any(isinstance(n, float) for n in numbers):
        return _native.float32
    return _native.int64


def _number(value: Any) -> Any:
    """Return a Python number: NumPy's scalars and tensors have theirs as an item."""
    return value.item() if hasattr(value, "item") else value


@operation(method=None, operands=0, also={"stop": "end"})
def arange(
    start: float | None = None,
    stop: float | None = None,
    step: float = 1,
    dtype: Any = None,
    *,
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
    if start is None and stop is None:
        raise TypeError("arange() missing required argument 'stop' (position 1)")
    ends = (0, start) if stop is None else (0 if start is None else start, stop)
    first, end, by = map(_number, (*ends, step))
    if by == 0:
        raise InvalidArgument(argument="step", got="0", requirement="must not be zero")
    if not all(isinstance(n, int) for n in (first, end, by)):
        if not all(map(math.isfinite, (first, end, by))):
            raise InvalidArgument(
                argument="range", got=f"{first} to {end}", requirement="must be finite"
            )
        dtype = default_dtype(first, end, by) if dtype is None else dtype
        made = empty(max(0, math.ceil((end - first) / by)), dtype=dtype, device=device)
        return _native._fill_range(made, float(first), float(by))
    count = int(max(0, -((first - end) // by)))
    last = first + (count - 1) * by if count else first
    if dtype is None:
        dtype = _native.int64 if max(first, last) < 2**63 else _native.uint64
    made = empty(count, dtype=dtype, device=device)
    if made.dtype.kind not in "iu":
        return _native._fill_range(made, float(first), float(by))
    limits = iinfo(made.dtype)
    if count and not (limits.min <= min(first, last) and max(first, last) <= limits.max):
        raise InvalidArgument(
            argument="range",
            got=f"{first} to {last}",
            requirement=f"must lie inside {made.dtype.name}: pass a wider dtype",
        )
    return _native._fill_range(made, first, by) if count else made


_SPACED = (
    "(start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: Literal[False] = False,"
    " dtype: Any = None, *, device: str | None = None, requires_grad: bool = False,"
    " end: Any = ..., steps: int = 50) -> Tensor",
    "(start: Any, stop: Any, num: int = 50, endpoint: bool = True, *, retstep: Literal[True],"
    " dtype: Any = None, device: str | None = None) -> tuple[Tensor, float]",
)


@operation(method=None, operands=0, also={"stop": "end", "num": "steps"}, overloads=_SPACED)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    *,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """Return ``num`` values from start to stop, evenly spaced, as a new tensor.

    With ``retstep`` also the distance between them.

    >>> import strided
    >>> strided.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    start, stop = _number(start), _number(stop)
    if requires_grad:
        made = linspace(start, stop, num, dtype=dtype, device=device, endpoint=endpoint)
        return made.requires_grad_()
    if retstep:
        gaps = num - endpoint
        made = linspace(start, stop, num, endpoint, dtype=dtype, device=device)
        return made, (stop - start) / gaps if gaps > 0 else math.nan
    if num < 0:
        raise InvalidArgument(argument="num", got=str(num), requirement="must not be negative")
    is_complex = any(isinstance(n, complex) for n in (start, stop))
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


# ---- matrices ----

_MASK_SIZE = 1 << 20  # elements of a mask that is made on the way


@operation(method=None, operands=0, also={"n_rows": "N n", "n_cols": "M m"})
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    *,
    dtype: Any = _native.float32,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return ones on the k-th diagonal and zeros elsewhere, as a new tensor.

    >>> import strided
    >>> strided.eye(2, 3).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    """
    made = zeros((n_rows, n_rows if n_cols is None else n_cols), dtype=dtype, device=device)
    made.diagonal(_inside(k, made)).fill_(1)
    return made.requires_grad_() if requires_grad else made


def _inside(k: int, x: Tensor) -> int:
    """Return the number of a diagonal; all those beyond a corner are empty, and so the same."""
    return max(-x.shape[-2], min(x.shape[-1], k))


def _triangle(x: Tensor, k: int, upper: bool, out: Tensor | None) -> Tensor:
    name = "triu" if upper else "tril"
    if out is not None and out is not x:
        return into(out, _triangle(x, k, upper, None), name)
    if x.ndim < 2:
        raise UnsupportedOperation(
            operation=name,
            reason=f"needs rank 2 or more, this tensor has shape {x.shape}",
            hint="use .unsqueeze() to add an axis first",
        )
    rows, columns = x.shape[-2:]
    k = _inside(k, x)
    across, zero = arange(columns), zeros((), dtype=x.dtype)
    out = empty(x.shape, dtype=x.dtype) if out is None else out
    if 0 in x.shape:  # with any number of rows
        return out
    # Some rows at a time, so that what says which elements are kept stays small.
    step = max(1, _MASK_SIZE // max(1, columns))
    for first in range(0, rows, step):
        some = slice(first, first + step)
        diagonal = arange(first, min(rows, first + step)).unsqueeze(1) + k
        kept = across >= diagonal if upper else across <= diagonal
        where(kept, x[..., some, :], zero, out=out[..., some, :])
    return out


def _tril_gradient(call: Call, x: Tensor, k: int, out: None) -> Backward:
    def backward(g: Tensor) -> Gradients:
        return (tril(g, k=k),)

    return backward


@operation(
    gradient=_tril_gradient,
    in_place="several",
    numpy="tril: m k",
    also={"k": "diagonal", "x": "m"},
)
def tril(x: Tensor, /, k: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the elements on and below the k-th diagonal, zeros above. A new tensor, or ``out``.

    >>> import strided
    >>> strided.tril(strided.ones(2, 2)).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return _triangle(x, k, False, out)


def _triu_gradient(call: Call, x: Tensor, k: int, out: None) -> Backward:
    def backward(g: Tensor) -> Gradients:
        return (triu(g, k=k),)

    return backward


@operation(
    gradient=_triu_gradient,
    in_place="several",
    numpy="triu: m k",
    also={"k": "diagonal", "x": "m"},
)
def triu(x: Tensor, /, k: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Return the elements on and above the k-th diagonal, zeros below. A new tensor, or ``out``.

    >>> import strided
    >>> strided.triu(strided.ones(2, 2)).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return _triangle(x, k, True, out)
