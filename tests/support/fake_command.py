"""Runs the ``strided`` command on the fake model: with pipes, or on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
from typing import Any

from support.command import environment

from .paths import TESTS


def fake_environment(**changes: str) -> dict[str, str]:
    env = environment(**changes)
    return {**env, "PYTHONPATH": os.pathsep.join([env["PYTHONPATH"], str(TESTS)])}


def fake_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "support.fake_llm", *arguments]


def started(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start the command with pipes on all sides."""
    changes = options.pop("env", {})
    return subprocess.Popen(
        fake_command(*arguments),
        env=fake_environment(**changes),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        **options,
    )


def ran(*arguments: str, given: str = "", **changes: str) -> tuple[int, str, str]:
    """Run the command to its end; return exit code, stdout and stderr."""
    process = started(*arguments, env=changes)
    out, err = process.communicate(given, timeout=120)
    return process.returncode, out, err


class Terminal:
    """The command on a terminal of its own: type, press Ctrl-C, see what is shown."""

    def __init__(self, *arguments: str, **changes: str) -> None:
        import pty

        self._parent, child = pty.openpty()
        self.shown = ""
        self._found = 0
        self.process = subprocess.Popen(
            fake_command(*arguments),
            env=fake_environment(TERM="xterm", COLUMNS="200", FAKE_LLM_TERMINAL="1", **changes),
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
        )
        os.close(child)

    def wait_for(self, text: str) -> None:
        """Read until a text is shown, behind the one that was waited for before."""
        while (at := self.shown.find(text, self._found)) < 0:
            self.shown += self._read()
        self._found = at + len(text)

    def type(self, text: str) -> None:
        os.write(self._parent, text.encode())

    def press_until(self, key: str, text: str) -> None:
        """Press a key until a text is shown: Python does not see Ctrl-C in the moment in which a
        prompt is there and the line is not yet read."""
        while self.shown.find(text, self._found) < 0:
            self.type(key)
            if select.select([self._parent], [], [], 2)[0]:
                self.shown += self._read()
        self.wait_for(text)

    def end(self) -> int:
        """Read the rest and return the exit code."""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := self._read():
                self.shown += part
        os.close(self._parent)
        return self.process.wait(timeout=60)

    def _read(self) -> str:
        assert select.select([self._parent], [], [], 60)[0], f"nothing comes after {self.shown!r}"
        return os.read(self._parent, 4096).decode(errors="replace")
