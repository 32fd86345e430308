"""Streamed answers: written as they come, and counted.

Ctrl-C while an answer is written ends it after the token at hand, so that the engine stays usable;
a second one, or one while the prompt is still read, does not wait.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strided.cli.figures import Figures, copies_so_far, peak_rss
from strided.cli.read_model import progress_bar

if TYPE_CHECKING:
    from strided.llm import Engine, Job, Options


@dataclass
class Answered:
    """What came of a prompt."""

    job: Job
    interrupted: bool
    figures: dict[str, Any]

    def figures_of(self, model: str, load_seconds: float, bandwidth: float | None) -> Figures:
        """Return the figures, with what is known of the rest of the program."""
        return Figures(
            model=model, load_seconds=load_seconds, read_bandwidth=bandwidth, **self.figures
        )


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
    if hasattr(stream, "reconfigure"):
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
