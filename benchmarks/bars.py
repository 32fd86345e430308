"""What a claim asks of the rows of a benchmark, as data.

A figure of a row is how many times faster strided was than something timed beside it: ``numpy``,
``torch``, or ``limit`` (then it is a share: 0.65 is 65 % of what the memory allows).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Bar:
    """Rows with all of ``tags`` reach ``each`` one by one, and ``median`` in the median."""

    label: str
    figure: str
    tags: Sequence[str] = ()
    each: float | None = None
    median: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the bar as it stands in a result file."""
        return {**asdict(self), "tags": list(self.tags)}

    def covers(self, row: Mapping[str, Any]) -> bool:
        """Return whether the bar asks something of a row."""
        return set(self.tags) <= set(row.get("tags", ()))


@dataclass(frozen=True)
class Outcome:
    """How the rows stand to a bar with one number of threads."""

    bar: Bar
    threads: str
    figures: Sequence[float]
    worst_row: str

    @property
    def met(self) -> int:
        """How many rows reach what is asked of each."""
        return sum(self.bar.each is None or figure >= self.bar.each for figure in self.figures)

    @property
    def median(self) -> float:
        """The median over the rows."""
        return statistics.median(self.figures)

    @property
    def passed(self) -> bool:
        """Whether the bar is met."""
        enough = self.bar.median is None or self.median >= self.bar.median
        return enough and self.met == len(self.figures)


def seconds_of(row: Mapping[str, Any], library: str, threads: str) -> float | None:
    """Return a time of a row; NumPy has one thread, whatever the others use."""
    known = row["seconds"].get(library)
    if not isinstance(known, Mapping):
        return known
    found = known.get(threads)
    return known.get("1") if found is None and library == "numpy" else found


def figure_of(row: Mapping[str, Any], figure: str, threads: str) -> float | None:
    """Return how many times faster strided was, or None where one of the two was not timed."""
    ours, theirs = seconds_of(row, "strided", threads), seconds_of(row, figure, threads)
    return None if ours is None or theirs is None else theirs / ours


def threads_of(row: Mapping[str, Any]) -> list[str]:
    """Return the numbers of threads that a row was timed with."""
    known = row["seconds"].get("strided", {})
    return list(known) if isinstance(known, Mapping) else ["1"]


def misses(row: Mapping[str, Any], figure: str, threads: str, bars: Iterable[Bar]) -> bool:
    """Return whether a figure of a row is below what is asked of each row."""
    value = figure_of(row, figure, threads)
    return value is not None and any(
        bar.figure == figure and bar.each is not None and bar.covers(row) and value < bar.each
        for bar in bars
    )


def outcomes(rows: Sequence[Mapping[str, Any]], bars: Iterable[Bar]) -> list[Outcome]:
    """Return how every bar stands, for each number of threads."""
    found = []
    for bar in bars:
        covered = [row for row in rows if bar.covers(row)]
        for threads in sorted({count for row in covered for count in threads_of(row)}, key=int):
            figures = [
                (value, f"{row.get('group', '')}: {row['name']}")
                for row in covered
                if (value := figure_of(row, bar.figure, threads)) is not None
            ]
            if figures:
                found.append(Outcome(bar, threads, [f for f, _ in figures], min(figures)[1]))
    return found
