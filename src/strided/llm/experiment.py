"""The experiment of source document 000: the same model with every view copied, and with views.

Same weights, same kernels, same model code. Only ``strided.copy_everything()`` differs: under it,
each view that the model asks for becomes a contiguous copy. Time, copies and bytes are of one
decoded token at the end of a prompt.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
    """Return what a token costs with copies, and with views, after the same prompt."""
    before = decode(model, prompt, count, copying=True)
    after = decode(model, prompt, count, copying=False)
    return before, after


def decode(model: Model, prompt: Sequence[int], count: int, *, copying: bool) -> Decoded:
    """Read a prompt, then decode tokens greedily; measure the second half of them."""
    cache = Cache(model.config, context=len(prompt) + count + 1, dtype=model.cache_dtype)
    past = cache.begin()
    logits = model.forward(Step(cache, [(past, prompt)]), first=len(prompt) - 1)
    tokens = [int(logits[0].argmax())]
    seconds = []
    with _views_copied(copying):
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


@contextmanager
def _views_copied(on: bool) -> Iterator[None]:
    if not on:
        yield
        return
    with strided.copy_everything():
        yield
