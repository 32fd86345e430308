"""How cost grows with size and rank: the same operations from 1K to 256M elements, rank 1 to 8.

    python benchmarks/growth.py [--quick] [--only EXPRESSION]

Claim: no cliff. The cost of an element rises in steps as caches overflow, and nowhere else.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from bars import Bar
from operands import libraries, limit, numbers, read_limit, seen_by
from side_by_side import Benchmark, Case, main

SIZE, RANK = "elements", "rank"
BARS = [
    Bar("4 times the elements: each costs at most 3 times as much", "before", (SIZE,), 1 / 3),
    Bar("one axis more: each element costs at most 3 times as much", "before", (RANK,), 1 / 3),
    Bar("never slower than NumPy", "numpy", (), 1.0),
    Bar("never slower than PyTorch", "torch", (), 1.0),
]

PEERS_TURN = 26  # more than 2**26 elements take the other libraries half a minute to turn

# Name, statement, NumPy's spelling, operands read, results written (in elements, per element of a),
# least rank. ``t`` is b with its axes in reverse order.
OPERATIONS = [
    ("contiguous() of reversed axes", "t.contiguous()", "m.ascontiguousarray(t)", 1, 1, 2),
    ("a + b", "a + b", "", 2, 1, 1),
    ("a + b with axes reversed", "a + t", "", 2, 1, 2),
    ("sum over the first axis", "a.sum(0)", "", 1, 0, 1),
    ("sum over the last axis", "a.sum(-1)", "", 1, 0, 1),
    ("exp", "m.exp(a)", "", 1, 1, 1),
]


def shape_of(bits: int, rank: int) -> tuple[int, ...]:
    """Return a shape of 2**bits elements that reads the same from both ends."""
    least, more = divmod(bits, rank)
    exponents = [least] * rank
    for i in range(more // 2):
        exponents[i] += 1
        exponents[-1 - i] += 1
    if more % 2:
        exponents[rank // 2] += 1
    return tuple(1 << e for e in exponents)


def _cases(bits: int, rank: int, along: str) -> Iterator[Case]:
    shape = shape_of(bits, rank)
    a, b = numbers(shape, "float32", 1), numbers(shape, "float32", 2)
    for name, ours, numpys, reads, writes, least_rank in OPERATIONS:
        if rank < least_rank:
            continue
        statements: dict[str, tuple[str, dict[str, Any]]] = {}
        for library, module in libraries().items():
            if library != "strided" and bits > PEERS_TURN and "reversed" in name:
                continue
            spelled = numpys if library == "numpy" and numpys else ours
            seen = {"a": seen_by(a, library), "t": seen_by(b.T, library), "b": seen_by(b, library)}
            statements[library] = (spelled, {**seen, "m": module})
        moved = (reads + writes) * a.nbytes
        statements["limit"] = limit(moved // 2) if writes else read_limit(moved)
        facts = {"operation": name, "bits": bits, "rank": rank, "shape": list(shape)}
        label = f"2^{bits}" if along == SIZE else f"rank {rank}: {'x'.join(map(str, shape))}"
        group = f"{name}, by {'number of elements' if along == SIZE else 'rank'}"
        yield Case(label, statements, group=group, tags=[along], facts=facts)


def cases(quick: bool) -> Iterator[Case]:
    """Make every row, by size first and then by rank."""
    for bits in range(10, 21 if quick else 29, 2):
        yield from _cases(bits, 2, SIZE)
    for rank in range(1, 9):
        yield from _cases(16 if quick else 24, rank, RANK)


def compared(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows by group; each says what it would take at the row before's cost."""
    names = [operation[0] for operation in OPERATIONS]
    ordered = sorted(rows, key=lambda row: (row["tags"] != [SIZE], names.index(row["operation"])))
    for before, row in itertools.pairwise(ordered):
        if before["group"] == row["group"]:
            scale = 2.0 ** (row["bits"] - before["bits"])
            row["seconds"]["before"] = {
                count: seconds * scale for count, seconds in before["seconds"]["strided"].items()
            }
    return ordered


BENCHMARK = Benchmark(
    "growth",
    "How cost grows",
    "The same operations from 1K to 256M elements (square matrices) and from rank 1 to 8 (16M "
    "elements, shapes that read the same from both ends), float32.",
    BARS,
    cases,
    finish=compared,
    notes="'before' is the time this row would take at the cost per element of the row before it. "
    "NumPy and PyTorch are not asked to transpose 256M elements.",
)

if __name__ == "__main__":
    main(BENCHMARK)
