"""``strided explore``: the local web page that shows layouts step by step."""

from __future__ import annotations

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = "Example: strided explore 'arange(24).reshape(2,3,4).transpose(0,2)[:, ::2]'"
    app.command("explore", epilog=example)(explore)


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
