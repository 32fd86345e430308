"""The header of .gguf files, by the GGUF description in the ggml repository (docs/gguf.md).

Magic, version, two counts; key-value pairs, which are passed over except for the alignment; then
one record per tensor. Lengths count from the fastest axis: the shape is their reverse, row-major.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from strided.inspect.files.cursor import Cursor
from strided.inspect.files.entry import TensorEntry, check_ranges, checked_layout

# More than any model has; a larger count is an error or an attack.
_MOST_TENSORS = 1 << 20
_MOST_KEYS = 1 << 20
_MOST_STRINGS = 1 << 23
_LONGEST_NAME = 1 << 16
_MOST_AXES = 8

# Bytes of each value type by its number; strings (8) and arrays (9) have none of their own.
_VALUE_BYTES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_STRING, _ARRAY = 8, 9
_ALIGNMENT_CODES = {0: "B", 2: "H", 4: "I", 5: "i", 10: "Q", 11: "q"}


class Stored(NamedTuple):
    """How a type is stored: its name, the elements of a block and their bytes."""

    name: str
    elements: int
    nbytes: int


TYPES = {
    0: Stored("F32", 1, 4),
    1: Stored("F16", 1, 2),
    2: Stored("Q4_0", 32, 18),
    3: Stored("Q4_1", 32, 20),
    6: Stored("Q5_0", 32, 22),
    7: Stored("Q5_1", 32, 24),
    8: Stored("Q8_0", 32, 34),
    9: Stored("Q8_1", 32, 40),
    10: Stored("Q2_K", 256, 84),
    11: Stored("Q3_K", 256, 110),
    12: Stored("Q4_K", 256, 144),
    13: Stored("Q5_K", 256, 176),
    14: Stored("Q6_K", 256, 210),
    15: Stored("Q8_K", 256, 292),
    16: Stored("IQ2_XXS", 256, 66),
    17: Stored("IQ2_XS", 256, 74),
    18: Stored("IQ3_XXS", 256, 98),
    19: Stored("IQ1_S", 256, 50),
    20: Stored("IQ4_NL", 32, 18),
    21: Stored("IQ3_S", 256, 110),
    22: Stored("IQ2_S", 256, 82),
    23: Stored("IQ4_XS", 256, 136),
    24: Stored("I8", 1, 1),
    25: Stored("I16", 1, 2),
    26: Stored("I32", 1, 4),
    27: Stored("I64", 1, 8),
    28: Stored("F64", 1, 8),
    29: Stored("IQ1_M", 256, 56),
    30: Stored("BF16", 1, 2),
    34: Stored("TQ1_0", 256, 54),
    35: Stored("TQ2_0", 256, 66),
    39: Stored("MXFP4", 32, 17),
    40: Stored("NVFP4", 64, 36),
    41: Stored("Q1_0", 128, 18),
}


def read_gguf(cursor: Cursor) -> list[TensorEntry]:
    """Return the tensors of a .gguf file in the order of its records.

    >>> from strided.inspect.files.gguf import TYPES
    >>> TYPES[12]
    Stored(name='Q4_K', elements=256, nbytes=144)
    """
    return _Header(cursor).entries()


class _Header:
    """The counts and the byte order that all parts of a header depend on."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        if cursor.take(min(4, cursor.left), "the magic") != b"GGUF":
            cursor.refuse("it does not begin with GGUF", 0)
        version = cursor.number("<I", "the version")
        self.order = "<"
        if version & 0xFFFF == 0 and version:  # written on a big-endian machine
            self.order, version = ">", int.from_bytes(version.to_bytes(4, "little"), "big")
        if version not in (1, 2, 3):
            cursor.refuse(f"version {version} is unknown", 4)
        # Version 1 counts in 32 bits.
        self.count = f"{self.order}I" if version == 1 else f"{self.order}Q"
        self.alignment = 32
        self.strings = 0

    def entries(self) -> list[TensorEntry]:
        cursor = self.cursor
        tensors = self._counted("the number of tensors", _MOST_TENSORS)
        keys = self._counted("the number of keys", _MOST_KEYS)
        for _ in range(keys):
            self._pass_key()
        records = [self._record() for _ in range(tensors)]
        names = {entry.name for entry in records}
        if len(names) != len(records):
            cursor.refuse("two tensors have the same name")
        start = -(-cursor.position // self.alignment) * self.alignment
        found = [self._placed(entry, start) for entry in records]
        check_ranges(cursor, found)
        return found

    # ---- numbers and texts ----

    def _counted(self, what: str, most: int) -> int:
        at = self.cursor.position
        found = self.cursor.number(self.count, what)
        if found > most:
            self.cursor.refuse(f"{what} is {found}, more than the {most} that are allowed", at)
        return found

    def _number(self, what: str) -> int:
        return self.cursor.number(f"{self.order}I", what)

    def _text(self, what: str) -> str:
        length = self._counted(f"the length of {what}", _LONGEST_NAME)
        at = self.cursor.position
        try:
            return self.cursor.take(length, what).decode("utf-8")
        except UnicodeDecodeError as error:
            self.cursor.refuse(f"{what} is no UTF-8", at + error.start)

    # ---- key-value pairs ----

    def _pass_key(self) -> None:
        key = self._text("a key")
        kind = self._number(f"the type of {key!r}")
        if key == "general.alignment" and kind in _ALIGNMENT_CODES:
            at = self.cursor.position
            self.alignment = self.cursor.number(self.order + _ALIGNMENT_CODES[kind], key)
            if not 0 < self.alignment <= 1 << 30 or self.alignment & (self.alignment - 1):
                self.cursor.refuse(f"the alignment {self.alignment} is no power of two", at)
        else:
            self._pass_value(kind, key, 0)

    def _pass_value(self, kind: int, key: str, depth: int) -> None:
        cursor = self.cursor
        if kind in _VALUE_BYTES:
            cursor.skip(_VALUE_BYTES[kind], f"the value of {key!r}")
        elif kind == _STRING:
            self.strings += 1
            if self.strings > _MOST_STRINGS:
                cursor.refuse(f"more than {_MOST_STRINGS} texts")
            length = cursor.number(self.count, f"the length of a text in {key!r}")
            cursor.skip(length, f"a text in {key!r}")
        elif kind == _ARRAY and depth < 4:
            self._pass_array(key, depth)
        else:
            cursor.refuse(f"{key!r} has the unknown value type {kind}", cursor.position - 4)

    def _pass_array(self, key: str, depth: int) -> None:
        cursor = self.cursor
        kind = self._number(f"the element type of {key!r}")
        length = cursor.number(self.count, f"the length of {key!r}")
        least = _VALUE_BYTES.get(kind, 4)
        cursor.need(length * least, f"the array {key!r}")
        if kind in _VALUE_BYTES:
            cursor.skip(length * least, f"the array {key!r}")
            return
        if length > _MOST_STRINGS:
            cursor.refuse(f"the array {key!r} has {length} parts")
        for _ in range(length):
            self._pass_value(kind, key, depth + 1)

    # ---- tensors ----

    def _record(self) -> TensorEntry:
        """Return a tensor whose offset still counts from the first one."""
        cursor = self.cursor
        name = self._text("the name of a tensor")
        at = cursor.position
        rank = self._number(f"the rank of {name!r}")
        if rank > _MOST_AXES:
            cursor.refuse(f"{name!r} has {rank} axes", at)
        shape = [cursor.number(self.count, f"a length of {name!r}") for _ in range(rank)][::-1]
        kind_at = cursor.position
        kind = self._number(f"the type of {name!r}")
        if kind not in TYPES:
            cursor.refuse(f"{name!r} has the unknown type {kind}", kind_at)
        stored = TYPES[kind]
        layout = checked_layout(cursor, shape, False, at)
        if shape and shape[-1] % stored.elements:
            cursor.refuse(
                f"rows of {name!r} have {shape[-1]} elements, {stored.name} stores "
                f"{stored.elements} together",
                at,
            )
        if not shape and stored.elements > 1:
            cursor.refuse(f"{name!r} is one element, {stored.name} stores {stored.elements}", at)
        nbytes = layout.size // stored.elements * stored.nbytes
        offset = cursor.number(f"{self.order}Q", f"the offset of {name!r}")
        block = (stored.elements, stored.nbytes)
        return TensorEntry(name, stored.name, tuple(shape), layout, offset, nbytes, block)

    def _placed(self, entry: TensorEntry, start: int) -> TensorEntry:
        """Return a tensor with its offset in the file, which is checked here."""
        if entry.offset % self.alignment:
            reason = f"the offset {entry.offset} of {entry.name!r} is no multiple of"
            self.cursor.refuse(f"{reason} {self.alignment}", start)
        offset = start + entry.offset
        if offset + entry.nbytes > self.cursor.size:
            beyond = offset + entry.nbytes - self.cursor.size
            self.cursor.refuse(f"{entry.name!r} ends {beyond} bytes behind the file", start)
        return replace(entry, offset=offset)
