"""The Llama family: Llama, SmolLM2, Mistral, Phi-3, and Qwen2, which adds biases to q, k and v.

Touvron et al., LLaMA (2023): RMSNorm before each half of a layer, rotary positions, SwiGLU; grouped
heads as in Ainslie et al., GQA (2023). Hidden states are (tokens, hidden), heads (tokens, heads,
head_dim); keys and values are written straight into the cache.
"""

from __future__ import annotations

from strided import Tensor, float32, nn
from strided.llm.config import Config
from strided.llm.rotation import Rotation
from strided.llm.step import Step
from strided.llm.weights import Layer, Weights


class Llama:
    """A forward pass: logits of the tokens of a step. Copies nothing but rows of the embedding."""

    def __init__(self, config: Config, weights: Weights) -> None:
        self.config, self.weights = config, weights
        self._rotation = Rotation(config, weights.rope_factors)

    def forward(self, step: Step, first: int = 0) -> Tensor:
        """Return the logits of the tokens from ``first`` on, (T - first, vocabulary) float32."""
        eps, weights = self.config.norm_eps, self.weights
        step.dtype = nn.activation_dtype(weights.layers[0].q, len(step))
        turns = self._rotation.at(step.positions)
        x = nn.embedding(step.tokens, weights.embed)
        for number, layer in enumerate(weights.layers):
            h = nn.rms_norm(x, layer.attn_norm, eps, dtype=step.dtype)
            x = x + self._attention(h, layer, number, step, turns)
            h = nn.rms_norm(x, layer.mlp_norm, eps, dtype=step.dtype)
            x += self._mlp(h, layer, step)
        x = nn.rms_norm(x[first:], weights.norm, eps)
        return nn.linear(x, weights.head)

    def _attention(
        self, h: Tensor, layer: Layer, number: int, step: Step, turns: tuple[Tensor, Tensor]
    ) -> Tensor:
        c = self.config
        keys, values = step.places(number)
        q, k = self._queries(h, layer), self._keys(h, layer)
        nn.rope(q, *turns, interleaved=c.interleaved_rope, out=q)
        nn.rope(k, *turns, interleaved=c.interleaved_rope, out=keys, rows=step.rows)
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
