"""Times elementwise functions: 16M and 1K float32, into new memory and into memory that is there.

    python benchmarks/functions.py [--threads 2] [--only exp,log]

Claim: exp runs at 85 % of a streaming copy, and no function is slower than NumPy's or PyTorch's.
Calls alternate between the libraries; the fastest of several rounds is the figure, and ``limit`` is
the copy of as many bytes as the function reads and writes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from side_by_side import markdown, write_json

import strided as st

try:
    import torch
except ImportError:
    torch = None

LARGE, SMALL = 1 << 24, 1 << 10
ROUNDS = {LARGE: 7, SMALL: 40}
REPEATS = {LARGE: 1, SMALL: 200}
UNARY = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sqrt",
    "rsqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sigmoid",
    "silu",
    "gelu",
    "gelu_tanh",
    "erf",
    "erfc",
    "softplus",
    "logit",
    "floor",
    "round",
]
BINARY = ["pow", "atan2", "hypot", "logaddexp", "remainder", "floor_divide", "fmod", "xlogy"]
NUMPYS = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "atan2": "arctan2", "pow": "power",
}  # fmt: skip
DOMAINS = {"acosh": (1.1, 4), "asin": (-1, 1), "acos": (-1, 1), "atanh": (-0.99, 0.99)}
DOMAINS |= {"logit": (0.01, 0.99)} | dict.fromkeys(
    ["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "pow", "xlogy"], (0.2, 3)
)


def torchs(name: str) -> Callable[..., Any]:
    """Return PyTorch's function of a name; those of ``functional`` make new tensors only."""
    if name == "gelu_tanh":
        return lambda x: torch.nn.functional.gelu(x, approximate="tanh")
    if name in ("silu", "gelu", "softplus"):
        return getattr(torch.nn.functional, name)
    return getattr(torch, name)


def arrays(name: str, count: int) -> list[np.ndarray]:
    """Return operands in the domain of a function. New arrays."""
    random = np.random.default_rng(0)
    low, high = DOMAINS.get(name, (-3, 3))
    first = random.uniform(low, high, count).astype(np.float32)
    return [first, random.uniform(0.2, 3, count).astype(np.float32)][: 1 + (name in BINARY)]


def calls(name: str, count: int) -> dict[str, Callable[[], Any]]:
    """Return what to time, by library and kind of result."""
    operands = arrays(name, count)
    out = np.empty(count, np.float32)
    ours, theirs = [st.from_numpy(a) for a in operands], st.from_numpy(out)
    function = getattr(st, name)
    made: dict[str, Callable[[], Any]] = {
        "limit": lambda: theirs.copy_(ours[0]),
        "strided": lambda: function(*ours, out=theirs),
        "strided, new": lambda: function(*ours),
    }
    numpys = getattr(np, NUMPYS.get(name, name), None)
    if numpys is not None:
        made["numpy"] = lambda: numpys(*operands, out=out)
        made["numpy, new"] = lambda: numpys(*operands)
    if torch is not None:
        call, tensors, target = (
            torchs(name),
            [torch.from_numpy(a) for a in operands],
            torch.from_numpy(out),
        )
        made["torch, new"] = lambda: call(*tensors)
        if name not in ("silu", "gelu", "gelu_tanh", "softplus"):
            made["torch"] = lambda: call(*tensors, out=target)
    return made


def measure(name: str, count: int) -> dict[str, float]:
    """Return the shortest seconds of one call, by library."""
    todo = calls(name, count)
    best = dict.fromkeys(todo, float("inf"))
    for _ in range(ROUNDS[count]):
        for library, call in todo.items():
            begin = time.perf_counter()
            for _ in range(REPEATS[count]):
                call()
            best[library] = min(best[library], (time.perf_counter() - begin) / REPEATS[count])
    best["limit"] *= 1.5 if name in BINARY else 1  # reads two, writes one
    return best


def row(name: str, count: int, seconds: Mapping[str, float]) -> list[str]:
    """Return one line of the table: ours, and how many times faster than the others."""

    def times(kind: str, library: str) -> str:
        other = seconds.get(library + kind)
        return "" if other is None else f"{other / seconds['strided' + kind]:.2f}"

    unit = 1e3 if count == LARGE else 1e6
    peers = [times(kind, library) for library in ("numpy", "torch") for kind in ("", ", new")]
    share = f"{100 * seconds['limit'] / seconds['strided']:.0f} %" if count == LARGE else ""
    times_of_ours = [f"{seconds[k] * unit:.2f}" for k in ("strided", "strided, new")]
    return [name, *times_of_ours, share, *peers]


def main() -> None:
    """Print the tables and write the JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="", help="names, with commas between them")
    wishes = parser.parse_args()
    st.set_num_threads(wishes.threads)
    if torch is not None:
        torch.set_num_threads(wishes.threads)
    names = wishes.only.split(",") if wishes.only else [*UNARY, *BINARY]
    payload: dict[str, Any] = {"threads": wishes.threads, "rows": []}
    for count, unit in ((LARGE, "ms"), (SMALL, "us")):
        lines = []
        for name in names:
            seconds = measure(name, count)
            payload["rows"].append({"name": name, "count": count, "seconds": seconds})
            lines.append(row(name, count, seconds))
        header = [
            f"{count} float32",
            unit,
            f"{unit}, new",
            "of the limit",
            "x NumPy",
            "x NumPy, new",
        ]
        print(markdown([*header, "x PyTorch", "x PyTorch, new"], lines), end="\n\n", flush=True)
    if not wishes.only:
        write_json(f"functions_{wishes.threads}", payload)


if __name__ == "__main__":
    main()
