"""``strided trace``: runs any Python program and says what it copied, where and why."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated

import typer

import strided
from strided import CopyEvent, CopyReport
from strided.cli.output import existing_file, fail, print_table
from strided.cli.progress import progress_line
from strided.cli.run_program import exit_code, module_exists, run_program
from strided.inspect.torch_trace.places import runs_within
from strided.text import plain_table, shown_bytes


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
