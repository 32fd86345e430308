"""Model configurations: the sizes and switches of a forward pass, and the shapes of its weights.

One value for every family and every file format. Whatever it is read from, it is checked here.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import strided
from strided.llm.architectures import architecture_of
from strided.llm.config_files import fields_of_gguf, fields_of_json

_SIZES = ("hidden", "layers", "heads", "kv_heads", "head_dim", "intermediate", "vocab", "context")
_MOST = 1 << 31  # no length of a model comes near it; products of two fit into 64 bits


@dataclass(frozen=True)
class Config:
    """The sizes and switches of a model.

    ``head_dim`` is independent of ``hidden // heads``. Query head j reads key-value head
    ``j // (heads // kv_heads)``. ``rope_scaling`` is None or has the keys of Hugging Face for
    rope_type "llama3" or "linear". ``interleaved_rope``: rotated pairs are (2i, 2i + 1), as the
    rows of q and k lie in .gguf files of architecture llama, and not (i, i + head_dim / 2).

    >>> from strided.llm import Config
    >>> config = Config.preset("qwen3-4b")
    >>> config.layers, config.heads * config.head_dim, config.hidden
    (36, 4096, 2560)
    """

    architecture: str
    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    intermediate: int
    vocab: int
    context: int
    rope_theta: float = 10000.0
    rope_scaling: dict[str, Any] | None = None
    norm_eps: float = 1e-6
    tied_embeddings: bool = False
    attention_bias: bool = False
    sliding_window: int | None = None
    interleaved_rope: bool = False
    bos: int | None = None
    eos: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        architecture_of(self.architecture)
        for name in _SIZES:
            self._need(name, 0 < getattr(self, name) < _MOST, "must be above 0 and below 2 ** 31")
        self._need("kv_heads", self.heads % self.kv_heads == 0, f"must divide {self.heads} heads")
        self._need("head_dim", self.head_dim % 2 == 0, "must be even: it is rotated by pairs")
        self._need("rope_theta", 0 < self.rope_theta < 1e30, "must be above 0")
        self._need("norm_eps", 0 <= self.norm_eps < 1, "must lie in 0..1")
        window = self.sliding_window
        self._need("sliding_window", window is None or window > 0, "must be above 0 or None")
        for token in (*self.eos, *(() if self.bos is None else (self.bos,))):
            self._need("eos" if token in self.eos else "bos", token >= 0, "must not be negative")

    def _need(self, name: str, holds: bool, requirement: str) -> None:
        if not holds:
            raise strided.InvalidArgument(
                argument=name, got=str(getattr(self, name))[:60], requirement=requirement
            )

    @property
    def q_k_norm(self) -> bool:
        """Whether heads of q and k are normalised: the architecture says so.

        >>> from strided.llm import Config
        >>> Config.preset("qwen3-4b").q_k_norm, Config.preset("llama-3.1-8b").q_k_norm
        (True, False)
        """
        return architecture_of(self.architecture).q_k_norm

    @property
    def group(self) -> int:
        """How many query heads read one key-value head.

        >>> from strided.llm import Config
        >>> Config.preset("qwen3-4b").group
        4
        """
        return self.heads // self.kv_heads

    @property
    def parameters(self) -> int:
        """How many numbers the weights have; tied embeddings count once.

        >>> from strided.llm import Config
        >>> Config.preset("qwen3-0.6b").parameters
        596049920
        """
        outside = sum(map(prod, model_shapes(self).values()))
        return outside + self.layers * sum(map(prod, layer_shapes(self).values()))

    @classmethod
    def from_json(cls, path: str | os.PathLike[str]) -> Config:
        """Read a config.json of Hugging Face, or the one of a directory.

        A generation_config.json beside it has the last word on the tokens that end a text.

        >>> import json, pathlib, tempfile
        >>> from strided.llm import Config
        >>> sizes = {"hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
        >>> more = {"intermediate_size": 128, "vocab_size": 100, "max_position_embeddings": 256}
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "config.json"
        >>> _ = path.write_text(json.dumps({"model_type": "llama", **sizes, **more}))
        >>> Config.from_json(path).head_dim
        16
        """
        return cls(**fields_of_json(path))

    @classmethod
    def from_gguf(cls, metadata: Mapping[str, Any], names: Collection[str] = ()) -> Config:
        """Read the metadata of a .gguf file; ``names`` of its tensors tell what the keys do not.

        Those are tied embeddings (there is no output.weight) and biases of q, k and v.

        >>> from strided.llm import Config
        >>> sizes = {"block_count": 2, "embedding_length": 64, "feed_forward_length": 128}
        >>> more = {"attention.head_count": 4, "context_length": 256, "vocab_size": 100}
        >>> metadata = {f"llama.{key}": value for key, value in {**sizes, **more}.items()}
        >>> Config.from_gguf({"general.architecture": "llama", **metadata}).interleaved_rope
        True
        """
        return cls(**fields_of_gguf(metadata, names))

    @classmethod
    def preset(cls, name: str) -> Config:
        """Return the configuration of a well-known model.

        >>> from strided.llm import Config
        >>> Config.preset("llama-3.2-1b").rope_scaling["factor"]
        32.0
        """
        return cls(**preset_fields(name))


Shapes = dict[str, tuple[int, ...]]


def model_shapes(config: Config) -> Shapes:
    """Return the shapes of what is outside the layers; tied embeddings have no head of their own.

    >>> model_shapes(Config.preset("qwen3-0.6b"))
    {'embed': (151936, 1024), 'norm': (1024,)}
    """
    shapes: Shapes = {"embed": (config.vocab, config.hidden), "norm": (config.hidden,)}
    if not config.tied_embeddings:
        shapes["head"] = (config.vocab, config.hidden)
    return shapes


def layer_shapes(config: Config) -> Shapes:
    """Return the shapes of one layer's weights. Matrices are (outputs, inputs).

    >>> layer_shapes(Config.preset("qwen3-0.6b"))["k"]
    (1024, 1024)
    """
    hidden, inner, d = config.hidden, config.intermediate, config.head_dim
    queries, keys = config.heads * d, config.kv_heads * d
    shapes: Shapes = {
        "attn_norm": (hidden,),
        "q": (queries, hidden),
        "k": (keys, hidden),
        "v": (keys, hidden),
        "o": (hidden, queries),
        "mlp_norm": (hidden,),
        "gate": (inner, hidden),
        "up": (inner, hidden),
        "down": (hidden, inner),
    }
    if config.attention_bias:
        shapes.update(q_bias=(queries,), k_bias=(keys,), v_bias=(keys,))
        if architecture_of(config.architecture).bias == "all":
            shapes["o_bias"] = (hidden,)
    if config.q_k_norm:
        shapes.update(q_norm=(d,), k_norm=(d,))
    return shapes


# ---- presets: well-known models, as their publishers' config.json state them ----


_QWEN = {"rope_theta": 1e6, "bos": 151643, "eos": (151645, 151643)}
_QWEN3 = {
    "architecture": "qwen3",
    "vocab": 151936,
    "context": 40960,
    **_QWEN,
}
_QWEN2 = {"architecture": "qwen2", "context": 32768, "attention_bias": True, **_QWEN}
_QWEN2_SMALL = {**_QWEN2, "vocab": 151936, "tied_embeddings": True}
_QWEN2_LARGE = {**_QWEN2, "vocab": 152064}
_SMOLLM2 = {
    "architecture": "llama",
    "vocab": 49152,
    "context": 8192,
    "norm_eps": 1e-5,
    "tied_embeddings": True,
    "bos": 1,
    "eos": (2,),
}
_LLAMA3 = {
    "architecture": "llama",
    "vocab": 128256,
    "context": 131072,
    "rope_theta": 500000.0,
    "norm_eps": 1e-5,
    "bos": 128000,
    "eos": (128001, 128008, 128009),
}
_MISTRAL = {
    "architecture": "mistral",
    "context": 32768,
    "norm_eps": 1e-5,
    "bos": 1,
    "eos": (2,),
}


def _llama3_scaling(factor: float) -> dict[str, Any]:
    return {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 8192.0,
    }


_COLUMNS = ("hidden", "layers", "heads", "kv_heads", "head_dim", "intermediate")
# name: what its family shares, the sizes in the order of _COLUMNS, what is its own.
_PRESETS: dict[str, tuple[dict[str, Any], tuple[int, ...], dict[str, Any]]] = {
    "qwen3-0.6b": (_QWEN3, (1024, 28, 16, 8, 128, 3072), {"tied_embeddings": True}),
    "qwen3-1.7b": (_QWEN3, (2048, 28, 16, 8, 128, 6144), {"tied_embeddings": True}),
    "qwen3-4b": (_QWEN3, (2560, 36, 32, 8, 128, 9728), {"tied_embeddings": True}),
    "qwen3-8b": (_QWEN3, (4096, 36, 32, 8, 128, 12288), {}),
    "qwen3-14b": (_QWEN3, (5120, 40, 40, 8, 128, 17408), {}),
    "qwen3-32b": (_QWEN3, (5120, 64, 64, 8, 128, 25600), {}),
    "qwen2.5-0.5b": (_QWEN2_SMALL, (896, 24, 14, 2, 64, 4864), {}),
    "qwen2.5-1.5b": (_QWEN2_SMALL, (1536, 28, 12, 2, 128, 8960), {}),
    "qwen2.5-3b": (_QWEN2_SMALL, (2048, 36, 16, 2, 128, 11008), {}),
    "qwen2.5-7b": (_QWEN2_LARGE, (3584, 28, 28, 4, 128, 18944), {}),
    "qwen2.5-14b": (_QWEN2_LARGE, (5120, 48, 40, 8, 128, 13824), {}),
    "qwen2.5-32b": (_QWEN2_LARGE, (5120, 64, 40, 8, 128, 27648), {}),
    "qwen2.5-72b": (_QWEN2_LARGE, (8192, 80, 64, 8, 128, 29568), {}),
    "smollm2-135m": (_SMOLLM2, (576, 30, 9, 3, 64, 1536), {"rope_theta": 100000.0}),
    "smollm2-360m": (_SMOLLM2, (960, 32, 15, 5, 64, 2560), {"rope_theta": 100000.0}),
    "smollm2-1.7b": (_SMOLLM2, (2048, 24, 32, 32, 64, 8192), {"rope_theta": 130000.0}),
    "llama-3.2-1b": (
        _LLAMA3,
        (2048, 16, 32, 8, 64, 8192),
        {"tied_embeddings": True, "rope_scaling": _llama3_scaling(32.0)},
    ),
    "llama-3.2-3b": (
        _LLAMA3,
        (3072, 28, 24, 8, 128, 8192),
        {"tied_embeddings": True, "rope_scaling": _llama3_scaling(32.0)},
    ),
    "llama-3.1-8b": (
        _LLAMA3,
        (4096, 32, 32, 8, 128, 14336),
        {"rope_scaling": _llama3_scaling(8.0)},
    ),
    "mistral-7b": (
        _MISTRAL,
        (4096, 32, 32, 8, 128, 14336),
        {"vocab": 32768, "rope_theta": 1e6},
    ),
    "mistral-7b-v0.1": (
        _MISTRAL,
        (4096, 32, 32, 8, 128, 14336),
        {"vocab": 32000, "sliding_window": 4096},
    ),
}
PRESETS = tuple(_PRESETS)


def preset_fields(name: str) -> dict[str, Any]:
    """Return the fields of a Config by name.

    >>> preset_fields("qwen3-4b")["layers"]
    36
    """
    if name.lower() not in _PRESETS:
        raise strided.InvalidArgument(
            argument="preset", got=repr(name), requirement=f"must be one of {', '.join(PRESETS)}"
        )
    shared, sizes, own = _PRESETS[name.lower()]
    return {**shared, **dict(zip(_COLUMNS, sizes, strict=True)), **own}
