"""``strided inspect FILE``: which tensors a file holds, read from its header only."""

from __future__ import annotations

import json
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any

import typer

from strided.cli.output import existing_file, fail, print_table
from strided.inspect import tensors_in
from strided.text import shown_bytes


class Order(str, Enum):
    """What a table of tensors can be sorted by."""

    file = "file"
    name = "name"
    dtype = "dtype"
    shape = "shape"
    offset = "offset"
    bytes = "bytes"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = "Example: strided inspect model.safetensors --filter '*.mlp.*' --sort bytes"
    app.command("inspect", epilog=example)(inspect_file)


def inspect_file(
    file: Annotated[Path, typer.Argument(help="A .npy, .npz, .safetensors or .gguf file.")],
    sort: Annotated[
        Order, typer.Option(help="Order of the rows; the most bytes come first.")
    ] = Order.file,
    filter: Annotated[
        list[str] | None, typer.Option(metavar="GLOB", help="Only names like this; repeatable.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the tensors of a file without loading them.

    Shows name, dtype, shape, layout, offset and bytes. Exit code 1: the file is not usable, or no
    name matches; 2: there is no such file.
    """
    entries: list[Any] = list(tensors_in(existing_file(file)))
    chosen = [
        entry
        for entry in entries
        if not filter or any(fnmatchcase(entry.name, pattern) for pattern in filter)
    ]
    if filter and not chosen:
        fail(f"none of the {len(entries)} tensors of {file} is called {' or '.join(filter)}", 1)
    if sort is Order.bytes:
        chosen.sort(key=lambda entry: -entry.nbytes)
    elif sort is not Order.file:
        chosen.sort(key=lambda entry: getattr(entry, sort.value))
    total = sum(entry.nbytes for entry in chosen)
    if as_json:
        print(json.dumps(_document(file, chosen, total), indent=2))
        return
    print_table(
        ["name", "dtype", "shape", "layout", "offset", "bytes"],
        [
            [
                entry.name,
                str(entry.dtype),
                str(tuple(entry.shape)),
                str(entry.layout),
                str(entry.offset),
                shown_bytes(entry.nbytes),
            ]
            for entry in chosen
        ],
        numbers=["offset", "bytes"],
    )
    print(f"{len(chosen)} of {len(entries)} tensors, {shown_bytes(total)}")


def _document(file: Path, chosen: list[Any], total: int) -> dict[str, Any]:
    return {
        "file": str(file),
        "count": len(chosen),
        "bytes": total,
        "tensors": [
            {
                "name": entry.name,
                "dtype": str(entry.dtype),
                "shape": list(entry.shape),
                "layout": str(entry.layout),
                "offset": entry.offset,
                "bytes": entry.nbytes,
            }
            for entry in chosen
        ],
    }
