"""Creation functions: tensors filled with one value, unit matrices, and triangles of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import UnsupportedOperation
from strided.ops.define import operation
from strided.ops.elementwise import where
from strided.ops.ranges import arange, default_dtype
from strided.ops.rule import Backward, Call, Gradients

_MASK_SIZE = 1 << 20  # elements of a mask that is made on the way


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


@operation(method=None, operands=0)
def full(
    shape: int | Sequence[int],
    fill_value: Any,
    *,
    dtype: Any = None,
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
    dtype = dtype or _native.float32
    made = empty(shape, dtype=dtype, device=device, memory_format=memory_format)
    made.fill_(1)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0)
def empty_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
    device: Any = None,
    memory_format: Any = "preserve",
    requires_grad: bool = False,
) -> Tensor:
    """Return a new tensor of the same shape, dtype and axis order, its elements not set.

    >>> import strided
    >>> strided.empty_like(strided.zeros(2, 3).T).stride()
    (1, 3)
    """
    from strided.memory_layout import memory_order

    order = memory_order(x, memory_format)
    made = empty(x.shape, dtype=dtype or x.dtype, device=device, memory_format=order)
    return made.requires_grad_() if requires_grad else made


@operation(method=None, operands=0)
def zeros_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
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


@operation(method=None, operands=0)
def ones_like(
    x: Tensor,
    /,
    *,
    dtype: Any = None,
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


@operation(method=None, operands=0)
def full_like(
    x: Tensor,
    /,
    fill_value: Any,
    *,
    dtype: Any = None,
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


@operation(method=None, operands=0)
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
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


def _triangle(x: Tensor, k: int, upper: bool) -> Tensor:
    if x.ndim < 2:
        raise UnsupportedOperation(
            operation="triu" if upper else "tril",
            reason=f"needs rank 2 or more, this tensor has shape {x.shape}",
            hint="use .unsqueeze() to add an axis first",
        )
    rows, columns = x.shape[-2:]
    k = _inside(k, x)
    across, zero = arange(columns), zeros((), dtype=x.dtype)
    out = empty(x.shape, dtype=x.dtype)
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


def _tril_gradient(call: Call, x: Tensor, k: int) -> Backward:
    def backward(g: Tensor) -> Gradients:
        return (tril(g, k=k),)

    return backward


@operation(gradient=_tril_gradient, method=None, numpy="tril: m k")
def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the elements on and below the k-th diagonal, zeros above, as a new tensor.

    >>> import strided
    >>> strided.tril(strided.ones(2, 2)).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return _triangle(x, k, upper=False)


def _triu_gradient(call: Call, x: Tensor, k: int) -> Backward:
    def backward(g: Tensor) -> Gradients:
        return (triu(g, k=k),)

    return backward


@operation(gradient=_triu_gradient, method=None, numpy="triu: m k")
def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Return the elements on and above the k-th diagonal, zeros below, as a new tensor.

    >>> import strided
    >>> strided.triu(strided.ones(2, 2)).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return _triangle(x, k, upper=True)
