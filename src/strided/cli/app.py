"""The commands of ``strided``, and how every one of them ends."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import strided
from strided.cli import (
    bench,
    chat,
    doctor,
    generate,
    inspect_file,
    models,
    serve,
    show,
    trace_program,
)

app = typer.Typer(
    name="strided",
    help="Run language models, see copies, look into files, explore layouts, measure.",
    no_args_is_help=True,
    add_completion=False,
    # A traced program's errors are its own, and ours are short messages.
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (show, generate, chat, serve, models, inspect_file, trace_program, bench, doctor):
    module.add_to(app)


@app.callback(invoke_without_command=True)
def _options(
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        print(f"strided {strided.__version__}")
        raise typer.Exit()


def run(arguments: list[str]) -> int:
    """Run the command; errors that a user can cause become a message and an exit code."""
    try:
        app(args=arguments, prog_name="strided")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(bool(end.code))
    except strided.MissingExtra as error:
        print(f"strided: {error}", file=sys.stderr)
        return 2
    except (strided.StridedError, OSError) as error:
        print(f"strided: {error}", file=sys.stderr)
        return 1
    return 0
