"""The ``strided`` command: ``main`` is its entry point.

Nothing else of this package is imported before it is known that typer and rich are there.
"""

from __future__ import annotations

import importlib
import sys


def main() -> int:
    """Run the command with the arguments of the process and return its exit code.

    0 is success, 1 a problem, 2 wrong usage or something missing; a traced program's code is kept.
    """
    missing = [name for name in ("typer", "rich") if not _can_import(name)]
    if missing:
        print(
            f"strided: the command needs {' and '.join(missing)}: pip install strided[cli]",
            file=sys.stderr,
        )
        return 2
    from strided.cli.app import run

    return run(sys.argv[1:])


def _can_import(name: str) -> bool:
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True
