"""Copy reports as tables: as text, of rich where that is installed, or as HTML.

A page of HTML needs no other file, no script and no network. What a notebook shows is the same
tables without a style of their own: they take the colours of its theme, and lose nothing where the
notebook is not trusted.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from strided.text import plain_table, rich_table, shown_bytes

if TYPE_CHECKING:
    from strided.copies.report import CopyGroup, CopyReport


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
        return report.headline
    return "\n".join(
        [
            report.headline,
            plain_table(LINE_COLUMNS, line_rows(report), LINE_COLUMNS[:2], indent="  "),
            "",
            plain_table(REASON_COLUMNS, reason_rows(report), REASON_COLUMNS[:2], indent="  "),
        ]
    )


_SUMMARY = 5  # lines of a program that a prompt shows


def summary_of(report: CopyReport) -> str:
    """Return the headline and the lines that copied most."""
    if not report.count:
        return report.headline
    rows = line_rows(report)
    table = plain_table(LINE_COLUMNS, rows[:_SUMMARY], LINE_COLUMNS[:2], indent="  ")
    left = len(rows) - _SUMMARY
    more = [f"  and {left} more lines: print(report)"] if left > 0 else []
    return "\n".join([report.headline, table, *more])


def rich_of(report: CopyReport) -> Any:
    """Return the report as tables of rich."""
    from rich.console import Group
    from rich.text import Text

    if not report.count:
        return Text(report.headline)
    return Group(
        Text(report.headline, style="bold"),
        rich_table(LINE_COLUMNS, line_rows(report), LINE_COLUMNS[:2]),
        rich_table(REASON_COLUMNS, reason_rows(report), REASON_COLUMNS[:2]),
    )


# ---- HTML ----

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
  padding: .35rem .6rem; }
.strided-copies th { background: var(--head); color: var(--soft); font-weight: 600; }
.strided-copies table { font-variant-numeric: tabular-nums; }
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
_FEW_EVENTS = 20  # of a notebook's cell, without their threads
_EVENT_COLUMNS = ("bytes", "line", "in", "reason", "from", "to", "thread")
_Rows = list[tuple[str, ...]]


def _table(columns: tuple[str, ...], numbers: int, rows: _Rows) -> str:
    def cell(tag: str, place: int, text: str) -> str:
        is_number = place < numbers
        side = "right;white-space:nowrap" if is_number else "left"
        return f'<{tag} style="text-align:{side};vertical-align:top">{text}</{tag}>'

    head = "".join(cell("th", i, name) for i, name in enumerate(columns))
    body = "".join(
        f"<tr>{''.join(cell('td', i, text) for i, text in enumerate(row))}</tr>" for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _code(text: str) -> str:
    return f"<code>{escape(text)}</code>"


def _lines(report: CopyReport, bars: bool) -> _Rows:
    whole = report.bytes or 1
    code = {event.line: event.code for event in report.events}
    rows: _Rows = []
    for group, row in zip(report.by_line(), line_rows(report), strict=True):
        share = f'<div class="share" style="width:{100 * group.bytes / whole:.1f}%"></div>'
        text = code[group.key]
        shown = _code(row[2]) + (f'<div class="soft">{_code(text)}</div>' if text else "")
        rows.append((row[0], row[1], shown + share * bars, escape(row[3]), escape(group.hint)))
    return rows


def _reasons(report: CopyReport) -> _Rows:
    return [tuple(escape(cell) for cell in row) for row in reason_rows(report)]


def _events(report: CopyReport, most: int, columns: int = len(_EVENT_COLUMNS)) -> str:
    rows: _Rows = [
        (
            shown_bytes(event.nbytes),
            _code(event.line),
            _code(event.function),
            escape(event.reason),
            escape(str(event.source)),
            escape(str(event.target)),
            escape(event.thread),
        )[:columns]
        for event in report.events[:most]
    ]
    more = f"<p>and {report.count - most} more</p>" if report.count > most else ""
    return _table(_EVENT_COLUMNS[:columns], 1, rows) + more


def notebook_of(report: CopyReport) -> str:
    """Return the report as one element for a notebook, in the colours of its theme."""
    parts = [f"<p><b>{escape(report.headline)}</b></p>"]
    if report.count:
        parts.append(_table((*LINE_COLUMNS, "hint"), 2, _lines(report, bars=False)))
        parts.append(f"<p>In order</p>{_events(report, _FEW_EVENTS)}")
    return f"<div>{''.join(parts)}</div>"


def section_of(report: CopyReport) -> str:
    """Return the report as one element for a page, with a style of its own."""
    parts = [f"<style>{_STYLE}</style>", f"<h1>{escape(report.headline)}</h1>"]
    if report.count:
        for title, table in (
            ("By line", _table((*LINE_COLUMNS, "hint"), 2, _lines(report, bars=True))),
            ("By reason", _table(REASON_COLUMNS, 2, _reasons(report))),
            ("In order", _events(report, _MOST_EVENTS)),
        ):
            parts.append(f'<h2>{title}</h2><div class="wide">{table}</div>')
    return f'<div class="strided-copies">{"".join(parts)}</div>'


def page_of(report: CopyReport) -> str:
    """Return the report as a whole page."""
    return _PAGE.format(fragment=section_of(report))
