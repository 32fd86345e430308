"""Write ``tests/golden/quantized.json``: random blocks of every kind, and their numbers according
to the gguf package, as hexadecimal bytes (uint8, float32).
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

from gguf import GGMLQuantizationType, quants

HOME = Path(__file__).resolve().parents[1] / "tests"
sys.path.insert(0, str(HOME))

from support.quantized_model import KINDS, random_matrix  # noqa: E402


def main() -> None:
    """Write the file."""
    kinds = {}
    for kind in KINDS:
        blocks = random_matrix(kind, 1, 512, seed=11).blocks.numpy()
        numbers = quants.dequantize(blocks, GGMLQuantizationType[kind])
        kinds[kind] = {"blocks": blocks.tobytes().hex(), "numbers": numbers.tobytes().hex()}
    text = json.dumps({"gguf": version("gguf"), "kinds": kinds}, indent=1)
    (HOME / "golden" / "quantized.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
