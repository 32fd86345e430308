"""One forward pass over tokens of any number of sequences, as all model families see it.

Tokens lie in one flat list. Each sequence has some of them, one after the other; where it goes on in
the cache is known before the pass begins, so that every product and rotation writes there itself.
"""

from __future__ import annotations

from collections.abc import Sequence

import strided
from strided import Tensor
from strided.llm.kv_cache import Cache, Past


class Step:
    """The tokens of one pass, their positions, and the rows of the cache that they fill."""

    def __init__(self, cache: Cache, parts: Sequence[tuple[Past, Sequence[int]]]) -> None:
        self.dtype = strided.float32  # what products read; the model may choose a smaller one
        self._cache = cache
        self._pasts = [(len(tokens), past) for past, tokens in parts]
        self.tokens = [token for _, tokens in parts for token in tokens]
        positions: list[int] = []
        rows: list[int] = []
        for past, tokens in parts:
            positions.extend(range(len(past), len(past) + len(tokens)))
            rows.extend(past.extend(tokens))
        self.positions = strided.tensor(positions, dtype=strided.float32)
        self.rows = strided.tensor(rows, dtype=strided.int64)

    def undo(self) -> None:
        """Give back the rows of a pass that was not finished."""
        for count, past in self._pasts:
            past.truncate(len(past) - count)

    def __len__(self) -> int:
        return len(self.tokens)

    def places(self, layer: int) -> tuple[Tensor, Tensor]:
        """Return where a layer's keys and values are kept; ``rows`` says in which rows."""
        return self._cache.keys[layer], self._cache.values[layer]

    def seen(self, layer: int) -> list[tuple[int, list[tuple[Tensor, Tensor]]]]:
        """Return, for each sequence, how many tokens are its own and all keys and values. Views."""
        return [(count, past.segments(layer)) for count, past in self._pasts]
