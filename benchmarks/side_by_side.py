"""Times the same work in several libraries, interleaved in one process, and reports ratios.

Machines are noisy: rounds alternate between the libraries, the median over rounds is the figure,
and only ratios within one run mean anything. The limit, a plain copy of as many bytes, is timed in
every round just before and just after strided's own work.

A benchmark file says what to time as a table of cases and hands a ``Benchmark`` to ``main``.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import statistics
import sys
import time
import timeit
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bars import Bar

import strided

try:
    import threadpoolctl
    import torch
except ImportError:
    threadpoolctl = torch = None

RESULTS = Path(__file__).parent / "results"
LOCAL = RESULTS / "local"  # not under version control
PAUSE = 0.015  # OpenMP's threads look for work that long after a call
SLOT = 0.0015  # short calls are repeated until a round takes this long
SLOW = 0.08  # calls from here on are timed in few rounds
BLAS_PAUSE = 0.25  # and OpenBLAS's even longer
# Threads that sleep are woken beside the caller, on one core, where short calls of PyTorch take
# milliseconds instead of microseconds. For so long nothing is timed.
WAKING = 0.02


@dataclass
class Case:
    """One row: a name and, per library, a statement and the names it uses.

    ``limit`` among the libraries is the copy that the others are compared with. Tags say which bars
    the row has to meet.
    """

    name: str
    statements: Mapping[str, tuple[str, Mapping[str, Any]]]
    seconds: dict[str, Any] = field(default_factory=dict)
    group: str = ""
    tags: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    numpy_threads: bool = False  # its matrix products have threads, nothing else there does

    def ratio(self, library: str, to: str) -> float | None:
        """Return how much faster ``library`` is than ``to`` (above 1 is faster)."""
        if library not in self.seconds or to not in self.seconds:
            return None
        return self.seconds[to] / self.seconds[library]


@dataclass(frozen=True)
class Benchmark:
    """What a benchmark file offers: ``cases(quick)`` is a table, made row by row.

    ``rows(quick)`` may be given instead: it returns measured rows as ``row_of`` makes them.
    ``finish`` sees all rows once they are measured, to order them or to compare them.
    """

    name: str
    title: str
    claim: str
    bars: Sequence[Bar] = ()
    cases: Callable[[bool], Iterable[Case]] | None = None
    rows: Callable[[bool], list[dict[str, Any]]] | None = None
    finish: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] | None = None
    notes: str = ""


# ---- short statements, one thread ----


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


# ---- large work, one and more threads ----


class _Lane:
    """One library with one number of threads: its turns in the rounds and their times."""

    def __init__(self, library: str, threads: int, statement: str, names: Mapping[str, Any]):
        self.library, self.threads = library, threads
        self.timer = timeit.Timer(statement, globals=dict(names))
        self.times: list[float] = []
        self.calls, self.slow = 1, False
        self.wakes = threads > 1 and library != "limit"

    def prepare(self) -> None:
        """Find how often to call; the call of a slow library counts as its first round."""
        self._use_threads()
        self._wake()
        first = self.timer.timeit(1)
        if first >= SLOW and self.library in ("numpy", "torch"):
            self.slow, self.times = True, [first]
        elif first < SLOT:
            self.calls = _calls_for(self.timer, SLOT)

    def turn(self) -> None:
        self._use_threads()
        if self.calls > 1:
            self.timer.timeit(1)  # brings the operands back to the cache
        self._wake()
        self.times.append(self.timer.timeit(self.calls) / self.calls)

    def _wake(self) -> None:
        begin = time.perf_counter()
        while self.wakes and time.perf_counter() - begin < WAKING:
            self.wakes = self.timer.timeit(1) < WAKING  # longer calls do not notice

    def _use_threads(self) -> None:
        if self.library == "torch":
            torch.set_num_threads(self.threads)
        elif self.library == "numpy":
            if threadpoolctl is not None:
                threadpoolctl.threadpool_limits(self.threads, "blas")
        else:
            strided.set_num_threads(self.threads)


def _lanes(case: Case, threads: Sequence[int]) -> Iterator[_Lane]:
    for count in threads:
        own = [name for name in case.statements if name not in ("limit", "numpy", "torch")]
        for library in ("limit", *own, "limit", "torch"):
            if library in case.statements:
                yield _Lane(library, count, *case.statements[library])
        if case.numpy_threads and "numpy" in case.statements:
            yield _Lane("numpy", count, *case.statements["numpy"])
    if "numpy" in case.statements and not case.numpy_threads:
        yield _Lane("numpy", 1, *case.statements["numpy"])


def measure_threads(
    case: Case,
    threads: Sequence[int] = (1, 2),
    rounds: int = 7,
    summary: Callable[[Sequence[float]], float] = statistics.median,
) -> None:
    """Fill in ``seconds[library][threads]``: medians over interleaved rounds."""
    strided.memory.release_kept_blocks()  # of the operands of other cases
    lanes = list(_lanes(case, threads))
    for lane in lanes:
        lane.prepare()
    few = {
        rounds // 3,
        rounds - 1 - rounds // 3,
    }  # with the first call: three rounds for slow peers
    for turn in range(rounds):
        before = "strided"
        for lane in lanes:
            if lane.slow and turn not in few:
                continue
            if lane.library != before and {lane.library, before} & {"numpy", "torch"}:
                time.sleep(BLAS_PAUSE if case.numpy_threads else PAUSE)
            before = lane.library
            lane.turn()
        time.sleep(PAUSE)
    case.seconds = {}
    for lane in lanes:
        known = case.seconds.setdefault(lane.library, {})
        seconds = summary(lane.times)
        # Of the two turns of the limit the faster one counts.
        known[str(lane.threads)] = min(seconds, known.get(str(lane.threads), seconds))


def row_of(case: Case) -> dict[str, Any]:
    """Return a measured case as a row of a result file."""
    return {
        "group": case.group,
        "name": case.name,
        "tags": list(case.tags),
        **case.facts,
        "seconds": case.seconds,
    }


# ---- results ----


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{names[0]}, {len(names)} cores" if names else platform.processor()


def environment() -> dict[str, str]:
    """Return what a reader needs to judge the figures."""
    import numpy

    facts = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": _processor(),
        "strided": strided.__version__,
        "isa": strided._native.active_isa(),
        "numpy": numpy.__version__,
    }
    if torch is not None:
        facts["torch"] = torch.__version__
    return facts


def write_json(name: str, payload: Mapping[str, Any], folder: Path = RESULTS) -> Path:
    """Write a result file that the figures of README and docs are taken from."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.json"
    path.write_text(json.dumps({"environment": environment(), **payload}, indent=1) + "\n")
    return path


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


