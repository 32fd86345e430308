"""Whether operations are recorded: one switch per thread."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from types import TracebackType
from typing import Any, TypeVar, cast

from strided._native import grad_mode, set_grad_mode

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
