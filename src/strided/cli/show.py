"""``strided demo`` and ``strided explore``: views at work, on the terminal and on a page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from strided import demo


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("demo", epilog="Example: strided demo --report demo.html")(show_demo)
    example = "Example: strided explore 'arange(24).reshape(2,3,4).transpose(0,2)[:, ::2]'"
    app.command("explore", epilog=example)(explore)


def show_demo(
    report: Annotated[
        Optional[Path],  # noqa: UP045  (typer reads it with Python 3.10 too)
        typer.Option(help="Write the model's copies and layouts to this page.", show_default=False),
    ] = None,
    views_only: Annotated[
        bool, typer.Option("--views-only", help="Leave the language model out.")
    ] = False,
) -> None:
    """Walk a batch of images through views, let a small model answer, show what is (not) copied."""
    demo.main()
    if not views_only:
        from strided.llm import experiment

        experiment.main(report)


def explore(
    expression: Annotated[str, typer.Argument(help="A chain of views to begin with.")] = "",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser.")] = True,
) -> None:
    """Open a page on this machine where a chain of views shows its layouts; Ctrl-C ends it."""
    from strided.explorer import serve

    serve(port=port, open_browser=browser, expression=expression)
