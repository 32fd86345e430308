"""The fields of a Config from the config.json that Hugging Face's transformers write.

rope_theta and rope_scaling stand at the top level, or since transformers 5 inside rope_parameters.
What a forward pass of ours would get wrong is refused here, by its key.
"""

from __future__ import annotations

import json
import os
from typing import Any

import strided
from strided.llm.architectures import architecture_of
from strided.llm.keys import Keys

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
        "q_k_norm": known.q_k_norm,
        "attention_bias": known.bias == "q k v"
        or (known.bias == "all" and keys.flag("attention_bias", False)),
        "sliding_window": _window(keys, architecture),
        "bos": keys.whole("bos_token_id", None),
        "eos": keys.tokens("eos_token_id"),
    }
    beside = os.path.join(os.path.dirname(name), "generation_config.json")
    if os.path.exists(beside):
        fields["eos"] = Keys(read_json(beside), beside).tokens("eos_token_id") or fields["eos"]
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
    inside = keys.values.get("rope_parameters") or {}
    said = Keys({**(keys.values.get("rope_scaling") or {}), **inside}, f"rope of {keys.source}")
    theta = said.real("rope_theta", keys.real("rope_theta", 10000.0))
    kind = said.text("rope_type", said.text("type", "default"))
    if kind == "default":
        return theta, None
    return theta, {"rope_type": kind, **checked_scaling(said, kind)}


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
    kinds = keys.values.get("layer_types")
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
