"""Qwen3, all dense sizes: Llama's layer with an RMSNorm on every query and key head.

Qwen3 Technical Report (2025). The norm comes before the rotation. head_dim does not follow from
hidden / heads.
"""

from __future__ import annotations

from strided import Tensor, nn
from strided.llm.llama import Llama
from strided.llm.weights import Layer


class Qwen3(Llama):
    """A forward pass: logits of the tokens of a step. Copies nothing but rows of the embedding."""

    def _queries(self, h: Tensor, layer: Layer) -> Tensor:
        q = super()._queries(h, layer)
        return nn.rms_norm(q, layer.q_norm, self.config.norm_eps, out=q)

    def _keys(self, h: Tensor, layer: Layer) -> Tensor:
        k = super()._keys(h, layer)
        return nn.rms_norm(k, layer.k_norm, self.config.norm_eps, out=k)
