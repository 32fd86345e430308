"""Benchmark of views against copies: the experiment of source document 000.

The same model runs with every view copied, and with views.

Same weights, same kernels, same model code. Only ``strided.copy_everything()`` differs: under it,
each view that the model asks for becomes a contiguous copy. Time, copies and bytes are of one
decoded token at the end of a prompt. ``main`` is what ``make demo`` shows of language models: an
answer of SmolLM2-135M-Instruct (real weights in 4 bits; random ones and no text where it cannot be
fetched), then the experiment.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

import strided
from strided import CopyReport, Drawing, Tensor, nn
from strided.llm.chat_template import chat_prompt
from strided.llm.engine import Engine
from strided.llm.fetch import fetch
from strided.llm.kv_cache import Cache, Step
from strided.llm.model import Model, load
from strided.llm.sample import Options
from strided.text import plain_table


@dataclass(frozen=True)
class Decoded:
    """What one decoded token costs."""

    name: str
    seconds: float
    copies: CopyReport
    allocated: int  # bytes at most, besides weights and cache
    tokens: tuple[int, ...]

    @property
    def rate(self) -> float:
        """Tokens per second."""
        return 1 / self.seconds


def compare(model: Model, prompt: Sequence[int], count: int = 8) -> tuple[Decoded, Decoded]:
    """Return what a token costs with copies, and with views, after the same prompt.

    >>> import strided.llm as llm
    >>> from strided.llm.experiment import compare
    >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> before, after = compare(llm.Model(config, llm.random_weights(config, "f32")), [1, 2, 3])
    >>> before.tokens == after.tokens, before.copies.count > 0, after.copies.count
    (True, True, 0)
    """
    return decode(model, prompt, count, copying=True), decode(model, prompt, count, copying=False)


def decode(model: Model, prompt: Sequence[int], count: int, *, copying: bool) -> Decoded:
    """Read a prompt, decode tokens greedily and time them, then trace the copies of one more."""
    cache = Cache(model.config, context=len(prompt) + count + 1, dtype=model.cache_dtype)
    past = cache.begin()
    logits = model.forward(Step(cache, [(past, prompt)]), first=len(prompt) - 1)
    tokens = [int(logits.argmax())]
    seconds = []
    with strided.copy_everything() if copying else contextlib.nullcontext():
        for _ in range(count - 1):
            begin = time.perf_counter()
            logits = model.forward(Step(cache, [(past, tokens[-1:])]))
            tokens.append(int(logits.argmax()))
            seconds.append(time.perf_counter() - begin)
        held = strided.memory.heap_facts().live_bytes
        strided.memory.reset_peak()
        with strided.trace_copies() as report:
            model.forward(Step(cache, [(past, tokens[-1:])]))
        peak = strided.memory.heap_facts().peak_bytes - held
    name = "every view a copy" if copying else "views"
    return Decoded(name, statistics.median(seconds), report, peak, tuple(tokens))


def table_of(runs: Sequence[Decoded]) -> list[tuple[str, ...]]:
    """Return a header and a row for each run."""
    header: tuple[str, ...] = (
        "",
        "ms a token",
        "tokens/s",
        "copies a token",
        "bytes copied",
        "bytes held",
    )
    return [header] + [
        (
            run.name,
            f"{run.seconds * 1e3:.1f}",
            f"{run.rate:.1f}",
            f"{run.copies.count}",
            f"{run.copies.bytes:,}",
            f"{run.allocated:,}",
        )
        for run in runs
    ]


QUESTION = "What is the capital of France, and why is it famous?"
_CONTEXT = 512  # tokens of the experiment's prompt


def main(report: str | os.PathLike[str] | None = None) -> None:
    """Let a model answer, compare copies with views, and write a page about it if asked to."""
    model = _model()
    if model.tokenizer is not None:
        _answer(model)
    print(f"\nOne token of {model.name} after {_CONTEXT}, the same code with and without views:\n")
    prompt = [(7 * i + 11) % model.config.vocab for i in range(_CONTEXT)]
    runs = compare(model, prompt)
    header, *rows = table_of(runs)
    print(plain_table(header, rows, header[1:], indent="  "))
    before, after = runs
    print(f"\n  the same tokens: {'yes' if before.tokens == after.tokens else 'no'}")
    print("\nWhat the first one copied:\n")
    print("  " + str(before.copies).replace("\n", "\n  "))
    if report is not None:
        Path(report).parent.mkdir(parents=True, exist_ok=True)
        Path(report).write_text(page_of(model, runs), encoding="utf-8")
        print(f"\nThe copies and the layouts of an attention layer, as a page: {report}")


def _model() -> Model:
    def progress(what: str, done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r  {what}: {done >> 20} of {total >> 20} MiB ", end="", file=sys.stderr)

    try:
        return load(fetch("smollm2", progress))
    except strided.StridedError as error:
        print(f"\nNo real weights, so random ones and no text: {error}")
        return load("smollm2-135m", random="Q4_1")


def _answer(model: Model) -> None:
    assert model.tokenizer is not None
    print(
        f"\n{model.name}, opened in {model.load_seconds:.2f} s, is asked: {QUESTION}\n\n  ", end=""
    )
    asked = chat_prompt(model.tokenizer, [{"role": "user", "content": QUESTION}])
    engine = Engine(model, context=512)
    tokens = model.tokenizer.encode(asked)
    with strided.trace_copies() as report:
        for piece in engine.generate(tokens, Options(temperature=0, max_tokens=100)):
            print(piece.text.replace("\n", "\n  "), end="", flush=True)
    stats = engine.stats
    print(
        f"\n\n  {stats.prefill_tokens} tokens read at {stats.prefill_rate:.0f} a second, "
        f"{stats.decode_tokens} written at {stats.decode_rate:.0f} a second\n"
        f"  copies of tensors while doing so: {report.count}"
    )


# ---- the page ----

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; max-width: 68rem; margin: 0 auto; padding: 1.5rem; }}
table {{ border-collapse: collapse; }}
td, th {{ padding: .3rem .8rem; border-bottom: 1px solid #8884; }}
td:not(:first-child), th {{ text-align: right; }} figure {{ margin: 1rem 0; overflow-x: auto; }}
</style></head><body><h1>{title}</h1>{table}
<h2>Layouts of one attention layer</h2>{pictures}
{copies}</body></html>
"""


