"""The fake model of the tests of command and server: it has the interface of the real one."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support import fake_llm
from support.tiny_models import metadata

import strided
from strided import llm

CONFIG = llm.Config("llama", 64, 2, 4, 2, 16, 96, 400, 64)
# What tests ask of the fake, or what it does inside.
OF_TESTS = {
    "FakeEngine": {"delay", "most", "running", "sequences", "steps", "waiting"},
    "FakeJob": {"has", "left", "write"},
}
# Members of these names that are used, but of other objects.
OF_OTHERS = {
    "Job": {"end", "take"},  # of a re.Match, of fields of a request
    "Weights": {"config", "path"},  # of a model, of files
}


def real() -> tuple[llm.Engine, Any]:
    """Return an engine with a tiny model, and its tokenizer."""
    words = {**metadata("llama"), "tokenizer.ggml.model": "llama"}
    tokenizer = llm.Tokenizer.from_gguf(words, size=CONFIG.vocab)
    model = llm.Model(CONFIG, llm.random_weights(CONFIG, "f32"), tokenizer, "tiny")
    return llm.Engine(model, context=32, sequences=2), tokenizer


def fake() -> tuple[Any, Any]:
    tokenizer = fake_llm.FakeTokenizer()
    model = fake_llm.FakeModel("tiny", tokenizer)
    return fake_llm.FakeEngine(model, context=32, sequences=2), tokenizer


def parts(made: tuple[Any, Any]) -> dict[str, Any]:
    """Return an object of each class, as it is when a job is under way."""
    engine, tokenizer = made
    job = engine.submit([5, 6, 7], llm.Options(max_tokens=3, temperature=0.0))
    engine.step()
    model = engine.model
    return {
        "Engine": engine,
        "Job": job,
        "Model": model,
        "Tokenizer": tokenizer,
        "Weights": model.weights,
    }


PAIRS = {name: (one, parts(fake())[name]) for name, one in parts(real()).items()}
pairs = pytest.mark.parametrize(("name", "original", "copy"), [(n, *p) for n, p in PAIRS.items()])


def members(thing: Any) -> set[str]:
    return {name for name in dir(thing) if not name.startswith("_")}


def used_names() -> set[str]:
    """Return the names that command and server ask any object for."""
    folder = Path(strided.__file__).parent
    files = [*folder.glob("cli/*.py"), *folder.glob("llm/server/*.py")]
    assert len(files) > 15
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text()))]
    return {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def parameters(function: Any) -> list[tuple[str, Any, Any]]:
    found = inspect.signature(function).parameters.values()
    return [(one.name, one.kind, one.default) for one in found]


@pairs
def test_what_is_used_is_there(name, original, copy):
    missing = (members(original) & used_names()) - members(copy) - OF_OTHERS.get(name, set())
    assert not missing


@pairs
def test_nothing_else_is_there(name, original, copy):
    invented = members(copy) - members(original) - OF_TESTS.get(type(copy).__name__, set())
    assert not invented


@pairs
def test_methods_take_the_same_arguments(name, original, copy):
    for member in members(original) & members(copy):
        mine, theirs = getattr(copy, member), getattr(original, member)
        assert callable(mine) == callable(theirs), member
        if callable(theirs):
            assert parameters(mine) == parameters(theirs), member


@pairs
def test_values_have_the_same_types(name, original, copy):
    for member in members(original) & members(copy):
        mine, theirs = getattr(copy, member), getattr(original, member)
        is_plain = isinstance(theirs, (bool, int, float, str, list, tuple, type(None)))
        if is_plain and None not in (mine, theirs):
            assert type(mine) is type(theirs), member


@pytest.mark.parametrize(
    ("original", "copy"),
    [(llm.Engine, fake_llm.FakeEngine), (llm.load, fake_llm.load)],
    ids=["Engine", "load"],
)
def test_they_are_made_alike(original, copy):
    assert parameters(copy) == parameters(original)


@pytest.mark.parametrize("make", [real, fake])
def test_jobs_end_alike(make: Callable[[], tuple[Any, Any]]):
    engine, tokenizer = make()
    engine.model.tokenizer = tokenizer
    options = llm.Options(max_tokens=3, temperature=0.0)
    jobs = [engine.submit([5, 6, number], options) for number in (7, 8, 9)]
    assert engine.jobs == jobs
    assert [job.prompt_tokens for job in jobs] == [3, 3, 3]
    engine.cancel(jobs[2])
    assert jobs[2].finish_reason == "cancelled"
    texts = {job.id: "" for job in jobs}
    while engine.busy:
        for piece in engine.step():
            assert isinstance(piece, llm.Piece)
            texts[piece.job.id] += piece.text
    assert [job.finish_reason for job in jobs[:2]] == ["length", "length"]
    assert [job.completion_tokens for job in jobs] == [3, 3, 0]
    assert [job.text for job in jobs] == list(texts.values())
    assert engine.stats.prefill_tokens > 0
    assert engine.stats.decode_tokens > 0
    for wrong in ([], list(range(32)), [10**6]):
        with pytest.raises(strided.InvalidArgument) as caught:
            engine.submit(wrong)
        assert caught.value.argument == "tokens"


def test_every_replaced_name_is_a_real_one():
    assert {name: getattr(llm, name).__name__ for name in fake_llm.NAMES} == {
        "load": "load",
        "Engine": "Engine",
    }
