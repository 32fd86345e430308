"""The benchmarks' bookkeeping: bars, tables, plots, and pages that only show recorded figures."""

from __future__ import annotations

import importlib
import itertools
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from support.paths import ROOT

import strided


@pytest.fixture(scope="module")
def benchmarks() -> Any:
    """Import a file of benchmarks/ by its name."""
    folder = str(ROOT / "benchmarks")
    before, threads = set(sys.modules), strided.get_num_threads()
    sys.path.insert(0, folder)

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    strided.set_num_threads(threads)
    sys.path.remove(folder)
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(folder):
            del sys.modules[name]


def row(name: str, tags: list[str], ours: float, limit: float, numpy: float) -> dict[str, Any]:
    seconds = {
        "strided": {"1": ours, "2": ours / 2},
        "limit": {"1": limit, "2": limit / 2},
        "numpy": {"1": numpy},
    }
    return {"group": "g", "name": name, "tags": tags, "seconds": seconds}


def payload(benchmarks: Any) -> dict[str, Any]:
    bar = benchmarks("bars").Bar
    bars = [
        bar("half of the limit", "limit", ("large",), each=0.5, median=0.7),
        bar("as fast as NumPy", "numpy", (), each=1.0),
        bar("as fast as PyTorch", "torch", (), each=1.0),
    ]
    rows = [
        row("good", ["large", "x"], 2.0, 1.8, 4.0),
        row("poor", ["large"], 2.0, 0.4, 3.0),
        row("other", ["small"], 2.0, 0.2, 1.5),
    ]
    return {"title": "Things", "claim": "c", "bars": [b.as_dict() for b in bars], "rows": rows}


def test_bars(benchmarks: Any) -> None:
    given = payload(benchmarks)
    bars = benchmarks("tables").bars_of(given)
    found = benchmarks("bars").outcomes(given["rows"], bars)
    shown = [(o.bar.figure, o.threads, len(o.figures), o.met, o.passed) for o in found]
    assert shown == [
        ("limit", "1", 2, 1, False),
        ("limit", "2", 2, 1, False),
        ("numpy", "1", 3, 2, False),
        ("numpy", "2", 3, 3, True),
    ]
    assert found[0].median == pytest.approx(0.55)
    assert found[0].worst_row == "g: poor"


def test_what_misses_is_bold(benchmarks: Any) -> None:
    page = benchmarks("tables").page_of(payload(benchmarks))
    assert (
        "| good | 1.80 s / 900 ms | 2.00 s / 1.00 s | 4.00 s | 90 % / 90 % | 2.00x / 4.00x" in page
    )
    assert "**20 %** / **20 %** | 1.50x / 3.00x |" in page
    assert "| 10 % / 10 % | **0.75x** / 1.50x |" in page  # no bar asks a share of small ones
    assert "| **half of the limit** | 1 | 2 | **1** | **55 %** | **20 %** | g: poor |" in page
    assert "PyTorch" not in page.replace("as fast as PyTorch", "")


class Clock:
    """Stands in for timeit.Timer: a call takes as long as its names say."""

    def __init__(self, statement: str, globals: dict[str, Any]):
        self.seconds, self.calls = globals["seconds"], globals["calls"]

    def timeit(self, number: int) -> float:
        self.calls.append(number)
        return number * next(self.seconds)


