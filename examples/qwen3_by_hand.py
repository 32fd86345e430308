"""A Qwen3 or Llama forward pass written by hand, in four stages: what copies cost, what views save.

    python examples/qwen3_by_hand.py                       # all four stages side by side
    python examples/qwen3_by_hand.py --stage 2             # one of them, and its copy report
    python examples/qwen3_by_hand.py --diff                # what changes between stages 2 and 3
    python examples/qwen3_by_hand.py --model qwen3-0.6b    # made-up weights of another size

1. every view a copy: the program below, run under ``strided.copy_everything()``
2. views: the same program
3. hints followed: what the copy report of stage 2 names, written in another way (``AfterTheHints``)
4. ``strided.llm``: the engine, with kernels that read the cache as it lies

Stages 1 to 3 use public names of strided only, and no fused kernels: products, softmax, arithmetic.
All four read the same float32 weights and must choose the same tokens. ``benchmarks/experiment.py``
measures them on larger models and longer contexts.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import inspect
import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import strided as st
from strided import Tensor, llm, nn

STAGES = {1: "every view a copy", 2: "views", 3: "hints followed", 4: "strided.llm"}


# ---- the forward pass, as a reader of the paper writes it ----


class ByTheBook:
    """Tokens in, logits of the last one out; keys and values of past tokens are kept."""

    def __init__(self, model: llm.Model, context: int) -> None:
        self.config, self.weights, self.context = model.config, model.weights, context
        c = self.config
        assert not c.interleaved_rope
        assert not c.rope_scaling
        half = c.head_dim // 2
        frequencies = c.rope_theta ** (-st.arange(float(half)) / half)
        angles = st.arange(float(context)).unsqueeze(1) * frequencies
        self.cos, self.sin = angles.cos(), angles.sin()
        self.past = 0
        self.reserve()

    def reserve(self) -> None:
        c = self.config
        nothing = st.zeros(c.kv_heads, 0, c.head_dim)
        self.keys: list[Tensor] = [nothing] * c.layers
        self.values: list[Tensor] = [nothing] * c.layers

    def forward(self, tokens: Sequence[int]) -> Tensor:
        x = self.weights.embed[list(tokens)]
        for number, layer in enumerate(self.weights.layers):
            x = x + self.attention(self.norm(x, layer.attn_norm), layer, number)
            x = x + self.mlp(self.norm(x, layer.mlp_norm), layer)
        self.past += len(tokens)
        return self.project(self.norm(x[-1], self.weights.norm), self.weights.head)

    def norm(self, x: Tensor, weight: Tensor) -> Tensor:
        return x * st.rsqrt((x * x).mean(-1, keepdim=True) + self.config.norm_eps) * weight

    def mlp(self, x: Tensor, layer: Any) -> Tensor:
        gate, up = self.project(x, layer.gate), self.project(x, layer.up)
        return self.project(gate * st.sigmoid(gate) * up, layer.down)

    def project(self, x: Tensor, weight: Tensor) -> Tensor:
        return x @ weight.T

    def heads(self, x: Tensor, weight: Tensor, count: int) -> Tensor:
        x = self.project(x, weight)
        return x.reshape(len(x), count, self.config.head_dim).transpose(0, 1)

    def rotate(self, x: Tensor) -> Tensor:
        now = slice(self.past, self.past + x.shape[1])
        cos, sin = self.cos[now], self.sin[now]
        a, b = x.chunk(2, -1)
        return st.concat([a * cos - b * sin, b * cos + a * sin], axis=-1)

    def attention(self, x: Tensor, layer: Any, number: int) -> Tensor:
        c = self.config
        q, k, v = (
            self.heads(x, weight, count)
            for weight, count in ((layer.q, c.heads), (layer.k, c.kv_heads), (layer.v, c.kv_heads))
        )
        if layer.q_norm is not None:
            q, k = self.norm(q, layer.q_norm), self.norm(k, layer.k_norm)
        q, k = self.rotate(q), self.rotate(k)
        k = st.concat([self.keys[number], k], axis=1)
        v = st.concat([self.values[number], v], axis=1)
        self.keys[number], self.values[number] = k, v
        k = st.repeat(k, c.heads // c.kv_heads, axis=0)
        v = st.repeat(v, c.heads // c.kv_heads, axis=0)
        weights = nn.softmax(self.masked(q @ k.transpose(1, 2) / math.sqrt(c.head_dim)), -1)
        joined = (weights @ v).transpose(0, 1).reshape(len(x), -1)
        return self.project(joined, layer.o)

    def masked(self, scores: Tensor) -> Tensor:
        tokens, seen = scores.shape[-2:]
        if tokens == 1:
            return scores
        allowed = st.arange(seen) <= st.arange(seen - tokens, seen).unsqueeze(1)
        return st.where(allowed, scores, -math.inf)


# ---- the same, after the copy report of stage 2 ----


class AfterTheHints(ByTheBook):
    """The cache has its rows from the beginning, and groups of heads share keys by stride 0."""

    def reserve(self) -> None:
        c = self.config
        self.keys = list(st.zeros(c.layers, c.kv_heads, self.context, c.head_dim))
        self.values = list(st.zeros(c.layers, c.kv_heads, self.context, c.head_dim))

    def rotate(self, x: Tensor) -> Tensor:
        now = slice(self.past, self.past + x.shape[1])
        cos, sin = self.cos[now], self.sin[now]
        a, b = x.chunk(2, -1)
        out = st.empty_like(x)
        first, second = out.chunk(2, -1)
        st.subtract(a * cos, b * sin, out=first)
        st.add(b * cos, a * sin, out=second)
        return out

    def attention(self, x: Tensor, layer: Any, number: int) -> Tensor:
        c = self.config
        q, k, v = (
            self.heads(x, weight, count)
            for weight, count in ((layer.q, c.heads), (layer.k, c.kv_heads), (layer.v, c.kv_heads))
        )
        if layer.q_norm is not None:
            q, k = self.norm(q, layer.q_norm), self.norm(k, layer.k_norm)
        q, k = self.rotate(q), self.rotate(k)
        end = self.past + len(x)
        self.keys[number][:, self.past : end] = k
        self.values[number][:, self.past : end] = v
        k = self.keys[number][:, :end].unsqueeze(1)
        v = self.values[number][:, :end].unsqueeze(1)
        q = q.unflatten(0, (c.kv_heads, -1))
        weights = nn.softmax(self.masked(q @ k.transpose(2, 3) / math.sqrt(c.head_dim)), -1)
        out = st.empty(len(x), c.heads, c.head_dim)
        st.matmul(weights, v, out=out.transpose(0, 1).unflatten(0, (c.kv_heads, -1)))
        return self.project(out.flatten(1), layer.o)


# ---- the engine's pass, behind the same two names ----


class Engine:
    """``strided.llm``: the same weights, keys and values written straight into the cache."""

    def __init__(self, model: llm.Model, context: int) -> None:
        self.model = model
        self.cache = llm.Cache(model.config, context=context, dtype=model.cache_dtype)
        self.sequence = self.cache.begin()

    def forward(self, tokens: Sequence[int]) -> Tensor:
        step = llm.Step(self.cache, [(self.sequence, list(tokens))])
        return self.model.forward(step, first=len(tokens) - 1)[0]


PASSES: dict[int, Callable[[llm.Model, int], Any]] = {
    1: ByTheBook,
    2: ByTheBook,
    3: AfterTheHints,
    4: Engine,
}


# ---- what a token costs ----


class Run:
    """One stage of one model after a prompt: decodes token by token, and keeps what it took."""

    def __init__(self, stage: int, model: llm.Model, prompt: Sequence[int], tokens: int) -> None:
        self.stage = stage
        self.model = PASSES[stage](model, len(prompt) + tokens + 1)
        self.tokens = [int(self.model.forward(prompt).argmax())]
        self.seconds: list[float] = []
        self.logits = st.zeros(0)

    def views(self) -> contextlib.AbstractContextManager[Any]:
        return st.copy_everything() if self.stage == 1 else contextlib.nullcontext()

    def decode(self) -> None:
        begin = time.perf_counter()
        with self.views():
            self.logits = self.model.forward(self.tokens[-1:])
            self.tokens.append(int(self.logits.argmax()))
        self.seconds.append(time.perf_counter() - begin)

    def cost(self) -> Cost:
        """Decode one more token, watched."""
        held = st.memory.heap_facts().live_bytes
        st.memory.reset_peak()
        with st.trace_copies() as report, self.views():
            self.model.forward(self.tokens[-1:])
        peak = st.memory.heap_facts().peak_bytes - held
        return Cost(self.stage, statistics.median(self.seconds), report, peak)


@dataclass(frozen=True)
class Cost:
    """What one decoded token of a stage costs."""

    stage: int
    seconds: float
    copies: st.CopyReport
    bytes_held: int  # at most, besides weights and cache


def measure(
    model: llm.Model, context: int, tokens: int = 5, stages: Sequence[int] = tuple(STAGES)
) -> list[Cost]:
    """Return the cost of each stage, tokens of all stages in turns; refuse if they disagree."""
    prompt = [(7 * i + 11) % model.config.vocab for i in range(context)]
    runs = [Run(stage, model, prompt, tokens) for stage in stages]
    for _ in range(tokens - 1):
        for run in runs:
            run.decode()
    for run in runs[1:]:
        if run.tokens != runs[0].tokens:
            raise SystemExit(f"stage {run.stage} wrote other tokens than stage {runs[0].stage}")
    return [run.cost() for run in runs]


def table(costs: Sequence[Cost]) -> str:
    lines = [
        f"{'':23}{'ms a token':>12}{'tokens/s':>10}{'copies':>8}{'copied':>12}{'held at most':>14}"
    ]
    for cost in costs:
        lines.append(
            f"{cost.stage}  {STAGES[cost.stage]:<20}{cost.seconds * 1e3:>12.1f}"
            f"{1 / cost.seconds:>10.1f}{cost.copies.count:>8}{_mb(cost.copies.bytes):>12}"
            f"{_mb(cost.bytes_held):>14}"
        )
    return "\n".join(lines)


def _mb(nbytes: int) -> str:
    return f"{nbytes / 1e6:.2f} MB"


def difference() -> str:
    """Return what changes between stages 2 and 3, method by method."""
    parts = []
    for name in ("reserve", "rotate", "attention"):
        before, after = (
            inspect.getsource(getattr(owner, name)).splitlines()
            for owner in (ByTheBook, AfterTheHints)
        )
        lines = list(difflib.unified_diff(before, after, "stage 2", "stage 3", lineterm="", n=1))
        parts += [f"{name}:", *lines[2:], ""]
    return "\n".join(parts)


# ---- models in float32 ----


def open_model(name: str) -> llm.Model:
    """Return a model with float32 weights: made-up ones of a preset, real ones of a file."""
    return llm.load(name, random="float32") if name in llm.PRESETS else in_float32(llm.load(name))


def in_float32(model: llm.Model) -> llm.Model:
    """Return a model whose weights are plain matrices, heads rotated by halves."""
    weights, config = model.weights, replace(model.config, interleaved_rope=False)
    layers = []
    for layer in weights.layers:
        plain = {one.name: _plain(getattr(layer, one.name)) for one in fields(layer)}
        if model.config.interleaved_rope:  # files of llama.cpp keep rotated pairs side by side
            for name, heads in (("q", config.heads), ("k", config.kv_heads)):
                pairs = plain[name].view(heads, config.head_dim // 2, 2, -1)
                plain[name] = pairs.transpose(1, 2).reshape(plain[name].shape)
        layers.append(replace(layer, **plain))
    embed = _plain(weights.embed)
    head = embed if weights.head is weights.embed else _plain(weights.head)
    made = replace(
        weights,
        config=config,
        embed=embed,
        norm=_plain(weights.norm),
        head=head,
        layers=tuple(layers),
    )
    return llm.Model(config, made, model.tokenizer, f"{model.name} (in float32)")


def _plain(weight: Any) -> Any:
    if isinstance(weight, st.QuantizedMatrix):
        return weight.dequantize()
    return weight if weight is None else weight.to(st.float32)


# ---- the story ----


def tell(tokens: int) -> None:
    """Show the four stages on SmolLM2: what they cost, what was copied, and what was changed."""
    try:
        model = open_model("smollm2")
    except st.StridedError:  # it was not fetched
        model = open_model("smollm2-135m")
    print(f"A forward pass by hand, {model.name}, one token after 512:\n")
    costs = measure(model, 512, tokens)
    print(table(costs))
    print("\nWhat stage 2 copies, and how not to (strided.trace_copies):\n")
    print("  " + str(costs[1].copies).replace("\n", "\n  "))
    print("\nWhat stage 3 changes:\n")
    print("  " + difference().replace("\n", "\n  "))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--model", default="smollm2-135m", help="a preset's size, or a model's file"
    )
    parser.add_argument("--context", type=int, default=512, help="tokens of the prompt")
    parser.add_argument("--tokens", type=int, default=5, help="tokens decoded by each stage")
    parser.add_argument("--stage", type=int, choices=STAGES, help="one stage, with its report")
    parser.add_argument("--diff", action="store_true", help="what changes from stage 2 to stage 3")
    parser.add_argument("--story", action="store_true", help="all of it, on SmolLM2: make demo")
    asked = parser.parse_args()
    if asked.diff:
        print(difference())
        return
    if asked.story:
        tell(asked.tokens)
        return
    model = open_model(asked.model)
    stages = [asked.stage] if asked.stage else list(STAGES)
    costs = measure(model, asked.context, asked.tokens, stages)
    print(f"{model.name}: one token after {asked.context}\n\n{table(costs)}")
    if asked.stage:
        print(f"\n{costs[0].copies}")


if __name__ == "__main__":
    main()
