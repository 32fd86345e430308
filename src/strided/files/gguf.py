"""The header of .gguf files, by the GGUF description in the ggml repository (docs/gguf.md).

Magic, version, two counts; key-value pairs; then one record per tensor. Lengths count from the
fastest axis: the shape is their reverse, row-major.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from strided.files.cursor import Cursor
from strided.files.entry import TensorEntry, check_ranges, checked_layout
from strided.files.gguf_types import TYPES
from strided.files.gguf_values import Values

# More than any model has; a larger count is an error or an attack.
_MOST_TENSORS = 1 << 20
_MOST_KEYS = 1 << 20
_MOST_AXES = 8


class Header(NamedTuple):
    """What stands in front of the elements of a .gguf file."""

    metadata: dict[str, Any]
    entries: list[TensorEntry]
    big_endian: bool


def read_gguf(cursor: Cursor) -> list[TensorEntry]:
    """Return the tensors of a .gguf file in the order of its records.

    >>> from strided.files.gguf_types import TYPES
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
