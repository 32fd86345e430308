"""Datasets: numbered or iterable samples, of tensors, together, in part."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from strided._native import Tensor
from strided.errors import IndexOutOfBounds, InvalidArgument, ShapeMismatch
from strided.ops.random_tensors import Generator, randperm

T_co = TypeVar("T_co", covariant=True)


class Dataset(Generic[T_co]):
    """Base of datasets with numbered samples: a subclass defines ``__getitem__`` and ``__len__``.

    >>> import strided
    >>> class Squares(strided.utils.data.Dataset):
    ...     def __len__(self):
    ...         return 3
    ...     def __getitem__(self, index):
    ...         return index * index
    >>> Squares()[2]
    4
    """

    def __getitem__(self, index: Any) -> T_co:
        raise NotImplementedError(f"{type(self).__name__} has no __getitem__")

    def __add__(self, other: Dataset[T_co]) -> ConcatDataset[T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T_co], Iterable[T_co]):
    """Base of datasets that are iterated over: a subclass defines ``__iter__``.

    >>> import strided
    >>> class Numbers(strided.utils.data.IterableDataset):
    ...     def __iter__(self):
    ...         return iter(range(3))
    >>> list(Numbers())
    [0, 1, 2]
    """

    def __add__(self, other: Dataset[T_co]) -> Any:
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Samples are views of tensors along their first axis.

    >>> import strided
    >>> data = strided.utils.data.TensorDataset(strided.eye(2), strided.tensor([5, 6]))
    >>> len(data), [x.tolist() for x in data[1]]
    (2, [[0.0, 1.0], 6])
    """

    def __init__(self, *tensors: Tensor) -> None:
        for x in tensors[1:]:
            if len(x) != len(tensors[0]):
                raise ShapeMismatch(
                    operation="TensorDataset",
                    expected=(len(tensors[0]), *x.shape[1:]),
                    got=tuple(x.shape),
                    hint="all tensors have one row per sample",
                )
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(x[index] for x in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class StackDataset(Dataset[Any]):
    """Samples of several datasets together: as tuples, or as dictionaries where they have names.

    >>> import strided
    >>> data = strided.utils.data.StackDataset(x=[1, 2], y=[3, 4])
    >>> data[1]
    {'x': 2, 'y': 4}
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if bool(args) == bool(kwargs):
            raise InvalidArgument(
                argument="datasets",
                got="both kinds" if args else "none",
                requirement="must be given by place, or by name",
            )
        self.datasets: Any = kwargs or args
        lengths = {len(one) for one in (kwargs.values() if kwargs else args)}
        if len(lengths) != 1:
            raise InvalidArgument(
                argument="datasets", got=f"lengths {sorted(lengths)}", requirement="must be as long"
            )
        self._length = lengths.pop()

    def __getitem__(self, index: int) -> Any:
        if isinstance(self.datasets, dict):
            return {name: one[index] for name, one in self.datasets.items()}
        return tuple(one[index] for one in self.datasets)

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[T_co]):
    """Datasets one after the other.

    >>> import strided
    >>> data = strided.utils.data.ConcatDataset([[1, 2], [3]])
    >>> len(data), data[2], data[-3]
    (3, 3, 1)
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise InvalidArgument(
                argument="datasets", got="none", requirement="must be one or more"
            )
        self.cumulative_sizes = list(itertools.accumulate(len(one) for one in self.datasets))

    def __getitem__(self, index: int) -> T_co:
        length = len(self)
        if not -length <= index < length:
            raise IndexOutOfBounds(index=index, length=length, axis=0)
        place = index % length
        number = bisect_right(self.cumulative_sizes, place)
        before = self.cumulative_sizes[number - 1] if number else 0
        made: T_co = self.datasets[number][place - before]
        return made

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]


class ChainDataset(IterableDataset[T_co]):
    """Iterable datasets one after the other.

    >>> import strided
    >>> list(strided.utils.data.ChainDataset([[1, 2], [3]]))
    [1, 2, 3]
    """

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)

    def __iter__(self) -> Iterator[T_co]:
        return itertools.chain.from_iterable(self.datasets)

    def __len__(self) -> int:
        return sum(len(one) for one in self.datasets)


class Subset(Dataset[T_co]):
    """Some samples of a dataset, by their indices.

    >>> import strided
    >>> strided.utils.data.Subset("abcd", [3, 1])[0]
    'd'
    """

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> T_co:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]  # type: ignore[no-any-return]
        return self.dataset[self.indices[index]]  # type: ignore[no-any-return]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[int | float], generator: Generator | None = None
) -> list[Subset[Any]]:
    """Split a dataset at random into parts of these lengths, or of these shares that add up to 1.

    >>> import strided
    >>> parts = strided.utils.data.random_split(range(10), [0.7, 0.3])
    >>> [len(part) for part in parts], sorted(x for part in parts for x in part)
    ([7, 3], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    """
    count = len(dataset)
    sizes = list(lengths)
    if abs(sum(sizes) - 1.0) < 1e-6 and sum(sizes) <= 1.0 + 1e-6 and count != sum(sizes):
        parts = [int(count * share) for share in sizes]
        for i in range(count - sum(parts)):
            parts[i % len(parts)] += 1
    else:
        parts = [int(size) for size in sizes]
    if sum(parts) != count:
        raise InvalidArgument(
            argument="lengths",
            got=str(list(lengths)),
            requirement=f"must add up to the {count} samples, or to 1",
        )
    order = randperm(count, generator=generator).tolist()
    ends = list(itertools.accumulate(parts))
    return [Subset(dataset, order[end - size : end]) for end, size in zip(ends, parts, strict=True)]
