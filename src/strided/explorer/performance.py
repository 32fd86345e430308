"""Performance exercises: which of a few operations is faster, measured on this machine when asked.

The list is fixed: nothing from outside decides what runs or how large it is. Times closer than a
quarter of each other count as equal, so that an order is never refused because of noise.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import strided
from strided import InvalidArgument, Tensor
from strided.explorer.answers import Verdict

TIE = 1.25
_BUDGET = 0.08  # seconds for one measurement
_ONE_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class Race:
    """Operations to be brought into order, each with what it does to x of n by n float32."""

    name: str
    title: str
    prompt: str
    hint: str
    because: str
    sizes: tuple[int, ...]
    entries: dict[str, Callable[[int], Callable[[], Any]]]


def _on(
    make: Callable[[int], Tensor], work: Callable[[Tensor], Any]
) -> Callable[[int], Callable[[], Any]]:
    def prepared(n: int) -> Callable[[], Any]:
        x = make(n)
        return lambda: work(x)

    return prepared


def _square(n: int) -> Tensor:
    return strided.ones(n, n)


RACES = (
    Race(
        "copies",
        "View, copy, transposed copy",
        "x is a matrix of n by n float32. Bring these into order, fastest first; n = 1024 decides.",
        "A view is arithmetic on a few integers. A copy moves every element, a transposed one also "
        "jumps through memory.",
        "x.T writes a few integers, whatever n is. clone() reads and writes memory in order; the "
        "transposed copy has to jump in one of the two.",
        (64, 256, 1024),
        {
            "x.T": _on(_square, lambda x: x.T),
            "x.clone()": _on(_square, lambda x: x.clone()),
            "x.T.contiguous()": _on(_square, lambda x: x.T.contiguous()),
        },
    ),
    Race(
        "sums",
        "The same sum, three layouts",
        "x is a matrix of n by n float32, w is 16 times as wide. All three sum n * n elements. "
        "Bring them into order, fastest first; n = 1024 decides, and close ones count as equal.",
        "A cache line holds 16 float32. How many of each line does the sum use? And does a sum "
        "have to follow the order of the axes?",
        "A sum may take elements in any order, so strided walks a transposed matrix along memory: "
        "as fast as row-major. Every 16th element uses 4 bytes of each 64-byte cache line.",
        (64, 256, 1024),
        {
            "x.sum()": _on(_square, lambda x: x.sum()),
            "x.T.sum()": _on(lambda n: _square(n).T, lambda x: x.sum()),
            "w[:, ::16].sum()": _on(lambda n: strided.ones(n, 16 * n)[:, ::16], lambda x: x.sum()),
        },
    ),
)


def seconds(work: Callable[[], Any], budget: float = _BUDGET) -> float:
    """Return the best time of one call, in at most about twice the budget.

    >>> 0 < seconds(lambda: None, 0.001) < 0.1
    True
    """
    work()
    rounds, best, end = 1, float("inf"), time.perf_counter() + budget
    while True:
        start = time.perf_counter()
        for _ in range(rounds):
            work()
        now = time.perf_counter()
        best = min(best, (now - start) / rounds)
        if now >= end:
            return best
        if now - start < budget / 50:
            rounds *= 2


def measure(race: Race) -> dict[str, dict[int, float]]:
    """Return the seconds of every entry at every size.

    >>> sorted(measure(RACES[0])["x.T"])
    [64, 256, 1024]
    """
    with _ONE_AT_A_TIME:
        return {
            label: {n: seconds(prepare(n)) for n in race.sizes}
            for label, prepare in race.entries.items()
        }


def race_of(name: str) -> Race:
    """Return a race by its name.

    >>> race_of("sums").sizes
    (64, 256, 1024)
    """
    for race in RACES:
        if race.name == name:
            return race
    known = ", ".join(race.name for race in RACES)
    raise InvalidArgument(argument="race", got=repr(name), requirement=f"must be one of {known}")


def check_order(
    name: str,
    given: dict[str, Any],
    measured: Callable[[Race], dict[str, dict[int, float]]] = measure,
) -> Verdict:
    """Measure, and check a predicted order (option numbers, fastest first).

    >>> times = {label: {1024: float(place)} for place, label in enumerate(RACES[0].entries, 1)}
    >>> check_order("copies", {"order": [0, 1, 2]}, lambda race: times).right
    True
    """
    race = race_of(name)
    order, labels = given.get("order"), list(race.entries)
    if not given.get("reveal") and (
        not isinstance(order, list)
        or sorted(map(str, order)) != [str(i) for i in range(len(labels))]
    ):
        raise InvalidArgument(
            argument="order", got="something else", requirement="must name every option once"
        )
    times = measured(race)
    largest = race.sizes[-1]
    fastest = sorted(range(len(labels)), key=lambda i: times[labels[i]][largest])
    shown = {"labels": labels, "sizes": race.sizes, "seconds": [times[label] for label in labels]}
    slow, fast = labels[fastest[-1]], labels[fastest[0]]
    ratio = times[slow][largest] / times[fast][largest]
    said = [race.because, f"At n = {largest}, {slow} took {_times(ratio)} times as long as {fast}."]
    if given.get("reveal"):
        return Verdict(False, "Here is the measurement.", tuple(said), measured=shown)
    assert isinstance(order, list)
    ranked = [times[labels[int(i)]][largest] for i in order]
    wrong = [
        f"{labels[int(order[i])]} was not faster than {labels[int(order[i + 1])]}"
        for i in range(len(order) - 1)
        if ranked[i] > ranked[i + 1] * TIE
    ]
    if wrong:
        return Verdict(False, "; ".join(wrong), measured=shown)
    return Verdict(True, "Right.", tuple(said), measured=shown)


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"
