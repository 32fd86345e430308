"""The lint of words: every row of the table has a rule that finds its private word and no other."""

from __future__ import annotations

import doctest
import importlib
import re
import sys
from typing import Any

import pytest
from support.paths import ROOT


@pytest.fixture(scope="module")
def check_words() -> Any:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        yield importlib.import_module("check_words")
    finally:
        sys.path.remove(str(ROOT / "tools"))


def _table() -> list[str]:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.split("| write | not |\n|---|---|\n")[1].split("\n\n")[0]
    return [row.split("|")[1].strip() for row in table.splitlines()]


def test_rules_are_the_rows_of_the_table(check_words: Any) -> None:
    assert [rule.write for rule in check_words.RULES] == _table()


@pytest.mark.parametrize(
    ("file", "text", "word"),
    [
        ("docs/a.md", "The cure is a view.", "cure"),
        ("docs/a.md", "On the way\nback nothing.", None),
        ("docs/a.md", "On the way back nothing.", "the way back"),
        ("docs/autograd.md", "It walks the graph.", "walks"),
        ("docs/a.md", "A space is walked.", None),
        ("docs/a.md", "A tap, and another.", "tap"),
        ("docs/a.md", "Copies go through one door.", "door"),
        ("docs/a.md", "Each room has a page.", "Each room"),
        ("docs/a.md", "There is room for more.", None),
        ("docs/a.md", "Rows are sent for early.", "sent for"),
        ("docs/a.md", "Sixteen SIMD lanes, or SIMD\nlanes.", None),
        ("docs/a.md", "A lane of the matrix.", "lane"),
        ("docs/a.md", "A turned operand.", "turned"),
        ("docs/a.md", "It is turned into a view and turned off.", None),
        ("docs/a.md", "The spread of a sample.", "spread"),
        ("docs/a.md", "Widespread use.", None),
        ("docs/a.md", "Slab by slab.", "Slab"),
        ("docs/a.md", "Strange strides.", "Strange"),
        ("docs/a.md", "A stranger reads it.", None),
        ("docs/a.md", "`spread=` and\n```python\nslab = 1\n```\n", None),
    ],
)
def test_words(check_words: Any, file: str, text: str, word: str | None) -> None:
    found = [one.word for one in check_words.words_of(text, file)]
    assert (word in found) if word else not found


def test_lines(check_words: Any) -> None:
    (found,) = check_words.words_of("one\ntwo\na cure\n", "docs/a.md", 10)
    assert str(found) == "docs/a.md:12: 'cure': write hint"


def test_texts_of_a_program(check_words: Any) -> None:
    source = '"""A doc."""\nx = f"no {1} cure"\n# a comment\nname = "slab"\n'
    assert {text for _, text in check_words.texts_of(source)} == {
        "A doc.",
        "no ",
        " cure",
        "# a comment",
    }


def test_the_repository_uses_the_words_of_the_field(check_words: Any) -> None:
    assert not [str(one) for one in check_words.findings()]


def test_it_reads_pages_and_programs(check_words: Any) -> None:
    for pattern in (*check_words.PAGES[:2], *check_words.SOURCES):
        assert list(ROOT.glob(pattern)), pattern


def test_examples(check_words: Any) -> None:
    assert doctest.testmod(check_words).failed == 0
    assert re.search(r"check_words\.py", (ROOT / "Makefile").read_text(encoding="utf-8"))
