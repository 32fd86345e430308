"""Elements of tensors in files: views of a mapped file, and files written whole or not at all.

What a header names is a view wherever its elements begin at a multiple of their size; otherwise one
copy, logged as align. A file is written beside its name, then put in its place.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from strided import _native
from strided._native import DType, Tensor
from strided.errors import FileMalformed, FileUnusable, InvalidArgument
from strided.formats.entry import TensorEntry
from strided.ops.arrays import frombuffer, memory_map


def map_whole(path: str, size: int, mode: str = "r") -> Tensor:
    """Return the bytes of a file whose header said how many there are. A view of the file."""
    mapped = memory_map(path, mode=mode)
    if mapped.nbytes != size:
        raise FileUnusable(path=path, reason="its size changed while it was opened")
    return mapped


def check_mode(mode: str, *allowed: str) -> None:
    """Refuse a way of opening that a format does not have."""
    if mode not in allowed:
        ways = {"r": "read-only", "c": "copy on write", "r+": "read-write"}
        named = [f"{way!r} ({ways[way]})" for way in allowed]
        raise InvalidArgument(
            argument="mode", got=repr(mode), requirement=f"must be {' or '.join(named)}"
        )


def bytes_of(mapped: Tensor, entry: TensorEntry) -> Tensor:
    """Return the bytes of one tensor. A view; no element is read."""
    # Empty tensors may begin anywhere: the start of the file suits every item size.
    begin = entry.offset if entry.nbytes else 0
    return mapped[begin : begin + entry.nbytes]


def elements_of(
    path: str, mapped: Tensor, entry: TensorEntry, dtype: DType, mode: str = "r"
) -> Tensor:
    """Return the elements of one tensor. A view, or a logged copy of what is not aligned."""
    part = bytes_of(mapped, entry)
    if dtype is _native.bool and entry.nbytes and part.amax().item() > 1:
        reason = f"{entry.name!r} is of bools and has bytes other than 0 and 1"
        raise FileMalformed(path=path, position=entry.offset, reason=reason)
    if entry.nbytes and entry.offset % dtype.itemsize:
        part = _aligned(path, part, entry, mode)
    flat = part.view(dtype)
    if entry.layout.is_row_major():
        return flat.view(entry.shape)
    return flat.as_strided(entry.shape, entry.layout.strides)


def _aligned(path: str, part: Tensor, entry: TensorEntry, mode: str) -> Tensor:
    if mode == "r+":
        where = f"{entry.name!r} begins at byte {entry.offset}, between multiples of its item size"
        raise FileUnusable(path=path, reason=f"{where}: open it read-only, or write it anew")
    moved = part._convert(None, True, "row_major", "align")
    if mode == "r":
        return frombuffer(memoryview(moved).toreadonly(), dtype=_native.uint8)
    return moved


# ---- writing ----


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """Open a file for writing; it takes its name when the block ends without an error."""
    if "\0" in path:
        raise FileUnusable(path=path, reason="a name has no null character")
    partial = f"{path}.{os.urandom(4).hex()}.part"
    try:
        with open(partial, "xb") as file:
            yield file
        os.replace(partial, path)
    except OSError as error:
        raise FileUnusable(path=path, reason=error.strerror or str(error)) from error
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def write_elements(file: BinaryIO, x: Tensor) -> None:
    """Write the elements of a tensor in row-major order, packed first unless they lie so."""
    packed = x.contiguous()
    if packed.nbytes:
        file.write(memoryview(packed.view(-1).view(_native.uint8)))
