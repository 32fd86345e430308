"""Runs the ``strided`` command as a user would: in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import strided

# The package under test, wherever the process is started. Links are not followed: a build with
# sanitizers lies beside links to the Python files.
PACKAGE = str(Path(strided.__file__).absolute().parents[1])


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a command: no colours asked for or forbidden."""
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    paths = [PACKAGE, kept.get("PYTHONPATH", "")]
    return {**kept, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **changes}


def command(*arguments: str) -> list[str]:
    """Return the command line."""
    return [sys.executable, "-m", "strided.cli", *arguments]


def strided_command(
    *arguments: str, cwd: Path | None = None, **changes: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end."""
    return subprocess.run(
        command(*arguments),
        cwd=cwd,
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=300,
    )


def interrupted(cwd: Path, *arguments: str) -> tuple[int, str, str]:
    """Run the command and press Ctrl-C as soon as it has printed a line; return code and output."""
    process = subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Where the tests run in the background, Ctrl-C is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=300)
    return process.returncode, first + out, err


def script(folder: Path, text: str, name: str = "program.py") -> Path:
    """Write a program and return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path