# ---- the command line of a benchmark file ----


def options(about: str | None) -> argparse.Namespace:
    """Return what the command line asks for; quick figures never go to the recorded results."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--quick", action="store_true", help="small sizes, a smoke test")
    parser.add_argument("--to", type=Path, help="folder of the JSON file")
    parser.add_argument("--only", help="rows whose group and name match this expression")
    parser.add_argument("--least", action="store_true", help="fastest rounds, for a busy machine")
    asked = parser.parse_args()
    if asked.to is None:
        asked.to = LOCAL if asked.quick or asked.only or asked.least else RESULTS
    return asked


def _measured(benchmark: Benchmark, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    assert benchmark.cases is not None
    for case in benchmark.cases(asked.quick):
        if asked.only and not re.search(asked.only, f"{case.group}: {case.name}"):
            continue
        begin = time.perf_counter()
        summary = min if asked.least else statistics.median
        measure_threads(case, rounds=5 if asked.quick else 7, summary=summary)
        took = time.perf_counter() - begin
        print(f"{took:6.1f} s  {case.group}: {case.name}", file=sys.stderr, flush=True)
        yield row_of(case)


def main(benchmark: Benchmark) -> None:
    """Measure, print the markdown table and write the JSON file."""
    from tables import page_of

    asked = options(benchmark.claim)
    begin = time.perf_counter()
    rows = benchmark.rows(asked.quick) if benchmark.rows else list(_measured(benchmark, asked))
    if benchmark.finish:
        rows = benchmark.finish(rows)
    payload = {
        "title": benchmark.title,
        "claim": benchmark.claim,
        "notes": benchmark.notes,
        "summary": "fastest round" if asked.least else "median",
        "bars": [bar.as_dict() for bar in benchmark.bars],
        "rows": rows,
    }
    path = write_json(benchmark.name, payload, asked.to)
    print(page_of(payload))
    print(f"\nwrote {path} in {time.perf_counter() - begin:.0f} s", file=sys.stderr)
