"""One small configuration of every family of models that there is a forward pass for."""

from __future__ import annotations

import dataclasses

from strided import llm

TINY = llm.Config(
    architecture="llama",
    hidden=64,
    layers=3,
    heads=4,
    kv_heads=2,
    head_dim=24,  # not hidden / heads
    intermediate=96,
    vocab=101,
    context=256,
    rope_theta=10000.0,
)
FAMILIES = {
    "llama": TINY,
    "tied": dataclasses.replace(TINY, tied_embeddings=True),
    "neighbours": dataclasses.replace(TINY, interleaved_rope=True),
    "mistral": dataclasses.replace(TINY, architecture="mistral", sliding_window=16),
    "qwen2": dataclasses.replace(TINY, architecture="qwen2", attention_bias=True),
    "qwen3": dataclasses.replace(TINY, architecture="qwen3", rope_theta=1e6),
}
