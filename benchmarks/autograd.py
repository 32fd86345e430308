"""Training: steps of whole networks, many slices, what recording costs, the memory of a step.

    python benchmarks/autograd.py [--quick] [--only EXPRESSION]

Claim: no slower than PyTorch on any network; backward of views costs what the views cost.
"""

from __future__ import annotations

import argparse
import gc
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from bars import Bar
from side_by_side import PAUSE, Benchmark, main, torch

import strided

sys.path.append(str(Path(__file__).parent.parent / "examples"))
from train_characters import Sizes, transformer
from train_digits import network

THREADS = 2
ROUNDS = 9
TURN = 0.2  # seconds of one library's turn in a round
SLOW = 1.0  # calls from here on are timed three times
BARS = [
    Bar("a training step: never slower than PyTorch", "torch", ("step",), 1.0),
    Bar("backward of 1,000 slices of 10M elements: 20x", "torch", ("slices",), 20.0),
]


# ---- networks ----


def perceptron(lib: Any) -> Any:
    """Return three layers."""
    nn = lib.nn
    return nn.Sequential(
        nn.Linear(784, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
    )


SIZES = Sizes(letters=103)
LARGE = Sizes(letters=103, context=128, width=256, heads=8, layers=4, batch=32)


def _letters(sizes: Sizes) -> tuple[np.ndarray, np.ndarray]:
    numbers = np.random.default_rng(0).integers(0, sizes.letters, (sizes.batch, sizes.context + 1))
    return numbers[:, :-1], numbers[:, 1:].reshape(-1).copy()


def _pictures(shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random(shape, np.float32), rng.integers(0, 10, shape[0])


# name: (how it is made, its input and classes)
NETWORKS: dict[str, tuple[Callable[[Any], Any], Callable[[], tuple[np.ndarray, np.ndarray]]]] = {
    "MLP 784-512-512-10, batch 128": (perceptron, lambda: _pictures((128, 784))),
    "convolutions of train_digits.py, batch 64": (network, lambda: _pictures((64, 1, 8, 8))),
    "transformer of train_characters.py, batch 32": (
        lambda lib: transformer(lib, SIZES),
        lambda: _letters(SIZES),
    ),
}
# The same networks with batches whose activations outweigh everything else.
HEAVY: dict[str, tuple[Callable[[Any], Any], Callable[[], tuple[np.ndarray, np.ndarray]]]] = {
    "MLP, batch 16,384": (perceptron, lambda: _pictures((16384, 784))),
    "convolutions, batch 1,024": (network, lambda: _pictures((1024, 1, 8, 8))),
    "transformer, 4 layers of 256, batch 32 x 128": (
        lambda lib: transformer(lib, LARGE),
        lambda: _letters(LARGE),
    ),
}


class Training:
    """A network in one library, ready to make steps."""

    def __init__(self, lib: Any, make: Any, data: Any, flat: bool = True) -> None:
        self.lib, self.net = lib, make(lib)
        x, classes = data()
        self.x, self.classes = lib.from_numpy(x), lib.from_numpy(classes)
        ours = lib is strided
        if ours and flat:
            lib.nn.flat_parameters(self.net)
        settings = {} if ours else {"fused": True}
        self.optimizer = lib.optim.AdamW(self.net.parameters(), lr=1e-4, **settings)

    def step(self) -> None:
        """Make one step."""
        self.optimizer.zero_grad()
        scores = self.net(self.x)
        scores = scores.reshape(-1, scores.shape[-1])
        loss = self.lib.nn.functional.cross_entropy(scores, self.classes)
        loss.backward()
        self.optimizer.step()


# ---- slices ----


class Slices:
    """Many slices of one tensor, each added up; only the backward pass is timed."""

    def __init__(self, lib: Any, elements: int, count: int, stepped: bool) -> None:
        self.lib = lib
        self.x = lib.zeros(elements).requires_grad_()
        length = elements // count
        parts = [
            self.x[i::count] if stepped else self.x[i * length : (i + 1) * length]
            for i in range(count)
        ]
        self.total = lib.stack([part.sum() for part in parts]).sum()

    def backward(self) -> None:
        """Return the gradient of the tensor, graph kept."""
        self.lib.autograd.grad(self.total, self.x, retain_graph=True)


# ---- what recording costs ----

# name: statement, run a thousand times; x and y have 8 elements, and require grad or not.
CALLS = {
    "x + y": "x + y",
    "x[2:5]": "x[2:5]",
    "x.sum()": "x.sum()",
    "x.reshape(2, 4)": "x.reshape(2, 4)",
}


def _loop(lib: Any, statement: str, tracked: bool) -> Callable[[], None]:
    x, y = (lib.ones(8).requires_grad_(tracked) for _ in range(2))
    names: dict[str, Any] = {"x": x, "y": y}
    exec(f"def run():\n    for _ in range(1000):\n        {statement}", names)
    run: Callable[[], None] = names["run"]
    return run


# ---- memory ----


def peak_of(library: str, name: str) -> int:
    """Return by how much a network, its data and three steps raise this process, in bytes."""
    lib = __import__(library)
    lib.set_num_threads(THREADS)
    # The same in small loads the code that steps run, which is memory too.
    Training(lib, *list(NETWORKS.values())[list(HEAVY).index(name)]).step()
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark begins anew
    before = _status("VmRSS")
    training = Training(lib, *HEAVY[name])
    for _ in range(3):
        training.step()
    return _status("VmHWM") - before


def _status(key: str) -> int:
    text = Path("/proc/self/status").read_text()
    return 1024 * int(re.findall(rf"{key}:\s*(\d+)", text)[0])


def _peak_in_process(library: str, name: str) -> int:
    code = f"import autograd, json; print(json.dumps(autograd.peak_of({library!r}, {name!r})))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parent,
        check=True,
        capture_output=True,
        text=True,
    )
    return int(json.loads(done.stdout.splitlines()[-1]))


# ---- rows ----


def _interleaved(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Any]:
    """Return the median time of a call in turns; threads of others spin on for a while."""
    counts: dict[str, int] = {}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        first = _timed(call, 1)
        if first > SLOW:
            times[name].append(first)
        else:
            counts[name] = max(1, int(TURN / _timed(call, 1)))
    for turn in range(rounds):
        for name, call in calls.items():
            if name in counts:
                _timed(call, 1)  # brings the operands back to the cache
                times[name].append(_timed(call, counts[name]))
            elif turn < 2:
                times[name].append(_timed(call, 1))
            time.sleep(PAUSE)
    return {name: {str(THREADS): statistics.median(found)} for name, found in times.items()}


def _timed(call: Callable[[], object], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - begin) / count


def _libraries() -> dict[str, Any]:
    return {"strided": strided, **({} if torch is None else {"torch": torch})}


def _cases(quick: bool) -> Iterator[tuple[str, str, list[str], Callable[[], dict[str, Any]]]]:
    """Yield group, name, tags, and what makes the calls to time."""
    libraries = _libraries()
    for name, (make, data) in NETWORKS.items():
        yield (
            "a training step",
            name,
            ["step"],
            lambda make=make, data=data: {
                key: Training(lib, make, data).step for key, lib in libraries.items()
            },
        )
    for name, (make, data) in NETWORKS.items():
        yield (
            "the optimiser's share of it",
            name,
            ["optimiser"],
            lambda make=make, data=data: {
                key: _stepped(Training(lib, make, data)) for key, lib in libraries.items()
            },
        )
    elements, count = (1_000_000, 100) if quick else (10_000_000, 1000)
    for stepped in (False, True):
        kind = f"x[i::{count}]" if stepped else "x[i * n : (i + 1) * n]"
        name = f"{count:,} slices of {elements:,} elements: {kind}"
        yield (
            "backward of slices",
            name,
            ["slices"],
            lambda stepped=stepped: {
                key: Slices(lib, elements, count, stepped).backward
                for key, lib in libraries.items()
            },
        )
    for name, statement in CALLS.items():
        for tracked in (False, True):
            how = "recorded" if tracked else "nothing requires grad"
            yield (
                "a thousand small operations",
                f"{name}, {how}",
                ["recording"],
                lambda s=statement, t=tracked: {
                    key: _loop(lib, s, t) for key, lib in libraries.items()
                },
            )


def _stepped(training: Training) -> Callable[[], object]:
    training.step()
    step: Callable[[], object] = training.optimizer.step
    return step


def rows(quick: bool) -> list[dict[str, Any]]:
    """Measure every case that ``--only`` does not leave out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    only = parser.parse_known_args()[0].only
    for lib in _libraries().values():
        lib.set_num_threads(THREADS)
    found = []
    for group, name, tags, calls in _cases(quick):
        if re.search(only, f"{group}: {name}"):
            seconds = _interleaved(calls(), 3 if quick else ROUNDS)
            found.append({"group": group, "name": name, "tags": tags, "seconds": seconds})
            print(f"{group}: {name} {seconds}", file=sys.stderr, flush=True)
    if not quick:
        found += _memory_rows(only)
    return found


def _memory_rows(only: str) -> Iterator[dict[str, Any]]:
    for name in HEAVY:
        if not re.search(only, f"memory: {name}"):
            continue
        peaks = {library: _peak_in_process(library, name) for library in _libraries()}
        shown = ", ".join(f"{library} {peak / 2**20:.0f} MiB" for library, peak in peaks.items())
        print(f"memory: {name} {shown}", file=sys.stderr, flush=True)
        group = "the most memory that steps take"
        yield {
            "group": group,
            "name": f"{name}: {shown}",
            "tags": ["memory"],
            "seconds": {},
            "bytes": peaks,
        }


BENCHMARK = Benchmark(
    "autograd",
    "Training",
    "No slower than PyTorch on any network; backward of views costs what the views cost.",
    BARS,
    rows=rows,
    notes="A step is zero_grad, forward, cross-entropy, backward and AdamW: with flat parameters "
    "here, with fused=True there. Memory is what a network, its data and three steps add to a "
    "process. Two threads.",
)

if __name__ == "__main__":
    main(BENCHMARK)
