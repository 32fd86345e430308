"""Presets: configurations of well-known models, as their publishers' config.json state them."""

from __future__ import annotations

from typing import Any

import strided

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
