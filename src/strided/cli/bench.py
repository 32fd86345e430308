"""``strided bench``: a short comparison with NumPy, or the benchmarks of the source."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import strided
from strided.cli.help_text import add_command
from strided.cli.output import fail, print_table


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    lines = ("strided bench", "strided bench --json", "strided bench copies --quick")
    add_command(app, "bench", bench, *lines)


def bench(
    names: Annotated[
        list[str] | None, typer.Argument(help="Benchmarks of the source to run instead.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All of the source.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="Small sizes: a smoke test.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON (the short comparison).")
    ] = False,
) -> None:
    """Time copy, transpose, add and reduce against NumPy; or run the benchmarks of the source.

    Rounds alternate between the libraries and the median counts: only ratios mean something. Named
    benchmarks need a checkout and leave their results in benchmarks/results/local.
    """
    if names or everything:
        raise typer.Exit(_run_of_source(names or [], quick))
    rows = list(_measured(256 if quick else 2048, 3 if quick else 11))
    if as_json:
        print(json.dumps({"threads": strided.get_num_threads(), "rows": rows}, indent=2))
        return
    numbers = {"strided ms": "strided_ms", "NumPy ms": "numpy_ms"}
    print_table(
        ["float32", *numbers, "ratio"],
        [
            [row["name"], *(f"{row[key]:.3f}" for key in numbers.values()), f"{row['ratio']:.1f}x"]
            for row in rows
        ],
        numbers=[*numbers, "ratio"],
    )
    print(f"{strided.get_num_threads()} threads; above 1x strided is faster; {_where()}")


# ---- the short comparison ----


def _cases(size: int) -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    a = np.random.default_rng(0).random((size, size), dtype=np.float32)
    x = strided.from_numpy(a)
    out, into = strided.empty(size, size), np.empty_like(a)
    return {
        "copy": (lambda: out.copy_(x), lambda: np.copyto(into, a)),
        "copy, transposed": (lambda: out.copy_(x.T), lambda: np.copyto(into, a.T)),
        "copy, reversed": (lambda: out.copy_(x[:, ::-1]), lambda: np.copyto(into, a[:, ::-1])),
        "add": (lambda: strided.add(x, x, out=out), lambda: np.add(a, a, out=into)),
        "add, one transposed": (
            lambda: strided.add(x, x.T, out=out),
            lambda: np.add(a, a.T, out=into),
        ),
        "sum of rows": (lambda: x.sum(1), lambda: a.sum(1)),
        "sum of columns": (lambda: x.sum(0), lambda: a.sum(0)),
        "maximum": (lambda: x.amax(), lambda: a.max()),
    }


def _measured(size: int, rounds: int) -> Iterator[dict[str, Any]]:
    for name, pair in _cases(size).items():
        for run in pair:
            run()  # first touch of memory, start of threads
        times: tuple[list[float], list[float]] = ([], [])
        for _ in range(rounds):
            for run, spent in zip(pair, times, strict=True):
                begin = time.perf_counter()
                run()
                spent.append(time.perf_counter() - begin)
        ours, theirs = (statistics.median(spent) * 1e3 for spent in times)
        yield {
            "name": f"{name}, {size} x {size}",
            "strided_ms": ours,
            "numpy_ms": theirs,
            "ratio": theirs / ours,
        }


# ---- the benchmarks of the source ----


def _checkout() -> Path | None:
    """Return the folder of benchmarks: of the working directory, or of an editable install."""
    package = strided.__file__
    for root in (Path.cwd(), Path(package).resolve().parents[2]):
        if (root / "benchmarks" / "run_all.py").is_file() and (root / "src" / "strided").is_dir():
            return root / "benchmarks"
    return None


def _where() -> str:
    folder = _checkout()
    if folder is None:
        return "all benchmarks come with the source (make bench)"
    return f"all benchmarks: strided bench --all (in {os.path.relpath(folder)})"


def _run_of_source(names: list[str], quick: bool) -> int:
    folder = _checkout()
    if folder is None:
        fail("the benchmarks come with the source: run this in a checkout, or `make bench` there")
    command = [sys.executable, "run_all.py", "--to", str(folder / "results" / "local")]
    # What is measured is the package that this command belongs to.
    paths = [str(Path(strided.__file__).absolute().parents[1]), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run([*command, *(["--quick"] if quick else []), *names], cwd=folder, env=env)
    return done.returncode
