"""Reading a header: bytes at a position that is always known, never more than the file has.

A count or length from the file is compared with what is left before anything of that size is read,
so that no header can make a reader allocate or loop beyond the size of the file.
"""

from __future__ import annotations

import os
import stat
import struct
from types import TracebackType
from typing import BinaryIO, NoReturn

from strided.errors import FileMalformed, FileUnusable


class Cursor:
    """An open file, its size and the position that is read next.

    >>> import strided
    >>> from strided.inspect.files.cursor import Cursor
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

    @property
    def file(self) -> BinaryIO:
        """The open file itself, for readers that seek on their own."""
        return self._file
