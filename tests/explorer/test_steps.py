"""The explorer's account of each step: layouts, views and copies, cells and memory, next steps."""

from __future__ import annotations

import itertools
import json
from typing import get_args

import pytest

import strided
from strided import copy_totals
from strided.explorer import operations
from strided.explorer.steps import EXAMPLES, MAX_CELLS, evaluate, picture_of, value_of
from strided.ops import define

CHAIN = "arange(24).reshape(2, 3, 4).transpose(0, 2)[:, ::2].flip(1)"


def kinds(chain):
    return [step.kind for step in evaluate(chain).steps]


def test_every_step_has_its_layout():
    assert [step.layout for step in evaluate(CHAIN).steps] == [
        "(24,):(1,)+0",
        "(2, 3, 4):(12, 4, 1)+0",
        "(4, 3, 2):(1, 4, 12)+0",
        "(4, 2, 2):(1, 8, 12)+0",
        "(4, 2, 2):(1, -8, 12)+8",
    ]
    assert kinds(CHAIN) == ["made", "view", "view", "view", "view"]


def test_sources_and_columns_point_into_the_text():
    text = "  arange(24) .reshape(2, 3, 4)  [:, ::2]"
    steps = evaluate(text).steps
    assert [step.source for step in steps] == ["arange(24)", ".reshape(2, 3, 4)", "[:, ::2]"]
    assert all(text[step.column : step.end] == step.source for step in steps)


# What is copied, for which reason of the copy log, and what is said about it.
COPIES = [
    ("arange(12).reshape(3, 4).T.reshape(12)", "reshape", "stride[0] = 1"),
    ("arange(12).reshape(3, 4)[:, :2].flatten()", "reshape", "length[1] * stride[1] = 2"),
    ("arange(12).reshape(3, 4).T.ravel()", "reshape", "do not step together"),
    ("arange(12).reshape(3, 4).T.contiguous()", "contiguous", "axis 1 steps 4"),
    ("arange(12).clone()", "clone", "always copies"),
    ("zeros(3, 4)[[0, 2]]", "gather", "no single stride"),
    ("zeros(3, 4).T.roll(1, 0)", "join", "come back"),
]


@pytest.mark.parametrize(("chain", "reason", "said"), COPIES)
def test_a_copy_agrees_with_the_copy_log(chain, reason, said):
    before = copy_totals()
    value_of(chain)
    after = copy_totals()
    logged = {name: after[name].nbytes - before[name].nbytes for name in after}
    step = evaluate(chain).steps[-1]
    assert (step.kind, step.reason) == ("copy", reason)
    assert {name: n for name, n in logged.items() if n} == {reason: step.bytes_copied}
    assert step.hint == after[reason].hint
    assert said in step.why
    assert step.storage == evaluate(chain).steps[-2].storage + 1


@pytest.mark.parametrize(
    "chain", [chain for _, chain in EXAMPLES] + [f"zeros(2, 3).{row}" for row in ("T", "detach()")]
)
def test_views_copy_nothing_and_say_why(chain):
    for step in evaluate(chain).steps[1:]:
        assert step.why
        if step.kind == "view":
            assert (step.bytes_copied, step.reason, step.hint) == (0, "", "")


def test_nothing_to_do_returns_the_tensor_itself():
    assert kinds("arange(6).contiguous()") == ["made", "same"]


def test_contiguity_has_its_reason():
    step = evaluate("zeros(3, 4).T").steps[-1]
    assert not step.contiguous
    assert step.why_not_contiguous == "axis 1 steps 4, row-major needs 1"
    assert evaluate("zeros(3, 4)").steps[-1].why_not_contiguous == ""


@pytest.mark.parametrize(
    ("chain", "overlaps"), [("arange(3).expand(2, 3)", True), ("arange(6)[::2]", False)]
)
def test_self_overlap_is_told(chain, overlaps):
    assert evaluate(chain).steps[-1].overlaps_itself is overlaps


