"""Keys of configurations: read by type, and none passed over that could change a result."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import isfinite
from typing import Any, NoReturn, overload

import strided


class Keys:
    """The keys of a configuration; a value of another type than asked for is refused by name.

    >>> Keys({"layers": 2}, "config.json").whole("layers")
    2
    """

    def __init__(self, values: Mapping[str, Any], source: str) -> None:
        self.values, self.source = values, source
        self.read: set[str] = set()  # what somebody asked for

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def get(self, key: str) -> Any:
        """Return a value as it stands, None where there is none."""
        self.read.add(key)
        return self.values.get(key)

    def refuse(self, key: str, requirement: str) -> NoReturn:
        """Raise InvalidArgument about a key."""
        got = repr(self.values[key])[:60] if key in self.values else "missing"
        raise strided.InvalidArgument(
            argument=f"{key} in {self.source}", got=got, requirement=requirement
        )

    @overload
    def whole(self, key: str, /) -> int: ...
    @overload
    def whole(self, key: str, default: None, /) -> int | None: ...
    @overload
    def whole(self, key: str, default: int, /) -> int: ...
    def whole(self, key: str, /, *default: int | None) -> int | None:
        """Return a whole number."""
        if key not in self and default:
            return default[0]
        value = self.get(key)
        if type(value) is not int:
            self.refuse(key, "must be a whole number")
        return value

    def real(self, key: str, default: float) -> float:
        """Return a number."""
        if key not in self:
            return default
        value = self.get(key)
        if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
            self.refuse(key, "must be a finite number")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return True or False."""
        if key not in self:
            return default
        value = self.get(key)
        if type(value) is not bool:
            self.refuse(key, "must be true or false")
        return value

    def text(self, key: str, default: str) -> str:
        """Return a text."""
        if key not in self:
            return default
        value = self.get(key)
        if not isinstance(value, str):
            self.refuse(key, "must be a text")
        return value

    def tokens(self, key: str) -> tuple[int, ...]:
        """Return the numbers of tokens: one number, a list of them, or nothing."""
        if key not in self:
            return ()
        value = self.get(key)
        found = value if isinstance(value, list) else [value]
        if not all(type(token) is int and token >= 0 for token in found):
            self.refuse(key, "must be the number of a token, or a list of them")
        return tuple(dict.fromkeys(found))

    def refuse_the_rest(self, harmless: Collection[str], neutral: Mapping[str, Any]) -> None:
        """Refuse every key that nobody asked for, and that is not known to change nothing.

        ``harmless`` keys change nothing, whatever they say; ``neutral`` ones do not while they have
        one of these values.

        >>> Keys({"layers": 2, "version": "5"}, "config.json").refuse_the_rest({"version"}, {})
        Traceback (most recent call last):
        strided.errors.InvalidArgument: layers in config.json is 2
          requirement: is not known to the forward pass; take it out if it changes nothing
        """
        for key in sorted(self.values.keys() - self.read):
            value = self.values[key]
            if value is None or key in harmless or key.startswith(("_", "unsloth")):
                continue
            if key in neutral:
                accepted = neutral[key] if isinstance(neutral[key], tuple) else (neutral[key],)
                if any(value == one and type(value) is type(one) for one in accepted):
                    continue
                shown = " or ".join(map(str, accepted))
                self.refuse(key, f"must be {shown}: nothing else is computed")
            self.refuse(key, "is not known to the forward pass; take it out if it changes nothing")


# ---- keys that change no logits ----


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# In a config.json: what transformers writes into every one, and what is for training or sampling.
JSON_HARMLESS = _words(
    """architectures attention_dropout auto_map bad_words_ids begin_suppress_tokens
    chunk_size_feed_forward classifier_dropout cls_token_id decoder_start_token_id do_sample
    diversity_penalty dtype early_stopping embd_pdrop encoder_no_repeat_ngram_size
    exponential_decay_length_penalty finetuning_task forced_bos_token_id forced_eos_token_id
    gradient_checkpointing hidden_dropout id2label initializer_range
    keys_to_ignore_at_inference label2id language length_penalty max_length min_length
    no_repeat_ngram_size num_beam_groups num_beams num_return_sequences output_attentions
    output_hidden_states output_scores original_max_position_embeddings pad_token_id prefix
    problem_type remove_invalid_values repetition_penalty resid_pdrop return_dict
    return_dict_in_generate sep_token_id suppress_tokens task_specific_params temperature
    tie_encoder_decoder tokenizer_class top_k top_p torch_dtype torchscript
    transformers_version typical_p unk_token_id use_cache use_return_dict use_mrope"""
)
JSON_NEUTRAL: dict[str, Any] = {
    "add_cross_attention": False,
    "head_bias": False,
    "is_decoder": (False, True),
    "is_encoder_decoder": False,
    "pretraining_tp": 1,
    "pruned_heads": ({},),
    "tie_weights_keys": ([],),
    "use_bfloat16": False,
    "use_qkv_bias": True,
}
# Of what says how rotary positions are scaled.
ROPE_NEUTRAL: dict[str, Any] = {
    "partial_rotary_factor": (1.0, 1),
    "attention_factor": (1.0, 1),
    "mrope_section": ([],),
}
# In the metadata of a .gguf file, behind the name of the architecture.
GGUF_HARMLESS = _words(
    """rope.scaling.original_context_length rope.scaling.finetuned tensor_data_layout
    attention.layer_norm_epsilon"""
)
GGUF_NEUTRAL: dict[str, Any] = {
    "attention.causal": True,
    "attention.clamp_kqv": 0.0,
    "attention.max_alibi_bias": 0.0,
    "attn_logit_softcapping": 0.0,
    "embedding_scale": 1.0,
    "expert_count": 0,
    "expert_used_count": 0,
    "final_logit_softcapping": 0.0,
    "logit_scale": (1.0, 0.0),
    "pooling_type": 0,
    "residual_scale": 1.0,
    "rope.scale_linear": 1.0,
    "rope.scaling.attn_factor": 1.0,
    "use_parallel_residual": False,
}
