"""Measure how far the vectorised functions are off and print the table of ``docs/accuracy.md``.

    python tools/measure_accuracy.py            # every 997th float32; some minutes
    python tools/measure_accuracy.py --all      # every float32; hours

Fails above a bound. STRIDED_ISA chooses the instruction set, as everywhere.

Functions of one float32 are walked through from the first bit pattern to the last; float64 and
functions of two operands are sampled over all exponents and where they are hard. Needs a long
double with more digits than float64.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.math_bounds import BINARY, BOUNDS  # noqa: E402
from support.math_reference import worst, worst_of_samples  # noqa: E402

HEADER = "| function | float32: bound | found | float64: bound | found |"
PART = 1 << 20
ROUNDS = 12  # of samples


def walk_float32(op: str, step: int) -> float:
    """Return the largest error over every ``step``-th float32."""
    largest = 0.0
    for first in range(0, 2**32, PART * step):
        bits = np.arange(first, min(first + PART * step, 2**32), step, dtype=np.uint64)
        largest = max(largest, worst(op, bits.astype(np.uint32).view(np.float32))[0])
    return largest


def found(op: str, dtype: str, step: int) -> float:
    """Return the largest error found."""
    largest = worst_of_samples(op, dtype, ROUNDS)[0]
    if op in BINARY or dtype == "float64":
        return largest
    return max(largest, walk_float32(op, step))


def main() -> int:
    """Measure, print, and say whether a bound was exceeded."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="every float32")
    wishes = parser.parse_args()
    step = 1 if wishes.all else 997
    print(HEADER, "|---|---|---|---|---|", sep="\n")
    above = 0
    for op, bounds in BOUNDS.items():
        errors = [found(op, dtype, step) for dtype in ("float32", "float64")]
        above += sum(error > bound for error, bound in zip(errors, bounds, strict=True))
        # Rounded up: what is written was not exceeded.
        cells = [f"{np.ceil(error * 100) / 100:.2f}" for error in errors]
        print(f"| `{op}` | {bounds[0]} | {cells[0]} | {bounds[1]} | {cells[1]} |", flush=True)
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
