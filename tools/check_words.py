"""Find private words where the field has a term: ``make lint``.

The rules are the table of words in docs/architecture.md. Pages, docstrings, comments and the texts
of errors and of help are read; code is not: neither blocks and marked words of pages, nor examples.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md")
SOURCES = ("src/**/*.py", "benchmarks/*.py", "examples/*.py", "tools/**/*.py")
# It quotes the words themselves, and so does this file.
QUOTES = {"tools/check_words.py"}


@dataclass(frozen=True)
class Rule:
    """A private word, and what to write, as the first column of the table has it."""

    write: str
    word: str  # a regular expression
    within: str = ""  # below these folders alone; others use the word in its plain sense

    def applies(self, file: str) -> bool:
        """Return whether a file is one of those the rule is about."""
        return not self.within or re.match(self.within, file) is not None


RULES = (
    Rule("hint", r"\bcur(?:e|es|ed|ing)\b"),
    Rule("backward, backward pass", r"\bthe way back\b|\bgoing back through\b"),
    Rule("traversal, visit", r"\bwalk(?:s|ed|ing)?\b", r"docs/autograd|src/strided/autograd/"),
    Rule("hook", r"\btap(?:s|ped)?\b"),
    Rule("copy log; `materialise`", r"\bdoors?\b"),
    Rule("package, module, folder", r"\b(?:this|that|its|the|each|every|own) room\b|\brooms\b"),
    Rule("prefetch; non-temporal (streaming) store", r"\bsent for\b|\bpast the caches?\b"),
    Rule("SIMD lane; accumulator; line along an axis", r"(?<!SIMD[ \n])\blanes?\b"),
    Rule(
        "transposed; packed; byte-swapped",
        r"\bturned\b(?! (?:into|on|off|by|out|back into)\b)",
    ),
    Rule("variance; broadcast; strided load", r"\bspread(?:s|ing)?\b"),
    Rule("chunk (for threads), tile (for caches), block (quantised)", r"\bslabs?\b"),
    Rule("slow path", r"\bstrange(?:st)?\b"),
)


@dataclass(frozen=True)
class Finding:
    """One private word: where it stands and what to write."""

    file: str
    line: int
    word: str
    write: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word!r}: write {self.write}"


def words_of(text: str, file: str, first_line: int = 1) -> Iterator[Finding]:
    """Yield the private words of a text.

    >>> [str(one) for one in words_of("It is the cure.", "docs/x.md")]
    ["docs/x.md:1: 'cure': write hint"]
    >>> list(words_of("`spread=` is a field, 16 SIMD lanes, room for keys", "docs/x.md"))
    []
    """
    for rule in RULES:
        if rule.applies(file):
            for found in re.finditer(rule.word, prose(text), re.I):
                line = first_line + text.count("\n", 0, found.start())
                yield Finding(file, line, found[0], rule.write)


def prose(text: str) -> str:
    """Return a text whose code is blanked, so that places stay as they are.

    >>> prose("a `b` c")
    'a     c'
    """

    for code in (r"^```.*?^```", r"``[^`]+``", r"`[^`\n]+`", r"^ *(?:>>>|\.\.\.) .*$"):
        text = re.sub(code, _blank, text, flags=re.S | re.M if "```" in code else re.M)
    return text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def texts_of(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of every docstring, sentence and comment of a Python file.

    >>> list(texts_of('x = 1  # one\\ny = "two words", "word"'))
    [(2, 'two words'), (1, '# one')]
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def findings() -> Iterator[Finding]:
    """Yield every private word of the repository."""
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            file = str(path.relative_to(ROOT))
            text = path.read_text(encoding="utf-8")
            if file == "docs/architecture.md":  # the table names what it forbids
                text = re.sub(r"^\| write \| not \|\n.*?\n\n", _blank, text, flags=re.S | re.M)
            yield from words_of(text, file)
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            file = str(path.relative_to(ROOT))
            if file not in QUOTES:
                for line, text in texts_of(path.read_text(encoding="utf-8")):
                    yield from words_of(text, file, line)


def main() -> int:
    """Print what is found; 1 where there is something."""
    found = sorted({str(one) for one in findings()})
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
