"""Random weights of any configuration, made at the speed of memory.

A million normal numbers are drawn once and written again and again. Their count is a prime, so no
two rows of a matrix begin at the same one, and each matrix begins elsewhere: products with them
look like those with numbers drawn one by one. For measuring, not for text.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import strided
from strided import DType, Tensor
from strided.llm.config import Config, Shapes, layer_shapes, model_shapes
from strided.llm.weights import Layer, Weights

if TYPE_CHECKING:
    from strided import QuantizedMatrix

_PERIOD = 1_048_573  # the largest prime below 2 ** 20
_STEP = 314_159  # between the beginnings of two tensors
_SHORT = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}
_WIDE_BLOCK = 256  # elements of a block of the kinds that end in _K


def random_weights(config: Config, dtype_or_kind: Any, seed: int = 0) -> Weights:
    """Return new random weights: the same for the same seed, norms 1, outputs of variance 1.

    ``dtype_or_kind``: a float dtype or its name ("bfloat16", "bf16"), or a kind of quantised block
    ("Q4_0"). Matrices whose rows are no whole number of 256-element blocks become Q8_0.

    >>> import strided, strided.llm
    >>> config = strided.llm.Config.preset("smollm2-135m")
    >>> weights = strided.llm.random_weights(config, "bf16")
    >>> weights.layers[29].down.shape, weights.embed.dtype
    ((576, 1536), strided.bfloat16)
    """
    source = _Source(dtype_or_kind, seed)
    outside = source.all_of(model_shapes(config))
    layers = tuple(Layer(**source.all_of(layer_shapes(config))) for _ in range(config.layers))
    head = outside.pop("head", outside["embed"])
    return Weights(config=config, head=head, layers=layers, **outside)


class _Source:
    """Makes one weight after the other, each from another place of the same numbers."""

    def __init__(self, dtype_or_kind: Any, seed: int) -> None:
        self._seed, self._made = seed, 0
        self._kind = ""
        self._dtype: DType = strided.float32
        if isinstance(dtype_or_kind, str) and dtype_or_kind.upper().startswith("Q"):
            self._kind = dtype_or_kind.upper()
        else:
            self._dtype = _float_dtype(dtype_or_kind)
        generator = strided.Generator(seed)
        self._numbers = None if self._kind else strided.randn(_PERIOD, generator=generator)
        self._scaled: dict[float, Tensor] = {}

    def all_of(self, shapes: Shapes) -> dict[str, Any]:
        return {name: self._weight(name, shape) for name, shape in shapes.items()}

    def _weight(self, name: str, shape: tuple[int, ...]) -> Tensor | QuantizedMatrix:
        # Norms and biases stay floats beside quantised matrices, as in files.
        if len(shape) == 1:
            make = strided.zeros if name.endswith("bias") else strided.ones
            return make(shape, dtype=self._dtype)
        self._made += 1
        rows, columns = shape
        if self._kind:
            return self._blocks(rows, columns)
        return self._filled(rows, columns)

    def _blocks(self, rows: int, columns: int) -> QuantizedMatrix:
        from strided.quantized import random_blocks

        wide = self._kind.endswith("_K") and columns % _WIDE_BLOCK
        kind = "Q8_0" if wide else self._kind
        scale = columns**-0.5
        return random_blocks(kind, rows, columns, scale, self._seed * 1_000_003 + self._made)

    def _filled(self, rows: int, columns: int) -> Tensor:
        numbers = self._of_scale(columns**-0.5)
        start = self._made * _STEP % _PERIOD
        flat = strided.empty(rows * columns, dtype=self._dtype)
        for begin in range(-start, flat.size, _PERIOD):
            first, last = max(begin, 0), min(begin + _PERIOD, flat.size)
            flat[first:last] = numbers[first - begin : last - begin]
        return flat.view(rows, columns)

    def _of_scale(self, scale: float) -> Tensor:
        if scale not in self._scaled:
            assert self._numbers is not None
            self._scaled[scale] = (self._numbers * scale).to(self._dtype)
        return self._scaled[scale]


def _float_dtype(wish: Any) -> DType:
    name = _SHORT.get(wish.lower(), wish) if isinstance(wish, str) else wish
    dtype: DType | None = None
    if name is not None:
        with suppress(TypeError, ValueError):
            dtype = strided.empty(0, dtype=name).dtype
    if dtype is None or dtype.kind != "f":
        raise strided.InvalidArgument(
            argument="dtype_or_kind",
            got=repr(wish)[:60],
            requirement="must be a float dtype such as bfloat16, or a kind such as Q4_0",
        )
    return dtype
