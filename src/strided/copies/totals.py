"""How much was copied since the library was loaded, by reason. Counting is always on."""

from __future__ import annotations

from typing import NamedTuple

from strided import _native


class CopyTotal(NamedTuple):
    """Copies for one reason since the library was loaded."""

    count: int  # type: ignore[assignment]  # hides tuple.count
    nbytes: int
    asked_for: bool
    hint: str


def copy_totals() -> dict[str, CopyTotal]:
    """Return what was copied since the library was loaded, by reason.

    >>> import strided
    >>> before = strided.copy_totals()["reshape"].count
    >>> _ = strided.zeros(2, 3).reshape(6)
    >>> _ = strided.zeros(2, 3).T.reshape(6)
    >>> strided.copy_totals()["reshape"].count - before
    1
    """
    return {
        name: CopyTotal(count, nbytes, asked_for, hint)
        for name, asked_for, _, hint, count, nbytes in _native.copy_totals()
    }
