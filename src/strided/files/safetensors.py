"""The header of .safetensors files, by the format section of the safetensors README.

Eight bytes with the length of the header, the header as JSON, then the elements. A tensor is its
dtype, its shape and the bytes [begin, end) of the rest; together they cover the rest without holes.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple, NoReturn

from strided.files.cursor import Cursor
from strided.files.entry import TensorEntry, check_ranges, checked_layout

_LONGEST = 32 << 20  # of a few hundred thousand tensors
_BITS = {
    "BOOL": 8,
    "U8": 8,
    "I8": 8,
    "U16": 16,
    "I16": 16,
    "F16": 16,
    "BF16": 16,
    "U32": 32,
    "I32": 32,
    "F32": 32,
    "U64": 64,
    "I64": 64,
    "F64": 64,
    "C64": 64,
    "F8_E5M2": 8,
    "F8_E4M3": 8,
    "F8_E8M0": 8,
    "F8_E4M3FNUZ": 8,
    "F8_E5M2FNUZ": 8,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "F4": 4,
}
_WIDEST = (1 << 63) - 1


class _Refused(Exception):
    pass


class Header(NamedTuple):
    """What stands in front of the elements of a .safetensors file."""

    metadata: dict[str, str]
    entries: list[TensorEntry]


def read_safetensors(cursor: Cursor) -> list[TensorEntry]:
    """Return the tensors of a .safetensors file in the order of their bytes.

    >>> import json, pathlib, strided, tempfile
    >>> said = {"dtype": "F16", "shape": [2, 3], "data_offsets": [0, 12]}
    >>> head = json.dumps({"x": said}).encode()
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.safetensors"
    >>> _ = path.write_bytes(len(head).to_bytes(8, "little") + head + bytes(12))
    >>> [(e.name, e.dtype, e.offset) for e in strided.inspect.tensors_in(path)]
    [('x', 'F16', 73)]
    """
    return read_safetensors_header(cursor).entries


def read_safetensors_header(cursor: Cursor) -> Header:
    """Return the texts a .safetensors file has beside its tensors, and the tensors."""
    length = cursor.number("<Q", "the length of the header")
    if length > _LONGEST:
        cursor.refuse(f"a header of {length} bytes is longer than any model needs", 0)
    text = cursor.take(length, "the header")
    start = cursor.position
    said = _parsed(cursor, text)
    metadata = _texts(cursor, said.pop("__metadata__", {}))
    entries = [_entry(cursor, name, tensor, start) for name, tensor in said.items()]
    entries.sort(key=lambda entry: (entry.offset, entry.offset + entry.nbytes))
    check_ranges(cursor, entries)
    covered = start
    for entry in entries:
        if entry.offset > covered:
            cursor.refuse(f"no tensor has the bytes before {entry.name!r}", covered)
        covered = max(covered, entry.offset + entry.nbytes)
    if covered != cursor.size:
        cursor.refuse(f"{cursor.size - covered} bytes at the end belong to no tensor", covered)
    return Header(metadata, entries)


# ---- the JSON ----


def _parsed(cursor: Cursor, text: bytes) -> dict[str, Any]:
    if not text.startswith(b"{"):
        cursor.refuse("the header must begin with '{'", 8)
    try:
        found = json.loads(
            text.decode("utf-8"),
            object_pairs_hook=_unique,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except UnicodeDecodeError as error:
        cursor.refuse("the header is no UTF-8", 8 + error.start)
    except json.JSONDecodeError as error:
        before = len(error.doc[: error.pos].encode())
        cursor.refuse(f"the header is no JSON: {error.msg}", 8 + before)
    except RecursionError:
        cursor.refuse("the header is nested too deep", 8)
    except _Refused as error:
        cursor.refuse(str(error), 8)
    if not isinstance(found, dict):
        cursor.refuse("the header must be an object", 8)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _Refused(f"{name[:60]!r} occurs twice in the header")
            seen.add(name)
    return found


def _whole(digits: str) -> int:
    if len(digits) > 19 or int(digits) > _WIDEST:
        raise _Refused(f"the number {digits[:30]} is too large")
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise _Refused(f"{text[:30]} is no whole number")


def _texts(cursor: Cursor, said: Any) -> dict[str, str]:
    if not isinstance(said, dict) or not all(isinstance(text, str) for text in said.values()):
        cursor.refuse("__metadata__ must hold texts", 8)
    return said


# ---- one tensor ----


def _entry(cursor: Cursor, name: str, said: Any, start: int) -> TensorEntry:
    short = repr(name[:60])
    if not isinstance(said, dict) or set(said) != {"dtype", "shape", "data_offsets"}:
        cursor.refuse(f"{short} must have dtype, shape and data_offsets", 8)
    dtype, shape, offsets = said["dtype"], said["shape"], said["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _BITS:
        cursor.refuse(f"{short} has the unknown dtype {str(dtype)[:30]!r}", 8)
    if not _is_numbers(shape):
        cursor.refuse(f"{short} must have a list of lengths as its shape", 8)
    if not _is_numbers(offsets) or len(offsets) != 2 or offsets[0] > offsets[1]:
        cursor.refuse(f"{short} must have data_offsets [begin, end]", 8)
    begin, end = offsets
    if start + end > cursor.size:
        cursor.refuse(
            f"{short} ends {start + end - cursor.size} bytes behind the file", start + begin
        )
    layout = checked_layout(cursor, shape, False, 8)
    if layout.size * _BITS[dtype] != 8 * (end - begin):
        needed = f"{layout.size} elements of {_BITS[dtype]} bits"
        cursor.refuse(f"{short} has {end - begin} bytes for {needed}", start + begin)
    elements = 8 if _BITS[dtype] % 8 else 1
    block = (elements, elements * _BITS[dtype] // 8)
    return TensorEntry(name, dtype, tuple(shape), layout, start + begin, end - begin, block)


def _is_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(type(n) is int and n >= 0 for n in values)
