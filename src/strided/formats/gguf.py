"""The .gguf format: metadata as Python values, tensors as views of one mapped storage.

By the GGUF description in the ggml repository (docs/gguf.md): magic, version, two counts; key-value
pairs; then one record per tensor. Lengths count from the fastest axis: the shape is their reverse,
row-major. Quantised tensors stay as they are stored. A tensor is made when it is asked for, so that
a file opens even where some of its types cannot be computed with.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import FileUnusable, UnsupportedOperation
from strided.formats.tensor_files import (
    Cursor,
    TensorEntry,
    bytes_of,
    check_ranges,
    checked_layout,
    elements_of,
    map_whole,
)

if TYPE_CHECKING:
    from strided.quantized import QuantizedMatrix


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

_DTYPES = {
    "F64": _native.float64,
    "F32": _native.float32,
    "F16": _native.float16,
    "BF16": _native.bfloat16,
    "I64": _native.int64,
    "I32": _native.int32,
    "I16": _native.int16,
    "I8": _native.int8,
}
_QUANTIZED = ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K")

# More than any model has; a larger count is an error or an attack.
_MOST_TENSORS = 1 << 20
_MOST_KEYS = 1 << 20
_MOST_AXES = 8
_MOST_PARTS = 1 << 23  # numbers and texts in all arrays together
_LONGEST_NAME = 1 << 16
_DEEPEST = 4

# The struct code of each value type by its number; texts (8) and arrays (9) have none of their own.
_CODES = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9


class Header(NamedTuple):
    """What stands in front of the elements of a .gguf file."""

    metadata: dict[str, Any]
    entries: list[TensorEntry]
    big_endian: bool


def read_gguf(cursor: Cursor) -> list[TensorEntry]:
    """Return the tensors of a .gguf file in the order of its records.

    >>> from strided.formats.gguf import TYPES
    >>> TYPES[12]
    Stored(name='Q4_K', elements=256, nbytes=144)
    """
    return read_gguf_header(cursor).entries


def read_gguf_header(cursor: Cursor) -> Header:
    """Return the metadata of a .gguf file as Python values, and its tensors.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.gguf"
    >>> _ = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]) + bytes(16))
    >>> with Cursor(str(path)) as cursor:
    ...     read_gguf_header(cursor)
    Header(metadata={}, entries=[], big_endian=False)
    """
    if cursor.take(min(4, cursor.left), "the magic") != b"GGUF":
        cursor.refuse("it does not begin with GGUF", 0)
    version = cursor.number("<I", "the version")
    order = "<"
    if version & 0xFFFF == 0 and version:  # written on a big-endian machine
        order, version = ">", int.from_bytes(version.to_bytes(4, "little"), "big")
    if version not in (1, 2, 3):
        cursor.refuse(f"version {version} is unknown", 4)
    # Version 1 counts in 32 bits.
    values = Values(cursor, order, f"{order}I" if version == 1 else f"{order}Q")
    tensors = values.counted("the number of tensors", _MOST_TENSORS)
    keys = values.counted("the number of keys", _MOST_KEYS)
    metadata = values.pairs(keys)
    records = [_record(values) for _ in range(tensors)]
    if len({entry.name for entry in records}) != len(records):
        cursor.refuse("two tensors have the same name")
    start = -(-cursor.position // values.alignment) * values.alignment
    found = [_placed(cursor, entry, start, values.alignment) for entry in records]
    check_ranges(cursor, found)
    return Header(metadata, found, order == ">")


def _record(values: Values) -> TensorEntry:
    """Return a tensor whose offset still counts from the first one."""
    cursor = values.cursor
    name = values.name("the name of a tensor")
    at = cursor.position
    rank = values.number(f"the rank of {name!r}")
    if rank > _MOST_AXES:
        cursor.refuse(f"{name!r} has {rank} axes", at)
    shape = [cursor.number(values.count, f"a length of {name!r}") for _ in range(rank)][::-1]
    kind_at = cursor.position
    kind = values.number(f"the type of {name!r}")
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
    offset = cursor.number(f"{values.order}Q", f"the offset of {name!r}")
    block = (stored.elements, stored.nbytes)
    return TensorEntry(name, stored.name, tuple(shape), layout, offset, nbytes, block)


def _placed(cursor: Cursor, entry: TensorEntry, start: int, alignment: int) -> TensorEntry:
    """Return a tensor with its offset in the file, which is checked here."""
    if entry.offset % alignment:
        reason = f"the offset {entry.offset} of {entry.name!r} is no multiple of {alignment}"
        cursor.refuse(reason, start)
    offset = start + entry.offset
    if offset + entry.nbytes > cursor.size:
        beyond = offset + entry.nbytes - cursor.size
        cursor.refuse(f"{entry.name!r} ends {beyond} bytes behind the file", start)
    return replace(entry, offset=offset)


# ---- keys and values ----
# A count is compared with what the file still has before anything of that size is read.
# Vocabularies have 150,000 texts and more: arrays are read by windows, not text by text.


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


# ---- views ----


class GGUFTensors(Mapping[str, "Tensor | QuantizedMatrix"]):
    """The tensors of a .gguf file by name, each made when it is asked for. Views of the file.

    A name whose type cannot be computed with raises UnsupportedOperation when it is looked up;
    ``entries`` has its place, shape and type all the same.
    """

    def __init__(self, path: str, mapped: Tensor, entries: dict[str, TensorEntry]) -> None:
        self._path, self._mapped, self.entries = path, mapped, entries

    def __getitem__(self, name: str) -> Tensor | QuantizedMatrix:
        entry = self.entries[name]
        if entry.dtype in _DTYPES:
            return elements_of(self._path, self._mapped, entry, _DTYPES[entry.dtype])
        return self._quantized(entry)

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"<{len(self)} tensors of {self._path}>"

    def _quantized(self, entry: TensorEntry) -> QuantizedMatrix:
        from strided.quantized import QuantizedMatrix

        if entry.dtype not in _QUANTIZED or len(entry.shape) != 2:
            shown = f"{entry.name!r} in {self._path}"
            raise UnsupportedOperation(
                operation=f"computing with {entry.dtype} of shape {entry.shape}",
                reason=f"{shown} is stored so; matrices of {', '.join(_QUANTIZED)} run as they are",
                hint="take a file with one of those types",
            )
        rows, columns = entry.shape
        elements, nbytes = entry.block
        stored = bytes_of(self._mapped, entry).view(rows, columns // elements * nbytes)
        return QuantizedMatrix(entry.dtype, stored)


@dataclass(frozen=True)
class GGUFFile:
    """A .gguf file: ``metadata`` by key, ``tensors`` by name, all of them views of the file.

    >>> import pathlib, strided, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.gguf"
    >>> _ = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]) + bytes(16))
    >>> strided.open_gguf(path).metadata
    {}
    """

    path: str
    metadata: dict[str, Any]
    tensors: GGUFTensors


def open_gguf(path: str | os.PathLike[str]) -> GGUFFile:
    """Return the metadata and the tensors of a .gguf file: read-only views of one mapped storage.

    Nothing is read until it is used. Floats and integers become tensors, quantised blocks become
    ``QuantizedMatrix``; types that cannot be computed with raise UnsupportedOperation when they are
    looked up. Texts that are no UTF-8 keep their bytes as lone surrogates.

    >>> import pathlib, strided, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.gguf"
    >>> _ = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]) + bytes(16))
    >>> list(strided.open_gguf(path).tensors)
    []
    """
    name = os.fsdecode(path)
    with Cursor(name) as cursor:
        header = read_gguf_header(cursor)
    if header.big_endian:
        raise FileUnusable(path=name, reason="its numbers are big-endian: convert it first")
    mapped = map_whole(name, cursor.size)
    tensors = GGUFTensors(name, mapped, {entry.name: entry for entry in header.entries})
    return GGUFFile(name, header.metadata, tensors)
