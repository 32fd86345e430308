"""The commands of ``strided``, and how every one of them ends."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Optional

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
    trace_program,
)
from strided.cli.help_text import HELP_OPTIONS, Group, add_command, examples
from strided.cli.names import meant_by

app = typer.Typer(
    name="strided",
    cls=Group,
    help="Run language models, see copies, look into files, explore layouts, measure.",
    epilog=examples("strided demo", "strided trace train.py", "strided --install-completion"),
    no_args_is_help=True,
    # A traced program's errors are its own, and ours are short messages.
    pretty_exceptions_enable=False,
    context_settings=HELP_OPTIONS,
)


def show_demo(
    views_only: Annotated[
        bool, typer.Option("--views-only", help="Leave the language model out.")
    ] = False,
) -> None:
    """Walk a batch of images through views, let a small model answer, show what is (not) copied."""
    from strided import demo

    demo.main()
    if not views_only:
        demo.answer()


def explore(
    expression: Annotated[str, typer.Argument(help="A chain of views to begin with.")] = "",
    port: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one."),
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
    write: Annotated[
        Optional[Path],  # noqa: UP045  (typer reads it with Python 3.10 too)
        typer.Option(
            metavar="FOLDER",
            help="Write the page without a server into this folder, for any static host.",
        ),
    ] = None,
) -> None:
    """Open a page on this machine where a chain of views shows its layouts; Ctrl-C ends it."""
    if write is not None:
        from strided.explorer.static_page import write_static_page

        print(f"wrote {write_static_page(write)}")
        return
    from strided.explorer import serve

    serve(port=port, open_browser=browser, expression=expression)


add_command(app, "demo", show_demo, "strided demo", "strided demo --report demo.html")
add_command(
    app,
    "explore",
    explore,
    "strided explore 'arange(24).reshape(2,3,4).transpose(0,2)[:, ::2]'",
    "strided explore 'np.arange(12).reshape(3, 4).T'",
    "strided explore --write site/explorer",
)
for module in (generate, chat, serve, models, inspect_file, trace_program, bench, doctor):
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
    except strided.StridedError as error:
        question = meant_by(error)
        print(f"strided: {error}" + (f"\n  {question}" if question else ""), file=sys.stderr)
        return 1
    except OSError as error:
        print(f"strided: {error}", file=sys.stderr)
        return 1
    return 0
