"""The same logits and the same text as Hugging Face transformers, on small random models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided
from strided import llm
from strided.llm.kv_cache import Cache, Step

pytestmark = pytest.mark.peers
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

SIZES = {
    "vocab_size": 300,
    "hidden_size": 96,
    "intermediate_size": 160,
    "num_hidden_layers": 3,
    "num_attention_heads": 6,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
    "initializer_range": 0.15,
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 500000.0,
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 256,
}
FAMILIES: dict[str, tuple[str, dict[str, Any]]] = {
    "qwen3": ("Qwen3", {"head_dim": 32, "tie_word_embeddings": True}),
    "qwen3-untied": ("Qwen3", {"head_dim": 16, "tie_word_embeddings": False}),
    "qwen2": ("Qwen2", {}),
    "llama": ("Llama", {}),
    "llama-3": ("Llama", {"rope_parameters": LLAMA3}),
    "mistral": ("Mistral", {"sliding_window": 24, "head_dim": 16}),
}
TEXT = [int(t) for t in np.random.default_rng(1).integers(0, 300, 300)]


@pytest.fixture(scope="module", params=FAMILIES)
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A model of transformers, and ours from the files that it writes."""
    name, more = FAMILIES[request.param]
    torch.manual_seed(2)
    config = getattr(transformers, f"{name}Config")(**SIZES, **more)
    theirs = getattr(transformers, f"{name}ForCausalLM")(config).float().eval()
    # Fresh biases and norms are zeros and ones: then a mistake in them could not be seen.
    for key, value in theirs.named_parameters():
        if key.endswith("bias") or "norm" in key:
            value.data.add_(0.2 * torch.randn_like(value))
    folder = tmp_path_factory.mktemp(request.param)
    theirs.save_pretrained(folder)
    return theirs, llm.load(folder)


def their_logits(theirs: Any, tokens: list[int]) -> Any:
    with torch.no_grad():
        return theirs(torch.tensor([tokens])).logits[0].numpy()


def worst(got: Any, expected: Any) -> float:
    return float(np.abs(got - expected).max() / np.abs(expected).max())


def test_logits_of_a_long_text(pair: Any) -> None:
    theirs, ours = pair
    cache = Cache(ours.config, context=512)
    got = ours.forward(Step(cache, [(cache.begin(), TEXT)])).numpy()
    assert worst(got, their_logits(theirs, TEXT)) < 1e-4


def test_logits_step_by_step(pair: Any) -> None:
    theirs, ours = pair
    cache = Cache(ours.config, context=512)
    past = cache.begin()
    expected = their_logits(theirs, TEXT[:60])
    for place, token in enumerate(TEXT[:60]):
        got = ours.forward(Step(cache, [(past, [token])])).numpy()
        assert worst(got[0], expected[place]) < 1e-4


def greedy_theirs(theirs: Any, prompt: list[int], count: int) -> list[int]:
    with torch.no_grad():
        made = theirs.generate(
            torch.tensor([prompt]), max_new_tokens=count, do_sample=False, eos_token_id=None
        )
    return [int(token) for token in made[0, len(prompt) :]]


def test_greedy_text(pair: Any) -> None:
    theirs, ours = pair
    engine = llm.Engine(ours, context=512)
    options = llm.Options(temperature=0, max_tokens=64)
    for prompt in (TEXT[:20], TEXT[:20] + TEXT[40:60]):  # the second begins in the cache
        got = [piece.token for piece in engine.generate(prompt, options)]
        assert got == greedy_theirs(theirs, prompt, 64)


def test_greedy_text_in_a_batch(pair: Any) -> None:
    theirs, ours = pair
    engine = llm.Engine(ours, context=512, sequences=3, prefill=16)
    options = llm.Options(temperature=0, max_tokens=64)
    prompts = [TEXT[:20], TEXT[100:101], TEXT[:40], TEXT[60:160]]
    jobs = [engine.submit(prompt, options) for prompt in prompts]
    while engine.busy:
        engine.step()
    for job, prompt in zip(jobs, prompts, strict=True):
        assert job.tokens == greedy_theirs(theirs, prompt, 64)
        assert job.finish_reason == "length"


def test_halves_run_as_stored(pair: Any, tmp_path: Path) -> None:
    theirs, _ = pair
    theirs_half = type(theirs)(theirs.config).eval()
    theirs_half.load_state_dict(theirs.state_dict())
    theirs_half.to(torch.bfloat16).save_pretrained(tmp_path)
    half = llm.load(tmp_path)
    assert half.weights.layers[0].q.dtype is strided.bfloat16
    rounded = type(theirs).from_pretrained(tmp_path, dtype=torch.float32).eval()
    cache = Cache(half.config, context=512)
    past = cache.begin()
    expected = their_logits(rounded, TEXT[:32])
    for place, token in enumerate(TEXT[:32]):  # decoding computes in float32
        got = half.forward(Step(cache, [(past, [token])])).numpy()
        assert worst(got[0], expected[place]) < 1e-4
