"""What MkDocs calls while it builds the site: ``mkdocs.yml`` names this file."""

from __future__ import annotations

import logging
import os
import re
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

from docs_site import markdown_page, navigation, reference, repository, source_page
from docs_site.repository import ROOT, Target
from strided.explorer.static_page import static_page

log = logging.getLogger("mkdocs.hooks.docs_site")
# Sources that have a page whether anybody links to them or not: the reference does.
SOURCES = ("src/strided/**/*.py",)


class Site:
    """What one build knows: pictures in two colours, and pages that are listings."""

    def __init__(self) -> None:
        self.pictures: set[str] = set()
        self.listings: dict[str, Path] = {}
        self.reference = reference.Reference()


site = Site()


def on_config(config: Any) -> Any:
    """Fill in the parts of the navigation that are folders, or made here."""
    made = {"reference/": reference.navigation}
    config.nav = navigation.expanded(config.nav, Path(config.docs_dir), made)
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add what nobody has written: reference, listings, pictures, the pages beside docs/."""
    site.__init__()  # type: ignore[misc]  # anew, when a page has changed
    for name, text in site.reference.pages().items():
        _add(files, config, f"reference/{name}", text)
    for file, page in repository.PAGES.items():
        if page != "index.md":
            _add(files, config, page, _beside(file))
    _add(files, config, markdown_page.EXPLORER, static_page())
    _add(files, config, "images/icon.svg", _read("src/strided/explorer/pages/icon.svg"))
    for target in _targets(files):
        if repository.is_text(target.file):
            site.listings[target.address] = ROOT / target.file
            _add(files, config, target.address, source_page.head(target.file))
        else:
            _add(files, config, target.address, (ROOT / target.file).read_bytes())
    for picture in [one for one in files if one.src_uri.endswith(".svg")]:
        text = picture.content_string
        if markdown_page.follows_the_system(text):
            site.pictures.add(picture.src_uri)
            stem = picture.src_uri.removesuffix(".svg")
            _add(files, config, f"{stem}.light.svg", markdown_page.as_light(text))
            _add(files, config, f"{stem}.dark.svg", markdown_page.as_dark(text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Return a page with its links, examples and pictures as the site has them."""
    uri = page.file.src_uri
    folder = os.path.dirname(uri)
    text = repository.rewritten(markdown, uri)
    text = markdown_page.both_pictures(text, site.pictures, folder)
    if folder != "reference":
        text = markdown_page.references(text, site.reference.index, folder)
        text = markdown_page.linked(text, site.reference.index, folder)
    return markdown_page.consoles(markdown_page.explored(text))


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Return a page; a listing follows its heading, past Markdown."""
    html = markdown_page.without_empty_headers(html)
    listed = site.listings.get(page.file.src_uri)
    return html if listed is None else html + source_page.listing(listed)


def on_post_page(output: str, **_: Any) -> str:
    """Return a page whose dialog has a name: the theme gives it none."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"')


def _add(files: Files, config: Any, uri: str, content: str | bytes) -> None:
    file = File.generated(config, uri, content=content)
    if uri.startswith("source/") or uri == "contributing.md":
        file.inclusion = InclusionLevel.NOT_IN_NAV
    files.append(file)


def _read(file: str) -> str:
    return (ROOT / file).read_text(encoding="utf-8")


def _beside(file: str) -> str:
    """Return a page of the repository's root, its links as if it stood in docs/."""
    text = _read(file)
    return re.sub(r"\]\((?![a-z]+:|#)", "](../", text).replace("](../docs/", "](")


def _targets(files: Files) -> list[Target]:
    """Return the files of the repository that a page links to, and those with a page anyhow."""
    found = [Target(str(path.relative_to(ROOT))) for one in SOURCES for path in ROOT.glob(one)]
    for file in files.documentation_pages():
        for link in repository.links_of(file.content_string):
            target = repository.target_of(link, file.src_uri)
            if target is not None and target.file not in repository.PAGES:
                found.append(Target(target.file))
    return sorted(set(found), key=lambda target: target.file)
