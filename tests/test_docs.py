"""Every code block of README and docs runs, and prints what the page says."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# Pages whose blocks import what a plain environment lacks.
PEERS = {"chunked.md"}


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, id=page.name, marks=[pytest.mark.peers] if page.name in PEERS else [])
        for page in PAGES
    ],
)
def test_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8").replace("```", "")
    test = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.failed == 0
    assert result.attempted > 0 or "design" in page.parts
