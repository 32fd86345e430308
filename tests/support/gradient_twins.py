"""Random programs of graph statements, run on strided and on PyTorch line by line.

Beside views, operations and in-place writes they detach, switch recording off, retain gradients and
take pieces. After each line both must have refused it or both not, and all tensors must agree in
their values, in what requires a gradient and in what is a leaf; at the end in all gradients.
"""

from __future__ import annotations

import random
import re
import warnings
from typing import Any

import numpy as np

from .gradient_answers import array_of, tensor_of, weighted

# n: a new name, v and w: names there are. What is written is a copy: PyTorch refuses or garbles
# operands that overlap, strided writes as if they had been copied.
STATEMENTS = """
n = v.T if v.ndim == 2 else v.unsqueeze(0)
n = v[0]
n = v[1:]
n = v[..., ::2]
n = v[..., 1]
n = v.reshape(-1)
n = v.unsqueeze(-1)
n = v.expand(2, *v.shape) + 0
n = v.diagonal() if v.ndim == 2 else v
n = v.unbind()[0]
n = v.split(1)[-1]
n = v * w
n = v + w
n = v * 2
n = v - 1
n = v.clone().sin()
n = v.sum()
n = v.clone()
n = v.contiguous()
n = v.detach()
n = lib.cat([v, w])
v += w.clone()
v -= 1
v *= 2
v.mul_(w.clone())
v.copy_(w.clone())
v.sin_()
v.zero_()
v.fill_(0.5)
v[0] = 1.5
v[0] = w[0].clone()
v[..., 1:] *= 3
v.transpose(0, -1).add_(1)
v.add_(w.clone(), alpha=2)
v.clamp_(min=0)
with lib.no_grad(): v.mul_(0.5)
with lib.no_grad(): n = v * 3
v.retain_grad()
n = v.detach().clone().requires_grad_()
n = v.clone().detach_()
""".strip().splitlines()


class Twin:
    """The tensors of one library, by name."""

    def __init__(self, lib: Any) -> None:
        self.lib = lib
        start = (np.arange(6.0).reshape(2, 3) - 2) / 4
        leaf = tensor_of(lib, start).requires_grad_()
        self.names: dict[str, Any] = {
            "a": leaf,
            "b": tensor_of(lib, start + 1),
            "y": leaf * 1.5,
        }

    def do(self, statement: str) -> bool:
        """Run a statement; return whether it was not refused."""
        before = dict(self.names)
        try:
            exec(statement, {"lib": self.lib}, self.names)
        except (RuntimeError, IndexError, ValueError, NameError):
            self.names = before
            return False
        return True

    def facts(self) -> dict[str, Any]:
        """What can be seen of every tensor."""
        return {n: (x.requires_grad, x.is_leaf, array_of(x)) for n, x in self.names.items()}

    def gradients(self) -> dict[str, Any] | None:
        """Run backward from everything; return the gradients there are, None when one is stale."""
        loss = weighted(self.lib, list(self.names.values()))
        if loss is None:
            return {}
        try:
            loss.backward()
        except RuntimeError:
            return None
        shown = {n: x for n, x in self.names.items() if x.is_leaf or x.retains_grad}
        return {n: None if x.grad is None else array_of(x.grad) for n, x in shown.items()}


def random_lines(rng: random.Random, depth: int = 10) -> list[str]:
    """Make up a program; names are a, b, y and what its own lines make."""
    lines, names = [], ["a", "b", "y"]
    for k in range(rng.randint(1, depth)):
        v, w = (rng.choice(names[-5:] if rng.random() < 0.8 else names) for _ in range(2))
        line = rng.choice(STATEMENTS)
        words = {"n": f"n{k}", "v": v, "w": w}
        lines.append("".join(words.get(part, part) for part in _parts(line)))
        if "n = " in line:
            names.append(f"n{k}")
    return lines


def _parts(line: str) -> list[str]:
    return re.split(r"\b([nvw])\b", line)


def compare(strided: Any, torch: Any, lines: list[str]) -> tuple[str | None, bool]:
    """Run a program on both; return what disagrees, and whether gradients were compared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, theirs = Twin(strided), Twin(torch)
        for place, line in enumerate(lines):
            done = mine.do(line), theirs.do(line)
            if done[0] != done[1]:
                return f"line {place}, {line!r}: done {done}", False
            try:
                expected = theirs.facts()
            except RuntimeError:  # PyTorch forgets pieces of what was written to
                return None, False
            for name, (a, b) in _paired(mine.facts(), expected):
                if a[:2] != b[:2]:
                    return f"after {line!r}: {name} (requires, leaf) {a[:2]}, {b[:2]}", False
                if not _close(a[2], b[2]):
                    return f"after {line!r}: {name} {a[2]} {b[2]}", False
        found, wanted = mine.gradients(), theirs.gradients()
    if wanted is None:  # PyTorch keeps more, and so more becomes stale
        return None, False
    if found is None:
        return "stale here only", False
    for name, (a, b) in _paired(found, wanted):
        if (a is None) != (b is None) or (a is not None and not _close(a, b)):
            return f"gradient of {name}: {a} {b}", False
    return None, True


def _paired(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, tuple[Any, Any]]]:
    assert a.keys() == b.keys(), (a.keys(), b.keys())
    return [(name, (a[name], b[name])) for name in a]


def _close(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.allclose(a, b, rtol=1e-10, atol=1e-10, equal_nan=True)
