"""The experiment of source document 000: the same model with every view copied, and with views.

Same weights, same kernels, same model code. Only ``strided.copy_everything()`` differs: under it,
each view that the model asks for becomes a contiguous copy. Time, copies and bytes are of one
decoded token at the end of a prompt.
"""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass

import strided
from strided import CopyReport
from strided.llm.kv_cache import Cache
from strided.llm.model import Model
from strided.llm.step import Step


@dataclass(frozen=True)
class Decoded:
    """What one decoded token costs."""

    name: str
    seconds: float
    copies: CopyReport
    allocated: int  # bytes at most, besides weights and cache
    tokens: tuple[int, ...]

    @property
    def rate(self) -> float:
        """Tokens per second."""
        return 1 / self.seconds


def compare(model: Model, prompt: Sequence[int], count: int = 8) -> tuple[Decoded, Decoded]:
    """Return what a token costs with copies, and with views, after the same prompt.

    >>> import strided.llm as llm
    >>> from strided.llm.experiment import compare
    >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> before, after = compare(llm.Model(config, llm.random_weights(config, "f32")), [1, 2, 3])
    >>> before.tokens == after.tokens, before.copies.count > 0, after.copies.count
    (True, True, 0)
    """
    return decode(model, prompt, count, copying=True), decode(model, prompt, count, copying=False)


def decode(model: Model, prompt: Sequence[int], count: int, *, copying: bool) -> Decoded:
    """Read a prompt, decode tokens greedily and time them, then trace the copies of one more."""
    cache = Cache(model.config, context=len(prompt) + count + 1, dtype=model.cache_dtype)
    past = cache.begin()
    logits = model.forward(Step(cache, [(past, prompt)]), first=len(prompt) - 1)
    tokens = [int(logits.argmax())]
    seconds = []
    with strided.copy_everything() if copying else contextlib.nullcontext():
        for _ in range(count - 1):
            begin = time.perf_counter()
            logits = model.forward(Step(cache, [(past, tokens[-1:])]))
            tokens.append(int(logits.argmax()))
            seconds.append(time.perf_counter() - begin)
        held = strided.memory.heap_facts().live_bytes
        strided.memory.reset_peak()
        with strided.trace_copies() as report:
            model.forward(Step(cache, [(past, tokens[-1:])]))
        peak = strided.memory.heap_facts().peak_bytes - held
    name = "every view a copy" if copying else "views"
    return Decoded(name, statistics.median(seconds), report, peak, tuple(tokens))


def table_of(runs: Sequence[Decoded]) -> list[tuple[str, ...]]:
    """Return a header and a row for each run."""
    header: tuple[str, ...] = (
        "",
        "ms a token",
        "tokens/s",
        "copies a token",
        "bytes copied",
        "bytes held",
    )
    return [header] + [
        (
            run.name,
            f"{run.seconds * 1e3:.1f}",
            f"{run.rate:.1f}",
            f"{run.copies.count}",
            f"{run.copies.bytes:,}",
            f"{run.allocated:,}",
        )
        for run in runs
    ]
