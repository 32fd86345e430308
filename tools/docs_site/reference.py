"""All pages of the API reference as Markdown, by their address below ``reference/``."""

from __future__ import annotations

import ast
import re
from collections import defaultdict

import strided
from docs_site.chapters import CHAPTERS, PARTS, SECTIONS, Chapter, chapter_of
from docs_site.entry_page import anchors, written
from docs_site.inventory import PACKAGE, Entry, all_entries, tensor_members
from docs_site.prose import Index, paragraph, parts_of

TENSOR = Chapter("tensor", "Tensor", "The class: its attributes, and all its methods.", ())


class Reference:
    """The entries by chapter, and where each name stands."""

    def __init__(self) -> None:
        self.chapters: dict[str, list[Entry]] = defaultdict(list)
        for entry in all_entries():
            self.chapters[chapter_of(entry.home).slug].append(entry)
        self.members = list(tensor_members())
        self.chapters[TENSOR.slug] = self.members
        self.index: dict[str, str] = {"strided.Tensor": "tensor.md"}
        for slug, entries in self.chapters.items():
            for entry in entries:
                for one in (entry, *entry.members):
                    for name in anchors(one):
                        assert name not in self.index, f"{name} has two entries"
                        self.index[name] = f"{slug}.md#{name}"

    def pages(self) -> dict[str, str]:
        """Return every page by its file name."""
        made = {f"{chapter.slug}.md": self._chapter(chapter) for chapter in CHAPTERS}
        made["tensor.md"] = self._tensor()
        made["names.md"] = self._names()
        made["index.md"] = self._overview()
        return made

    # ---- pages ----

    def _chapter(self, chapter: Chapter) -> str:
        sections: dict[str, list[Entry]] = defaultdict(list)
        for entry in sorted(self.chapters[chapter.slug], key=lambda one: _order(one, chapter)):
            module = _module(entry, chapter)
            sections[SECTIONS.get(module, module)].append(entry)
        blocks = [_head(chapter.title, chapter.about)]
        if chapter.slug == "data-types":
            blocks += [_dtypes(), _constants()]
        several = len(sections) > 1
        for section, entries in sections.items():
            if several:
                blocks.append(f"## {_heading(section)}")
            blocks += [written(entry, 3 if several else 2, self.index) for entry in entries]
        return "\n\n".join(blocks) + "\n"

    def _tensor(self) -> str:
        text = parts_of(strided.Tensor.__doc__ or "")
        blocks = [_head(TENSOR.title, paragraph(text[0], self.index))]
        blocks.append("## Operations\n\nEach has an entry in the chapter of its subject.")
        for chapter in CHAPTERS:
            links = [
                f"[`{name.rpartition('.')[2]}`]({self.index[name]})"
                for entry in self.chapters[chapter.slug]
                for name in entry.names
                if name.startswith("strided.Tensor.")
            ]
            if links:
                blocks.append(f"**[{chapter.title}]({chapter.slug}.md)**: {' '.join(links)}")
        for what, heading in (("attribute", "Attributes"), ("method", "Other methods")):
            blocks.append(f"## {heading}")
            blocks += [written(one, 3, self.index) for one in self.members if one.what == what]
        return "\n\n".join(blocks) + "\n"

    def _names(self) -> str:
        """Return the alphabetical list of all names, one line a letter and namespace."""
        by_letter: dict[str, list[str]] = defaultdict(list)
        for name, target in self.index.items():
            last = name.rpartition(".")[2]
            shown = name.removeprefix("strided.")
            by_letter[last.strip("_")[0].upper()].append((last.lower(), f"[`{shown}`]({target})"))
        blocks = [_UNSEARCHED + _head("All names", "Every function, method, class and attribute.")]
        for letter in sorted(by_letter):
            links = [link for _, link in sorted(by_letter[letter])]
            blocks.append(f"## {letter}\n\n{' · '.join(links)}\n{{ .names }}")
        return "\n\n".join(blocks) + "\n"

    def _overview(self) -> str:
        blocks = [_head("API reference", "Made from the definitions of the library.")]
        blocks.append(OVERVIEW)
        for part, chapters in PARTS.items():
            lines = [f"## {part}", "", "| Chapter | | Names |", "|---|---|---|"]
            first = [TENSOR] if part == "Arrays" else []
            for chapter in (*first, *chapters):
                names = sum(len(anchors(entry)) for entry in self.chapters[chapter.slug])
                link = f"[{chapter.title}]({chapter.slug}.md)"
                lines.append(f"| {link} | {chapter.about} | {names} |")
            blocks.append("\n".join(lines))
        return "\n\n".join(blocks) + "\n"


