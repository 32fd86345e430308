"""Context managers and decorators that set a context variable.

Other threads and other asyncio tasks keep their own: the setting lives in a context variable.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from types import TracebackType
from typing import Any, TypeVar

from strided.errors import UnsupportedOperation

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
