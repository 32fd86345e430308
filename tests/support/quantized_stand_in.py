"""``strided.quantized`` where the package has none: blocks that are kept, not computed with."""

from __future__ import annotations

import importlib.util
import sys
import types
from typing import Any

import pytest

import strided
from strided.formats.gguf import TYPES

_BLOCKS = {stored.name: stored for stored in TYPES.values()}


class QuantizedMatrix:
    """Rows of quantised blocks."""

    def __init__(self, kind: str, blocks: strided.Tensor) -> None:
        self.kind, self.blocks = kind, blocks
        stored = _BLOCKS[kind]
        self.shape = (blocks.shape[0], blocks.shape[1] // stored.nbytes * stored.elements)
        self.nbytes = blocks.nbytes

    def __getitem__(self, rows: slice) -> QuantizedMatrix:
        return QuantizedMatrix(self.kind, self.blocks[rows])


def random_blocks(kind: str, rows: int, columns: int, scale: float, seed: int) -> QuantizedMatrix:
    stored = _BLOCKS[kind]
    width = columns // stored.elements * stored.nbytes
    generator = strided.Generator(seed)
    blocks = strided.randint(0, 256, (rows, width), dtype=strided.uint8, generator=generator)
    return QuantizedMatrix(kind, blocks)


def provide(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return ``strided.quantized``, or put this in its place."""
    if importlib.util.find_spec("strided.quantized") is not None:
        import strided.quantized

        return strided.quantized
    module = types.ModuleType("strided.quantized")
    module.QuantizedMatrix, module.random_blocks = QuantizedMatrix, random_blocks  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "strided.quantized", module)
    return module
