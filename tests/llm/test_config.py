"""strided.llm.Config: from config.json, from .gguf metadata, by name; and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tiny_models import JSON, metadata

import strided
from strided.llm import PRESETS, Config

LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}


def from_json(folder: Path, *left_out: str, **changes: Any) -> Config:
    said = {key: value for key, value in {**JSON, **changes}.items() if key not in left_out}
    path = folder / "config.json"
    path.write_text(json.dumps(said))
    return Config.from_json(path)


# ---- config.json ----


def test_all_fields(tmp_path: Path) -> None:
    assert from_json(tmp_path, bos_token_id=1, eos_token_id=[2, 3, 2]) == Config(
        architecture="qwen3",
        hidden=64,
        layers=3,
        heads=4,
        kv_heads=2,
        head_dim=32,
        intermediate=96,
        vocab=50,
        context=512,
        rope_theta=1e6,
        norm_eps=1e-5,
        bos=1,
        eos=(2, 3),
    )


@pytest.mark.parametrize(
    ("left_out", "changes", "expected"),
    [
        ((), {"head_dim": None}, {"head_dim": 16}),
        (("head_dim", "num_key_value_heads"), {}, {"head_dim": 16, "kv_heads": 4}),
        (("rope_theta",), {}, {"rope_theta": 10000.0}),
        (("rope_theta",), {"rope_parameters": {"rope_theta": 5e5}}, {"rope_theta": 5e5}),
        ((), {"rope_parameters": {"rope_theta": 5e5, "rope_type": "default"}}, {"rope_theta": 5e5}),
        ((), {"rope_scaling": None}, {"rope_scaling": None}),
        (
            (),
            {"rope_scaling": {"type": "linear", "factor": 4}},
            {"rope_scaling": {"rope_type": "linear", "factor": 4.0}},
        ),
        (
            (),
            {"rope_scaling": {"rope_type": "llama3", **LLAMA3}},
            {"rope_scaling": {"rope_type": "llama3", **LLAMA3}},
        ),
        (
            ("rope_theta",),
            {"rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5, **LLAMA3}},
            {"rope_scaling": {"rope_type": "llama3", **LLAMA3}, "rope_theta": 5e5},
        ),
        ((), {"tie_word_embeddings": True}, {"tied_embeddings": True}),
        ((), {"model_type": "qwen2"}, {"attention_bias": True, "q_k_norm": False}),
        ((), {"attention_bias": True}, {"attention_bias": True, "q_k_norm": True}),
        ((), {"model_type": "llama"}, {"attention_bias": False, "q_k_norm": False}),
        # The models of Qwen name a window that they do not use.
        ((), {"sliding_window": 128}, {"sliding_window": None}),
        ((), {"sliding_window": 128, "use_sliding_window": False}, {"sliding_window": None}),
        (
            (),
            {"sliding_window": 128, "use_sliding_window": True, "max_window_layers": 0},
            {"sliding_window": 128},
        ),
        (
            (),
            {"sliding_window": 128, "use_sliding_window": True, "max_window_layers": 3},
            {"sliding_window": None},
        ),
        ((), {"model_type": "mistral", "sliding_window": 128}, {"sliding_window": 128}),
        ((), {"model_type": "mistral", "sliding_window": None}, {"sliding_window": None}),
        (
            (),
            {"layer_types": ["sliding_attention"] * 3, "sliding_window": 9},
            {"sliding_window": 9},
        ),
        (
            (),
            {"layer_types": ["full_attention"] * 3, "sliding_window": 9},
            {"sliding_window": None},
        ),
        ((), {"eos_token_id": 7}, {"eos": (7,)}),
        ((), {"eos_token_id": None}, {"eos": ()}),
    ],
)
def test_variants(
    left_out: tuple[str, ...], changes: dict[str, Any], expected: dict[str, Any], tmp_path: Path
) -> None:
    config = from_json(tmp_path, *left_out, **changes)
    assert {name: getattr(config, name) for name in expected} == expected
    assert not config.interleaved_rope


def test_generation_config_has_the_last_word(tmp_path: Path) -> None:
    beside = tmp_path / "generation_config.json"
    beside.write_text(json.dumps({"eos_token_id": [5, 6]}))
    assert from_json(tmp_path, eos_token_id=2).eos == (5, 6)
    beside.write_text(json.dumps({"temperature": 0.6}))
    assert Config.from_json(tmp_path).eos == (2,)  # the directory names its config.json


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"hidden_size": "64"}, "hidden_size"),
        ({"hidden_size": None}, "hidden_size"),
        ({"num_hidden_layers": True}, "num_hidden_layers"),
        ({"num_attention_heads": 0}, "heads"),
        ({"hidden_size": -64, "head_dim": None}, "hidden"),
        ({"vocab_size": 1 << 40}, "vocab"),
        ({"num_key_value_heads": 3}, "kv_heads"),
        ({"num_key_value_heads": 0}, "kv_heads"),
        ({"head_dim": 31}, "head_dim"),
        ({"rms_norm_eps": "small"}, "rms_norm_eps"),
        ({"rms_norm_eps": -1.0}, "norm_eps"),
        ({"rope_theta": 0}, "rope_theta"),
        ({"rope_theta": float("nan")}, "rope_theta"),
        ({"rope_scaling": 3}, "rope_scaling"),
        ({"rope_scaling": {"type": "linear"}}, "factor"),
        ({"rope_scaling": {"type": "linear", "factor": 0}}, "factor"),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, "low_freq_factor"),
        ({"tie_word_embeddings": 1}, "tie_word_embeddings"),
        ({"hidden_act": "gelu"}, "hidden_act"),
        ({"mlp_bias": True}, "mlp_bias"),
        ({"partial_rotary_factor": 0.5}, "partial_rotary_factor"),
        ({"sliding_window": 0, "model_type": "mistral"}, "sliding_window"),
        ({"layer_types": ["full_attention", "sliding_attention"]}, "layer_types"),
        ({"layer_types": ["linear_attention"]}, "layer_types"),
        ({"use_sliding_window": True, "max_window_layers": 1}, "max_window_layers"),
        ({"eos_token_id": ["a"]}, "eos_token_id"),
        ({"eos_token_id": -1}, "eos_token_id"),
        ({"bos_token_id": -1}, "bos"),
        # Keys that change logits, and keys that nobody knows.
        ({"rope_parameters": {"partial_rotary_factor": 0.5}}, "partial_rotary_factor"),
        ({"rope_parameters": {"full_attention": {"rope_theta": 1e6}}}, "rope_parameters"),
        ({"rope_parameters": {"rope_theta": 1e6, "rotate": 2}}, "rotate"),
        ({"rope_scaling": {"type": "default", "attention_factor": 1.3}}, "attention_factor"),
        ({"quantization_config": {"bits": 4}}, "quantization_config"),
        ({"attn_logit_softcapping": 30.0}, "attn_logit_softcapping"),
        ({"pretraining_tp": 2}, "pretraining_tp"),
    ],
)
def test_refused_by_key(changes: dict[str, Any], named: str, tmp_path: Path) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        from_json(tmp_path, **changes)
    assert caught.value.argument.split(" in ")[0] == named


def test_keys_that_change_nothing_are_passed_over(tmp_path: Path) -> None:
    written = {"transformers_version": "5", "use_cache": True, "unsloth_fixed": True, "_note": 1}
    sampling = {"temperature": 0.7, "pretraining_tp": 1, "torch_dtype": "bfloat16", "prefix": None}
    assert from_json(tmp_path, **written, **sampling) == from_json(tmp_path)


@pytest.mark.parametrize("kind", ["yarn", "dynamic", "longrope"])
def test_other_scalings_are_refused_by_name(kind: str, tmp_path: Path) -> None:
    with pytest.raises(strided.UnsupportedOperation) as caught:
        from_json(tmp_path, rope_scaling={"rope_type": kind, "factor": 4.0})
    assert kind in caught.value.operation


@pytest.mark.parametrize("family", ["gemma3", "qwen3_moe", ""])
def test_unknown_families_name_the_known_ones(family: str, tmp_path: Path) -> None:
    with pytest.raises(strided.UnsupportedOperation) as caught:
        from_json(tmp_path, model_type=family)
    assert all(name in caught.value.reason for name in ("qwen3", "qwen2", "llama", "mistral"))
    with pytest.raises(strided.UnsupportedOperation):
        Config.from_gguf({"general.architecture": family})


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"a":' * 100_000, b"NaN"])
def test_files_that_are_no_json_object(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(strided.FileMalformed):
        Config.from_json(path)
    with pytest.raises(strided.FileUnusable):
        Config.from_json(tmp_path / "none.json")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=3),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(st.dictionaries(st.sampled_from([*JSON, "rope_scaling", "layer_types"]), VALUES))
def test_any_values_give_a_config_or_a_refusal(tmp_path_factory: Any, changes: Any) -> None:
    folder = tmp_path_factory.getbasetemp()
    try:
        config = from_json(folder, **changes)
    except strided.StridedError:
        return
    assert config.parameters > 0


# ---- .gguf ----


def test_fields_from_metadata() -> None:
    config = Config.from_gguf(metadata("qwen3", **{"tokenizer.ggml.bos_token_id": 1}))
    assert config == Config(
        architecture="qwen3",
        hidden=64,
        layers=3,
        heads=4,
        kv_heads=2,
        head_dim=32,
        intermediate=96,
        vocab=50,
        context=512,
        rope_theta=1e6,
        norm_eps=1e-5,
        bos=1,
        eos=(2,),
    )
    assert config.q_k_norm


@pytest.mark.parametrize(
    ("family", "names", "more", "expected"),
    [
        ("llama", (), {}, {"interleaved_rope": True, "attention_bias": False}),
        ("qwen2", (), {}, {"interleaved_rope": False, "attention_bias": True}),
        ("llama", ("blk.0.attn_q.bias",), {}, {"attention_bias": True}),
        ("llama", ("output.weight",), {}, {"tied_embeddings": False}),
        ("llama", ("token_embd.weight",), {}, {"tied_embeddings": True}),
        ("llama", (), {"llama.vocab_size": 64}, {"vocab": 64}),
        ("llama", (), {"llama.attention.head_count_kv": [2, 2, 2]}, {"kv_heads": 2}),
        ("llama", (), {"tokenizer.ggml.eot_token_id": 9}, {"eos": (2, 9)}),
        ("llama", (), {"tokenizer.ggml.eot_token_id": 2}, {"eos": (2,)}),
        ("llama", (), {"llama.rope.scaling.type": "none"}, {"rope_scaling": None}),
        (
            "llama",
            (),
            {"llama.rope.scaling.type": "linear", "llama.rope.scaling.factor": 2.0},
            {"rope_scaling": {"rope_type": "linear", "factor": 2.0}},
        ),
    ],
)
def test_variants_of_metadata(family: str, names: Any, more: Any, expected: Any) -> None:
    config = Config.from_gguf(metadata(family, **more), names)
    assert {name: getattr(config, name) for name in expected} == expected


def test_keys_that_may_be_missing() -> None:
    found = metadata("llama")
    for key in ("attention.key_length", "attention.value_length", "attention.head_count_kv"):
        del found[f"llama.{key}"]
    config = Config.from_gguf(found)
    assert (config.head_dim, config.kv_heads) == (16, 4)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("embedding_length", None),
        ("embedding_length", "64"),
        ("attention.head_count_kv", [2, 4, 2]),
        ("attention.value_length", 16),
        ("rope.dimension_count", 16),
        ("rope.freq_base", "high"),
        ("block_count", 1 << 40),
        ("rope.scale_linear", 2.0),
        ("rope.scaling.attn_factor", 1.2),
        ("attention.scale", 0.5),
        ("logit_scale", 0.25),
        ("attention.causal", False),
        ("expert_count", 8),
        ("attention.temperature_length", 4096),
    ],
)
def test_refused_metadata(key: str, value: Any) -> None:
    with pytest.raises(strided.InvalidArgument):
        Config.from_gguf(metadata("llama", **{f"llama.{key}": value}))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attention.sliding_window", 0),
        ("attention.scale", None),
        ("attention.causal", True),
        ("logit_scale", 1.0),
        ("rope.scale_linear", 1.0),
        ("rope.scaling.original_context_length", 4096),
    ],
)
def test_metadata_that_changes_nothing(key: str, value: Any) -> None:
    plain = metadata("llama")
    said = {f"llama.{key}": value}
    if key == "attention.scale":
        said[f"llama.{key}"] = 1 / Config.from_gguf(plain).head_dim ** 0.5
    assert Config.from_gguf({**plain, **said}) == Config.from_gguf(plain)


def test_a_vocabulary_of_unknown_size_is_refused() -> None:
    found = metadata("llama")
    del found["tokenizer.ggml.tokens"]
    with pytest.raises(strided.InvalidArgument):
        Config.from_gguf(found)


# ---- presets ----


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("qwen3-0.6b", 596_049_920),
        ("qwen3-1.7b", 1_720_574_976),
        ("qwen3-4b", 4_022_468_096),
        ("qwen3-8b", 8_190_735_360),
        ("qwen3-14b", 14_768_307_200),
        ("qwen3-32b", 32_762_123_264),
        ("qwen2.5-0.5b", 494_032_768),
        ("qwen2.5-1.5b", 1_543_714_304),
        ("qwen2.5-3b", 3_085_938_688),
        ("qwen2.5-7b", 7_615_616_512),
        ("qwen2.5-14b", 14_770_033_664),
        ("qwen2.5-32b", 32_763_876_352),
        ("qwen2.5-72b", 72_706_203_648),
        ("smollm2-135m", 134_515_008),
        ("smollm2-360m", 361_821_120),
        ("smollm2-1.7b", 1_711_376_384),
        ("llama-3.2-1b", 1_235_814_400),
        ("llama-3.2-3b", 3_212_749_824),
        ("llama-3.1-8b", 8_030_261_248),
        ("mistral-7b", 7_248_023_552),
        ("mistral-7b-v0.1", 7_241_732_096),
    ],
)
def test_presets_have_the_published_sizes(name: str, parameters: int) -> None:
    assert Config.preset(name).parameters == parameters
    assert Config.preset(name.upper()) == Config.preset(name)


def test_every_preset_is_a_config() -> None:
    assert len({Config.preset(name).parameters for name in PRESETS}) == len(PRESETS) == 21
    with pytest.raises(strided.InvalidArgument) as caught:
        Config.preset("qwen3-5b")
    assert "qwen3-4b" in caught.value.requirement


@pytest.mark.peers
@pytest.mark.parametrize("family", ["qwen3", "qwen2", "llama", "mistral", "phi3"])
def test_what_transformers_write(family: str, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    theirs = transformers.AutoConfig.for_model(
        family,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=96,
        vocab_size=50,
        pad_token_id=0,
        tie_word_embeddings=True,
        rope_parameters={"rope_type": "default", "rope_theta": 12345.0},
    )
    theirs.save_pretrained(tmp_path)
    config = Config.from_json(tmp_path)
    assert config.architecture == family
    assert (config.rope_theta, config.tied_embeddings) == (12345.0, True)
    assert config.head_dim == (getattr(theirs, "head_dim", None) or 16)
    assert config.sliding_window == getattr(theirs, "sliding_window", None)
