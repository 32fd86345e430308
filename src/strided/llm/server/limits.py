"""How much may clients ask of a server before it says no?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a server takes on; times are in seconds.

    ``waiting`` counts answers in line beside those being written, ``choices`` the answers of one
    request, ``message`` is for a whole request to arrive, ``idle`` for the next one to begin.

    >>> Limits(waiting=8).waiting
    8
    """

    body: int = 4 << 20
    waiting: int = 64
    connections: int = 256
    choices: int = 16
    message: float = 20.0
    idle: float = 60.0
    write: float = 30.0
