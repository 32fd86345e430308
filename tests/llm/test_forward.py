"""Forward passes: the same logits however a text is cut, batched, forked or gone back in."""

from __future__ import annotations

import numpy as np
import pytest
from support import llm_reference
from support.llm_families import FAMILIES, TINY

import strided
from strided import llm
from strided.llm.kv_cache import Cache, Past, Step

TEXT = [int(t) for t in np.random.default_rng(7).integers(0, TINY.vocab, 70)]


@pytest.fixture(params=FAMILIES)
def model(request: pytest.FixtureRequest) -> llm.Model:
    config = FAMILIES[request.param]
    return llm.Model(config, llm.random_weights(config, strided.float32, seed=3))


def cache_for(model: llm.Model, sequences: int = 1, context: int = 128) -> Cache:
    return Cache(model.config, context=context, sequences=sequences)


def read(model: llm.Model, cache: Cache, past: Past, tokens: list[int]) -> np.ndarray:
    return model.forward(Step(cache, [(past, tokens)])).numpy()


def close(got: np.ndarray, expected: np.ndarray) -> None:
    scale = np.abs(expected).max()
    np.testing.assert_allclose(got, expected, rtol=0, atol=2e-5 * scale)


@pytest.fixture
def expected(model: llm.Model) -> np.ndarray:
    return llm_reference.logits(model.config, model.weights, TEXT)


def test_at_once(model: llm.Model, expected: np.ndarray) -> None:
    cache = cache_for(model)
    close(read(model, cache, cache.begin(), TEXT), expected)


@pytest.mark.parametrize("piece", [1, 7, 33])
def test_in_pieces(model: llm.Model, expected: np.ndarray, piece: int) -> None:
    cache = cache_for(model)
    past = cache.begin()
    parts = [TEXT[i : i + piece] for i in range(0, len(TEXT), piece)]
    got = np.concatenate([read(model, cache, past, part) for part in parts])
    close(got, expected)


def test_only_the_last(model: llm.Model, expected: np.ndarray) -> None:
    cache = cache_for(model)
    got = model.forward(Step(cache, [(cache.begin(), TEXT)]), first=len(TEXT) - 1)
    assert got.shape == (1, model.config.vocab)
    close(got.numpy(), expected[-1:])


def test_going_back(model: llm.Model, expected: np.ndarray) -> None:
    cache = cache_for(model)
    past = cache.begin()
    read(model, cache, past, TEXT[:40] + [5] * 20)
    past.truncate(40)
    close(read(model, cache, past, TEXT[40:]), expected[40:])


def test_a_fork_shares_its_past(model: llm.Model, expected: np.ndarray) -> None:
    cache = cache_for(model, sequences=3)
    parent = cache.begin()
    read(model, cache, parent, TEXT[:40] + [9] * 5)
    child = cache.fork(parent, 40)
    grandchild = cache.fork(child, 30)
    cache.release(parent)
    close(read(model, cache, child, TEXT[40:]), expected[40:])
    close(read(model, cache, grandchild, TEXT[30:]), expected[30:])


def test_sequences_side_by_side(model: llm.Model) -> None:
    cache = cache_for(model, sequences=3)
    texts = [TEXT, TEXT[5:40], TEXT[20:21]]
    alone = [llm_reference.logits(model.config, model.weights, text) for text in texts]
    pasts = [cache.begin() for _ in texts]
    mixed = model.forward(Step(cache, [*zip(pasts, texts, strict=True)])).numpy()
    close(mixed, np.concatenate(alone))
    # One more token each, batched: as if each were longer by one.
    longer = [[*text, 3] for text in texts]
    got = model.forward(Step(cache, [(past, [3]) for past in pasts])).numpy()
    for row, text in zip(got, longer, strict=True):
        close(row, llm_reference.logits(model.config, model.weights, text)[-1])


def test_reading_a_prompt_copies_rows_of_the_embedding_only(model: llm.Model) -> None:
    cache = cache_for(model)
    with strided.trace_copies() as report:
        model.forward(Step(cache, [(cache.begin(), TEXT)]), first=len(TEXT) - 1)
    assert [event.reason for event in report.events] == ["gather"], str(report)
    assert report.bytes == len(TEXT) * model.config.hidden * 4


def test_a_decoded_token_copies_nothing(model: llm.Model) -> None:
    cache = cache_for(model)
    past = cache.begin()
    read(model, cache, past, TEXT)
    with strided.no_copies(implicit_only=False):
        for token in (1, 2):
            model.forward(Step(cache, [(past, [token])]))


def test_a_batch_of_decoded_tokens_copies_rows_of_the_embedding_only(model: llm.Model) -> None:
    cache = cache_for(model, sequences=3)
    pasts = [cache.begin() for _ in range(3)]
    model.forward(Step(cache, [(past, TEXT) for past in pasts]))
    with strided.trace_copies() as report:
        model.forward(Step(cache, [(past, [1]) for past in pasts]))
    assert [event.reason for event in report.events] == ["gather"], str(report)


def test_the_baseline_computes_the_same(model: llm.Model) -> None:
    results = []
    for copying in (False, True):
        cache = cache_for(model)
        past = cache.begin()
        read(model, cache, past, TEXT)
        with strided.trace_copies() as report:
            if copying:
                with strided.copy_everything():
                    results.append(read(model, cache, past, [1]))
            else:
                results.append(read(model, cache, past, [1]))
        assert (report.count > 5 * model.config.layers) == copying, str(report)
    np.testing.assert_array_equal(*results)
