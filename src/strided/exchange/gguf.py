""".gguf files: metadata as Python values, tensors as views of one mapped storage.

Quantised tensors stay as they are stored. A tensor is made when it is asked for, so that a file
opens even where some of its types cannot be computed with.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strided import _native
from strided._native import Tensor
from strided.errors import FileUnusable, UnsupportedOperation
from strided.exchange.mapped import bytes_of, elements_of, map_whole
from strided.files.cursor import Cursor
from strided.files.entry import TensorEntry
from strided.files.gguf import read_gguf_header

if TYPE_CHECKING:
    from strided.quantized import QuantizedMatrix

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
