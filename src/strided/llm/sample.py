"""Sampling: options, and the choice of the next token by logits, filters and one random number.

Names and defaults of options are those that users of llama.cpp know. An ``Options`` that exists is
valid. Filters come in llama.cpp's order: penalties, top-k, top-p, min-p, temperature. The logits
are read where they are, and nothing of the size of the vocabulary is made unless top_k is 0, which
asks for all of it: the penalty moves no other tokens than the penalised ones, so the best after it
are among those and the few more that were best before.
"""

from __future__ import annotations

import math
import operator
import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import strided
from strided import InvalidArgument, Tensor


@dataclass(frozen=True)
class Options:
    """How tokens are picked and when to stop; checked when made.

    ``max_tokens`` of None means until the model ends its turn or the context is full.
    ``temperature`` 0 is greedy. ``top_k`` 0, ``top_p`` 1, ``min_p`` 0 and ``repetition_penalty`` 1
    switch their filter off. ``repetition_window`` is how many of the latest tokens are penalised
    (-1: all). ``seed`` of None is another one each time. ``stop`` are texts that end the answer.

    >>> from strided.llm import Options
    >>> Options(temperature=0.0, stop=["###"]).stop
    ('###',)
    >>> Options(top_p=1.5)
    Traceback (most recent call last):
        ...
    strided.errors.InvalidArgument: top_p is 1.5
      it must be a number from 0 to 1
    """

    max_tokens: int | None = None
    temperature: float = 0.8
    top_k: int = 40
    top_p: float = 0.95
    min_p: float = 0.05
    repetition_penalty: float = 1.0
    repetition_window: int = 64
    seed: int | None = None
    stop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.max_tokens is not None:
            self._whole("max_tokens", 1)
        self._whole("top_k", 0)
        self._whole("repetition_window", -1)
        if self.seed is not None:
            self._whole("seed", 0)
        self._number("temperature", 0.0, math.inf, "of 0 (greedy) or above")
        self._number("top_p", 0.0, 1.0, "from 0 to 1")
        self._number("min_p", 0.0, 1.0, "from 0 to 1")
        self._number("repetition_penalty", math.ulp(0.0), math.inf, "above 0 (1 is none)")
        stop = (self.stop,) if isinstance(self.stop, str) else self.stop
        if not isinstance(stop, list | tuple) or not all(isinstance(s, str) and s for s in stop):
            raise _refused("stop", self.stop, "must be texts that are not empty")
        object.__setattr__(self, "stop", tuple(stop))

    def _whole(self, name: str, least: int) -> None:
        value = getattr(self, name)
        requirement = f"must be a whole number of {least} or above"
        try:
            whole = operator.index(value)
        except TypeError:
            raise _refused(name, value, requirement) from None
        if whole < least or isinstance(value, bool):
            raise _refused(name, value, requirement)
        object.__setattr__(self, name, whole)

    def _number(self, name: str, least: float, most: float, allowed: str) -> None:
        value = getattr(self, name)
        requirement = f"must be a number {allowed}"
        try:
            number = math.nan if isinstance(value, str | bytes | bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = math.nan
        if not (least <= number <= most) or math.isinf(number):
            raise _refused(name, value, requirement)
        object.__setattr__(self, name, number)


def _refused(name: str, value: Any, requirement: str) -> InvalidArgument:
    return InvalidArgument(argument=name, got=repr(value), requirement=requirement)


# Scores below the best one above which the tokens for top-p are looked for, in this order: a look
# is cheaper than putting many more than needed in order.
_THRESHOLDS = (-4.0, -6.0, -8.0, -10.0, -12.0, -16.0, -24.0)


class Sampler:
    """Picks tokens by ``Options``; each one has random numbers of its own.

    The same seed and the same logits give the same tokens, whatever else runs. ``seed`` is the one
    of the options, or the one that was drawn because they have none.

    >>> import strided
    >>> from strided.llm import Options, Sampler
    >>> logits = strided.tensor([0.0, 2.0, 1.0])
    >>> Sampler(Options(temperature=0.0)).pick(logits, [])
    1
    >>> sampler = Sampler(Options(temperature=1.5, top_p=1.0, min_p=0.0, seed=1))
    >>> [sampler.pick(logits, []) for _ in range(6)]
    [1, 2, 2, 1, 1, 1]
    """

    def __init__(self, options: Options) -> None:
        self.options = options
        self.seed = secrets.randbits(63) if options.seed is None else options.seed
        self._random = random.Random(self.seed)
        self._least = math.log(options.min_p) if options.min_p > 0 else -math.inf

    def pick(self, logits: Tensor, recent: Sequence[int] = ()) -> int:
        """Return the next token for the logits of a vocabulary, (vocab,), read where they are.

        ``recent`` are the tokens so far, oldest first, for the repetition penalty. A NumPy array of
        the size of the vocabulary is made only if ``top_k`` is 0; candidates in bfloat16 are
        converted, a logged copy.

        >>> import strided
        >>> from strided.llm import Options, Sampler
        >>> sampler = Sampler(Options(temperature=0.0, repetition_penalty=4.0))
        >>> sampler.pick(strided.tensor([0.0, 2.0, 1.0]), [1])
        2
        """
        if logits.ndim != 1 or not len(logits) or logits.dtype.kind != "f":
            raise InvalidArgument(
                argument="logits",
                got=f"of shape {logits.shape} and {logits.dtype.name}",
                requirement="must be floats of shape (vocab,), at least one",
            )
        options = self.options
        penalised = self._penalised(logits, recent)
        if options.temperature == 0:
            if penalised:
                return int(_best(logits, 1, penalised)[0][0])
            token = logits.argmax().item()
            _check(logits[token].item())
            return int(token)
        if options.top_k:
            tokens, scores = _best(logits, options.top_k, penalised)
            kept = self._kept(scores, np.exp(scores).sum())
        else:
            tokens, scores, kept = self._of_all(logits, penalised)
        return int(tokens[self._draw(scores[:kept])])

    def _penalised(self, logits: Tensor, recent: Sequence[int]) -> dict[int, float]:
        """Return the logits after the penalty, of the tokens that have one."""
        penalty, window = self.options.repetition_penalty, self.options.repetition_window
        if penalty == 1 or window == 0:
            return {}
        latest = sorted(set(recent if window < 0 else recent[-window:]))
        if latest and not 0 <= latest[0] <= latest[-1] < len(logits):
            raise InvalidArgument(
                argument="recent",
                got=f"from {latest[0]} to {latest[-1]}",
                requirement=f"must be tokens from 0 to {len(logits) - 1}",
            )
        found = {}
        for token in latest:
            value = logits[token].item()
            # Dividing a negative logit would make its token more likely.
            found[token] = value * penalty if value <= 0 else value / penalty
        return found

    def _of_all(self, logits: Tensor, penalised: dict[int, float]) -> tuple[Any, Any, int]:
        """Return tokens, their scores and how many of them are kept, out of the whole vocabulary.

        Only top-p needs an order, and only of those that may be kept: the tokens above a threshold
        are enough if they have the weight that top-p asks for.
        """
        everything = _scores(logits, penalised)
        top_p = self.options.top_p
        if top_p == 1:
            tokens = np.flatnonzero(everything >= self._least)
            return tokens, everything[tokens], len(tokens)
        weights = np.exp(everything)
        total = weights.sum()
        tokens = np.empty(0, np.int64)
        for threshold in (*_THRESHOLDS, -math.inf) if self._least == -math.inf else (self._least,):
            tokens = np.flatnonzero(everything >= threshold)
            if weights[tokens].sum() >= top_p * total:
                break
        scores = everything[tokens]
        order = np.argsort(-scores, kind="stable")
        scores = scores[order]
        return tokens[order], scores, self._kept(scores, total)

    def _kept(self, scores: Any, total: float) -> int:
        """Return how many of the scores, which descend from 0, top-p and min-p leave.

        ``total`` is the weight of all candidates, of which these may be the best only.
        """
        kept = len(scores)
        if self.options.top_p < 1:
            sums = np.cumsum(np.exp(scores))
            kept = min(kept, int(np.searchsorted(sums, self.options.top_p * total)) + 1)
        if self._least > -math.inf:
            kept = min(kept, int(np.searchsorted(-scores, -self._least, side="right")))
        return kept

    def _draw(self, scores: Any) -> int:
        """Return a place among the scores by chance, each with its weight at the temperature."""
        number = self._random.random()
        with np.errstate(over="ignore"):  # near temperature 0 the quotient may become -inf
            sums = np.cumsum(np.exp(scores / self.options.temperature))
        place = int(np.searchsorted(sums, number * sums[-1], side="right"))
        # The product may round up to the sum: then it is the last one that has any weight.
        return place if place < len(sums) else int(np.searchsorted(sums, sums[-1]))


def _best(logits: Tensor, count: int, penalised: dict[int, float]) -> tuple[Any, Any]:
    """Return the likeliest tokens and their scores below the best one, in descending order."""
    values, places = logits.topk(min(count + len(penalised), len(logits)))
    _check(values[0].item())
    tokens, scores = places.numpy(), _array(values)
    if penalised:
        others = np.fromiter((n not in penalised for n in tokens.tolist()), bool, len(tokens))
        tokens = np.concatenate([tokens[others], list(penalised)])
        scores = np.concatenate([scores[others], list(penalised.values())])
        order = np.lexsort((tokens, -scores))[:count]
        tokens, scores = tokens[order], scores[order]
        _check(scores[0])
    return tokens, np.subtract(scores, scores[0], dtype=np.float64)


def _scores(logits: Tensor, penalised: dict[int, float]) -> Any:
    """Return the scores below the best one of the whole vocabulary: a new array."""
    scores = np.add(_array(logits), 0.0, dtype=np.float64)
    if penalised:
        scores[list(penalised)] = list(penalised.values())
    top = scores.max()
    _check(top)
    return np.subtract(scores, top, out=scores)


def _array(values: Tensor) -> Any:
    """Return the memory of a tensor for NumPy, which has no bfloat16: of that a copy."""
    return (values.to(strided.float32) if values.dtype is strided.bfloat16 else values).numpy()


def _check(best: float) -> None:
    """Refuse logits whose best, by an order in which NaN comes first, cannot be compared with."""
    if not math.isfinite(best):
        raise InvalidArgument(
            argument="logits",
            got="-inf everywhere" if best < 0 else f"{best} at some token",
            requirement="must be numbers, or -inf for tokens that cannot follow",
        )
