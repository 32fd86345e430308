"""The headers of .npy and .npz files, by NumPy's description of the format (numpy.lib.format).

A .npy file is the magic, a version, the length of a Python literal, the literal, the elements. A
.npz file is a zip archive of those; of compressed members only the header is unpacked.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from strided.errors import FileMalformed
from strided.formats.tensor_files import Cursor, TensorEntry, check_ranges, checked_layout

if TYPE_CHECKING:
    import numpy

MAGIC = b"\x93NUMPY"
_LONGEST = 1 << 20  # NumPy itself refuses headers above 10,000 bytes unless asked
_PACKINGS = {
    zipfile.ZIP_DEFLATED: "deflate",
    zipfile.ZIP_BZIP2: "bzip2",
    zipfile.ZIP_LZMA: "lzma",
}
_KEYS = {"descr", "fortran_order", "shape"}
_DTYPE_TEXT = re.compile(r"[<>|=]?[?a-zA-Z][0-9]{0,9}(\[[0-9]{0,9}[a-zA-Z]{1,2}(/[0-9]+)?\])?")
_OLD_BYTES = re.compile(r"^([<>|=]?)a")


def read_npy(cursor: Cursor) -> list[TensorEntry]:
    """Return the one tensor of a .npy file.

    >>> from strided.formats.npy_header import MAGIC
    >>> len(MAGIC)
    6
    """
    start, length = _literal_place(cursor, cursor.take(min(12, cursor.left), "the start"), 0)
    cursor.move_to(start)
    text = cursor.take(length, "the header")
    entry = _entry(cursor, "", text, start, cursor.position)
    if entry.nbytes > cursor.left:
        cursor.refuse(f"{entry.nbytes} bytes of elements needed, the file has {cursor.left} more")
    return [entry]


def read_npz(cursor: Cursor) -> list[TensorEntry]:
    """Return the tensors of a .npz archive; members that are no arrays are left out.

    >>> import io, numpy
    >>> file = io.BytesIO()
    >>> numpy.savez(file, a=numpy.zeros(2))
    >>> file.getvalue()[:4]
    b'PK\\x03\\x04'
    """
    entries: list[TensorEntry] = []
    position = 0
    try:
        with zipfile.ZipFile(cursor.file) as archive:
            for member in archive.infolist():
                if not 0 <= member.header_offset < cursor.size:
                    cursor.refuse(f"{member.filename[:60]!r} lies outside the file", cursor.size)
                position = member.header_offset
                if member.filename.endswith(".npy"):
                    entries.append(_member_entry(cursor, archive, member))
    except FileMalformed:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        struct.error,
        RuntimeError,  # an encrypted member, or a way of compressing that is not built in
        ValueError,
        OSError,
        OverflowError,
    ) as error:
        cursor.refuse(f"no readable zip archive: {error}"[:200], position)
    check_ranges(cursor, [entry for entry in entries if not entry.packing])
    return entries


# ---- one array ----


def _literal_place(cursor: Cursor, start: bytes, position: int) -> tuple[int, int]:
    """Return where the literal begins, behind the start of the array, and its length."""
    if not start.startswith(MAGIC):
        cursor.refuse("it does not begin with \\x93NUMPY", position)
    if len(start) < 12:
        cursor.refuse("the file ends within its first 12 bytes", position + len(start))
    version = start[6]
    if version not in (1, 2, 3):
        cursor.refuse(f"version {version}.{start[7]} is unknown", position + 6)
    field = 2 if version == 1 else 4
    length = int.from_bytes(start[8 : 8 + field], "little")
    if length > _LONGEST:
        cursor.refuse(f"a header of {length} bytes is longer than any array needs", position + 8)
    return 8 + field, length


def _entry(cursor: Cursor, name: str, text: bytes, at: int, offset: int) -> TensorEntry:
    """Return what a header's literal at byte ``at`` says; its elements are at ``offset``."""
    try:
        # Version 3 writes UTF-8, the older ones Latin-1, which is the same for every key and shape.
        found = parse_literal(text.decode("utf-8", errors="replace"))
    except BadLiteral as error:
        cursor.refuse(f"the header is no Python literal: {error}", at + error.position)
    if not isinstance(found, dict) or set(found) != _KEYS:
        cursor.refuse(f"the header must be a dictionary of {', '.join(sorted(_KEYS))}", at)
    shape, column_major = found["shape"], found["fortran_order"]
    if not isinstance(column_major, bool):
        cursor.refuse("fortran_order must be True or False", at)
    if not isinstance(shape, tuple) or not all(type(n) is int and n >= 0 for n in shape):
        cursor.refuse("shape must be a tuple of lengths", at)
    dtype = _dtype(cursor, found["descr"], at)
    layout = checked_layout(cursor, shape, column_major, at)
    # Objects are pickled: they have no size of their own.
    nbytes = 0 if dtype.hasobject else layout.size * dtype.itemsize
    block = (1, 0 if dtype.hasobject else dtype.itemsize)
    return TensorEntry(name, str(dtype), shape, layout, offset, nbytes, block)


