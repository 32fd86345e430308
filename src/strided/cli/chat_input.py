"""Where the turns of a chat come from: a person with line editing, or a pipe."""

from __future__ import annotations

import contextlib
import sys

_QUOTES = '"""'


class ChatInput:
    """Reads turns from stdin: one line each, or several between triple quotes."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (input() edits lines and remembers them with it)
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")

    def turn(self) -> str | None:
        """Return the next turn, None at the end of the input."""
        line = self._line("> ")
        if line is None or not line.lstrip().startswith(_QUOTES):
            return line
        parts = [line.lstrip().removeprefix(_QUOTES)]
        while not parts[-1].rstrip().endswith(_QUOTES):
            more = self._line(". ")
            if more is None:  # nobody will close the quotes any more
                return "\n".join(parts)
            parts.append(more)
        parts[-1] = parts[-1].rstrip().removesuffix(_QUOTES)
        return "\n".join(parts).strip("\n")

    def _line(self, prompt: str) -> str | None:
        if not self.is_terminal:
            line = sys.stdin.readline()
            return line.removesuffix("\n").removesuffix("\r") if line else None
        try:
            return input(prompt)
        except EOFError:
            print()
            return None
