"""Bounds-checked reader of file headers.

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

_WINDOW = 1 << 20
_GUESS = 64  # bytes of a text and its length, as most are shorter


class Cursor:
    """An open file, its size and the position that is read next.

    >>> import strided
    >>> from strided.formats.cursor import Cursor
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
