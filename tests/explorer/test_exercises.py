"""The explorer's exercises: right and wrong answers, hints, explanations, and the measured ones."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

import strided
from strided.errors import InvalidArgument
from strided.explorer import exercises
from strided.explorer.exercises import QUESTIONS, check, question_of
from strided.explorer.steps import evaluate, value_of

PLAIN = [question for question in QUESTIONS if question.chapter != "performance"]

# id, a right answer, a wrong answer, what is said about the wrong one
ANSWERS = [
    ("strides-1", {"strides": "12, 4, 1"}, {"strides": "(12, 3, 1)"}, "axis 1"),
    ("strides-1", {"strides": "(12, 4, 1)"}, {"strides": "12, 4"}, "3 numbers are needed"),
    ("strides-1", {"strides": " [12 4 1] "}, {"strides": ""}, "whole numbers"),
    ("strides-2", {"strides": "1, 12, 4"}, {"strides": "12, 4, x"}, "whole numbers"),
    ("strides-3", {"strides": "5, 1", "offset": "7"}, {"strides": "5, 1", "offset": "5"}, "offset"),
    ("strides-4", {"strides": "4, 4, 1"}, {"strides": "4, 1, 1"}, "axis 1"),
    ("strides-5", {"strides": "0, 1"}, {"strides": "3, 1"}, "axis 0"),
    (
        "strides-6",
        {"strides": "4, -1", "offset": "3"},
        {"strides": "4, 1", "offset": "3"},
        "axis 1",
    ),
    ("reshape-1", {"ticked": [1, 3, 4]}, {"ticked": [0, 1]}, "1 ticked too many; 2 still to find"),
    ("reshape-2", {"chain": "zeros(2, 3).T.view(6)"}, {"chain": "zeros(2, 3).view(6)"}, "possible"),
    ("reshape-2", {"chain": "eye(3)[:, :2].view(-1)"}, {"chain": "zeros(6).view(5)"}, "fail too"),
    ("reshape-2", {"chain": "eye(2).T.view((4,))"}, {"chain": "zeros(6).T"}, "fail too|last step"),
    ("reshape-2", {"chain": "eye(2).T.view(4)"}, {"chain": "zeros(6).flip(0)"}, "last step"),
    ("reshape-2", {"chain": "eye(2).T.view(4)"}, {"chain": "nonsense"}, "fail too"),
    (
        "reshape-3",
        {"axis": "1", "stride": "12", "needed": "4"},
        {"axis": "1", "stride": "12", "needed": "24"},
        "needed",
    ),
    ("detective-1", {"first": "x.T", "second": "x[1:]"}, {"first": "x", "second": "x"}, "the same"),
    (
        "detective-1",
        {"first": "x", "second": "x[0, :1].expand(3, 4)"},
        {"first": "x.T", "second": "x.clone()"},
        "share no element",
    ),
    (
        "detective-1",
        {"first": "x[::2]", "second": "x.flip(0, 1)"},
        {"first": "x.q", "second": "x"},
        "first: ",
    ),
    (
        "detective-1",
        {"first": "x[..., None]", "second": "x"},
        {"first": "x[0, 0].expand(1000, 1000)", "second": "x"},
        "at most 256",
    ),
    ("detective-2", {"index": "0, 0"}, {"index": "2, 0"}, "axis 0|is not right"),
    ("detective-3", {"ticked": [1, 3]}, {"ticked": [0, 1, 2, 3, 4, 5]}, "4 ticked too many"),
]


@pytest.mark.parametrize(("id", "right", "wrong", "said"), ANSWERS)
def test_answers_are_checked(id, right, wrong, said):
    good = check(id, right)
    assert good.right, good.message
    assert good.explanation
    bad = check(id, wrong)
    assert not bad.right
    assert any(part in bad.message for part in said.split("|")), bad.message
    assert not bad.explanation, "a wrong answer must not give the right one away"
    json.dumps([asdict(good), asdict(bad)])


def test_every_question_is_answered_above():
    assert {id for id, *_ in ANSWERS} == {question.id for question in PLAIN}


@pytest.mark.parametrize("question", PLAIN, ids=lambda question: question.id)
def test_the_answer_can_be_shown_and_counts_as_not_right(question):
    verdict = check(question.id, {"reveal": True})
    assert not verdict.right
    assert verdict.explanation
    assert question.hint
    assert question.prompt


def test_chains_of_a_verdict_can_be_opened():
    for id, right, _, _ in ANSWERS:
        for chain in check(id, right).chains:
            problem = evaluate(chain).problem
            assert problem is None or problem.type == "ViewNotPossible", chain


def test_the_detective_really_writes():
    verdict = check("detective-1", {"first": "x.T", "second": "x.flip(0)"})
    assert verdict.explanation[-1] == "After first[0, 0] = 99, second[2, 0] is 99 too."


@pytest.mark.parametrize("seed", range(30))
def test_practice_has_an_answer(seed):
    question = question_of(f"practice-{seed}")
    assert question == question_of(f"practice-{seed}")
    x = value_of(question.code[0])
    given = {"strides": str(tuple(x.stride())), "offset": str(x.storage_offset())}
    assert check(question.id, given).right
    assert not check(question.id, {**given, "offset": "-5"}).right


@pytest.mark.parametrize(
    "id", ["", "nothing", "practice-", "practice--1", "practice-1e9", "practice-²"]
)
def test_unknown_exercises_are_refused(id):
    with pytest.raises(InvalidArgument):
        question_of(id)


@pytest.mark.parametrize(
    ("id", "given"),
    [
        ("strides-1", {"strides": 5}),
        ("strides-1", {"strides": "1" * 501}),
        ("reshape-1", {"ticked": "all"}),
        ("reshape-1", {"ticked": [17]}),
        ("reshape-1", {"ticked": [[]]}),
        ("performance-copies", {}),
        ("performance-copies", {"order": [0, 1]}),
        ("performance-copies", {"order": [0, 0, 1]}),
        ("performance-copies", {"order": "012"}),
        ("performance-copies", {"order": [0, 1, [2]]}),
    ],
)
def test_answers_of_another_kind_are_refused(id, given):
    with pytest.raises(InvalidArgument):
        check(id, given)


def test_the_listing_gives_no_answer_away():
    listing = json.loads(json.dumps(exercises.listing()))
    assert len(listing["questions"]) == len(QUESTIONS)
    assert {question["chapter"] for question in listing["questions"]} == {
        chapter["id"] for chapter in listing["chapters"]
    }


# ---- performance ----


def measured_as(*seconds):
    return lambda race: {
        label: dict.fromkeys(race.sizes, time)
        for label, time in zip(race.entries, seconds, strict=True)
    }


@pytest.mark.parametrize(
    ("order", "seconds", "right"),
    [
        ([0, 1, 2], (1.0, 2.0, 3.0), True),
        ([1, 0, 2], (1.0, 2.0, 3.0), False),
        ([1, 0, 2], (1.0, 1.2, 3.0), True),  # closer than a quarter: a tie
        ([2, 1, 0], (3.0, 2.0, 1.0), True),
        ([0, 2, 1], (3.0, 2.0, 1.0), False),
    ],
)
def test_an_order_is_checked_against_times(order, seconds, right):
    verdict = exercises.check_order("copies", {"order": order}, measured_as(*seconds))
    assert verdict.right is right
    assert verdict.measured["labels"] == list(exercises.race_of("copies").entries)
    assert right or "was not faster than" in verdict.message


@pytest.mark.parametrize("race", exercises.RACES, ids=lambda race: race.name)
def test_every_race_runs_on_the_layouts_it_names(race):
    for label, prepare in race.entries.items():
        made = prepare(8)()
        if "sum" in label:
            assert made.item() == 64
        else:
            assert made.shape == (8, 8)
    assert race.sizes[-1] == 1024


def test_measuring_returns_times_within_its_budget():
    calls = []
    assert 0 < exercises.seconds(lambda: calls.append(1), 0.002) < 1
    assert len(calls) > 1


def test_unknown_races_are_refused():
    with pytest.raises(strided.InvalidArgument):
        exercises.race_of("nothing")
