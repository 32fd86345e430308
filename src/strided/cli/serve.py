"""``strided serve``: a model for programs, by OpenAI's protocol."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated

import typer

import strided
from strided.cli import models
from strided.cli.conversation import conversation_of
from strided.cli.output import INTERRUPTED, fail


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    example = (
        "Examples: strided serve smollm2 | strided serve model.gguf --port 8080 --parallel 8 | "
        "STRIDED_API_KEY=secret strided serve smollm2 --host 0.0.0.0"
    )
    app.command("serve", epilog=example)(serve)


def serve(
    model: models.ModelName,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8080,
    parallel: Annotated[
        int, typer.Option("-np", "--parallel", min=1, help="Answers written at once.")
    ] = 4,
    context: Annotated[
        int, typer.Option("-c", "--context", min=2, help="Tokens of each prompt with its answer.")
    ] = 4096,
    threads: models.Threads = None,
    name: Annotated[str | None, typer.Option("--name", help="What clients call the model.")] = None,
    api_key: Annotated[
        str | None,
        typer.Option(
            "--api-key",
            envvar="STRIDED_API_KEY",
            show_default=False,
            help="Key that clients must send; better in the environment, where nobody sees it.",
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option("--cors", metavar="ORIGIN", help="Pages that may ask; repeatable, * is all."),
    ] = None,
    waiting: Annotated[
        int, typer.Option("--queue", min=0, help="Answers that may wait in line.")
    ] = 64,
    max_body: Annotated[
        int, typer.Option("--max-body", min=1024, help="Bytes that a request may have.")
    ] = 4 << 20,
    grace: Annotated[
        float, typer.Option("--grace", min=0, help="Seconds for answers to finish at the end.")
    ] = 10.0,
    temp: models.Temperature = 0.8,
    top_k: models.TopK = 40,
    top_p: models.TopP = 0.95,
    min_p: models.MinP = 0.05,
    max_tokens: models.MaxTokens = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Log every request on stderr.")
    ] = False,
) -> None:
    """Serve a language model on this machine, as OpenAI's API does.

    /v1/chat/completions, /v1/completions, /v1/models and /health, with streams; clients share the
    model. Ctrl-C or SIGTERM lets answers finish first; a second one does not. Sampling options hold
    for requests that do not set their own.
    """
    from strided import llm
    from strided.llm.server import Limits, Server

    models.use_threads(threads)
    if api_key == "":
        fail("the API key is empty")
    options = models.options_of(
        temp=temp, top_k=top_k, top_p=top_p, min_p=min_p, max_tokens=max_tokens
    )
    loaded, _ = models.read_model(model)
    tokenizer, name = models.words_of(loaded), name or _name_of(model)
    with suppress(strided.InvalidArgument):
        # A package that is missing is told now, not with the first request.
        conversation_of(tokenizer, [{"role": "user", "content": "Hello"}])
    server = Server(
        lambda: llm.Engine(loaded, context=context, sequences=parallel),
        tokenizer,
        name,
        options=options,
        sequences=parallel,
        host=host,
        port=port,
        api_key=api_key,
        origins=cors or (),
        limits=Limits(waiting=waiting, body=max_body),
        log=_tell if verbose else lambda line: None,
        report=_tell,
    )
    if not server.is_local and api_key is None:
        _tell("strided: warning: whoever can reach this machine can use the model; set an API key")
    with _signals() as received:
        threading.Thread(target=server.serve_forever, name="strided listener", daemon=True).start()
        print(f"strided: {name} at {server.url} (Ctrl-C ends it)", flush=True)
        while not received:
            time.sleep(0.1)
        under_way = server.worker.under_way
        if under_way:
            _tell(f"strided: finishing {under_way} answers; once more ends them")
        end = time.monotonic() + grace
        while not server.drain(0.1) and len(received) == 1 and time.monotonic() < end:
            pass
        server.close()
    if received[0] == signal.SIGINT:
        raise typer.Exit(INTERRUPTED)


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Give a list of the signals to end that came in."""
    received: list[int] = []
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, lambda got, _: received.append(got)) for one in numbers]
    try:
        yield received
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


def _name_of(model: str) -> str:
    """Return what clients call a model that was named so on the command line.

    >>> _name_of("smollm2"), _name_of("models/tiny.gguf"), _name_of("models/Qwen3-4B/")
    ('smollm2', 'tiny', 'Qwen3-4B')
    """
    return Path(model).resolve().name.removesuffix(".gguf")


def _tell(text: str) -> None:
    with suppress(OSError):  # nobody may be reading; the server goes on
        print(text, file=sys.stderr, flush=True)
