"""The forward pass by hand, in four stages: the same logits, each with fewer copies."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

import numpy as np
import pytest
from support.llm_families import FAMILIES
from support.paths import ROOT

import strided
from strided import llm


def _example() -> Any:
    name = "qwen3_by_hand"
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


by_hand = _example()
PROMPT = [(7 * i + 11) % 50 for i in range(20)]


def model_of(family: str, dtype: str = "float32") -> llm.Model:
    config = FAMILIES[family]
    return llm.Model(config, llm.random_weights(config, dtype, seed=2))


@pytest.mark.parametrize("family", ["llama", "qwen3"])
def test_every_stage_has_the_same_logits(family: str) -> None:
    model = model_of(family)
    runs = [by_hand.Run(stage, model, PROMPT, 4) for stage in by_hand.STAGES]
    for _ in range(3):
        for run in runs:
            run.decode()
        for run in runs[:-1]:
            wanted, got = runs[-1].logits.numpy(), run.logits.numpy()
            np.testing.assert_allclose(got, wanted, atol=1e-5 * np.abs(wanted).max())
    assert len({tuple(run.tokens) for run in runs}) == 1


def test_each_stage_copies_less() -> None:
    model = model_of("qwen3")
    layers = model.config.layers
    first, second, third, last = by_hand.measure(model, len(PROMPT))
    assert first.copies.count > second.copies.count > third.copies.count > last.copies.count == 0
    # Two writes of keys and values of a layer, and the row of the embedding.
    assert third.copies.count == 2 * layers + 1
    assert second.copies.count >= 6 * layers
    assert first.copies.bytes > second.copies.bytes > third.copies.bytes


@pytest.mark.parametrize("family", ["llama", "neighbours"])
def test_stored_blocks_become_matrices(family: str) -> None:
    model = model_of(family, "q8_0")
    other = by_hand.AfterTheHints(by_hand.in_float32(model), 30)
    with strided.exact_quantized():
        wanted = by_hand.Engine(model, 30).forward(PROMPT).numpy()
    got = other.forward(PROMPT).numpy()
    np.testing.assert_allclose(got, wanted, atol=2e-3 * np.abs(wanted).max())


def test_the_difference_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr(sys, "argv", ["qwen3_by_hand.py", "--diff"])
    by_hand.main()
    out = capsys.readouterr().out
    assert "-        k = st.repeat(k, c.heads // c.kv_heads, axis=0)" in out
    assert "+        q = q.unflatten(0, (c.kv_heads, -1))" in out


def test_the_table_names_every_stage() -> None:
    shown = by_hand.table(by_hand.measure(model_of("llama"), 8, 2))
    assert all(name in shown for name in by_hand.STAGES.values())
