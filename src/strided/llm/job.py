"""Generation jobs: one prompt, what is written after it, and why it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strided.llm.sample import Options, Sampler
from strided.llm.text_stream import TextStream

if TYPE_CHECKING:
    from strided import Tensor
    from strided.llm.kv_cache import Past
    from strided.llm.tokenizer import Tokenizer


class Job:
    """One prompt and what was written after it.

    ``finish_reason`` is None while it is under way, then "stop" (the model ended its turn, or a
    stop string came), "length" (max_tokens, or the context is full) or "cancelled".

    >>> import strided.llm as llm
    >>> job = llm.Job(1, [1, 2, 3], llm.Options(), None)
    >>> job.prompt_tokens, job.tokens, job.finish_reason
    (3, [], None)
    """

    def __init__(
        self, number: int, prompt: Sequence[int], options: Options, tokenizer: Tokenizer | None
    ) -> None:
        self.id = number
        self.prompt = list(prompt)
        self.options = options
        self.tokens: list[int] = []
        self.cached_tokens = 0
        self.finish_reason: str | None = None
        self.past: Past | None = None
        self._sampler = Sampler(options)
        self._stream = None if tokenizer is None else TextStream(tokenizer, options.stop)
        self._eos = frozenset(() if tokenizer is None else tokenizer.eos)

    @property
    def prompt_tokens(self) -> int:
        """How many tokens the prompt has.

        >>> import strided.llm as llm
        >>> llm.Job(1, [1, 2, 3], llm.Options(), None).prompt_tokens
        3
        """
        return len(self.prompt)

    @property
    def completion_tokens(self) -> int:
        """How many tokens were written.

        >>> import strided.llm as llm
        >>> llm.Job(1, [1, 2, 3], llm.Options(), None).completion_tokens
        0
        """
        return len(self.tokens)

    @property
    def text(self) -> str:
        """The text that is final so far; empty where there is no tokenizer.

        >>> import strided.llm as llm
        >>> llm.Job(1, [1, 2, 3], llm.Options(), None).text
        ''
        """
        return "" if self._stream is None else self._stream.text

    @property
    def unread(self) -> list[int]:
        """The tokens that the model has not seen yet.

        >>> import strided.llm as llm
        >>> llm.Job(1, [1, 2, 3], llm.Options(), None).unread
        [1, 2, 3]
        """
        seen = 0 if self.past is None else len(self.past)
        if seen < len(self.prompt):
            return self.prompt[seen:]
        return self.tokens[seen - len(self.prompt) :]

    def take(self, logits: Tensor) -> Piece:
        """Write the next token, chosen by its logits (vocabulary,).

        >>> import strided
        >>> import strided.llm as llm
        >>> job = llm.Job(1, [1, 2, 3], llm.Options(temperature=0), None)
        >>> job.take(strided.tensor([0.5, 2.0, 1.0])).token
        1
        """
        # Penalties look at a window of the last tokens only.
        window = self.options.repetition_window
        recent = self.tokens[-window:] if len(self.tokens) >= window else self.prompt + self.tokens
        token = self._sampler.pick(logits, recent[-window:])
        self.tokens.append(token)
        if token in self._eos:
            return self.end("stop", token)
        text = "" if self._stream is None else self._stream.push(token)
        if self._stream is not None and self._stream.stopped:
            return self.end("stop", token, text)
        limit = self.options.max_tokens
        room = 0 if self.past is None else self.past.room
        if (limit is not None and len(self.tokens) >= limit) or room == 0:
            return self.end("length", token, text)
        return Piece(self, token, text, None)

    def end(self, reason: str, token: int | None = None, text: str = "") -> Piece:
        """End it; what the stream held back becomes final unless a stop string cut it off.

        >>> import strided.llm as llm
        >>> llm.Job(1, [1, 2, 3], llm.Options(), None).end("length").finish_reason
        'length'
        """
        self.finish_reason = reason
        if self._stream is not None:
            text += self._stream.finish()
        return Piece(self, token, text, reason)


@dataclass(frozen=True)
class Piece:
    """A token that was written, the text that it made final, and whether the job ended with it.

    >>> import strided.llm as llm
    >>> job = llm.Job(1, [1, 2, 3], llm.Options(), None)
    >>> llm.Piece(job, 7, "seven", None).text
    'seven'
    """

    job: Job
    token: int | None
    text: str
    finish_reason: str | None
