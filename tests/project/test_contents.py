"""What docs/ must have: a page for each error, a line for each recipe, no dead link."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.pages import blocks
from support.paths import ROOT
from support.site_pages import chapters

import strided
from strided import errors
from strided.explorer.steps import evaluate

DOCS = ROOT / "docs"
REFERENCE = {f"{one.slug}.md" for one in chapters.CHAPTERS} | {"index.md", "names.md", "tensor.md"}
PAGES = sorted(DOCS.rglob("*.md"))
NAMES = {page: str(page.relative_to(ROOT)) for page in PAGES}
ERRORS = [
    value
    for value in vars(errors).values()
    if isinstance(value, type) and issubclass(value, errors.StridedError)
]


def without_code(page: Path) -> str:
    """Return the text of a page, its fenced blocks blanked."""
    text = page.read_text(encoding="utf-8")
    lines = text.split("\n")
    for block in blocks(text):
        last = block.start + len(block.lines) + 2
        lines[block.start : last] = [""] * (last - block.start)
    return "\n".join(lines)


def slug(heading: str) -> str:
    """Return the anchor of a heading, as MkDocs and GitHub make it.

    >>> slug("`view` and reshape?")
    'view-and-reshape'
    """
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", without_code(page), re.M)
    return {slug(re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading)) for heading in headings}


# ---- links ----


def links(page: Path) -> Iterator[tuple[str, str]]:
    """Yield file and anchor of each link that stays in the repository."""
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if not re.match(r"\w+:", target):
            file, _, anchor = target.partition("#")
            yield file, anchor


@pytest.mark.parametrize("page", PAGES, ids=NAMES.get)
def test_links_lead_somewhere(page: Path) -> None:
    for file, anchor in links(page):
        target = (page.parent / file).resolve() if file else page
        if target.parent == DOCS / "reference":  # made with the site, whose build checks anchors
            assert target.name in REFERENCE, file
            continue
        assert target.exists(), file
        if anchor and target.suffix == ".md":
            assert anchor in anchors(target), f"{file}#{anchor}"


# ---- errors ----


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_an_error_has_a_page(error: type[errors.StridedError]) -> None:
    text = (DOCS / "errors" / f"{error.__name__}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {error.__name__}\n")
    assert "\n## What to do\n\n- " in text
    builtin = [b for b in error.__mro__ if issubclass(b, Exception) and b.__module__ == "builtins"]
    also = {base.__name__ for base in builtin} - {"Exception", "LookupError"} or {"Exception"}
    parents = set(error.__mro__[1:]) & set(ERRORS) - {errors.StridedError}
    also |= {f"strided.{parent.__name__}" for parent in parents}
    said = re.search(r"^It is also: (.*)\.$", text, re.M)
    assert said is not None
    assert set(re.findall(r"`(.*?)`", said[1])) == also
    fields = re.findall(r"^\| `(\w+)` \| (`.*?`) \| \S", text, re.M)
    types = {
        name: kind
        for c in error.__mro__
        for name, kind in vars(c).get("__annotations__", {}).items()
    }
    assert [name for name, _ in fields] == list(error._fields)
    assert all(kind.replace("` or `", " | ").strip("`") == types[name] for name, kind in fields)


def test_the_index_lists_every_error() -> None:
    index = (DOCS / "errors" / "index.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \| (.*?) \|", index, re.M)
    assert sorted(name for name, _, _ in listed) == sorted(error.__name__ for error in ERRORS)
    for name, file, sentence in listed:
        page = (DOCS / "errors" / f"{file}.md").read_text(encoding="utf-8")
        assert name == file
        assert page.split("\n")[2] == sentence


# ---- recipes, pictures, settings, words ----


def test_the_index_lists_every_recipe() -> None:
    index = (DOCS / "how-to" / "index.md").read_text(encoding="utf-8")
    pages = [page for page in (DOCS / "how-to").glob("*.md") if page.name != "index.md"]
    lines = {
        f"- [{heading}]({page.name}#{slug(heading)})"
        for page in pages
        for heading in re.findall(r"^## (.*)$", without_code(page), re.M)
    }
    assert lines == set(re.findall(r"^- .*$", index, re.M))
    assert len(lines) > 100


def test_every_picture_of_the_gallery_is_shown_once() -> None:
    shown = re.findall(r"images/gallery/(\w+)\.svg", (DOCS / "gallery.md").read_text("utf-8"))
    assert sorted(shown) == sorted(path.stem for path in (DOCS / "images" / "gallery").iterdir())


def test_settings_lists_every_variable() -> None:
    page = (DOCS / "settings.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(STRIDED_\w+)`", page, re.M)
    reads = re.compile(
        r'(?:getenv|environ\.get|number_in_environment)\(\s*"(STRIDED_\w+)"|envvar="(STRIDED_\w+)"'
    )
    found = {
        name
        for folder in ("src", "core", "bindings")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".cpp", ".hpp")
        for pair in reads.findall(path.read_text(encoding="utf-8"))
        for name in pair
        if name
    }
    assert set(listed) == found
    assert len(listed) == len(found)


def test_words_of_the_glossary_are_sorted() -> None:
    text = without_code(DOCS / "glossary.md")
    for section in re.split(r"^## ", text, flags=re.M)[1:]:
        words = re.findall(r"^### (.*)$", section, re.M)
        assert words == sorted(words, key=str.lower)


def test_names_of_recipes_are_public() -> None:
    found = 0
    for page in PAGES:
        for line in re.findall(r"\*\*Reference:\*\*\s((?:`[\w.]+`(?:,\s)?)+)", without_code(page)):
            for name in re.findall(r"`([\w.]+)`", line):
                assert functools.reduce(getattr, name.split("."), strided) is not None
                found += 1
    assert found > 80


def test_chains_of_the_gallery_can_be_explored() -> None:
    chains = re.findall(
        r"^\[Explore\]\(explorer.md\): `(.*?)`", (DOCS / "gallery.md").read_text(), re.M
    )
    assert len(chains) > 8
    for chain in chains:
        explored = evaluate(chain)
        assert explored.problem is None
        assert explored.steps[-1].layout == str(
            eval(f"strided.{chain}", {"strided": strided}).layout
        )
