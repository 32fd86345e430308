"""A program as a user writes it: clean under ``mypy --strict`` and strict pyright, and it runs.

It says the types of what it is given and what it gives back; those in between come from the stubs.
Checked by `make types`, run by tests/project/test_typing.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

import strided as st
from strided import Tensor, nn, optim


def views_of(image: Tensor) -> list[Tensor]:
    """Make views in all the ways there are; none of them copies."""
    height, width = image.shape
    with st.no_copies():
        rows = list(image)
        transposed: Tensor = image.T
        parts = [image[1:, ::2], image[..., None], image[0], image.flip(0), st.flip(image, axis=1)]
        parts += [image.permute(1, 0), image.reshape(width * height), image.unsqueeze(0)]
        windows: Tensor = image.unfold(0, 2, 1)
        first, *others = image.split(1)
    strides: tuple[int, ...] = tuple(transposed.strides)
    assert strides == (1, width)
    assert transposed.is_view
    assert transposed.storage() == image.storage()
    return [*rows, *parts, windows, first, *others]


def picked(x: Tensor) -> tuple[Tensor, Tensor]:
    """Index by masks, positions and integers; write through a view."""
    mask = (x > 0) & (x < 8)
    x[mask] = 0
    x[:, -1] += 1
    order = x.sum(dim=0).argsort(descending=True)
    return x[:, order], x[[0, 1], [1, 0]]


def statistics(x: Tensor) -> dict[str, float]:
    """Reduce: a method has PyTorch's arguments, a function those of the array API."""
    values, places = x.max(1)
    spread = st.max(x, axis=1, keepdims=True) - st.min(x, axis=1, keepdims=True)
    assert (places.dtype, spread.shape) == (st.int64, (x.shape[0], 1))
    numbers = {
        "mean": x.mean(),
        "deviation": st.std(x, correction=1),
        "norm": st.linalg.vector_norm(x),
        "largest": values.max(),
        "total": x.sum(axis=(0, 1), dtype="float64"),
        "logs": st.logsumexp(x, axis=1).sum(),
    }
    return {name: float(number) for name, number in numbers.items()}


class Network(nn.Module):
    """Two layers with a norm between them."""

    def __init__(self, inputs: int, hidden: int, classes: int) -> None:
        super().__init__()
        self.first = nn.Linear(inputs, hidden)
        self.norm = nn.LayerNorm(hidden)
        self.rest = nn.Sequential(nn.ReLU(), nn.Dropout(0.1), nn.Linear(hidden, classes))
        self.scale = nn.Parameter(st.ones(classes))

    def forward(self, x: Tensor) -> Tensor:
        hidden: Tensor = self.norm(self.first(x))
        logits: Tensor = self.rest(hidden)
        return logits * self.scale


def batches(x: Tensor, target: Tensor, size: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Yield parts of the data: views."""
    for start in range(0, len(x), size):
        yield x[start : start + size], target[start : start + size]


def train(model: Network, x: Tensor, target: Tensor) -> list[float]:
    """Return the loss of each epoch."""
    optimizer = optim.AdamW(model.parameters(), lr=0.05, weight_decay=0.01)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=20)
    losses: list[float] = []
    for _ in range(20):
        for some, classes in batches(x, target, 16):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(some), classes)
            loss.backward()
            nn.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        scheduler.step()
        with st.no_grad():
            losses.append(nn.functional.cross_entropy(model(x), target).item())
    return losses


def squares(x: Tensor) -> Tensor:
    """Add up squares."""
    return (x * x).sum()


def gradient_of(x: Tensor) -> Tensor:
    """Differentiate without a module: by backward, and by a function."""
    x = x.clone().requires_grad_()
    squares(x).backward()
    assert x.grad is not None
    slope: Tensor = st.grad(squares)(x.detach())
    assert st.allclose(x.grad, slope)
    return x.grad


def solved(a: Tensor, b: Tensor) -> tuple[Tensor, float]:
    """Linear algebra and Fourier transforms."""
    u, s, vh = st.linalg.svd(a, full_matrices=False)
    assert st.allclose(u @ (s[:, None] * vh), a, atol=1e-5)
    spectrum = st.fft.rfft(b)
    restored: Tensor = st.fft.irfft(spectrum, n=b.shape[0])
    return st.linalg.solve(a, restored), st.linalg.det(a).item()


def exchanged(array: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Take an array as a tensor over the same memory, and give one back."""
    x = st.from_numpy(array)
    x[0] = 5.0
    assert array[0, 0] == 5.0
    back: npt.NDArray[np.float64] = x.T.numpy()
    assert np.shares_memory(back, array)
    return np.asarray(st.zeros(2, dtype=st.float64) + back.mean(axis=0).mean())


def stored(model: Network, folder: Path) -> int:
    """Write tensors to files, and read them as views of these."""
    weights = model.state_dict()
    st.save_safetensors(weights, folder / "model.safetensors")
    model.load_state_dict(st.open_safetensors(folder / "model.safetensors"))
    st.save({"x": st.arange(3), "losses": [0.5]}, folder / "x.safetensors")
    loaded: dict[str, Tensor] = st.load(folder / "x.safetensors")
    assert loaded["x"].tolist() == [0, 1, 2]
    st.save_npy(st.arange(6).reshape(2, 3).T, folder / "x.npy")
    return st.open_npy(folder / "x.npy").stride(0)


def copied(x: Tensor) -> tuple[int, list[str]]:
    """Count what is copied, and say beforehand what would be."""
    assert st.will_copy(x.T, "reshape", -1)
    with st.trace_copies() as report:
        x.T.reshape(-1)
        x.contiguous()
    return report.bytes, [event.reason for event in report.events]


def main() -> None:
    """Run all of it."""
    st.manual_seed(0)
    image = st.arange(12).reshape(3, 4)
    print(len(views_of(image)), [part.tolist() for part in picked(image)])
    x, target = st.randn(64, 8), st.randint(0, 3, (64,))
    print(statistics(x))
    model = Network(8, 16, 3)
    losses = train(model, x, target)
    assert losses[-1] < losses[0]
    print(gradient_of(x[0]).shape, solved(st.eye(4) + 0.1 * st.randn(4, 4), st.ones(4))[0].dtype)
    print(exchanged(np.zeros((2, 3))).shape, copied(x))
    with tempfile.TemporaryDirectory() as folder:
        print(stored(model, Path(folder)))


if __name__ == "__main__":
    main()
