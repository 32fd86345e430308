""".safetensors files: opened as views of one mapped storage, written whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any

from strided import _native
from strided._native import DType, Tensor
from strided.errors import DTypeMismatch, InvalidArgument
from strided.exchange.mapped import elements_of, map_whole
from strided.exchange.whole_file import whole_file, write_elements
from strided.files.cursor import Cursor
from strided.files.safetensors import read_safetensors_header
from strided.functions.arrays import asarray

_DTYPES = {
    "F64": _native.float64,
    "F32": _native.float32,
    "F16": _native.float16,
    "BF16": _native.bfloat16,
    "C64": _native.complex64,
    "I64": _native.int64,
    "I32": _native.int32,
    "I16": _native.int16,
    "I8": _native.int8,
    "U64": _native.uint64,
    "U32": _native.uint32,
    "U16": _native.uint16,
    "U8": _native.uint8,
    "BOOL": _native.bool,
}
_NAMES: dict[DType, str] = {dtype: name for name, dtype in _DTYPES.items()}
_METADATA = "__metadata__"


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
