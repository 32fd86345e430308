"""Which line of the user's program is at work: the innermost frame that is not ours."""

from __future__ import annotations

import sys
from types import FrameType

# These use public names only, like any program: what they copy is theirs.
_PROGRAMS = ("strided.cli", "strided.demo", "strided.llm")


def is_ours(frame: FrameType) -> bool:
    """Return whether a frame runs code of this library."""
    name = frame.f_globals.get("__name__") or ""
    if name != "strided" and not name.startswith("strided."):
        return False
    return not any(name == room or name.startswith(room + ".") for room in _PROGRAMS)


def user_frame() -> FrameType:
    """Return the innermost frame outside the library, the outermost one if there is none."""
    frame = sys._getframe(1)
    while is_ours(frame) and frame.f_back is not None:
        frame = frame.f_back
    return frame
