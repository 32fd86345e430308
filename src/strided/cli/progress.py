"""Progress line: how many copies there were while a program runs; only on a terminal.

The program's output has the terminal first: the line is wiped before Python writes, is drawn only
where the program has ended its own line, and waits while the program asks for input.
"""

from __future__ import annotations

import builtins
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from strided import CopyReport
from strided.text import shown_bytes

INTERVAL = 0.2
_WIPE = "\r\x1b[2K"


class _Passing:
    """A stream of the program that wipes the line before each write."""

    def __init__(self, stream: IO[str], line: ProgressLine) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        with self._line.lock:
            self._line.wipe()
            if text:
                self._line.at_start = text.endswith("\n")
            return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class ProgressLine:
    """The line: drawn from a thread of its own, wiped by whoever writes."""

    def __init__(self, report: CopyReport, terminal: IO[str], width: int) -> None:
        self.lock = threading.RLock()
        self.at_start = True
        self._report, self._terminal, self._width = report, terminal, width
        self._drawn = self._asleep = False
        self._seen = self._bytes = 0

    def draw(self) -> None:
        """Draw the line with the numbers of now."""
        with self.lock:
            if not self.at_start or self._asleep:
                return
            # Only what is new is added up: a report may grow long.
            events = self._report.events
            new = events[self._seen :]
            self._seen += len(new)
            self._bytes += sum(event.nbytes for event in new)
            copies = "1 copy" if self._seen == 1 else f"{self._seen} copies"
            text = f"tracing: {copies}, {shown_bytes(self._bytes)}"
            self._terminal.write(_WIPE + text[: self._width - 1])
            self._terminal.flush()
            self._drawn = True

    def wipe(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._terminal.write(_WIPE)
            self._terminal.flush()
            self._drawn = False

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Draw nothing meanwhile."""
        with self.lock:
            self.wipe()
            self._asleep = True
        try:
            yield
        finally:
            with self.lock:
                self._asleep = False


@contextmanager
def progress_line(report: CopyReport) -> Iterator[None]:
    """Show the line while a block runs, if stderr is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    line = ProgressLine(report, sys.stderr, console.width)
    ended = threading.Event()

    def keep_drawing() -> None:
        while not ended.wait(INTERVAL):
            line.draw()

    def ask(prompt: object = "", /) -> str:
        with line.asleep():
            return ask_before(prompt)

    drawer = threading.Thread(target=keep_drawing, name="strided progress", daemon=True)
    before, ask_before = (sys.stdout, sys.stderr), builtins.input
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream.isatty():
            setattr(sys, name, _Passing(stream, line))
    builtins.input = ask
    drawer.start()
    try:
        yield
    finally:
        ended.set()
        drawer.join()
        line.wipe()
        sys.stdout, sys.stderr = before
        builtins.input = ask_before
