"""One forward pass over tokens of any number of sequences, as all model families see it.

Tokens lie in one flat list. Each sequence has some of them, one after the other; where it goes on
in the cache is known before the pass begins: products and rotations write there themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import strided
from strided import Tensor
from strided.llm.kv_cache import Cache, Past


class Step:
    """The tokens of one pass, their positions, and the rows of the cache that they fill.

    >>> import strided.llm as llm
    >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
    >>> cache = llm.Cache(config, context=8, sequences=2)
    >>> step = llm.Step(cache, [(cache.begin(), [5, 6]), (cache.begin(), [7])])
    >>> step.tokens, step.positions.tolist(), step.rows.tolist()
    ([5, 6, 7], [0.0, 1.0, 0.0], [0, 1, 8])
    """

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

    def undo(self, kept: int = 0) -> None:
        """Give back the rows of a pass that was not finished, but for the first ``kept`` sequences.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> past = cache.begin()
        >>> step = llm.Step(cache, [(past, [5, 6])])
        >>> step.undo()
        >>> len(past)
        0
        """
        for count, past in self._pasts[kept:]:
            past.truncate(len(past) - count)

    def __len__(self) -> int:
        return len(self.tokens)

    def places(self, layer: int) -> tuple[Tensor, Tensor]:
        """Return where a layer's keys and values are kept, in the rows ``rows``. No copy.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> past = cache.begin()
        >>> step = llm.Step(cache, [(past, [5, 6])])
        >>> step.places(1)[0] is cache.keys[1]
        True
        """
        return self._cache.keys[layer], self._cache.values[layer]

    def seen(self, layer: int) -> list[tuple[int, list[tuple[Tensor, Tensor]]]]:
        """Return, for each sequence, how many tokens are its own and all keys and values. Views.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> past = cache.begin()
        >>> step = llm.Step(cache, [(past, [5, 6])])
        >>> [(count, len(segments)) for count, segments in step.seen(0)]
        [(2, 1)]
        """
        return [(count, past.segments(layer)) for count, past in self._pasts]
