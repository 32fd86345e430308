"""Teaches a small transformer to write Python's own documentation, letter by letter:

    python examples/train_characters.py [--steps 600] [--plot characters.svg] [--peer torch]

The text is that of ``help()`` topics in the standard library. With ``--peer torch`` the same
network is built in PyTorch, gets the same first weights and the same batches, and must reach the
same loss within 1 %. The code of the network is the same for both: it takes the library's names.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import numpy as np
from show_training import Progress, save_plot

import strided


@dataclass(frozen=True)
class Sizes:
    """How large everything is."""

    letters: int
    context: int = 64
    width: int = 128
    heads: int = 4
    layers: int = 3
    batch: int = 32


def text_of_topics() -> str:
    """Return the text, in a fixed order."""
    return "\n".join(topics[name] for name in sorted(topics))


def transformer(lib: Any, sizes: Sizes) -> Any:
    """Return the network, made of a library's modules."""
    nn, functional = lib.nn, lib.nn.functional
    width, heads = sizes.width, sizes.heads

    class Attention(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.all = nn.Linear(width, 3 * width)
            self.out = nn.Linear(width, width)

        def forward(self, x: Any) -> Any:
            batch, length, _ = x.shape
            parts = self.all(x).view(batch, length, 3, heads, width // heads)
            query, key, value = (parts[:, :, i].transpose(1, 2) for i in range(3))
            seen = functional.scaled_dot_product_attention(query, key, value, is_causal=True)
            return self.out(seen.transpose(1, 2).reshape(batch, length, width))

    class Block(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm1, self.attention = nn.LayerNorm(width), Attention()
            self.norm2 = nn.LayerNorm(width)
            self.mlp = nn.Sequential(
                nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width)
            )

        def forward(self, x: Any) -> Any:
            x = x + self.attention(self.norm1(x))
            return x + self.mlp(self.norm2(x))

    class Transformer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.letters = nn.Embedding(sizes.letters, width)
            self.places = nn.Parameter(lib.zeros(sizes.context, width))
            self.blocks = nn.Sequential(*(Block() for _ in range(sizes.layers)))
            self.norm = nn.LayerNorm(width)
            self.head = nn.Linear(width, sizes.letters, bias=False)

        def forward(self, letters: Any) -> Any:
            x = self.letters(letters) + self.places[: letters.shape[1]]
            return self.head(self.norm(self.blocks(x)))

    return Transformer()


def first_weights(sizes: Sizes, seed: int) -> dict[str, np.ndarray]:
    """Return the weights that every library begins with."""
    strided.manual_seed(seed)
    net = transformer(strided, sizes)
    for name, parameter in net.named_parameters():
        if parameter.ndim == 2 and name != "places":
            strided.nn.init.normal_(parameter, std=0.02)
    return {name: value.numpy().copy() for name, value in net.state_dict().items()}


def batches(numbers: np.ndarray, sizes: Sizes, count: int, seed: int) -> list[np.ndarray]:
    """Return windows (batch, context + 1) of the text from random places."""
    rng = np.random.default_rng(seed)
    windows = np.lib.stride_tricks.sliding_window_view(numbers, sizes.context + 1)
    return [windows[rng.integers(0, len(windows), sizes.batch)] for _ in range(count)]


def train(
    lib: Any,
    sizes: Sizes,
    weights: dict[str, np.ndarray],
    training: list[np.ndarray],
    test: list[np.ndarray],
) -> tuple[list[float], float]:
    """Return the loss of every step, and the loss of the test at the end."""
    functional = lib.nn.functional
    net = transformer(lib, sizes)
    net.load_state_dict({name: lib.from_numpy(value) for name, value in weights.items()})
    if lib is strided:
        lib.nn.flat_parameters(net)
    clip = lib.nn.clip_grad_norm_ if lib is strided else lib.nn.utils.clip_grad_norm_
    optimizer = lib.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1)
    schedules = lib.optim.lr_scheduler
    steps = len(training)
    warm = max(steps // 10, 1)
    schedule = schedules.SequentialLR(
        optimizer,
        [
            schedules.LinearLR(optimizer, 0.05, total_iters=warm),
            schedules.CosineAnnealingLR(optimizer, max(steps - warm, 1), 1e-4),
        ],
        [warm],
    )

    def loss_of(windows: np.ndarray) -> Any:
        letters = lib.from_numpy(windows)
        scores = net(letters[:, :-1])
        return functional.cross_entropy(
            scores.reshape(-1, sizes.letters), letters[:, 1:].reshape(-1)
        )

    progress, losses = Progress(steps, f"{lib.__name__:8}"), []
    for windows in training:
        optimizer.zero_grad()
        loss = loss_of(windows)
        loss.backward()
        clip(net.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        progress.update(len(losses), f"loss {losses[-1]:.4f}")
    net.eval()
    with lib.no_grad():
        return losses, float(np.mean([loss_of(windows).item() for windows in test]))


def main(given: list[str] | None = None) -> dict[str, float]:
    """Train, draw, compare; return the test loss of each library."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--layers", type=int, default=3)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--peer", choices=["torch"], help="train the same network there too")
    parser.add_argument("--plot", type=Path, default=Path("build/characters.svg"))
    asked = parser.parse_args(given)

    text = text_of_topics()
    alphabet = sorted(set(text))
    place = {letter: number for number, letter in enumerate(alphabet)}
    numbers = np.array([place[letter] for letter in text])
    cut = int(0.9 * len(numbers))
    sizes = Sizes(len(alphabet), width=asked.width, layers=asked.layers, batch=asked.batch)
    weights = first_weights(sizes, asked.seed)
    training = batches(numbers[:cut], sizes, asked.steps, asked.seed)
    test = batches(numbers[cut:], sizes, 10, asked.seed + 1)

    curves, found = {}, {}
    for name in ["strided", *([asked.peer] if asked.peer else [])]:
        begin = time.perf_counter()
        lib = importlib.import_module(name)
        curves[name], found[name] = train(lib, sizes, weights, training, test)
        print(f"{name}: test loss {found[name]:.4f} in {time.perf_counter() - begin:.1f} s")
    save_plot(asked.plot, curves, f"{len(text):,} letters, {asked.steps} steps")
    print(f"losses of all steps: {asked.plot}")
    if asked.peer:
        apart = abs(found["strided"] / found[asked.peer] - 1)
        print(f"the losses differ by {apart:.3%}")
        if apart > 0.01:
            sys.exit("more than 1 %: the libraries do not compute the same")
    return found


if __name__ == "__main__":
    main()
