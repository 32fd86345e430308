"""Files of tensors: headers read with bounds checked, elements as views, files written whole.

A count or length from a header is compared with what is left of the file before anything of that
size is read, so that no header can make a reader allocate or loop beyond the size of the file. What
a header names is a view wherever its elements begin at a multiple of their size; otherwise one
copy, logged as align. A file is written beside its name, then put in its place.
"""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, BinaryIO, NoReturn

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.errors import FileMalformed, FileUnusable, InvalidArgument, StridedError
from strided.ops.arrays import frombuffer, memory_map

_WINDOW = 1 << 20
_GUESS = 64  # bytes of a text and its length, as most are shorter


# ---- bounds-checked headers ----


class Cursor:
    """An open file, its size and the position that is read next.

    >>> import strided
    >>> from strided.formats.tensor_files import Cursor
    >>> try:
    ...     Cursor("no such file")
    ... except strided.FileUnusable as error:
    ...     error.path
    'no such file'
    """

    def __init__(self, path: str) -> None:
        self.path = path
        try:
            # Asked before opening: a pipe would wait for whoever writes to it.
            if not stat.S_ISREG(os.stat(path).st_mode):
                raise FileUnusable(path=path, reason="not a regular file")
            self._file: BinaryIO = open(path, "rb")  # noqa: SIM115  (closed by __exit__)
            self.size = os.fstat(self._file.fileno()).st_size
        except FileUnusable:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise FileUnusable(path=path, reason=reason) from error
        self.position = 0

    def __enter__(self) -> Cursor:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def left(self) -> int:
        """Bytes between the position and the end of the file."""
        return self.size - self.position

    def refuse(self, reason: str, position: int | None = None) -> NoReturn:
        """Raise FileMalformed at a position, by default the current one."""
        at = self.position if position is None else position
        raise FileMalformed(path=self.path, position=at, reason=reason)

    def need(self, count: int, what: str) -> None:
        """Refuse when fewer bytes are left."""
        if count > self.left:
            self.refuse(f"{what} needs {count} bytes, the file has {self.left} more")

    def move_to(self, position: int) -> None:
        """Go on reading elsewhere."""
        self.position = position
        self._file.seek(position)

    def skip(self, count: int, what: str) -> None:
        """Pass over bytes without reading them."""
        self.need(count, what)
        self.move_to(self.position + count)

    def take(self, count: int, what: str) -> bytes:
        """Read bytes."""
        self.need(count, what)
        found = self._file.read(count)
        if len(found) != count:  # somebody shortened the file meanwhile
            self.refuse(f"{what} ends after {len(found)} of {count} bytes")
        self.position += count
        return found

    def number(self, code: str, what: str) -> int:
        """Read one integer; ``code`` is of the struct module, byte order included."""
        value: int = struct.unpack(code, self.take(struct.calcsize(code), what))[0]
        return value

    def texts(self, count: int, code: str, what: str) -> list[bytes]:
        """Read texts that stand one behind the other, each after its length.

        Whole windows are read, so that a long list costs no system call per text.
        """
        length = struct.Struct(code)
        found: list[bytes] = []
        while len(found) < count:
            window = self._file.read(min(_WINDOW, _GUESS * (count - len(found)), self.left))
            at, last = 0, len(window) - length.size
            while len(found) < count and at <= last:
                begin = at + length.size
                end = begin + length.unpack_from(window, at)[0]
                if end > len(window):
                    break
                found.append(window[begin:end])
                at = end
            self.move_to(self.position + at)
            if at == 0:  # it is longer than a window, or than the file
                found.append(self.take(self.number(code, f"the length of {what}"), what))
        return found

    @property
    def file(self) -> BinaryIO:
        """The open file itself, for readers that seek on their own."""
        return self._file


# ---- entries ----


@dataclass(frozen=True)
class TensorEntry:
    """One tensor of a file: what it is and where its bytes lie.

    ``offset`` counts bytes from the start of the file. ``layout`` is in elements. ``block`` is
    (elements, bytes) of what is stored together, for quantised types more than one element.
    ``packing`` names the compression of an .npz member; its offset is that of the compressed bytes.

    >>> import numpy, os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.npy")
    >>> numpy.save(path, numpy.zeros((2, 3), order="F"))
    >>> entry = strided.inspect.tensors_in(path)[0]
    >>> entry.dtype, entry.shape, entry.layout, entry.offset, entry.nbytes
    ('float64', (2, 3), Layout((2, 3):(1, 2)+0), 128, 48)
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    layout: Layout
    offset: int
    nbytes: int
    block: tuple[int, int]
    packing: str = ""

    @property
    def order(self) -> str:
        """Row-major or column-major; what is both counts as row-major.

        >>> import numpy, pathlib, strided, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.npy"
        >>> numpy.save(path, numpy.zeros((2, 3), order="F"))
        >>> strided.inspect.tensors_in(path)[0].order
        'column-major'
        """
        return "row-major" if self.layout.is_row_major() else "column-major"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name, as numbers, texts and lists that JSON can hold.

        >>> import numpy, pathlib, strided, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "x.npy"
        >>> numpy.save(path, numpy.zeros((2, 3)))
        >>> strided.inspect.tensors_in(path)[0].to_dict()["strides"]
        [3, 1]
        """
        return {
            "name": self.name,
            "dtype": self.dtype,
            "shape": list(self.shape),
            "strides": list(self.layout.strides),
            "order": self.order,
            "offset": self.offset,
            "nbytes": self.nbytes,
            "block": list(self.block),
            "packing": self.packing,
        }


def checked_layout(
    cursor: Cursor, shape: Iterable[int], column_major: bool, position: int
) -> Layout:
    """Return the gap-free layout of a shape that a file gave, or refuse the file."""
    lengths = tuple(shape)
    try:
        make = Layout.column_major if column_major else Layout.row_major
        return make(lengths)
    except (StridedError, TypeError, OverflowError) as error:
        cursor.refuse(f"shape {_short(lengths)} is impossible: {_first_line(error)}", position)


def check_ranges(cursor: Cursor, entries: list[TensorEntry]) -> None:
    """Refuse files in which two tensors share bytes."""
    end, before = 0, ""
    for entry in sorted((e for e in entries if e.nbytes), key=lambda e: e.offset):
        if entry.offset < end:
            cursor.refuse(f"{entry.name!r} overlaps {before!r}", entry.offset)
        end, before = entry.offset + entry.nbytes, entry.name


def _short(lengths: tuple[int, ...]) -> str:
    text = str(lengths)
    return text if len(text) <= 60 else f"{text[:56]}...)"


def _first_line(error: Exception) -> str:
    return str(error).replace("\n ", ";")[:200]


# ---- elements ----


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
