"""Model loading, with a progress bar for people."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from strided.cli.output import fail

if TYPE_CHECKING:
    from strided.llm import Model, Tokenizer

_WORTH_A_BAR = 1.0  # seconds of work before a bar is drawn


def read_model(name: str, random: str | None = None) -> tuple[Model, float]:
    """Load a model into memory; return it and the seconds that took.

    With ``random``, a dtype or a kind of blocks, ``name`` is a size and the weights are made up.
    """
    from strided import llm

    begin = time.perf_counter()
    if random is not None:
        model = llm.load(name, random=random)
    else:
        model = llm.load(name)
        with progress_bar("reading", in_bytes=True) as show:
            model.weights.prefault(show)
    return model, time.perf_counter() - begin


def words_of(model: Model) -> Tokenizer:
    """Return the tokenizer of a model; end the command if it has none."""
    if model.tokenizer is None:
        fail(f"{model.name} has no tokenizer: it takes and gives no text", code=1)
    return model.tokenizer


@contextmanager
def progress_bar(title: str, in_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Give a function that is told (done, total); what takes long is shown on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    if console.is_dumb_terminal:
        yield lambda done, total: None
        return
    amount: Any = DownloadColumn(binary_units=True) if in_bytes else MofNCompleteColumn()
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), amount, console=console, transient=True
    )
    task = bar.add_task(title, total=None)
    timer = threading.Timer(_WORTH_A_BAR, bar.start)
    timer.start()
    try:
        yield lambda done, total: bar.update(task, completed=done, total=total)
    finally:
        timer.cancel()
        timer.join()
        bar.stop()
