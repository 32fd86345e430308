"""Writes small models as Hugging Face directories and as .gguf files, each tensor by its name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from support.file_bytes import gguf

import strided

# hidden, layers, heads, kv_heads, head_dim, intermediate, vocab: all different, none implied.
SIZES = {"hidden": 64, "heads": 4, "kv": 2, "d": 32, "inner": 96, "vocab": 50, "layers": 3}
JSON = {
    "model_type": "qwen3",
    "hidden_size": 64,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 32,
    "intermediate_size": 96,
    "vocab_size": 50,
    "max_position_embeddings": 512,
    "rms_norm_eps": 1e-5,
    "rope_theta": 1e6,
    "tie_word_embeddings": False,
    "hidden_act": "silu",
}
METADATA = {
    "block_count": 3,
    "embedding_length": 64,
    "attention.head_count": 4,
    "attention.head_count_kv": 2,
    "attention.key_length": 32,
    "attention.value_length": 32,
    "feed_forward_length": 96,
    "context_length": 512,
    "attention.layer_norm_rms_epsilon": 1e-5,
    "rope.freq_base": 1e6,
}


def metadata(architecture: str, **more: Any) -> dict[str, Any]:
    """Return the metadata of a .gguf file; ``more`` has full keys."""
    own = {f"{architecture}.{key}": value for key, value in METADATA.items()}
    words = [f"word {i}" for i in range(50)]
    return {
        "general.architecture": architecture,
        **own,
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.eos_token_id": 2,
        **more,
    }


def _arrays(shapes: dict[str, tuple[int, ...]]) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    return {name: rng.standard_normal(shape).astype("<f4") for name, shape in shapes.items()}


def hugging_face(
    family: str, *, fused: bool = False, tied: bool = False, bias: bool = False
) -> dict[str, np.ndarray]:
    """Return the tensors of a model by their names in a directory of Hugging Face."""
    shapes: dict[str, tuple[int, ...]] = {
        "model.embed_tokens.weight": (50, 64),
        "model.norm.weight": (64,),
    }
    if not tied:
        shapes["lm_head.weight"] = (50, 64)
    for i in range(3):
        layer = f"model.layers.{i}."
        shapes[layer + "input_layernorm.weight"] = (64,)
        shapes[layer + "post_attention_layernorm.weight"] = (64,)
        rows = {"qkv_proj": 256} if fused else {"q_proj": 128, "k_proj": 64, "v_proj": 64}
        for name, count in rows.items():
            shapes[f"{layer}self_attn.{name}.weight"] = (count, 64)
            if bias or family == "qwen2":
                shapes[f"{layer}self_attn.{name}.bias"] = (count,)
        shapes[layer + "self_attn.o_proj.weight"] = (64, 128)
        if bias and family != "qwen2":
            shapes[layer + "self_attn.o_proj.bias"] = (64,)
        if family == "qwen3":
            shapes[layer + "self_attn.q_norm.weight"] = (32,)
            shapes[layer + "self_attn.k_norm.weight"] = (32,)
        for name, count in ({"gate_up": 192} if fused else {"gate": 96, "up": 96}).items():
            shapes[f"{layer}mlp.{name}_proj.weight"] = (count, 64)
        shapes[layer + "mlp.down_proj.weight"] = (64, 96)
    return _arrays(shapes)


def write_directory(
    folder: Path, tensors: dict[str, np.ndarray], shards: int = 1, **config: Any
) -> Path:
    """Write a directory of Hugging Face; changes to its config.json are given by key."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps({**JSON, **config}))
    if shards == 1:
        strided.save_safetensors(tensors, folder / "model.safetensors")
        return folder
    places = {}
    for i in range(shards):
        file = f"model-{i + 1:05}-of-{shards:05}.safetensors"
        part = dict(list(tensors.items())[i::shards])
        strided.save_safetensors(part, folder / file)
        places.update(dict.fromkeys(part, file))
    index = {"metadata": {"total_size": 0}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    return folder


def gguf_tensors(
    family: str, *, tied: bool = False, kind: str = "F32", fused: bool = False
) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """Return the tensors of a model by their names in a .gguf file; matrices are of one kind."""
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (50, 64),
        "output_norm.weight": (64,),
    }
    if not tied:
        shapes["output.weight"] = (50, 64)
    for i in range(3):
        block = f"blk.{i}."
        shapes[block + "attn_norm.weight"] = shapes[block + "ffn_norm.weight"] = (64,)
        rows = {"attn_qkv": 256} if fused else {"attn_q": 128, "attn_k": 64, "attn_v": 64}
        for name, count in rows.items():
            shapes[f"{block}{name}.weight"] = (count, 64)
            if family == "qwen2":
                shapes[f"{block}{name}.bias"] = (count,)
        shapes[block + "attn_output.weight"] = (64, 128)
        if family == "qwen3":
            shapes[block + "attn_q_norm.weight"] = shapes[block + "attn_k_norm.weight"] = (32,)
        for name, count in ({"ffn_up": 192} if fused else {"ffn_gate": 96, "ffn_up": 96}).items():
            shapes[f"{block}{name}.weight"] = (count, 64)
        shapes[block + "ffn_down.weight"] = (64, 96)
    found = {}
    for name, array in _arrays(shapes).items():
        if kind == "Q8_0" and array.ndim == 2:
            raw = np.zeros((array.size // 32, 34), "u1").tobytes()
            found[name] = (kind, array.shape, raw)
        else:
            found[name] = ("F32", array.shape, array.tobytes())
    return found


def write_gguf(path: Path, family: str, **options: Any) -> Path:
    """Write a .gguf file."""
    path.write_bytes(gguf(metadata(family), gguf_tensors(family, **options)))
    return path
