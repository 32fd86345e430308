"""How text is to be generated: what a user may set, checked when it is set.

Names and defaults are those that users of llama.cpp know. An ``Options`` that exists is valid.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any

from strided import InvalidArgument


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
