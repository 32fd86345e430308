"""Weights are views of directories and .gguf files; what does not fit is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.file_bytes import gguf
from support.quantized_stand_in import provide
from support.tiny_models import (
    gguf_tensors,
    hugging_face,
    metadata,
    write_directory,
    write_gguf,
)

import strided
from strided.llm import Config, open_weights, random_weights

FAMILIES = ["qwen3", "qwen2", "llama", "mistral"]
ALWAYS = ["attn_norm", "q", "k", "v", "o", "mlp_norm", "gate", "up", "down"]
HUGGING_FACE = {
    "attn_norm": "input_layernorm.weight",
    "q": "self_attn.q_proj.weight",
    "k": "self_attn.k_proj.weight",
    "v": "self_attn.v_proj.weight",
    "o": "self_attn.o_proj.weight",
    "q_bias": "self_attn.q_proj.bias",
    "k_bias": "self_attn.k_proj.bias",
    "v_bias": "self_attn.v_proj.bias",
    "o_bias": "self_attn.o_proj.bias",
    "q_norm": "self_attn.q_norm.weight",
    "k_norm": "self_attn.k_norm.weight",
    "mlp_norm": "post_attention_layernorm.weight",
    "gate": "mlp.gate_proj.weight",
    "up": "mlp.up_proj.weight",
    "down": "mlp.down_proj.weight",
}


@pytest.fixture(autouse=True)
def quantized(monkeypatch: pytest.MonkeyPatch) -> Any:
    return provide(monkeypatch)


def same(found: Any, expected: np.ndarray) -> bool:
    return found.shape == expected.shape and np.array_equal(found.numpy(), expected)


# ---- directories of Hugging Face ----


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("tied", [False, True])
def test_a_directory(family: str, shards: int, tied: bool, tmp_path: Path) -> None:
    tensors = hugging_face(family, tied=tied)
    write_directory(tmp_path, tensors, shards, model_type=family, tie_word_embeddings=tied)
    with strided.no_copies(implicit_only=False):
        weights = open_weights(tmp_path)
    assert weights.config == Config.from_json(tmp_path)
    assert same(weights.embed, tensors["model.embed_tokens.weight"])
    assert same(weights.norm, tensors["model.norm.weight"])
    assert (weights.head is weights.embed) == tied
    if not tied:
        assert same(weights.head, tensors["lm_head.weight"])
    assert len(weights.layers) == 3
    for i, layer in enumerate(weights.layers):
        for part, name in HUGGING_FACE.items():
            expected = tensors.get(f"model.layers.{i}.{name}")
            found = getattr(layer, part)
            assert found is None if expected is None else same(found, expected), (i, part)
    assert weights.nbytes == sum(array.nbytes for array in tensors.values())
    embedding = tensors["model.embed_tokens.weight"].nbytes
    assert weights.read_bytes_per_token == weights.nbytes - (0 if tied else embedding)
    storages = {layer.down.storage().data_ptr() for layer in weights.layers}
    assert len(storages) <= shards
    assert not weights.embed.writable


@pytest.mark.parametrize("bias", [False, True])
def test_fused_weights_are_split_as_views(bias: bool, tmp_path: Path) -> None:
    tensors = hugging_face("llama", fused=True, bias=bias)
    write_directory(tmp_path, tensors, model_type="llama", attention_bias=bias)
    with strided.no_copies(implicit_only=False):
        weights = open_weights(tmp_path)
    for i, layer in enumerate(weights.layers):
        qkv = tensors[f"model.layers.{i}.self_attn.qkv_proj.weight"]
        assert same(layer.q, qkv[:128])
        assert same(layer.k, qkv[128:192])
        assert same(layer.v, qkv[192:])
        both = tensors[f"model.layers.{i}.mlp.gate_up_proj.weight"]
        assert same(layer.gate, both[:96])
        assert same(layer.up, both[96:])
        assert layer.q.storage() == weights.embed.storage()
        if bias:
            qkv_bias = tensors[f"model.layers.{i}.self_attn.qkv_proj.bias"]
            assert same(layer.k_bias, qkv_bias[128:192])
            assert same(layer.o_bias, tensors[f"model.layers.{i}.self_attn.o_proj.bias"])
    assert weights.nbytes == sum(array.nbytes for array in tensors.values())


def test_other_ways_a_directory_may_look(tmp_path: Path) -> None:
    tensors = hugging_face("qwen3", tied=True)
    # One file by its own name; the head stored although it is tied; no prefix; old extra tensors.
    plain = {name.removeprefix("model."): array for name, array in tensors.items()}
    plain["lm_head.weight"] = tensors["model.embed_tokens.weight"]
    plain["layers.0.self_attn.rotary_emb.inv_freq"] = np.zeros(16, "f4")
    write_directory(tmp_path, plain, tie_word_embeddings=True)
    (tmp_path / "model.safetensors").rename(tmp_path / "other.safetensors")
    for path in (tmp_path, tmp_path / "other.safetensors"):
        weights = open_weights(path)
        assert weights.head is weights.embed
        assert same(weights.layers[2].up, tensors["model.layers.2.mlp.up_proj.weight"])


@pytest.mark.parametrize(
    ("name", "shape", "expected"),
    [
        ("model.embed_tokens.weight", (51, 64), (50, 64)),
        ("model.norm.weight", (63,), (64,)),
        ("lm_head.weight", (64, 50), (50, 64)),
        ("model.layers.1.self_attn.k_proj.weight", (128, 64), (64, 64)),
        ("model.layers.2.self_attn.o_proj.weight", (128, 64), (64, 128)),
        ("model.layers.2.self_attn.q_norm.weight", (1, 32), (32,)),
    ],
)
def test_wrong_shapes_are_named(name: str, shape: Any, expected: Any, tmp_path: Path) -> None:
    tensors = hugging_face("qwen3")
    tensors[name] = np.zeros(shape, "f4")
    with pytest.raises(strided.ShapeMismatch) as caught:
        open_weights(write_directory(tmp_path, tensors))
    assert (caught.value.expected, caught.value.got) == (expected, shape)
    assert repr(name) in caught.value.operation
    assert str(tmp_path / "model.safetensors") in caught.value.operation


@pytest.mark.parametrize("name", ["model.norm.weight", "model.layers.2.mlp.down_proj.weight"])
def test_missing_tensors_are_named(name: str, tmp_path: Path) -> None:
    tensors = hugging_face("qwen3")
    del tensors[name]
    with pytest.raises(strided.FileUnusable) as caught:
        open_weights(write_directory(tmp_path, tensors))
    assert repr(name) in caught.value.reason


@pytest.mark.parametrize("name", ["model.layers.0.mlp.gate_proj.bias", "model.layers.3.x", "y"])
def test_tensors_that_would_be_left_out_are_named(name: str, tmp_path: Path) -> None:
    tensors = {**hugging_face("qwen3"), name: np.zeros(96, "f4")}
    with pytest.raises(strided.UnsupportedOperation) as caught:
        open_weights(write_directory(tmp_path, tensors))
    assert name in caught.value.reason


def test_weights_must_be_floats(tmp_path: Path) -> None:
    tensors: dict[str, Any] = hugging_face("qwen3")
    name = "model.layers.0.mlp.up_proj.weight"
    tensors[name] = np.zeros((96, 64), "i1")
    with pytest.raises(strided.DTypeMismatch) as caught:
        open_weights(write_directory(tmp_path, tensors))
    assert name in caught.value.reason
    for dtype in (strided.float16, strided.bfloat16, strided.float64):
        tensors[name] = strided.zeros(96, 64, dtype=dtype)
        assert open_weights(write_directory(tmp_path, tensors)).layers[0].up.dtype is dtype


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    write_directory(tmp_path, hugging_face("qwen3"), shards=3)
    lost = tmp_path / "model-00002-of-00003.safetensors"
    lost.unlink()
    with pytest.raises(strided.FileUnusable) as caught:
        open_weights(tmp_path)
    assert caught.value.path == str(lost)
    assert "missing" in caught.value.reason


@pytest.mark.parametrize(
    ("weight_map", "error"),
    [
        (None, strided.FileMalformed),
        ({"a": 3}, strided.FileMalformed),
        ({"a": "../model-00001-of-00002.safetensors"}, strided.FileMalformed),
        ({"a": ""}, strided.FileMalformed),
        ({"a": "model-00001-of-00002.safetensors"}, strided.FileUnusable),
        ({"model.norm.weight": "model-00001-of-00002.safetensors"}, strided.FileUnusable),
    ],
)
def test_wrong_indices(weight_map: Any, error: type[Exception], tmp_path: Path) -> None:
    write_directory(tmp_path, hugging_face("qwen3"), shards=2)
    index = tmp_path / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": weight_map}))
    with pytest.raises(error):
        open_weights(tmp_path)


def test_what_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(strided.FileUnusable):  # no config.json
        open_weights(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    with pytest.raises(strided.InvalidArgument):
        open_weights(tmp_path)
    write_directory(tmp_path, {"x": np.zeros(1)})
    (tmp_path / "model.safetensors").unlink()
    with pytest.raises(strided.FileUnusable, match=r"model\.safetensors"):
        open_weights(tmp_path)
    (tmp_path / "pytorch_model.bin").write_bytes(b"")
    for path in (tmp_path, tmp_path / "pytorch_model.bin", tmp_path / "x.pth"):
        with pytest.raises(strided.FileUnusable) as caught:
            open_weights(path)
        assert "safetensors" in caught.value.reason
    with pytest.raises(strided.FileUnusable):
        open_weights(tmp_path / "nothing")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(strided.InvalidArgument):
        open_weights(tmp_path / "notes.txt")


# ---- .gguf ----

GGUF = {
    "attn_norm": "attn_norm.weight",
    "q": "attn_q.weight",
    "k": "attn_k.weight",
    "v": "attn_v.weight",
    "o": "attn_output.weight",
    "q_bias": "attn_q.bias",
    "k_bias": "attn_k.bias",
    "v_bias": "attn_v.bias",
    "q_norm": "attn_q_norm.weight",
    "k_norm": "attn_k_norm.weight",
    "mlp_norm": "ffn_norm.weight",
    "gate": "ffn_gate.weight",
    "up": "ffn_up.weight",
    "down": "ffn_down.weight",
}


@pytest.mark.parametrize("family", ["qwen3", "qwen2", "llama"])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("kind", ["F32", "Q8_0"])
def test_a_gguf_file(family: str, tied: bool, kind: str, quantized: Any, tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "m.gguf", family, tied=tied, kind=kind)
    tensors = gguf_tensors(family, tied=tied, kind=kind)
    with strided.no_copies(implicit_only=False):
        weights = open_weights(path)
    assert weights.config.interleaved_rope == (family == "llama")
    assert weights.config.tied_embeddings == tied
    assert (weights.head is weights.embed) == tied
    assert weights.metadata["general.architecture"] == family
    for i, layer in enumerate(weights.layers):
        for part, name in GGUF.items():
            found = getattr(layer, part)
            stored = tensors.get(f"blk.{i}.{name}")
            if stored is None:
                assert found is None
                continue
            kind_of, shape, raw = stored
            assert tuple(found.shape) == shape
            assert isinstance(found, strided.Tensor) == (kind_of == "F32")
            cells = found if kind_of == "F32" else found.blocks
            assert bytes(cells.view(-1).view(strided.uint8)) == raw
            assert cells.storage().nbytes == path.stat().st_size
    assert weights.nbytes == sum(len(raw) for _, _, raw in tensors.values())


@pytest.mark.parametrize("kind", ["F32", "Q8_0"])
def test_fused_rows_of_a_gguf_file(kind: str, tmp_path: Path) -> None:
    weights = open_weights(write_gguf(tmp_path / "m.gguf", "phi3", kind=kind, fused=True))
    layer = weights.layers[1]
    shapes = [tuple(getattr(layer, part).shape) for part in ("q", "k", "v", "gate", "up")]
    assert shapes == [(128, 64), (64, 64), (64, 64), (96, 64), (96, 64)]
    first, second = (part if kind == "F32" else part.blocks for part in (layer.gate, layer.up))
    assert second.data_ptr() - first.data_ptr() == first.nbytes


def test_rope_factors_of_a_gguf_file(tmp_path: Path) -> None:
    tensors = gguf_tensors("llama")
    tensors["rope_freqs.weight"] = ("F32", (16,), np.arange(16, dtype="<f4").tobytes())
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(metadata("llama"), tensors))
    factors = open_weights(path).rope_factors
    assert factors is not None
    assert factors.tolist() == list(range(16))
    assert open_weights(write_gguf(path, "llama")).rope_factors is None


@pytest.mark.parametrize(
    ("more", "changes", "error"),
    [
        ({"split.count": 2}, {}, strided.FileUnusable),
        ({}, {"blk.1.attn_k.weight": ("F32", (32, 64), bytes(8192))}, strided.ShapeMismatch),
        ({}, {"rope_freqs.weight": ("F32", (8,), bytes(32))}, strided.ShapeMismatch),
        ({}, {"blk.0.ffn_gate_inp.weight": ("F32", (2,), bytes(8))}, strided.UnsupportedOperation),
        (
            {},
            {"blk.2.ffn_up.weight": ("IQ4_NL", (96, 64), bytes(3456))},
            strided.UnsupportedOperation,
        ),
        ({}, {"output_norm.weight": ("I32", (64,), bytes(256))}, strided.DTypeMismatch),
    ],
)
def test_gguf_files_that_do_not_fit(
    more: Any, changes: Any, error: type[strided.StridedError], tmp_path: Path
) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(gguf(metadata("llama", **more), {**gguf_tensors("llama"), **changes}))
    with pytest.raises(error) as caught:
        open_weights(path)
    assert str(path) in str(caught.value)
    assert all(name in str(caught.value) for name in changes)


# ---- reading ahead ----


def test_prefault_tells_how_far_it_is(tmp_path: Path) -> None:
    weights = open_weights(write_gguf(tmp_path / "m.gguf", "llama", kind="Q8_0"))
    seen: list[tuple[int, int]] = []
    weights.prefault(lambda done, total: seen.append((done, total)))
    assert seen[-1] == (weights.nbytes, weights.nbytes)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {total for _, total in seen} == {weights.nbytes}
    weights.prefault()


# ---- random weights ----

TINY = Config("qwen3", 64, 3, 4, 2, 32, 96, 50, 512)


@pytest.mark.parametrize("wish", ["bf16", strided.float16, "float32", strided.float64])
def test_random_weights(wish: Any) -> None:
    weights = random_weights(TINY, wish)
    size = weights.embed.dtype.itemsize
    assert weights.nbytes == size * TINY.parameters
    assert weights.head is not weights.embed
    assert (weights.layers[0].q.shape, weights.layers[0].q_norm.shape) == ((128, 64), (32,))
    assert weights.layers[0].q_bias is None
    assert strided.array_equal(weights.norm, strided.ones(64, dtype=weights.norm.dtype))
    for layer in weights.layers:
        for matrix in (layer.q, layer.o, layer.down):
            assert matrix.to(strided.float64).std().item() == pytest.approx(
                matrix.shape[1] ** -0.5, rel=0.05
            )


def test_random_weights_do_not_repeat() -> None:
    config = Config("llama", 1024, 2, 8, 8, 128, 2048, 4096, 512)
    weights = random_weights(config, "f32")
    matrices = [weights.embed, weights.head]
    matrices += [part for layer in weights.layers for part in (layer.q, layer.k, layer.down)]
    rows = {bytes(matrix[i]) for matrix in matrices for i in range(0, matrix.shape[0], 7)}
    assert len(rows) == sum(len(range(0, matrix.shape[0], 7)) for matrix in matrices)
    # Rows that begin in each other's numbers are no more alike than others.
    embed = weights.embed
    alike = (embed @ embed[:32].T).to(strided.float64)
    alike[:32].sub_(strided.eye(32, dtype=strided.float64) * alike[:32].diagonal())
    assert alike.abs().amax().item() < 0.25


def test_the_same_seed_gives_the_same_weights() -> None:
    first, second, other = (random_weights(TINY, "bf16", seed=seed) for seed in (1, 1, 2))
    assert strided.array_equal(first.layers[2].up, second.layers[2].up)
    assert not strided.array_equal(first.layers[2].up, other.layers[2].up)
    assert not strided.array_equal(first.layers[2].up, first.layers[2].gate)


@pytest.mark.parametrize(
    ("wish", "kinds"), [("Q8_0", ("Q8_0", "Q8_0")), ("q4_k", ("Q4_K", "Q8_0"))]
)
def test_random_quantised_weights(wish: str, kinds: tuple[str, str], quantized: Any) -> None:
    config = Config("qwen2", 256, 2, 4, 2, 64, 96, 50, 512, attention_bias=True)
    weights = random_weights(config, wish)
    layer = weights.layers[0]
    assert (layer.q.kind, layer.down.kind) == kinds
    assert (tuple(layer.q.shape), tuple(layer.down.shape)) == ((256, 256), (256, 96))
    assert (layer.attn_norm.dtype, layer.q_bias.tolist()) == (strided.float32, [0.0] * 256)
    again = random_weights(config, wish)
    assert strided.array_equal(layer.q.blocks, again.layers[0].q.blocks)
    assert not strided.array_equal(layer.q.blocks, again.layers[1].q.blocks)


@pytest.mark.parametrize("wish", ["int8", strided.int32, "complex64", "fp4", 3, None])
def test_wrong_types_of_random_weights(wish: Any) -> None:
    with pytest.raises(strided.InvalidArgument):
        random_weights(TINY, wish)


# ---- the other implementation ----


@pytest.mark.peers
@pytest.mark.parametrize("family", ["qwen3", "qwen2", "llama", "mistral", "phi3"])
@pytest.mark.parametrize("options", [{}, {"tie_word_embeddings": True}, {"attention_bias": True}])
def test_what_transformers_save(family: str, options: dict[str, Any], tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(
        family,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        intermediate_size=96,
        vocab_size=50,
        pad_token_id=0,
        **options,
    )
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    model.save_pretrained(tmp_path, max_shard_size="40KB")
    assert (tmp_path / "model.safetensors.index.json").exists()
    weights = open_weights(tmp_path)
    assert weights.config.parameters == sum(part.numel() for part in model.parameters())
    assert weights.nbytes == 2 * weights.config.parameters

    def bits(x: Any) -> np.ndarray:
        return x.detach().view(torch.int16).numpy()

    named = dict(model.named_parameters())
    assert np.array_equal(weights.embed.view(strided.int16), bits(model.model.embed_tokens.weight))
    assert np.array_equal(weights.head.view(strided.int16), bits(model.lm_head.weight))
    for i, layer in enumerate(weights.layers):
        inside = {
            "qkv": [layer.q, layer.k, layer.v],
            "gate_up": [layer.gate, layer.up],
            **{part: [getattr(layer, part)] for part in HUGGING_FACE},
        }
        names = {
            **HUGGING_FACE,
            "qkv": "self_attn.qkv_proj.weight",
            "gate_up": "mlp.gate_up_proj.weight",
        }
        for part, name in names.items():
            theirs = named.pop(f"model.layers.{i}.{name}", None)
            if theirs is not None:
                ours = np.concatenate([x.view(strided.int16).numpy() for x in inside[part]])
                assert np.array_equal(ours, bits(theirs)), (i, part)
    assert set(named) <= {"model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"}
