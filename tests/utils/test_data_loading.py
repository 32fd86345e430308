"""Datasets, samplers and loaders: what batches hold, in which order, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import strided
from strided.utils import data

ROWS = strided.arange(14.0).reshape(7, 2)


def test_batches_are_those_of_the_rows() -> None:
    loader = data.DataLoader(data.TensorDataset(ROWS, strided.arange(7)), batch_size=3)
    batches = list(loader)
    assert [len(x) for x, _ in batches] == [3, 3, 1]
    assert strided.array_equal(strided.cat([x for x, _ in batches], axis=0), ROWS)
    assert [n for _, y in batches for n in y.tolist()] == list(range(7))
    assert len(loader) == 3
    short = data.DataLoader(data.TensorDataset(ROWS), batch_size=3, drop_last=True)
    assert len(short) == len(list(short)) == 2


def test_threads_keep_the_order() -> None:
    class Squares(data.Dataset[int]):
        def __len__(self) -> int:
            return 50

        def __getitem__(self, index: int) -> int:
            return index * index

    alone = [x.tolist() for x in data.DataLoader(Squares(), batch_size=4)]
    for workers in (1, 3):
        loader = data.DataLoader(Squares(), batch_size=4, num_workers=workers)
        assert [x.tolist() for x in loader] == alone
    loader = data.DataLoader(Squares(), batch_size=4, num_workers=2)
    assert next(iter(loader)).tolist() == [0, 1, 4, 9]


def test_an_error_in_a_thread_comes_out() -> None:
    class Broken(data.Dataset[int]):
        def __len__(self) -> int:
            return 3

        def __getitem__(self, index: int) -> int:
            raise KeyError(index)

    with pytest.raises(KeyError):
        list(data.DataLoader(Broken(), num_workers=2))


def test_shuffling_is_seeded_and_complete() -> None:
    def order(seed: int) -> list[int]:
        generator = strided.Generator(seed)
        loader = data.DataLoader(range(20), batch_size=4, shuffle=True, generator=generator)
        return [n for batch in loader for n in batch.tolist()]

    assert order(0) == order(0) != order(1)
    assert sorted(order(3)) == list(range(20))


def test_streams() -> None:
    class Numbers(data.IterableDataset[int]):
        def __iter__(self) -> Any:
            return iter(range(5))

    assert [x.tolist() for x in data.DataLoader(Numbers(), batch_size=2)] == [[0, 1], [2, 3], [4]]
    assert list(data.DataLoader(Numbers(), batch_size=None)) == [0, 1, 2, 3, 4]
    assert list(Numbers() + Numbers()) == [*range(5), *range(5)]
    with pytest.raises(strided.InvalidArgument):
        data.DataLoader(Numbers(), shuffle=True)


def test_samples_are_put_together() -> None:
    made = data.default_collate(
        [{"a": 1.5, "b": (np.ones(2), "x")}, {"a": 2.0, "b": (np.zeros(2), "y")}]
    )
    assert made["a"].tolist() == [1.5, 2.0]
    assert made["a"].dtype is strided.float64
    assert made["b"][0].tolist() == [[1, 1], [0, 0]]
    assert made["b"][1] == ["x", "y"]
    assert data.default_collate([True, False]).dtype is strided.bool
    with pytest.raises(TypeError, match="collate_fn"):
        data.default_collate([object()])
    with pytest.raises(strided.InvalidArgument, match="as many"):
        data.default_collate([[1], [1, 2]])


def test_samplers() -> None:
    drawn = list(data.WeightedRandomSampler([1.0, 3.0], 4000, generator=strided.Generator(0)))
    assert 2850 < sum(drawn) < 3150
    once = list(data.WeightedRandomSampler([1.0, 3.0, 0.0, 2.0], 3, replacement=False))
    assert sorted(once) == [0, 1, 3]
    assert len(list(data.RandomSampler(range(3), num_samples=8))) == 8
    assert set(data.RandomSampler(range(3), replacement=True, num_samples=50)) <= {0, 1, 2}
    with pytest.raises(strided.InvalidArgument):
        data.WeightedRandomSampler([1.0, 0.0], 2, replacement=False)


def test_parts_of_datasets() -> None:
    parts = data.random_split(range(10), [3, 7], generator=strided.Generator(0))
    assert sorted([*parts[0], *parts[1]]) == list(range(10))
    assert [len(p) for p in data.random_split(range(10), [0.5, 0.25, 0.25])] == [6, 2, 2]
    both = data.ConcatDataset([range(3), range(10, 12)])
    assert [both[i] for i in range(-5, 5)] == [0, 1, 2, 10, 11] * 2
    with pytest.raises(strided.IndexOutOfBounds):
        both[5]
    with pytest.raises(strided.InvalidArgument):
        data.random_split(range(10), [3, 3])
    with pytest.raises(strided.ShapeMismatch):
        data.TensorDataset(strided.ones(2), strided.ones(3))


def test_refused_settings() -> None:
    for settings in (
        {"shuffle": True, "sampler": range(3)},
        {"batch_sampler": [[0]], "batch_size": 2},
        {"num_workers": -1},
        {"batch_size": None, "drop_last": True},
        {"batch_size": 0},
    ):
        with pytest.raises(strided.InvalidArgument):
            data.DataLoader(range(3), **settings)
