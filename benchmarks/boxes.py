"""Box plots of ratios as SVG: the middle half of the rows, the median, the extremes."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from plots import INK, LINES, SAID, _rule, _style, _text

WIDTH, LEFT, RIGHT, TOP, ROW, GAP = 760, 150, 24, 74, 15, 12
Boxes = Sequence[tuple[str, Sequence[tuple[str, Sequence[float]]]]]  # label: peer: figures


def box_plot(boxes: Boxes, title: str) -> str:
    """Return an SVG file: a line a label, a box a peer, on a scale of factors."""
    everything = [value for _, peers in boxes for _, values in peers for value in values]
    low = min(0.5, 10 ** (math.floor(math.log10(min(everything)) * 3) / 3))
    high = 10 ** (math.ceil(math.log10(max(everything)) * 3) / 3)

    def across(value: float) -> float:
        share = math.log(value / low) / math.log(high / low)
        return LEFT + (WIDTH - LEFT - RIGHT) * share

    lines = sum(len(peers) for _, peers in boxes)
    bottom = TOP + lines * ROW + len(boxes) * GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{bottom + 34}" '
        f'viewBox="0 0 {WIDTH} {bottom + 34}" font-family="system-ui, sans-serif" role="img">',
        f"<title>{escape(title)}</title>",
        _style(),
        f'<rect class="page" width="{WIDTH}" height="{bottom + 34}" fill="{INK["page"][0]}"/>',
        *_legend(),
    ]
    for mark in _marks(low, high):
        parts.append(_rule(across(mark), TOP - 12, across(mark), bottom))
        parts.append(_text(across(mark), bottom + 16, f"{mark:g}x", "middle"))
    parts.append(
        f'<line class="text-line" x1="{across(1):.1f}" y1="{TOP - 12}" x2="{across(1):.1f}" '
        f'y2="{bottom}" stroke="{INK["text"][0]}" stroke-width="1.4"/>'
    )
    parts.append(_text(across(1) + 6, TOP - 16, "faster than the peer →"))
    y = float(TOP)
    for label, peers in boxes:
        parts.append(_text(LEFT - 12, y + ROW * len(peers) / 2 + 4, label, "end", 12))
        for peer, values in peers:
            parts += _box(peer, [across(value) for value in sorted(values)], y)
            y += ROW
        y += GAP
    return "\n".join([*parts, "</svg>", ""])


def _marks(low: float, high: float) -> Iterable[float]:
    marks = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
    return (mark for mark in marks if low <= mark <= high)


def _box(peer: str, places: Sequence[float], y: float) -> list[str]:
    """Return one box: a thin line over all rows, a thick one over the middle half, the median."""
    colour = LINES[peer, "1"][0]
    name, middle = f"{peer}1", y + ROW / 2
    quarters = statistics.quantiles(places, n=4) if len(places) > 1 else [places[0]] * 3
    return [
        _line(name, places[0], places[-1], middle, colour, 1.2),
        _line(name, quarters[0], quarters[2], middle, colour, 8),
        f'<circle class="page" cx="{quarters[1]:.1f}" cy="{middle:.1f}" r="3" '
        f'fill="{INK["page"][0]}"/>',
    ]


def _line(name: str, left: float, right: float, y: float, colour: str, width: float) -> str:
    right = max(right, left + 1)
    return (
        f'<line class="{name}" x1="{left:.1f}" y1="{y:.1f}" x2="{right:.1f}" y2="{y:.1f}" '
        f'stroke="{colour}" stroke-width="{width}"/>'
    )


def _legend() -> list[str]:
    parts, x = [], float(LEFT)
    for peer in ("numpy", "torch"):
        parts.append(_line(f"{peer}1", x, x + 24, 22, LINES[peer, "1"][0], 8))
        parts.append(_text(x + 32, 26, f"against {SAID[peer]}"))
        x += 150
    parts.append(_text(x, 26, "line: all rows; bar: the middle half; dot: the median"))
    return parts
