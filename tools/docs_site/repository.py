"""Links from pages to files of the repository that are no pages: each gets a place on the site."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[2]
# Files outside of docs/ that are pages by themselves, by their address.
PAGES = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "README.md": "index.md",
}
# A link or an image of Markdown, outside of code: its text, then its target.
LINK = re.compile(r"(?<!`)(!?\[[^\]]*\])\(([^()\s]+)\)")


@dataclass(frozen=True)
class Target:
    """Where a link leads: a file below the repository, and the place in it."""

    file: str
    anchor: str = ""

    @property
    def address(self) -> str:
        """Where the site has it: the page, the listing of a text, the file itself."""
        if self.file in PAGES:
            return PAGES[self.file]
        if is_text(self.file):
            return f"source/{self.file}.md"
        return f"source/{self.file}"


def is_text(file: str) -> bool:
    """Return whether a file is shown as a listing; others are copied as they are.

    >>> is_text("benchmarks/views.py"), is_text("benchmarks/results/views.json")
    (True, False)
    """
    return PurePosixPath(file).suffix not in {".json", ".csv", ".png", ".svg", ".ipynb", ".html"}


def target_of(link: str, page: str) -> Target | None:
    """Return what a link of a page below docs/ leads to outside of docs/; None where it does not.

    >>> target_of("../core/plan/plan.hpp#L3", "design/products.md") is None
    True
    >>> target_of("../CHANGELOG.md", "install.md")
    Target(file='CHANGELOG.md', anchor='')
    """
    if re.match(r"[a-z]+:|#|/", link):
        return None
    path, _, anchor = link.partition("#")
    file = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), path))
    if file.startswith(("docs/", "..")) or not (ROOT / file).is_file():
        return None
    return Target(file, anchor)


def links_of(text: str) -> list[str]:
    """Return the targets of the links of a page, code blocks left out."""
    return [found[2] for found in LINK.finditer(without_code(text))]


def without_code(text: str) -> str:
    """Return a page without its fenced blocks."""
    pieces = re.split(r"^```.*?^```[^\n]*$", text, flags=re.S | re.M)
    return "".join(pieces)


def relative(target: str, page: str) -> str:
    """Return an address relative to a page.

    >>> relative("source/a.py.md", "design/products.md")
    '../source/a.py.md'
    """
    return posixpath.relpath(target, posixpath.dirname(page) or ".")


def rewritten(text: str, page: str) -> str:
    """Return a page whose links lead to where the site has the files of the repository."""

    def one(found: re.Match[str]) -> str:
        target = target_of(found[2], page)
        if target is None:
            return found[0]
        anchor = f"#{target.anchor}" if target.anchor else ""
        return f"{found[1]}({relative(target.address, page)}{anchor})"

    pieces = re.split(r"(^```.*?^```[^\n]*$)", text, flags=re.S | re.M)
    return "".join(piece if piece.startswith("```") else LINK.sub(one, piece) for piece in pieces)
