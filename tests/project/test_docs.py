"""Every code block of README and docs runs, and prints what the page says."""

from __future__ import annotations

import doctest
import fnmatch
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.paths import ROOT

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


# ---- CONTRIBUTING ----

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_contributing_names_files_that_exist() -> None:
    folders = ("src", "core", "bindings", "benchmarks", "docs", "tests", "tools")
    files = [str(path) for folder in folders for path in (ROOT / folder).rglob("*")]
    files += [str(ROOT / folder) for folder in folders]
    named = {word for code in re.findall(r"`([^`\n]+)`", CONTRIBUTING) for word in code.split()}
    paths = {name.rstrip("/") for name in named if re.search(r"\w\.(py|cpp|hpp|md)$|\w/$", name)}
    assert len(paths) > 50
    for path in sorted(paths):
        assert fnmatch.filter(files, f"*/{path}"), path


@pytest.mark.parametrize("command", re.findall(r"^\.venv/bin/pytest (.*?) +#", CONTRIBUTING, re.M))
def test_contributing_selects_tests(command: str) -> None:
    run = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*run, *shlex.split(command)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
