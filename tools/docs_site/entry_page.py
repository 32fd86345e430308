"""One entry of the reference as Markdown: heading, badges, signatures, arguments, facts."""

from __future__ import annotations

import html
import re

from docs_site.inventory import Entry, arguments_of
from docs_site.prose import Index, escaped, markdown, paragraph, parts_of
from docs_site.signatures import Argument
from docs_site.tables.costs import cost
from docs_site.tables.descriptions import description
from docs_site.tables.differentiable import gradient
from docs_site.tables.equivalents import numpy_names, torch_name, torch_names

# What a call returns: the word on the badge, its class, and what it means.
KINDS = {
    "view": ("view", "shares the storage of its tensor"),
    "new": ("new tensor", "has a storage of its own"),
    "either": ("view or copy", "a view where one exists, otherwise a copy"),
    "in place": ("in place", "overwrites its tensor"),
    "value": ("no tensor", "returns a value of Python"),
}


def anchors(entry: Entry) -> list[str]:
    """Return the anchors of an entry: all its names, the heading's first.

    The in-place form has one too. Names are unique over all pages.
    """
    return list(dict.fromkeys((*entry.names, *entry.in_place)))


def title(entry: Entry) -> str:
    """Return the heading: the first name, as it is called."""
    name = entry.names[0].removeprefix("strided.")
    if entry.what == "class":
        return name
    return name if entry.what == "attribute" else f"{name}()"


def written(entry: Entry, level: int, index: Index) -> str:
    """Return an entry with its members."""
    first, *others = anchors(entry)
    label = f' data-toc-label="{title(entry)}"'
    if "__" in first:  # Markdown takes underscores of attributes for emphasis
        others, first, label = [first, *others], first.replace("__", ""), ""
    arguments = arguments_of(entry)
    own = frozenset(name for one in arguments for name in one.spellings)
    sentence, rest = parts_of(entry.text)
    marks = "".join(f'<span id="{name}"></span>' for name in others)
    heading = f"{{ #{first} .entry{label} }}"
    blocks = [
        f"{'#' * level} {escaped(title(entry))} {heading}",
        f"{marks}{badges(entry)}",
        signatures(entry),
        paragraph(sentence, index, own),
        _table(entry, arguments, index),
        markdown(rest, index, own),
        facts(entry),
    ]
    blocks += [written(member, level + 1, index) for member in _methods(entry)]
    attributes = [member for member in entry.members if member.what == "attribute"]
    if attributes:
        blocks.insert(-len(_methods(entry)) or len(blocks), _attributes(attributes, index))
    return "\n\n".join(block for block in blocks if block)


def badges(entry: Entry) -> str:
    """Return the marks below a heading."""
    if entry.definition is None:
        return ""
    word, means = KINDS[entry.kind]
    made = [
        f'<span class="badge badge--{entry.kind.replace(" ", "-")}" title="{means}">{word}</span>'
    ]
    if entry.in_place:
        made.append('<span class="badge badge--in-place" title="a form that overwrites">')
        made[-1] += "in place too</span>"
    passes, _ = gradient(entry.definition, entry.names)
    if passes:
        made.append('<span class="badge badge--gradient" title="gradients pass">gradient</span>')
    return f'<p class="badges">{" ".join(made)}</p>'


def signatures(entry: Entry) -> str:
    """Return the spellings as one block of code."""
    texts = [signature.text for signature in entry.signatures]
    if entry.what == "attribute" and not texts:
        texts = [f"x.{entry.name.rpartition('.')[2]}"] if entry.name.startswith("Tensor.") else []
    return "```python {.signature}\n" + "\n".join(texts) + "\n```" if texts else ""


