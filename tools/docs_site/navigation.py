"""The navigation: a folder in ``mkdocs.yml`` becomes the list of its pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from docs_site.repository import links_of


def expanded(nav: list[Any], docs: Path, made: dict[str, Callable[[], list[Any]]]) -> list[Any]:
    """Return a navigation in which each ``folder/`` is replaced by what it holds.

    ``made`` has the parts that are no folder: the reference.
    """
    return [_one(item, docs, made) for item in nav]


def _one(item: Any, docs: Path, made: dict[str, Callable[[], list[Any]]]) -> Any:
    if not isinstance(item, dict):
        return item
    ((title, value),) = item.items()
    if isinstance(value, list):
        rest: list[Any] = []
        for one in value:
            folder = isinstance(one, str) and one.endswith("/")
            rest += pages_of(docs, one) if folder else [_one(one, docs, made)]
        return {title: rest}
    if value in made:
        return {title: made[value]()}
    return {title: pages_of(docs, value)} if value.endswith("/") else item


def pages_of(docs: Path, folder: str) -> list[str]:
    """Return the pages of a folder: its index first, then the others as the index links them."""
    names = {str(path.relative_to(docs)) for path in (docs / folder).glob("*.md")}
    index = f"{folder}index.md"
    found: list[str] = [index] if index in names else []
    if found:
        for link in links_of((docs / index).read_text(encoding="utf-8")):
            page = posixpath.normpath(posixpath.join(folder, re.sub("#.*", "", link)))
            if page in names and page not in found:
                found.append(page)
    return [*found, *sorted(names - set(found))]
