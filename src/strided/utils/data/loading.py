"""DataLoader: batches of samples, put together into tensors, by threads if wanted."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.arrays import asarray, tensor
from strided.ops.joining import stack
from strided.ops.random_tensors import Generator
from strided.utils.data.datasets import IterableDataset
from strided.utils.data.samplers import BatchSampler, RandomSampler, SequentialSampler


def default_convert(data: Any) -> Any:
    """Return arrays as tensors (which share their memory), in containers too; the rest as it is.

    >>> import numpy, strided
    >>> strided.utils.data.default_convert([numpy.ones(2), "a"])
    [tensor([1., 1.], shape=(2,), dtype=float64), 'a']
    """
    if hasattr(data, "__array__") and not isinstance(data, Tensor):
        return asarray(data)
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return type(data)(*map(default_convert, data))
    if isinstance(data, (list, tuple)):
        return [default_convert(one) for one in data]
    return data


def default_collate(batch: Any) -> Any:
    """Return samples as one: tensors stacked, numbers as a tensor, containers element by element.

    >>> import strided
    >>> x, y = strided.utils.data.default_collate([(strided.zeros(2), 1), (strided.ones(2), 5)])
    >>> x.shape, y.tolist()
    ((2, 2), [1, 5])
    """
    samples = list(batch)
    first = samples[0]
    if isinstance(first, Tensor):
        return stack(samples, axis=0)
    if hasattr(first, "__array__"):
        return stack([asarray(one) for one in samples], axis=0)
    if isinstance(first, float):
        return tensor(samples, dtype="float64")
    if isinstance(first, (bool, int)):
        return tensor(samples)
    if isinstance(first, (str, bytes)):
        return samples
    if isinstance(first, Mapping):
        return {key: default_collate([one[key] for one in samples]) for key in first}
    if isinstance(first, (list, tuple)):
        if any(len(one) != len(first) for one in samples):
            raise InvalidArgument(
                argument="batch",
                got="samples of different lengths",
                requirement="must have as many elements each: give a collate_fn",
            )
        made = [default_collate(list(column)) for column in zip(*samples, strict=True)]
        return type(first)(*made) if hasattr(first, "_fields") else made
    raise TypeError(
        f"samples of {type(first).__name__} cannot be put together\n"
        "  they may be tensors, arrays, numbers, strings, or containers of those\n"
        "  give a collate_fn that takes a list of samples"
    )


class DataLoader:
    """Batches of a dataset, in order or shuffled; ``num_workers`` threads read ahead.

    PyTorch's settings for processes and devices (``pin_memory``, ``persistent_workers``, ...) are
    taken and have no meaning here.

    >>> import strided
    >>> data = strided.utils.data.TensorDataset(strided.arange(5))
    >>> loader = strided.utils.data.DataLoader(data, batch_size=2)
    >>> len(loader), [batch.tolist() for (batch,) in loader]
    (3, [[0, 1], [2, 3], [4]])
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Any] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        is_stream = isinstance(dataset, IterableDataset)
        self._refuse_both(is_stream, batch_size, shuffle, sampler, batch_sampler, drop_last)
        if num_workers < 0:
            raise InvalidArgument(
                argument="num_workers", got=str(num_workers), requirement="must not be negative"
            )
        if batch_sampler is not None:
            batch_size, drop_last = None, False
        self.dataset, self.num_workers, self.generator = dataset, num_workers, generator
        self.batch_size, self.drop_last = batch_size, drop_last
        self.prefetch_factor = 2 if prefetch_factor is None else prefetch_factor
        self.sampler: Any = sampler
        if sampler is None and not is_stream:
            random = RandomSampler(dataset, generator=generator) if shuffle else None
            self.sampler = random or SequentialSampler(dataset)
        self.batch_sampler: Any = batch_sampler
        if batch_size is not None and batch_sampler is None and not is_stream:
            self.batch_sampler = BatchSampler(self.sampler, batch_size, drop_last)
        batched = self.batch_sampler is not None or batch_size is not None
        self.collate_fn = collate_fn or (default_collate if batched else default_convert)
        self._is_stream = is_stream

    @staticmethod
    def _refuse_both(
        is_stream: bool,
        batch_size: int | None,
        shuffle: bool | None,
        sampler: Any,
        batch_sampler: Any,
        drop_last: bool,
    ) -> None:
        refusals = (
            (sampler is not None and bool(shuffle), "shuffle", "must be left out with a sampler"),
            (
                batch_sampler is not None
                and (batch_size != 1 or bool(shuffle) or sampler is not None or drop_last),
                "batch_sampler",
                "excludes batch_size, shuffle, sampler and drop_last",
            ),
            (
                is_stream and (bool(shuffle) or sampler is not None or batch_sampler is not None),
                "shuffle",
                "and samplers are for datasets with numbered samples",
            ),
            (batch_size is None and drop_last, "drop_last", "needs a batch_size"),
        )
        for wrong, argument, requirement in refusals:
            if wrong:
                raise InvalidArgument(argument=argument, got="given", requirement=requirement)

    def __len__(self) -> int:
        if self._is_stream:
            count: int = len(self.dataset)
            if self.batch_size is None:
                return count
            return count // self.batch_size if self.drop_last else -(-count // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def __iter__(self) -> Iterator[Any]:
        if self._is_stream:
            return self._stream()
        return self._threaded() if self.num_workers else map(self._fetch, self._keys())

    def _keys(self) -> Iterator[Any]:
        return iter(self.sampler if self.batch_sampler is None else self.batch_sampler)

    def _fetch(self, key: Any) -> Any:
        if self.batch_sampler is None:
            return self.collate_fn(self.dataset[key])
        many = getattr(self.dataset, "__getitems__", None)
        return self.collate_fn(many(key) if many else [self.dataset[index] for index in key])

    def _stream(self) -> Iterator[Any]:
        if self.batch_size is None:
            yield from map(self.collate_fn, self.dataset)
            return
        batch: list[Any] = []
        for sample in self.dataset:
            batch.append(sample)
            if len(batch) == self.batch_size:
                yield self.collate_fn(batch)
                batch = []
        if batch and not self.drop_last:
            yield self.collate_fn(batch)

    def _threaded(self) -> Iterator[Any]:
        """Yield batches in order; threads are some batches ahead."""
        from concurrent.futures import ThreadPoolExecutor

        ahead = self.num_workers * self.prefetch_factor
        with ThreadPoolExecutor(self.num_workers) as pool:
            waiting: deque[Any] = deque()
            for key in self._keys():
                waiting.append(pool.submit(self._fetch, key))
                if len(waiting) > ahead:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
