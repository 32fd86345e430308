"""Tables and sizes as text: aligned columns, tables of rich, bytes as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def shown_bytes(count: int) -> str:
    """Return a number of bytes as people read it.

    >>> shown_bytes(96), shown_bytes(2048), shown_bytes(5 << 20)
    ('96 B', '2.0 KiB', '5.0 MiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{count} B" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def plain_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Sequence[str] = (),
    indent: str = "",
) -> str:
    """Return a table as text with one line per row, however wide; ``numbers`` stand right.

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
        return (indent + "  ".join(cells)).rstrip()

    return "\n".join(map(aligned, lines))


def rich_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str] = ()
) -> Any:
    """Return a table for a console of rich; ``numbers`` stand right."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table
