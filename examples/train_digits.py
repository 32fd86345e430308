"""Learns to read handwritten digits with a small convolutional network:

    python examples/train_digits.py [--epochs 15] [--plot digits.svg]

The pictures (1,797 of 8 by 8 pixels, from the UCI repository) come with scikit-learn
(``pip install scikit-learn``), of which nothing else is used. ``--drawn`` takes digits that the
script draws itself. Prints the share of test pictures that are read rightly.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
from show_training import Progress, save_plot

import strided
from strided import nn, optim

TEST = 360  # pictures that are kept for the test
# Five rows of four pixels per digit, a hexadecimal digit a row.
GLYPHS = ("69996", "26227", "e168f", "e161e", "99f11", "f8e1e", "68e96", "f1244", "69696", "69716")


def network(lib: Any = strided) -> Any:
    """Return the network, two convolutions, a pool, two layers, made of a library's modules."""
    nn = lib.nn
    return nn.Sequential(
        nn.Conv2d(1, 32, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(32, 64, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.25),
        nn.Linear(64 * 4 * 4, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def handwritten() -> tuple[np.ndarray, np.ndarray]:
    """Return pictures (n, 8, 8) with values from 0 to 1, and their digits."""
    try:
        from sklearn.datasets import load_digits
    except ImportError:
        raise SystemExit("the pictures need scikit-learn: pip install scikit-learn") from None
    digits = load_digits()
    return digits.images / 16.0, digits.target


def drawn(count: int = 1800) -> tuple[np.ndarray, np.ndarray]:
    """Return noisy pictures of printed digits, each somewhere in its frame."""
    rng = np.random.default_rng(0)
    rows = [[int(row, 16) for row in glyph] for glyph in GLYPHS]
    shapes = np.array([[[row >> (3 - i) & 1 for i in range(4)] for row in glyph] for glyph in rows])
    digits = rng.integers(0, 10, count)
    images = rng.random((count, 8, 8)) * 0.3
    for image, digit, down, right in zip(
        images, digits, rng.integers(0, 4, count), rng.integers(0, 5, count), strict=True
    ):
        image[down : down + 5, right : right + 4] += 0.7 * shapes[digit]
    return images, digits


def split(
    images: np.ndarray, digits: np.ndarray, seed: int
) -> tuple[tuple[strided.Tensor, strided.Tensor], tuple[strided.Tensor, strided.Tensor]]:
    """Return (pictures, digits) for training and for the test, in random order."""
    order = np.random.default_rng(seed).permutation(len(images))
    x = strided.tensor(images[order], dtype=strided.float32).unsqueeze(1)
    y = strided.tensor(digits[order], dtype=strided.int64)
    return (x[TEST:], y[TEST:]), (x[:TEST], y[:TEST])


def accuracy(net: nn.Module, x: strided.Tensor, y: strided.Tensor) -> float:
    """Return the share of pictures that are read rightly."""
    net.eval()
    with strided.no_grad():
        right = (net(x).argmax(-1) == y).sum().item()
    net.train()
    return right / len(y)


def train(
    net: nn.Module, x: strided.Tensor, y: strided.Tensor, epochs: int, batch: int, seed: int
) -> list[float]:
    """Train in place; return the loss of every step."""
    nn.flat_parameters(net)
    optimizer = optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.01)
    steps = len(x) // batch
    schedule = optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=epochs * steps + 1)
    generator = strided.Generator(seed)
    progress, losses = Progress(epochs * steps, "training"), []
    for epoch in range(epochs):
        order = strided.randperm(len(x), generator=generator)
        for step in range(steps):
            chosen = order[step * batch : (step + 1) * batch]
            optimizer.zero_grad()
            loss = nn.cross_entropy(net(x[chosen]), y[chosen])
            loss.backward()
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            progress.update(len(losses), f"epoch {epoch + 1}, loss {losses[-1]:.4f}")
    return losses


def main(given: list[str] | None = None) -> float:
    """Train, test, draw; return the accuracy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--drawn", action="store_true", help="digits drawn by the script itself")
    parser.add_argument("--plot", type=Path, default=Path("build/digits.svg"))
    asked = parser.parse_args(given)

    strided.manual_seed(asked.seed)
    training, test = split(*(drawn() if asked.drawn else handwritten()), seed=asked.seed)
    net = network()
    begin = time.perf_counter()
    losses = train(net, *training, asked.epochs, asked.batch, asked.seed)
    took = time.perf_counter() - begin
    share = accuracy(net, *test)
    save_plot(asked.plot, {"loss": losses}, f"Digits: {share:.1%} of the test read rightly")
    print(f"test accuracy {share:.2%} after {asked.epochs} epochs in {took:.1f} s; {asked.plot}")
    return share


if __name__ == "__main__":
    main()
