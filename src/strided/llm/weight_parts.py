"""The weights of a model by the names its forward pass uses, whatever file they are views of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import strided
from strided import Tensor
from strided.llm.config import Config

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
