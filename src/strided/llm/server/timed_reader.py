"""How long may a client take? Reads that end in time, and whether it is still there.

A timeout of the socket alone would start anew with each byte: one byte now and then would hold a
thread for ever.
"""

from __future__ import annotations

import io
import selectors
import socket
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class TimedReader(io.RawIOBase):
    """The bytes of a connection, of which each message has to arrive in time."""

    def __init__(
        self, connection: socket.socket, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._connection, self._clock = connection, clock
        self._deadline = clock()
        self._whole: float | None = None

    def expect(self, idle: float, whole: float) -> None:
        """Wait ``idle`` seconds for a message to begin, and from then ``whole`` for the rest."""
        self._deadline, self._whole = self._clock() + idle, whole

    def readable(self) -> bool:
        """Return True: bytes can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Read what is there, waiting for it until the time is over."""
        left = self._deadline - self._clock()
        if left <= 0:
            raise TimeoutError("the message did not arrive in time")
        self._connection.settimeout(left)
        count = self._connection.recv_into(buffer)
        if self._whole is not None:
            self._deadline, self._whole = self._clock() + self._whole, None
        return count


def hang_up(connection: socket.socket, seconds: float = 1.0) -> None:
    """Say that nothing more comes, and take what still does: over unread bytes, words are lost."""
    end = time.monotonic() + seconds
    try:
        connection.shutdown(socket.SHUT_WR)
        while (left := end - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(1 << 16):
                break
    except OSError:
        pass


def has_left(connection: socket.socket) -> bool:
    """Return whether the other side has closed the connection; reads nothing, waits for nothing."""
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(connection, selectors.EVENT_READ)
            if not selector.select(0):
                return False
        return not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True
