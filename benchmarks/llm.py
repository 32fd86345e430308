"""Whole models: the time of a decoded token and of a prompt, beside transformers and llama.cpp.

    python benchmarks/llm.py [--quick] [--only EXPRESSION]

Claim: a decoded token costs about what reading the weights once costs, and copies nothing.
"""

from __future__ import annotations

import functools
import gc
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bars import Bar
from llm_peers import LlamaCpp, Transformers, llama_cpp, random_prompt, write_gguf
from operands import read_limit
from side_by_side import BLAS_PAUSE, Benchmark, main, markdown

import strided
from strided import llm
from strided.llm.fetch import model_path

THREADS = 2
ROUNDS = 7
SHORT = 0.2  # seconds
BARS = [
    Bar(
        "Qwen3-4B bfloat16: 90 % of reading its weights", "limit", ("4b", "bfloat16", "short"), 0.9
    ),
    Bar("the same after 512 tokens: 85 %", "limit", ("4b", "bfloat16", "long"), 0.85),
    Bar("Qwen3-4B bfloat16: twice transformers", "torch", ("4b", "bfloat16", "decode"), 2.0),
    Bar("Qwen3-0.6B bfloat16: 80 %", "limit", ("0.6b", "bfloat16", "decode"), 0.8),
    Bar("float32: 85 %", "limit", ("float32", "decode"), 0.85),
    Bar("quantised: 85 % of llama.cpp's rate", "llama.cpp", ("quantised", "decode"), 0.85),
    Bar("prompts: never slower than transformers", "torch", ("prefill",), 1.0),
    Bar("prompts: never slower than llama.cpp", "llama.cpp", ("prefill",), 1.0),
]
KINDS = ("bfloat16", "float32", "q8_0", "q4_0", "q4_1", "q4_k")
MODELS = [(preset, kind) for preset in ("qwen3-0.6b", "qwen3-4b") for kind in KINDS]
# Memory for a second copy of the weights, in a file, is not there.
ALONE = {("qwen3-4b", "float32")}


class Ours:
    """A model after a prompt; what is decoded is forgotten again."""

    def __init__(self, model: llm.Model, prompt: list[int]):
        self.model = model
        self.cache = llm.Cache(model.config, context=len(prompt) + 1, dtype=model.cache_dtype)
        self.past = self.cache.begin()
        self.prefill(prompt)

    def decode(self) -> None:
        """Decode a token and forget it."""
        int(self.model.forward(llm.Step(self.cache, [(self.past, [1])])).argmax())
        self.past.truncate(len(self.past) - 1)

    def prefill(self, prompt: list[int]) -> None:
        """Forget everything and read a prompt."""
        self.past.truncate(0)
        self.model.forward(llm.Step(self.cache, [(self.past, prompt)]), first=len(prompt) - 1)


