"""Models: configuration, weights, tokenizer and the forward pass of the architecture."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import strided
from strided import DType, Tensor
from strided.llm.architectures import architecture_of
from strided.llm.config import PRESETS, Config
from strided.llm.tokenizer import Tokenizer
from strided.llm.weight_files import open_weights
from strided.llm.weights import Weights, random_weights

if TYPE_CHECKING:
    from strided.llm.kv_cache import Step


class Model:
    """Weights that can be asked for logits.

    >>> import strided.llm as llm
    >>> config = llm.Config("qwen3", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> model = llm.Model(config, llm.random_weights(config, "f32"))
    >>> cache = llm.Cache(config, context=8)
    >>> model.forward(llm.Step(cache, [(cache.begin(), [1, 2, 3])])).shape
    (3, 50)
    """

    def __init__(
        self, config: Config, weights: Weights, tokenizer: Tokenizer | None = None, name: str = ""
    ) -> None:
        self.config, self.weights, self.tokenizer, self.name = config, weights, tokenizer, name
        self.load_seconds = 0.0
        self._pass = architecture_of(config.architecture).forward(config, weights)

    @property
    def cache_dtype(self) -> DType:
        """What keys and values are kept as: like the weights, float16 where those are blocks.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> llm.Model(config, llm.random_weights(config, "bfloat16")).cache_dtype
        strided.bfloat16
        """
        kept = self.weights.layers[0].k
        return kept.dtype if isinstance(kept, Tensor) else strided.float16

    def forward(self, step: Step, first: int = 0) -> Tensor:
        """Return the logits of a step's tokens from ``first`` on, (T - first, vocab), a new tensor.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> model = llm.Model(config, llm.random_weights(config, "f32"))
        >>> cache = llm.Cache(config, context=8)
        >>> model.forward(llm.Step(cache, [(cache.begin(), [1, 2, 3])]), first=2).shape
        (1, 50)
        """
        return self._pass.forward(step, first)


def load(path: str | os.PathLike[str], *, random: str | DType | None = None) -> Model:
    """Open a model: a .gguf file, a directory of Hugging Face, or the name of a fetched model.

    With ``random`` the name is that of a preset, whose weights are made up: of that dtype, or
    quantised ("q4_0"). Files are mapped, not read: their weights are views.

    >>> import strided.llm
    >>> model = strided.llm.load("smollm2-135m", random="q8_0")
    >>> model.config.layers, model.tokenizer is None
    (30, True)
    """
    begin = time.perf_counter()
    if random is not None:
        config = Config.preset(os.fspath(path))
        model = Model(config, random_weights(config, random), name=f"{path} (random)")
    else:
        place = _place_of(path)
        weights = open_weights(place)
        model = Model(weights.config, weights, _tokenizer_of(place, weights), place.stem)
    model.load_seconds = time.perf_counter() - begin
    return model


def _place_of(path: str | os.PathLike[str]) -> Path:
    """Return the file or directory of a model, also of one that is known by its name."""
    from strided.llm.fetch import SOURCES, model_path

    name, place = os.fspath(path), Path(path)
    if place.exists():
        return place
    if name in SOURCES:
        found = model_path(name)
        if found is None:
            raise strided.FileUnusable(
                path=name, reason=f"it was not fetched yet: strided model fetch {name}"
            )
        return found
    if name in PRESETS:
        reason = 'a preset has no weights: random="bfloat16" makes some up'
        raise strided.FileUnusable(path=name, reason=reason)
    return place


def _tokenizer_of(place: Path, weights: Weights) -> Tokenizer | None:
    """Return the tokenizer that comes with a model, None where it has none."""
    size = weights.config.vocab
    if weights.metadata:
        named = weights.metadata.get("tokenizer.ggml.model", "none")
        return None if named == "none" else Tokenizer.from_gguf(weights.metadata, size=size)
    folder = place if place.is_dir() else place.parent
    file = folder / "tokenizer.json"
    return Tokenizer.from_file(file, size=size) if file.exists() else None
