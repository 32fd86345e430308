"""Copy reports as text: aligned columns, or tables of rich where that is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strided.tables import plain_table, rich_table, shown_bytes

if TYPE_CHECKING:
    from strided.copies.report import CopyGroup, CopyReport


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


def text_of(report: CopyReport) -> str:
    """Return the report as plain text."""
    if not report.count:
        return headline(report)
    return "\n".join(
        [
            headline(report),
            plain_table(LINE_COLUMNS, line_rows(report), LINE_COLUMNS[:2], indent="  "),
            "",
            plain_table(REASON_COLUMNS, reason_rows(report), REASON_COLUMNS[:2], indent="  "),
        ]
    )


def rich_of(report: CopyReport) -> Any:
    """Return the report as tables of rich."""
    from rich.console import Group
    from rich.text import Text

    if not report.count:
        return Text(headline(report))
    return Group(
        Text(headline(report), style="bold"),
        rich_table(LINE_COLUMNS, line_rows(report), LINE_COLUMNS[:2]),
        rich_table(REASON_COLUMNS, reason_rows(report), REASON_COLUMNS[:2]),
    )
