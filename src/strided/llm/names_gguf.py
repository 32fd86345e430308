"""What weights are called in .gguf files, and the weights of such a file."""

from __future__ import annotations

import strided
from strided.llm.assemble import Names, Stock, assemble
from strided.llm.config import Config
from strided.llm.keys import Keys
from strided.llm.weight_parts import Weights

GGUF_NAMES = Names(
    model={
        "embed": "token_embd.weight",
        "norm": "output_norm.weight",
        "head": "output.weight",
    },
    layer={
        "attn_norm": "blk.{}.attn_norm.weight",
        "q": "blk.{}.attn_q.weight",
        "k": "blk.{}.attn_k.weight",
        "v": "blk.{}.attn_v.weight",
        "o": "blk.{}.attn_output.weight",
        "q_bias": "blk.{}.attn_q.bias",
        "k_bias": "blk.{}.attn_k.bias",
        "v_bias": "blk.{}.attn_v.bias",
        "o_bias": "blk.{}.attn_output.bias",
        "q_norm": "blk.{}.attn_q_norm.weight",
        "k_norm": "blk.{}.attn_k_norm.weight",
        "mlp_norm": "blk.{}.ffn_norm.weight",
        "gate": "blk.{}.ffn_gate.weight",
        "up": "blk.{}.ffn_up.weight",
        "down": "blk.{}.ffn_down.weight",
    },
    fused={
        "blk.{}.attn_qkv.weight": ("q", "k", "v"),
        "blk.{}.attn_qkv.bias": ("q_bias", "k_bias", "v_bias"),
        "blk.{}.ffn_up.weight": ("gate", "up"),
    },
    ignored=(".rot_embd", ".attn_rot_embd"),
)
_ROPE_FACTORS = "rope_freqs.weight"


def gguf_weights(path: str) -> Weights:
    """Return the weights of a .gguf file. Views of the file, quantised blocks as they are."""
    file = strided.open_gguf(path)
    if Keys(file.metadata, path).whole("split.count", 1) > 1:
        raise strided.FileUnusable(
            path=path, reason="it is one part of a split model: merge the parts into one file first"
        )
    config = Config.from_gguf(file.metadata, names=file.tensors.keys())
    stock = Stock(file.tensors, dict.fromkeys(file.tensors, path), path)
    factors = None
    if _ROPE_FACTORS in file.tensors:
        factors = stock.take(_ROPE_FACTORS, (config.head_dim // 2,))
    return assemble(config, GGUF_NAMES, stock, rope_factors=factors, metadata=file.metadata)
