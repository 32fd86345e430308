"""Where quantised matrices come from when not from a file: from floats, or from a seed."""

from __future__ import annotations

from math import isfinite

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.quantized.formats import format_of
from strided.quantized.matrix import QuantizedMatrix


def quantize(x: Tensor, kind: str) -> QuantizedMatrix:
    """Return the rows of a float matrix as new blocks: Q8_0, Q4_0, Q4_1, Q5_0 or Q5_1.

    Numbers are rounded as ggml's reference does. The result has memory of its own; x may have any
    strides, and is not copied.

    >>> import strided
    >>> x = strided.linspace(-1, 1, 64).reshape(2, 32)
    >>> m = strided.quantize(x, "Q8_0")
    >>> (m.dequantize() - x).abs().max().item() < 0.005
    True
    """
    return QuantizedMatrix(kind, _native.quantize(x, format_of(kind).number))


def random_blocks(kind: str, rows: int, columns: int, scale: float, seed: int) -> QuantizedMatrix:
    """Return new random blocks whose numbers have mean 0 and the standard deviation ``scale``.

    Gigabytes a second: weights of any size for measuring, without a file. The same seed gives the
    same matrix.

    >>> import strided
    >>> m = strided.random_blocks("Q4_K", 64, 512, scale=0.02, seed=1)
    >>> m.shape, round(m.dequantize().std().item(), 3)
    ((64, 512), 0.02)
    """
    number = format_of(kind).number
    if rows < 0:
        raise InvalidArgument(argument="rows", got=str(rows), requirement="must not be negative")
    if not isfinite(scale) or scale < 0:
        raise InvalidArgument(argument="scale", got=str(scale), requirement="must be 0 or more")
    blocks = _native.random_blocks(number, rows, columns, scale, seed & 0xFFFF_FFFF_FFFF_FFFF)
    return QuantizedMatrix(kind, blocks)
