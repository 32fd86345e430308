"""A report counts, groups and shows its events, in every form it has."""

from __future__ import annotations

import io
import json
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import strided
from strided.copies.report import CopiedElements
from strided.text import shown_bytes


def event(
    reason: str = "reshape", nbytes: int = 96, lineno: int = 7, **other: Any
) -> strided.CopyEvent:
    total = strided.copy_totals()[reason]
    fields = {
        "source": CopiedElements(strided.Layout((4, 6), (1, 4)), "float32"),
        "target": CopiedElements(strided.Layout((4, 6)), "float32"),
        "filename": "model.py",
        "function": "forward",
        "thread": "MainThread",
        **other,
    }
    return strided.CopyEvent(reason, nbytes, total.asked_for, total.hint, lineno=lineno, **fields)


@pytest.fixture
def report() -> strided.CopyReport:
    return strided.CopyReport(
        [event(), event("clone", 10, 3), event(nbytes=4), event("clone", 1, 7), event("join", 8, 3)]
    )


def test_counts_and_groups(report: strided.CopyReport) -> None:
    assert (report.count, report.bytes, report.implicit().count) == (5, 119, 2)
    lines = [(g.key, g.count, g.bytes, g.reasons) for g in report.by_line()]
    assert lines == [
        ("model.py:7", 3, 101, ("reshape", "clone")),
        ("model.py:3", 2, 18, ("clone", "join")),
    ]
    reasons = [(g.key, g.count, g.bytes) for g in report.by_reason()]
    assert reasons == [("reshape", 2, 100), ("clone", 2, 11), ("join", 1, 8)]
    assert report.by_reason()[0].hint == strided.copy_totals()["reshape"].hint
    assert ";" in report.by_line()[0].hint


def test_lines_are_relative_to_where_one_works(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert event(filename=str(tmp_path / "a" / "b.py")).line == "a/b.py:7"
    assert event(filename="/elsewhere/b.py").line == "/elsewhere/b.py:7"
    assert event(filename=str(tmp_path) + "2/b.py").line == f"{tmp_path}2/b.py:7"


def test_plain_text(report: strided.CopyReport) -> None:
    text = str(report)
    assert text.splitlines()[0] == "5 copies, 119 B (3 asked for)"
    assert text.splitlines()[2].split() == ["3", "101", "B", "model.py:7", "reshape,", "clone"]
    assert strided.copy_totals()["join"].hint in text
    assert not any(line.endswith(" ") for line in text.splitlines())
    assert str(strided.CopyReport()) == "no copies"
    assert repr(report) == "CopyReport(5 copies, 119 bytes)"


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (3 << 30, "3.0 GiB"),
        (1 << 50, "1024.0 TiB"),
    ],
)
def test_bytes_as_people_read_them(count: int, text: str) -> None:
    assert shown_bytes(count) == text


def test_json_and_dict(report: strided.CopyReport) -> None:
    read = json.loads(report.to_json())
    assert read == json.loads(json.dumps(report.to_dict()))
    assert (read["count"], read["bytes"]) == (5, 119)
    again = strided.CopyReport(strided.CopyEvent(**fields) for fields in read["events"])
    assert again.to_dict() == report.to_dict()  # sides of a copy are texts there
    assert (again.to_html(), str(again)) == (report.to_html(), str(report))


def test_rich_tables(report: strided.CopyReport) -> None:
    console = pytest.importorskip("rich.console")
    out = io.StringIO()
    console.Console(file=out, width=200).print(report)
    report.show(file=out)
    assert "model.py:7" in out.getvalue()
    assert strided.copy_totals()["reshape"].hint in out.getvalue()
    console.Console(file=out).print(strided.CopyReport([event(function="[red]")]))


def test_show_without_rich(report: strided.CopyReport, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "rich", None)
    monkeypatch.setitem(sys.modules, "rich.console", None)
    report.show()
    assert capsys.readouterr().out == f"{report}\n"


# ---- HTML ----


class Reader(HTMLParser):
    """Notes tags, attributes and text, and that every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_whole_and_alone(report: strided.CopyReport) -> None:
    reader = Reader()
    reader.feed(report.to_html())
    assert not reader.open
    assert reader.tags.count("tr") == 2 + 1 + 3 + 1 + 5 + 1
    assert not {"script", "link", "img", "iframe"} & set(reader.tags)
    assert not any(name in ("src", "href") for name, _ in reader.attributes)
    assert "url(" not in report.to_html()
    assert "@import" not in report.to_html()
    assert "prefers-color-scheme: dark" in report.to_html()
    assert "(4, 6):(1, 4)+0 float32" in reader.text


def test_html_of_many_events_stays_a_page() -> None:
    page = strided.CopyReport([event()] * 1234).to_html()
    assert page.count("<tr>") == 1000 + 1 + 1 + 3
    assert "and 234 more" in page


def test_html_shows_the_lines_that_copy(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("x = 1\ny = x < 2 and x.clone()\n")
    there, gone = event(filename=str(program), lineno=2), event(filename="/no/such/file.py")
    assert (there.code, gone.code) == ("y = x < 2 and x.clone()", "")
    assert "<code>y = x &lt; 2 and x.clone()</code>" in strided.CopyReport([there, gone]).to_html()


def test_html_escapes_what_programs_are_called() -> None:
    bad = "<script>alert('&')</script>"
    side = CopiedElements(strided.Layout(()), bad)
    page = strided.CopyReport(
        [event(filename=bad, function=bad, thread=bad, source=side, target=side)]
    ).to_html()
    assert bad not in page
    reader = Reader()
    reader.feed(page)
    assert "script" not in reader.tags
    assert reader.text.count(bad) == 6  # by line, and five cells of the event
    assert strided.CopyReport()._repr_html_().count("no copies") == 1
