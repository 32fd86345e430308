"""Result files as markdown: one table a group of rows, then how the bars stand.

A figure below its bar is bold. Cells of rows timed with several numbers of threads show one figure
for each, in order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bars import Bar, figure_of, misses, outcomes, seconds_of, threads_of
from side_by_side import markdown

TITLES = {"limit": "limit", "strided": "strided", "numpy": "NumPy", "torch": "PyTorch"}


def shown_time(seconds: float | None) -> str:
    """Return a time with three digits and its unit."""
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size * 0.9995:
            return f"{_digits(seconds / size)} {unit}"
    return f"{_digits(seconds / 1e-9)} ns"


def _digits(value: float) -> str:
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def shown_figure(value: float | None, figure: str) -> str:
    """Return a figure: a share of the limit, or how many times faster."""
    if value is None:
        return "-"
    if figure == "limit":
        return f"{100 * value:.0f} %"
    return f"{value:.2f}x" if value < 9.995 else f"{value:.0f}x"


def _times(row: Mapping[str, Any], library: str) -> str:
    counts = list(row["seconds"].get(library, ())) if library == "numpy" else threads_of(row)
    times = [shown_time(seconds_of(row, library, count)) for count in counts]
    return "-" if set(times) == {"-"} else " / ".join(times)


def _figures(row: Mapping[str, Any], figure: str, bars: Sequence[Bar]) -> str:
    cells = []
    for count in threads_of(row):
        shown = shown_figure(figure_of(row, figure, count), figure)
        cells.append(f"**{shown}**" if misses(row, figure, count, bars) else shown)
    return "-" if set(cells) == {"-"} else " / ".join(cells)


def table_of(rows: Sequence[Mapping[str, Any]], bars: Sequence[Bar]) -> str:
    """Return the table of some rows: times first, then figures."""
    known = {library for row in rows for library in row["seconds"]}
    libraries = [name for name in TITLES if name in known] + sorted(known - TITLES.keys())
    others = [name for name in libraries if name != "strided"]
    title = {**{name: name for name in known}, **TITLES}
    header = ["case", *(title[name] for name in libraries)]
    header += [f"of {title[o]}" if o == "limit" else f"vs {title[o]}" for o in others]
    lines = [
        [
            row["name"],
            *(_times(row, name) for name in libraries),
            *(_figures(row, name, bars) for name in others),
        ]
        for row in rows
    ]
    return markdown(header, lines)


def bars_table(rows: Sequence[Mapping[str, Any]], bars: Sequence[Bar]) -> str:
    """Return how many rows meet each bar, the median and the worst."""
    header = ["asked for", "threads", "rows", "meet it", "median", "worst", "worst row"]
    lines = []
    for outcome in outcomes(rows, bars):
        bar, total = outcome.bar, len(outcome.figures)
        met = f"{outcome.met}" if bar.each is not None else "-"
        median, worst = (
            shown_figure(value, bar.figure) for value in (outcome.median, min(outcome.figures))
        )
        if bar.median is not None and outcome.median < bar.median:
            median = f"**{median}**"
        if bar.each is not None and outcome.met < total:
            met, worst = f"**{met}**", f"**{worst}**"
        label = bar.label if outcome.passed else f"**{bar.label}**"
        lines.append([label, outcome.threads, str(total), met, median, worst, outcome.worst_row])
    return markdown(header, lines) if lines else ""


def bars_of(payload: Mapping[str, Any]) -> list[Bar]:
    """Return the bars of a result file."""
    return [Bar(**bar) for bar in payload.get("bars", ())]


def page_of(payload: Mapping[str, Any]) -> str:
    """Return everything a result file has to show, as a benchmark prints it."""
    rows, bars = payload["rows"], bars_of(payload)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row.get("group", ""), []).append(row)
    parts = [bars_table(rows, bars)]
    for group, members in groups.items():
        table = table_of(members, bars)
        parts.append(f"**{group}**\n\n{table}" if group else table)
    return "\n\n".join(part for part in parts if part)
