"""JSON fields of a request: each is taken once, with its type and range checked.

null means absent, as OpenAI's clients use it. What nobody has taken at the end is unknown.
"""

from __future__ import annotations

import math
from typing import Any

from strided.web import bad_request


class Fields:
    """The fields of a JSON object.

    >>> fields = Fields({"n": 2, "colour": "red"})
    >>> fields.integer("n", 1, 8), fields.integer("seed"), fields.left
    (2, None, ['colour'])
    """

    def __init__(self, given: dict[str, Any], owner: str = "") -> None:
        self._given = {name: value for name, value in given.items() if value is not None}
        self._owner = owner

    @property
    def left(self) -> list[str]:
        """Names of the fields that were not taken yet."""
        return list(self._given)

    def take(self, name: str) -> Any:
        """Take a field of any type; None if it is absent."""
        return self._given.pop(name, None)

    def path(self, name: str) -> str:
        """Return a field's name as it is told to the sender."""
        return f"{self._owner}.{name}" if self._owner else name

    def flag(self, name: str) -> bool:
        """Take a boolean; absent is false."""
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise wrong_type(self.path(name), "a boolean", value)
        return bool(value)

    def number(self, name: str, low: float, high: float = math.inf) -> float | None:
        """Take a number from ``low`` to ``high``."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise wrong_type(self.path(name), "a number", value)
        self._check(name, value, low, high)
        return float(value)

    def integer(self, name: str, low: int = -(1 << 63), high: int = (1 << 63) - 1) -> int | None:
        """Take an integer from ``low`` to ``high``."""
        value = self.take(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise wrong_type(self.path(name), "an integer", value)
        self._check(name, value, low, high)
        return value

    def text(self, name: str) -> str | None:
        """Take a string."""
        value = self.take(name)
        return None if value is None else as_text(value, self.path(name))

    def texts(self, name: str, most: int) -> tuple[str, ...]:
        """Take a string, or a list of up to ``most``; none may be empty."""
        value = self.take(name)
        if value is None:
            return ()
        given = value if isinstance(value, list) else [value]
        found = tuple(as_text(one, self.path(name)) for one in given)
        if len(found) > most or not all(found):
            message = (
                f"Invalid '{self.path(name)}': give at most {most} strings, none of them empty."
            )
            raise bad_request(message, self.path(name), "invalid_value")
        return found

    def object(self, name: str) -> Fields:
        """Take an object; absent is an empty one."""
        value = self.take(name)
        if value is not None and not isinstance(value, dict):
            raise wrong_type(self.path(name), "an object", value)
        return Fields(value or {}, self.path(name))

    def _check(self, name: str, value: float, low: float, high: float) -> None:
        if low <= value <= high:
            return
        near, word = (low, ">=") if value < low else (high, "<=")
        message = f"Invalid '{self.path(name)}': expected a value {word} {near}, but got {value}."
        raise bad_request(message, self.path(name), "invalid_value")


def as_text(value: Any, path: str) -> str:
    """Return a value that must be a string, and one that can be written as UTF-8."""
    if not isinstance(value, str):
        raise wrong_type(path, "a string", value)
    try:
        value.encode()
    except UnicodeEncodeError:
        message = f"Invalid '{path}': half of a surrogate pair is no character."
        raise bad_request(message, path, "invalid_value") from None
    return value


def wrong_type(path: str, expected: str, value: Any) -> Exception:
    """Return the refusal of a value of another type."""
    got = {bool: "a boolean", int: "an integer", float: "a number", str: "a string"}
    found = got.get(type(value), "an array" if isinstance(value, list) else "an object")
    message = f"Invalid type for '{path}': expected {expected}, but got {found} instead."
    return bad_request(message, path, "invalid_type")
