"""``copy_everything``: the library as it would be without views, for comparisons.

While it is on, the native type shows each new view to ``handed_out``. A view that the user's own
code asked for becomes a contiguous copy; views that the library makes on its way stay views, so
that kernels, assignments (``x[1:3] = y``) and in-place operations run as always. View operations
that are written in Python show what they hand out to ``results_handed_out``: one call, one copy.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from contextvars import ContextVar
from types import FrameType
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.copies.copy_log import is_ours
from strided.copies.scope import Scope

_copying: ContextVar[int] = ContextVar("strided.copy_everything", default=0)
_lock = threading.Lock()
_open = 0


def is_on() -> bool:
    """Return whether views are copied in this context."""
    return _copying.get() > 0


def _asked_by_user(frame: FrameType | None) -> bool:
    return frame is not None and not is_ours(frame)


def _copied(view: Tensor) -> Tensor:
    return view._convert(None, True, "row_major", "baseline")


def handed_out(result: Any, operands: Any) -> Any:
    """Return what the user gets for a new view, or for what an operation made of its operands."""
    if not is_on() or not _asked_by_user(sys._getframe(1)):
        return result
    if operands is None:
        return _copied(result)
    sources = operands if isinstance(operands, (tuple, list)) else [operands]
    return as_handed_out(result, [one for one in sources if isinstance(one, Tensor)])


def as_handed_out(result: Any, sources: Sequence[Tensor]) -> Any:
    """Return a function's result, with copies in the place of views of its sources."""
    if not is_on():
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
