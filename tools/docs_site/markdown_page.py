"""What every page goes through: examples as consoles, pictures for light and dark pages."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from urllib.parse import quote

from docs_site.prose import target_of
from docs_site.repository import relative

# Pictures whose colours follow the page: drawn twice, shown once.
PICTURE = re.compile(r"!\[([^\]]*)\]\(([^()\s]+\.svg)\)")
# The program that runs in the browser, a page that is none of Markdown's.
EXPLORER = "explorer/index.html"
# Code that says whose name it is.
_CALL = r"\((?:[^()]|\([^()]*\))*\)"
MENTION = re.compile(rf"(?:st|strided)\.[\w.]+(?:{_CALL})?|x?\.\w+{_CALL}")
# Blocks of code, headings, HTML, links.
_NOT_PROSE = re.compile(
    r"(^```.*?^```[^\n]*$|^#[^\n]*$|^<[^\n]*$|\[[^\]]*\]\([^)]*\))", re.S | re.M
)
# Names at the end of a recipe, and a chain of the gallery.
_REFERENCES = re.compile(r"(?<=\*\*Reference:\*\*)\s(?:`[\w.]+`[,.]?\s?)+")
_CHAIN = re.compile(r"\[Explore\]\(explorer\.md\): `([^`]+)`")
_DARK = re.compile(r"@media \(prefers-color-scheme: ?dark\) ?\{")


def consoles(text: str) -> str:
    """Return a page whose examples are marked as consoles, without the empty line at their end.

    >>> consoles("```python\\n>>> 1\\n1\\n\\n```")
    '```pycon\\n>>> 1\\n1\\n```'
    """
    return re.sub(
        r"^```python\n(>>> .*?)\n\n?```$",
        lambda block: f"```pycon\n{block[1].rstrip()}\n```",
        text,
        flags=re.S | re.M,
    )


def linked(text: str, index: Mapping[str, str], folder: str) -> str:
    """Return a page in which the first mention of a public name leads to its entry.

    ``index`` has the entries below reference/. A mention is code that says whose name it is:
    ``st.zeros(2)``, ``strided.load``, ``x.permute(1, 0)``.

    >>> linked("`st.load(path)`, `load`, `st.load`", {"strided.load": "files.md#strided.load"}, "")
    '[`st.load(path)`](reference/files.md#strided.load), `load`, `st.load`'
    >>> linked("# a\\n`x.T.view(6)` `.view(6)`", {"strided.Tensor.view": "shapes.md#v"}, "how")
    '# a\\n`x.T.view(6)` [`.view(6)`](../reference/shapes.md#v)'
    """
    seen: set[str] = set()

    def one(found: re.Match[str]) -> str:
        target = target_of(found[1], index) if MENTION.fullmatch(found[1]) else None
        if target is None or target in seen:
            return found[0]
        seen.add(target)
        return f"[{found[0]}]({relative(f'reference/{target}', f'{folder}/.' if folder else '.')})"

    pieces = _NOT_PROSE.split(text)
    return "".join(
        piece if place % 2 else re.sub(r"(?<!`)`([^`\n]+)`(?!`)", one, piece)
        for place, piece in enumerate(pieces)
    )


def references(text: str, index: Mapping[str, str], folder: str) -> str:
    """Return a page in which each name behind **Reference:** leads to its entry.

    >>> references("**Reference:** `load`.", {"strided.load": "files.md#strided.load"}, "")
    '**Reference:** [`load`](reference/files.md#strided.load).'
    """

    def one(found: re.Match[str]) -> str:
        target = f"reference/{index[f'strided.{found[1]}']}"
        return f"[{found[0]}]({relative(target, f'{folder}/.' if folder else '.')})"

    return _REFERENCES.sub(lambda names: re.sub(r"`([\w.]+)`", one, names[0]), text)


def explored(text: str) -> str:
    """Return a page whose chains open in the explorer.

    >>> explored("[Explore](explorer.md): `arange(3)[::2]`")
    '[Explore](explorer/index.html#e=arange%283%29%5B%3A%3A2%5D): `arange(3)[::2]`'
    """

    def one(found: re.Match[str]) -> str:
        return f"[Explore]({EXPLORER}#e={quote(found[1])}): `{found[1]}`"

    return _CHAIN.sub(one, text)


def without_empty_headers(html: str) -> str:
    """Return a page whose tables have no header without a word: a plain cell stands there.

    >>> without_empty_headers("<tr><th>name</th><th></th></tr>")
    '<tr><th>name</th><td></td></tr>'
    """
    return re.sub(r"<th([^>]*)></th>", r"<td\1></td>", html)


def both_pictures(text: str, has_both: set[str], folder: str) -> str:
    """Return a page that shows one picture on light pages and another one on dark ones.

    ``has_both`` are the pictures, below the folder of all pages, that there are two of.
    """

    def one(found: re.Match[str]) -> str:
        if posixpath.normpath(posixpath.join(folder, found[2])) not in has_both:
            return found[0]
        stem = found[2].removesuffix(".svg")
        return f"![{found[1]}]({stem}.light.svg#only-light)![{found[1]}]({stem}.dark.svg#only-dark)"

    return PICTURE.sub(one, text)


def follows_the_system(svg: str) -> bool:
    """Return whether a picture asks the system whether it is dark."""
    return bool(_DARK.search(svg))


def as_light(svg: str) -> str:
    """Return a picture without its rules for dark pages.

    >>> as_light("<style>a{}@media (prefers-color-scheme:dark){a{b:c}}</style>")
    '<style>a{}</style>'
    """
    begin, _, end = _media(svg)
    return svg[:begin] + svg[end:]


def as_dark(svg: str) -> str:
    """Return a picture in which the rules for dark pages always hold.

    >>> as_dark("<style>a{}@media (prefers-color-scheme:dark){a{b:c}}</style>")
    '<style>a{}a{b:c}</style>'
    """
    begin, inner, end = _media(svg)
    return svg[:begin] + inner + svg[end:]


def _media(svg: str) -> tuple[int, str, int]:
    """Return where the rules for dark pages begin, the rules, and where they end."""
    found = _DARK.search(svg)
    assert found is not None
    depth, place = 1, found.end()
    while depth:
        depth += {"{": 1, "}": -1}.get(svg[place], 0)
        place += 1
    return found.start(), svg[found.end() : place - 1], place
