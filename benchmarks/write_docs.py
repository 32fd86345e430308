"""Writes docs/benchmarks.md and its plots from result files, so that no figure is typed by hand.

python benchmarks/write_docs.py [FOLDER OF RESULTS [FOLDER OF DOCS]]

The page has what many rows say together; the rows are in the result files, which it links.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bars import outcomes
from boxes import box_plot
from plots import Axis, plot
from side_by_side import RESULTS, markdown
from summaries import groups_of, overview, ratios, table_by_group
from tables import bars_of, bars_table
from views import VIEWS, spans_of
from views import table_of as views_table

DOCS = Path(__file__).parent.parent / "docs"
ORDER = (
    *("views", "copies", "fresh", "narrow", "functions", "reductions", "matmul", "sorting"),
    *("growth", "autograd", "chunked", "experiment", "llm"),
)
# So many rows, in so many groups, make a plot of their own.
ROWS, GROUPS = 40, 3

INTRODUCTION = """# Performance

What to expect: views cost tens of nanoseconds and move nothing. Whatever reads or writes many
elements is limited by memory; the sections say how close each operation comes to that limit, for
contiguous tensors and for all other layouts. There is one device, the CPU.

A figure says how many times faster strided is than the library beside it: in the median of many
rows, and in the worst row. **Bold** figures are below 1: there the other library is faster. Cells
with two figures are for 1 and for 2 threads.
"""

MEASURED = """## How it is measured

`make bench` measures everything on this page and writes it anew. No figure is typed by hand, and no
row is left out for being slow. All libraries work in one process, in turns, on the same operands at
the same addresses (random numbers, never zeros). A figure is the median over the turns, and only
ratios within one run mean anything. NumPy has one thread, except for products of matrices.

- **limit**: strided's copy of a contiguous tensor with the same number of threads, timed in the
  same turns. Its size is half of all bytes that an operation reads and writes. From 8 MB on it uses
  streaming stores, which is the most that the memory does; below that it is a copy within the
  cache. What only reads is compared with the C library's memcmp of two equal halves of as many
  bytes. A figure "of limit" is a share: 100 % is as fast as memory allows.
- **warm**: the destination exists already. **fresh**: the call makes its result.
- **asked for**: a goal, also called a bar. Those that are missed stay on the page, in bold.

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


def _title(name: str, result: Mapping[str, Any]) -> str:
    return str(result.get("title", name.capitalize()))


def _link(title: str) -> str:
    return f"[{title}](#{title.lower().replace(' ', '-')})"


def _goals(results: Mapping[str, Mapping[str, Any]]) -> str:
    """Return how many goals each benchmark reached."""
    lines = []
    for name, result in results.items():
        found = outcomes(result["rows"], bars_of(result))
        if found:
            met = sum(outcome.passed for outcome in found)
            lines.append([_link(_title(name, result)), f"{met} of {len(found)}"])
    return markdown(["what", "goals reached"], lines) + "\n" if lines else ""


# ---- plots ----


def _draw(docs: Path, name: str, svg: str, title: str) -> str:
    """Write a plot and return the lines that show it."""
    folder = docs / "plots"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
    return f"![{title}](plots/{name}.svg)\n"


def _plot_of_all(results: Mapping[str, Mapping[str, Any]], docs: Path) -> str:
    boxes = []
    for name, result in results.items():
        rows = result["rows"]
        if name == "views":
            rows = [row for row in rows if row["name"] in VIEWS]
        found = list(ratios(rows, "1"))
        if found:
            boxes.append((_title(name, result), found))
    title = "How many times faster strided is, by benchmark, with one thread"
    return _draw(docs, "ratios", box_plot(boxes, title), title) if boxes else ""


def _plot_of_groups(name: str, result: Mapping[str, Any], docs: Path) -> str:
    rows = result["rows"]
    boxes = [
        (group, found)
        for group, members in groups_of(rows).items()
        if (found := list(ratios(members, "1")))
    ]
    if len(rows) < ROWS or len(boxes) < GROUPS or name == "growth":
        return ""  # few rows say more as a table, and growth has plots of its own
    title = f"{_title(name, result)}: how many times faster, by group, with one thread"
    return _draw(docs, f"ratios_{name}", box_plot(boxes, title), title)


def _plots_of_growth(result: Mapping[str, Any], docs: Path) -> str:
    """Draw how cost grows; return the lines that show it."""
    rows = result["rows"]
    by_size = [row for row in rows if row["tags"] == ["elements"]]
    by_rank = [row for row in rows if row["tags"] == ["rank"]]
    shown = []
    for name, chosen, key, label in (
        ("growth", by_size, "bits", "number of elements"),
        ("ranks", by_rank, "rank", "rank"),
    ):
        if not chosen:
            continue
        marks = sorted({row[key] for row in chosen})
        if key == "bits":
            marks = [mark for mark in marks if mark % 4 == marks[0] % 4]
        title = f"Nanoseconds per element, by {label}"
        axis = Axis(key, "elements" if key == "bits" else key, marks, _mark_of(key))
        shown.append(f"{title}:\n\n{_draw(docs, name, plot(chosen, axis, title), title)}")
    return "\n".join(shown)


def _mark_of(key: str) -> Any:
    return _power if key == "bits" else "{:g}".format


def _power(bits: float) -> str:
    """Return 2**bits in words."""
    size = 2 ** int(bits)
    for unit, step in (("M", 1 << 20), ("K", 1 << 10)):
        if size >= step:
            return f"{size // step}{unit}"
    return str(size)


# ---- sections ----


def _section(name: str, result: Mapping[str, Any], docs: Path) -> str:
    rows = result["rows"]
    program = f"[benchmarks/{name}.py](../benchmarks/{name}.py)"
    data = f"[{len(rows)} rows](../benchmarks/results/{name}.json)"
    if name == "views":
        says = f"{spans_of(rows)}\n\nTimed by {program}, one thread; the figures as a file: {data}."
        return f"## Views\n\n{says}\n\n{views_table(rows)}\n"
    parts = [f"## {_title(name, result)}\n\n{result['claim']}\n"]
    if result.get("notes"):
        parts.append(result["notes"] + "\n")
    if result.get("summary", "median") != "median":
        parts.append(f"These figures are of the {result['summary']}, not medians.\n")
    parts.append(_plots_of_growth(result, docs) if name == "growth" else "")
    parts.append(_plot_of_groups(name, result, docs))
    parts.append(table_by_group(rows) + "\n")
    goals = bars_table(rows, bars_of(result))
    if goals:
        summary = "<summary>What was asked for, and what was reached</summary>"
        parts.append(f"<details markdown>{summary}\n\n{goals}\n\n</details>\n")
    parts.append(f"Timed by {program}; every row: {data}.\n")
    return "\n".join(part for part in parts if part)


def write(results_in: Path, docs: Path) -> Path:
    """Write the page and its plots."""
    results = _read(results_in)
    links = {name: _link(_title(name, result)) for name, result in results.items()}
    parts = [
        INTRODUCTION,
        overview(results, links) + "\n",
        _plot_of_all(results, docs),
        _environment(results),
        MEASURED,
        _goals(results),
        *(_section(name, result, docs) for name, result in results.items()),
    ]
    docs.mkdir(parents=True, exist_ok=True)
    page = docs / "benchmarks.md"
    page.write_text("\n".join(part for part in parts if part), encoding="utf-8")
    return page


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    print(write(given[0] if given else RESULTS, given[1] if len(given) > 1 else DOCS))
