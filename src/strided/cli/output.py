"""How commands print: tables for people, aligned columns for pipes, and one line for an error."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer


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


def shown_bytes(count: int) -> str:
    """Return a number of bytes as people read it.

    >>> shown_bytes(96), shown_bytes(5 << 20)
    ('96 B', '5.0 MiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[str] = (),
    to_stderr: bool = False,
) -> None:
    """Print rows below their titles; columns of numbers stand right."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(stderr=to_stderr)
    if not console.is_terminal:
        print(plain_table(columns, rows, numbers), file=console.file)
        return
    table = Table()
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()
) -> str:
    """Return a table as text with one line per row, however wide.

    >>> print(plain_table(["name", "bytes"], [["a", "4"], ["bc", "128"]], ["bytes"]))
    name  bytes
    a         4
    bc      128
    """
    lines = [columns, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]

    def aligned(line: Sequence[str]) -> str:
        cells = (
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for cell, column, width in zip(line, columns, widths, strict=True)
        )
        return "  ".join(cells).rstrip()

    return "\n".join(map(aligned, lines))