def test_rounds(benchmarks: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    side_by_side = benchmarks("side_by_side")
    monkeypatch.setattr(side_by_side.timeit, "Timer", Clock)
    monkeypatch.setattr(side_by_side, "PAUSE", 0)
    calls: dict[str, list[int]] = {"strided": [], "limit": [], "numpy": []}
    takes: dict[str, Any] = {
        "strided": itertools.cycle([0.1, 0.3, 0.2]),  # slow, and yet timed in every round
        "limit": itertools.cycle([0.0011, 0.001]),  # one of its turns is the faster one
        "numpy": iter([3.0, 5.0, 4.0]),
    }
    case = side_by_side.Case(
        "one", {name: ("", {"seconds": takes[name], "calls": calls[name]}) for name in calls}
    )
    side_by_side.measure_threads(case, threads=(1,), rounds=7)
    assert len(calls["strided"]) == 1 + 7
    assert calls["numpy"] == [1, 1, 1]
    assert case.seconds["strided"] == {"1": 0.2}
    assert case.seconds["numpy"] == {"1": 4.0}
    assert 0.001 <= case.seconds["limit"]["1"] < 0.0011
    assert strided.get_num_threads() == 1


def test_every_bar_of_the_copies_covers_a_row(benchmarks: Any) -> None:
    copies = benchmarks("copies")
    rows = [{"tags": case.tags} for case in copies.cases(True)]
    for bar in copies.BARS:
        assert any(bar.covers(row) for row in rows), bar.label
    assert copies._tags((8, 1024, 32, 128), (0, 2, 3, 1), copies.LARGE)[1] == copies.WIDE
    assert copies._tags((16, 32, 64), (2, 1, 0), copies.LARGE)[1] == copies.SMALL
    assert copies._tags((1000, 3), (1, 0), copies.LARGE)[1:] == [copies.EVEN, copies.MOVES]
    assert copies._tags((64, 8, 8), (1, 2, 0), copies.LARGE)[1] == copies.WIDE  # 64 by 8 * 8


def test_plot(benchmarks: Any) -> None:
    plots = benchmarks("plots")
    rows = [
        {**row(f"2^{bits}", ["elements"], 1e-6, 2e-6, 3e-6), "operation": "a < b", "bits": bits}
        for bits in (10, 12, 14)
    ]
    axis = plots.Axis("bits", "elements", [10, 14], "{:g}".format)
    drawn = ElementTree.fromstring(plots.plot(rows, axis, "cost"))
    lines = drawn.findall(".//{http://www.w3.org/2000/svg}polyline")
    points = [len(line.get("points", "").split()) for line in lines]
    assert points.count(3) == 4  # strided with 1 and 2 threads, NumPy, the limit
    words = {text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")}
    assert {"a < b, ns per element", "NumPy", "strided, 1 thread", "strided, 2 threads"} <= words


def test_what_many_rows_say(benchmarks: Any) -> None:
    summaries = benchmarks("summaries")
    rows = payload(benchmarks)["rows"]
    found = summaries.against(rows, "numpy", "1")
    assert (found.median, found.worst, found.behind) == (1.5, 0.75, 1)
    assert summaries.against(rows, "torch", "1") is None
    table = summaries.table_by_group(rows)
    assert table.splitlines()[0] == "| rows of | rows | of limit | worst | vs NumPy | worst |"
    assert "| g | 3 | 20 % / 20 % | 10 % / 10 % | 1.50x / 3.00x | **0.75x** / 1.50x |" in table
    results = {"things": payload(benchmarks)}
    lines = summaries.overview(results, {"things": "[Things](#things)"}).splitlines()
    assert lines[2] == (
        "| [Things](#things) | 3 | 1.50x / 3.00x | **0.75x** / 1.50x | 1 / 0 | - | - | - |"
    )


def test_groups_that_differ_in_a_size_are_one(benchmarks: Any) -> None:
    rows = [{"group": group} for group in ("4-D, large: 8x8", "4-D, large: 9x9", "steps")]
    grouped = benchmarks("summaries").groups_of(rows)
    assert {name: len(members) for name, members in grouped.items()} == {
        "4-D, large": 2,
        "steps": 1,
    }


def test_box_plot(benchmarks: Any) -> None:
    boxes = [("copies", [("numpy", [0.5, 2.0, 4.0]), ("torch", [3.0])])]
    drawn = ElementTree.fromstring(benchmarks("boxes").box_plot(boxes, "ratios"))
    name = "{http://www.w3.org/2000/svg}"
    spans = [
        (float(line.get("x1", 0)), float(line.get("x2", 0)))
        for line in drawn.iter(f"{name}line")
        if line.get("class") == "numpy1" and float(line.get("y1", 0)) > 60
    ]
    middle = next(line for line in drawn.iter(f"{name}line") if line.get("class") == "text-line")
    assert len(spans) == 2  # all rows, and the middle half
    assert spans[0][0] < float(middle.get("x1", 0)) < spans[0][1]
    assert spans[0][0] <= spans[1][0] <= spans[1][1] <= spans[0][1]
    assert {"copies", "1x", "2x"} <= {text.text for text in drawn.iter(f"{name}text")}


def test_pages_show_recorded_results(benchmarks: Any, tmp_path: Path) -> None:
    """docs/benchmarks.md, its plots and tables elsewhere are what the result files say."""
    write_docs, side_by_side = benchmarks("write_docs"), benchmarks("side_by_side")
    page = write_docs.write(side_by_side.RESULTS, tmp_path).read_text(encoding="utf-8")
    assert page == (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    for name in re.findall(r"\(plots/(\w+\.svg)\)", page):
        made = (tmp_path / "plots" / name).read_text(encoding="utf-8")
        assert made == (ROOT / "docs" / "plots" / name).read_text(encoding="utf-8")
    results = benchmarks("write_docs")._read(side_by_side.RESULTS)
    for name, page_of_it, what, shown in benchmarks("update_readme").TABLES:
        text = (ROOT / page_of_it).read_text(encoding="utf-8")
        said = shown(results[name]["rows"])
        assert f"<!-- {what} -->\n{said}\n<!-- end of {what} -->" in text
