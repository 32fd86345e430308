"""Results in fresh memory: arithmetic, broadcasting, conversions, fused functions.

    python benchmarks/fresh.py [--quick] [--only EXPRESSION]

Claim: as fast as memory can be read and written, where NumPy and PyTorch wait for new pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from bars import Bar
from operands import libraries, limit, numbers, read_limit, seen_by, torch
from side_by_side import Benchmark, Case, main

import strided as st

FRESH, TRANSPOSED, STEADY = "fresh result", "transposed operand", "steady"

BARS = [
    Bar("a + b, a + row, a + col, exp, contiguous(): 1.5x NumPy", "numpy", (FRESH,), 1.5),
    Bar("a + b, a + row, a + col, exp, contiguous(): 4x PyTorch", "torch", (FRESH,), 4.0),
    Bar("a + b.T: 50 % of the limit", "limit", (TRANSPOSED,), 0.50),
    Bar("fused normalisation, var, exp: 85 % of the limit", "limit", (STEADY,), 0.85),
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]


# ---- functions of several steps, as each library has them ----


def _normalise(x: Any) -> Any:
    return (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True)


def _numpys_normalise(x: Any) -> Any:
    return (x - x.mean(-1, keepdims=True)) / x.std(-1, ddof=1, keepdims=True)


def _layer_norm(x: Any) -> Any:
    centred = x - x.mean(-1, keepdim=True)
    return centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()


def _numpys_layer_norm(x: Any) -> Any:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt(np.square(centred).mean(-1, keepdims=True) + np.float32(1e-5))


def _softmax(x: Any) -> Any:
    powers = st.exp(x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def _numpys_softmax(x: Any) -> Any:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def _chain(a: Any, b: Any) -> Any:
    return abs(a * 2 + b - 0.5) / 3


NAMES: dict[str, dict[str, Any]] = {
    "strided": {
        "m": st,
        "chain": st.fuse(_chain),
        "normalise": st.fuse(_normalise),
        "layer_norm": st.fuse(_layer_norm),
        "softmax": st.fuse(_softmax),
        "spread": st.fuse(lambda x: (x * 2 + 1).var(-1)),
        "distance": st.fuse(lambda x, y: ((x - y) * (x - y)).sum(-1)),
    },
    "numpy": {
        "m": np,
        "chain": _chain,
        "normalise": _numpys_normalise,
        "layer_norm": _numpys_layer_norm,
        "softmax": _numpys_softmax,
        "spread": lambda x: (x * 2 + 1).var(-1, ddof=1),
        "distance": lambda x, y: ((x - y) * (x - y)).sum(-1),
    },
    "torch": {
        "m": torch,
        "chain": _chain,
        "normalise": _normalise,
        "layer_norm": lambda x: torch.nn.functional.layer_norm(x, x.shape[-1:]),
        "softmax": lambda x: torch.softmax(x, -1),
        "spread": lambda x: (x * 2 + 1).var(-1),
        "distance": lambda x, y: ((x - y) * (x - y)).sum(-1),
    },
}

# Operands: (shape, dtype), where n is the side of a square matrix.
OPERANDS = {
    "a": ("nn", "float32"),
    "b": ("nn", "float32"),
    "w": ("nn", "float32"),  # written in place
    "o": ("nn", "float32"),  # a warm destination
    "row": ("n", "float32"),
    "col": ("n1", "float32"),
    "d": ("nn", "float64"),
    "i": ("nn", "int32"),
    "l": ("nn", "int64"),
    "u": ("nn", "uint8"),
    "h": ("nn", "float16"),
}

# Group, statement, operands read, tags, then NumPy's and PyTorch's spelling where it differs
# ("-": the library has no such thing).
PLAIN, FUSED, MIXED, IN_PLACE = "one operation", "fused", "mixed dtypes", "in place and out="
TABLE: list[tuple[str, str, str, tuple[str, ...], str, str]] = [
    (PLAIN, "a + b", "a b", (FRESH,), "", ""),
    (PLAIN, "a + row", "a row", (FRESH,), "", ""),
    (PLAIN, "a + col", "a col", (FRESH,), "", ""),
    (PLAIN, "m.exp(a)", "a", (FRESH, STEADY), "", ""),
    (PLAIN, "a.T.contiguous()", "a", (FRESH,), "m.ascontiguousarray(a.T)", ""),
    (PLAIN, "a + b.T", "a b", (TRANSPOSED,), "", ""),
    (PLAIN, "a.T + b.T", "a b", (), "", ""),
    (PLAIN, "a[:, ::-1] + b", "a b", (), "", "-"),
    (PLAIN, "a[:, ::2] + b[:, ::2]", "a b", (), "", ""),
    (PLAIN, "a + 1.5", "a", (), "", ""),
    (PLAIN, "a / b", "a b", (), "", ""),
    (PLAIN, "m.sqrt(a)", "a", (), "", ""),
    (PLAIN, "a < b", "a b", (), "", ""),
    (PLAIN, "m.where(a < b, a, b)", "a b", (), "", ""),
    (PLAIN, "a.clip(0.75, 1.25)", "a", (), "", ""),
    (PLAIN, "a ** 2", "a", (), "", ""),
    (PLAIN, "m.maximum(a, b)", "a b", (), "", ""),
    (PLAIN, "a.clone()", "a", (), "a.copy()", ""),
    (FUSED, "chain(a, b)", "a b", (), "", ""),
    (FUSED, "normalise(a)", "a", (STEADY,), "", ""),
    (FUSED, "layer_norm(a)", "a", (STEADY,), "", ""),
    (FUSED, "softmax(a)", "a", (), "", ""),
    (FUSED, "a.var(-1)", "a", (STEADY,), "a.var(-1, ddof=1)", ""),
    (FUSED, "spread(a)", "a", (), "", ""),
    (FUSED, "distance(a, b)", "a b", (), "", ""),
    (MIXED, "a + d", "a d", (), "", ""),
    (MIXED, "a + i", "a i", (), "", ""),
    (MIXED, "a * u", "a u", (), "", ""),
    (MIXED, "h + a", "h a", (), "", ""),
    (MIXED, "h + h", "h", (), "", ""),
    (MIXED, "h * 1.5", "h", (), "", ""),
    (MIXED, "i + l", "i l", (), "", ""),
    (MIXED, "i // 3", "i", (), "", ""),
    (MIXED, "i % 3", "i", (), "", ""),
    (MIXED, "i / 3", "i", (), "", ""),
    (MIXED, "u + u", "u", (), "", ""),
    (MIXED, "d + d", "d", (), "", ""),
    (MIXED, "a.to(m.float64)", "a", (), "a.astype(m.float64)", ""),
    (MIXED, "d.to(m.float32)", "d", (), "d.astype(m.float32)", ""),
    (MIXED, "i.to(m.float32)", "i", (), "i.astype(m.float32)", ""),
    (MIXED, "u.to(m.float32)", "u", (), "u.astype(m.float32)", ""),
    (MIXED, "a.to(m.float16)", "a", (), "a.astype(m.float16)", ""),
    (IN_PLACE, "w.add_(b)", "w b", (), "m.add(w, b, out=w)", ""),
    (IN_PLACE, "w.mul_(1.0)", "w", (), "m.multiply(w, 1.0, out=w)", ""),
    (IN_PLACE, "w.sqrt_()", "w", (), "m.sqrt(w, out=w)", ""),
    (IN_PLACE, "w.copy_(b.T)", "b", (), "m.copyto(w, b.T)", ""),
    (IN_PLACE, "m.add(a, b, out=o)", "a b", (), "", ""),
    (IN_PLACE, "m.add(a, b.T, out=o)", "a b", (TRANSPOSED,), "", ""),
    (IN_PLACE, "m.exp(a, out=o)", "a", (STEADY,), "", ""),
    (IN_PLACE, "o.fill_(1.5)", "", (), "o.fill(1.5)", ""),
]
SAID = {
    "chain(a, b)": "5 steps: abs(a * 2 + b - 0.5) / 3",
    "normalise(a)": "(a - mean) / std of each row",
    "layer_norm(a)": "layer norm of each row (PyTorch: layer_norm)",
    "softmax(a)": "softmax of each row (PyTorch: softmax)",
    "spread(a)": "(a * 2 + 1).var(-1)",
    "distance(a, b)": "((a - b) * (a - b)).sum(-1)",
}


def _operand(name: str, side: int, kept: dict[str, np.ndarray]) -> np.ndarray:
    if name not in kept:
        letters, dtype = OPERANDS[name]
        shape = tuple(side if letter == "n" else 1 for letter in letters)
        kept[name] = numbers(shape, dtype, seed=len(kept))
    return kept[name]


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    side = 2048 if quick else 8192
    kept: dict[str, np.ndarray] = {}
    for group, ours, reads, tags, numpys, torchs in TABLE:
        spelled = {"strided": ours, "numpy": numpys or ours, "torch": torchs or ours}
        used = {name for name in OPERANDS if name in _words(ours)}
        arrays = {name: _operand(name, side, kept) for name in sorted(used)}
        statements: dict[str, tuple[str, dict[str, Any]]] = {}
        for library in libraries():
            if spelled[library] != "-":
                seen = {name: seen_by(array, library) for name, array in arrays.items()}
                statements[library] = (spelled[library], {**NAMES[library], **seen})
        written = eval(*statements["strided"]).nbytes
        read = sum(arrays[name].nbytes for name in reads.split())
        # A half of the bytes is skipped by [:, ::2], and read all the same.
        few = written < read // 100
        statements["limit"] = read_limit(read) if few else limit((read + written) // 2)
        if ours == "chain(a, b)":
            statements["one step"] = ("a + b", statements["strided"][1])
        facts = {"read": read, "written": written, "side": side}
        yield Case(SAID.get(ours, ours), statements, group=group, tags=tags, facts=facts)
        for name in set(kept) - {"a", "b", "w", "o"}:
            if not any(name in _words(row[1]) for row in TABLE if row[0] == group):
                del kept[name]


def _words(statement: str) -> set[str]:
    return set("".join(c if c.isalnum() or c == "_" else " " for c in statement).split())


BENCHMARK = Benchmark(
    "fresh",
    "Fresh results",
    "Elementwise operations, conversions and fused functions on matrices of 8192 x 8192, relative "
    "to a copy of half as many bytes as they read and write, and to NumPy and PyTorch.",
    BARS,
    cases,
    notes="NumPy and PyTorch have no fuse: they take one step after the other, except where "
    "PyTorch has a function for the whole (layer_norm, softmax). Result dtypes are each library's "
    "own: float32 + int32 is float64 in NumPy. 'one step' is strided's a + b.",
)

if __name__ == "__main__":
    main(BENCHMARK)
