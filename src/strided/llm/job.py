"""Generation jobs: one prompt, what is written after it as a stream of text, and why it ended."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from strided import InvalidArgument, UnsupportedOperation
from strided.llm.sample import Options, Sampler

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


# ---- incremental detokenization: text is given out as soon as no later token can change it ----
# Held back are bytes that may become a character and characters that may become a stop string. What
# is given out does not depend on where one token ends and the next begins, and all of it together
# is the text of all tokens, cut where the first stop string to be complete begins. The work per
# token is that of its bytes and of what is held, however long the text: one automaton per stop
# string (Knuth, Morris and Pratt).


class _Tokens(Protocol):
    """What a stream asks of a tokenizer."""

    def token_bytes(self, token: int, /) -> bytes: ...

    def is_control(self, token: int, /) -> bool: ...


class TextStream:
    """The text of tokens that come one by one, for showing it while it grows.

    Control tokens have no text here. ``stopped`` says whether a stop string was found; neither it
    nor what follows is given out.

    >>> from strided.llm import TextStream
    >>> class Letters:
    ...     def token_bytes(self, token): return bytes([token])
    ...     def is_control(self, token): return False
    >>> stream = TextStream(Letters(), stop=("END",))
    >>> [stream.push(byte) for byte in "né E".encode()]
    ['n', '', 'é', ' ', '']
    >>> [stream.push(byte) for byte in b"NxEND"], stream.stopped, stream.text
    (['', 'ENx', '', '', ''], True, 'né ENx')
    """

    def __init__(self, tokenizer: _Tokens, stop: Sequence[str] = ()) -> None:
        if isinstance(stop, str) or not all(stop):
            raise InvalidArgument(
                argument="stop", got=repr(stop), requirement="must be texts that are not empty"
            )
        self.stopped = False
        self._tokenizer = tokenizer
        self._stops = [_Matcher(text) for text in stop]
        self._begins = frozenset(text[0] for text in stop)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._given: list[str] = []
        self._held = ""
        self._finished = False

    @property
    def text(self) -> str:
        """All text given out so far.

        >>> from strided.llm import TextStream
        >>> TextStream(None).text
        ''
        """
        if len(self._given) > 1:
            self._given = ["".join(self._given)]
        return self._given[0] if self._given else ""

    def push(self, token: int) -> str:
        """Return the text that this token makes certain; it may be empty.

        >>> from strided.llm import TextStream
        >>> class Letters:
        ...     def token_bytes(self, token): return bytes([token])
        ...     def is_control(self, token): return False
        >>> TextStream(Letters()).push(97)
        'a'
        """
        if self._finished:
            raise UnsupportedOperation(
                operation="TextStream.push",
                reason="the stream was finished",
                hint="make a new TextStream",
            )
        if self.stopped or self._tokenizer.is_control(token):
            return ""
        return self._give(self._decoder.decode(self._tokenizer.token_bytes(token)), False)

    def finish(self) -> str:
        """Return what is still held back: no more tokens will come.

        >>> from strided.llm import TextStream
        >>> class Letters:
        ...     def token_bytes(self, token): return bytes([token])
        ...     def is_control(self, token): return False
        >>> stream = TextStream(Letters(), stop=("abc",))
        >>> stream.push(97), stream.push(98), stream.finish()
        ('', '', 'ab')
        """
        if self._finished or self.stopped:
            self._finished = True
            return ""
        self._finished = True
        return self._give(self._decoder.decode(b"", True), True)

    def _give(self, new: str, everything: bool) -> str:
        """Return what is certain of the held and the new text, and hold the rest."""
        text = self._held + new
        held = 0
        if self._held or not self._begins.isdisjoint(new):
            for place, letter in enumerate(new, len(self._held) + 1):
                found = max([stop.read(letter) for stop in self._stops])
                if found:
                    self.stopped = True
                    text, held = text[: place - found], 0
                    break
            else:
                held = 0 if everything else max(stop.matched for stop in self._stops)
        given, self._held = text[: len(text) - held], text[len(text) - held :]
        if given:
            self._given.append(given)
        return given


class _Matcher:
    """How much of a stop string the text read so far ends with; of no use once it is complete."""

    def __init__(self, text: str) -> None:
        self.matched = 0
        self._text = text
        # For each length of a beginning: the longest shorter beginning that it ends with.
        self._shorter = [0, 0]
        length = 0
        for letter in text[1:]:
            while length and text[length] != letter:
                length = self._shorter[length]
            length += text[length] == letter
            self._shorter.append(length)

    def read(self, letter: str) -> int:
        """Take one letter; return the length of the stop string if it is complete now, else 0."""
        text, length = self._text, self.matched
        while length and text[length] != letter:
            length = self._shorter[length]
        length += text[length] == letter
        self.matched = length
        return length if length == len(text) else 0
