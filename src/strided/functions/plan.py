"""How an operation will run, asked beforehand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from strided._native import Tensor
from strided.ops.deferred import Deferred, describe


class Plan:
    """The passes over memory that a function takes, each described in words.

    >>> import strided
    >>> strided.plan(lambda x: x + 1, strided.ones(3))
    Plan of 1 pass
    """

    def __init__(self, passes: tuple[str, ...]) -> None:
        self._passes = passes

    @property
    def passes(self) -> tuple[str, ...]:
        """A text for each pass.

        >>> import strided
        >>> len(strided.plan(lambda x: x - x.mean(0, keepdim=True), strided.ones(3, 4)).passes)
        2
        """
        return self._passes

    def __str__(self) -> str:
        return "\n".join(f"pass {i}: {text}" for i, text in enumerate(self.passes, 1))

    def __repr__(self) -> str:
        return f"Plan of {len(self.passes)} pass{'es' if len(self.passes) != 1 else ''}"


def plan(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Plan:
    """Return how an elementwise function of tensors will run; nothing is computed.

    The function is what ``strided.fuse`` takes, ``lambda x, y: x + y`` in the simplest case. A pass
    tells the axes after ordering and fusing, the bytes that each operand steps along them (results
    first), which operands are turned through the cache because they run along another axis, the
    steps of computing, and into how many pieces the work is cut for threads. A function that
    returns a view of its argument is described as the copy that would make it contiguous.

    >>> import strided
    >>> x = strided.ones(6, 4)
    >>> print(strided.plan(lambda x: x * 2 + 1, x))
    pass 1: (24,) bytes to step: (4,) (4,) (0,) (0,); 1 step; 1 piece
    >>> print(strided.plan(lambda x: x.T, strided.ones(600, 400)))  # doctest: +ELLIPSIS
    pass 1: tiles: rows of 600 by columns of 400, blocks of ... elements of 4 bytes; ...
    """
    given = [Deferred.of(arg) if isinstance(arg, Tensor) else arg for arg in args]
    named = {k: Deferred.of(arg) if isinstance(arg, Tensor) else arg for k, arg in kwargs.items()}
    made = function(*given, **named)
    results = [made] if isinstance(made, Deferred) else list(made)
    return Plan(tuple(describe([value for value in results if isinstance(value, Deferred)])))
