"""Configurations from config.json (Hugging Face) and from the metadata of a .gguf file.

In a config.json of transformers, rope_theta and rope_scaling stand at the top level, or since
transformers 5 inside rope_parameters. What a forward pass of ours would get wrong is refused here,
by its key, and so is every key that is not known. Keys of .gguf metadata: docs/gguf.md of ggml.
Files of architecture llama have the rows of q and k permuted, so that rotated pairs lie side by
side. That is undone by rotating those pairs: nothing is moved.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Collection, Mapping
from typing import Any

import strided
from strided.llm.architectures import architecture_of
from strided.llm.config_keys import (
    GGUF_HARMLESS,
    GGUF_NEUTRAL,
    JSON_HARMLESS,
    JSON_NEUTRAL,
    ROPE_NEUTRAL,
    Keys,
)

_SCALINGS = {
    "linear": ("factor",),
    "llama3": (
        "factor",
        "low_freq_factor",
        "high_freq_factor",
        "original_max_position_embeddings",
    ),
}


def fields_of_json(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the fields of a Config by name, from a config.json or the directory that has one."""
    name = os.fsdecode(path)
    if os.path.isdir(name):
        name = os.path.join(name, "config.json")
    keys = Keys(read_json(name), name)
    architecture = keys.text("model_type", "")
    known = architecture_of(architecture)
    if keys.text("hidden_act", "silu") not in ("silu", "swish"):
        keys.refuse("hidden_act", "must be silu: no other activation is computed")
    if keys.flag("mlp_bias", False):
        keys.refuse("mlp_bias", "must be false: the feed-forward layers have no biases")
    if keys.real("partial_rotary_factor", 1.0) != 1.0:
        keys.refuse("partial_rotary_factor", "must be 1: heads are rotated whole")
    hidden, heads = keys.whole("hidden_size"), keys.whole("num_attention_heads")
    keys.get("attention_bias")  # of some families alone
    theta, scaling = _rope(keys)
    fields = {
        "architecture": architecture,
        "hidden": hidden,
        "layers": keys.whole("num_hidden_layers"),
        "heads": heads,
        "kv_heads": keys.whole("num_key_value_heads", heads),
        "head_dim": keys.whole("head_dim", hidden // max(heads, 1)),
        "intermediate": keys.whole("intermediate_size"),
        "vocab": keys.whole("vocab_size"),
        "context": keys.whole("max_position_embeddings", 4096),
        "rope_theta": theta,
        "rope_scaling": scaling,
        "norm_eps": keys.real("rms_norm_eps", 1e-6),
        "tied_embeddings": keys.flag("tie_word_embeddings", False),
        "attention_bias": known.bias == "q k v"
        or (known.bias == "all" and keys.flag("attention_bias", False)),
        "sliding_window": _window(keys, architecture),
        "bos": keys.whole("bos_token_id", None),
        "eos": keys.tokens("eos_token_id"),
    }
    beside = os.path.join(os.path.dirname(name), "generation_config.json")
    if os.path.exists(beside):
        fields["eos"] = Keys(read_json(beside), beside).tokens("eos_token_id") or fields["eos"]
    keys.refuse_the_rest(JSON_HARMLESS, JSON_NEUTRAL)
    return fields


def read_json(path: str) -> dict[str, Any]:
    """Return the object in a JSON file."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read().decode("utf-8"))
    except OSError as error:
        raise strided.FileUnusable(path=path, reason=error.strerror or str(error)) from error
    except (ValueError, RecursionError) as error:
        at = error.pos if isinstance(error, json.JSONDecodeError) else 0
        raise strided.FileMalformed(path=path, position=at, reason=f"no JSON: {error}") from error
    if not isinstance(found, dict):
        raise strided.FileMalformed(path=path, position=0, reason="it must be an object")
    return found


def _rope(keys: Keys) -> tuple[float, dict[str, Any] | None]:
    """Return the base of the angles, and how they are scaled."""
    for key in ("rope_parameters", "rope_scaling"):
        if key in keys and not isinstance(keys.values[key], dict):
            keys.refuse(key, "must be an object")
    inside = keys.get("rope_parameters") or {}
    if any(isinstance(value, dict) for value in inside.values()):
        keys.refuse("rope_parameters", "must be the same for all kinds of layers")
    said = Keys({**(keys.get("rope_scaling") or {}), **inside}, f"rope of {keys.source}")
    theta = said.real("rope_theta", keys.real("rope_theta", 10000.0))
    kind = said.text("type", "default")
    kind = said.text("rope_type", kind)
    scaling = None if kind == "default" else {"rope_type": kind, **checked_scaling(said, kind)}
    # Lengths that a way of scaling does not ask for are remarks.
    remarks = {"original_max_position_embeddings", "max_position_embeddings"}
    said.refuse_the_rest(remarks, ROPE_NEUTRAL)
    return theta, scaling


def checked_scaling(said: Keys, kind: str) -> dict[str, float]:
    """Return the numbers that a way of scaling angles needs; refuse ways that are not computed."""
    if kind not in _SCALINGS:
        raise strided.UnsupportedOperation(
            operation=f"scaling rotary positions by {kind!r}",
            reason=f"{said.source} asks for it",
            hint=f"take a model with {' or '.join(_SCALINGS)} scaling, or with none",
        )
    found = {}
    for key in _SCALINGS[kind]:
        found[key] = said.real(key, 0.0)
        if not found[key] > 0:
            said.refuse(key, "must be a number above 0")
    return found


def _window(keys: Keys, architecture: str) -> int | None:
    """Return the window of attention that all layers have; layers that differ are refused."""
    kinds = keys.get("layer_types")
    for key in ("use_sliding_window", "max_window_layers", "sliding_window"):
        keys.get(key)  # without them, or where they are switched off, there is no window
    if isinstance(kinds, list) and kinds:
        if any(kind not in ("full_attention", "sliding_attention") for kind in kinds):
            keys.refuse("layer_types", "must be of full_attention or sliding_attention")
        if len(set(kinds)) > 1:
            keys.refuse("layer_types", "must be the same for all layers")
        return keys.whole("sliding_window") if kinds[0] == "sliding_attention" else None
    if architecture.startswith("qwen"):
        if not keys.flag("use_sliding_window", False):
            return None
        first, layers = keys.whole("max_window_layers", 0), keys.whole("num_hidden_layers")
        if first >= layers:
            return None
        if first > 0:
            keys.refuse("max_window_layers", "must be 0: all layers have the same window")
    return keys.whole("sliding_window", None)


_SOURCE = "the metadata"


def fields_of_gguf(metadata: Mapping[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Return the fields of a Config by name."""
    keys = Keys(metadata, _SOURCE)
    architecture = keys.text("general.architecture", "")
    known = architecture_of(architecture)
    inside = f"{architecture}."
    own = Keys(
        {key.removeprefix(inside): v for key, v in metadata.items() if key.startswith(inside)},
        _SOURCE,
    )
    hidden, heads = own.whole("embedding_length"), _same(own, "attention.head_count")
    head_dim = own.whole("attention.key_length", hidden // max(heads, 1))
    if own.whole("attention.value_length", head_dim) != head_dim:
        own.refuse("attention.value_length", f"must be {head_dim}, the length of keys")
    if own.whole("rope.dimension_count", head_dim) != head_dim:
        own.refuse("rope.dimension_count", f"must be {head_dim}: heads are rotated whole")
    scale = 1 / math.sqrt(max(head_dim, 1))
    if not math.isclose(own.real("attention.scale", scale), scale, rel_tol=1e-5):
        own.refuse("attention.scale", f"must be {scale:.6g}, 1 / sqrt({head_dim})")
    vocab = len(metadata.get("tokenizer.ggml.tokens") or ())
    end = (keys.tokens(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "eot"))
    fields = {
        "architecture": architecture,
        "hidden": hidden,
        "layers": own.whole("block_count"),
        "heads": heads,
        "kv_heads": _same(own, "attention.head_count_kv", heads),
        "head_dim": head_dim,
        "intermediate": _same(own, "feed_forward_length"),
        "vocab": own.whole("vocab_size", vocab) if vocab else own.whole("vocab_size"),
        "context": own.whole("context_length", 4096),
        "rope_theta": own.real("rope.freq_base", 10000.0),
        "rope_scaling": _scaling(own),
        "norm_eps": own.real("attention.layer_norm_rms_epsilon", 1e-6),
        "tied_embeddings": bool(names) and "output.weight" not in names,
        "attention_bias": known.bias == "q k v" or "blk.0.attn_q.bias" in names,
        "sliding_window": own.whole("attention.sliding_window", None) or None,  # 0: there is none
        "interleaved_rope": known.gguf_interleaved,
        "bos": keys.whole("tokenizer.ggml.bos_token_id", None),
        "eos": tuple(dict.fromkeys(token for tokens in end for token in tokens)),
    }
    own.refuse_the_rest(GGUF_HARMLESS, GGUF_NEUTRAL)
    return fields


def _same(own: Keys, key: str, default: int | None = None) -> int:
    """Return a number that may be given once or for each layer, but must be the same for all."""
    value = own.get(key)
    if isinstance(value, list) and value:
        if len(set(map(str, value))) > 1:
            own.refuse(key, "must be the same for all layers")
        return Keys({key: value[0]}, own.source).whole(key)
    return own.whole(key) if default is None else own.whole(key, default)


def _scaling(own: Keys) -> dict[str, Any] | None:
    kind, factor = own.text("rope.scaling.type", "none"), own.get("rope.scaling.factor")
    if kind == "none":
        return None
    said = Keys({"factor": factor}, _SOURCE)
    return {"rope_type": kind, **checked_scaling(said, kind)}
