"""Matrix products with quantised matrices, written into a tensor."""

from __future__ import annotations

from contextvars import ContextVar

from strided import _native
from strided._native import Tensor
from strided.copies.contexts import Scope
from strided.quantized.matrix import QuantizedMatrix

exact: ContextVar[int] = ContextVar("exact_quantized", default=0)


def _nothing() -> None:
    pass


def exact_quantized() -> Scope:
    """Compute products with quantised matrices in float32 inside a ``with`` block or function.

    Otherwise activations are rounded to 8 bits, 32 of them (256 for the K kinds) by a common scale:
    faster, and close enough for generating text. No operand is copied either way. The setting holds
    for this thread (this task of asyncio).

    >>> import strided
    >>> from strided.quantized import product_into
    >>> m = strided.quantize(strided.ones(2, 32), "Q8_0")
    >>> x, out = strided.linspace(0, 1, 32).reshape(1, 32), strided.empty(1, 2)
    >>> with strided.exact_quantized():
    ...     y = product_into(out, x, m)
    >>> (y - x @ m.dequantize().T).abs().max().item() < 1e-5
    True
    """
    return Scope("exact_quantized", exact, 1, _nothing, _nothing)


def product_into(
    out: Tensor,
    x: Tensor,
    matrix: QuantizedMatrix,
    rows: Tensor | None = None,
    bias: Tensor | None = None,
) -> Tensor:
    """Write ``x @ matrix.T + bias`` into ``out``, or into those ``rows`` of it, and return it.

    ``x`` is (..., columns), ``out`` (..., rows of the matrix), both of any float dtype and strides;
    no operand is copied. Activations are rounded to 8 bits (see ``exact_quantized``). ``rows`` (one
    position for each row of x) says which row of out takes each result; the axes of out behind its
    first may then be several.

    >>> import strided
    >>> from strided.quantized import product_into
    >>> m = strided.quantize(strided.ones(3, 32), "Q8_0")
    >>> out = strided.zeros(4, 3)
    >>> product_into(out, strided.ones(1, 32), m, rows=strided.tensor([2])).tolist()[2]
    [32.0, 32.0, 32.0]
    """
    return _native.quantized_product(out, x, matrix.blocks, matrix._number, rows, bias, exact.get())
