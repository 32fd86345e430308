"""Exercises: the questions that the page asks, and how answers are checked.

The four exercises of the memory layout guide (stride prediction, view or reshape, memory
detective, performance), each as several questions. No answer is written down here: strided is
asked when an answer comes in.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from strided import InvalidArgument
from strided.explorer import answers, performance
from strided.explorer.answers import Verdict
from strided.explorer.next_steps import next_steps
from strided.explorer.steps import value_of


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
        for race in performance.RACES
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
        return performance.check_order(id.removeprefix("performance-"), given)
    if question.chapter == "strides":
        return answers.layout_numbers(question.code[0], question.inputs, given)
    return _CHECKS[id](question, given)
