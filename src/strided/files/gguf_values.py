"""The key-value pairs of .gguf files as Python values: numbers, texts, lists of them.

A count is compared with what the file still has before anything of that size is read. Vocabularies
have 150,000 texts and more: arrays are read by windows, not text by text.
"""

from __future__ import annotations

import struct
from typing import Any

from strided.files.cursor import Cursor

# More than any model has; a larger count is an error or an attack.
_MOST_PARTS = 1 << 23  # numbers and texts in all arrays together
_LONGEST_NAME = 1 << 16
_DEEPEST = 4

# The struct code of each value type by its number; texts (8) and arrays (9) have none of their own.
_CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


class Values:
    """Reads keys and values at a cursor, in the byte order and width of counts of the file."""

    def __init__(self, cursor: Cursor, order: str, count: str) -> None:
        self.cursor, self.order, self.count = cursor, order, count
        self.alignment = 32
        self._parts = 0

    def number(self, what: str) -> int:
        """Read a 32-bit number."""
        return self.cursor.number(f"{self.order}I", what)

    def counted(self, what: str, most: int) -> int:
        """Read a count that has a limit."""
        at = self.cursor.position
        found = self.cursor.number(self.count, what)
        if found > most:
            self.cursor.refuse(f"{what} is {found}, more than the {most} that are allowed", at)
        return found

    def name(self, what: str) -> str:
        """Read a key or the name of a tensor, which must be UTF-8."""
        length = self.counted(f"the length of {what}", _LONGEST_NAME)
        at = self.cursor.position
        try:
            return self.cursor.take(length, what).decode("utf-8")
        except UnicodeDecodeError as error:
            self.cursor.refuse(f"{what} is no UTF-8", at + error.start)

    def pairs(self, count: int) -> dict[str, Any]:
        """Read that many keys and their values; the alignment is kept beside them."""
        found: dict[str, Any] = {}
        for _ in range(count):
            at = self.cursor.position
            key = self.name("a key")
            if key in found:
                self.cursor.refuse(f"the key {key!r} occurs twice", at)
            kind = self.number(f"the type of {key!r}")
            at = self.cursor.position
            found[key] = self._value(kind, key, 0)
            if key == "general.alignment":
                self.alignment = self._checked_alignment(found[key], at)
        return found

    def _checked_alignment(self, value: Any, at: int) -> int:
        if type(value) is not int or not 0 < value <= 1 << 30 or value & (value - 1):
            self.cursor.refuse(f"the alignment {str(value)[:30]} is no power of two", at)
        return value

    def _value(self, kind: int, key: str, depth: int) -> Any:
        cursor = self.cursor
        if kind in _CODES:
            code = self.order + _CODES[kind]
            raw = cursor.take(struct.calcsize(code), f"the value of {key!r}")
            return struct.unpack(code, raw)[0]
        if kind == _STRING:
            return self._texts(1, key)[0]
        if kind == _ARRAY and depth < _DEEPEST:
            return self._array(key, depth)
        return cursor.refuse(f"{key!r} has the unknown value type {kind}", cursor.position - 4)

    def _array(self, key: str, depth: int) -> list[Any]:
        cursor = self.cursor
        kind = self.number(f"the element type of {key!r}")
        length = cursor.number(self.count, f"the length of {key!r}")
        least = struct.calcsize("<" + _CODES.get(kind, "I"))
        cursor.need(length * least, f"the array {key!r}")
        self._parts += length
        if self._parts > _MOST_PARTS:
            cursor.refuse(f"arrays have more than {_MOST_PARTS} parts")
        if kind in _CODES:
            raw = cursor.take(length * least, f"the array {key!r}")
            return list(struct.unpack(f"{self.order}{length}{_CODES[kind]}", raw))
        if kind == _STRING:
            return self._texts(length, key)
        return [self._value(kind, key, depth + 1) for _ in range(length)]

    def _texts(self, count: int, key: str) -> list[str]:
        """Read texts; bytes that are no UTF-8 are kept as lone surrogates (surrogateescape)."""
        raw = self.cursor.texts(count, self.count, f"a text in {key!r}")
        return [text.decode("utf-8", "surrogateescape") for text in raw]
