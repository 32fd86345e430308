"""``strided.random`` draws NumPy's numbers; files that NumPy wrote are read, and the other way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import strided
from strided.numpy_names import random_distributions as distributions

ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "beta": (2.0, 3.0),
    "binomial": (10, 0.3),
    "chisquare": (3,),
    "dirichlet": ([1.0, 2.0, 3.0],),
    "f": (3, 4),
    "gamma": (2.0, 3.0),
    "geometric": (0.3,),
    "hypergeometric": (5, 6, 4),
    "logseries": (0.4,),
    "multinomial": (8, [0.2, 0.8]),
    "multivariate_hypergeometric": ([3, 5], 4),
    "multivariate_normal": ([0.0, 1.0], [[2.0, 0.5], [0.5, 1.0]]),
    "negative_binomial": (3, 0.4),
    "noncentral_chisquare": (3, 1.5),
    "noncentral_f": (3, 4, 1.5),
    "pareto": (3.0,),
    "power": (3.0,),
    "standard_gamma": (2.0,),
    "standard_t": (4,),
    "triangular": (0.0, 1.0, 4.0),
    "vonmises": (0.5, 2.0),
    "wald": (1.0, 2.0),
    "weibull": (2.0,),
    "zipf": (3.0,),
}
NAMES = [name for name in vars(distributions.Distributions) if not name.startswith("_")]


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_numpy(name: str) -> None:
    given = ARGUMENTS.get(name, ())
    there = getattr(np.random.default_rng(5), name)(*given, size=4)
    here = getattr(strided.random.default_rng(5), name)(*given, size=4)
    assert here.dtype.kind == there.dtype.kind
    assert here.dtype in (strided.float32, strided.int64)
    assert np.allclose(here, there, rtol=1e-6)
    if hasattr(np.random.RandomState, name):
        older = getattr(np.random.RandomState(5), name)(*given, size=4)
        assert np.allclose(getattr(strided.random.RandomState(5), name)(*given, size=4), older)


@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_dtype_gives_them_bit_for_bit(name: str, dtype: str) -> None:
    there = getattr(np.random.default_rng(1), name)(3, dtype=dtype)
    here = getattr(strided.random.default_rng(1), name)(3, dtype=dtype)
    assert np.array_equal(here.numpy(), there)
    half = getattr(strided.random.default_rng(1), name)(3, dtype=strided.float16)
    assert half.dtype is strided.float16


def test_uniform_numbers_stay_below_one() -> None:
    assert (strided.random.default_rng(0).random(10**6) < 1).all()


def test_choices_and_orders() -> None:
    ours, theirs = strided.random.default_rng(2), np.random.default_rng(2)
    a = np.arange(12).reshape(4, 3)
    x = strided.tensor(a)
    for call in (
        lambda r, v: r.integers(3, 9, size=(2, 2)),
        lambda r, v: r.integers(4, endpoint=True, dtype="int8"),
        lambda r, v: r.choice(7, 3, replace=False),
        lambda r, v: r.choice(v, 3),
        lambda r, v: r.choice(v, (2, 2), axis=1),
        lambda r, v: r.choice([5, 6, 7], 4, p=[0.1, 0.2, 0.7]),
        lambda r, v: r.permutation(5),
        lambda r, v: r.permutation(v),
        lambda r, v: r.permutation(v, axis=1),
        lambda r, v: r.permuted(v, axis=1),
    ):
        assert np.array_equal(np.asarray(call(ours, x)), call(theirs, a))
    view = x.T[:, ::2]
    ours.shuffle(view)
    assert sorted(view.tolist()) == sorted(strided.tensor(a).T[:, ::2].tolist())


def test_seeds() -> None:
    strided.random.seed(3)
    np.random.seed(3)
    assert np.allclose(strided.random.rand(2, 2), np.random.rand(2, 2))
    assert strided.random.randint(0, 5, 3).tolist() == np.random.randint(0, 5, 3).tolist()
    rng = strided.random.default_rng(strided.random.default_rng(4))
    assert strided.rand(2, generator=rng).shape == (2,)
    numpys = np.random.default_rng(9)
    assert strided.random.default_rng(numpys).numpy is numpys
    with pytest.raises(AttributeError, match="default_rng"):
        strided.random.PCG64  # noqa: B018


# ---- files ----


def test_files_go_both_ways(tmp_path: Path) -> None:
    a = np.arange(6.0).reshape(2, 3)
    x = strided.tensor(a).T
    strided.save(tmp_path / "x.npy", x)
    assert np.array_equal(np.load(tmp_path / "x.npy"), a.T)
    np.save(tmp_path / "a.npy", a)
    loaded = strided.load(tmp_path / "a.npy")
    loaded += 1  # as NumPy's: what is read may be written
    assert np.array_equal(loaded.numpy(), a + 1)
    strided.savez(tmp_path / "x.npz", x, named=x)
    found = np.load(tmp_path / "x.npz")
    assert np.array_equal(found["arr_0"], a.T)
    assert np.array_equal(strided.load(tmp_path / "x.npz")["named"].numpy(), a.T)
    strided.savez_compressed(tmp_path / "y.npz", x=x)
    assert np.array_equal(strided.load(tmp_path / "y.npz")["x"].numpy(), a.T)
    with open(tmp_path / "open.npy", "wb") as file:
        strided.save(file, x)
    with open(tmp_path / "open.npy", "rb") as file:
        assert np.array_equal(strided.load(file).numpy(), a.T)


def test_text_files(tmp_path: Path) -> None:
    x = strided.tensor([[1.5, 2.0], [3.0, 4.0]])
    path = tmp_path / "x.csv"
    strided.savetxt(path, x, delimiter=",", header="a, b")
    assert strided.array_equal(strided.loadtxt(path, delimiter=","), x)
    first, second = strided.loadtxt(path, delimiter=",", unpack=True)
    assert first.tolist() == [1.5, 3.0]
    assert second.tolist() == [2.0, 4.0]
    assert strided.loadtxt(path, delimiter=",", usecols=1, dtype=int, converters=float).ndim == 1
    path.write_text("1,,3\n4,5,6\n")
    assert strided.genfromtxt(path, delimiter=",").isnan().sum().item() == 1
    x.T.tofile(tmp_path / "x.bin")
    assert strided.fromfile(tmp_path / "x.bin").tolist() == [1.5, 3.0, 2.0, 4.0]
    assert strided.fromstring("1 2", sep=" ").dtype is strided.float32


def test_printing_follows_the_options() -> None:
    with strided.printoptions(precision=1):
        assert "3.14" not in repr(strided.tensor([3.14159]))
    assert "3.14159" in repr(strided.tensor([3.14159]))
