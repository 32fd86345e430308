"""Output of commands: tables for people, aligned columns for pipes, and one line for an error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer

from strided.text import plain_table, rich_table


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
