"""Times the same work in several libraries, interleaved in one process, and reports ratios.

Machines are noisy: rounds alternate between the libraries, the median over rounds is the figure,
and only ratios within one run mean anything.
"""

from __future__ import annotations

import json
import platform
import statistics
import timeit
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"


@dataclass
class Case:
    """One row: a name and, per library, a statement and the names it uses."""

    name: str
    statements: Mapping[str, tuple[str, Mapping[str, Any]]]
    seconds: dict[str, float] = field(default_factory=dict)

    def ratio(self, library: str, to: str) -> float | None:
        """Return how much faster ``library`` is than ``to`` (above 1 is faster)."""
        if library not in self.seconds or to not in self.seconds:
            return None
        return self.seconds[to] / self.seconds[library]


def _calls_for(timer: timeit.Timer, seconds: float) -> int:
    number = 1
    while (elapsed := timer.timeit(number)) < seconds / 4:
        number *= 4
    return max(1, int(number * seconds / max(elapsed, 1e-9)))


def measure(cases: Sequence[Case], rounds: int = 15, seconds_per_round: float = 0.01) -> None:
    """Fill in the median time per call of every case and library."""
    for case in cases:
        timers = {
            library: timeit.Timer(statement, globals=dict(names))
            for library, (statement, names) in case.statements.items()
        }
        calls = {name: _calls_for(timer, seconds_per_round) for name, timer in timers.items()}
        times: dict[str, list[float]] = {name: [] for name in timers}
        for _ in range(rounds):
            for name, timer in timers.items():
                times[name].append(timer.timeit(calls[name]) / calls[name])
        case.seconds = {name: statistics.median(values) for name, values in times.items()}


def environment() -> dict[str, str]:
    """Return what a reader needs to judge the figures."""
    import numpy

    import strided

    facts = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "strided": strided.__version__,
        "isa": strided._native.active_isa(),
        "numpy": numpy.__version__,
    }
    try:
        import torch

        facts["torch"] = torch.__version__
    except ImportError:
        pass
    return facts


def write_json(name: str, payload: Mapping[str, Any]) -> Path:
    """Write a result file that README figures are taken from."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps({"environment": environment(), **payload}, indent=1) + "\n")
    return path


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)
