"""Trace or forbid the copies of a piece of code."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import TYPE_CHECKING

from strided.copies import copy_log
from strided.copies.scope import Scope
from strided.errors import InvalidArgument, UnsupportedOperation

if TYPE_CHECKING:
    from strided.copies.report import CopyEvent, CopyReport


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
        from strided.copies.report import CopyReport

        self.report = CopyReport()
        copy_log.watch(self)
        return self.report

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        copy_log.unwatch(self)

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


def no_copies(implicit_only: bool = True) -> Scope:
    """Raise CopyForbidden at the first copy in a ``with`` block or decorated function.

    Only copies that nobody asked for are refused; with ``implicit_only=False`` all are, clones and
    assignments too. The refused operation has done nothing: its target is as it was. The ban holds
    for this thread (this task of asyncio), and nothing inside can lift it.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> try:
    ...     with strided.no_copies():
    ...         y = x.T.clone()
    ...         x.T.reshape(6)
    ... except strided.CopyForbidden as error:
    ...     error.what
    'reshape would copy 48 bytes: (3, 2):(1, 3)+0 int64 to (3, 2):(2, 1)+0 int64'
    >>> @strided.no_copies(implicit_only=False)
    ... def total(x):
    ...     return x.T.sum().item()
    >>> total(x)
    15
    """
    if not isinstance(implicit_only, bool):
        raise InvalidArgument(
            argument="implicit_only",
            got=repr(implicit_only),
            requirement="is True or False; as a decorator write @no_copies()",
        )
    level = copy_log.NO_IMPLICIT if implicit_only else copy_log.NONE_AT_ALL
    return Scope("no_copies", copy_log.forbidden, level, copy_log.watch, copy_log.unwatch)
