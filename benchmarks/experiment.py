"""The experiment of source document 000: one forward pass, with every view copied, and with views.

    python benchmarks/experiment.py [--quick] [--only EXPRESSION]

Claim: the same program is several times faster with views; hints of the copy report and the engine
take away the rest of the copies. The four stages are those of ``examples/qwen3_by_hand.py``.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bars import Bar
from side_by_side import Benchmark, main, markdown

import strided as st
from strided import llm, nn

sys.path.insert(0, str(Path(__file__).parent.parent / "examples"))
from qwen3_by_hand import STAGES, AfterTheHints, ByTheBook, Cost, Run, open_model

THREADS = 2
TOKENS = 6
CONTEXTS = (64, 512, 4096)
SHORTER = {"qwen3-4b": (64, 512)}  # reading a prompt of 4096 in float32 takes minutes
MODELS = {
    "smollm2": "SmolLM2-135M, real weights",
    "qwen3-0.6b": "Qwen3-0.6B",
    "qwen3-4b": "Qwen3-4B",
}
# What is measured, as it is called in the results; the last is that of stage 4.
NAMES = ("every view but those of weights", *list(STAGES.values())[:3], "strided")
BARS = [
    Bar("views: never slower than copies of them", STAGES[1], (), 1.0),
    Bar("the engine: never slower than the program by hand", STAGES[3], (), 1.0),
]


class WeightsAsTheyLie(ByTheBook):
    """The forward pass of stages 1 and 2; no view of a weight is asked for, so none is copied."""

    def project(self, x: st.Tensor, weight: st.Tensor) -> st.Tensor:
        """Return the product with a weight's rows."""
        return nn.linear(x, weight)


class Stage(Run):
    """A stage whose past comes from another one's cache, which took less time to fill."""

    def __init__(
        self, stage: int, model: llm.Model, filled: Run, context: int, weights: bool = True
    ) -> None:
        super().__init__(stage, model, [0], TOKENS + context)
        if not weights:
            self.model = WeightsAsTheyLie(model, len(filled.tokens) + TOKENS + context)
        by_hand = self.model
        for number, (keys, values) in enumerate(_past_of(filled, context)):
            if isinstance(by_hand, AfterTheHints):
                by_hand.keys[number][:, :context] = keys
                by_hand.values[number][:, :context] = values
            else:
                by_hand.keys[number], by_hand.values[number] = keys.clone(), values.clone()
        by_hand.past = context
        self.tokens = list(filled.tokens)


def _past_of(run: Run, context: int) -> Iterator[tuple[st.Tensor, st.Tensor]]:
    """Yield keys and values of the engine's layers as (heads, tokens, width)."""
    cache = run.model.cache
    for number in range(run.model.model.config.layers):
        yield tuple(one[number][:context].transpose(0, 1) for one in (cache.keys, cache.values))  # type: ignore[misc]


def _costs(model: llm.Model, context: int, tokens: int) -> list[Cost]:
    """Return the cost of a token in each stage, the stages in turns on the same past."""
    prompt = [(7 * i + 11) % model.config.vocab for i in range(context)]
    engine = Run(4, model, prompt, TOKENS)
    runs: list[Run] = [Stage(1, model, engine, context, weights=False)]
    runs += [Stage(stage, model, engine, context) for stage in (1, 2, 3)]
    runs.append(engine)
    for _ in range(tokens):
        for run in runs:
            run.decode()
    assert len({tuple(run.tokens) for run in runs}) == 1, "stages wrote different tokens"
    return [run.cost() for run in runs]


def _row(group: str, tag: str, context: int, costs: Sequence[Cost]) -> dict[str, Any]:
    found = dict(zip(NAMES, costs, strict=True))
    return {
        "group": group,
        "name": f"a token after {context}",
        "tags": [tag, f"{context}"],
        "seconds": {name: {str(THREADS): cost.seconds} for name, cost in found.items()},
        "copies": {name: cost.copies.count for name, cost in found.items()},
        "bytes copied": {name: cost.copies.bytes for name, cost in found.items()},
        "bytes held": {name: cost.bytes_held for name, cost in found.items()},
    }


def rows(quick: bool) -> list[dict[str, Any]]:
    """Measure every model that ``--only`` does not leave out; quick: the smallest one."""
    only = sys.argv[sys.argv.index("--only") + 1] if "--only" in sys.argv else ""
    st.set_num_threads(THREADS)
    found = []
    for name, group in list(MODELS.items())[: 1 if quick else None]:
        if not re.search(only, name):
            continue
        model = open_model("smollm2-135m" if quick else name)
        for context in SHORTER.get(name, CONTEXTS)[: 1 if quick else None]:
            costs = _costs(model, context, 2 if quick else TOKENS - 1)
            found.append(_row(group, name, context, costs))
            print(found[-1], file=sys.stderr, flush=True)
            gc.collect()
        del model
        st.memory.release_kept_blocks()
    return found


COLUMNS = ("1: every view a copy", "2: views", "3: hints followed", "4: `strided.llm`")


def table_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of docs/llm.md: all contexts."""
    lines = [[f"{row['group']}, after {row['name'].split()[-1]}", *_cells(row)] for row in rows]
    return markdown(["one token", *COLUMNS, "1 to 4"], lines)


def three_rows_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of README: each model after 512 tokens."""
    lines = [[row["group"], *_cells(row)] for row in rows if row["name"].endswith(" 512")]
    return markdown(["model", *COLUMNS, "1 to 4"], lines)


def _cells(row: Mapping[str, Any]) -> list[str]:
    names = NAMES[1:]
    times = [row["seconds"][name][str(THREADS)] for name in names]
    cells = [
        f"{1e3 * time:.1f} ms, {row['copies'][name]} copies"
        for name, time in zip(names, times, strict=True)
    ]
    return [*cells, f"{times[0] / times[-1]:.1f}x"]


BENCHMARK = Benchmark(
    "experiment",
    "The experiment",
    "One forward pass of a language model: every view a copy, views, hints followed, the engine.",
    BARS,
    rows=rows,
    notes="float32 weights, two threads, the stages in turns and on the same past. Random weights "
    "of the real configurations, except those of SmolLM2.",
)

if __name__ == "__main__":
    main(BENCHMARK)