def page_of(model: Model, runs: Sequence[Decoded]) -> str:
    """Return a page: the table, pictures of an attention layer, the trace of the copies.

    >>> import strided.llm as llm
    >>> from strided.llm.experiment import page_of
    >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> page_of(llm.Model(config, llm.random_weights(config, "f32")), []).count("<svg")
    3
    """
    header, *rows = table_of(runs)
    cells = "".join(f"<th>{escape(name)}</th>" for name in header)
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    pictures = "".join(
        f"<figure><figcaption>{escape(caption)}</figcaption>{drawing.svg()}</figure>"
        for caption, drawing in layer_pictures(model)
    )
    # Of the report's own page only what is inside it.
    copies = runs[0].copies._repr_html_() if runs else ""
    title = escape(f"{model.name or 'A model'}: one token with every view copied, and with views")
    table = f"<table><tr>{cells}</tr>{lines}</table>"
    return _PAGE.format(title=title, table=table, pictures=pictures, copies=copies)


def layer_pictures(model: Model) -> list[tuple[str, Drawing]]:
    """Return what an attention layer reads and writes, small enough to be seen whole."""
    c = model.config
    heads, groups, tokens, slots = min(c.heads, 4), min(c.kv_heads, 2), 2, 6
    product = strided.arange(float(tokens * heads * 2)).reshape(tokens, heads * 2)
    queries = product.view(tokens, heads, 2)
    cache = strided.zeros(slots, groups, 2)
    seen = cache[1:4]
    shared = _repeated(seen, heads // groups)
    nn.rope(queries, strided.ones(tokens, 1), strided.zeros(tokens, 1), out=queries)
    return [
        (
            "Queries: the product's row as heads",
            strided.draw(product, queries, names=["product", "queries"]),
        ),
        (
            "The cache, and the rows that a sequence has seen",
            strided.draw(cache, seen, names=["cache", "seen"]),
        ),
        (
            "Every query head's keys: each key head serves its group",
            strided.draw(seen, shared, names=["seen", "shared"]),
        ),
    ]


def _repeated(keys: Tensor, group: int) -> Tensor:
    """Return keys (tokens, kv_heads, d) as (tokens, kv_heads, group, d). A view."""
    tokens, heads, width = keys.shape
    return keys.unsqueeze(2).expand(tokens, heads, group, width)


if __name__ == "__main__":
    main()
