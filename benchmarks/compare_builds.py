"""Times two builds of strided in turns, row by row: what a change costs or gains.

    python benchmarks/compare_builds.py OLD NEW [--quick] [--only EXPRESSION] [NAME ...]

OLD and NEW are checkouts in which ``make`` has built the package. Each runs in a process of its
own, by the Python of its ``.venv``; the rounds alternate between them, and the benchmarks are those
of this folder. A row counts as slower only if it is so twice.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NAMES = (
    "views",
    "copies",
    "fresh",
    "functions",
    "growth",
    "narrow",
    "reductions",
    "sorting",
    "matmul",
)
ROUNDS, REPEATED = 7, 15
SLOWER = 1.05  # rows from here on are repeated


# ---- a build, in a process of its own ----


def _cases(name: str, quick: bool, only: str) -> Iterator[Any]:
    module = importlib.import_module(name)
    made = module.BENCHMARK.cases(quick) if hasattr(module, "BENCHMARK") else module.cases()
    for case in made:
        if re.search(only, f"{case.group}: {case.name}"):
            yield case


def serve(quick: bool, only: str, names: list[str]) -> None:
    """Answer "next" with a row's name, and a number of threads with seconds per call."""
    import side_by_side

    cases = (case for name in names for case in _cases(name, quick, only))
    case: Any = None
    lanes: dict[int, Any] = {}
    for line in sys.stdin:
        word = line.strip()
        if word == "next":
            case, lanes = next(cases, None), {}
            side_by_side.strided.memory.release_kept_blocks()
            print(json.dumps(None if case is None else f"{case.group}: {case.name}"), flush=True)
            continue
        threads = int(word)
        if threads not in lanes:
            lanes[threads] = side_by_side._Lane("strided", threads, *case.statements["strided"])
            lanes[threads].prepare()
        lanes[threads].turn()
        print(lanes[threads].times[-1], flush=True)


class _Build:
    """One of the two processes."""

    def __init__(self, checkout: Path, arguments: list[str]):
        python = checkout / ".venv" / "bin" / "python"
        self._process = subprocess.Popen(
            [python, __file__, checkout, checkout, "--serve", *arguments],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, word: str) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(word, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise SystemExit(f"a build ended at {word!r}; see its message above")
        return json.loads(answer)


# ---- both of them, in turns ----


def _ratio(old: _Build, new: _Build, threads: int, rounds: int) -> float:
    """Return how much longer the new build takes: the median over rounds, in alternating order."""
    ratios = []
    for turn in range(rounds):
        order = (old, new) if turn % 2 == 0 else (new, old)
        seconds = {id(build): build.ask(str(threads)) for build in order}
        ratios.append(seconds[id(new)] / seconds[id(old)])
    return statistics.median(ratios)


def compare(asked: argparse.Namespace) -> None:
    """Print each benchmark's median of new / old and its rows that stay slower."""
    arguments = [*(["--quick"] if asked.quick else []), "--only", asked.only]
    for name in asked.names or NAMES:
        old, new = (_Build(path.resolve(), [*arguments, name]) for path in (asked.old, asked.new))
        ratios: list[tuple[float, str]] = []
        while (row := old.ask("next")) is not None:
            assert row == new.ask("next"), row
            for threads in (1,) if name == "views" else (1, 2):
                ratio = _ratio(old, new, threads, ROUNDS)
                if ratio > SLOWER:
                    ratio = min(ratio, _ratio(old, new, threads, REPEATED))
                ratios.append((ratio, f"{row} ({threads})"))
        if not ratios:
            continue
        median = statistics.median(ratio for ratio, _ in ratios)
        slow = sorted((pair for pair in ratios if pair[0] > SLOWER), reverse=True)
        fast = sorted(pair for pair in ratios if pair[0] < 1 / SLOWER)
        print(f"\n## {name}: {len(ratios)} rows, new / old {median:.3f} in the median, "
              f"{len(fast)} faster, {len(slow)} slower than {SLOWER}", flush=True)  # fmt: skip
        for ratio, row in [*slow[:20], *fast[:5]]:
            print(f"{ratio:6.2f}  {row}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path, help="checkout before a change")
    parser.add_argument("new", type=Path, help="checkout after it")
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument(
        "--only", default="", help="rows whose group and name match this expression"
    )
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("names", nargs="*", help=f"benchmarks; all of {', '.join(NAMES)}")
    chosen = parser.parse_intermixed_args()
    if chosen.serve:
        serve(chosen.quick, chosen.only, chosen.names)
    else:
        compare(chosen)
