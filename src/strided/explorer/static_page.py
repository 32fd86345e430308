"""The explorer as one file: a page that needs no server, for any static host or a browser alone.

The modules of the page and of its engine are put into one script, in the order in which they need
each other. Style, icon and tables are written into the page as well, so that it loads nothing: it
opens from a file, and its policy forbids all else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from pathlib import Path
from posixpath import dirname, join, normpath

from strided.explorer.page_tables import page_tables

_ENTRY = "engine/page.js"
_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)


def _read(path: str) -> str:
    return resources.files("strided.explorer").joinpath(path).read_text(encoding="utf-8")


def _modules(path: str, found: dict[str, str]) -> dict[str, str]:
    """Return the modules that one needs, each behind those that it needs itself."""
    text = _read(path)
    for _, name in _IMPORT.findall(text):
        other = normpath(join(dirname(path), name))
        if other not in found:
            _modules(other, found)
    found[path] = text
    return found


def _variable(path: str) -> str:
    return "$" + re.sub(r"\W", "_", path.removesuffix(".js"))


def _as_value(path: str, text: str) -> str:
    """Return a module as a constant: an object of what it exports."""

    def imported(match: re.Match[str]) -> str:
        names, name = match.groups()
        names = names.removeprefix("* as ").replace(" as ", ": ")
        return f"const {names} = {_variable(normpath(join(dirname(path), name)))};\n"

    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(imported, text))
    return f"const {_variable(path)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def script() -> str:
    """Return the page's modules and its engine as one script.

    >>> script().count("import ")
    0
    """
    modules = _modules(_ENTRY, {})
    return '"use strict";\n' + "".join(_as_value(path, text) for path, text in modules.items())


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def static_page() -> str:
    """Return the explorer as one HTML page that needs no server.

    >>> static_page().startswith("<!doctype html>")
    True
    """
    code, style = f"\n{script()}", f"\n{_read('pages/style.css')}"
    icon = base64.b64encode(_read("pages/icon.svg").encode()).decode()
    tables = json.dumps(page_tables(), ensure_ascii=False).replace("<", "\\u003c")
    policy = (
        f"default-src 'none'; script-src {_hash(code)}; style-src {_hash(style)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    page = _read("pages/index.html").replace('"icon.svg"', f'"data:image/svg+xml;base64,{icon}"')
    for before, after in (
        (
            '  <link rel="stylesheet" href="style.css">\n',
            f'  <meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            f"  <style>{style}</style>\n",
        ),
        ('  <script type="module" src="served.js"></script>\n', ""),
        (
            "</body>",
            f'<script type="application/json" id="tables">{tables}</script>\n'
            f"<script>{code}</script>\n</body>",
        ),
    ):
        assert before in page
        page = page.replace(before, after)
    return page


def write_static_page(folder: str | Path) -> Path:
    """Write the page as ``index.html`` into a folder, which is made, and return its path."""
    path = Path(folder) / "index.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(static_page(), encoding="utf-8", newline="\n")
    return path
