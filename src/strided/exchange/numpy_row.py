"""One row of ``numpy_functions``: a function of NumPy's as ours, and which calls it takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_EITHER = inspect.Parameter.POSITIONAL_OR_KEYWORD


class Row:
    """A row, and which calls it takes.

    Looked up, not bound: ``Signature.bind`` takes longer than a small chunk of a dask array does.
    """

    def __init__(self, run: Callable[..., Any]) -> None:
        self.run = run
        parameters = list(inspect.signature(run).parameters.values())
        self._any = any(one.kind is one.VAR_POSITIONAL for one in parameters)
        placed = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, _EITHER)]
        self._by_place = [one.name for one in placed]
        # How many come by their place: the names that may be given, those that must.
        self._may: list[set[str]] = []
        self._must: list[set[str]] = []
        for count in range(len(placed) + 1):
            rest = [one for one in parameters if one not in placed[:count]]
            self._may.append({one.name for one in rest if one.kind in (_EITHER, one.KEYWORD_ONLY)})
            needed = (one for one in rest if one.default is one.empty)
            self._must.append({one.name for one in needed if one.kind is not one.VAR_POSITIONAL})

    def takes(self, args: tuple[Any, ...], options: dict[str, Any]) -> bool:
        """Whether every argument has a parameter and every parameter what it needs."""
        count = len(args)
        if count >= len(self._may):
            return self._any and not options
        names = options.keys()
        return names <= self._may[count] and self._must[count] <= names

    def out(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return what is to be filled, however it was given."""
        if "out" in options or "out" not in self._by_place[: len(args)]:
            return options.get("out")
        return args[self._by_place.index("out")]
