"""contiguous() of any view: every permutation of many shapes, reversals, steps, interleaving.

    python benchmarks/copies.py [--quick] [--only EXPRESSION]

Claim: close to the speed of a plain copy whatever the order of the axes, and never slower than
NumPy or PyTorch.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from bars import Bar
from operands import DTYPES, SOURCE, TARGET, libraries, limit, seen_by
from side_by_side import Benchmark, Case, main

LINE = 64
LARGE, IN_CACHE = "large", "in cache"
MOVES, WIDE, SMALL, EVEN = "moves the fast axis", "axes of 64", "small axes", "even steps"

BARS = [
    Bar("axes of 64 and more: 65 % in the median, 50 % each", "limit", (LARGE, WIDE), 0.50, 0.65),
    Bar("small axes (16-63): 35 % each", "limit", (LARGE, SMALL), 0.35),
    Bar("in cache (1 MB): 45 % each", "limit", (IN_CACHE,), 0.45),
    Bar("reversals, steps, interleaving: 85 % each", "limit", (LARGE, EVEN), 0.85),
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
    Bar("fast axis moves: 10x NumPy in the median", "numpy", (MOVES,), median=10.0),
    Bar("fast axis moves: 4x PyTorch in the median", "torch", (MOVES,), median=4.0),
]

# Item size, shape: all permutations of these are walked. Large is 256 MB where the other libraries
# take seconds at most for each, and never less than fits no cache (twice 32 MB).
WALKED = {
    LARGE: [
        (1, (16384, 16384)),
        (2, (16384, 8192)),
        (4, (8192, 8192)),
        (8, (8192, 4096)),
        (1, (256, 512, 512)),
        (2, (256, 256, 512)),
        (4, (256, 512, 512)),
        (8, (256, 256, 512)),
        (4, (1000, 1001, 65)),
        (4, (8, 1024, 32, 128)),
        (4, (16, 16, 16, 32, 64)),
    ],
    IN_CACHE: [
        (1, (1024, 1024)),
        (2, (512, 1024)),
        (4, (512, 512)),
        (8, (256, 512)),
        (4, (509, 511)),
        (1, (64, 128, 128)),
        (2, (64, 64, 128)),
        (4, (64, 64, 64)),
        (8, (32, 64, 64)),
        (4, (97, 41, 65)),
        (4, (87381, 3)),
        (4, (3, 87381)),
        (1, (32, 32, 32, 32)),
        (2, (16, 32, 32, 32)),
        (4, (16, 32, 16, 32)),
        (8, (16, 16, 16, 32)),
        (4, (8, 16, 8, 16, 16)),
    ],
}
QUICK = {
    LARGE: [
        (1, (4096, 4096)),
        (4, (2048, 2048)),
        (4, (128, 256, 128)),
        (4, (8, 256, 16, 128)),
        (4, (16, 16, 16, 32, 32)),
    ],
    IN_CACHE: [(2, (512, 1024)), (4, (64, 64, 64)), (8, (16, 16, 16, 32))],
}
# Fresh results are timed as well for these: 4-byte items, two and three axes.
FRESH = {
    (4, shape)
    for shape in ((8192, 8192), (256, 512, 512), (1000, 1001, 65), (512, 512), (64, 64, 64))
}

# Group, item size, shape, permutation, what it is for.
TRANSPOSES, REVERSED, PLANES, IMAGES = "transposes", "all axes reversed", "interleaving", "channels"
NAMED = [
    (TRANSPOSES, 4, (4096, 4096), (1, 0), ""),
    (TRANSPOSES, 1, (8192, 8192), (1, 0), ""),
    (TRANSPOSES, 4, (4099, 4001), (1, 0), ""),
    (TRANSPOSES, 1, (8191, 8193), (1, 0), ""),
    (TRANSPOSES, 4, (8, 1024, 32, 128), (0, 2, 3, 1), "[B,S,H,D] to [B,H,D,S]"),
    (TRANSPOSES, 2, (8, 1024, 32, 128), (0, 2, 3, 1), "[B,S,H,D] to [B,H,D,S]"),
    (TRANSPOSES, 4, (8, 1024, 32, 128), (0, 2, 1, 3), "[B,S,H,D] to [B,H,S,D]"),
    (REVERSED, 1, (16, 32, 64, 32, 64), (4, 3, 2, 1, 0), ""),
    (REVERSED, 2, (16, 32, 32, 32, 64), (4, 3, 2, 1, 0), ""),
    (REVERSED, 4, (32, 16, 64, 32, 64), (4, 3, 2, 1, 0), ""),
    (REVERSED, 8, (32, 16, 32, 32, 64), (4, 3, 2, 1, 0), ""),
    (REVERSED, 4, (17, 33, 65, 31, 45), (4, 3, 2, 1, 0), ""),
    (PLANES, 4, (22_000_000, 3), (1, 0), "(N,3) to (3,N)"),
    (PLANES, 4, (3, 22_000_000), (1, 0), "(3,N) to (N,3)"),
    (PLANES, 1, (40_000_000, 3), (1, 0), "(N,3) to (3,N)"),
    (PLANES, 1, (3, 40_000_000), (1, 0), "(3,N) to (N,3)"),
    (PLANES, 4, (32_000_000, 2), (1, 0), "(N,2) to (2,N)"),
    (PLANES, 2, (4, 32_000_000), (1, 0), "(4,N) to (N,4)"),
    (IMAGES, 1, (128, 3, 512, 512), (0, 2, 3, 1), "NCHW to NHWC"),
    (IMAGES, 1, (128, 512, 512, 3), (0, 3, 1, 2), "NHWC to NCHW"),
    (IMAGES, 4, (64, 3, 512, 512), (0, 2, 3, 1), "NCHW to NHWC"),
    (IMAGES, 4, (64, 512, 512, 3), (0, 3, 1, 2), "NHWC to NCHW"),
]
# Group, item size, shape, index, the same in PyTorch (which has no negative strides).
REVERSALS, STEPS = "reversals", "steps"
SLICED = [
    (REVERSALS, 4, (64 << 20,), "x[::-1]", "x.flip(0)"),
    (REVERSALS, 1, (256 << 20,), "x[::-1]", "x.flip(0)"),
    (REVERSALS, 4, (8192, 8192), "x[::-1, ::-1]", "x.flip(0, 1)"),
    (REVERSALS, 2, (8192, 16384), "x[:, ::-1]", "x.flip(1)"),
    (REVERSALS, 4, (8192, 8192), "x[::-1]", "x.flip(0)"),
    (STEPS, 4, (64 << 20,), "x[::2]", ""),
    (STEPS, 1, (256 << 20,), "x[::2]", ""),
    (STEPS, 8, (32 << 20,), "x[1::2]", ""),
    (STEPS, 4, (64 << 20,), "x[::3]", ""),
    (STEPS, 4, (8192, 8192), "x[:, ::2]", ""),
    (STEPS, 4, (8192, 8192), "x[::2]", ""),
    (STEPS, 4, (8192, 8192), "x[5:-5, 7:-7]", ""),
    (STEPS, 4, (8 << 20, 8), "x[:, 1]", ""),
]


def _tags(shape: Sequence[int], order: Sequence[int], size: str) -> list[str]:
    """Say what a permutation is like: axes that stay neighbours count as one.

    The two that decide are the fast axis of the input and that of the output.
    """
    if size == IN_CACHE:
        return [size, *([MOVES] if order[-1] != len(shape) - 1 else [])]
    joined = [[order[0]]]
    for axis in order[1:]:
        if axis == joined[-1][-1] + 1:
            joined[-1].append(axis)
        else:
            joined.append([axis])
    lengths = {axes[-1]: math.prod(shape[axis] for axis in axes) for axes in joined}
    fast_in, fast_out = lengths[len(shape) - 1], math.prod(shape[axis] for axis in joined[-1])
    least = min(fast_in, fast_out)
    kind = [WIDE] if least >= 64 else [SMALL] if least >= 16 else [EVEN] if least <= 4 else []
    moves = [MOVES] if order[-1] != len(shape) - 1 else []
    return [size, *kind, *moves]


def _cases(
    group: str,
    name: str,
    item: int,
    shape: Sequence[int],
    views: dict[str, str],
    tags: Sequence[str],
    destinations: Sequence[str],
) -> Iterator[Case]:
    """Make the rows of one view: into warm memory, into fresh memory."""
    array = SOURCE.array(shape, DTYPES[item])
    for destination in destinations:
        statements = {}
        for library, module in libraries().items():
            if library == "torch" and destination == "warm" and "flip" in views[library]:
                continue  # flip copies there: only the fresh results are the same work
            v = eval(views[library], {"x": seen_by(array, library)})
            out = TARGET.array(tuple(v.shape), DTYPES[item])
            names = {"v": v, "o": seen_by(out, library), "m": module}
            if destination == "warm":
                call = "m.copyto(o, v)" if library == "numpy" else "o.copy_(v)"
            elif "flip" in views[library]:
                call, names["v"] = "v" + views[library][1:], seen_by(array, library)
            else:
                call = "m.ascontiguousarray(v)" if library == "numpy" else "v.contiguous()"
            statements[library] = (call, names)
        ours = statements["strided"][1]["v"]
        written = ours.nbytes
        read = min(_span(ours), ours.numel() * LINE)
        statements["limit"] = limit((read + written) // 2)
        yield Case(f"{name}, {destination}", statements, group=group, tags=[*tags, destination])


def _span(v: Any) -> int:
    """Return how many bytes lie under a view, gaps along its fastest axis included."""
    lengths = sorted(
        (abs(step), n) for step, n in zip(v.stride(), v.shape, strict=True) if n > 1 and step
    )
    return v.nbytes * lengths[0][0]


def _sizes(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))


def _permuted(order: Sequence[int]) -> dict[str, str]:
    axes = ", ".join(map(str, order))
    permute = f"x.permute({axes})"
    return {"strided": permute, "numpy": f"x.transpose({axes})", "torch": permute}


def _walk(size: str, item: int, shape: tuple[int, ...], quick: bool) -> Iterator[Case]:
    """Make the rows of every permutation of a shape."""
    both = ("warm", "fresh") if (item, shape) in FRESH else ("warm",)
    orders = list(itertools.permutations(range(len(shape))))[1:]
    if quick:
        orders = orders[:: max(1, len(orders) // 4)]
    group = f"{len(shape)}-D, {size}: {_sizes(shape)} {DTYPES[item]}"
    for order in orders:
        tags = _tags(shape, order, size)
        yield from _cases(group, f"{order}", item, shape, _permuted(order), tags, both)


def _smaller(shape: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of a smoke test: its longest axis cut."""
    longest = max(shape)
    return tuple(n // 8 if n == longest else n for n in shape)


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, one after the other."""
    both = ("warm", "fresh")
    for group, item, full, order, purpose in NAMED:
        shape = _smaller(full) if quick else full
        name = f"{_sizes(shape)} {DTYPES[item]} {purpose or order}"
        views = _permuted(order)
        yield from _cases(group, name, item, shape, views, _tags(shape, order, LARGE), both)
    for group, item, full, index, torchs in SLICED:
        shape = _smaller(full) if quick else full
        views = {"strided": index, "numpy": index, "torch": torchs or index}
        name = f"{index}, {_sizes(shape)} {DTYPES[item]}"
        yield from _cases(group, name, item, shape, views, [LARGE, EVEN], both)
    for size, shapes in (QUICK if quick else WALKED).items():
        for item, shape in shapes:
            yield from _walk(size, item, shape, quick)


BENCHMARK = Benchmark(
    "copies",
    "Copies of views",
    "contiguous() and copy_ of every permutation, reversal, step and interleaving, relative to the "
    "limit of a plain copy in the same round, and to NumPy and PyTorch.",
    BARS,
    cases,
    notes="Axes that stay neighbours count as one; the class of a permutation is decided by the "
    "shorter of the input's and the output's fastest axis. Axes of 5 to 15 have no bar of their "
    "own. PyTorch has no negative strides: its flip is compared with a fresh reversal.",
)

if __name__ == "__main__":
    main(BENCHMARK)
