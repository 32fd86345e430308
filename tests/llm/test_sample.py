"""Which tokens are picked: against a slow reference, by their frequencies, and what is refused."""

from __future__ import annotations

import doctest
import math
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strided
from strided.llm import Options, Sampler, sample

OFF: dict[str, Any] = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0}


def probabilities(logits: list[float], settings: Options, recent: list[int]) -> dict[int, float]:
    """The rules of llama.cpp, one after the other, each on a list of (token, logit)."""
    window = settings.repetition_window
    latest = recent if window < 0 else recent[len(recent) - min(window, len(recent)) :]
    left = []
    for token, logit in enumerate(logits):
        if token in latest:
            penalty = settings.repetition_penalty
            logit = logit * penalty if logit <= 0 else logit / penalty
        left.append((token, logit))
    left.sort(key=lambda pair: (-pair[1], pair[0]))
    if settings.temperature == 0:
        return {left[0][0]: 1.0}
    if settings.top_k:
        left = left[: settings.top_k]

    def weights() -> list[float]:
        return [math.exp(logit - left[0][1]) for _, logit in left]

    if settings.top_p < 1:
        shares = [weight / math.fsum(weights()) for weight in weights()]
        sums = [math.fsum(shares[: n + 1]) for n in range(len(shares))]
        reached = next((n for n, s in enumerate(sums) if s >= settings.top_p), len(sums) - 1)
        left = left[: reached + 1]
    if settings.min_p > 0:
        least = left[0][1] + math.log(settings.min_p)
        left = [pair for pair in left if pair[1] >= least]
    left = [(token, logit / settings.temperature) for token, logit in left]
    total = math.fsum(weights())
    return {token: w / total for (token, _), w in zip(left, weights(), strict=True) if w > 0}


def draws(logits: Any, settings: Options, recent: list[int], count: int) -> Counter[int]:
    sampler = Sampler(settings)
    tensor = strided.tensor(logits, dtype=strided.float32)
    return Counter(sampler.pick(tensor, recent) for _ in range(count))


# ---- frequencies ----

