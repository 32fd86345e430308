"""File formats: .npy, .npz, .safetensors, .gguf and ``strided.save``.

``tensors_in`` answers from the header of a file; no element is read. What breaks the rules of
its format is refused with the byte at which it shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from strided.errors import InvalidArgument
from strided.formats.tensor_files import Cursor, TensorEntry

__all__ = ["TensorEntry", "tensors_in"]


def tensors_in(path: str | os.PathLike[str]) -> list[TensorEntry]:
    """Return what a .npy, .npz, .safetensors or .gguf file holds, from its header alone.

    Raises FileUnusable when the file cannot be opened, FileMalformed when it breaks its format.

    >>> import pathlib, strided, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "broken.npy"
    >>> _ = path.write_bytes(b"not an array")
    >>> try:
    ...     strided.inspect.tensors_in(path)
    ... except strided.FileMalformed as error:
    ...     error.position, error.reason
    (0, 'it does not begin with \\\\x93NUMPY')
    """
    name = os.fsdecode(path)
    with Cursor(name) as cursor:
        return _reader_for(cursor)(cursor)


def _reader_for(cursor: Cursor) -> Callable[[Cursor], list[TensorEntry]]:
    """Choose by the ending of the name, then by the first bytes."""
    # Imported here: the package is imported more often than files are looked at.
    from strided.formats.gguf import read_gguf
    from strided.formats.npy_header import read_npy, read_npz
    from strided.formats.safetensors import read_safetensors

    readers = {
        ".npy": read_npy,
        ".npz": read_npz,
        ".safetensors": read_safetensors,
        ".gguf": read_gguf,
    }
    ending = os.path.splitext(cursor.path)[1].lower()
    if ending in readers:
        return readers[ending]
    start = cursor.take(min(9, cursor.left), "the first bytes")
    cursor.move_to(0)
    if start.startswith(b"\x93NUMPY"):
        return read_npy
    if start.startswith(b"PK\x03\x04"):
        return read_npz
    if start.startswith(b"GGUF"):
        return read_gguf
    if start[8:9] == b"{":
        return read_safetensors
    raise InvalidArgument(
        argument="path",
        got=cursor.path,
        requirement=f"must be a {', '.join(readers)} file; its first bytes are of none of them",
    )
