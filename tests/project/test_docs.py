"""Every code block of README and docs runs, and prints what the page says."""

from __future__ import annotations

import fnmatch
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import has_peers, run_prompts, run_terminals
from support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = {page: str(page.relative_to(ROOT)) for page in PAGES}
TEXTS = {page: page.read_text(encoding="utf-8") for page in PAGES}
WITH_PEERS = [page for page in PAGES if has_peers(TEXTS[page])]
WITH_TERMINALS = [page for page in PAGES if "```console" in TEXTS[page]]


@pytest.mark.parametrize("page", PAGES, ids=NAMES.get)
def test_page(page: Path) -> None:
    result = run_prompts(page, peers=False)
    assert result.failed == 0
    assert (result.attempted > 0) == (">>> " in TEXTS[page])


@pytest.mark.peers
@pytest.mark.parametrize("page", WITH_PEERS, ids=NAMES.get)
def test_page_with_peers(page: Path) -> None:
    result = run_prompts(page, peers=True)
    assert result.failed == 0


@pytest.mark.parametrize("page", WITH_TERMINALS, ids=NAMES.get)
def test_terminals(page: Path, tmp_path: Path) -> None:
    assert run_terminals(page, tmp_path, peers=False) > 0


@pytest.mark.peers
@pytest.mark.parametrize(
    "page", [page for page in WITH_TERMINALS if page in WITH_PEERS], ids=NAMES.get
)
def test_terminals_with_peers(page: Path, tmp_path: Path) -> None:
    assert run_terminals(page, tmp_path, peers=True) > 0


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
