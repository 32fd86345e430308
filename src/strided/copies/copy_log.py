"""The copy log: what happens when elements are about to be duplicated.

The native log calls ``copy_seen``. A ban is asked first, so that a forbidden copy is neither made
nor counted. The log is watched only while somebody traces or forbids; otherwise a copy costs one
test of a flag.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, get_ident  # threading would be loaded for these two
from contextvars import ContextVar
from types import FrameType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from strided import _native
from strided._native import Layout
from strided.errors import CopyForbidden

if TYPE_CHECKING:
    from strided.copies.report import CopyEvent

# ---- whose line it is ----

# These use public names only, like any program: what they copy is theirs.
_PROGRAMS = ("strided.cli", "strided.demo", "strided.llm")


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame runs code of this library."""
    name = frame.f_globals.get("__name__") or ""
    if name != "strided" and not name.startswith("strided."):
        return False
    return not any(name == one or name.startswith(one + ".") for one in _PROGRAMS)


def user_frame() -> FrameType:
    """Return the innermost frame outside the library, the outermost one if there is none."""
    frame = sys._getframe(1)
    while is_ours(frame) and frame.f_back is not None:
        frame = frame.f_back
    return frame


# ---- who watches ----


class Watcher(Protocol):
    """Who wants to see copies."""

    def see(self, event: CopyEvent, thread: int) -> None:
        """Take notice of a copy that is made now, by a thread."""


class Reason:
    """One row of the native table of reasons."""

    __slots__ = ("asked_for", "hint", "name", "why")

    def __init__(self, name: str, asked_for: bool, why: str, hint: str) -> None:
        self.name, self.asked_for, self.why, self.hint = name, asked_for, why, hint


REASONS = [Reason(*row[:4]) for row in _native.copy_totals()]

# What is forbidden in this context: nothing, copies that nobody asked for, or all.
ALLOWED, NO_IMPLICIT, NONE_AT_ALL = range(3)
forbidden: ContextVar[int] = ContextVar("strided.no_copies", default=ALLOWED)

_lock = allocate_lock()
_watchers: tuple[Watcher, ...] = ()
_open = 0


def watch(watcher: Watcher | None = None) -> None:
    """Have the native log report copies, and show them to a watcher."""
    global _open, _watchers
    with _lock:
        _open += 1
        if watcher is not None:
            _watchers = (*_watchers, watcher)
        _native.watch_copies(copy_seen)


def unwatch(watcher: Watcher | None = None) -> None:
    """Undo one ``watch``."""
    global _open, _watchers
    with _lock:
        _open -= 1
        if watcher is not None:
            _watchers = tuple(other for other in _watchers if other is not watcher)
        _native.watch_copies(copy_seen if _open else None)


def copy_seen(
    number: int, nbytes: int, source: Layout, source_dtype: str, target: Layout, target_dtype: str
) -> None:
    """Refuse a copy, or show it to all watchers (the native log calls this before a copy)."""
    __tracebackhide__ = True  # pytest then ends at the line that copies
    reason = REASONS[number]
    ban = forbidden.get()
    refused = ban == NONE_AT_ALL or (ban == NO_IMPLICIT and not reason.asked_for)
    if not refused and not _watchers:
        return
    frame = user_frame()
    code = frame.f_code
    if refused:
        from strided.copies.report import cell_of

        file = cell_of(code.co_filename) or os.path.basename(code.co_filename)
        raise CopyForbidden(
            what=f"{reason.name} would copy {nbytes} bytes: {source} {source_dtype} "
            f"to {target} {target_dtype}",
            why=reason.why,
            where=f"{file}:{frame.f_lineno} in {code.co_name}",
            hint=reason.hint,
            reason=reason.name,
            nbytes=nbytes,
            filename=code.co_filename,
            lineno=frame.f_lineno,
        )
    from threading import current_thread

    from strided.copies.report import CopiedElements, CopyEvent

    event = CopyEvent(
        reason=reason.name,
        nbytes=nbytes,
        asked_for=reason.asked_for,
        hint=reason.hint,
        source=CopiedElements(source, source_dtype),
        target=CopiedElements(target, target_dtype),
        filename=code.co_filename,
        lineno=frame.f_lineno,
        function=code.co_name,
        thread=current_thread().name,
    )
    for watcher in _watchers:
        watcher.see(event, get_ident())


# ---- how much, since the library was loaded ----


class CopyTotal(NamedTuple):
    """Copies for one reason since the library was loaded."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    nbytes: int
    asked_for: bool
    hint: str


def copy_totals() -> dict[str, CopyTotal]:
    """Return what was copied since the library was loaded, by reason.

    >>> import strided
    >>> before = strided.copy_totals()["reshape"].count
    >>> _ = strided.zeros(2, 3).reshape(6)
    >>> _ = strided.zeros(2, 3).T.reshape(6)
    >>> strided.copy_totals()["reshape"].count - before
    1
    """
    return {
        name: CopyTotal(count, nbytes, asked_for, hint)
        for name, asked_for, _, hint, count, nbytes in _native.copy_totals()
    }
