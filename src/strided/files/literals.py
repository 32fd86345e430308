"""A Python literal as .npy headers have them: texts, integers, True, False, None, tuples, lists and
dictionaries, nested a few levels deep. Read by hand, since Python's own parser may run out of stack
on what a hostile file contains.
"""

from __future__ import annotations

import re
from typing import Any

_DEEPEST = 16
_TOKEN = re.compile(
    r"\s*(?:(?P<number>[0-9]{1,19}L?(?![0-9]))|(?P<word>True|False|None)"
    r"|(?P<text>[ub]?'(?:[^'\\]|\\.)*'|[ub]?\"(?:[^\"\\]|\\.)*\")|(?P<sign>[-()\[\]{},:]))"
)
_SPACE = re.compile(r"\s*")
_WORDS = {"True": True, "False": False, "None": None}


class BadLiteral(Exception):
    """What was found, and at which character."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(reason)
        self.position = position


def parse_literal(text: str) -> Any:
    """Return the value of a literal.

    >>> from strided.files.literals import parse_literal
    >>> parse_literal("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }")
    {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)}
    """
    reader = _Reader(text)
    value = reader.value(0)
    if text[reader.position :].strip():
        raise BadLiteral("something follows it", reader.position)
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def next(self) -> tuple[str, str]:
        found = _TOKEN.match(self.text, self.position)
        if found is None or found.lastgroup is None:
            raise BadLiteral(
                f"unexpected {self.text[self.position : self.position + 10]!r}", self.position
            )
        self.position = found.end()
        return found.lastgroup, found.group(found.lastgroup)

    def takes(self, sign: str) -> bool:
        """Go past a sign when it comes next."""
        found = _SPACE.match(self.text, self.position)
        assert found is not None
        if self.text[found.end() : found.end() + 1] != sign:
            return False
        self.position = found.end() + 1
        return True

    def value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise BadLiteral(f"nested deeper than {_DEEPEST}", self.position)
        kind, token = self.next()
        if kind == "number":
            return int(token.rstrip("L"))
        if kind == "word":
            return _WORDS[token]
        if kind == "text":
            # Names with escapes are kept as they are written.
            return token.lstrip("ub")[1:-1]
        if token == "-":
            return -self._positive(depth)
        if token == "{":
            return self._dictionary(depth)
        if token in "([":
            return self._sequence(token, depth)
        raise BadLiteral(f"unexpected {token!r}", self.position - 1)

    def _positive(self, depth: int) -> int:
        value = self.value(depth + 1)
        if type(value) is not int or value < 0:
            raise BadLiteral("a number must follow '-'", self.position)
        return value

    def _sequence(self, opened: str, depth: int) -> Any:
        closed = ")" if opened == "(" else "]"
        values: list[Any] = []
        comma = False
        while not self.takes(closed):
            if values and not comma:
                raise BadLiteral(f"',' or {closed!r} expected", self.position)
            values.append(self.value(depth + 1))
            comma = self.takes(",")
        if opened == "[":
            return values
        return values[0] if len(values) == 1 and not comma else tuple(values)

    def _dictionary(self, depth: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        comma = True
        while not self.takes("}"):
            if not comma:
                raise BadLiteral("',' or '}' expected", self.position)
            kind, token = self.next()
            if kind != "text" or not self.takes(":"):
                raise BadLiteral("a text and ':' expected", self.position)
            key = token.lstrip("ub")[1:-1]
            if key in values:
                raise BadLiteral(f"{key!r} occurs twice", self.position)
            values[key] = self.value(depth + 1)
            comma = self.takes(",")
        return values
