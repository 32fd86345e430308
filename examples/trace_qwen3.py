"""One decode step of a Qwen3 with random weights, to be run by the tracer:

    strided trace --within decode examples/trace_qwen3.py
    strided trace --within decode --by-module examples/trace_qwen3.py --dtype float32
    strided trace --within decode examples/trace_qwen3.py --cache static    # the hint followed

Needs torch and transformers; nothing is downloaded. The layers are Qwen3's own, only few and small.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from transformers import Cache, DynamicCache, Qwen3Config, Qwen3ForCausalLM, StaticCache


def small_config(layers: int, attention: str) -> Qwen3Config:
    """Return Qwen3's structure (grouped heads, normed queries and keys) in a small size."""
    return Qwen3Config(
        vocab_size=1000,
        hidden_size=256,
        intermediate_size=768,
        num_hidden_layers=layers,
        num_attention_heads=8,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=512,
        attn_implementation=attention,
    )


def empty_cache(kind: str, config: Qwen3Config, length: int) -> Cache:
    """Return a cache of keys and values; a static one has all its rows from the beginning."""
    if kind == "static":
        return StaticCache(config=config, max_cache_len=length)
    return DynamicCache(config=config)


def decode(model: Any, token: torch.Tensor, cache: Cache) -> torch.Tensor:
    """Return the logits of one more token; this is what is traced."""
    return model(input_ids=token, past_key_values=cache, use_cache=True).logits


def main() -> None:
    """Make a model, read a prompt into the cache, decode one token."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dtype", choices=["bfloat16", "float32"], default="bfloat16")
    parser.add_argument("--attention", choices=["sdpa", "eager"], default="sdpa")
    parser.add_argument(
        "--cache",
        choices=["dynamic", "static"],
        default="dynamic",
        help="grown by each token, or allocated first and written into",
    )
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=64, help="tokens in the cache")
    asked = parser.parse_args()

    torch.manual_seed(0)
    model = Qwen3ForCausalLM(small_config(asked.layers, asked.attention))
    model = model.to(getattr(torch, asked.dtype)).eval()
    cache = empty_cache(asked.cache, model.config, asked.prompt + 1)
    with torch.inference_mode():
        prompt = torch.randint(1000, (1, asked.prompt))
        model(input_ids=prompt, past_key_values=cache, use_cache=True)
        logits = decode(model, torch.tensor([[7]]), cache)
    print(f"next token: {logits[0, -1].argmax().item()}, cache: {cache.get_seq_length()} tokens")


if __name__ == "__main__":
    main()
