"""A report as text: aligned columns, or tables of rich where that is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from strided.copies.report import CopyGroup, CopyReport


def shown_bytes(count: int) -> str:
    """Return a number of bytes as people read it.

    >>> shown_bytes(96), shown_bytes(2048), shown_bytes(5 << 20)
    ('96 B', '2.0 KiB', '5.0 MiB')
    """
    size = float(count)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "B" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"


def headline(report: CopyReport) -> str:
    """Return the report in one line."""
    if not report.count:
        return "no copies"
    copies = "1 copy" if report.count == 1 else f"{report.count} copies"
    asked = report.count - report.implicit().count
    return f"{copies}, {shown_bytes(report.bytes)} ({asked} asked for)"


def line_rows(report: CopyReport) -> list[tuple[str, ...]]:
    """Return the cells of the table by line: copies, bytes, line, reasons."""
    return [(*_numbers(group), group.key, ", ".join(group.reasons)) for group in report.by_line()]


def reason_rows(report: CopyReport) -> list[tuple[str, ...]]:
    """Return the cells of the table by reason: copies, bytes, reason, hint."""
    return [(*_numbers(group), group.key, group.hint) for group in report.by_reason()]


def _numbers(group: CopyGroup) -> tuple[str, str]:
    return str(group.count), shown_bytes(group.bytes)


LINE_COLUMNS = ("copies", "bytes", "line", "reason")
REASON_COLUMNS = ("copies", "bytes", "reason", "hint")


def _table(columns: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    cells = [columns, *rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = []
    for row in cells:
        numbers = [cell.rjust(widths[i]) for i, cell in enumerate(row[:2])]
        texts = [cell.ljust(widths[i + 2]) for i, cell in enumerate(row[2:])]
        lines.append("  " + "  ".join([*numbers, *texts]).rstrip())
    return lines


def text_of(report: CopyReport) -> str:
    """Return the report as plain text."""
    if not report.count:
        return headline(report)
    return "\n".join(
        [
            headline(report),
            *_table(LINE_COLUMNS, line_rows(report)),
            "",
            *_table(REASON_COLUMNS, reason_rows(report)),
        ]
    )


def rich_of(report: CopyReport) -> Any:
    """Return the report as tables of rich."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    if not report.count:
        return Text(headline(report))
    tables = []
    for columns, rows in (
        (LINE_COLUMNS, line_rows(report)),
        (REASON_COLUMNS, reason_rows(report)),
    ):
        table = Table()
        for column in columns:
            table.add_column(column, justify="right" if column in columns[:2] else "left")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))
        tables.append(table)
    return Group(Text(headline(report), style="bold"), *tables)
