"""TensorEntry: one tensor of a file, and the checks that all formats share."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from strided._native import Layout
from strided.errors import StridedError
from strided.formats.cursor import Cursor


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
