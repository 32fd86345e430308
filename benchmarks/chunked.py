"""dask over chunks that are tensors, beside dask over NumPy's arrays: time, bytes moved, memory.

    python benchmarks/chunked.py [--quick] [--only EXPRESSION]

Claim: no slower, and fewer bytes between workers where a chunk is a view of less memory.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bars import Bar
from chunked_lanes import WORKERS, Cost, Processes, Threads
from chunked_work import Work, source, works, written
from side_by_side import Benchmark, main, markdown
from tables import shown_time

ROUNDS = 7
FOR_MEMORY = 3  # turns after these, before which unused memory is given back
LIBRARIES = ("numpy", "strided")
BARS = [Bar("chunks of tensors: never slower than NumPy's", "numpy", ("chunks",), 1.0)]
# Kernels and BLAS have one thread where dask has several: dask's workers ask for the same.
ONE_THREAD = {
    f"{name}_NUM_THREADS": "1" for name in ("STRIDED", "OMP", "OPENBLAS", "MKL", "VECLIB")
}


# ---- turns ----


def _row(group: str, name: str, costs: Mapping[str, Sequence[Cost]]) -> dict[str, Any]:
    def median(of: str) -> dict[str, Any]:
        turns = slice(-FOR_MEMORY, None) if of == "peak" else slice(-FOR_MEMORY)
        return {
            library: statistics.median(getattr(cost, of) for cost in found[turns])
            for library, found in costs.items()
        }

    seconds = {library: {str(WORKERS): value} for library, value in median("seconds").items()}
    row = {"group": group, "name": name, "tags": ["chunks"], "seconds": seconds}
    row |= {"moved": median("moved"), "peak": median("peak")}
    shown = ", ".join(
        f"{library} {row['seconds'][library][str(WORKERS)] * 1e3:.0f} ms "
        f"{row['moved'][library] / 2**20:.1f} MiB {row['peak'][library] / 2**20:.0f} MiB"
        for library in costs
    )
    print(f"{group}: {name}: {shown}", file=sys.stderr, flush=True)
    return row


def _compared(
    places: Mapping[str, Any], inputs: Callable[[str], Any], run: Callable[[Any], Any], rounds: int
) -> dict[str, list[Cost]]:
    """Return the turns of both libraries, one after the other, after a first one that agrees."""
    sums = {
        library: float(place.value(abs(run(inputs(library))).sum()))
        for library, place in places.items()
    }
    if not np.isclose(sums["numpy"], sums["strided"], rtol=1e-3):
        raise AssertionError(f"results differ: {sums}")
    given = {library: inputs(library) for library in places}
    costs: dict[str, list[Cost]] = {library: [] for library in places}
    for turn in range(rounds + FOR_MEMORY):
        for library in LIBRARIES[:: 1 if turn % 2 else -1]:
            work = functools.partial(run, given[library])
            costs[library].append(places[library].turn(work, give_back=turn >= rounds))
    return costs


def _rows_of_works(
    group: str, place: Callable[[], Any], quick: bool, only: str
) -> Iterator[dict[str, Any]]:
    chosen = [work for work in works(quick) if re.search(only, f"{group}: {work.name}")]
    if not chosen:
        return
    places = {library: place() for library in LIBRARIES}
    for work in chosen:

        def inputs(library: str, work: Work = work) -> Any:
            return places[library].keep(work.first(source(work, library)))

        yield _row(group, work.name, _compared(places, inputs, work.run, 3 if quick else ROUNDS))
    for one in places.values():
        one.close()


def _rows_of_files(quick: bool, only: str) -> Iterator[dict[str, Any]]:
    limit, shape, rows = (1024, (4096, 256), 512) if quick else (400, (1 << 18, 1024), 4096)
    nbytes = 4 * shape[0] * shape[1]
    group = f"a file of {nbytes >> 20} MiB, two workers of {limit} MiB"
    for kind in ("npy", "zarr"):
        name = f".{kind}: standard deviation by columns"
        if not re.search(only, f"{group}: {name}"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            file = written(Path(folder), kind, shape, rows)
            places = {library: Processes(f"{limit}MiB") for library in LIBRARIES}
            turns = _compared(places, file.opened, lambda x: x.std(axis=0), 2 if quick else 5)
            yield _row(group, name, turns)
            for one in places.values():
                one.close()


def measured(quick: bool, only: str) -> list[dict[str, Any]]:
    """Measure every row that ``only`` does not leave out."""
    found = list(_rows_of_works("two threads", Threads, quick, only))
    found += _rows_of_works("two worker processes", lambda: Processes("4GiB"), quick, only)
    return found + list(_rows_of_files(quick, only))


def rows(quick: bool) -> list[dict[str, Any]]:
    """Measure in a process whose kernels and BLAS have one thread each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    only = parser.parse_known_args()[0].only
    code = f"import chunked, json; print(json.dumps(chunked.measured({quick!r}, {only!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        env={**os.environ, **ONE_THREAD},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return list(json.loads(done.stdout.splitlines()[-1]))


# ---- the table of docs/chunked.md ----


def table_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return time, bytes between workers and memory of both; a slower row is bold."""
    header = ["work", "time: arrays", "tensors", "ratio"]
    header += ["moved: arrays", "tensors", "memory: arrays", "tensors"]
    parts = []
    for group in dict.fromkeys(row["group"] for row in rows):
        lines = []
        for row in (row for row in rows if row["group"] == group):
            theirs, ours = (row["seconds"][library][str(WORKERS)] for library in LIBRARIES)
            faster = f"{theirs / ours:.2f}x"
            cells = [row["name"], shown_time(theirs), shown_time(ours)]
            cells.append(f"**{faster}**" if theirs < ours else faster)
            for key in ("moved", "peak"):
                cells += [_mebibytes(row[key][library]) for library in LIBRARIES]
            lines.append(cells)
        parts.append(f"**{group}**\n\n{markdown(header, lines)}")
    return "\n\n".join(parts)


def _mebibytes(count: float) -> str:
    return f"{count / 2**20:.1f} MiB" if count else "-"


BENCHMARK = Benchmark(
    "chunked",
    "Chunks on a cluster",
    "No slower than dask over NumPy's arrays, and fewer bytes between workers where a chunk is a "
    "view of less memory.",
    BARS,
    rows=rows,
    notes="dask over chunks that are tensors beside dask over chunks that are arrays, the same "
    "graphs in turns, in workers of their own. Kernels and BLAS have one thread. Bytes and memory "
    "stand in [docs/chunked.md](chunked.md).",
)

if __name__ == "__main__":
    main(BENCHMARK)
