"""Anomaly mode: which lines of the program made a graph, and whether gradients are numbers."""

from __future__ import annotations

import os
from types import TracebackType

from strided._native import watch_lines
from strided.copies.copy_log import user_frame

_detecting = False
_checks_nan = True


def numbers_wanted() -> bool:
    """Return whether gradients that are NaN raise."""
    return _detecting and _checks_nan


def user_line() -> str:
    """Return the line of the program at work: file, number and function."""
    frame = user_frame()
    code = frame.f_code
    return f"{os.path.basename(code.co_filename)}:{frame.f_lineno} in {code.co_name}"


def _detect(mode: bool, check_nan: bool) -> None:
    global _detecting, _checks_nan
    _detecting, _checks_nan = mode, check_nan
    # Each node, and each storage that is written to, then knows the line.
    watch_lines(user_line if mode else None)


class set_detect_anomaly:
    """Turn anomaly mode on or off, for good or as long as a ``with`` block lasts.

    >>> import strided
    >>> with strided.autograd.set_detect_anomaly(True):
    ...     y = strided.ones(2, requires_grad=True).exp()
    >>> y.grad_fn.line is not None
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._before = (_detecting, _checks_nan)
        _detect(mode, check_nan)

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _detect(*self._before)


class detect_anomaly(set_detect_anomaly):
    """Remember the line of each recorded operation, and raise when a gradient is NaN.

    >>> import strided
    >>> x = strided.zeros(1, requires_grad=True)
    >>> with strided.autograd.detect_anomaly():
    ...     y = x * (x / x)
    ...     try:
    ...         y.sum().backward()
    ...     except strided.GradientNotPossible as error:
    ...         "NaN" in str(error)
    True
    """

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__(True, check_nan)
