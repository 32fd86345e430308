"""Conversations: prompts, answers as they are written, messages so far, and performance figures.

A conversation changes only by whole turns: a question that got no answer is not part of it.
"""

from __future__ import annotations

import contextlib
import io
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import strided
from strided.cli.output import progress_bar
from strided.text import shown_bytes

if TYPE_CHECKING:
    from strided.llm import Engine, Job, Options, Piece, Tokenizer


# ---- performance figures ----
# Writing a token reads every weight once: bytes of weights read per second say how close that comes
# to what the memory can do.


@dataclass(frozen=True)
class Figures:
    """What was read and written, in which time; None is what could not be measured."""

    model: str
    load_seconds: float
    prompt_tokens: int
    cached_tokens: int
    prefill_tokens: int
    prefill_seconds: float
    completion_tokens: int
    decode_tokens: int
    decode_seconds: float
    bytes_per_token: int
    copies_per_token: float | None
    peak_rss: int | None

    @property
    def prefill_rate(self) -> float | None:
        """Tokens read per second."""
        return self.prefill_tokens / self.prefill_seconds if self.prefill_seconds else None

    @property
    def decode_rate(self) -> float | None:
        """Tokens written per second."""
        return self.decode_tokens / self.decode_seconds if self.decode_seconds else None

    @property
    def weights_rate(self) -> float | None:
        """Bytes of weights read per second while tokens were written."""
        return None if self.decode_rate is None else self.bytes_per_token * self.decode_rate

    def to_dict(self) -> dict[str, Any]:
        """Return all figures, with what follows from them."""
        rates = ("prefill_rate", "decode_rate", "weights_rate")
        return {**asdict(self), **{name: getattr(self, name) for name in rates}}

    def __str__(self) -> str:
        cached = f" ({self.cached_tokens} known)" if self.cached_tokens else ""
        parts = [
            f"load {self.load_seconds:.2f} s",
            f"prompt {self.prompt_tokens}{cached}{_rate(self.prefill_rate)}",
            f"answer {self.completion_tokens}{_rate(self.decode_rate)}",
        ]
        if self.weights_rate is not None:
            parts.append(f"weights read at {self.weights_rate / 1e9:.1f} GB/s")
        if self.copies_per_token is not None:
            parts.append(f"{self.copies_per_token:.3g} copies/token")
        if self.peak_rss is not None:
            parts.append(f"peak {shown_bytes(self.peak_rss)}")
        return " | ".join(parts)


def _rate(tokens: float | None) -> str:
    return "" if tokens is None else f" at {tokens:.1f} tok/s"


def copies_so_far() -> int:
    """Return how many copies there were in this process.

    >>> before = copies_so_far()
    >>> _ = strided.zeros(3).clone()
    >>> copies_so_far() - before
    1
    """
    return sum(total.count for total in strided.copy_totals().values())


def peak_rss() -> int | None:
    """Return the most bytes of memory that this process has had; None where that is not told.

    >>> peak_rss() is None or peak_rss() > 1 << 20
    True
    """
    # getrusage would begin with the peak of whoever started this process.
    with contextlib.suppress(OSError), open("/proc/self/status", encoding="ascii") as facts:
        for line in facts:
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


# ---- streamed answers: written as they come, and counted ----
# Ctrl-C while an answer is written ends it after the token at hand, so that the engine stays
# usable; a second one, or one while the prompt is still read, does not wait.


@dataclass
class Answered:
    """What came of a prompt."""

    job: Job
    interrupted: bool
    figures: dict[str, Any]

    def figures_of(self, model: str, load_seconds: float) -> Figures:
        """Return the figures, with what is known of the rest of the program."""
        return Figures(model=model, load_seconds=load_seconds, **self.figures)


class _CtrlC:
    """What Ctrl-C means at the moment: an interrupt, or a wish to be looked at after a step."""

    def __init__(self) -> None:
        self.can_wait = True
        self.pressed = False

    def press(self, *_: object) -> None:
        if self.pressed or not self.can_wait:
            raise KeyboardInterrupt
        self.pressed = True


