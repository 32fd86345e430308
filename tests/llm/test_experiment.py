"""The demo of language models and the experiment behind it, on random weights."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.llm_families import FAMILIES

import strided
from strided import llm
from strided.llm import experiment
from strided.llm.experiment import compare


def no_network(*_: object) -> Path:
    raise strided.DownloadFailed(name="smollm2", reason="no network", path="")


def test_without_a_network(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(experiment, "fetch", no_network)
    page = tmp_path / "new" / "page.html"
    experiment.main(page)
    out = capsys.readouterr().out
    assert "random ones and no text" in out
    assert "the same tokens: yes" in out
    assert page.read_text().count("<svg") == 3
    assert "kv_cache.py" in page.read_text()


@pytest.mark.parametrize("family", FAMILIES)
def test_copies_and_views_write_the_same(family: str) -> None:
    config = FAMILIES[family]
    model = llm.Model(config, llm.random_weights(config, strided.float32, seed=2))
    before, after = compare(model, list(range(50)), 5)
    assert before.tokens == after.tokens
    assert after.copies.count == 0
    assert before.copies.count >= 5 * config.layers
    # The whole past is copied for every token, keys and values of every layer.
    past = 2 * config.layers * 55 * config.kv_heads * config.head_dim * 4
    assert before.copies.bytes > past
    assert before.allocated > after.allocated
