"""What a piece of code copies: every event of the door, kept in a report."""

from __future__ import annotations

import threading
from types import TracebackType

from strided.copies import door
from strided.copies.report import CopyEvent, CopyReport
from strided.errors import InvalidArgument, UnsupportedOperation


class Trace:
    """The context manager behind ``trace_copies``."""

    def __init__(self, threads: str) -> None:
        self._threads = threads
        self._own: int | None = None
        self.report: CopyReport | None = None

    def __enter__(self) -> CopyReport:
        if self.report is not None:
            raise UnsupportedOperation(
                operation="entering a trace twice",
                reason="it has its report already",
                hint="call strided.trace_copies() again",
            )
        self._own = threading.get_ident() if self._threads == "current" else None
        self.report = CopyReport()
        door.watch(self)
        return self.report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        door.unwatch(self)

    def see(self, event: CopyEvent, thread: int) -> None:
        """Keep an event, unless it belongs to another thread than asked for."""
        if self.report is not None and (self._own is None or thread == self._own):
            self.report.add(event)


def trace_copies(threads: str = "all") -> Trace:
    """Record every copy that is made inside a ``with`` block, with its reason, line and hint.

    Copies of all threads are seen, or only those of this one with ``threads="current"``; what a
    kernel does on worker threads belongs to the thread that called it. Traces nest, and each sees
    everything.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> with strided.trace_copies() as report:
    ...     y = x.T[::-1]
    ...     z = y.reshape(6)
    >>> report.count, report.bytes, report.events[0].reason, report.events[0].lineno
    (1, 48, 'reshape', 3)
    """
    if threads not in ("all", "current"):
        raise InvalidArgument(
            argument="threads", got=repr(threads), requirement="is 'all' or 'current'"
        )
    return Trace(threads)