@contextmanager
def _ctrl_c() -> Iterator[_CtrlC]:
    state = _CtrlC()
    if threading.current_thread() is not threading.main_thread():
        yield state  # signals come to the main thread only
        return
    before = signal.signal(signal.SIGINT, state.press)
    try:
        yield state
    finally:
        signal.signal(signal.SIGINT, before)


def write_answer(
    engine: Engine, tokens: Sequence[int], options: Options, write: Callable[[str], None]
) -> Answered:
    """Answer a prompt; text goes to ``write`` as soon as it is final."""
    before = _counts(engine)
    copies: int | None = None
    shown = 0
    pieces: list[Piece] = []
    with _ctrl_c() as ctrl_c:
        job = engine.submit(tokens, options)
        try:
            ctrl_c.can_wait = False
            with progress_bar("prompt") as show:
                while not job.completion_tokens and job.finish_reason is None:
                    pieces = engine.step()
                    done = engine.stats.prefill_tokens - before["prefill_tokens"]
                    show(int(done), len(tokens) - job.cached_tokens)
            ctrl_c.can_wait = True
            copies = copies_so_far()
            while True:
                for piece in pieces:
                    write(piece.text)
                    shown += len(piece.text)
                if ctrl_c.pressed or job.finish_reason is not None:
                    break
                pieces = engine.step()
        except KeyboardInterrupt:
            ctrl_c.pressed = True
        finally:
            engine.cancel(job)
        write(job.text[shown:])  # what waited for the rest of a character or of a stop string
    decoded = job.completion_tokens - 1
    return Answered(
        job,
        ctrl_c.pressed,
        {
            "prompt_tokens": job.prompt_tokens,
            "cached_tokens": job.cached_tokens,
            "completion_tokens": job.completion_tokens,
            **{name: now - before[name] for name, now in _counts(engine).items()},
            "bytes_per_token": engine.stats.bytes_per_token,
            "copies_per_token": (
                (copies_so_far() - copies) / decoded if copies is not None and decoded > 0 else None
            ),
            "peak_rss": peak_rss(),
        },
    )


def _counts(engine: Engine) -> dict[str, float]:
    names = ("prefill_tokens", "prefill_seconds", "decode_tokens", "decode_seconds")
    return {name: getattr(engine.stats, name) for name in names}


def writer() -> Callable[[str], None]:
    """Return a function that puts text on stdout at once; no text can command a terminal."""
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors="replace")
    is_terminal = stream.isatty()

    def write(text: str) -> None:
        if text:
            stream.write(harmless(text) if is_terminal else text)
            stream.flush()

    return write


def harmless(text: str) -> str:
    """Return text in which control characters can be seen instead of obeyed.

    >>> harmless("two\\nlines, red: \\x1b[31m")
    'two\\nlines, red: \\\\x1b[31m'
    """
    return "".join(
        char if char in "\n\t" or char.isprintable() or ord(char) > 0x9F else ascii(char)[1:-1]
        for char in text
    )


# ---- conversations ----


def prompt_of(tokenizer: Tokenizer, text: str, system: str | None, raw: bool) -> list[int]:
    """Return the tokens of a prompt, in the model's chat template unless it is raw."""
    if raw:
        return tokenizer.encode(text)
    messages = [] if system is None else [{"role": "system", "content": system}]
    return conversation_of(tokenizer, [*messages, {"role": "user", "content": text}])


def conversation_of(tokenizer: Tokenizer, messages: list[dict[str, str]]) -> list[int]:
    """Return the tokens of a conversation that the model is to go on with."""
    from strided.llm import chat_prompt

    # A template writes the token that begins a text itself.
    add_bos = False if tokenizer.chat_template else None
    return tokenizer.encode(chat_prompt(tokenizer, messages), add_bos=add_bos)


