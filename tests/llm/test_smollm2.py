"""SmolLM2, real weights in 4 bits: the logits of transformers on the same weights in float32.

Fluent text proves nothing: with q and k rows in the wrong order it is fluent too. The file is the
one that `strided model fetch smollm2` puts into the models folder.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.real_model import smollm2

import strided
from strided import llm

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
gguf = pytest.importorskip("gguf")

TEXT = """The sea was calm that morning, and the fishermen of the village had gone out before the
sun was up. Anna stood on the pier with her hands in her pockets. She had come to draw the boats, as
she did every summer, but today the light was different: grey, soft, without any shadow. An old man
sat down beside her and began to mend a net. "You will not see much," he said. "The fog comes in at
noon." She asked him how he knew. He laughed and pointed at the gulls, which had all settled on the
roofs of the houses. "They know it first. My father taught me that, and his father taught him. When
the birds stay on land, so should you." For a while they did not speak. The water moved slowly
against the stones, and far away a bell rang twice. She opened her book and drew his hands instead,
the thread, the knots, the patient way in which he pulled each of them tight."""


@pytest.fixture(scope="module")
def ours() -> llm.Model:
    return llm.load(smollm2())


@pytest.fixture(scope="module")
def tokens(ours: llm.Model) -> list[int]:
    assert ours.tokenizer is not None
    return ours.tokenizer.encode(TEXT)


def their_model(ours: llm.Model) -> Any:
    """Return transformers' model with the file's weights, dequantised by the gguf package."""
    c = ours.config
    config = transformers.LlamaConfig(
        vocab_size=c.vocab,
        hidden_size=c.hidden,
        intermediate_size=c.intermediate,
        num_hidden_layers=c.layers,
        num_attention_heads=c.heads,
        num_key_value_heads=c.kv_heads,
        rms_norm_eps=c.norm_eps,
        rope_theta=c.rope_theta,
        tie_word_embeddings=True,
    )
    reader = gguf.GGUFReader(ours.weights.path)
    state = {}
    for tensor in reader.tensors:
        array = gguf.dequantize(tensor.data, tensor.tensor_type).astype(np.float32)
        name = tensor.name.removesuffix(".weight")
        if name.endswith(("attn_q", "attn_k")):  # pairs to turn lie side by side in the file
            heads = c.heads if name.endswith("q") else c.kv_heads
            pairs = array.reshape(heads, c.head_dim // 2, 2, c.hidden)
            array = pairs.swapaxes(1, 2).reshape(array.shape)
        state[_their_name(name)] = torch.from_numpy(array)
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    made = transformers.LlamaForCausalLM(config)
    made.load_state_dict(state)
    return made.eval()


def _their_name(name: str) -> str:
    outside = {"token_embd": "model.embed_tokens", "output_norm": "model.norm"}
    if name in outside:
        return f"{outside[name]}.weight"
    _, layer, part = name.split(".")
    inside = {
        "attn_norm": "input_layernorm",
        "ffn_norm": "post_attention_layernorm",
        "attn_output": "self_attn.o_proj",
        **{f"attn_{x}": f"self_attn.{x}_proj" for x in "qkv"},
        **{f"ffn_{x}": f"mlp.{x}_proj" for x in ("gate", "up", "down")},
    }
    return f"model.layers.{layer}.{inside[part]}.weight"


@pytest.fixture(scope="module")
def expected(ours: llm.Model, tokens: list[int]) -> Any:
    with torch.no_grad():
        return their_model(ours)(torch.tensor([tokens])).logits[0].numpy()


def logits_of(model: llm.Model, tokens: list[int], piece: int, dtype: strided.DType) -> Any:
    cache = llm.Cache(model.config, context=len(tokens), dtype=dtype)
    past = cache.begin()
    parts = [tokens[i : i + piece] for i in range(0, len(tokens), piece)]
    return np.concatenate(
        [model.forward(llm.Step(cache, [(past, part)])).numpy() for part in parts]
    )


@pytest.mark.parametrize("piece", [1, 8, 1000])
def test_logits_in_float32(ours: llm.Model, tokens: list[int], expected: Any, piece: int) -> None:
    assert len(tokens) >= 200
    with strided.exact_quantized():
        got = logits_of(ours, tokens, piece, strided.float32)
    assert np.abs(got - expected).max() < 1e-3 * np.abs(expected).max()


@pytest.mark.parametrize("piece", [1, 4, 1000])
def test_the_same_best_token(ours: llm.Model, tokens: list[int], expected: Any, piece: int) -> None:
    got = logits_of(ours, tokens, piece, ours.cache_dtype)
    agreed = np.mean(got.argmax(-1) == expected.argmax(-1))
    assert agreed >= 0.95


def test_a_decoded_token_copies_nothing(ours: llm.Model, tokens: list[int]) -> None:
    engine = llm.Engine(ours, context=512)
    engine.submit(tokens, llm.Options(temperature=0))
    engine.step()
    with strided.no_copies(implicit_only=False):
        for _ in range(5):
            assert len(engine.step()) == 1


def test_an_answer(ours: llm.Model) -> None:
    assert ours.tokenizer is not None
    asked = [{"role": "user", "content": "What is the capital of France?"}]
    prompt = ours.tokenizer.encode(llm.chat_prompt(ours.tokenizer, asked))
    engine = llm.Engine(ours, context=512)
    with strided.exact_quantized():  # "The" and "L" are nearly equally likely
        pieces = list(engine.generate(prompt, llm.Options(temperature=0, max_tokens=60)))
    assert "".join(piece.text for piece in pieces) == "The capital of France is Paris."
    assert pieces[-1].finish_reason == "stop"
