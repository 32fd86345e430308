"""Model weights by the names that the forward pass uses, and how they are found in files.

They are views of the files. Every tensor of a file must be understood: one that is left over is a
part of the computation that would be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import strided
from strided import DType, Tensor
from strided.llm.config import Config, Shapes, layer_shapes, model_shapes

if TYPE_CHECKING:
    from strided import QuantizedMatrix

_PAGE = 4096
_SLICE = 64 << 20  # bytes between two reports of progress
_PERIOD = 1_048_573  # the largest prime below 2 ** 20
_STEP = 314_159  # between the beginnings of two tensors
_SHORT = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}
_WIDE_BLOCK = 256  # elements of a block of the kinds that end in _K


@dataclass(frozen=True)
class Layer:
    """The weights of one layer; matrices are (outputs, inputs), what a family lacks is None.

    >>> import strided.llm
    >>> config = strided.llm.Config("llama", 64, 1, 4, 2, 16, 96, 50, 128)
    >>> layer = strided.llm.random_weights(config, "f32").layers[0]
    >>> layer.down.shape, layer.q_norm is None
    ((64, 96), True)
    """

    attn_norm: Tensor
    q: Tensor | QuantizedMatrix
    k: Tensor | QuantizedMatrix
    v: Tensor | QuantizedMatrix
    o: Tensor | QuantizedMatrix
    mlp_norm: Tensor
    gate: Tensor | QuantizedMatrix
    up: Tensor | QuantizedMatrix
    down: Tensor | QuantizedMatrix
    q_bias: Tensor | None = None
    k_bias: Tensor | None = None
    v_bias: Tensor | None = None
    o_bias: Tensor | None = None
    q_norm: Tensor | None = None
    k_norm: Tensor | None = None


@dataclass(frozen=True)
class Weights:
    """The weights of a model. ``head`` is ``embed`` itself where they are tied.

    ``rope_factors`` divides the frequencies of rotary positions; .gguf files store the llama3
    scaling so. ``metadata`` is that of a .gguf file, else empty.

    >>> import strided.llm
    >>> config = strided.llm.Config.preset("smollm2-135m")
    >>> weights = strided.llm.random_weights(config, strided.bfloat16)
    >>> weights.layers[0].k.shape, weights.head is weights.embed
    ((192, 576), True)
    >>> weights.nbytes == 2 * config.parameters
    True
    """

    config: Config
    embed: Tensor | QuantizedMatrix
    norm: Tensor
    head: Tensor | QuantizedMatrix
    layers: tuple[Layer, ...]
    rope_factors: Tensor | None = None
    path: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def nbytes(self) -> int:
        """The bytes of all weights; tied embeddings count once.

        >>> import strided.llm
        >>> config = strided.llm.Config("llama", 64, 1, 4, 2, 16, 96, 50, 128)
        >>> strided.llm.random_weights(config, "f32").nbytes == 4 * config.parameters
        True
        """
        return sum(part.nbytes for part in self._parts())

    @property
    def read_bytes_per_token(self) -> int:
        """The bytes that decoding one token reads: everything but the rows of the embedding.

        >>> import strided.llm
        >>> config = strided.llm.Config("llama", 64, 1, 4, 2, 16, 96, 50, 128)
        >>> weights = strided.llm.random_weights(config, "f32")
        >>> weights.nbytes - weights.read_bytes_per_token == 4 * 50 * 64
        True
        """
        return self.nbytes - (0 if self.head is self.embed else self.embed.nbytes)

    def prefault(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Read the weights from their file into memory, in the order in which they lie there.

        ``progress`` is called with the bytes that are there and the bytes there will be.

        >>> import strided.llm
        >>> config = strided.llm.Config("llama", 64, 1, 4, 2, 16, 96, 50, 128)
        >>> seen = []
        >>> strided.llm.random_weights(config, "f32").prefault(lambda *step: seen.append(step))
        >>> seen[-1][0] == seen[-1][1] == 4 * config.parameters
        True
        """
        # One byte of each page is enough to have it read. What is not gap-free is left to its use.
        found = (part if isinstance(part, Tensor) else part.blocks for part in self._parts())
        packed = [part for part in found if part.is_contiguous() and part.nbytes]
        packed.sort(key=Tensor.data_ptr)
        done, total = 0, sum(part.nbytes for part in packed)
        for part in packed:
            raw = part.view(-1).view(strided.uint8)
            for begin in range(0, raw.size, _SLICE):
                piece = raw[begin : begin + _SLICE]
                piece[::_PAGE].sum()
                done += piece.size
                if progress is not None:
                    progress(done, total)

    def _parts(self) -> Iterator[Tensor | QuantizedMatrix]:
        yield self.embed
        yield self.norm
        if self.head is not self.embed:
            yield self.head
        if self.rope_factors is not None:
            yield self.rope_factors
        for layer in self.layers:
            found = (getattr(layer, part.name) for part in fields(layer))
            yield from (part for part in found if part is not None)


