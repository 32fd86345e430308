"""Output of commands: tables or aligned columns, progress bars, and one line for an error."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer

from strided.text import plain_table, rich_table

INTERRUPTED = 130  # what a shell reports for Ctrl-C
_WORTH_A_BAR = 1.0  # seconds of work before a bar is drawn


def fail(message: str, code: int = 2) -> NoReturn:
    """End the command with a message for people and a code for scripts."""
    print(f"strided: {message}", file=sys.stderr)
    raise typer.Exit(code)


def existing_file(path: Path) -> Path:
    """Return the path of a file that is there; end the command otherwise."""
    if path.is_dir():
        fail(f"{path} is a directory, not a file")
    if not path.is_file():
        fail(f"no such file: {path}")
    return path


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[str] = (),
    to_stderr: bool = False,
) -> None:
    """Print rows below their titles; columns of numbers stand right."""
    from rich.console import Console

    console = Console(stderr=to_stderr)
    if console.is_terminal:
        console.print(rich_table(columns, rows, numbers))
    else:
        print(plain_table(columns, rows, numbers), file=console.file)


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
