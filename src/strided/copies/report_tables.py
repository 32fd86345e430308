"""Copy reports as tables: as text, of rich where that is installed, or as a page of HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from strided.text import plain_table, rich_table, shown_bytes

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


# ---- a page of HTML that needs no other file, no script and no network ----

_STYLE = """
.strided-copies { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --line: #d9d9e0;
  --head: #f4f4f7; --bar: #3e63dd; color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { .strided-copies { --ink: #edeef0; --soft: #b0b4ba;
  --line: #363a3f; --head: #212225; --bar: #9eb1ff; } }
.strided-copies h1 { font-size: 1.4rem; margin: 0 0 .25rem; }
.strided-copies h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
.strided-copies .wide { overflow-x: auto; }
.strided-copies table { border-collapse: collapse; width: 100%; }
.strided-copies th, .strided-copies td { border-bottom: 1px solid var(--line);
  padding: .35rem .6rem; text-align: left; vertical-align: top; }
.strided-copies th { background: var(--head); color: var(--soft); font-weight: 600; }
.strided-copies .number { text-align: right; white-space: nowrap;
  font-variant-numeric: tabular-nums; }
.strided-copies code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: break-word; }
.strided-copies .soft { color: var(--soft); }
.strided-copies .share { background: var(--bar); border-radius: 2px; height: 4px; margin-top: 4px; }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Copies</title>
<style>body {{ margin: 0; background: #fff; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #111113; }} }}
main {{ max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem; }}</style>
</head><body><main>{fragment}</main></body></html>
"""
_MOST_EVENTS = 1000  # a page of more rows is read by nobody, and slow
_EVENT_COLUMNS = ("bytes", "line", "in", "reason", "from", "to", "thread")


def _table(columns: tuple[str, ...], numbers: int, rows: list[tuple[str, ...]]) -> str:
    def cell(tag: str, place: int, text: str) -> str:
        kind = ' class="number"' if place < numbers else ""
        return f"<{tag}{kind}>{text}</{tag}>"

    head = "".join(cell("th", i, name) for i, name in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(cell('td', i, text) for i, text in enumerate(row))}</tr>" for row in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide">{table}</div>'


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _lines(report: CopyReport) -> list[tuple[str, ...]]:
    whole = report.bytes or 1
    code = {event.line: event.code for event in report.events}
    rows: list[tuple[str, ...]] = []
    for group, row in zip(report.by_line(), line_rows(report), strict=True):
        share = f'<div class="share" style="width:{100 * group.bytes / whole:.1f}%"></div>'
        shown = f'{_code(row[2])}<div class="soft">{_code(code[group.key])}</div>{share}'
        rows.append((row[0], row[1], shown, escape(row[3]), escape(group.hint)))
    return rows


def fragment_of(report: CopyReport) -> str:
    """Return the report as one element, for a page or a notebook."""
    parts = [f"<style>{_STYLE}</style>", f"<h1>{escape(headline(report))}</h1>"]
    if report.count:
        reasons = [tuple(escape(cell) for cell in row) for row in reason_rows(report)]
        events: list[tuple[str, ...]] = [
            (
                shown_bytes(event.nbytes),
                _code(event.line),
                _code(event.function),
                escape(event.reason),
                _code(str(event.source)),
                _code(str(event.target)),
                escape(event.thread),
            )
            for event in report.events[:_MOST_EVENTS]
        ]
        parts += ["<h2>By line</h2>", _table((*LINE_COLUMNS, "hint"), 2, _lines(report))]
        parts += ["<h2>By reason</h2>", _table(REASON_COLUMNS, 2, reasons)]
        parts += ["<h2>In order</h2>", _table(_EVENT_COLUMNS, 1, events)]
        if report.count > _MOST_EVENTS:
            parts.append(f"<p>and {report.count - _MOST_EVENTS} more</p>")
    return f'<div class="strided-copies">{"".join(parts)}</div>'


def page_of(report: CopyReport) -> str:
    """Return the report as a whole page."""
    return _PAGE.format(fragment=fragment_of(report))
