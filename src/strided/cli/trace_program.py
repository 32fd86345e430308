"""``strided trace``: runs any Python program and says what it copied, where and why."""

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
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import TracebackType
from typing import IO, Annotated, Any

import typer

import strided
from strided import CopyEvent, CopyReport
from strided.cli.output import INTERRUPTED, existing_file, fail, print_table
from strided.text import plain_table, shown_bytes

_HERE = os.path.abspath(__file__)
INTERVAL = 0.2
_WIPE = "\r\x1b[2K"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = (
        "Examples: strided trace train.py --epochs 1 | strided trace -m package.module | "
        "strided trace --output copies.html train.py"
    )
    # Everything behind the program's name belongs to the program.
    settings = {"allow_interspersed_args": False}
    app.command("trace", epilog=example, context_settings=settings)(trace)


def trace(
    program: Annotated[str, typer.Argument(help="A script, or a module after -m.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="Arguments of the program.")] = None,
    is_module: Annotated[
        bool, typer.Option("-m", help="PROGRAM is a module, as in python -m.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="File for the report: .json, .html or text."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON (on stderr).")
    ] = False,
    user: Annotated[
        bool,
        typer.Option("--user", help="Name lines of your own files, not of installed packages."),
    ] = False,
    within: Annotated[
        str | None,
        typer.Option(metavar="FUNCTION", help="Count only what is copied while FUNCTION runs."),
    ] = None,
    by_module: Annotated[
        bool, typer.Option("--by-module", help="Also a table by module of a PyTorch model.")
    ] = False,
    hidden: Annotated[
        bool, typer.Option("--hidden", help="Report only copies that nobody asked for.")
    ] = False,
) -> None:
    """Run a Python program and report what it copied, by line and by reason.

    The program's output and exit code are its own; the report goes to stderr when it ends, also
    when it fails or is interrupted. Copies of PyTorch tensors are seen too. Exit code 2: there is
    no such program.
    """
    if is_module and not module_exists(program):
        fail(f"no module named {program}")
    if not is_module and not os.path.isdir(program):
        existing_file(Path(program))
    target = output and output.absolute()
    if target is not None and not target.parent.is_dir():
        fail(f"no such folder: {target.parent}")
    stderr = sys.stderr
    with ExitStack() as stack:
        report = stack.enter_context(strided.trace_copies())
        if within is not None:
            _keep_within(report, within)
        stack.enter_context(
            strided.inspect.trace_torch(report, user=user, within=within, wait=True)
        )
        stack.enter_context(progress_line(report))
        ended_with = run_program(program, arguments or [], is_module)
    code = exit_code(ended_with)
    sys.stderr = stderr  # the program may have put its own in place
    with suppress(OSError):  # nobody may be reading its output any more
        sys.stdout.flush()
    if hidden:
        report = CopyReport(event for event in report.events if not event.asked_for)
    _show(report, target, as_json, by_module)
    raise typer.Exit(code)


def _keep_within(report: CopyReport, function: str) -> None:
    """Let a report take only what is added while a function of that name runs."""
    from strided.inspect.torch_copies import runs_within

    add: Callable[[CopyEvent], None] = report.add

    def add_within(event: CopyEvent) -> None:
        if runs_within(sys._getframe(1), function):
            add(event)

    report.add = add_within  # type: ignore[method-assign]


# ---- the report ----


def _show(report: CopyReport, target: Path | None, as_json: bool, by_module: bool) -> None:
    if target is not None:
        target.write_text(_written(report, target.suffix, by_module), encoding="utf-8")
        print(f"strided: {report!r} in {target}", file=sys.stderr)
    elif as_json:
        print(report.to_json(), file=sys.stderr)
    else:
        from rich.console import Console

        console = Console(stderr=True)
        if console.is_terminal:
            console.print(report)
        else:
            print(report, file=sys.stderr)
        if by_module:
            print(file=sys.stderr)
            print_table(*_module_table(report), to_stderr=True)


def _written(report: CopyReport, suffix: str, by_module: bool) -> str:
    if suffix == ".json":
        return report.to_json()
    if suffix in (".html", ".htm"):
        return report.to_html()
    tables = [str(report), *([plain_table(*_module_table(report))] if by_module else [])]
    return "\n\n".join(tables) + "\n"


def _module_table(report: CopyReport) -> tuple[list[str], list[list[str]], list[str]]:
    """Return the copies of each module and line, in the order in which they were made."""
    found: dict[tuple[str, str, str], list[int]] = {}
    for event in report.events:
        module = getattr(event, "module", "")
        found.setdefault((module, event.line, event.reason), []).append(event.nbytes)
    rows = [
        [str(len(sizes)), shown_bytes(sum(sizes)), module or "-", line, reason]
        for (module, line, reason), sizes in found.items()
    ]
    return ["copies", "bytes", "module", "line", "reason"], rows, ["copies", "bytes"]


# ---- the program, run inside this process as ``python`` would ----
# It has its argv, path, ``__main__`` and exit code. Everything that is changed for it is put back
# afterwards.


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


# ---- the progress line: how many copies there were so far; only on a terminal ----
# The program's output has the terminal first: the line is wiped before Python writes, is drawn only
# where the program has ended its own line, and waits while the program asks for input.


class _Passing:
    """A stream of the program that wipes the line before each write."""

    def __init__(self, stream: IO[str], line: ProgressLine) -> None:
        self._stream, self._line = stream, line

    def write(self, text: str) -> int:
        with self._line.lock:
            self._line.wipe()
            if text:
                self._line.at_start = text.endswith("\n")
            return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class ProgressLine:
    """The line: drawn from a thread of its own, wiped by whoever writes."""

    def __init__(self, report: CopyReport, terminal: IO[str], width: int) -> None:
        self.lock = threading.RLock()
        self.at_start = True
        self._report, self._terminal, self._width = report, terminal, width
        self._drawn = self._asleep = False
        self._seen = self._bytes = 0

    def draw(self) -> None:
        """Draw the line with the numbers of now."""
        with self.lock:
            if not self.at_start or self._asleep:
                return
            # Only what is new is added up: a report may grow long.
            events = self._report.events
            new = events[self._seen :]
            self._seen += len(new)
            self._bytes += sum(event.nbytes for event in new)
            copies = "1 copy" if self._seen == 1 else f"{self._seen} copies"
            text = f"tracing: {copies}, {shown_bytes(self._bytes)}"
            self._terminal.write(_WIPE + text[: self._width - 1])
            self._terminal.flush()
            self._drawn = True

    def wipe(self) -> None:
        """Take the line away."""
        if self._drawn:
            self._terminal.write(_WIPE)
            self._terminal.flush()
            self._drawn = False

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Draw nothing meanwhile."""
        with self.lock:
            self.wipe()
            self._asleep = True
        try:
            yield
        finally:
            with self.lock:
                self._asleep = False


@contextmanager
def progress_line(report: CopyReport) -> Iterator[None]:
    """Show the line while a block runs, if stderr is a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield
        return
    line = ProgressLine(report, sys.stderr, console.width)
    ended = threading.Event()

    def keep_drawing() -> None:
        while not ended.wait(INTERVAL):
            line.draw()

    def ask(prompt: object = "", /) -> str:
        with line.asleep():
            return ask_before(prompt)

    drawer = threading.Thread(target=keep_drawing, name="strided progress", daemon=True)
    before, ask_before = (sys.stdout, sys.stderr), builtins.input
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream.isatty():
            setattr(sys, name, _Passing(stream, line))
    builtins.input = ask
    drawer.start()
    try:
        yield
    finally:
        ended.set()
        drawer.join()
        line.wipe()
        sys.stdout, sys.stderr = before
        builtins.input = ask_before
