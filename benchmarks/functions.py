"""Elementwise functions on 16M and on 1K float32: exp, log, sin, the activations and their kin.

    python benchmarks/functions.py [--quick] [--only EXPRESSION]

Claim: exp runs at 85 % of a streaming copy, and no function is slower than NumPy's or PyTorch's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from bars import Bar
from operands import libraries, limit, seen_by, torch
from side_by_side import Benchmark, Case, main

import strided as st

EXP, SMALL = "exp", "1K elements"
BARS = [
    Bar("exp: 85 % of the limit", "limit", (EXP,), 0.85),
    Bar("1K elements: no slower than NumPy", "numpy", (SMALL,), 1.0),
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]

UNARY = [
    *(
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
    ),
    *("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "silu"),
    *("gelu", "gelu_tanh", "erf", "erfc", "softplus", "logit", "floor", "round"),
]
BINARY = ["pow", "atan2", "hypot", "logaddexp", "remainder", "floor_divide", "fmod", "xlogy"]
NUMPYS = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "atan2": "arctan2", "pow": "power",
}  # fmt: skip
DOMAINS = {
    "acosh": (1.1, 4),
    "asin": (-1, 1),
    "acos": (-1, 1),
    "atanh": (-0.99, 0.99),
    "logit": (0.01, 0.99),
    **dict.fromkeys(["log", "log2", "log10", "log1p", "sqrt", "rsqrt", "pow", "xlogy"], (0.2, 3)),
}
MAKES_NEW = ("silu", "gelu", "gelu_tanh", "softplus")  # PyTorch has no out= for these


def _function(library: str, name: str) -> Any:
    """Return a library's function, or None."""
    if library == "strided":
        return getattr(st, name)
    if library == "numpy":
        return getattr(np, NUMPYS.get(name, name), None)
    if name == "gelu_tanh":
        return lambda x: torch.nn.functional.gelu(x, approximate="tanh")
    return getattr(torch.nn.functional if name in MAKES_NEW else torch, name)


def _case(name: str, count: int, fresh: bool, words: str) -> Case:
    random = np.random.default_rng(0)
    low, high = DOMAINS.get(name, (-3, 3))
    arrays = {"a": random.uniform(low, high, count).astype(np.float32)}
    if name in BINARY:
        arrays["b"] = random.uniform(0.2, 3, count).astype(np.float32)
    out = np.ones(count, np.float32)
    given = ", ".join(arrays)
    statements: dict[str, Any] = {}
    for library in libraries():
        function = _function(library, name)
        if function is None or (library == "torch" and not fresh and name in MAKES_NEW):
            continue
        seen = {key: seen_by(array, library) for key, array in arrays.items()}
        call = f"f({given})" if fresh else f"f({given}, out=o)"
        statements[library] = (call, {"f": function, "o": seen_by(out, library), **seen})
    statements["limit"] = limit((len(arrays) + 1) * 4 * count // 2)
    tags = [
        *([EXP] if name == "exp" and count > 1 << 20 else []),
        *([SMALL] if count == 1024 else []),
    ]
    return Case(name, statements, group=f"{words} float32, {'new' if fresh else 'out='}", tags=tags)


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    large = 1 << 18 if quick else 1 << 24
    for count, fresh in ((large, False), (large, True), (1024, True)):
        words = f"{count >> 20}M" if count >= 1 << 20 else f"{count >> 10}K"
        for name in (*UNARY, *BINARY):
            yield _case(name, count, fresh, words)


BENCHMARK = Benchmark(
    "functions",
    "Functions",
    "Elementwise functions on float32, into new memory and into memory that is there, relative to "
    "a copy of as many bytes, and to NumPy and PyTorch.",
    BARS,
    cases,
    notes="Errors of each function: [accuracy](accuracy.md).",
)

if __name__ == "__main__":
    main(BENCHMARK)
