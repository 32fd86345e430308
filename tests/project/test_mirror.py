"""Where tests lie: a folder for each folder of the product, and every path that a text names.

pytest puts the folder of a test file on ``sys.path`` and imports the file by its name alone. So no
name stands twice, no folder is a package, and ``from support...`` works from each of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from support.paths import ROOT, TESTS

PACKAGES = {path.parent.name for path in (ROOT / "src" / "strided").glob("*/__init__.py")}
# A folder of tests that has no folder of the product, and what it is for.
OTHERS = {
    "project": "the repository itself: its layers, pages, stubs, examples, benchmarks and gate",
    "source_documents": "what the five documents claim from which the package was written",
    "support": "what tests share",
    "typing": "a program that type checkers read",
    "golden": "recorded answers",
}

TEXTS = {".py", ".pyi", ".cpp", ".hpp", ".md", ".toml", ".txt"}
PLACES = (
    *("src", "core", "bindings", "tests", "tests_cpp"),
    *("docs", "tools", "benchmarks", "examples"),
)
PAGES = ("Makefile", ".ci/run", "CMakeLists.txt", "pyproject.toml", "README.md", "CONTRIBUTING.md")


def _folders() -> set[str]:
    hidden = re.compile(r"[._]")
    return {path.name for path in TESTS.iterdir() if path.is_dir() and not hidden.match(path.name)}


def _texts() -> Iterator[Path]:
    yield from (ROOT / page for page in PAGES)
    for place in PLACES:
        for path in sorted((ROOT / place).rglob("*")):
            if path.suffix in TEXTS and path.is_file():
                yield path


def test_folders_have_the_name_of_what_they_test() -> None:
    mirrored = PACKAGES | {"core", "bindings"}
    assert not mirrored & OTHERS.keys()
    assert _folders() - mirrored == OTHERS.keys()
    cpp = {path.name for path in (ROOT / "tests_cpp").iterdir() if path.is_dir()}
    assert cpp <= {path.name for path in (ROOT / "core").iterdir()}


def test_every_package_has_tests() -> None:
    missing = PACKAGES - _folders()
    assert not missing


def test_every_test_lies_in_a_folder() -> None:
    assert [path.name for path in TESTS.glob("*.py")] == ["conftest.py"]
    assert not list(TESTS.rglob("__init__.py"))


def test_no_name_stands_twice() -> None:
    names = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert not [name for name, count in names.items() if count > 1]


def test_named_paths_exist() -> None:
    found = 0
    for path in _texts():
        for named in re.findall(r"\btests/[\w/]+\.\w+", path.read_text(encoding="utf-8")):
            assert (ROOT / named).is_file(), f"{path.relative_to(ROOT)}: {named}"
            found += 1
    assert found > 60


def test_named_files_exist() -> None:
    """Comments and pages may name a test without its folder; tests make files of such names."""
    names = {path.name for path in TESTS.rglob("test_*.py")}
    for path in _texts():
        if path.name not in names:
            named = set(re.findall(r"\btest_\w+\.py\b", path.read_text(encoding="utf-8")))
            assert named <= names, path.relative_to(ROOT)


def test_pages_for_contributors_name_code_that_exists() -> None:
    """Files may be named by the end of their path: ``ops/statistics.py``."""
    known: set[str] = set()
    for place in PLACES:
        for path in (ROOT / place).rglob("*"):
            parts = path.relative_to(ROOT).parts
            known |= {"/".join(parts[start:]) for start in range(len(parts))}
    found = 0
    design = sorted((ROOT / "docs" / "design").glob("*.md"))
    for page in (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "architecture.md", *design):
        text, *_of_others = page.read_text(encoding="utf-8").split("## What was learned")
        for named in re.findall(r"`([\w./-]+\.(?:py|pyi|cpp|hpp|js|md))`", text):
            assert named in known, f"{page.relative_to(ROOT)}: {named}"
            found += 1
    assert found > 250
