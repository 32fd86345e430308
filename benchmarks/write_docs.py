"""Writes docs/benchmarks.md and its plots from result files, so that no figure is typed by hand.

python benchmarks/write_docs.py [FOLDER OF RESULTS [FOLDER OF DOCS]]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bars import outcomes
from plots import Axis, plot
from side_by_side import RESULTS, markdown
from tables import bars_of, page_of
from views import table_of as views_table

DOCS = Path(__file__).parent.parent / "docs"
ORDER = (
    *("views", "copies", "fresh", "narrow", "functions", "reductions", "matmul", "sorting"),
    *("growth", "autograd", "chunked", "llm"),
)

INTRODUCTION = """# Benchmarks

`make bench` measures everything on this page and writes it anew from `benchmarks/results/*.json`;
no figure is typed by hand. Figures are ratios within one run: all libraries work in one process, in
turns, on the same operands at the same addresses (random, never zeros), and a figure is the median
over the turns. Cells with two figures are for 1 and for 2 threads; NumPy has one. A figure in
**bold** misses what was asked for. No row is left out for being slow.

- **limit**: strided's copy of a contiguous tensor with the same number of threads, timed in the
  same turns just before and just after. Its size is half of all bytes that an operation reads and
  writes. From 8 MB on it uses streaming stores, which is the most that the memory does; below that
  it is a copy within the cache. What only reads is compared with the C library's memcmp of two
  equal halves of as many bytes.
- **warm**: the destination exists already. **fresh**: the call makes its result.

```python
>>> import strided as st
>>> source = st.randint(0, 256, (1 << 20,), dtype=st.uint8)
>>> target = st.empty_like(source)
>>> target.copy_(source).nbytes  # the limit of whatever reads and writes 1 MB
1048576

```
"""


def _read(folder: Path) -> dict[str, Mapping[str, Any]]:
    return {
        name: json.loads(path.read_text())
        for name in ORDER
        if (path := folder / f"{name}.json").exists()
    }


def _environment(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the machine of all files, or of each where they differ."""
    said = {
        name: ", ".join(f"{key} {value}" for key, value in result["environment"].items())
        for name, result in results.items()
    }
    if len(set(said.values())) == 1:
        return f"Machine: {next(iter(said.values()))}.\n"
    return "\n".join(f"- {name}: {text}" for name, text in said.items()) + "\n"


def _summary(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return how many bars are met by each file."""
    lines = []
    for name, result in results.items():
        found = outcomes(result["rows"], bars_of(result))
        if found:
            met = sum(outcome.passed for outcome in found)
            shown = f"{met} of {len(found)}"
            shown = shown if met == len(found) else f"**{shown}**"
            link = f"[{result['title']}](#{result['title'].lower().replace(' ', '-')})"
            lines.append([link, f"benchmarks/{name}.py", str(len(result["rows"])), shown])
    return markdown(["what", "file", "rows", "bars met"], lines) + "\n" if lines else ""


def _plots(result: Mapping[str, Any], docs: Path) -> str:
    """Draw how cost grows; return the lines that show it."""
    rows = result["rows"]
    by_size = [row for row in rows if row["tags"] == ["elements"]]
    by_rank = [row for row in rows if row["tags"] == ["rank"]]
    shown = []
    folder = docs / "plots"
    folder.mkdir(parents=True, exist_ok=True)
    for name, chosen, key, label in (
        ("growth", by_size, "bits", "elements"),
        ("ranks", by_rank, "rank", "rank"),
    ):
        if not chosen:
            continue
        marks = sorted({row[key] for row in chosen})
        if key == "bits":
            marks = [mark for mark in marks if mark % 4 == marks[0] % 4]
        title = f"Nanoseconds per element, by number of {label}" if key == "bits" else ""
        title = title or "Nanoseconds per element, by rank"
        axis = Axis(key, label, marks, _power if key == "bits" else "{:g}".format)
        (folder / f"{name}.svg").write_text(plot(chosen, axis, title), encoding="utf-8")
        shown.append(f"{title}:\n\n![{title}](plots/{name}.svg)\n")
    return "\n".join(shown)


def _power(bits: float) -> str:
    """Return 2**bits in words."""
    size = 2 ** int(bits)
    for unit, step in (("M", 1 << 20), ("K", 1 << 10)):
        if size >= step:
            return f"{size // step}{unit}"
    return str(size)


def write(results_in: Path, docs: Path) -> Path:
    """Write the page and its plots."""
    results = _read(results_in)
    parts = [INTRODUCTION, _environment(results), _summary(results)]
    for name, result in results.items():
        if name == "views":
            parts.append("## Views\n\nLatency of view operations (`benchmarks/views.py`).\n")
            parts.append(views_table(result["rows"]) + "\n")
            continue
        parts.append(f"## {result['title']}\n\n{result['claim']} (`benchmarks/{name}.py`)\n")
        if result.get("notes"):
            parts.append(result["notes"] + "\n")
        if result.get("summary", "median") != "median":
            parts.append(f"These figures are of the {result['summary']}, not medians.\n")
        if name == "growth":
            parts.append(_plots(result, docs))
        parts.append(page_of(result, fold=True) + "\n")
    docs.mkdir(parents=True, exist_ok=True)
    page = docs / "benchmarks.md"
    page.write_text("\n".join(part for part in parts if part), encoding="utf-8")
    return page


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    print(write(given[0] if given else RESULTS, given[1] if len(given) > 1 else DOCS))
