"""``strided demo``: the walk through views that ``make demo`` shows."""

from __future__ import annotations

import typer

from strided import demo


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog="Example: strided demo")(show_demo)


def show_demo() -> None:
    """Walk a batch of images through views and show what is (not) copied."""
    demo.main()
