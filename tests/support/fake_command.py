"""Runs the ``strided`` command on the fake model: with pipes, or on a terminal of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.command import environment

_TESTS = str(Path(__file__).parents[1])


def fake_environment(**changes: str) -> dict[str, str]:
    env = environment(**changes)
    return {**env, "PYTHONPATH": os.pathsep.join([env["PYTHONPATH"], _TESTS])}


def fake_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "support.fake_llm", *arguments]


def started(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    """Start the command with pipes on all sides; Ctrl-C works as in the foreground."""
    changes = options.pop("env", {})
    return subprocess.Popen(
        fake_command(*arguments),
        env=fake_environment(**changes),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
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
        self.process = subprocess.Popen(
            fake_command(*arguments),
            env=fake_environment(TERM="xterm", COLUMNS="200", **changes),
            stdin=child,
            stdout=child,
            stderr=child,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(child)

    def wait_for(self, text: str) -> None:
        """Read until a text is shown that was not there before."""
        begin = len(self.shown)
        while text not in self.shown[begin:]:
            self.shown += os.read(self._parent, 4096).decode(errors="replace")

    def type(self, text: str) -> None:
        os.write(self._parent, text.encode())

    def end(self) -> int:
        """Read the rest and return the exit code."""
        with contextlib.suppress(OSError):  # the other end is closed
            while part := os.read(self._parent, 4096):
                self.shown += part.decode(errors="replace")
        os.close(self._parent)
        return self.process.wait(timeout=60)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)  # so that a typed Ctrl-C becomes a signal
    signal.signal(signal.SIGINT, signal.SIG_DFL)
