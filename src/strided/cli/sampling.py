"""Sampling options of the command line, named as llama.cpp's users know them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import strided

if TYPE_CHECKING:
    from strided.llm import Options

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
