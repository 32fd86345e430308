"""What many rows say together: medians and worst cases by group, for a page that is read.

The rows themselves stay in the result files.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bars import figure_of, threads_of
from side_by_side import markdown
from tables import TITLES, shown_figure

Row = Mapping[str, Any]
# Baselines, not libraries: what strided takes in other steps, and a cost computed from another row.
OWN_BASELINES = {"one step", "before", "every view a copy"}


@dataclass(frozen=True)
class Figures:
    """The figures of some rows against one peer, with one number of threads."""

    values: Sequence[float]

    @property
    def median(self) -> float:
        """The figure in the middle."""
        return statistics.median(self.values)

    @property
    def worst(self) -> float:
        """The lowest figure."""
        return min(self.values)

    @property
    def behind(self) -> int:
        """How many rows the peer wins."""
        return sum(value < 1 for value in self.values)


def against(rows: Sequence[Row], peer: str, threads: str) -> Figures | None:
    """Return the figures against a peer; None where no row was timed beside it."""
    found = [
        value
        for row in rows
        if threads in threads_of(row) and (value := figure_of(row, peer, threads)) is not None
    ]
    return Figures(found) if found else None


def peers_of(rows: Sequence[Row]) -> list[str]:
    """Return what rows were timed beside, the limit first."""
    known = {library for row in rows for library in row["seconds"]} - {"strided"} - OWN_BASELINES
    return [name for name in TITLES if name in known] + sorted(known - TITLES.keys())


def threads_in(rows: Sequence[Row]) -> list[str]:
    """Return the numbers of threads that rows were timed with."""
    return sorted({count for row in rows for count in threads_of(row)}, key=int)


def groups_of(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """Return rows by group; groups that differ in a size alone are one (``4-D, large: 8x1024``).

    Where one family has all groups, sizes are kept apart.
    """

    def family(row: Row) -> str:
        return str(row.get("group", "")).partition(": ")[0]

    made: dict[str, list[Row]] = {}
    for row in rows:
        made.setdefault(family(row), []).append(row)
    return made


# ---- tables ----


def table_by_group(rows: Sequence[Row]) -> str:
    """Return a table: for each group and peer the median and the worst figure."""
    peers, counts = peers_of(rows), threads_in(rows)
    header = ["rows of", "rows"]
    for peer in peers:
        name = TITLES.get(peer, peer)
        header += [f"of {name}" if peer == "limit" else f"vs {name}", "worst"]
    lines = []
    for group, members in groups_of(rows).items():
        line = [group or "all", str(len(members))]
        for peer in peers:
            found = [against(members, peer, count) for count in counts]
            line.append(_cell(peer, found, lambda one: one.median))
            line.append(_cell(peer, found, lambda one: one.worst))
        lines.append(line)
    return markdown(header, lines)


def _cell(peer: str, found: Sequence[Figures | None], figure: Callable[[Figures], float]) -> str:
    """Return a figure for each number of threads; bold where a library is faster."""
    shown = []
    for one in found:
        value = None if one is None else figure(one)
        text = shown_figure(value, peer)
        slower = value is not None and peer != "limit" and value < 1
        shown.append(f"**{text}**" if slower else text)
    return "-" if set(shown) == {"-"} else " / ".join(shown)


def overview(results: Mapping[str, Mapping[str, Any]], links: Mapping[str, str]) -> str:
    """Return the first table: each benchmark against NumPy and PyTorch."""
    header = ["what", "rows", "vs NumPy", "worst", "slower rows"]
    header += ["vs PyTorch", "worst", "slower rows"]
    lines = []
    for name, result in results.items():
        rows = result["rows"]
        line = [links[name], str(len(rows))]
        for peer in ("numpy", "torch"):
            found = [against(rows, peer, count) for count in threads_in(rows)]
            line.append(_cell(peer, found, lambda one: one.median))
            line.append(_cell(peer, found, lambda one: one.worst))
            known = [str(one.behind) for one in found if one is not None]
            line.append(" / ".join(known) or "-")
        lines.append(line)
    return markdown(header, lines)


def ratios(rows: Sequence[Row], threads: str) -> Iterator[tuple[str, Sequence[float]]]:
    """Yield the figures against NumPy and PyTorch, where there are any."""
    for peer in ("numpy", "torch"):
        found = against(rows, peer, threads)
        if found is not None:
            yield peer, found.values
