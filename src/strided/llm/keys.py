"""Typed lookups in a configuration that somebody else wrote."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any, NoReturn, overload

import strided


class Keys:
    """The keys of a configuration; a value of another type than asked for is refused by name.

    >>> Keys({"layers": 2}, "config.json").whole("layers")
    2
    """

    def __init__(self, values: Mapping[str, Any], source: str) -> None:
        self.values, self.source = values, source

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def refuse(self, key: str, requirement: str) -> NoReturn:
        """Raise InvalidArgument about a key."""
        got = repr(self.values[key])[:60] if key in self.values else "missing"
        raise strided.InvalidArgument(
            argument=f"{key} in {self.source}", got=got, requirement=requirement
        )

    @overload
    def whole(self, key: str, /) -> int: ...
    @overload
    def whole(self, key: str, default: None, /) -> int | None: ...
    @overload
    def whole(self, key: str, default: int, /) -> int: ...
    def whole(self, key: str, /, *default: int | None) -> int | None:
        """Return a whole number."""
        if key not in self and default:
            return default[0]
        value = self.values.get(key)
        if type(value) is not int:
            self.refuse(key, "must be a whole number")
        return value

    def real(self, key: str, default: float) -> float:
        """Return a number."""
        if key not in self:
            return default
        value = self.values[key]
        if type(value) not in (int, float) or abs(value) > 1e300 or not isfinite(value):
            self.refuse(key, "must be a finite number")
        return float(value)

    def flag(self, key: str, default: bool) -> bool:
        """Return True or False."""
        if key not in self:
            return default
        value = self.values[key]
        if type(value) is not bool:
            self.refuse(key, "must be true or false")
        return value

    def text(self, key: str, default: str) -> str:
        """Return a text."""
        if key not in self:
            return default
        value = self.values[key]
        if not isinstance(value, str):
            self.refuse(key, "must be a text")
        return value

    def tokens(self, key: str) -> tuple[int, ...]:
        """Return the numbers of tokens: one number, a list of them, or nothing."""
        if key not in self:
            return ()
        value = self.values[key]
        found = value if isinstance(value, list) else [value]
        if not all(type(token) is int and token >= 0 for token in found):
            self.refuse(key, "must be the number of a token, or a list of them")
        return tuple(dict.fromkeys(found))