def made_up_prompt(length: int, vocabulary: int) -> list[int]:
    """Return random tokens, the same each time.

    >>> len(made_up_prompt(5, 100)), max(made_up_prompt(5, 3)) < 3
    (5, True)
    """
    from random import Random

    chance = Random(0)
    return [chance.randrange(vocabulary) for _ in range(length)]


# What /set may change: its name in the chat, in Options, and how its value is read.
SETTINGS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "temp": ("temperature", float),
    "top-k": ("top_k", int),
    "top-p": ("top_p", float),
    "min-p": ("min_p", float),
    "repeat-penalty": ("repetition_penalty", float),
    "seed": ("seed", int),
    "max-tokens": ("max_tokens", int),
    "stop": ("stop", lambda text: (text,)),
}
_UNSET: dict[str, Any] = {"seed": None, "max-tokens": None, "stop": ()}
_ROLES = ("system", "user", "assistant")


class Conversation:
    """Messages with a model; what they have in common with the last prompt is not read again."""

    def __init__(
        self, engine: Engine, tokenizer: Tokenizer, options: Options, system: str | None
    ) -> None:
        self._engine, self._tokenizer = engine, tokenizer
        self.options, self.system = options, system
        self.messages: list[dict[str, str]] = []

    @property
    def all_messages(self) -> list[dict[str, str]]:
        """The messages, with what the model was told first."""
        first = [] if self.system is None else [{"role": "system", "content": self.system}]
        return [*first, *self.messages]

    def ask(self, text: str, write: Callable[[str], None]) -> Answered:
        """Take a turn; the answer goes to ``write`` as it comes."""
        question = {"role": "user", "content": text}
        tokens = conversation_of(self._tokenizer, [*self.all_messages, question])
        answered = write_answer(self._engine, tokens, self.options, write)
        if answered.job.text:
            answer = {"role": "assistant", "content": answered.job.text}
            self.messages += [question, answer]
        return answered

    def clear(self) -> None:
        """Forget what was said, but not what the model was told first."""
        self.messages = []

    def set(self, name: str, value: str) -> None:
        """Change a setting; raise InvalidArgument where that is not possible."""
        if name == "system":
            self.system = None if value in ("", "none") else value
            return
        if name not in SETTINGS:
            known = ", ".join(["system", *SETTINGS])
            raise _invalid(name, "not a setting", f"must be one of {known}")
        field, read = SETTINGS[name]
        if name in _UNSET and value in ("", "none"):
            self.options = replace(self.options, **{field: _UNSET[name]})
            return
        try:
            self.options = replace(self.options, **{field: read(value)})
        except strided.InvalidArgument:
            raise
        except ValueError:
            raise _invalid(name, repr(value), "must be a number") from None

    def settings(self) -> dict[str, Any]:
        """Return what /set may change, by its name there."""
        values = {name: getattr(self.options, field) for name, (field, _) in SETTINGS.items()}
        return {"system": self.system, **values}

    def save(self, path: Path) -> None:
        """Write the messages to a file, as JSON."""
        text = json.dumps({"messages": self.all_messages}, indent=2, ensure_ascii=False)
        path.write_text(text + "\n", encoding="utf-8")

    def load(self, path: Path) -> None:
        """Go on from a saved conversation; raise InvalidArgument for a file of another kind."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))["messages"]
            messages = [{key: one[key] for key in ("role", "content")} for one in found]
        except (ValueError, TypeError, LookupError, RecursionError):
            messages = [{}]
        system = [one for one in messages[:1] if one.get("role") == "system"]
        rest = messages[len(system) :]
        is_valid = all(
            isinstance(one.get("content"), str) and one.get("role") in _ROLES[1:] for one in rest
        )
        if not is_valid or not all(isinstance(one["content"], str) for one in system):
            raise _invalid("the file", str(path), "must be one that /save has written")
        self.system = system[0]["content"] if system else None
        self.messages = rest


def _invalid(argument: str, got: str, requirement: str) -> strided.InvalidArgument:
    return strided.InvalidArgument(argument=argument, got=got, requirement=requirement)
