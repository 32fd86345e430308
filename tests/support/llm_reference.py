"""A forward pass in NumPy, float64, written from the papers and with none of the library's code.

It sees the whole text at once: no cache, no blocks, heads repeated, a full matrix of scores.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from strided.llm.config import Config
from strided.llm.weights import Weights

Array = np.ndarray[Any, Any]


def as_float64(x: Any) -> Array:
    """Return a tensor of any float dtype, or quantised blocks, as float64."""
    x = x.dequantize() if hasattr(x, "dequantize") else x
    return x.to(dtype=__import__("strided").float64).numpy()


def _norm(x: Array, weight: Any, eps: float) -> Array:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * as_float64(weight)


def _turned(x: Array, theta: float, interleaved: bool) -> Array:
    """Turn (tokens, heads, d) by position; pairs are halves apart, or neighbours."""
    half = x.shape[-1] // 2
    angle = np.arange(len(x))[:, None, None] * theta ** (-np.arange(half) / half)
    a, b = (x[..., ::2], x[..., 1::2]) if interleaved else (x[..., :half], x[..., half:])
    rotated = a * np.cos(angle) - b * np.sin(angle), b * np.cos(angle) + a * np.sin(angle)
    if interleaved:
        return np.stack(rotated, -1).reshape(x.shape)
    return np.concatenate(rotated, -1)


def logits(config: Config, weights: Weights, tokens: list[int]) -> Array:
    """Return the logits of every token of a text, (tokens, vocabulary)."""
    c, n = config, len(tokens)
    x = as_float64(weights.embed)[tokens]
    place = np.arange(n)
    hidden = place[None] > place[:, None]
    if c.sliding_window is not None:
        hidden |= place[None] <= place[:, None] - c.sliding_window
    for layer in weights.layers:
        h = _norm(x, layer.attn_norm, c.norm_eps)

        def heads(name: str, count: int, h: Array = h, layer: Any = layer) -> Array:
            y = h @ as_float64(getattr(layer, name)).T
            bias = getattr(layer, f"{name}_bias")
            y = y if bias is None else y + as_float64(bias)
            return y.reshape(n, count, c.head_dim)

        q, k, v = heads("q", c.heads), heads("k", c.kv_heads), heads("v", c.kv_heads)
        if c.q_k_norm:
            q, k = _norm(q, layer.q_norm, c.norm_eps), _norm(k, layer.k_norm, c.norm_eps)
        q, k = (_turned(y, c.rope_theta, c.interleaved_rope) for y in (q, k))
        k, v = (np.repeat(y, c.heads // c.kv_heads, axis=1) for y in (k, v))
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(c.head_dim)
        scores = np.where(hidden, -np.inf, scores)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        mixed = np.einsum("hqk,khd->qhd", scores, v).reshape(n, -1)
        x = x + mixed @ as_float64(layer.o).T
        h = _norm(x, layer.mlp_norm, c.norm_eps)
        gate, up = h @ as_float64(layer.gate).T, h @ as_float64(layer.up).T
        x = x + (gate / (1 + np.exp(-gate)) * up) @ as_float64(layer.down).T
    return _norm(x, weights.norm, c.norm_eps) @ as_float64(weights.head).T
