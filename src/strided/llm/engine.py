"""Continuous batching: jobs that share forward passes, and how fast it went.

A step reads a piece of one prompt and writes the next token of every job that has been read. A job
that begins like an earlier one starts from the rows of the common beginning, be that one done or
still at work. What a job writes does not depend on who else is there, to the bit: prompts and
written tokens go through the model apart, in numbers for which products and attention give the same
bits, and a past is shared where attention may be cut. One thread owns an engine.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import strided
from strided import DType, nn
from strided.llm.job import Job, Piece
from strided.llm.kv_cache import Cache, Past, Step
from strided.llm.model import Model
from strided.llm.sample import Options


@dataclass
class Stats:
    """Counts and seconds of the steps of an engine.

    >>> import strided.llm as llm
    >>> stats = llm.Stats(bytes_per_token=1000)
    >>> stats.add(read=0, written=2, seconds=0.5)
    >>> stats.decode_rate, stats.read_rate
    (4.0, 2000.0)
    """

    bytes_per_token: int
    load_seconds: float = 0.0
    prefill_tokens: int = 0
    prefill_seconds: float = 0.0
    decode_tokens: int = 0
    decode_seconds: float = 0.0
    decode_steps: int = 0

    def add(self, read: int, written: int, seconds: float) -> None:
        """Count a step. One that also reads a prompt is counted as reading only.

        >>> import strided.llm as llm
        >>> stats = llm.Stats(1000)
        >>> stats.add(read=8, written=1, seconds=0.5)
        >>> stats.prefill_tokens, stats.decode_tokens
        (8, 0)
        """
        if read:
            self.prefill_tokens += read
            self.prefill_seconds += seconds
        else:
            self.decode_tokens += written
            self.decode_seconds += seconds
            self.decode_steps += 1

    @property
    def prefill_rate(self) -> float:
        """Tokens read per second.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, prefill_tokens=8, prefill_seconds=2.0).prefill_rate
        4.0
        """
        return self.prefill_tokens / self.prefill_seconds if self.prefill_seconds else 0.0

    @property
    def decode_rate(self) -> float:
        """Tokens written per second.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, decode_tokens=8, decode_seconds=2.0).decode_rate
        4.0
        """
        return self.decode_tokens / self.decode_seconds if self.decode_seconds else 0.0

    @property
    def read_rate(self) -> float:
        """Bytes of weights read per second while writing.

        >>> import strided.llm as llm
        >>> llm.Stats(1000, decode_steps=8, decode_seconds=2.0).read_rate
        4000.0
        """
        steps, seconds = self.decode_steps, self.decode_seconds
        return self.bytes_per_token * steps / seconds if seconds else 0.0


_DECODE_BATCH = nn.FEW_ROWS  # tokens that are written in one pass; more would go by other kernels
_MIN_PREFILL = nn.MANY_ROWS  # of a prompt, at least; fewer would go by those of written tokens
_MIN_SHARED_PREFIX = 16  # tokens of a common prefix


class Engine:
    """Runs jobs on a model, as many at once as the cache has sequences.

    >>> import strided.llm as llm
    >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")), sequences=2)
    >>> jobs = [engine.submit([1, 2, n], llm.Options(max_tokens=4)) for n in (3, 4)]
    >>> while engine.busy:
    ...     pieces = engine.step()
    >>> [(job.completion_tokens, job.finish_reason) for job in jobs]
    [(4, 'length'), (4, 'length')]
    """

    def __init__(
        self,
        model: Model,
        *,
        context: int = 4096,
        sequences: int = 1,
        prefill: int = 512,
        cache_dtype: DType | None = None,
    ) -> None:
        self.model = model
        self.context = min(context, model.config.context)
        self.prefill = prefill
        self.cache = Cache(
            model.config,
            context=self.context,
            sequences=sequences,
            dtype=cache_dtype or model.cache_dtype,
        )
        self.stats = Stats(model.weights.read_bytes_per_token)
        self._number = 0
        self._waiting: deque[Job] = deque()
        self._running: list[Job] = []
        # Pasts of jobs that are done, kept for prompts that begin like them; oldest first.
        self._idle: list[Past] = []

    @property
    def busy(self) -> bool:
        """Whether a step would do something.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> engine.busy
        False
        """
        return bool(self._waiting or self._running)

    @property
    def jobs(self) -> list[Job]:
        """The jobs under way, those in line last.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> job = engine.submit([1, 2])
        >>> engine.jobs == [job]
        True
        """
        return [*self._running, *self._waiting]

    def submit(self, tokens: Sequence[int], options: Options | None = None) -> Job:
        """Put a prompt in line and return its job.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> engine.submit([1, 2, 3]).prompt_tokens
        3
        """
        if not 0 < len(tokens) < self.context:
            raise strided.InvalidArgument(
                argument="tokens",
                got=f"a prompt of {len(tokens)} tokens",
                requirement=f"must have at least 1 and leave room in a context of {self.context}",
            )
        vocabulary = self.model.config.vocab
        if min(tokens) < 0 or max(tokens) >= vocabulary:
            raise strided.InvalidArgument(
                argument="tokens",
                got=f"in {min(tokens)} .. {max(tokens)}",
                requirement=f"must be in 0 .. {vocabulary - 1}",
            )
        self._number += 1
        job = Job(self._number, tokens, options or Options(), self.model.tokenizer)
        self._waiting.append(job)
        return job

    def cancel(self, job: Job) -> None:
        """End a job; what it has written stays. Ended jobs stay as they are.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> job = engine.submit([1, 2, 3])
        >>> engine.cancel(job)
        >>> job.finish_reason
        'cancelled'
        """
        if job.finish_reason is None:
            job.end("cancelled")
        if job in self._waiting:
            self._waiting.remove(job)
        self._retire_ended()

    def generate(self, tokens: Sequence[int], options: Options | None = None) -> Iterator[Piece]:
        """Yield the pieces of one job as they are written; leaving the loop cancels it.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> len([piece.token for piece in engine.generate([1, 2], llm.Options(max_tokens=5))])
        5
        """
        job = self.submit(tokens, options)
        try:
            while job.finish_reason is None:
                yield from (piece for piece in self.step() if piece.job is job)
        finally:
            self.cancel(job)

    def step(self) -> list[Piece]:
        """Take everything that is under way one step further; return what was written.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> engine = llm.Engine(llm.Model(config, llm.random_weights(config, "f32")))
        >>> job = engine.submit([1, 2, 3])
        >>> [piece.job is job for piece in engine.step()]
        [True]
        """
        self._retire_ended()
        self._admit()
        reading = [job for job in self._running if len(job.unread) > 1][:1]
        writing = [job for job in self._running if len(job.unread) == 1]
        pieces = self._run(reading)
        for first in range(0, len(writing), _DECODE_BATCH):
            pieces += self._run(writing[first : first + _DECODE_BATCH])
        self._retire_ended()
        return pieces

    def _run(self, jobs: list[Job]) -> list[Piece]:
        """Run one pass over what these jobs have unread: one piece of a prompt, or a token each."""
        parts = [(job.past, self._portion(job.unread)) for job in jobs if job.past is not None]
        if not parts:
            return []
        begin = time.perf_counter()
        step = Step(self.cache, parts)
        # Of a prompt only the last token is asked what comes next.
        count = len(step)
        asked = [job for job in jobs if not job.unread]
        pieces: list[Piece] = []
        try:
            logits = self.model.forward(step, count - len(asked))
            for row, job in enumerate(asked):
                pieces.append(job.take(logits[row]))
        except BaseException:
            # Ctrl-C must not leave rows as if they had been written, or tokens without a successor.
            step.undo(len(pieces))
            raise
        self.stats.add(count if count > len(jobs) else 0, len(asked), time.perf_counter() - begin)
        return pieces

    def _portion(self, unread: list[int]) -> list[int]:
        """Return the next piece of a prompt; what is left after it is nothing, or not little."""
        left = len(unread) - self.prefill
        if 0 < left < _MIN_PREFILL < self.prefill:
            return unread[: len(unread) - _MIN_PREFILL]
        return unread[: self.prefill]

    # ---- who gets which rows ----

    def _admit(self) -> None:
        while self._waiting:
            past = self._past_for(self._waiting[0].prompt)
            if past is None:
                return
            job = self._waiting.popleft()
            job.past, job.cached_tokens = past, len(past)
            self._running.append(job)

    def _past_for(self, prompt: list[int]) -> Past | None:
        """Return a past with the longest known beginning of a prompt; None if all are taken."""
        running = [job.past for job in self._running if job.past is not None]
        best, common = None, _MIN_SHARED_PREFIX - 1
        for past in (*self._idle, *running):
            length = min(_common_prefix(past.tokens, prompt), len(prompt) - _MIN_PREFILL)
            if past in running or self.cache.is_shared(past):  # it would be forked
                length -= length % nn.ATTENTION_BLOCK
            if length > common:
                best, common = past, length
        if best is not None and best in self._idle and not self.cache.is_shared(best):
            self._idle.remove(best)
            best.truncate(common)
            return best
        if not self._make_room(best):
            return None
        return self.cache.begin() if best is None else self.cache.fork(best, common)

    def _make_room(self, keep: Past | None) -> bool:
        for past in list(self._idle):
            if self.cache.free_regions:
                break
            if past is not keep:
                self._idle.remove(past)
                self.cache.release(past)
        return self.cache.free_regions > 0

    def _retire_ended(self) -> None:
        for job in [job for job in self._running if job.finish_reason is not None]:
            self._running.remove(job)
            if job.past is not None:
                self._idle.append(job.past)
                job.past = None


def _common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    length = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        length += 1
    return length
