"""Jobs on an engine: batching, waiting, beginning in the cache, ending, being interrupted."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from support.llm_families import TINY

import strided
from strided import llm

GREEDY = llm.Options(temperature=0, max_tokens=12)
TEXT = [int(t) for t in np.random.default_rng(5).integers(0, TINY.vocab, 90)]


@pytest.fixture(scope="module")
def model() -> llm.Model:
    return llm.Model(TINY, llm.random_weights(TINY, strided.float32, seed=1))


def written(engine: llm.Engine, prompt: list[int], options: llm.Options = GREEDY) -> list[int]:
    return [piece.token for piece in engine.generate(prompt, options) if piece.token is not None]


@pytest.fixture(scope="module")
def alone(model: llm.Model) -> dict[int, list[int]]:
    """What follows TEXT[:n], each from an engine of its own."""
    return {n: written(llm.Engine(model, context=128), TEXT[:n]) for n in range(1, 61)}


def run(engine: llm.Engine) -> Iterator[llm.Piece]:
    while engine.busy:
        yield from engine.step()


@pytest.mark.parametrize("prefill", [1, 8, 512])
@pytest.mark.parametrize("sequences", [1, 2, 5])
def test_jobs_do_not_disturb_each_other(
    model: llm.Model, alone: dict[int, list[int]], sequences: int, prefill: int
) -> None:
    engine = llm.Engine(model, context=128, sequences=sequences, prefill=prefill)
    lengths = [3, 50, 1, 20, 35, 60, 2]
    jobs = [engine.submit(TEXT[:n], GREEDY) for n in lengths]
    pieces = list(run(engine))
    assert [job.tokens for job in jobs] == [alone[n] for n in lengths]
    assert {job.finish_reason for job in jobs} == {"length"}
    assert [piece.token for piece in pieces if piece.job is jobs[1]] == jobs[1].tokens


def test_jobs_come_and_go(model: llm.Model, alone: dict[int, list[int]]) -> None:
    engine = llm.Engine(model, context=128, sequences=3)
    jobs = []
    for n in (5, 9, 30, 17, 44):
        jobs.append((n, engine.submit(TEXT[:n], GREEDY)))
        for _ in range(3):
            engine.step()
    list(run(engine))
    for n, job in jobs:
        assert job.tokens == alone[n]


def test_a_common_beginning_is_read_once(model: llm.Model, alone: dict[int, list[int]]) -> None:
    engine = llm.Engine(model, context=128, sequences=2)
    assert written(engine, TEXT[:40]) == alone[40]
    read = engine.stats.prefill_tokens
    job = engine.submit(TEXT[:60], GREEDY)
    list(run(engine))
    assert job.tokens == alone[60]
    assert job.cached_tokens == 40
    assert engine.stats.prefill_tokens - read == 20
    # A conversation goes on behind its own answer, of which the last token was never read.
    longer = [*TEXT[:60], *job.tokens, *TEXT[:30]]
    again = engine.submit(longer, GREEDY)
    list(run(engine))
    assert again.cached_tokens == 60 + GREEDY.max_tokens - 1
    assert again.tokens == written(llm.Engine(model, context=128), longer)


def test_a_job_at_work_is_shared_too() -> None:
    """To the bit, whoever else is there: a past is forked where attention may be cut."""
    config = dataclasses.replace(TINY, context=2048)
    model = llm.Model(config, llm.random_weights(config, strided.float32, seed=1))
    text = [int(t) for t in np.random.default_rng(6).integers(0, TINY.vocab, 1200)]
    lengths = (900, 500, 1190, 800, 802)
    alone = [written(llm.Engine(model, context=2048), text[:n]) for n in lengths]
    engine = llm.Engine(model, context=2048, sequences=3)
    jobs = []
    for n in lengths:
        jobs.append(engine.submit(text[:n], GREEDY))
        for _ in range(3):
            engine.step()
    list(run(engine))
    assert [job.tokens for job in jobs] == alone
    assert [job.cached_tokens for job in jobs][:3] == [0, 384, 768]
    # The shared rows stay when the one that wrote them goes back to an earlier place.
    again = [engine.submit(text[:n], GREEDY) for n in lengths[::-1]]
    list(run(engine))
    assert [job.tokens for job in again] == alone[::-1]


def test_the_context_ends_a_job(model: llm.Model) -> None:
    engine = llm.Engine(model, context=20)
    tokens = written(engine, TEXT[:15], llm.Options(temperature=0))
    assert len(tokens) == 6  # the last one is written and never read
    assert engine.submit(TEXT[:19], GREEDY).prompt_tokens == 19
    assert len(list(run(engine))) == 2


@pytest.mark.parametrize("prompt", [[], TEXT[:20], [TINY.vocab], [-1]])
def test_prompts_that_cannot_be_read(model: llm.Model, prompt: list[int]) -> None:
    engine = llm.Engine(model, context=20)
    with pytest.raises(strided.InvalidArgument) as caught:
        engine.submit(prompt)
    assert caught.value.argument == "tokens"
    assert not engine.busy


def test_cancelling(model: llm.Model, alone: dict[int, list[int]]) -> None:
    engine = llm.Engine(model, context=128, sequences=1)
    first, second, third = (engine.submit(TEXT[:n], GREEDY) for n in (5, 9, 30))
    engine.step()
    engine.step()
    engine.cancel(first)
    engine.cancel(second)
    engine.cancel(first)
    list(run(engine))
    assert first.tokens == alone[5][:2]
    assert first.finish_reason == second.finish_reason == "cancelled"
    assert third.tokens == alone[30]


def test_leaving_a_loop_cancels(model: llm.Model, alone: dict[int, list[int]]) -> None:
    engine = llm.Engine(model, context=128)
    pieces = engine.generate(TEXT[:9], GREEDY)
    assert next(pieces).token == alone[9][0]
    pieces.close()
    assert not engine.busy
    assert written(engine, TEXT[:9]) == alone[9]


def test_an_interrupted_step_is_undone(
    model: llm.Model, alone: dict[int, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = llm.Engine(model, context=128, sequences=2)
    jobs = [engine.submit(TEXT[:n], GREEDY) for n in (9, 30)]
    engine.step()

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(llm.Model, "forward", interrupted)
        with pytest.raises(KeyboardInterrupt):
            engine.step()
    list(run(engine))
    # The last one came when the text had its last token: that is written again.
    assert [job.tokens[:12] for job in jobs] == [alone[9], alone[30]]
    assert {job.finish_reason for job in jobs} == {"length"}


def test_the_same_seed_writes_the_same(model: llm.Model) -> None:
    options = llm.Options(temperature=1.5, top_k=0, top_p=1.0, min_p=0.0, seed=4, max_tokens=20)
    texts = [written(llm.Engine(model, context=128), TEXT[:9], options) for _ in range(2)]
    other = llm.Options(temperature=1.5, top_k=0, top_p=1.0, min_p=0.0, seed=5, max_tokens=20)
    assert texts[0] == texts[1] != written(llm.Engine(model, context=128), TEXT[:9], other)


def test_a_greedy_token_copies_nothing(model: llm.Model) -> None:
    engine = llm.Engine(model, context=128)
    engine.submit(TEXT, GREEDY)
    engine.step()
    with strided.no_copies(implicit_only=False):
        for _ in range(5):
            assert len(engine.step()) == 1
