"""The key-value cache, and the step of tokens that is written to it.

A sequence's past is a list of runs of rows, oldest first. New tokens extend the last run in place.
A fork shares the rows of its parent and goes on in rows of its own; a prompt that begins like an
earlier one keeps the rows of the common beginning. No element moves in any of that.

    rows     0 ...... 40 ....... 99 | 100 ....... 112 ..
    parent   |------- 0:57 --------|
    fork     |- 0:40 -|                | 100:112 |

The tokens of a step lie in one flat list. Each sequence has some of them, one after the other;
where it goes on in the cache is known before the pass begins: products and rotations write there
themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

import strided
from strided import DType, Tensor
from strided.llm.config import Config


class Past:
    """The rows of one sequence, oldest first, and the tokens they are of.

    >>> import strided.llm as llm
    >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
    >>> past = cache.begin()
    >>> past.extend([7, 8, 9]), len(past), past.runs
    (range(0, 3), 3, [(0, 3)])
    """

    def __init__(self, cache: Cache, region: int, shared: Sequence[tuple[int, int]] = ()) -> None:
        self._cache = cache
        # Rows of other regions, then a run in its own that grows.
        begin = region * cache.context
        self.runs: list[tuple[int, int]] = [*shared, (begin, begin)]
        self.regions = {start // cache.context for start, _ in self.runs}
        self.tokens: list[int] = []

    def __len__(self) -> int:
        return sum(stop - start for start, stop in self.runs)

    @property
    def room(self) -> int:
        """How many tokens still fit.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> cache.begin().room
        8
        """
        return self._cache.context - len(self)

    def extend(self, tokens: Sequence[int]) -> range:
        """Take up tokens and return the rows that their keys and values belong in.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> cache.begin().extend([1, 2])
        range(0, 2)
        """
        if len(tokens) > self.room:
            raise strided.InvalidArgument(
                argument="tokens",
                got=f"{len(tokens)} more after {len(self)}",
                requirement=f"must fit a context of {self._cache.context}",
            )
        start, stop = self.runs[-1]
        self.runs[-1] = (start, stop + len(tokens))
        self.tokens.extend(tokens)
        return range(stop, stop + len(tokens))

    def truncate(self, length: int) -> None:
        """Forget all but the first ``length`` tokens.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> past = cache.begin()
        >>> _ = past.extend([1, 2, 3])
        >>> past.truncate(1)
        >>> past.tokens
        [1]
        """
        del self.tokens[length:]
        left = length
        for index, (start, stop) in enumerate(self.runs):
            taken = min(left, stop - start)
            self.runs[index] = (start, start + taken)
            left -= taken
        own = self.runs[-1]
        self.runs = [run for run in self.runs[:-1] if run[0] < run[1]] + [own]

    def segments(self, layer: int) -> list[tuple[Tensor, Tensor]]:
        """Return the keys and values of a layer, oldest first. Views.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> past = cache.begin()
        >>> _ = past.extend([1, 2, 3])
        >>> [(k.shape, k.shares_storage(cache.keys[0])) for k, v in past.segments(0)]
        [((3, 2, 16), True)]
        """
        keys, values = self._cache.keys[layer], self._cache.values[layer]
        return [(keys[a:b], values[a:b]) for a, b in self.runs if a < b]


class Cache:
    """Room for the keys and values of several sequences of up to ``context`` tokens each.

    >>> import strided.llm as llm
    >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8, sequences=3)
    >>> cache.keys[0].shape, len(cache.keys)
    ((24, 2, 16), 2)
    """

    def __init__(
        self, config: Config, *, context: int, sequences: int = 1, dtype: DType = strided.float32
    ) -> None:
        self.context = context
        shape = (sequences * context, config.kv_heads, config.head_dim)
        # Memory that was never written to is not yet there: room costs nothing until it is used.
        self.keys = [strided.empty(shape, dtype=dtype) for _ in range(config.layers)]
        self.values = [strided.empty(shape, dtype=dtype) for _ in range(config.layers)]
        self._users = [0] * sequences

    @property
    def nbytes(self) -> int:
        """The bytes that all sequences need when they are full.

        >>> import strided.llm as llm
        >>> llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8).nbytes
        4096
        """
        return sum(one.nbytes for one in (*self.keys, *self.values))

    @property
    def free_regions(self) -> int:
        """How many sequences can still begin.

        >>> import strided.llm as llm
        >>> llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8).free_regions
        1
        """
        return self._users.count(0)

    def begin(self) -> Past:
        """Return an empty past.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> len(cache.begin()), cache.free_regions
        (0, 0)
        """
        return Past(self, self._take_region())

    def fork(self, past: Past, length: int | None = None) -> Past:
        """Return a past that shares the first ``length`` tokens of another, then goes on alone.

        Keys and values are shared, not copied.

        >>> import strided.llm as llm
        >>> config = llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128)
        >>> cache = llm.Cache(config, context=8, sequences=2)
        >>> past = cache.begin()
        >>> _ = past.extend([1, 2, 3])
        >>> cache.fork(past, 2).runs
        [(0, 2), (8, 8)]
        """
        length = len(past) if length is None else length
        shared: list[tuple[int, int]] = []
        left = length
        for start, stop in past.runs:
            if left > 0 and stop > start:
                shared.append((start, min(stop, start + left)))
                left -= stop - start
        own = self._take_region()
        made = Past(self, own, shared)
        for region in made.regions - {own}:
            self._users[region] += 1
        made.tokens = past.tokens[:length]
        return made

    def release(self, past: Past) -> None:
        """Give up a past; rows that nobody shares become free.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> cache.release(cache.begin())
        >>> cache.free_regions
        1
        """
        for region in past.regions:
            self._users[region] -= 1
        past.regions = set()
        past.runs, past.tokens = [(0, 0)], []

    def is_shared(self, past: Past) -> bool:
        """Return whether others read rows in which a past goes on: then it must not go back.

        >>> import strided.llm as llm
        >>> cache = llm.Cache(llm.Config("llama", 64, 2, 4, 2, 16, 96, 50, 128), context=8)
        >>> cache.is_shared(cache.begin())
        False
        """
        return self._users[past.runs[-1][0] // self.context] > 1

    def _take_region(self) -> int:
        for region, users in enumerate(self._users):
            if users == 0:
                self._users[region] = 1
                return region
        raise strided.InvalidArgument(
            argument="sequences",
            got=f"one more than {len(self._users)}",
            requirement="must not exceed what the cache was made for; release one first",
        )


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
