"""The API reference has every public name once, and says something in every field."""

from __future__ import annotations

import doctest
import re
from collections import Counter
from types import ModuleType

import pytest
from support.paths import ROOT
from support.site_pages import (
    chapters,
    entry_page,
    inventory,
    markdown_page,
    navigation,
    prose,
    reference,
    repository,
    signatures,
)

import strided
from strided.ops.define import DEFINITIONS

REFERENCE = reference.Reference()
PAGES = REFERENCE.pages()
ENTRIES = [entry for slug in REFERENCE.chapters for entry in REFERENCE.chapters[slug]]


def _public() -> set[str]:
    """Return the names of functions and classes that a user can write."""
    found = set()
    for owner, prefix in inventory.NAMESPACES:
        for name in owner.__all__ if prefix else dir(owner):
            value = getattr(owner, name)
            plain = not isinstance(value, type) and not callable(value)
            if not name.startswith("_") and not plain:
                found.add(f"strided.{prefix}{name}")
    return found


def test_every_public_name_has_an_entry() -> None:
    assert not sorted(_public() - REFERENCE.index.keys())
    members = {f"strided.Tensor.{name}" for name in dir(strided.Tensor) if name[0] != "_"}
    assert not sorted(members - REFERENCE.index.keys())
    names = {f"strided.Tensor.{name}" for one in DEFINITIONS.values() for name in one.methods} | {
        f"{one.module}.{name}" for one in DEFINITIONS.values() for name in one.functions
    }
    assert not sorted(names - REFERENCE.index.keys())


def test_no_section_is_called_like_a_part() -> None:
    """Both are landmarks of a page, which a screen reader tells apart by their names.

    The overview's sections have no entries, and so are none.
    """
    for page, text in PAGES.items():
        if page == "index.md":
            continue
        assert not set(re.findall(r"^## (.+)$", text, re.M)) & set(chapters.PARTS), page


@pytest.mark.parametrize("page", PAGES)
def test_anchors_are_unique(page: str) -> None:
    text = PAGES[page]
    ids = re.findall(r'<span id="([^"]+)"', text) + re.findall(r"\{ #(\S+) ", text)
    assert not [name for name, count in Counter(ids).items() if count > 1]
    # Each name of the index that leads here has its anchor.
    led = {t.partition("#")[2] for t in REFERENCE.index.values() if t.startswith(f"{page}#")}
    assert not sorted(led - set(ids))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.names[0])
def test_entry(entry: inventory.Entry) -> None:
    for one in (entry, *entry.members):
        sentence, _ = prose.parts_of(one.text)
        assert sentence.endswith("."), one.names
        assert len(sentence) > 8, one.names
    text = entry_page.written(entry, 2, REFERENCE.index)
    assert "<dd></dd>" not in text
    assert "``" not in re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), "code marks are left"
    rows = re.findall(r"^\| .*$", text, re.M)
    assert not [
        row
        for row in rows
        if re.search(r"\|\s*\|$", row)
        and "Argument" not in row
        and "Attribute" not in row
        and "Type" not in row
    ]
    if entry.definition is not None:
        assert "<dt>Gradient</dt>" in text
        assert "<dt>Work</dt>" in text
        assert "<dt>Source</dt>" in text
        assert ">>>" in text
        assert re.search(r'class="badge badge--(view|new|either|in-place|value)"', text)
        assert entry.signatures


@pytest.mark.parametrize("key", DEFINITIONS)
def test_signatures_have_the_arguments_of_the_definition(key: str) -> None:
    definition = DEFINITIONS[key]
    for entry in ENTRIES:
        if entry.definition is definition:
            shown = {name for one in inventory.arguments_of(entry) for name in (one.name,)}
            expected = set(definition.parameters) - ({"x"} if entry.signatures else set())
            receiver = set(definition.parameters[:1])
            assert shown >= expected - receiver or definition.attribute, expected - shown
            assert shown <= set(definition.parameters), shown - set(definition.parameters)


def test_sources_are_lines_of_the_definition() -> None:
    for entry in ENTRIES:
        if entry.definition is not None and entry.place is not None:
            file, line = entry.place
            lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
            around = "\n".join(lines[line - 1 : line + 40])
            name = entry.definition.python.__name__
            assert name in around or entry.name in around, entry.names


def test_headings_have_attributes_that_markdown_reads() -> None:
    for page, text in PAGES.items():
        for attributes in re.findall(r"^#+ .*\{(.*)\}$", text, re.M):
            assert "__" not in attributes, page


def test_links_between_entries_are_right() -> None:
    for page, text in PAGES.items():
        for link in repository.links_of(text):
            target, _, anchor = link.partition("#")
            if target.endswith(".md") and not target.startswith(".."):
                assert target in PAGES, f"{page}: {link}"
                if anchor:
                    assert anchor in PAGES[target], f"{page}: {link}"


def test_chapters_name_modules_that_there_are() -> None:
    used = {
        reference._module(entry, chapter)
        for chapter in chapters.CHAPTERS
        for entry in REFERENCE.chapters[chapter.slug]
    }
    assert not sorted(chapters.SECTIONS.keys() - used)
    named = {name for one in chapters.CHAPTERS for name in one.modules}
    whole = {one.modules[0] for one in chapters.CHAPTERS if one.slug in reference._SPLIT}
    assert not sorted(named - used - whole)


def test_an_unknown_module_has_no_chapter() -> None:
    with pytest.raises(LookupError, match="no chapter"):
        chapters.chapter_of("brand_new")


def test_navigation_has_every_page() -> None:
    def pages(items: object) -> list[str]:
        if isinstance(items, str):
            return [items]
        if isinstance(items, dict):
            items = list(items.values())
        assert isinstance(items, list)
        return [page for item in items for page in pages(item)]

    assert sorted(pages(reference.navigation())) == sorted(f"reference/{page}" for page in PAGES)


def test_folders_follow_their_index(tmp_path: pytest.TempPathFactory) -> None:
    folder = tmp_path / "how"  # type: ignore[operator]
    folder.mkdir()
    (folder / "index.md").write_text("[b](b.md) [x](../other.md) [a](a.md#part)")
    for name in ("a", "b", "c"):
        (folder / f"{name}.md").write_text("")
    nav = navigation.expanded([{"How": "how/"}, {"More": ["x.md", "how/"]}], tmp_path, {})  # type: ignore[arg-type]
    listed = ["how/index.md", "how/b.md", "how/a.md", "how/c.md"]
    assert nav == [{"How": listed}, {"More": ["x.md", *listed]}]


@pytest.mark.parametrize(
    "module", [chapters, entry_page, inventory, markdown_page, prose, repository, signatures]
)
def test_examples_of_the_generator(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0
