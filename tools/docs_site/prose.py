"""Docstrings as Markdown: prose, code spans, examples, links between names."""

from __future__ import annotations

import builtins
import html
import re
from collections.abc import Mapping

# A page and the place on it, by a public name.
Index = Mapping[str, str]


def parts_of(text: str) -> tuple[str, str]:
    """Return the first sentence, or paragraph, and what comes after it.

    >>> parts_of("Add. A view.\\n\\nMore.\\n\\n>>> 1\\n1")
    ('Add. A view.', 'More.\\n\\n>>> 1\\n1')
    """
    first, _, rest = text.partition("\n\n")
    if ">>>" in first:
        first, mark, example = first.partition(">>>")
        rest = f"{mark}{example}\n\n{rest}"
    return first.strip(), rest.strip()


def markdown(text: str, index: Index, leave: frozenset[str] = frozenset()) -> str:
    """Return a docstring's text as Markdown; ``leave`` are words that stand for arguments."""
    made = []
    for block in _blocks(text):
        if block.startswith(">>>"):
            made.append(f"```pycon\n{block}\n```")
        else:
            made.append(paragraph(" ".join(block.split()), index, leave))
    return "\n\n".join(made)


def _blocks(text: str) -> list[str]:
    """Return paragraphs and examples; an example ends with an empty line, or the text."""
    blocks: list[list[str]] = []
    in_example, fresh = False, True
    for line in text.splitlines():
        if not line.strip():
            in_example, fresh = False, True
            continue
        begins = line.startswith(">>>") and not in_example
        if fresh and line.startswith(">>>") and blocks and blocks[-1][0].startswith(">>>"):
            blocks[-1] += ["", line]  # one example with an empty line inside
        elif fresh or begins:
            blocks.append([line])
        else:
            blocks[-1].append(line)
        in_example = in_example or line.startswith(">>>")
        fresh = False
    return ["\n".join(block) for block in blocks]


def paragraph(text: str, index: Index, leave: frozenset[str] = frozenset()) -> str:
    """Return prose with its code spans linked and everything else escaped.

    >>> paragraph("Like ``sum`` of a_b.", {"strided.sum": "statistics.md#strided.sum"})
    'Like [`sum`](statistics.md#strided.sum) of a\\\\_b.'
    """
    pieces = re.split(r"(``[^`]+``|`[^`]+`)", text)
    for place, piece in enumerate(pieces):
        if piece.startswith("`"):
            code = piece.strip("`")
            target = None if code in leave else target_of(code, index)
            pieces[place] = f"[`{code}`]({target})" if target else f"`{code}`"
        else:
            pieces[place] = escaped(piece)
    return "".join(pieces)


def target_of(code: str, index: Index) -> str | None:
    """Return where a code span leads: a public name, with or without a call.

    >>> target_of("strided.load(path)", {"strided.load": "files.md#strided.load"})
    'files.md#strided.load'
    """
    name = re.sub(r"\(.*\)$", "", code)
    if not re.fullmatch(r"[\w.]+", name):
        return None
    bare = name.removeprefix("strided.").removeprefix("st.")
    if isinstance(getattr(builtins, name, None), type):
        return None  # Python's int, not the method
    for full in (f"strided.{bare}", f"strided.Tensor.{bare.removeprefix('x.').lstrip('.')}"):
        if full in index and (bare != code or len(bare) > 2):
            return index[full]
    return None


def escaped(text: str) -> str:
    """Return text in which Markdown and HTML see no marks.

    >>> escaped("a < b * c_d")
    'a &lt; b \\\\* c\\\\_d'
    """
    return re.sub(r"([*_\[\]|])", r"\\\1", html.escape(text, quote=False))
