"""Program runner: runs a program inside this process as ``python`` would.

It has its argv, path, ``__main__`` and exit code.

Everything that is changed for the program is put back afterwards.
"""

from __future__ import annotations

import builtins
import importlib.util
import io
import os
import runpy
import sys
import threading
import types
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from types import TracebackType

INTERRUPTED = 130  # what a shell reports for Ctrl-C
_HERE = os.path.abspath(__file__)


def run_program(target: str, arguments: list[str], is_module: bool) -> BaseException | None:
    """Run a script, a folder, a zip file or a module; return the exception it ended with, if any.

    Threads of the program have ended as well, but for daemons.
    """
    ended_with: BaseException | None = None
    with _as_main(target, arguments, is_module):
        try:
            try:
                _run(target, is_module)
            finally:
                _join_threads()
        except BaseException as error:  # SystemExit and KeyboardInterrupt are ends like any other
            ended_with = error
    return ended_with


def exit_code(ended_with: BaseException | None) -> int:
    """Return the exit code of a program that ended so, after printing what Python would print.

    >>> exit_code(None), exit_code(SystemExit(3)), exit_code(SystemExit())
    (0, 3, 0)
    """
    if ended_with is None:
        return 0
    if isinstance(ended_with, SystemExit):
        if ended_with.code is None or isinstance(ended_with.code, int):
            return (ended_with.code or 0) & 0xFF
        print(ended_with.code, file=sys.stderr)
        return 1
    if isinstance(ended_with, KeyboardInterrupt):
        return INTERRUPTED
    own = ended_with.with_traceback(_own_part(ended_with.__traceback__))
    sys.excepthook(type(own), own, own.__traceback__)
    return 1


def module_exists(name: str) -> bool:
    """Return whether ``python -m name`` would find something to run."""
    with _as_main(name, [], is_module=True):
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False


def _run(target: str, is_module: bool) -> None:
    if is_module:
        runpy.run_module(target, run_name="__main__", alter_sys=True)
    elif _holds_main(target):
        runpy.run_path(target, run_name="__main__")
    else:
        # runpy would give __main__ back before the program's threads have ended.
        main = sys.modules["__main__"]
        filename = os.path.abspath(target)
        main.__file__ = filename
        main.__loader__ = SourceFileLoader("__main__", filename)
        with io.open_code(filename) as file:
            code = compile(file.read(), filename, "exec", dont_inherit=True)
        exec(code, main.__dict__)


def _holds_main(path: str) -> bool:
    return os.path.isdir(path) or path.endswith(".pyc") or zipfile.is_zipfile(path)


def _join_threads() -> None:
    known = (threading.current_thread(), threading.main_thread())
    for thread in threading.enumerate():
        if thread not in known and not thread.daemon:
            thread.join()


def _own_part(traceback: TracebackType | None) -> TracebackType | None:
    """Return a traceback without the frames that started the program."""
    while traceback is not None:
        filename = traceback.tb_frame.f_code.co_filename
        if os.path.abspath(filename) != _HERE and "runpy" not in os.path.basename(filename):
            break
        traceback = traceback.tb_next
    return traceback


@contextmanager
def _as_main(target: str, arguments: list[str], is_module: bool) -> Iterator[None]:
    main = types.ModuleType("__main__")
    main.__dict__.update(__builtins__=builtins, __spec__=None)
    before = sys.argv, sys.path, sys.modules["__main__"]
    path = os.path.abspath(target)
    folder = os.getcwd() if is_module else path if _holds_main(path) else os.path.dirname(path)
    sys.argv = [target, *arguments]
    if not getattr(sys.flags, "safe_path", False):
        sys.path = [folder, *sys.path[1:]]
    sys.modules["__main__"] = main
    try:
        yield
    finally:
        sys.argv, sys.path, sys.modules["__main__"] = before
