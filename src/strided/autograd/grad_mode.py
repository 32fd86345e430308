"""Whether operations are recorded, one switch per thread; with their lines in anomaly mode."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, TypeVar, cast

from strided._native import grad_mode, set_grad_mode, watch_lines
from strided.copies.copy_log import user_frame

F = TypeVar("F", bound=Callable[..., Any])


class GradMode:
    """A context manager and decorator that sets the switch and sets it back."""

    _on: bool

    def __new__(cls, *given: Any, **named: Any) -> Any:
        if given and callable(given[0]):  # @no_grad without a call
            return cls()(given[0])
        return super().__new__(cls)

    def __init__(self) -> None:
        self._before: list[bool] = []

    def _again(self) -> GradMode:
        return type(self)()

    def __enter__(self) -> None:
        self._before.append(set_grad_mode(self._on))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        set_grad_mode(self._before.pop())

    def __call__(self, function: F) -> F:
        """Decorate a function or generator function: the switch is set while its code runs."""
        if inspect.isgeneratorfunction(function):
            return cast(F, self._generating(function))

        @functools.wraps(function)
        def switched(*args: Any, **kwargs: Any) -> Any:
            with self._again():
                return function(*args, **kwargs)

        return cast(F, switched)

    def _generating(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def switched(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            generator = function(*args, **kwargs)
            sent: Any = None
            raised: BaseException | None = None
            try:
                while True:
                    with self._again():
                        try:
                            if raised is not None:
                                value = generator.throw(raised)
                            else:
                                value = generator.send(sent)
                        except StopIteration as end:
                            return end.value
                    sent = raised = None
                    try:
                        sent = yield value
                    except GeneratorExit:
                        raise
                    except BaseException as error:
                        raised = error
            finally:
                with self._again():
                    generator.close()

        return switched


class no_grad(GradMode):
    """Record nothing: in a ``with`` block or a decorated function. Results are plain tensors.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> with strided.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    _on = False


class enable_grad(GradMode):
    """Record again, inside ``no_grad()``: in a ``with`` block or a decorated function.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> with strided.no_grad(), strided.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    _on = True


class inference_mode(GradMode):
    """Record nothing, as ``no_grad()`` does; ``mode=False`` records.

    >>> import strided
    >>> x = strided.ones(2, requires_grad=True)
    >>> with strided.inference_mode():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __init__(self, mode: bool = True) -> None:
        super().__init__()
        self._on = not mode

    def _again(self) -> GradMode:
        return inference_mode(not self._on)


class set_grad_enabled(GradMode):
    """Record or not, from now on or as long as a ``with`` block or decorated function lasts.

    >>> import strided
    >>> with strided.set_grad_enabled(False):
    ...     strided.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        super().__init__()
        self._on = bool(mode)
        self._before.append(set_grad_mode(self._on))

    def __enter__(self) -> None:
        return None

    def _again(self) -> GradMode:
        return set_grad_enabled(self._on)

    def __call__(self, function: F) -> F:
        """Decorate a function; outside of it the switch is as it was."""
        set_grad_mode(self._before[-1])
        return super().__call__(function)


def is_grad_enabled() -> bool:
    """Return whether operations are recorded in this thread.

    >>> import strided
    >>> strided.is_grad_enabled()
    True
    """
    return grad_mode()


# ---- anomaly mode: which lines made a graph, and whether gradients are numbers ----

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
