"""Model architectures: the table of families, and their forward passes.

Llama's layer (also of SmolLM2, Mistral, Phi-3, and Qwen2, which adds biases to q, k and v): Touvron
et al., LLaMA (2023): RMSNorm before each half of a layer, rotary positions, SwiGLU; grouped heads
as in Ainslie et al., GQA (2023). Qwen3 (technical report, 2025) puts an RMSNorm on every query and
key head, before the rotation. Hidden states are (tokens, hidden), heads (tokens, heads, head_dim);
keys and values are written straight into the cache.

Rotary embeddings: Su et al., RoFormer (2021). Llama 3 scales low frequencies only (its published
configuration: factor, low and high frequency factors, original length); "linear" scales all.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

import strided
from strided import Tensor, float32, nn

if TYPE_CHECKING:
    from strided.llm.config import Config
    from strided.llm.kv_cache import Step
    from strided.llm.weights import Layer, Weights


class RotaryEmbedding:
    """Cosines and sines of a model, by position; ``factors`` divide the frequencies."""

    def __init__(self, config: Config, factors: Tensor | None = None) -> None:
        half = config.head_dim // 2
        frequencies = [config.rope_theta ** (-i / half) for i in range(half)]
        scaled = [_scaled(one, config.rope_scaling or {}) for one in frequencies]
        self._frequencies = strided.tensor(scaled, dtype=strided.float32)
        if factors is not None:
            self._frequencies /= factors

    def at(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, (tokens, head_dim / 2) each."""
        angles = positions.unsqueeze(1) * self._frequencies
        return angles.cos(), angles.sin()


def _scaled(frequency: float, scaling: dict[str, Any]) -> float:
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind == "default":
        return frequency
    factor = float(scaling["factor"])
    if kind == "linear":
        return frequency / factor
    if kind == "llama3":
        length = float(scaling["original_max_position_embeddings"])
        low, high = float(scaling["low_freq_factor"]), float(scaling["high_freq_factor"])
        turns = length * frequency / (2 * math.pi)  # how often it turns in the original length
        if turns > high:
            return frequency
        if turns < low:
            return frequency / factor
        smooth = (turns - low) / (high - low)
        return (1 - smooth) * frequency / factor + smooth * frequency
    raise strided.UnsupportedOperation(
        operation=f"rope_scaling {kind!r}",
        reason="this way of stretching positions is not known",
        hint="use a model with default, linear or llama3 scaling",
    )


class Llama:
    """A forward pass: logits of the tokens of a step. Copies nothing but rows of the embedding."""

    def __init__(self, config: Config, weights: Weights) -> None:
        self.config, self.weights = config, weights
        self._rotary = RotaryEmbedding(config, weights.rope_factors)

    def forward(self, step: Step, first: int = 0) -> Tensor:
        """Return the logits of the tokens from ``first`` on, (T - first, vocabulary) float32."""
        eps, weights = self.config.norm_eps, self.weights
        step.dtype = nn.activation_dtype(weights.layers[0].q, len(step))
        rotation = self._rotary.at(step.positions)
        x = nn.embedding(step.tokens, weights.embed)
        for number, layer in enumerate(weights.layers):
            h = nn.rms_norm(x, x.shape[-1], layer.attn_norm, eps, dtype=step.dtype)
            x = x + self._attention(h, layer, number, step, rotation)
            h = nn.rms_norm(x, x.shape[-1], layer.mlp_norm, eps, dtype=step.dtype)
            x += self._mlp(h, layer, step)
        x = nn.rms_norm(x[first:], x.shape[-1], weights.norm, eps)
        return nn.linear(x, weights.head)

    def _attention(
        self, h: Tensor, layer: Layer, number: int, step: Step, rotation: tuple[Tensor, Tensor]
    ) -> Tensor:
        c = self.config
        keys, values = step.places(number)
        q, k = self._queries(h, layer), self._keys(h, layer)
        nn.rope(q, *rotation, interleaved=c.interleaved_rope, out=q)
        nn.rope(k, *rotation, interleaved=c.interleaved_rope, out=keys, rows=step.rows)
        nn.linear(h, layer.v, layer.v_bias, out=values, rows=step.rows)
        a = nn.attention(q, step.seen(number), window=c.sliding_window, dtype=step.dtype)
        return nn.linear(a.view(-1, c.heads * c.head_dim), layer.o, layer.o_bias, dtype=float32)

    def _queries(self, h: Tensor, layer: Layer) -> Tensor:
        c = self.config
        return nn.linear(h, layer.q, layer.q_bias, dtype=float32).view(-1, c.heads, c.head_dim)

    def _keys(self, h: Tensor, layer: Layer) -> Tensor:
        c = self.config
        return nn.linear(h, layer.k, layer.k_bias, dtype=float32).view(-1, c.kv_heads, c.head_dim)

    def _mlp(self, h: Tensor, layer: Layer, step: Step) -> Tensor:
        gate, up = nn.linear(h, layer.gate, dtype=float32), nn.linear(h, layer.up, dtype=float32)
        return nn.linear(nn.swiglu(gate, up, dtype=step.dtype), layer.down, dtype=float32)


class Qwen3(Llama):
    """A forward pass: logits of the tokens of a step. Copies nothing but rows of the embedding."""

    def _queries(self, h: Tensor, layer: Layer) -> Tensor:
        q = super()._queries(h, layer)
        return nn.rms_norm(q, q.shape[-1], layer.q_norm, self.config.norm_eps, out=q)

    def _keys(self, h: Tensor, layer: Layer) -> Tensor:
        k = super()._keys(h, layer)
        return nn.rms_norm(k, k.shape[-1], layer.k_norm, self.config.norm_eps, out=k)


class Architecture(NamedTuple):
    """What the name of a family settles.

    ``forward``: its forward pass. ``q_k_norm``: heads of q and k are normalised before they are
    rotated. ``bias``: which of q, k, v and o have biases: "none"; "all" if the configuration says
    so; "q k v", though it says nothing. ``gguf_interleaved``: converters to .gguf permute the rows
    of q and k, so that rotated pairs lie side by side.
    """

    forward: type[Llama]
    q_k_norm: bool = False
    bias: str = "none"
    gguf_interleaved: bool = False


ARCHITECTURES = {
    "llama": Architecture(Llama, bias="all", gguf_interleaved=True),
    "mistral": Architecture(Llama, gguf_interleaved=True),
    "phi3": Architecture(Llama),
    "qwen2": Architecture(Llama, bias="q k v"),
    "qwen3": Architecture(Qwen3, q_k_norm=True, bias="all"),
}


def architecture_of(name: str) -> Architecture:
    """Return what a family is like, or refuse one that is not known.

    >>> architecture_of("qwen3").q_k_norm
    True
    """
    if name not in ARCHITECTURES:
        raise strided.UnsupportedOperation(
            operation=f"running the architecture {name[:60]!r}",
            reason=f"the known ones are {', '.join(ARCHITECTURES)}",
            hint="take a model of one of them",
        )
    return ARCHITECTURES[name]