def _table(entry: Entry, arguments: list[Argument], index: Index) -> str:
    if not arguments:
        return ""
    head = "Field" if entry.what == "class" and _is_record(entry) else "Argument"
    lines = [f"| {head} | Type | |", "|---|---|---|"]
    for one in arguments:
        first, *rest = one.spellings
        names = f"`{one.star}{first}`"
        if rest:
            names += "<br>" + " ".join(f"`{name}`" for name in rest)
        kind = _code(one.type)
        if one.default and one.default != "...":
            kind += f"<br>= {_code(one.default)}"
        text = description(entry.name, one.name) or ""
        lines.append(f"| {names} | {kind} | {_cell(text, index)} |")
    return "\n".join(lines)


def _code(text: str) -> str:
    """Return code for a cell of a table, which a bar would end."""
    return f"<code>{html.escape(text).replace('|', '&#124;')}</code>" if text else ""


def _is_record(entry: Entry) -> bool:
    """Return whether a class is a record that the library makes, not a caller."""
    return any(word in entry.text for word in ("made by", "Counts and", "Copies for one"))


def _cell(text: str, index: Index) -> str:
    return paragraph(text, index).replace("\n", " ")


def _methods(entry: Entry) -> list[Entry]:
    return [member for member in entry.members if member.what == "method"]


def _attributes(members: list[Entry], index: Index) -> str:
    """Return attributes as a table: their docstrings are one sentence."""
    lines = ["| Attribute | |", "|---|---|"]
    for member in members:
        name = member.name.rpartition(".")[2]
        sentence = parts_of(member.text)[0]
        mark = f'<span id="{member.names[0]}"></span>'
        lines.append(f"| {mark}`{name}` | {_cell(sentence, index)} |")
    return "\n".join(lines)


def facts(entry: Entry) -> str:
    """Return what is known besides, as HTML: gradient, cost, other names, source."""
    rows: list[tuple[str, str]] = []
    if entry.definition is not None:
        passes, how = gradient(entry.definition, entry.names)
        rows.append(("Gradient", f"{'yes' if passes else 'no'}: {_html(how)}"))
        rows.append(("Work", _html(cost(entry.name, entry.definition))))
        rows.append(("NumPy", _codes(numpy_names(entry.name, entry.definition))))
        rows.append(("PyTorch", _codes(_few(torch_names(entry.name, entry.definition)))))
    elif entry.what in ("class", "function"):
        namespace, _, name = entry.name.rpartition(".")
        rows.append(("PyTorch", _codes([torch_name(namespace, name)])))
    if entry.module == "errors":
        rows.append(("Remedy", f'<a href="../errors/{entry.name}.html">{entry.name}</a>'))
    rows.append(("Fields", _codes(list(entry.fields))))
    rows.append(("Bases", _codes(entry.bases)))
    rows.append(("Also", _codes([*_shown_others(entry), *_short(entry.in_place[1:])])))
    if entry.place is not None:
        file, line = entry.place
        link = f'<a href="../{source_page(file)}#L-{line}">{file}:{line}</a>'
        rows.append(("Source", link))
    made = [f"<div><dt>{name}</dt><dd>{text}</dd></div>" for name, text in rows if text]
    return f'<dl class="facts">{"".join(made)}</dl>' if made else ""


def _html(text: str) -> str:
    """Return a fact with its code marked."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))


def source_page(file: str) -> str:
    """Return the address of the page that shows a file of the repository.

    >>> source_page("src/strided/errors.py")
    'source/src/strided/errors.py.html'
    """
    return f"source/{file}.html"


def _shown_others(entry: Entry) -> list[str]:
    """Return the names that no signature shows."""
    called = {signature.text.partition("(")[0] for signature in entry.signatures}
    return [name for name in _short(entry.names) if name not in called]


def _short(names: list[str]) -> list[str]:
    return [name.replace("strided.Tensor.", "x.") for name in names]


def _few(names: list[str]) -> list[str]:
    """Return at most one function and one method."""
    chosen: dict[bool, str] = {}
    for name in names:
        chosen.setdefault(name.startswith("torch.Tensor."), name)
    return list(chosen.values())


def _codes(names: list[str]) -> str:
    return ", ".join(f"<code>{html.escape(name)}</code>" for name in names if name)
