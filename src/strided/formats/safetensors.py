"""The .safetensors format: its header, views of one mapped storage, files written whole or not.

By the format section of the safetensors README. Eight bytes with the length of the header, the
header as JSON, then the elements. A tensor is its dtype, its shape and the bytes [begin, end) of
the rest; together they cover the rest without holes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch, InvalidArgument
from strided.formats.tensor_files import (
    Cursor,
    TensorEntry,
    check_ranges,
    checked_layout,
    elements_of,
    map_whole,
    whole_file,
    write_elements,
)
from strided.ops.arrays import asarray

# Bits of an element, and the dtype that reads it where there is one.
_TYPES: dict[str, tuple[int, DType | None]] = {
    "F64": (64, _native.float64),
    "F32": (32, _native.float32),
    "F16": (16, _native.float16),
    "BF16": (16, _native.bfloat16),
    "C64": (64, _native.complex64),
    "I64": (64, _native.int64),
    "I32": (32, _native.int32),
    "I16": (16, _native.int16),
    "I8": (8, _native.int8),
    "U64": (64, _native.uint64),
    "U32": (32, _native.uint32),
    "U16": (16, _native.uint16),
    "U8": (8, _native.uint8),
    "BOOL": (8, _native.bool),
    "F8_E5M2": (8, None),
    "F8_E4M3": (8, None),
    "F8_E8M0": (8, None),
    "F8_E4M3FNUZ": (8, None),
    "F8_E5M2FNUZ": (8, None),
    "F6_E2M3": (6, None),
    "F6_E3M2": (6, None),
    "F4": (4, None),
}
_DTYPES = {name: dtype for name, (_, dtype) in _TYPES.items() if dtype is not None}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_METADATA = "__metadata__"
_LONGEST = 32 << 20  # of a few hundred thousand tensors
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
    metadata = _texts(cursor, said.pop(_METADATA, {}))
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
    if not isinstance(dtype, str) or dtype not in _TYPES:
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
    bits, _ = _TYPES[dtype]
    if layout.size * bits != 8 * (end - begin):
        needed = f"{layout.size} elements of {bits} bits"
        cursor.refuse(f"{short} has {end - begin} bytes for {needed}", start + begin)
    elements = 8 if bits % 8 else 1
    block = (elements, elements * bits // 8)
    return TensorEntry(name, dtype, tuple(shape), layout, start + begin, end - begin, block)


def _is_numbers(values: Any) -> bool:
    return isinstance(values, list) and all(type(n) is int and n >= 0 for n in values)


# ---- views and writing ----


class SafetensorsFile(dict[str, Tensor]):
    """The tensors of a .safetensors file by name, with its path and metadata.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
    >>> strided.save_safetensors({"x": strided.zeros(3)}, path, metadata={"format": "pt"})
    >>> file = strided.open_safetensors(path)
    >>> list(file), file.metadata
    (['x'], {'format': 'pt'})
    """

    def __init__(self, path: str, tensors: dict[str, Tensor], metadata: dict[str, str]) -> None:
        super().__init__(tensors)
        self.path = path
        self.metadata = metadata


def open_safetensors(path: str | os.PathLike[str], *, mode: str = "r") -> SafetensorsFile:
    """Return the tensors of a .safetensors file by name: views of one mapped storage.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write (changes stay in memory), ``"r+"`` changes go
    to the file. Nothing is read until it is used, except bools, which are checked. A tensor whose
    elements lie between multiples of their size is copied, logged as ``align``. The types of 8 bits
    and fewer that this library does not have (F8_E4M3 and their like) raise DTypeMismatch.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
    >>> strided.save_safetensors({"w": strided.ones(2, 3), "b": strided.zeros(3)}, path)
    >>> file = strided.open_safetensors(path)
    >>> file["w"].shape, file["w"].writable, file["w"].storage().nbytes == os.path.getsize(path)
    ((2, 3), False, True)
    """
    name = os.fsdecode(path)
    with Cursor(name) as cursor:
        header = read_safetensors_header(cursor)
    for entry in header.entries:
        if entry.dtype not in _DTYPES:
            raise DTypeMismatch(
                operation="open_safetensors",
                got=entry.dtype,
                reason=f"{entry.name!r} in {name} is stored as {entry.dtype}",
                hint=f"save it as one of {', '.join(_DTYPES)}",
            )
    mapped = map_whole(name, cursor.size, mode)
    tensors = {
        entry.name: elements_of(name, mapped, entry, _DTYPES[entry.dtype], mode)
        for entry in header.entries
    }
    return SafetensorsFile(name, tensors, header.metadata)


def save_safetensors(
    tensors: Mapping[str, Any],
    path: str | os.PathLike[str],
    *,
    metadata: Mapping[str, str] | None = None,
) -> None:
    """Write tensors into a .safetensors file, which appears whole or not at all.

    Views that are not contiguous are packed one by one, as by ``.contiguous()``; others are written
    as they lie, without a copy. ``metadata`` is texts by name; a file from ``open_safetensors``
    keeps its own.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.safetensors")
    >>> strided.save_safetensors({"x": strided.arange(6).reshape(2, 3).T}, path)
    >>> strided.open_safetensors(path)["x"].tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    name = os.fsdecode(path)
    kept = {str(key): _checked(str(key), value) for key, value in tensors.items()}
    # The widest elements first: with a header of a multiple of 8 bytes all of them are aligned.
    order = sorted(kept, key=lambda key: (-kept[key].dtype.itemsize, key))
    if metadata is None:
        metadata = getattr(tensors, "metadata", None)
    header = _header({key: kept[key] for key in order}, metadata or {})
    with whole_file(name) as file:
        file.write(len(header).to_bytes(8, "little") + header)
        for key in order:
            write_elements(file, kept[key])


def _checked(key: str, value: Any) -> Tensor:
    tensor = asarray(value).detach()
    if key == _METADATA:
        raise InvalidArgument(
            argument="tensors", got=key, requirement="must have other names: this one is taken"
        )
    if tensor.dtype not in _NAMES:
        raise DTypeMismatch(
            operation="save_safetensors",
            got=tensor.dtype.name,
            reason=f"{key!r} cannot be stored: the format has no such type",
            hint=f"convert it to one of {', '.join(dtype.name for dtype in _NAMES)}",
        )
    return tensor


def _header(tensors: dict[str, Tensor], metadata: Mapping[str, str]) -> bytes:
    said: dict[str, Any] = {}
    if metadata:
        if not all(isinstance(text, str) for pair in metadata.items() for text in pair):
            raise InvalidArgument(
                argument="metadata", got=repr(dict(metadata))[:60], requirement="must hold texts"
            )
        said[_METADATA] = dict(metadata)
    begin = 0
    for key, tensor in tensors.items():
        end = begin + tensor.nbytes
        said[key] = {
            "dtype": _NAMES[tensor.dtype],
            "shape": list(tensor.shape),
            "data_offsets": [begin, end],
        }
        begin = end
    text = json.dumps(said, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)
