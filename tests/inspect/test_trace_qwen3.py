"""A real model under the tracer: one decode step makes the copies that its config implies."""

from __future__ import annotations

import json
import linecache
import re
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from support.command import environment, strided_command
from support.paths import ROOT

EXAMPLE = ROOT / "examples" / "trace_qwen3.py"
LAYERS, PROMPT = 3, 20
HEADS, KV_HEADS, WIDTH, HIDDEN = 8, 2, 32, 256  # of the example's config
SIZES = {"float32": 4, "bfloat16": 2}

pytestmark = pytest.mark.peers

CASES = [(dtype, attention) for dtype in SIZES for attention in ("sdpa", "eager")]


def arguments(dtype: str, attention: str) -> list[str]:
    numbers = ["--layers", str(LAYERS), "--prompt", str(PROMPT)]
    return ["--dtype", dtype, "--attention", attention, *numbers]


@pytest.fixture(scope="module", params=CASES, ids="-".join)
def traced(request: Any) -> tuple[str, str, list[dict[str, Any]]]:
    pytest.importorskip("torch")
    pytest.importorskip("transformers", reason="make test-peers installs it")
    dtype, attention = request.param
    options = ["--json", "--within", "decode"]
    done = strided_command("trace", *options, str(EXAMPLE), *arguments(dtype, attention))
    assert done.returncode == 0, done.stderr
    assert f"cache: {PROMPT + 1} tokens" in done.stdout
    report = done.stderr[done.stderr.index("{\n") :]  # transformers may have had something to say
    return dtype, attention, json.loads(report)["events"]


def expected_of_layer(dtype: str, attention: str) -> Counter[tuple[str, str, int]]:
    """Return (module below the layer, reason, bytes) of each copy that one layer makes."""
    size, length = SIZES[dtype], PROMPT + 1
    expected = [
        ("self_attn", "join", HEADS * WIDTH * size),  # rotate_half of the query
        ("self_attn", "join", KV_HEADS * WIDTH * size),  # and of the key
        ("self_attn", "join", KV_HEADS * length * WIDTH * size),  # the cache of keys
        ("self_attn", "join", KV_HEADS * length * WIDTH * size),  # and of values
    ]
    if dtype != "float32":
        norms = {
            "input_layernorm": HIDDEN,
            "self_attn.q_norm": HEADS * WIDTH,
            "self_attn.k_norm": KV_HEADS * WIDTH,
            "post_attention_layernorm": HIDDEN,
        }
        for name, elements in norms.items():  # to float32 and back
            expected += [(name, "convert", elements * 4), (name, "convert", elements * size)]
    if attention == "eager":
        repeated = HEADS * length * WIDTH * size
        expected += [("self_attn", "reshape", repeated)] * 2  # keys and values for all heads
        if dtype != "float32":  # softmax in float32
            weights = HEADS * length
            expected += [("self_attn", "convert", weights * 4)]
            expected += [("self_attn", "convert", weights * size)]
    return Counter(expected)


def test_every_layer_copies_what_its_config_implies(traced):
    dtype, attention, events = traced
    for layer in range(LAYERS):
        prefix = f"model.layers.{layer}."
        found = Counter(
            (event["module"].removeprefix(prefix), event["reason"], event["nbytes"])
            for event in events
            if event["module"].startswith(prefix)
        )
        assert found == expected_of_layer(dtype, attention)


def test_lines_hold_the_calls_that_copy(traced):
    words = {
        "join": ("cat(",),
        "convert": (".to(", ".float()"),
        "reshape": (".reshape(",),
        "gather": ("embed_tokens(",),
    }
    _, _, events = traced
    for event in events:
        assert "transformers" in event["filename"]
        line = linecache.getline(event["filename"], event["lineno"])
        assert any(word in line for word in words[event["reason"]]), (event, line)


def test_hidden_copies_are_marked(traced):
    dtype, attention, events = traced
    hidden = Counter(event["reason"] for event in events if not event["asked_for"])
    expected = Counter({"reshape": 2 * LAYERS}) if attention == "eager" else Counter()
    if attention == "eager" and dtype != "float32":
        expected["convert"] = LAYERS  # inside softmax
    assert hidden == expected


PROFILED = """
import runpy, sys
import torch
example = runpy.run_path({example!r})
decode = example["decode"]

def profiled(*args):
    with torch.profiler.profile(record_shapes=True, acc_events=True) as profile:
        result = decode(*args)
    seen = [event for event in profile.events() if event.name == "aten::copy_"]
    print("copies", sum(1 for event in seen if event.input_shapes[0]))
    return result

example["main"].__globals__["decode"] = profiled
sys.argv = ["trace_qwen3.py", *{arguments!r}]
example["main"]()
"""


def test_the_profiler_of_torch_counts_as_many(traced):
    """Without our modes: every clone and conversion is one aten::copy_ in the end.

    Those of rank 0 are left out: Python numbers on their way into a kernel.
    """
    dtype, attention, events = traced
    code = PROFILED.format(example=str(EXAMPLE), arguments=arguments(dtype, attention))
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    counted = next(line for line in done.stdout.splitlines() if line.startswith("copies"))
    ours = [event for event in events if event["reason"] not in ("join", "gather")]
    assert int(counted.split()[1]) == len(ours)


def blocks() -> list[tuple[str, list[str]]]:
    """Return what the pages show of the example: the arguments of a run, and its lines."""
    found = []
    for page in ("README.md", "docs/tracing.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        for run in re.findall(r"^```text\n\$ strided trace (.*?)^```$", text, re.M | re.S):
            command, *lines = run.splitlines()
            found.append((command, [line for line in lines if line.strip(" .")]))
    return found


@pytest.mark.parametrize(("command", "lines"), blocks(), ids=lambda one: str(one)[:70])
def test_pages_show_what_the_tracer_says(command: str, lines: list[str]) -> None:
    pytest.importorskip("transformers", reason="make test-peers installs it")
    done = strided_command("trace", *command.split(), cwd=ROOT)
    assert done.returncode == 0, done.stderr
    said = (done.stdout + done.stderr).splitlines()
    assert [line for line in lines if line not in said] == []
