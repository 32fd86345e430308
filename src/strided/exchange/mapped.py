"""Which part of a mapped file is a tensor: the bytes that its header names, as elements, read-only.

A view wherever the elements begin at a multiple of their size; otherwise one copy, logged as align.
"""

from __future__ import annotations

from strided import _native
from strided._native import DType, Tensor
from strided.errors import FileMalformed, FileUnusable
from strided.files.entry import TensorEntry
from strided.functions.arrays import frombuffer, memory_map


def map_whole(path: str, size: int) -> Tensor:
    """Return the bytes of a file whose header said how many there are. A view of the file."""
    mapped = memory_map(path)
    if mapped.nbytes != size:
        raise FileUnusable(path=path, reason="its size changed while it was opened")
    return mapped


def bytes_of(mapped: Tensor, entry: TensorEntry) -> Tensor:
    """Return the bytes of one tensor. A view; no element is read."""
    # Empty tensors may begin anywhere: the start of the file suits every item size.
    begin = entry.offset if entry.nbytes else 0
    return mapped[begin : begin + entry.nbytes]


def elements_of(path: str, mapped: Tensor, entry: TensorEntry, dtype: DType) -> Tensor:
    """Return the elements of one tensor. A view, or a logged copy of what is not aligned."""
    part = bytes_of(mapped, entry)
    if dtype is _native.bool and entry.nbytes and part.amax().item() > 1:
        reason = f"{entry.name!r} is of bools and has bytes other than 0 and 1"
        raise FileMalformed(path=path, position=entry.offset, reason=reason)
    if entry.nbytes and entry.offset % dtype.itemsize:
        moved = part._convert(None, True, "row_major", "align")
        return frombuffer(memoryview(moved).toreadonly(), dtype=dtype).view(entry.shape)
    return part.view(dtype).view(entry.shape)
