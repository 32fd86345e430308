"""Exercises: the questions that the page asks, and how answers are checked.

The four exercises of the memory layout guide (stride prediction, view or reshape, memory
detective, performance), each as several questions. No answer is written down here: strided is
asked when an answer comes in.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import strided
from strided import InvalidArgument, Tensor
from strided.explorer import answers
from strided.explorer.answers import Verdict
from strided.explorer.operations import next_steps
from strided.explorer.steps import value_of

# Times closer than a quarter of each other count as equal: an order is never refused due to noise.
TIE = 1.25
_BUDGET = 0.08  # seconds for one measurement
_ONE_AT_A_TIME = threading.Lock()


# ---- performance: which of a few operations is faster, measured on this machine when asked ----
# The list is fixed: nothing from outside decides what runs or how large it is.


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
        "A sum may take elements in any order, so strided reads a transposed matrix along memory: "
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


# ---- questions ----


@dataclass(frozen=True)
class Question:
    """One question; ``kind`` (numbers, chains, choices, order) is how it is answered."""

    id: str
    chapter: str
    title: str
    prompt: str
    kind: str
    hint: str
    code: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    example: str = ""


Check = Callable[[Question, dict[str, Any]], Verdict]

CHAPTERS = (
    ("strides", "Stride prediction", "Predict strides and offset, then let strided verify."),
    ("reshape", "View or reshape", "Find out when no strides exist, and say why."),
    ("detective", "Memory detective", "Tensors that look different and share their memory."),
    ("performance", "Performance", "Predict what is fast; this machine measures it."),
)

_ROW_MAJOR = (
    "From right to left: the last axis steps 1, each other length times stride of the next."
)


def _strides(number: int, chain: str, hint: str, *inputs: str) -> Question:
    wanted = inputs or ("strides",)
    prompt = f"What are the {' and the '.join(wanted)} of this tensor, in elements?"
    title = chain.rpartition(")" if chain.endswith("]") else ".")[2] or chain
    return Question(
        f"strides-{number}", "strides", title, prompt, "numbers", hint, (chain,), wanted
    )


QUESTIONS = (
    _strides(1, "zeros(2, 3, 4)", _ROW_MAJOR),
    _strides(2, "zeros(2, 3, 4).permute(2, 0, 1)", "Axes keep their strides when they move."),
    _strides(
        3,
        "arange(20).reshape(4, 5)[1:3, 2:4]",
        "A slice keeps the strides. The offset is the place of element [1, 2].",
        "strides",
        "offset",
    ),
    _strides(
        4,
        "zeros(3, 4).unsqueeze(1)",
        "A new axis takes length times stride of its right neighbour.",
    ),
    _strides(5, "arange(3).expand(4, 3)", "Which stride never leaves an element?"),
    _strides(
        6,
        "arange(12).reshape(3, 4).flip(1)",
        "Reading backwards is a negative stride from the last element of each row.",
        "strides",
        "offset",
    ),
    Question(
        "reshape-1",
        "reshape",
        "Which reshapes copy?",
        "Tick every chain whose last step has to copy.",
        "choices",
        "Neighbouring axes can merge when the first steps exactly over all of the second.",
        options=(
            "arange(12).reshape(3, 4).reshape(2, 6)",
            "arange(12).reshape(3, 4).T.reshape(12)",
            "arange(12).reshape(3, 4)[:, :2].reshape(3, 2, 1)",
            "arange(12).reshape(3, 4)[:, :2].reshape(6)",
            "arange(24).reshape(2, 3, 4).transpose(0, 1).reshape(3, 8)",
            "arange(24).reshape(2, 3, 4).transpose(0, 1).reshape(3, 2, 2, 2)",
        ),
    ),
    Question(
        "reshape-2",
        "reshape",
        "Make view() fail",
        "Write a chain that ends in .view(...) and is refused, though .reshape(...) of the same "
        "shape succeeds.",
        "chains",
        "Bring the axes into an order that memory does not have, then ask for one axis.",
        inputs=("chain",),
        example="arange(6)",
    ),
    Question(
        "reshape-3",
        "reshape",
        "Explain the refusal",
        "This view is refused: two neighbouring axes do not step together. Which is the first of "
        "the two, what is its stride, and which stride would it need?",
        "numbers",
        "An axis needs length times stride of its right neighbour. Check from right to left.",
        ("arange(24).reshape(2, 3, 4).transpose(0, 1).view(24)",),
        ("axis", "stride", "needed"),
    ),
    Question(
        "detective-1",
        "detective",
        "Two faces of one storage",
        "x = arange(12).reshape(3, 4). Write two chains that begin with x, differ in shape or "
        "elements, and share at least one element of memory.",
        "chains",
        "Any two views of x: transposed, sliced, reversed.",
        inputs=("first", "second"),
        example="x",
    ),
    Question(
        "detective-2",
        "detective",
        "Where does the write land?",
        "x = arange(12).reshape(3, 4). After a[0, 2] = 99, at which index of b does 99 stand?",
        "numbers",
        "Find the place of a[0, 2] in the storage, then the index of b that reaches it.",
        ("a = x.T", "b = x[:, ::2].flip(0)"),
        ("index",),
    ),
    Question(
        "detective-3",
        "detective",
        "Who shares memory?",
        "x = arange(12).reshape(3, 4). Tick every tensor that shares at least one element with "
        "x[:, ::2].",
        "choices",
        "Write down which storage elements each one reaches. Copies reach none of them.",
        options=("x[:, 1::2]", "x.T", "x.clone()", "x[1:].flip(0)", "x.T.reshape(12)", "x[0, 3:]"),
    ),
    *(
        Question(
            f"performance-{race.name}",
            "performance",
            race.title,
            race.prompt,
            "order",
            race.hint,
            options=tuple(race.entries),
        )
        for race in RACES
    ),
)

_CHECKS: dict[str, Check] = {
    "reshape-1": lambda question, given: answers.which_copy(question.options, given),
    "reshape-2": lambda question, given: answers.refused_view(given),
    "reshape-3": lambda question, given: answers.refusal(question.code[0], given),
    "detective-1": lambda question, given: answers.two_faces(given),
    "detective-2": lambda question, given: answers.written(question.code, (0, 2), given),
    "detective-3": lambda question, given: answers.sharing("x[:, ::2]", question.options, given),
}


def question_of(id: str) -> Question:
    """Return a question by its id; ``practice-N`` is the N-th of endless stride predictions.

    >>> question_of("strides-1").code, question_of("practice-7") == question_of("practice-7")
    (('zeros(2, 3, 4)',), True)
    """
    for question in QUESTIONS:
        if question.id == id:
            return question
    seed = id.removeprefix("practice-")
    if seed != id and seed.isascii() and seed.isdigit() and len(seed) <= 9:
        return _practice(int(seed))
    known = ", ".join(question.id for question in QUESTIONS)
    raise InvalidArgument(
        argument="exercise", got=repr(id[:40]), requirement=f"must be practice-N or one of {known}"
    )


def _practice(seed: int) -> Question:
    """Return a question about a chain of two or three random view steps."""
    chance = random.Random(seed)
    lengths = [chance.randint(2, 4) for _ in range(chance.randint(2, 3))]
    chain = f"zeros({', '.join(map(str, lengths))})"
    for _ in range(chance.randint(2, 3)):
        x = value_of(chain)
        views = [
            step.text
            for step in next_steps(x)
            if step.group in ("Axes", "Parts")
            and step.label not in ("T", "movedim", "squeeze", "diagonal")
        ]
        chain += chance.choice(views)
    question = _strides(0, chain, "Follow the strides step by step.", "strides", "offset")
    return Question(**{**asdict(question), "id": f"practice-{seed}", "title": f"Practice {seed}"})


def listing() -> dict[str, Any]:
    """Return all chapters and questions, without answers.

    >>> [chapter["id"] for chapter in listing()["chapters"]]
    ['strides', 'reshape', 'detective', 'performance']
    """
    chapters = [{"id": id, "title": title, "about": about} for id, title, about in CHAPTERS]
    return {"chapters": chapters, "questions": [asdict(question) for question in QUESTIONS]}


def check(id: str, given: dict[str, Any]) -> Verdict:
    """Return whether an answer is right, what is wrong with it, and when right, why.

    >>> check("strides-1", {"strides": "12, 4, 1"}).right
    True
    >>> check("strides-1", {"strides": "4, 3, 1"}).message
    'strides: 2 of 3 numbers are not right yet (axis 0, axis 1)'
    """
    question = question_of(id)
    if question.chapter == "performance":
        return check_order(id.removeprefix("performance-"), given)
    if question.chapter == "strides":
        return answers.layout_numbers(question.code[0], question.inputs, given)
    return _CHECKS[id](question, given)
