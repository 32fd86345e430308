"""``strided demo``: the walk through views that ``make demo`` shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

from strided import demo


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("demo", epilog="Example: strided demo --report demo.html")(show_demo)


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
        from strided.llm import demo as llm_demo

        llm_demo.main(report)
