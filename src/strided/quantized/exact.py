"""Whether products with quantised matrices round the activations: a setting of the context."""

from __future__ import annotations

from contextvars import ContextVar

from strided.copies.scope import Scope

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