OVERVIEW = """An entry says what a name does, how it is called, what each argument is, and:

- **view**, **new tensor**, **view or copy** or **in place**: what happens to memory. A view shares
  the storage of its tensor; copies are logged ([Copies](copies.md)).
- **Gradient**: whether gradients pass, and how.
- **Work**: how it grows, with n the number of elements that are read or written.
- **NumPy**, **PyTorch**: what they call it. Arguments go by NumPy's and PyTorch's names too.
- **Source**: the file and line of its definition.

Functions of the namespace follow the Python array API, methods follow PyTorch. Where the two differ
([Array API](../array-api.md)), they are two entries. [All names](names.md) is one alphabetical
list."""


def navigation() -> list[dict[str, object]]:
    """Return the part of the navigation that has the reference, as ``mkdocs.yml`` would."""
    made: list[dict[str, object]] = [
        {"Overview": "reference/index.md"},
        {"All names": "reference/names.md"},
        {"Tensor": "reference/tensor.md"},
    ]
    for part, chapters in PARTS.items():
        made.append({part: [{one.title: f"reference/{one.slug}.md"} for one in chapters]})
    return made


# A list of every name would be found by every search.
_UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"


def _head(name: str, about: str) -> str:
    return f"# {name}\n\n{about}"


# Chapters of one package whose modules have sections of their own.
_SPLIT = {"linalg", "fft", "optim", "autograd"}


def _module(entry: Entry, chapter: Chapter) -> str:
    """Return what an entry's section is of: a module that the chapter names, or its own."""
    named = [m for m in chapter.modules if f"{entry.home}.".startswith(f"{m}.")]
    return entry.module if chapter.slug in _SPLIT else max(named, key=len)


def _order(entry: Entry, chapter: Chapter) -> tuple[int, str]:
    """Return where a section stands: as the chapter names modules, then by their names."""
    module = _module(entry, chapter)
    places = {name: place for place, name in enumerate(chapter.modules)}
    return places.get(module, len(places)), module if module not in places else ""


def _heading(module: str) -> str:
    """Return what a module is about: its docstring up to a colon or the end of a sentence."""
    if module in SECTIONS.values():
        return module
    path = PACKAGE.joinpath(*module.split("."))
    file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return paragraph(re.split(r"[:.](?:\s|$)", text)[0], {})


def _dtypes() -> str:
    """Return the table of all dtypes."""
    lines = ["| dtype | bytes | kind |", "|---|---|---|"]
    for name in sorted(dir(strided)):
        one = getattr(strided, name)
        if isinstance(one, strided.DType):
            kind = next(
                word
                for word in (
                    "bool",
                    "signed integer",
                    "unsigned integer",
                    "real floating",
                    "complex floating",
                )
                if strided.isdtype(one, word)
            )
            lines.append(f"| `strided.{name}` | {one.itemsize} | {kind} |")
    return "## All dtypes\n\n" + "\n".join(lines)


def _constants() -> str:
    """Return the sentence of all constants."""
    values = {name: getattr(strided, name) for name in sorted(strided.__all__)}
    shown = [
        f"`strided.{name}` is `{value!r}`"
        for name, value in values.items()
        if value is None or isinstance(value, float)
    ]
    return "## Constants\n\n" + ", ".join(shown) + "."


def index() -> Index:
    """Return where each public name stands."""
    return Reference().index
