"""Samplers: in which order samples are taken, and in which batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

import numpy

from strided.errors import InvalidArgument
from strided.ops.arrays import tensor
from strided.ops.random_tensors import Generator, rand, randint, randperm

T_co = TypeVar("T_co", covariant=True)


class Sampler(Generic[T_co]):
    """Base of samplers: a subclass defines ``__iter__``, which yields indices.

    >>> import strided
    >>> class Backwards(strided.utils.data.Sampler):
    ...     def __iter__(self):
    ...         return iter([2, 1, 0])
    >>> list(Backwards())
    [2, 1, 0]
    """

    def __init__(self, data_source: Any = None) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[T_co]:
        raise NotImplementedError(f"{type(self).__name__} has no __iter__")


class SequentialSampler(Sampler[int]):
    """All indices in order.

    >>> import strided
    >>> list(strided.utils.data.SequentialSampler("abc"))
    [0, 1, 2]
    """

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler[int]):
    """Indices at random, each once, or drawn anew each time with ``replacement``.

    >>> import strided
    >>> sorted(strided.utils.data.RandomSampler("abc"))
    [0, 1, 2]
    """

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        super().__init__(data_source)
        if num_samples is not None and num_samples < 1:
            raise InvalidArgument(
                argument="num_samples", got=str(num_samples), requirement="must be above zero"
            )
        self.replacement, self._num_samples, self.generator = replacement, num_samples, generator

    @property
    def num_samples(self) -> int:
        """How many indices there are in one pass.

        >>> import strided
        >>> strided.utils.data.RandomSampler("abc").num_samples
        3
        """
        return len(self.data_source) if self._num_samples is None else self._num_samples

    def __iter__(self) -> Iterator[int]:
        count, wanted = len(self.data_source), self.num_samples
        if self.replacement:
            yield from randint(0, count, (wanted,), generator=self.generator).tolist()
            return
        while wanted > 0:
            yield from randperm(count, generator=self.generator).tolist()[:wanted]
            wanted -= count

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler[int]):
    """Some indices at random, each once.

    >>> import strided
    >>> sorted(strided.utils.data.SubsetRandomSampler([4, 2]))
    [2, 4]
    """

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        super().__init__()
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for place in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[place]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler[int]):
    """Indices drawn by weights, which need not add up to 1.

    >>> import strided
    >>> list(strided.utils.data.WeightedRandomSampler([0.0, 2.0, 0.0], 2))
    [1, 1]
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        super().__init__()
        self.weights = tensor([float(w) for w in weights], dtype="float64")
        self.num_samples, self.replacement = num_samples, replacement
        self.generator = generator
        possible = int((self.weights > 0).sum().item())
        if num_samples < 1 or (not replacement and num_samples > possible):
            raise InvalidArgument(
                argument="num_samples",
                got=str(num_samples),
                requirement=f"must be 1 to {possible}, the weights above zero",
            )

    def __iter__(self) -> Iterator[int]:
        weights = self.weights.numpy()
        if self.replacement:
            drawn = rand(self.num_samples, dtype="float64", generator=self.generator).numpy()
            sums = numpy.cumsum(weights)
            picked = numpy.searchsorted(sums, drawn * sums[-1], side="right")
        else:
            # The first to arrive at their rates: a draw without replacement.
            drawn = rand(len(weights), dtype="float64", generator=self.generator).numpy()
            with numpy.errstate(divide="ignore"):
                times = -numpy.log1p(-drawn) / weights
            picked = numpy.argsort(times)[: self.num_samples]
        return iter(picked.tolist())

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler[list[int]]):
    """Lists of the indices of another sampler.

    >>> import strided
    >>> list(strided.utils.data.BatchSampler(range(5), 2, drop_last=False))
    [[0, 1], [2, 3], [4]]
    """

    def __init__(self, sampler: Iterable[int], batch_size: int, drop_last: bool) -> None:
        super().__init__()
        if not isinstance(batch_size, int) or batch_size < 1:
            raise InvalidArgument(
                argument="batch_size", got=repr(batch_size), requirement="must be above zero"
            )
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[int]]:
        batch: list[int] = []
        for index in self.sampler:
            batch.append(index)
            if len(batch) == self.batch_size:
                yield batch
                batch = []
        if batch and not self.drop_last:
            yield batch

    def __len__(self) -> int:
        count: int = len(self.sampler)  # type: ignore[arg-type]
        return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
