"""Contexts: trace or forbid the copies of a piece of code, or have it copy every view.

Settings live in context variables: other threads and other asyncio tasks keep their own.

While ``copy_everything`` is on, the native type shows each new view to ``handed_out``. A view that
the user's own code asked for becomes a contiguous copy; views that the library makes on its way
stay views, so that kernels, assignments (``x[1:3] = y``) and in-place operations run as always.
View operations that are written in Python show what they hand out to ``as_handed_out``: one call,
one copy.
"""

from __future__ import annotations

import functools
import inspect
import sys
import threading
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from strided import _native
from strided._native import Tensor
from strided.copies import copy_log
from strided.copies.copy_log import is_ours
from strided.errors import InvalidArgument, UnsupportedOperation

if TYPE_CHECKING:
    from strided.copies.report import CopyEvent, CopyReport


# ---- a setting that holds for a piece of code ----

Function = TypeVar("Function", bound=Callable[..., Any])


class Scope:
    """A context manager and decorator that raises a context variable to a level."""

    def __init__(
        self,
        name: str,
        variable: ContextVar[int],
        level: int,
        begin: Callable[[], None],
        end: Callable[[], None],
    ) -> None:
        self._name, self._variable, self._level = name, variable, level
        self._begin, self._end = begin, end
        self._before: list[int] = []

    def __enter__(self) -> None:
        before = self._variable.get()
        self._begin()
        self._before.append(before)
        self._variable.set(max(before, self._level))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._variable.set(self._before.pop())
        self._end()

    def _again(self) -> Scope:
        return Scope(self._name, self._variable, self._level, self._begin, self._end)

    def __call__(self, function: Function) -> Function:
        wrapper: Any
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise UnsupportedOperation(
                operation=f"@{self._name}() on a generator function",
                reason="between two yields other code runs, which the setting must not reach",
                hint=f"write `with strided.{self._name}():` around the parts between the yields",
            )
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def wrapper(*args: Any, **options: Any) -> Any:
                with self._again():
                    return await function(*args, **options)

        else:

            @functools.wraps(function)
            def wrapper(*args: Any, **options: Any) -> Any:
                with self._again():
                    return function(*args, **options)

        return wrapper  # type: ignore[no-any-return]


# ---- trace and forbid copies ----


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


# ---- every view a copy ----

_copying: ContextVar[int] = ContextVar("strided.copy_everything", default=0)
_lock = threading.Lock()
_open = 0


def views_are_copied() -> bool:
    """Return whether views are copied in this context."""
    return _copying.get() > 0


def _asked_by_user(frame: FrameType | None) -> bool:
    return frame is not None and not is_ours(frame)


def _copied(view: Tensor) -> Tensor:
    return view._convert(None, True, "row_major", "baseline")


def handed_out(result: Any, operands: Any) -> Any:
    """Return what the user gets for a new view, or for what an operation made of its operands."""
    if not views_are_copied() or not _asked_by_user(sys._getframe(1)):
        return result
    if operands is None:
        return _copied(result)
    sources = operands if isinstance(operands, (tuple, list)) else [operands]
    return as_handed_out(result, [one for one in sources if isinstance(one, Tensor)])


def as_handed_out(result: Any, sources: Sequence[Tensor]) -> Any:
    """Return a function's result, with copies in the place of views of its sources."""
    if not views_are_copied():
        return result
    if isinstance(result, (tuple, list)):
        return type(result)(as_handed_out(one, sources) for one in result)
    known = {_native.storage_pointer(source) for source in sources}
    is_view = _native.storage_pointer(result) in known
    itself = any(result is source for source in sources)
    return _copied(result) if is_view and not itself else result


def _begin() -> None:
    global _open
    with _lock:
        _open += 1
        _native.watch_views(handed_out)


def _end() -> None:
    global _open
    with _lock:
        _open -= 1
        _native.watch_views(handed_out if _open else None)


def copy_everything() -> Scope:
    """Make every view operation a contiguous copy, in a ``with`` block or decorated function.

    The honest "before": the same program on the same kernels, without views. Each copy is logged as
    ``baseline``. What the user's code asks for is copied (slices, transposes, reshapes, pieces,
    rows of an iteration); ``x[1:3] = y`` and in-place operations on ``x`` still write to ``x``, but
    writing to the result of a view operation no longer reaches the tensor it was made from. It
    holds for this thread (this task of asyncio).

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> with strided.copy_everything(), strided.trace_copies() as report:
    ...     y = x.T[1:]
    ...     x[0] = 7
    >>> [event.reason for event in report.events], y.tolist(), x.tolist()
    (['baseline', 'baseline'], [[1, 4], [2, 5]], [[7, 7, 7], [3, 4, 5]])
    """
    return Scope("copy_everything", _copying, 1, _begin, _end)