def _interleaved(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Any]:
    """Return medians of calls in turns; the threads of others spin on, hence a pause after them."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call()
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            if time.perf_counter() - begin < SHORT:  # its threads were still waking up
                begin = time.perf_counter()
                call()
            times[name].append(time.perf_counter() - begin)
            if name not in ("limit", "strided"):
                time.sleep(BLAS_PAUSE)
    return {name: {str(THREADS): statistics.median(found)} for name, found in times.items()}


def _reading(nbytes: int) -> Callable[[], object]:
    """Return what reads so many bytes with all threads, a piece again and again."""
    piece = min(nbytes, 1 << 29)
    statement, names = read_limit(piece)
    code = compile(statement, "limit", "eval")
    whole, rest = divmod(nbytes, piece)
    part = read_limit(rest)[1]["read"] if rest else lambda: None
    return lambda: [*(eval(code, dict(names)) for _ in range(whole)), part()]


def _rows_of(preset: str, kind: str, quick: bool) -> Iterator[dict[str, Any]]:
    model = llm.load(preset, random=kind)
    vocabulary = model.config.vocab
    tags = [preset.split("-")[1], kind, "quantised" if kind.startswith("q") else "whole"]
    theirs = Transformers.model_of(model)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.gguf"
        cpp = None
        if llama_cpp is not None and (preset, kind) not in ALONE:
            write_gguf(model, file)
            cpp = LlamaCpp(file, [1], THREADS)
        for context, tag in ((64, "short"), (512, "long")):
            prompt = random_prompt(vocabulary, context)
            calls: dict[str, Callable[[], object]] = {
                "limit": _reading(model.weights.read_bytes_per_token),
                "strided": Ours(model, prompt).decode,
            }
            if theirs is not None:
                calls["torch"] = Transformers(theirs, prompt).decode
            if cpp is not None:
                cpp.prefill(prompt)
                calls["llama.cpp"] = cpp.decode
            yield {
                "group": f"{preset}, {kind}",
                "name": f"a token after {context}",
                "tags": [*tags, "decode", tag],
                "seconds": _interleaved(calls, 3 if quick else ROUNDS),
            }
        for length in (128, 512):
            prompt = random_prompt(vocabulary, length)
            calls = {"strided": functools.partial(Ours(model, prompt).prefill, prompt)}
            if theirs is not None:
                calls["torch"] = functools.partial(Transformers(theirs, [1]).prefill, prompt)
            if cpp is not None:
                calls["llama.cpp"] = functools.partial(cpp.prefill, prompt)
            yield {
                "group": f"{preset}, {kind}",
                "name": f"a prompt of {length}",
                "tags": [*tags, "prefill"],
                "seconds": _interleaved(calls, 1 if quick else 5 if length == 128 else 3),
            }
        if cpp is not None:
            cpp.close()


def _real_rows() -> Iterator[dict[str, Any]]:
    path = model_path("smollm2")
    if path is None:
        return
    model = llm.load(path)
    group, tags = "SmolLM2-135M, real weights, q4_1", ["smollm2", "q4_1", "quantised"]
    for context in (64, 512):
        prompt = random_prompt(model.config.vocab, context)
        calls: dict[str, Callable[[], object]] = {
            "limit": _reading(model.weights.read_bytes_per_token),
            "strided": Ours(model, prompt).decode,
        }
        if llama_cpp is not None:
            calls["llama.cpp"] = LlamaCpp(path, prompt, THREADS).decode
        seconds = _interleaved(calls, 15)
        name = f"a token after {context}"
        yield {"group": group, "name": name, "tags": [*tags, "decode"], "seconds": seconds}


def rows(quick: bool) -> list[dict[str, Any]]:
    """Measure every model that ``--only`` does not leave out; quick: the smallest one."""
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    strided.set_num_threads(THREADS)
    found = list(_real_rows())
    for preset, kind in MODELS[:1] if quick else MODELS:
        if not re.search(only, f"{preset}, {kind}"):
            continue
        for row in _rows_of(preset, kind, quick):
            print(f"{row['group']}: {row['name']} {row['seconds']}", file=sys.stderr, flush=True)
            found.append(row)
        gc.collect()
        strided.memory.release_kept_blocks()
    return found


def summary_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of docs/llm.md: a token and a prompt of each model."""
    lines = []
    for group in dict.fromkeys(row["group"] for row in rows):
        own = {row["name"]: row["seconds"] for row in rows if row["group"] == group}
        token, prompt = own.get("a token after 64", {}), own.get("a prompt of 512", {})
        cells = [_shown(token, name, 1e3, "ms") for name in ("strided", "llama.cpp", "torch")]
        share = token["limit"][str(THREADS)] / token["strided"][str(THREADS)]
        cells += [f"{100 * share:.0f} %"]
        cells += [_shown(prompt, name, 0, "/s") for name in ("strided", "llama.cpp", "torch")]
        lines.append([group, *cells])
    header = ["model", "token", "llama.cpp", "transformers", "of reading the weights"]
    header += ["prompt tokens", "llama.cpp", "transformers"]
    return markdown(header, lines)


def _shown(seconds: Mapping[str, Any], name: str, scale: float, unit: str) -> str:
    """Return a time, or tokens per second of a prompt of 512 where there is no scale."""
    if name not in seconds:
        return "-"
    found = seconds[name][str(THREADS)]
    return f"{found * scale:.1f} {unit}" if scale else f"{512 / found:.0f} {unit}"


BENCHMARK = Benchmark(
    "llm",
    "Language models",
    "A decoded token costs about what reading the weights once costs, and copies nothing.",
    BARS,
    rows=rows,
    notes="Random weights of the real configurations, which transformers uses in the same memory "
    "and llama.cpp from a file. The limit reads as many bytes as a token needs of the weights. Two "
    "threads.",
)

if __name__ == "__main__":
    main(BENCHMARK)
