"""``strided generate``: a prompt goes in, text comes out as it is written."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from strided.cli import models, names
from strided.cli.conversation import (
    Answered,
    made_up_prompt,
    prompt_of,
    write_answer,
    writer,
)
from strided.cli.help_text import add_command
from strided.cli.output import INTERRUPTED, existing_file, fail

_RANDOM_LENGTH = 128  # tokens that made-up weights write: they never end by themselves


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    lines = (
        "strided generate smollm2 'Why is the sky blue?'",
        "strided generate model.gguf -f prompt.txt --temp 0 -n 200",
        "strided generate --random qwen3-4b --dtype q4_0",
    )
    add_command(app, "generate", generate, *lines)


def generate(
    model: models.ModelName = "",
    prompt: Annotated[str | None, typer.Argument(help="What to answer; stdin if absent.")] = None,
    file: Annotated[
        Path | None,
        typer.Option("-f", "--file", metavar="FILE", help="Read the prompt from a file."),
    ] = None,
    system: models.System = None,
    raw: Annotated[bool, typer.Option("--raw", help="Go on from the prompt: no template.")] = False,
    temp: models.Temperature = 0.8,
    top_k: models.TopK = 40,
    top_p: models.TopP = 0.95,
    min_p: models.MinP = 0.05,
    repeat_penalty: models.RepeatPenalty = 1.0,
    seed: models.Seed = None,
    max_tokens: models.MaxTokens = None,
    context: models.Context = 4096,
    threads: models.Threads = None,
    stop: models.Stop = None,
    random: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE",
            help="Made-up weights of a size, as qwen3-4b.",
            autocompletion=names.presets,
        ),
    ] = None,
    dtype: Annotated[
        str,
        typer.Option(metavar="DTYPE", help="Of made-up weights: bfloat16, float32, q8_0, q4_0 ..."),
    ] = "bfloat16",
    prompt_tokens: Annotated[
        int, typer.Option(metavar="N", min=1, help="Length of the prompt for made-up weights.")
    ] = 64,
    as_json: Annotated[bool, typer.Option("--json", help="Print one object, at the end.")] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Figures on stderr also without a terminal.")
    ] = False,
) -> None:
    """Let a language model answer a prompt, and say how fast it was.

    Text goes to stdout as it is written; with a terminal, a line of figures to stderr at the end.
    Ctrl-C keeps what was said (exit code 130).
    """
    models.use_threads(threads)
    if random is not None:
        if model or prompt is not None or file is not None or raw or system is not None:
            fail("--random has no words: it takes no model, no prompt and no system text")
        max_tokens = _RANDOM_LENGTH if max_tokens is None else max_tokens
    elif not model:
        fail("no model: name a GGUF file, a Hugging Face folder or a fetched model")
    if raw and system is not None:
        fail("--raw has no place for --system: write it into the prompt")
    options = models.options_of(
        temp=temp,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        repeat_penalty=repeat_penalty,
        seed=seed,
        max_tokens=max_tokens,
        stop=stop,
    )
    text = "" if random is not None else _prompt(prompt, file)
    from strided import llm

    loaded, seconds = models.read_model(random or model, dtype if random is not None else None)
    if random is not None:
        tokens = made_up_prompt(prompt_tokens, loaded.config.vocab)
    else:
        tokens = prompt_of(models.words_of(loaded), text, system, raw)
    engine = llm.Engine(loaded, context=context)
    write = writer()
    answered = write_answer(engine, tokens, options, (lambda text: None) if as_json else write)
    if not as_json and random is None:
        write("\n")
    is_wanted = as_json or verbose or random is not None or sys.stderr.isatty()
    if is_wanted:
        figures = answered.figures_of(loaded.name, seconds)
        if as_json:
            print(json.dumps({**_said(answered), **figures.to_dict()}, indent=2))
        else:
            # Made-up weights write nothing but figures.
            print(figures, file=sys.stdout if random is not None else sys.stderr)
    if answered.interrupted:
        raise typer.Exit(INTERRUPTED)


def _said(answered: Answered) -> dict[str, object]:
    job = answered.job
    return {"text": job.text, "tokens": list(job.tokens), "finish_reason": job.finish_reason}


def _prompt(given: str | None, file: Path | None) -> str:
    if given is not None and file is not None:
        fail("two prompts: give PROMPT or --file")
    try:
        if file is not None:
            text = existing_file(file).read_bytes().decode()
        elif given is None or given == "-":
            if sys.stdin.isatty():
                fail("no prompt: give it as an argument, with --file or on stdin")
            text = sys.stdin.buffer.read().decode()
        else:
            return given or fail("the prompt is empty")
    except UnicodeDecodeError:
        fail(f"{file or 'stdin'} is not text in UTF-8", code=1)
    # Editors and echo end a text with a line that nobody meant.
    return text.removesuffix("\n").removesuffix("\r") or fail("the prompt is empty")
