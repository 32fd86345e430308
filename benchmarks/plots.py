"""Line plots as SVG, written by hand: no library is needed to draw them or to look at them.

Colours for a light page stand on the elements; a style sheet replaces them on a dark page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape

from bars import seconds_of

WIDTH, HEIGHT, COLUMNS = 300, 200, 3  # of a panel's frame
LEFT, TOP, GAP_X, GAP_Y, HEAD = 60, 70, 62, 66, 24
INK = {
    "page": ("#ffffff", "#0d1117"),
    "text": ("#1f2328", "#e6edf3"),
    "faint": ("#d8dee4", "#30363d"),
}
# Library and threads: colour on light, colour on dark, dashes.
LINES = {
    ("strided", "1"): ("#0b63ce", "#58a6ff", ""),
    ("strided", "2"): ("#0b63ce", "#58a6ff", "6 3"),
    ("numpy", "1"): ("#b45309", "#f0a050", ""),
    ("torch", "1"): ("#8250df", "#c297ff", ""),
    ("torch", "2"): ("#8250df", "#c297ff", "6 3"),
    ("limit", "1"): ("#6e7781", "#9aa4ae", "2 3"),
}
SAID = {"strided": "strided", "numpy": "NumPy", "torch": "PyTorch", "limit": "plain copy"}


@dataclass(frozen=True)
class Axis:
    """What the horizontal axis shows: a key of the rows, its marks and their labels."""

    key: str
    label: str
    marks: Sequence[float]
    text: Callable[[float], str]


def _style() -> str:
    rules = []
    for name, (_, dark) in INK.items():
        rules.append(f".{name}{{fill:{dark}}} .{name}-line{{stroke:{dark}}}")
    for line, (_, dark, _) in LINES.items():
        name = "".join(line)
        rules.append(f".{name}{{stroke:{dark}}} .{name}-dot{{fill:{dark}}}")
    return f"<style>@media (prefers-color-scheme: dark) {{ {' '.join(rules)} }}</style>"


def _text(x: float, y: float, text: str, anchor: str = "start", size: int = 11) -> str:
    return (
        f'<text class="text" x="{x:.1f}" y="{y:.1f}" fill="{INK["text"][0]}" font-size="{size}" '
        f'text-anchor="{anchor}">{escape(text)}</text>'
    )


def _rule(x1: float, y1: float, x2: float, y2: float) -> str:
    return (
        f'<line class="faint-line" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{INK["faint"][0]}"/>'
    )


def _curve(points: Sequence[tuple[float, float]], line: tuple[str, str]) -> str:
    colour, _, dashes = LINES[line]
    name = "".join(line)
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    drawn = (
        f'<polyline class="{name}" points="{path}" fill="none" stroke="{colour}" '
        f'stroke-width="{2.2 if line[0] == "strided" else 1.5}"{dashed}/>'
    )
    if line[0] == "limit" or dashes:
        return drawn
    dots = [
        f'<circle class="{name}-dot" cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{colour}"/>'
        for x, y in points
    ]
    return drawn + "".join(dots)


def _legend(lines: Sequence[tuple[str, str]]) -> str:
    parts, x = [], LEFT
    for line in lines:
        many = f", {line[1]} thread{'s' if line[1] != '1' else ''}" if line[0] != "numpy" else ""
        label = SAID[line[0]] + many
        parts.append(_curve([(x, HEAD), (x + 26, HEAD)], line))
        parts.append(_text(x + 32, HEAD + 4, label))
        x += 46 + 6.3 * len(label)
    return "".join(parts)


def _nanoseconds(row: Mapping[str, Any], line: tuple[str, str]) -> float | None:
    """Return the cost of an element."""
    seconds = seconds_of(row, *line)
    return None if seconds is None else seconds * 1e9 / 2 ** row["bits"]


def _panel(
    rows: Sequence[Mapping[str, Any]], axis: Axis, decades: tuple[int, int], at: tuple[float, float]
) -> str:
    left, top = at
    low, high = min(row[axis.key] for row in rows), max(row[axis.key] for row in rows)
    low, high = min(low, *axis.marks), max(high, *axis.marks)

    def across(value: float) -> float:
        return left + WIDTH * (value - low) / max(high - low, 1)

    def down(value: float) -> float:
        return top + HEIGHT * (decades[1] - math.log10(value)) / (decades[1] - decades[0])

    parts = []
    for decade in range(decades[0], decades[1] + 1):
        y = down(10.0**decade)
        parts.append(_rule(left, y, left + WIDTH, y))
        parts.append(_text(left - 6, y + 4, f"{10.0**decade:g}", "end"))
    for mark in axis.marks:
        parts.append(_rule(across(mark), top, across(mark), top + HEIGHT))
        parts.append(_text(across(mark), top + HEIGHT + 15, axis.text(mark), "middle"))
    parts.append(_text(left, top - 10, f"{rows[0]['operation']}, ns per element", size=13))
    parts.append(_text(left + WIDTH, top + HEIGHT + 30, axis.label, "end"))
    for line in reversed(LINES):
        points = [
            (across(row[axis.key]), down(cost))
            for row in sorted(rows, key=lambda row: row[axis.key])
            if (cost := _nanoseconds(row, line)) is not None
        ]
        if points:
            parts.append(_curve(points, line))
    return "".join(parts)


def plot(rows: Sequence[Mapping[str, Any]], axis: Axis, title: str) -> str:
    """Return an SVG file: one panel an operation, the cost of an element in nanoseconds."""
    panels: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        panels.setdefault(row["operation"], []).append(row)
    lines = [line for line in LINES if any(_nanoseconds(row, line) is not None for row in rows)]
    costs = [c for row in rows for line in lines if (c := _nanoseconds(row, line)) is not None]
    decades = math.floor(math.log10(min(costs))), math.ceil(math.log10(max(costs)))
    down = math.ceil(len(panels) / COLUMNS)
    width = LEFT + COLUMNS * (WIDTH + GAP_X)
    height = TOP + down * (HEIGHT + GAP_Y)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        _style(),
        f'<rect class="page" width="{width}" height="{height}" fill="{INK["page"][0]}"/>',
        _legend(lines),
    ]
    for number, members in enumerate(panels.values()):
        column, row = number % COLUMNS, number // COLUMNS
        at = (LEFT + column * (WIDTH + GAP_X), TOP + row * (HEIGHT + GAP_Y))
        parts.append(_panel(members, axis, decades, at))
    return "\n".join([*parts, "</svg>", ""])