def test_a_problem_keeps_the_steps_before_it():
    trace = evaluate("arange(6).reshape(2, 3).T.view(6).flip(0)")
    assert [step.name for step in trace.steps] == ["arange", "reshape", "T"]
    assert trace.problem is not None
    assert trace.problem.type == "ViewNotPossible"
    assert trace.next_steps


@pytest.mark.parametrize(
    "chain",
    [
        "arange(6).reshape(2, 3).T.view(6).flip(0)",
        "arange(24).reshape(2, 3, 4).transpose(0, 1).view(3, -1)[1:]",
    ],
)
def test_fixes_work(chain):
    problem = evaluate(chain).problem
    assert problem is not None
    assert len(problem.fixes) >= 2
    for fix in problem.fixes:
        assert evaluate(fix.expression).problem is None


def test_a_trace_is_plain_data():
    data = json.loads(json.dumps(evaluate(CHAIN).to_dict()))
    assert data["steps"][-1]["strides"] == [1, -8, 12]
    assert data["problem"] is None


# ---- pictures ----

PICTURES = [
    CHAIN,
    "zeros()",
    "arange(5)",
    "arange(3).expand(4, 3)",
    "zeros(0, 3)",
    "zeros(2, 2, 2, 2)",
]


@pytest.mark.parametrize("chain", PICTURES)
def test_cells_are_the_elements_of_storage(chain):
    x = value_of(chain)
    picture = picture_of(x)
    storage = x.storage().tolist()
    assert [storage[at] for at in picture.cells] == x.reshape(-1).tolist()
    assert picture.places == tuple(tuple(range(n)) for n in x.shape)
    assert picture.used == len(set(picture.cells))
    assert [at for at, hit in enumerate(picture.reached) if hit] == sorted(set(picture.cells))
    assert picture.values == tuple(f"{v:g}" for v in storage)


LARGE = [
    "arange(1000000)",
    "arange(1000000).reshape(1000, 1000).T",
    "arange(100000).reshape(100, 1000)[:, ::3]",
    "arange(1).expand(1000, 1000)",
    "arange(65536).reshape(4, 4, 4, 4, 4, 4, 4, 4)",
    "arange(1000000).reshape(1000, 1000)[:2, :2]",
    "arange(100000).unfold(0, 9, 1)",
]


@pytest.mark.parametrize("chain", LARGE)
def test_large_tensors_are_summarised(chain):
    x = value_of(chain)
    picture = picture_of(x)
    assert len(picture.cells) <= MAX_CELLS
    assert len(picture.values) == len(picture.reached) <= 8 * MAX_CELLS
    drawn = [at for first, end in picture.spans for at in range(first, end)]
    assert set(picture.cells) <= set(drawn)
    expected = [x.layout.offset_of(index) for index in itertools.product(*picture.places)]
    assert list(picture.cells) == expected
    for axis, places in enumerate(picture.places):
        assert (places[0], places[-1]) == (0, x.shape[axis] - 1)
    reached = dict(zip(drawn, picture.reached, strict=True))
    assert all(reached[at] for at in picture.cells)


# ---- proposals ----


@pytest.mark.parametrize(
    "chain", ["zeros()", "zeros(0)", "arange(7)", CHAIN, "zeros(1, 1)", LARGE[0]]
)
def test_proposals_work(chain):
    for step in evaluate(chain).next_steps:
        problem = evaluate(chain + step.text).problem
        assert problem is None or (problem.type == "ViewNotPossible" and step.label == "view")


def test_every_effect_is_explained():
    assert set(get_args(define.Effect)) == set(operations._SAYS)
    effects = {name for one in define.DEFINITIONS.values() if one.effect for name in one.methods}
    assert {"T", "flip", "reshape", "swapdims", "contiguous"} <= effects
    assert {*operations.STEPS} - effects == {"roll"}


def test_every_operation_can_be_proposed_or_typed():
    for name, row in operations.STEPS.items():
        assert row.use
        assert row.says
        assert hasattr(strided.Tensor, name) or name == "roll"
        assert row.reason == "" or row.reason in copy_totals()
