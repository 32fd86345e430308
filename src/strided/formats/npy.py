""".npy and .npz files: opened as views of one mapped storage, written whole or not at all."""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from typing import Any, BinaryIO

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.errors import DTypeMismatch, FileMalformed
from strided.formats.tensor_files import (
    Cursor,
    TensorEntry,
    check_mode,
    elements_of,
    map_whole,
    whole_file,
    write_elements,
)
from strided.ops.arrays import asarray, frombuffer

_ALIGNMENT = 64
_PADDING = 0xD935  # the field of a zip member that other tools align by, too
_LARGE = 1 << 31  # a zip member of this size needs its longer kind of header


def open_npy(path: str | os.PathLike[str], *, mode: str = "r") -> Tensor:
    """Return the tensor of a .npy file, row-major or column-major as it is stored. A view of it.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write (changes stay in memory), ``"r+"`` changes go
    to the file. Nothing is read until it is used.

    >>> import numpy, os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> numpy.save(path, numpy.arange(6).reshape(2, 3).T)
    >>> x = strided.open_npy(path)
    >>> x.tolist(), x.stride(), x.writable
    ([[0, 3], [1, 4], [2, 5]], (1, 3), False)
    """
    # Imported here: zipfile and re take time, and most programs open no such file.
    from strided.formats.npy_header import read_npy

    name = os.fsdecode(path)
    check_mode(mode, "r", "c", "r+")
    with Cursor(name) as cursor:
        (entry,) = read_npy(cursor)
    dtype = _dtype_of(name, entry, "open_npy")
    return elements_of(name, map_whole(name, cursor.size, mode), entry, dtype, mode)


def open_npz(path: str | os.PathLike[str], *, mode: str = "r") -> dict[str, Tensor]:
    """Return the tensors of a .npz archive by name: views of one mapped storage where they can be.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write. Members that are compressed are unpacked,
    those that lie between multiples of their item size are copied, logged as ``align``; files of
    ``save_npz`` have neither.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npz")
    >>> strided.save_npz({"a": strided.ones(2), "b": strided.arange(3)}, path)
    >>> {name: x.tolist() for name, x in strided.open_npz(path).items()}
    {'a': [1.0, 1.0], 'b': [0, 1, 2]}
    """
    from strided.formats.npy_header import read_npz

    name = os.fsdecode(path)
    check_mode(mode, "r", "c")  # a member that was changed in place would not match its checksum
    with Cursor(name) as cursor:
        entries = read_npz(cursor)
        dtypes = [_dtype_of(name, entry, "open_npz") for entry in entries]
        mapped = map_whole(name, cursor.size, mode)
        return {
            entry.name: (
                _unpacked(cursor, entry, dtype, mode)
                if entry.packing
                else elements_of(name, mapped, entry, dtype, mode)
            )
            for entry, dtype in zip(entries, dtypes, strict=True)
        }


def _dtype_of(path: str, entry: TensorEntry, operation: str) -> DType:
    try:
        if not entry.dtype.startswith((">", "|")):
            return _native.as_dtype(entry.dtype)
    except TypeError:
        pass
    named = f"{entry.name!r} in {path}" if entry.name else path
    raise DTypeMismatch(
        operation=operation,
        got=entry.dtype,
        reason=f"{named} is stored so",
        hint="convert it: strided.asarray(numpy.load(path).astype('float64'))",
    )


def _unpacked(cursor: Cursor, entry: TensorEntry, dtype: DType, mode: str) -> Tensor:
    """Return the elements of a compressed member, in memory of their own."""
    import zipfile
    import zlib

    try:
        with zipfile.ZipFile(cursor.file) as archive:
            data = archive.read(f"{entry.name}.npy")
    except (zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError, ValueError) as error:
        reason = f"{entry.name!r} cannot be unpacked: {error}"[:200]
        raise FileMalformed(path=cursor.path, position=entry.offset, reason=reason) from error
    # Bytes of their own: behind the header they might lie between multiples of the item size.
    elements = data[len(data) - entry.nbytes :]
    flat = frombuffer(elements if mode == "r" else bytearray(elements), dtype=_native.uint8)
    whole = TensorEntry(entry.name, "", entry.shape, entry.layout, 0, entry.nbytes, entry.block)
    return elements_of(cursor.path, flat, whole, dtype, mode)


# ---- writing ----


def save_npy(x: Any, path: str | os.PathLike[str]) -> None:
    """Write a tensor into a .npy file, which appears whole or not at all.

    What is row-major or column-major is written as it lies, without a copy; other views are packed
    first, as by ``.contiguous()``.

    >>> import numpy, os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> strided.save_npy(strided.arange(6).reshape(2, 3).T, path)
    >>> numpy.load(path).tolist()
    [[0, 3], [1, 4], [2, 5]]
    """
    tensor = _savable(x, "save_npy")
    with whole_file(os.fsdecode(path)) as file:
        _write_array(file, tensor)


def save_npz(tensors: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Write tensors into an uncompressed .npz archive, which appears whole or not at all.

    Elements begin at multiples of 64 bytes of the file, so that ``open_npz`` makes views. What is
    row-major or column-major is written without a copy; other views are packed first.

    >>> import numpy, os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npz")
    >>> strided.save_npz({"x": strided.ones(2, 3)}, path)
    >>> numpy.load(path)["x"].shape
    (2, 3)
    """
    import zipfile

    kept = {str(key): _savable(x, "save_npz") for key, x in tensors.items()}
    with whole_file(os.fsdecode(path)) as file, zipfile.ZipFile(file, "w") as archive:
        for key, x in kept.items():
            member = zipfile.ZipInfo(f"{key}.npy")
            large = x.nbytes >= _LARGE
            lead = 30 + len(member.filename.encode()) + 4 + (20 if large else 0)
            padding = -(file.tell() + lead) % _ALIGNMENT
            member.extra = struct.pack("<HH", _PADDING, padding) + bytes(padding)
            with archive.open(member, "w", force_zip64=large) as part:
                _write_array(part, x)


def _savable(x: Any, operation: str) -> Tensor:
    tensor = asarray(x).detach()
    if tensor.dtype is _native.bfloat16:
        raise DTypeMismatch(
            operation=operation,
            got="bfloat16",
            reason="the format has no such type",
            hint="use strided.save_safetensors, or .to(strided.float32) first",
        )
    return tensor


def _write_array(file: Any, x: Tensor) -> None:
    import numpy as np

    layout: Layout = _native.layout_of(x)
    by_column = layout.is_column_major() and not layout.is_row_major()
    header = {
        "descr": np.lib.format.dtype_to_descr(np.dtype(x.dtype.dtype)),
        "fortran_order": by_column,
        "shape": x.shape,
    }
    np.lib.format.write_array_header_1_0(file, header)
    stream: BinaryIO = file
    write_elements(stream, x.permute(tuple(reversed(range(x.ndim)))) if by_column else x)
