"""Runs every benchmark in a process of its own and writes the pages that show the results.

    python benchmarks/run_all.py [--quick] [--to FOLDER] [NAME ...]

Recorded results rebuild docs/benchmarks.md and the tables of README; results that go elsewhere
(``--quick``, ``--to``) get a page beside them. A benchmark is a file here that has a ``BENCHMARK``,
or a function ``rows`` that returns measured rows (and ``BARS``, where it has some).
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import subprocess
import sys
import time
from pathlib import Path

import update_readme
import write_docs
from side_by_side import LOCAL, RESULTS, Benchmark, main

HERE = Path(__file__).parent


def run_one(name: str) -> None:
    """Run one benchmark in this process, whatever its file offers."""
    module = importlib.import_module(name)
    if hasattr(module, "BENCHMARK"):
        return main(module.BENCHMARK)
    if not hasattr(module, "rows"):
        return module.main()
    takes_quick = bool(inspect.signature(module.rows).parameters)
    rows = module.rows if takes_quick else lambda quick: module.rows()
    said = (module.__doc__ or name).strip().splitlines()[0]
    bars = getattr(module, "BARS", ())
    return main(Benchmark(name, name.capitalize(), said, bars, rows=rows))


def run_all(names: list[str], quick: bool, least: bool, folder: Path) -> bool:
    """Run benchmarks one after the other; return whether all of them ended well."""
    flags = ["--to", str(folder), *(["--quick"] if quick else []), *(["--least"] if least else [])]
    failed = []
    for name in names:
        begin = time.perf_counter()
        print(f"\n## {name}\n", flush=True)
        code = f"import run_all; run_all.run_one({name!r})"
        done = subprocess.run([sys.executable, "-c", code, *flags], cwd=HERE)
        print(f"{name}: {time.perf_counter() - begin:.0f} s", file=sys.stderr)
        if done.returncode:
            failed.append(name)
    recorded = folder.resolve() == RESULTS.resolve()
    print("wrote", write_docs.write(folder, write_docs.DOCS if recorded else folder))
    if recorded:
        update_readme.main()
    if failed:
        print("failed:", *failed, file=sys.stderr)
    return not failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, a smoke test")
    parser.add_argument("--least", action="store_true", help="fastest rounds, for a busy machine")
    parser.add_argument("--to", type=Path, help="folder of the JSON files")
    parser.add_argument("names", nargs="*", help="benchmarks to run; all, if none is named")
    asked = parser.parse_args()
    existing = [name for name in write_docs.ORDER if (HERE / f"{name}.py").exists()]
    unknown = set(asked.names) - set(existing)
    if unknown:
        parser.error(
            f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(existing)}"
        )
    to = asked.to or (LOCAL if asked.quick or asked.least else RESULTS)
    sys.exit(not run_all(asked.names or existing, asked.quick, asked.least, to.resolve()))
