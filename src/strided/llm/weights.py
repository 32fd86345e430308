"""Model weights by the names that the forward pass uses, and how they are found in files.

They are views of the files. Every tensor of a file must be understood: one that is left over is a
part of the computation that would be missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import strided
from strided import Tensor
from strided.llm.config import Config, Shapes, layer_shapes, model_shapes

if TYPE_CHECKING:
    from strided import QuantizedMatrix


_PAGE = 4096
_SLICE = 64 << 20  # bytes between two reports of progress


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