def _dtype(cursor: Cursor, descr: Any, at: int) -> numpy.dtype[Any]:
    """Return the dtype of a header; its texts are checked before NumPy sees them."""
    import numpy as np

    if not _is_description(descr):
        cursor.refuse(f"dtype {str(descr)[:60]!r} is unknown", at)
    try:
        dtype: np.dtype[Any] = np.lib.format.descr_to_dtype(_in_new_names(descr))
    except (TypeError, ValueError, KeyError, IndexError, OverflowError, RuntimeError) as error:
        cursor.refuse(f"dtype {str(descr)[:60]!r} is unknown: {error}"[:200], at)
    return dtype


def _in_new_names(descr: Any) -> Any:
    """Return a description without the letter ``a`` for bytes, which NumPy 2.5 does not know."""
    if isinstance(descr, str):
        return _OLD_BYTES.sub(r"\1S", descr)
    if isinstance(descr, tuple):
        return (_in_new_names(descr[0]), *descr[1:])
    return [(name, _in_new_names(dtype), *shape) for name, dtype, *shape in descr]


def _is_description(descr: Any) -> bool:
    """Whether this is a dtype's text, or a list of fields (name, dtype) or (name, dtype, shape)."""
    if isinstance(descr, str):
        return _DTYPE_TEXT.fullmatch(descr) is not None
    if isinstance(descr, tuple):  # a dtype and the shape of a field
        return len(descr) == 2 and _is_description(descr[0]) and _is_shape(descr[1])
    if not isinstance(descr, list):
        return False
    return all(
        isinstance(field, tuple)
        and len(field) in (2, 3)
        and _is_field_name(field[0])
        and _is_description(field[1])
        and (len(field) == 2 or _is_shape(field[2]))
        for field in descr
    )


def _is_field_name(name: Any) -> bool:
    parts = name if isinstance(name, tuple) else (name,)
    return len(parts) in (1, 2) and all(isinstance(part, str) for part in parts)


def _is_shape(shape: Any) -> bool:
    lengths = shape if isinstance(shape, tuple) else (shape,)
    return len(lengths) <= 32 and all(type(n) is int and 0 <= n < 1 << 31 for n in lengths)


# ---- one member of an archive ----


def _member_entry(cursor: Cursor, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> TensorEntry:
    at = member.header_offset
    with archive.open(member) as file:
        first = file.read(12)
        start, length = _literal_place(cursor, first, at)
        header = start + length
        text = (first + file.read(max(header - len(first), 0)))[start:header]
    if len(text) < length:
        cursor.refuse("the member ends within its header", at)
    name = member.filename.removesuffix(".npy")
    begin = _data_start(cursor, at)
    stored = member.compress_type == zipfile.ZIP_STORED
    entry = _entry(cursor, name, text, at, begin + header if stored else begin)
    if header + entry.nbytes > member.file_size:
        cursor.refuse(f"{entry.nbytes} bytes of elements do not fit into {member.filename!r}", at)
    if stored and entry.offset + entry.nbytes > cursor.size:
        cursor.refuse(f"{member.filename!r} ends behind the end of the file", at)
    if stored:
        return entry
    packing = _PACKINGS.get(member.compress_type, f"method {member.compress_type}")
    return replace(entry, packing=packing)


def _data_start(cursor: Cursor, at: int) -> int:
    """Return where the bytes of a member begin: behind its local header, name and extra field."""
    cursor.move_to(at)
    local = cursor.take(30, "a local file header")
    name_length, extra_length = struct.unpack("<HH", local[26:30])
    return at + 30 + int(name_length) + int(extra_length)


# ---- the literal ----
# Texts, integers, True, False, None, tuples, lists and dictionaries, nested a few levels deep. Read
# by hand, since Python's own parser may run out of stack on what a hostile file contains.

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

    >>> from strided.formats.npy_header import parse_literal
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
