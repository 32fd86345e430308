"""QuantizedMatrix: rows of quantised blocks as stored, block formats, quantisation, products.

A matrix to multiply with and to look rows up in, not a tensor: its numbers exist only while they
are used.
"""

from __future__ import annotations

from contextvars import ContextVar
from math import isfinite
from typing import Any, NamedTuple, NoReturn

from strided import _native
from strided._native import DType, Tensor, float32
from strided.copies.contexts import Scope
from strided.errors import DTypeMismatch, InvalidArgument, UnsupportedOperation

exact: ContextVar[int] = ContextVar("exact_quantized", default=0)


class BlockFormat(NamedTuple):
    """A block format: its native number, the numbers of a block and its bytes."""

    number: int
    numbers: int
    nbytes: int


FORMATS = {name: BlockFormat(*row) for name, row in _native.block_formats().items()}


def format_of(kind: str) -> BlockFormat:
    """Return the format of that name, or raise InvalidArgument naming those there are."""
    known = FORMATS.get(kind) if isinstance(kind, str) else None
    if known is None:
        raise InvalidArgument(
            argument="kind", got=repr(kind), requirement=f"must be one of {', '.join(FORMATS)}"
        )
    return known


class QuantizedMatrix:
    """A matrix whose rows are quantised blocks (Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K).

    ``blocks`` is a uint8 tensor (rows, bytes of a row), the bytes of a row side by side; the matrix
    is a view of it, memory-mapped or not. Products read the blocks as they lie.

    >>> import strided
    >>> m = strided.quantize(strided.eye(64), "Q4_0")
    >>> m
    QuantizedMatrix(Q4_0, (64, 64), 2304 bytes; to compute with its numbers: .dequantize())
    >>> m[::2].shape, m[::2].blocks.storage() == m.blocks.storage()
    ((32, 64), True)
    """

    __slots__ = ("_blocks", "_kind", "_number", "_shape")

    def __init__(self, kind: str, blocks: Tensor) -> None:
        known = format_of(kind)
        _native.check_blocks(blocks, known.number)
        self._kind, self._blocks, self._number = kind, blocks, known.number
        rows, nbytes = blocks.shape
        self._shape = (rows, nbytes // known.nbytes * known.numbers)

    @property
    def kind(self) -> str:
        """The name of the block format.

        >>> import strided
        >>> strided.quantize(strided.ones(1, 32), "Q8_0").kind
        'Q8_0'
        """
        return self._kind

    @property
    def blocks(self) -> Tensor:
        """The bytes: uint8 (rows, bytes of a row). The tensor that was given, not a copy.

        >>> import strided
        >>> strided.quantize(strided.ones(2, 64), "Q8_0").blocks.shape
        (2, 68)
        """
        return self._blocks

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the matrix.

        >>> import strided
        >>> strided.quantize(strided.ones(2, 64), "Q4_1").shape
        (2, 64)
        """
        return self._shape

    @property
    def nbytes(self) -> int:
        """The bytes of all blocks.

        >>> import strided
        >>> strided.quantize(strided.ones(2, 64), "Q4_1").nbytes
        80
        """
        return self._blocks.nbytes

    def dequantize(self, dtype: DType = float32) -> Tensor:
        """Dequantise: return the numbers as a new tensor.

        >>> import strided
        >>> strided.quantize(strided.ones(1, 32), "Q8_0").dequantize(strided.float16).sum().item()
        32.0
        """
        return _native.dequantize(self._blocks, self._number, _checked(dtype))

    def rows(self, index: Tensor, dtype: DType = float32) -> Tensor:
        """Return the numbers of the rows at ``index`` as a new tensor of shape (*index, columns).

        >>> import strided
        >>> m = strided.quantize(strided.eye(32), "Q8_0")
        >>> m.rows(strided.tensor([3, -1])).argmax(dim=1).tolist()
        [3, 31]
        """
        return _native.dequantize_rows(self._blocks, self._number, index, _checked(dtype))

    def __getitem__(self, key: slice) -> QuantizedMatrix:
        if not isinstance(key, slice):
            raise UnsupportedOperation(
                operation=f"QuantizedMatrix[{key!r}]",
                reason="a view has whole rows: numbers inside a block have no address of their own",
                hint="slice rows (m[2:4], m[i:i+1]), or use m.rows(index) or m.dequantize()",
            )
        return QuantizedMatrix(self._kind, self._blocks[key])

    def __len__(self) -> int:
        return self._shape[0]

    def __repr__(self) -> str:
        return (
            f"QuantizedMatrix({self._kind}, {self._shape}, {self.nbytes} bytes; "
            "to compute with its numbers: .dequantize())"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return (QuantizedMatrix, (self._kind, self._blocks))

    __iter__ = None
    __array_ufunc__ = None

    def _no_arithmetic(self, *_: object) -> NoReturn:
        raise UnsupportedOperation(
            operation="arithmetic with a QuantizedMatrix",
            reason="it holds blocks of quantised numbers, not elements",
            hint="multiply by strided.nn.linear(x, m), or compute with m.dequantize()",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _no_arithmetic
    __truediv__ = __rtruediv__ = __matmul__ = __rmatmul__ = __neg__ = _no_arithmetic
    __array__ = _no_arithmetic


def _checked(dtype: DType) -> DType:
    known = _native.as_dtype(dtype)
    if not known.is_floating_point:
        raise DTypeMismatch(
            operation="dequantize",
            got=str(dtype),
            reason="quantised numbers are floats",
            hint="use strided.float32, float16, bfloat16 or float64",
        )
    return known


def quantize(x: Tensor, kind: str) -> QuantizedMatrix:
    """Quantise the rows of a float matrix to new blocks: Q8_0, Q4_0, Q4_1, Q5_0 or Q5_1.

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


# ---- products ----


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