_FLOATS = (strided.float32, strided.bfloat16, strided.float16, strided.float64)


@dataclass(frozen=True)
class Names:
    """What weights are called in a format.

    ``{}`` stands for the number of the layer. ``fused`` are tensors whose rows are those of several
    weights, one behind the other. ``ignored`` are ends of names that no forward pass needs.
    """

    model: Mapping[str, str]
    layer: Mapping[str, str]
    fused: Mapping[str, tuple[str, ...]]
    ignored: tuple[str, ...]


@dataclass
class StoredTensors:
    """The tensors of one or several files by name, the file of each, and which were used."""

    tensors: Mapping[str, Tensor | QuantizedMatrix]
    files: Mapping[str, str]
    path: str
    used: set[str] = field(default_factory=set)

    def take(self, name: str, shape: tuple[int, ...]) -> Tensor | QuantizedMatrix:
        """Return a tensor that must be there, of floats or quantised, in this shape."""
        if name not in self.tensors:
            raise strided.FileUnusable(
                path=self.path, reason=f"it has no tensor {name!r}, which must be of shape {shape}"
            )
        found = self.tensors[name]
        self.used.add(name)
        where = f"{name!r} in {self.files[name]}"
        if tuple(found.shape) != shape:
            raise strided.ShapeMismatch(
                operation=f"tensor {where}",
                expected=shape,
                got=tuple(found.shape),
                hint="the configuration and the weights are of different models",
            )
        if isinstance(found, Tensor) and found.dtype not in _FLOATS:
            raise strided.DTypeMismatch(
                operation="a model",
                got=found.dtype.name,
                reason=f"{where} must hold floats or quantised blocks",
                hint="convert the model to float32, float16 or bfloat16",
            )
        if len(shape) == 1 and not isinstance(found, Tensor):
            raise strided.DTypeMismatch(
                operation="a vector of weights",
                got=found.kind,
                reason=f"{where} must hold floats",
                hint="convert the model with its norms and biases as floats",
            )
        return found


def assemble(config: Config, names: Names, stored: StoredTensors, **more: Any) -> Weights:
    """Return the weights of a configuration from the tensors of its files. Views of them."""
    found: dict[str, Any] = {
        part: stored.take(names.model[part], shape) for part, shape in model_shapes(config).items()
    }
    shapes = layer_shapes(config)
    layers = tuple(_layer(names, stored, shapes, i) for i in range(config.layers))
    _check_left_over(config, names, stored)
    head = found.pop("head", found["embed"])
    return Weights(config=config, head=head, layers=layers, path=stored.path, **found, **more)


def _layer(names: Names, stored: StoredTensors, shapes: Shapes, i: int) -> Layer:
    found: dict[str, Any] = {}
    for fused, parts in names.fused.items():
        name = fused.format(i)
        # Phi-3 files call the fused gate and up by the name of up alone: the first part tells.
        alone = names.layer[parts[0]].format(i) in stored.tensors
        if name in stored.tensors and parts[0] in shapes and not alone:
            found.update(_split(stored, name, {part: shapes[part] for part in parts}))
    for part, shape in shapes.items():
        if part not in found:
            found[part] = stored.take(names.layer[part].format(i), shape)
    return Layer(**found)


def _split(stored: StoredTensors, name: str, shapes: Shapes) -> dict[str, Any]:
    """Return the rows of a fused tensor as views, one for each weight."""
    lengths = [shape[0] for shape in shapes.values()]
    (_, *columns), *_ = shapes.values()
    whole: Any = stored.take(name, (sum(lengths), *columns))
    found, begin = {}, 0
    for part, length in zip(shapes, lengths, strict=True):
        found[part] = whole[begin : begin + length]
        begin += length
    return found


def _check_left_over(config: Config, names: Names, stored: StoredTensors) -> None:
    left = [
        name
        for name in stored.tensors
        if name not in stored.used and not name.endswith(names.ignored)
    ]
    if config.tied_embeddings:  # some files store the head again
        left = [name for name in left if name != names.model["head"]]
    if left:
        shown = ", ".join(left[:4]) + (f" and {len(left) - 4} more" if len(left) > 4 else "")
        raise strided.UnsupportedOperation(
            operation=f"running {stored.path}",
            reason=f"models of the family {config.architecture} have no {shown} here",
            hint="take a model without them: results would be wrong if they were left out",
        )


# ---- random weights, made at the speed of memory ----
# A million normal numbers are drawn once and written again and again. Their count is a prime, so no
# two rows of a matrix begin at the same one, and each matrix begins elsewhere: products with them
# look like those with numbers drawn one by one. For measuring, not for text.


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
