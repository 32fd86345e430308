"""The fields of a Config from the metadata of a .gguf file (keys by docs/gguf.md of ggml).

Files of architecture llama have the rows of q and k permuted, so that rotated pairs lie side by
side. That is undone by rotating those pairs: nothing is moved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from strided.llm.architectures import architecture_of
from strided.llm.config_json import checked_scaling
from strided.llm.keys import Keys

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
    vocab = len(metadata.get("tokenizer.ggml.tokens") or ())
    end = (keys.tokens(f"tokenizer.ggml.{name}_token_id") for name in ("eos", "eot"))
    return {
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
        "q_k_norm": known.q_k_norm,
        "attention_bias": known.bias == "q k v" or "blk.0.attn_q.bias" in names,
        "sliding_window": own.whole("attention.sliding_window", None),
        "interleaved_rope": known.gguf_interleaved,
        "bos": keys.whole("tokenizer.ggml.bos_token_id", None),
        "eos": tuple(dict.fromkeys(token for tokens in end for token in tokens)),
    }


def _same(own: Keys, key: str, default: int | None = None) -> int:
    """Return a number that may be given once or for each layer, but must be the same for all."""
    value = own.values.get(key)
    if isinstance(value, list) and value:
        if len(set(map(str, value))) > 1:
            own.refuse(key, "must be the same for all layers")
        return Keys({key: value[0]}, own.source).whole(key)
    return own.whole(key) if default is None else own.whole(key, default)


def _scaling(own: Keys) -> dict[str, Any] | None:
    kind = own.text("rope.scaling.type", "none")
    if kind == "none":
        return None
    said = Keys({"factor": own.values.get("rope.scaling.factor")}, _SOURCE)
    return {"rope_type": kind, **checked_scaling(said, kind)}
