"""How a training run shows itself: a bar while it runs, a plot of its losses afterwards."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import IO

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 360, 56, 16, 40, 40
# Okabe and Ito's colours, for light and for dark pages.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7")
DARK = ("#4aa8e0", "#ff7f3f", "#2cc69b", "#e39ac4")


class Progress:
    """A bar on a terminal; elsewhere a line now and then."""

    def __init__(self, total: int, label: str, stream: IO[str] | None = None) -> None:
        self.total, self.label = total, label
        self.stream = sys.stderr if stream is None else stream
        self.begin = time.perf_counter()
        self.shown = -math.inf

    def update(self, done: int, text: str = "") -> None:
        """Show how far it is; seldom enough not to cost anything."""
        now, terminal = time.perf_counter(), self.stream.isatty()
        if done < self.total and now - self.shown < (0.1 if terminal else 10.0):
            return
        self.shown = now
        share = done / self.total
        filled = int(24 * share)
        left = (now - self.begin) * (1 - share) / max(share, 1e-9)
        bar = "█" * filled + "░" * (24 - filled)
        line = f"{self.label} {bar} {done}/{self.total}  {text}  {left:.0f} s left"
        self.stream.write(f"\r\x1b[2K{line}" if terminal else line + "\n")
        if done == self.total and terminal:
            self.stream.write("\n")
        self.stream.flush()


def smoothed(losses: Sequence[float], kept: float = 0.9) -> list[float]:
    """Return a running mean whose first values are not pulled towards anything."""
    mean, weight, found = 0.0, 0.0, []
    for loss in losses:
        mean, weight = kept * mean + (1 - kept) * loss, kept * weight + (1 - kept)
        found.append(mean / weight)
    return found


def _marks(low: float, high: float) -> list[float]:
    """Return round numbers between two others."""
    step = 10.0 ** math.floor(math.log10(max(high - low, 1e-9) / 2))
    step *= next(m for m in (1, 2, 5, 10) if (high - low) / (step * m) <= 6)
    first = math.ceil(low / step)
    return [number * step for number in range(first, int(high / step) + 1)]


def loss_plot(curves: Mapping[str, Sequence[float]], title: str) -> str:
    """Return losses by step as an SVG document: each curve pale, its running mean over it."""
    values = [loss for curve in curves.values() for loss in curve]
    low, high = min(values), max(values)
    high = high if high > low else low + 1
    steps = max(len(curve) for curve in curves.values())

    def x(step: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * step / max(steps - 1, 1)

    def y(loss: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / (high - low)

    parts = [f'<text class="t" x="{LEFT}" y="22">{escape(title)}</text>']
    for mark in _marks(low, high):
        parts.append(f'<path class="g" d="M{LEFT} {y(mark):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(mark) + 4:.1f}" class="e">{mark:g}</text>')
    for mark in _marks(0, max(steps - 1, 1)):
        parts.append(f'<text x="{x(mark):.1f}" y="{HEIGHT - 16}" class="m">{mark:g}</text>')
    for number, (name, curve) in enumerate(curves.items()):
        for kind, line in (("p", curve), ("c", smoothed(curve))):
            points = " ".join(f"{x(i):.1f},{y(loss):.1f}" for i, loss in enumerate(line))
            parts.append(f'<polyline class="{kind} c{number % 4}" points="{points}"/>')
        parts.append(
            f'<text class="e f{number % 4}" x="{WIDTH - RIGHT}" y="{22 + 16 * number}">'
            f"{escape(name)} {smoothed(curve)[-1]:.4f}</text>"
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" aria-label="{escape(title)}"><style>{_STYLE}</style>'
        f'<rect class="b" width="{WIDTH}" height="{HEIGHT}" rx="8"/>{"".join(parts)}</svg>\n'
    )


def save_plot(path: Path, curves: Mapping[str, Sequence[float]], title: str) -> None:
    """Write the plot; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(loss_plot(curves, title), encoding="utf-8")


def _colours(colours: Sequence[str]) -> str:
    return "".join(f".c{i}{{stroke:{c}}}.f{i}{{fill:{c}}}" for i, c in enumerate(colours))


_STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#59636e}.t{font-weight:600;fill:#1f2328}"
    ".e{text-anchor:end}.m{text-anchor:middle}.b{fill:#fff}.g{stroke:#d1d9e0}"
    "polyline{fill:none;stroke-width:2;stroke-linejoin:round}.p{stroke-width:1;opacity:.25}"
    + _colours(COLOURS)
    + "@media (prefers-color-scheme:dark){text{fill:#9198a1}.t{fill:#e6edf3}.b{fill:#0d1117}"
    ".g{stroke:#3d444d}" + _colours(DARK) + "}"
)