LOGITS = [1.0, -0.5, 2.0, 0.0, 2.0, -math.inf, 1.5, -3.0, 0.5, -1.0]
SETTINGS: dict[str, dict[str, Any]] = {
    "none": {},
    "temperature low": {"temperature": 0.3},
    "temperature high": {"temperature": 3.0},
    "top-k": {"top_k": 3},
    "top-k of all": {"top_k": 100},
    "top-k and temperature": {"top_k": 4, "temperature": 2.0},
    "top-p": {"top_p": 0.7},
    "top-p of top-k": {"top_k": 5, "top_p": 0.7},
    "min-p": {"min_p": 0.3},
    "min-p of top-k": {"top_k": 5, "min_p": 0.3},
    "top-p and min-p": {"top_p": 0.9, "min_p": 0.2},
    "penalty": {"repetition_penalty": 1.8},
    "penalty and top-k": {"repetition_penalty": 1.8, "top_k": 3},
    "reward and top-k": {"repetition_penalty": 0.4, "top_k": 3},
    "penalty of the latest": {"repetition_penalty": 1.8, "repetition_window": 2},
    "penalty of everything": {"repetition_penalty": 1.8, "repetition_window": -1},
    "all": {
        "temperature": 1.4,
        "top_k": 6,
        "top_p": 0.92,
        "min_p": 0.1,
        "repetition_penalty": 1.3,
    },
    "defaults": {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
}
# Upper 1e-4 points of chi-square by degrees of freedom.
CHI_SQUARE = [0, 15.14, 18.42, 21.11, 23.51, 25.74, 27.86, 29.88, 31.83]


@pytest.mark.parametrize("name", SETTINGS)
def test_frequencies(name: str) -> None:
    settings = Options(**{**OFF, **SETTINGS[name], "seed": 7})
    recent = [4, 3, 4, 2, 7, 7]
    expected, count = probabilities(LOGITS, settings, recent), 6000
    found = draws(LOGITS, settings, recent, count)
    assert set(found) <= set(expected)
    rare = {token for token, share in expected.items() if share * count < 5}
    cells = [(found[token], share) for token, share in expected.items() if token not in rare]
    if rare:
        cells.append((sum(found[t] for t in rare), sum(expected[t] for t in rare)))
    statistic = sum((seen - share * count) ** 2 / (share * count) for seen, share in cells)
    assert statistic <= CHI_SQUARE[len(cells) - 1]


# ---- exactly ----


class Fixed(random.Random):
    """Gives one number."""

    number = 0.0

    def random(self) -> float:
        return self.number


def picked(logits: list[float], settings: Options, recent: list[int], number: float) -> int:
    sampler = Sampler(settings)
    sampler._random = Fixed()
    sampler._random.number = number
    return sampler.pick(strided.tensor(logits, dtype=strided.float64), recent)


SOME_LOGITS = st.lists(
    st.integers(-40, 40).map(lambda n: n / 8) | st.just(-math.inf), min_size=1, max_size=30
).filter(lambda logits: max(logits) > -math.inf)
SOME_SETTINGS = st.fixed_dictionaries(
    {
        "temperature": st.sampled_from([0.0, 1e-300, 0.2, 1.0, 7.0]),
        "top_k": st.sampled_from([0, 1, 2, 5, 29, 100]),
        "top_p": st.sampled_from([0.0, 0.31, 0.77, 1.0]),
        "min_p": st.sampled_from([0.0, 0.07, 0.53]),
        "repetition_penalty": st.sampled_from([1.0, 1.37, 0.61]),
        "repetition_window": st.sampled_from([-1, 0, 1, 3]),
    }
)


@given(SOME_LOGITS, SOME_SETTINGS, st.lists(st.integers(0, 29), max_size=6), st.floats(0, 1))
def test_filters_keep_what_the_rules_keep(
    logits: list[float], chosen: dict[str, Any], recent: list[int], number: float
) -> None:
    settings = Options(**chosen, seed=0)
    recent = [token for token in recent if token < len(logits)]
    expected = probabilities(logits, settings, recent)
    place = min(number, 1 - 2**-53)
    token = picked(logits, settings, recent, place)
    assert token in expected
    # Candidates descend, so the random number says which; top_k = 0 with no top-p is in any order.
    if settings.top_k or settings.top_p < 1 or settings.temperature == 0:
        sums = np.cumsum(list(expected.values()))
        if np.min(np.abs(sums - place)) > 1e-9:
            assert token == list(expected)[int(np.searchsorted(sums, place, side="right"))]


@pytest.mark.parametrize("top_p", [0.5, 0.9, 0.999, 0.9999999])
@pytest.mark.parametrize("scale", [0.01, 1.0, 6.0])
def test_large_vocabularies(top_p: float, scale: float) -> None:
    """However many tokens top-p keeps of thousands, they are the right ones."""
    logits = np.random.default_rng(3).normal(size=20_000) * scale
    order = np.argsort(-logits, kind="stable")
    shares = np.exp(logits[order] - logits.max())
    kept = int(np.searchsorted(np.cumsum(shares) / shares.sum(), top_p)) + 1
    settings = Options(**{**OFF, "top_p": top_p, "seed": 1})
    sampler = Sampler(settings)
    tokens, _, count = sampler._of_all(strided.tensor(logits), {})
    assert abs(count - kept) <= 1
    assert tokens[:count].tolist() == order[:count].tolist()


@pytest.mark.parametrize("top_k", [0, 4])
def test_the_largest_random_number_picks_a_possible_token(top_k: int) -> None:
    logits = [0.0, 0.0, -math.inf, -math.inf]
    settings = Options(**{**OFF, "top_k": top_k})
    assert picked(logits, settings, [], 1.0) in (0, 1)
    assert picked(logits, settings, [], 0.0) == 0


# ---- greedy ----


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("penalty", [1.0, 1.5])
def test_greedy(dtype: str, penalty: float) -> None:
    settings = Options(temperature=0.0, repetition_penalty=penalty)
    logits = strided.tensor([0.5, 3.0, -1.0, 3.0, 2.5], dtype=getattr(strided, dtype))
    assert Sampler(settings).pick(logits, []) == 1  # the first of equals
    assert Sampler(settings).pick(logits, [1, 3]) == (1 if penalty == 1 else 4)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64"])
@pytest.mark.parametrize("top_k", [0, 3])
def test_dtypes(dtype: str, top_k: int) -> None:
    logits = strided.tensor([0.5, 3.0, -9.0, 2.0], dtype=getattr(strided, dtype))
    settings = Options(**{**OFF, "top_k": top_k, "top_p": 0.9, "seed": 5})
    assert {Sampler(settings).pick(logits, []) for _ in range(20)} <= {0, 1, 3}


@pytest.mark.parametrize(
    "chosen",
    [
        {"temperature": 0.0},
        {"temperature": 0.0, "repetition_penalty": 1.2},
        {},
        {"repetition_penalty": 1.2},
        {**OFF},
        {**OFF, "top_p": 0.9},
    ],
)
def test_nothing_is_copied(chosen: dict[str, Any]) -> None:
    """Logits come as a row of a matrix; picking from them logs no copy."""
    logits = strided.randn(3, 5000, generator=strided.Generator(1))[1]
    sampler = Sampler(Options(**chosen, seed=1))
    with strided.no_copies(implicit_only=False):
        sampler.pick(logits, [1, 2, 3])


def test_any_strides() -> None:
    values = strided.randn(400, 3, generator=strided.Generator(2))
    for settings in (Options(temperature=0.0), Options(seed=3), Options(**OFF, seed=3)):
        for view in (values[:, 1], values[::-2, 0]):
            dense = view.clone()
            assert Sampler(settings).pick(view, []) == Sampler(settings).pick(dense, [])


# ---- seeds ----


def test_seeds() -> None:
    logits = strided.zeros(1000)
    settings = Options(**OFF, seed=11)
    first, second = Sampler(settings), Sampler(settings)
    mine = []
    for _ in range(20):
        random.random()
        np.random.random()
        mine.append(first.pick(logits, []))
    random.seed(0)
    strided.manual_seed(0)
    assert mine == [second.pick(logits, []) for _ in range(20)]
    other = Sampler(Options(**OFF, seed=12))
    assert mine != [other.pick(logits, []) for _ in range(20)]
    drawn = Sampler(Options(**OFF))
    again = Sampler(Options(**OFF, seed=drawn.seed))
    assert [drawn.pick(logits, []) for _ in range(9)] == [again.pick(logits, []) for _ in range(9)]
    assert Sampler(Options()).seed != Sampler(Options()).seed


# ---- what is refused ----


@pytest.mark.parametrize("chosen", [{"temperature": 0.0}, {"top_k": 3}, OFF, {**OFF, "top_p": 0.5}])
@pytest.mark.parametrize("penalty", [1.0, 1.3])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_logits_that_are_no_numbers(chosen: dict[str, Any], penalty: float, bad: float) -> None:
    sampler = Sampler(Options(**chosen, repetition_penalty=penalty))
    for place in range(4):
        logits = strided.tensor([1.0, 2.0, -math.inf, 0.0])
        logits[place] = bad
        with pytest.raises(strided.InvalidArgument) as caught:
            sampler.pick(logits, [0, 3])
        assert str(bad) in caught.value.got
    with pytest.raises(strided.InvalidArgument) as caught:
        sampler.pick(strided.tensor([-math.inf, -math.inf]), [0])
    assert "-inf" in caught.value.got


@pytest.mark.parametrize(
    "logits", [strided.zeros(0), strided.zeros(2, 3), strided.tensor(1.0), strided.arange(3)]
)
def test_what_is_no_logits(logits: strided.Tensor) -> None:
    with pytest.raises(strided.InvalidArgument):
        Sampler(Options()).pick(logits, [])


@pytest.mark.parametrize("recent", [[-1], [0, 4], [10**30]])
def test_recent_tokens_must_be_of_the_vocabulary(recent: list[int]) -> None:
    with pytest.raises(strided.InvalidArgument):
        Sampler(Options(repetition_penalty=1.1)).pick(strided.zeros(4), recent)


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        *(("max_tokens", value) for value in (0, -1, 1.5, "3", True)),
        *(("temperature", value) for value in (-0.1, math.nan, math.inf, "1", None, 1j)),
        *(("top_k", value) for value in (-1, 2.0, None, "4", False)),
        *(("top_p", value) for value in (-0.01, 1.01, math.nan, None, 10**400)),
        *(("min_p", value) for value in (-0.01, 1.01, math.nan, "x")),
        *(("repetition_penalty", value) for value in (0, -1.0, math.inf, None)),
        *(("repetition_window", value) for value in (-2, 0.5, None)),
        *(("seed", value) for value in (-1, 0.5, "a")),
        *(("stop", value) for value in (("",), ("a", 1), None, 3, {"a"})),
    ],
)
def test_options_that_are_refused(name: str, bad: Any) -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        Options(**{name: bad})
    assert caught.value.argument == name


def test_options_are_made_plain() -> None:
    made = Options(top_k=np.int64(3), temperature=1, stop="x", seed=2**80)  # type: ignore[arg-type]
    assert (type(made.top_k), type(made.temperature), made.stop) == (int, float, ("x",))
    assert Options(stop=["a", "b"]).stop == ("a", "b")  # type: ignore[arg-type]
    assert hash(made) == hash(Options(top_k=3, temperature=1.0, stop=("x",), seed=2**80))


def test_examples() -> None:
    assert doctest.testmod(sample).failed == 0
