"""Functions, optimisers, schedules, clipping and modules give PyTorch's numbers.

The numbers are recorded in tests/golden/torch_training.json; with an installed PyTorch the record
itself is checked (make test-peers).
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from support import training_table as table
from support.paths import GOLDEN

import strided

RECORDED = json.loads((GOLDEN / "torch_training.json").read_text())
OURS = table.Library(strided)


def same(got: Any, expected: Any) -> bool:
    """Compare nested lists and dicts of numbers to 1e-10."""
    if isinstance(expected, dict):
        return got.keys() == expected.keys() and all(same(got[k], expected[k]) for k in expected)
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(same, got, expected))
    if isinstance(expected, float):
        return got == pytest.approx(expected, rel=1e-10, abs=1e-10, nan_ok=True)
    return bool(got == expected)


@pytest.mark.parametrize("text", RECORDED["functions"])
def test_functions(text: str) -> None:
    got, expected = table.function(OURS, text), RECORDED["functions"][text]
    assert same(got["value"], expected["value"]), got["value"]
    assert same(got["grads"], expected["grads"]), got["grads"]


@pytest.mark.parametrize("flat", [False, True], ids=["apart", "flat"])
@pytest.mark.parametrize("text", RECORDED["optimizers"])
def test_optimizers(text: str, flat: bool) -> None:
    ps = table.parameters(OURS)
    if flat:
        holder = strided.nn.Module()
        for number, p in enumerate(ps):
            setattr(holder, f"p{number}", p)
        strided.nn.flat_parameters(holder)
        ps = list(holder.parameters())
    assert same(table.optimizer(OURS, text, ps), RECORDED["optimizers"][text])


@pytest.mark.parametrize("text", RECORDED["schedules"])
def test_schedules(text: str) -> None:
    assert same(table.schedule(OURS, text), RECORDED["schedules"][text])


@pytest.mark.parametrize("text", RECORDED["clips"])
def test_clipping(text: str) -> None:
    assert same(table.clip(OURS, text), RECORDED["clips"][text])


@pytest.mark.parametrize(("text", "given"), table.MODULES, ids=lambda value: value)
def test_modules(text: str, given: str) -> None:
    got, expected = table.module(OURS, text, given), RECORDED["modules"][text]
    assert got["state"] == expected["state"]
    assert list(got["state"]) == list(expected["state"])
    for part in ("value", "grads", "buffers"):
        assert same(got[part], expected[part]), (part, got[part], expected[part])


def test_every_question_is_recorded() -> None:
    assert list(RECORDED["functions"]) == table.FUNCTIONS
    assert list(RECORDED["optimizers"]) == table.OPTIMIZERS
    assert list(RECORDED["schedules"]) == table.SCHEDULES
    assert list(RECORDED["clips"]) == table.CLIPS
    assert list(RECORDED["modules"]) == [text for text, _ in table.MODULES]


@pytest.mark.peers
@pytest.mark.filterwarnings("ignore")
def test_the_record_is_what_pytorch_says() -> None:
    torch = pytest.importorskip("torch")
    if torch.__version__.split("+")[0] != RECORDED["version"]:
        pytest.skip(f"recorded from {RECORDED['version']}")
    found = table.answers(torch)
    for part, rows in found.items():
        for text, answer in rows.items():
            assert same(answer, RECORDED[part][text]), text
