"""Products with the rows of a weight (a tensor or quantised blocks), and rows of it by token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.autograd.differentiable import differentiable
from strided.errors import IndexOutOfBounds, InvalidArgument, ShapeMismatch, ViewNotPossible
from strided.functions.arrays import tensor
from strided.ops.results import into
from strided.quantized import QuantizedMatrix, product_into


@differentiable
def linear(
    x: Tensor,
    weight: Any,
    bias: Tensor | None = None,
    *,
    out: Tensor | None = None,
    rows: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return ``x @ weight.T + bias`` for x (..., k) and weight (n, k). A new tensor, or ``out``.

    The weight is a tensor or a QuantizedMatrix, read as it is stored. ``out`` has the axes of x
    before the last, then axes of n elements in all. With ``rows``, integers (T,) that are all
    different, row t of the result is written to row ``rows[t]`` of ``out``: a cache
    (slots, heads, d), say.

    >>> import strided
    >>> x, weight = strided.ones(2, 3), strided.arange(6.0).reshape(2, 3)
    >>> strided.nn.linear(x, weight).tolist()
    [[3.0, 12.0], [3.0, 12.0]]
    >>> cache = strided.zeros(3, 2)
    >>> strided.nn.linear(x, weight, out=cache, rows=strided.tensor([2, 0])).tolist()
    [[3.0, 12.0], [0.0, 0.0], [3.0, 12.0]]
    """
    if isinstance(weight, Tensor):
        return _native.linear(x, weight, bias, out, rows, dtype)
    _expect_blocks(weight)
    if out is None:
        if rows is not None:
            raise InvalidArgument(
                argument="rows", got="no out", requirement="say which rows of out= are written"
            )
        shape = (*x.shape[:-1], weight.shape[0])
        out = _native.empty(shape, dtype=_native.float32 if dtype is None else dtype)
    _multiply(out, x, weight, rows, bias)
    return out


def _expect_blocks(weight: Any) -> None:
    if not isinstance(weight, QuantizedMatrix):
        kind = type(weight).__name__
        raise TypeError(f"weight must be a strided.Tensor or a QuantizedMatrix, got {kind}")


def _multiply(
    out: Tensor, x: Tensor, weight: QuantizedMatrix, rows: Tensor | None, bias: Tensor | None
) -> None:
    """Write a product with quantised rows, as few calls as the axes of ``out`` allow."""
    lead = 1 if rows is not None else x.ndim - 1  # axes of out before those that hold a result
    if out.ndim <= lead + 1:
        product_into(out, x, weight, rows, bias)
        return
    n = weight.shape[0]
    if math.prod(out.shape[lead:]) != n:
        raise ShapeMismatch(
            operation="linear",
            expected=(*out.shape[:lead], n),
            got=out.shape,
            hint="the axes of out behind its rows hold one row of the result",
        )
    try:
        flat = out.view(*out.shape[:lead], n)
    except ViewNotPossible:
        # Heads lie apart: each is a product with its own rows of the weight.
        each = n // out.shape[lead]
        for head in range(out.shape[lead]):
            part = slice(head * each, (head + 1) * each)
            own = None if bias is None else bias[part]
            _multiply(out.select(lead, head), x, weight[part], rows, own)
    else:
        product_into(flat, x, weight, rows, bias)


def embedding(
    tokens: Tensor | Sequence[int],
    weight: Any,
    padding_idx: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return the row of the weight (vocabulary, n) for each token: a logged copy, or ``out``.

    One token of a tensor is no copy: its row is a view (1, n), unless another dtype is wanted. The
    row ``padding_idx`` gets no gradient.

    >>> import strided
    >>> weight = strided.arange(6.0).reshape(3, 2)
    >>> strided.nn.embedding([2, 0], weight).tolist()
    [[4.0, 5.0], [0.0, 1.0]]
    >>> strided.nn.embedding([1], weight).storage() == weight.storage()
    True
    """
    index = tokens if isinstance(tokens, Tensor) else tensor(tokens, dtype=_native.int64)
    if not isinstance(weight, Tensor):
        _expect_blocks(weight)
        return into(
            out, weight.rows(index, _native.float32 if dtype is None else dtype), "embedding"
        )
    if (
        out is None
        and padding_idx is None
        and index.shape == (1,)
        and (dtype is None or _native.as_dtype(dtype) is weight.dtype)
    ):
        token = index.item()
        if not -weight.shape[0] <= token < weight.shape[0]:
            raise IndexOutOfBounds(index=token, length=weight.shape[0], axis=0)
        return weight.narrow(0, token, 1)
    return rows_of(index, weight, padding_idx, out=out, dtype=dtype)


@differentiable
def rows_of(
    index: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """Return rows of a weight (vocabulary, n) by their numbers: a logged copy, or ``out``."""
    return _native.embedding(index, weight, out, dtype)


def activation_dtype(weight: Any, rows: int) -> DType:
    """Return the dtype in which activations are best stored for a product with this weight.

    bfloat16 where the weight is bfloat16, there are more than 8 rows, and the processor multiplies
    pairs of bfloat16; otherwise float32 (float64 for float64). Quantised products round to 8 bits
    themselves. Copies nothing.

    >>> import strided
    >>> strided.nn.activation_dtype(strided.empty(2, 2), 100)
    strided.float32
    """
    dtype = weight.dtype if isinstance(weight, Tensor) else _native.float32
    return _native.activation_dtype(dtype, rows)
