"""The engine of the page without a server, in JavaScript: it must answer as strided does.

It runs in the node that Playwright brings. ``STRIDED_EXPLORER_CHAINS`` random chains are compared,
every field of every step of each; ``make test-long`` compares 100,000.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from dataclasses import asdict

import pytest
from support.explorer_chains import random_chains
from support.paths import ROOT, TESTS

from strided import StridedError
from strided.explorer import exercises, operations
from strided.explorer.page_tables import page_tables
from strided.explorer.steps import EXAMPLES, evaluate

driver = pytest.importorskip("playwright._impl._driver", reason="Playwright is not installed")

pytestmark = pytest.mark.peers

ENGINE = ROOT / "src" / "strided" / "explorer" / "engine"
NODE = driver.compute_driver_executable()[0]
CHAINS = int(os.environ.get("STRIDED_EXPLORER_CHAINS", "6000"))
BATCH = 3000

# Texts that have surprised a reader or a rule before, or easily could.
TEXTS = [
    *(chain for _, chain in EXAMPLES),
    *("", "x", "arange(6).<img>", "arange(é)", "arange('a')", 'arange("a")', "arange(5)\t.T", "\\"),
    *(
        "zeros(0, 3)",
        "zeros(2, 0).reshape(0).clone()",
        "tensor(5)",
        "tensor([])",
        "tensor([[], []])",
    ),
    *("arange(6)[[]]", "arange(6)[[9]]", "zeros(3)[[[[0]]]]", "eye(3, 4)[:, [0, -1]]"),
    *("zeros(0, 2)[:, [2]]", "zeros(3, 2)[[], 5]", "zeros(3, 2)[[], [5]]", "zeros(3, 0)[[3]]"),
    *("arange(6).reshape(2, 3)[[0, 1], [1, 2]]", "arange(6).reshape(2, 3)[0, [1, 2]]"),
    *(
        "arange(24).reshape(2, 3, 4)[0, :, [1, 2]]",
        "arange(24).reshape(2, 3, 4)[..., None, [1, 0]]",
    ),
    *(
        "arange(6)[[[1, 2], [3]]]",
        "tensor([[1, 2], [3]])",
        "tensor([1, [2]])",
        "arange(6)[[1, 2], [0, 1, 2]]",
    ),
    *(
        "zeros(3, 4)[1, 2, 3]",
        "zeros(3, 4)[..., ...]",
        "zeros(3, 4)[::0]",
        "arange(5)[1:1_000_000_000:3]",
    ),
    *(
        "zeros(2).expand(-1)",
        "zeros(2).expand(-1, 2)",
        "zeros(2).expand(-2, 2)",
        "zeros(3).view((3,), 1)",
    ),
    *("arange(6).reshape(-1, -1)", "arange(6).reshape(2, -3)", "arange(5).reshape(2, -1)"),
    *(
        "zeros(0).unflatten(0, (0, -1))",
        "zeros(1).unflatten(0, ())",
        "zeros(2, 3).unflatten(1, (0, -1))",
    ),
    *("arange(8).as_strided((2,), (9,))", "arange(8).as_strided((2, 2), (1000000000, 1000000000))"),
    *(
        "zeros(1000000000, 1000000000, 1000000000)",
        "arange(1000001)",
        "zeros(1, 1, 1, 1, 1, 1, 1, 1, 1)",
    ),
    *(
        "linspace(7, 5532, 9)",
        "linspace(0, 1000000000, 7)",
        "np.linspace(-3, 5, 9)",
        "linspace(0, 1, -1)",
    ),
    *("arange(300, dtype=int8)", "full((2,), -1, dtype=uint8)", "full((2,), 99999, dtype=float16)"),
    *(
        "arange(2050, 2060, dtype=float16)",
        "arange(250, 270, dtype=bfloat16)",
        "zeros(2, dtype=text)",
    ),
    *(
        "np.zeros((2, 3))",
        "torch.arange(12, dtype=torch.float32).view(3, 4).T",
        "np.array([[1, 2], [3, 4]]).copy()",
    ),
    *(
        "transpose(arange(3))",
        "np.transpose(3)",
        "np.arange(3)[:, np.newaxis]",
        "np.x",
        "x.T",
        "np.",
        "st",
    ),
    *(
        "zeros(3).squeeze(axis=0)",
        "zeros(3).reshape(shape=(1, 3))",
        "zeros(3).flip(axis=0, dims=1)",
    ),
    *("arange(1000000).reshape(1000, 1000).T", "arange(4000).reshape(40, 100)[:, ::7]"),
    *("zeros(3, 4).T.roll(1, 0)", "arange(12).reshape(3, 4).roll((1, 2), (0, 1))"),
    *("zeros(3).frobnicate()", "zeros(3).transpos()", "zeros(3).T.T()", "zeros(3)."),
    "arange(60).as_strided((3, 3, 3), (7, 5, 3))",
]


def asked(questions):
    """Return what the engine answers to pairs of a name and what is given."""
    lines = [page_tables(), *questions]
    run = subprocess.run(
        [NODE, TESTS / "support" / "page_engine.mjs", ENGINE / "engine.js"],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        encoding="utf-8",
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


def plain(answer):
    return json.loads(json.dumps(answer))


def differences(chains):
    """Return the first fields in which the engine differs from strided."""
    answers = asked([("evaluate", {"expression": chain}) for chain in chains])
    found = []
    for chain, answer in zip(chains, answers, strict=True):
        wanted = plain(evaluate(chain).to_dict())
        if answer == wanted:
            continue
        steps = zip(wanted["steps"], answer.get("steps", []), strict=False)
        fields = [(a["source"], k, a[k], b.get(k)) for a, b in steps for k in a if a[k] != b.get(k)]
        found.append((chain, fields[:2] or [wanted["problem"], answer.get("problem", answer)]))
    return found


def test_every_operation_is_known():
    known = (ENGINE / "operations.js").read_text()
    missing = [name for name in operations.STEPS if f"\n  {name}" not in known]
    assert missing == []


def test_chosen_chains_are_answered_alike():
    assert differences(TEXTS) == []


@pytest.mark.parametrize("batch", range(-(-CHAINS // BATCH)))
def test_random_chains_are_answered_alike(batch):
    chains = random_chains(min(BATCH, CHAINS - batch * BATCH), seed=batch)
    assert differences(chains)[:3] == []


def test_alternatives_stand_in_random_chains():
    """Random chains hold what the comparison is about: copies with and without an alternative."""
    traces = [evaluate(chain) for chain in random_chains(2000, seed=99)]
    copies = [step for trace in traces for step in trace.steps if step.kind == "copy"]
    assert {step.reason for step in copies} == {"reshape", "contiguous", "clone", "gather", "join"}
    assert sum(bool(step.alternatives) for step in copies if step.reason == "reshape") > 2
    assert sum(bool(step.alternatives) for step in copies if step.reason == "gather") > 2
    kinds = {trace.problem.type for trace in traces if trace.problem}
    assert {"ViewNotPossible", "ShapeMismatch", "IndexOutOfBounds", "ExpressionError"} <= kinds


# ---- exercises ----


def given_answers(question):
    """Yield answers of all kinds to a question, right, wrong and unreadable."""
    yield {"reveal": True}
    yield {}
    if question.kind == "choices":
        places = range(len(question.options))
        for count in range(len(question.options) + 1):
            yield from (
                {"ticked": list(ticked)} for ticked in itertools.combinations(places, count)
            )
        yield {"ticked": [99]}
    for text in (
        "",
        "1",
        "12, 4, 1",
        "(12, 4, 1)",
        "1 12 4",
        "5,1",
        "x",
        "1.5",
        "4, -1",
        "0, 3",
        "9" * 13,
    ):
        yield dict.fromkeys(question.inputs, text)
    chains = (
        *("x", "x.T", "x[1:]", "x[::2]", "x.clone()", "x.flip(0, 1)", "x[0, :1].expand(3, 4)"),
        *("arange(6)", "zeros(2, 3).T.view(6)", "zeros(2, 3).view(6)", "zeros(6).view(5)", "x.q"),
        *("eye(3)[:, :2].view(-1)", "x.expand(100, 3, 4)", "x" * 501),
    )
    if question.kind == "chains":
        for pair in itertools.product(chains, repeat=len(question.inputs)):
            yield dict(zip(question.inputs, pair, strict=True))


def judged(id, answer):
    try:
        return asdict(exercises.check(id, answer))
    except StridedError as error:
        return {"type": type(error).__name__, "error": str(error)}


def test_answers_to_exercises_are_judged_alike():
    asks = [
        (question.id, answer)
        for question in exercises.QUESTIONS
        if question.chapter != "performance"
        for answer in given_answers(question)
    ]
    answers = asked([("answer", {"id": id, "answer": answer}) for id, answer in asks])
    wanted = [plain(judged(id, answer)) for id, answer in asks]
    assert [pair for pair in zip(asks, answers, wanted, strict=True) if pair[1] != pair[2]] == []
    assert len(asks) > 400


def test_practice_is_the_same_everywhere():
    ids = [f"practice-{seed}" for seed in (0, 1, 7, 12, 999_999_999, *range(100, 160))]
    answers = asked([("exercise", {"id": id}) for id in ids])
    assert answers == [plain(asdict(exercises.question_of(id))) for id in ids]


def test_what_is_not_there_is_refused_alike():
    (answer,) = asked([("exercise", {"id": "practice-x"})])
    with pytest.raises(StridedError) as caught:
        exercises.question_of("practice-x")
    measured = ", performance-copies, performance-sums"  # by the server alone
    assert answer["error"] == str(caught.value).replace(measured, "")


def test_speeds_are_left_to_the_server():
    (found,) = asked([("start", {})])
    assert found["measures"] is False
    assert [chapter["id"] for chapter in found["chapters"]] == ["strides", "reshape", "detective"]
    assert not any(question["kind"] == "order" for question in found["questions"])
