"""A file of the repository as a page: highlighted, each line with an address."""

from __future__ import annotations

from pathlib import Path

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

HEAD = """---
title: {file}
hide: [navigation, toc]
search:
  exclude: true
---

# {file}
"""


def head(file: str) -> str:
    """Return the page without the listing."""
    return HEAD.format(file=file)


def listing(path: Path) -> str:
    """Return the file as HTML; the address of line 7 is ``#L-7``."""
    try:
        lexer = get_lexer_for_filename(path.name, stripnl=False)
    except ClassNotFound:
        lexer = TextLexer(stripnl=False)
    lines = HtmlFormatter(linespans="L", cssclass="highlight listing")
    code = highlight(path.read_text(encoding="utf-8"), lexer, lines)
    # The theme styles code inside of pre; wide code scrolls by keys.
    code = code.replace("<pre><span></span>", '<pre tabindex="0"><code>', 1)
    return code.replace("</pre>", "</code></pre>")
