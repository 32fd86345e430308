"""The explorer's language: what it reads, what it refuses and where; nothing crashes it."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strided
from strided import explorer
from strided.explorer import operations
from strided.explorer.expression import MAX_STEPS, ExpressionError, parse
from strided.explorer.operations import next_steps
from strided.explorer.steps import EXAMPLES, evaluate, value_of

# Chains that are also Python: both must give the same tensor.
ACCEPTED = [
    *(chain for _, chain in EXAMPLES if "view(6)" not in chain),
    "arange(24)",
    "  arange( 24 ) . reshape(2,3,4) [ 1 ] ",
    "arange(2, 20, 3)",
    "arange(10, 0, -2)[::-1]",
    "zeros(2, 3)",
    "zeros((2, 3))",
    "zeros()",
    "ones(4).flip(0)",
    "full((2, 3), 7)",
    "full([2], -1)",
    "eye(3).diagonal()",
    "eye(2, 3).T",
    "linspace(0, 4, 5)",
    "tensor([[1, 2], [3, 4]]).mT",
    "tensor(3)",
    "arange(6).reshape(2, 3).t()",
    "arange(6).reshape([2, -1]).T",
    "arange(6).reshape((6)).view(3, 2)",
    "arange(24).reshape(2, 3, 4).permute(2, 0, 1)",
    "arange(24).reshape(2, 3, 4).permute(dims=(2, 0, 1))",
    "arange(24).reshape(2, 3, 4).movedim((0, 1), (1, 2))",
    "arange(24).reshape(2, 3, 4).moveaxis(0, -1)",
    "arange(24).reshape(2, 3, 4).swapaxes(0, 1).swapdims(1, 2)",
    "arange(24).reshape(2, 3, 4).transpose(dim0=0, dim1=2)",
    "zeros(1, 3, 1).squeeze().unsqueeze(0).expand_dims(-1).squeeze(dim=0)",
    "arange(3).expand(4, 3)",
    "arange(3).broadcast_to((4, 3))",
    "arange(12).reshape(3, 4).narrow(1, 1, 2).select(dim=0, index=-1)",
    "arange(9).reshape(3, 3).diagonal(1)",
    "arange(9).reshape(3, 3).diagonal(offset=-1, dim1=1, dim2=0)",
    "arange(8).unfold(0, 3, 2)",
    "arange(5).sliding_window_view(3)",
    "arange(12).unflatten(0, (3, -1)).flatten(0, 1).ravel()",
    "arange(12).reshape(3, 4).T.contiguous().view(12)",
    "arange(12).reshape(3, 4).T.clone().detach()",
    "arange(12).as_strided((2, 3), (1, 2), 4)",
    "arange(12).as_strided(size=(2,), stride=(-1,), storage_offset=5)",
    "arange(4).reshape(2, 2).rot90().fliplr().flipud().rot90(2, (0, 1))",
    "arange(24).reshape(2, 3, 4)[1]",
    "arange(24).reshape(2, 3, 4)[-1, 1:, ::2]",
    "arange(24).reshape(2, 3, 4)[..., None, 0]",
    "arange(24).reshape(2, 3, 4)[:, 2:0:-1, :-1]",
    "arange(24).reshape(2, 3, 4)[[0, 1, 0]]",
    "arange(24).reshape(2, 3, 4)[:, [0, 2], 1:]",
    "arange(24).reshape(2, 3, 4)[[[0, 1], [1, 0]], 1]",
    "arange(4)[[]]",
    "arange(1_000)[5:10:2,]",
    "arange(900000).reshape(900, 1000)[[0, 1]]",
]


@pytest.mark.parametrize("chain", ACCEPTED)
def test_a_chain_is_what_python_makes_of_it(chain):
    expected = eval(chain.strip(), vars(strided).copy())
    got = value_of(chain)
    assert got.layout == expected.layout
    assert got.dtype == expected.dtype
    assert got.tolist() == expected.tolist()


def test_roll_is_written_as_in_pytorch():
    x = strided.arange(6).reshape(2, 3)
    assert value_of("arange(6).reshape(2, 3).roll(1, 0)").tolist() == [[3, 4, 5], [0, 1, 2]]
    rolled = strided.roll(x, (1, 2), axis=(0, 1))
    assert value_of("arange(6).reshape(2, 3).roll((1, 2), (0, 1))").tolist() == rolled.tolist()


@pytest.mark.parametrize("prefix", ["st.", "strided.", " st . "])
def test_the_module_may_be_named(prefix):
    assert value_of(f"{prefix}arange(3)").tolist() == [0, 1, 2]


# text, column counted from 1, what the problem or the hint says
REFUSED = [
    ("", 1, "begin with a new tensor"),
    ("   ", 1, "begin with a new tensor"),
    ("24", 1, "expected a tensor"),
    ("rand(3)", 1, "makes no tensor"),
    ("empty(3)", 1, "makes no tensor"),
    ("x.T", 1, "makes no tensor"),
    ("st.x", 4, "makes no tensor"),
    ("arange", 7, "expected '('"),
    ("arange()", 1, "does not take 0 arguments"),
    ("arange(1, 2, 3, 4)", 1, "does not take 4 arguments"),
    ("arange(2.5)", 9, "fraction"),
    ("arange(1e3)", 9, "expected ')'"),
    ("arange('3')", 8, "no meaning"),
    ("arange(99999999999)", 8, "too large"),
    ("arange(" + "9" * 300 + ")", 8, "too large"),
    ("arange(6", 9, "expected ')'"),
    ("arange(6))", 10, "expected a next step"),
    ("arange(6) + 1", 11, "no meaning"),
    ("arange(6) arange(6)", 11, "expected a next step"),
    ("arange(6).", 11, "a name is missing"),
    ("arange(6).reshap(2, 3)", 11, "did you mean reshape"),
    ("arange(6).sum()", 11, "there is no operation 'sum'"),
    ("arange(6).__class__", 11, "there is no operation"),
    ("arange(6).fill_(1)", 11, "there is no operation"),
    ("arange(6).numpy()", 11, "there is no operation"),
    ("arange(6).storage()", 11, "there is no operation"),
    ("arange(6).tolist()", 11, "there is no operation"),
    ("arange(6).T()", 12, "takes no brackets"),
    ("arange(6).flip", 15, "expected '('"),
    ("arange(6).flip(dim=0)", 16, "does not take dim="),
    ("arange(6).flip(dims=0, dims=0)", 24, "does not take dims="),
    ("arange(6).narrow(dim=0, 1, 2)", 25, "follows a named one"),
    ("arange(6).flip(None)", 16, "whole number"),
    ("arange(6).flip(1:2)", 17, "expected ')'"),
    ("arange(6).reshape((2, 3)", 25, "expected ')'"),
    ("arange(6).reshape(arange(2))", 19, "whole number"),
    ("arange(6)[]", 11, "index is empty"),
    ("arange(6)[", 11, "whole number"),
    ("arange(6)[1", 12, "expected ']'"),
    ("arange(6)[::::]", 13, "at most two colons"),
    ("arange(6)[a]", 11, "whole number"),
    ("arange(6)[(0, 1)]", 11, "whole number"),
    ("arange(6)[[0, [1, [2, [3, [4]]]]]]", 27, "nested too deeply"),
    ("arange(6)\\n", 10, "no meaning"),
    ("arange(6)\x00", 10, "no meaning"),
    ("__import__('os')", 12, "no meaning"),
    ("arange(٣)", 8, "no meaning"),
    ("arange(6)" + ".T" * MAX_STEPS, 10 + 2 * (MAX_STEPS - 1), "too long"),
    ("arange(6)[" + "[" + "0," * 65 + "]]", 11, "at most 64 items"),
    ("a" * 501, 501, "too long"),
]


@pytest.mark.parametrize(("text", "column", "said"), REFUSED, ids=lambda v: str(v)[:30])
def test_refusals_say_where_and_what_would_work(text, column, said):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.column + 1 == column
    assert said in f"{caught.value.problem}\n{caught.value.hint}"
    assert caught.value.hint
    problem = evaluate(text).problem
    assert problem is not None
    assert problem.column == caught.value.column


# Chains that are read but cannot be done; strided's own error is shown where it has one.
IMPOSSIBLE = [
    ("arange(6).view(4)", "ShapeMismatch", 9),
    ("arange(6).reshape(2, 3).T.view(6)", "ViewNotPossible", 25),
    ("arange(6)[6]", "IndexOutOfBounds", 9),
    ("arange(6)[[6]]", "IndexOutOfBounds", 9),
    ("zeros(2, 3).permute(0, 0)", "DuplicateAxis", 11),
    ("zeros(2, 3).select(2, 0)", "InvalidDimension", 11),
    ("zeros(2, 3, 4).T", "UnsupportedOperation", 14),
    ("zeros(4).as_strided((3,), (2,))", "OutOfStorageBounds", 8),
    ("zeros(-1)", "InvalidArgument", 0),
    ("zeros(1000000, 1000000)", "InvalidArgument", 0),
    ("arange(1000000000)", "InvalidArgument", 0),
    ("eye(2000)", "InvalidArgument", 0),
    ("linspace(0, 1, 100000000)", "InvalidArgument", 0),
    ("full((10000, 10000), 1)", "InvalidArgument", 0),
    ("arange(10).expand(1000000, 10)", "InvalidArgument", 10),
    ("arange(1000000)[[0, 0]].expand(9)", "ShapeMismatch", 23),
    ("zeros(1, 500000)[[0, 0, 0]]", "InvalidArgument", 16),
    ("zeros(1, 1, 1, 1, 1, 1, 1, 1, 1)", "InvalidArgument", 0),
    ("arange(1, 2, 0)", "InvalidArgument", 0),
    ("tensor([[1, 2], [3]])", "ShapeMismatch", 0),
    ("arange(6)[::0]", "ExpressionError", 9),
    ("arange(6).view((1, 2), 3)", "ExpressionError", 9),
    ("arange((1, 2))", "ExpressionError", 0),
    ("arange(6).roll((1, 2), 0)", "ShapeMismatch", 9),
]


@pytest.mark.parametrize(("chain", "kind", "column"), IMPOSSIBLE)
def test_what_strided_refuses_is_shown_with_its_place(chain, kind, column):
    problem = evaluate(chain).problem
    assert problem is not None
    assert (problem.type, problem.column) == (kind, column)


PIECES = [*operations.MAKERS, *operations.STEPS, "x", "None", "...", ":", ",", "(", ")", "[", "]"]
PIECES += [
    ".",
    "=",
    "-",
    " ",
    "0",
    "1",
    "2",
    "3",
    "24",
    "-1",
    "::2",
    "(2, 3)",
    "é",
    "+",
    "dims",
    "1_0",
]


@given(st.text(max_size=80) | st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
def test_no_text_crashes(text):
    trace = evaluate(text)
    assert trace.problem is not None or trace.steps
    json.dumps(trace.to_dict())


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(PIECES)), max_size=5))
def test_no_arguments_crash(pieces):
    for name in operations.STEPS:
        middle = ",".join(a + b for a, b in pieces)
        json.dumps(evaluate(f"arange(24).reshape(2, 3, 4).{name}({middle})").to_dict())


@given(
    st.lists(st.integers(0, 4), max_size=4),
    st.lists(st.integers(0, 1000), min_size=1, max_size=6),
)
def test_proposed_steps_work_and_give_what_python_gives(lengths, choices):
    chain = f"ones({', '.join(map(str, lengths))})"
    for choice in choices:
        proposals = [step for step in next_steps(value_of(chain)) if step.label != "roll"]
        text = chain + proposals[choice % len(proposals)].text
        problem = evaluate(text).problem
        if problem is not None:
            assert problem.type == "ViewNotPossible"
            continue
        chain = text
        expected, got = eval(chain, vars(strided).copy()), value_of(chain)
        assert (got.layout, got.tolist()) == (expected.layout, expected.tolist())


@pytest.mark.parametrize(
    "name", [m.name for m in pkgutil.iter_modules(explorer.__path__) if m.name != "__main__"]
)
def test_examples_in_docstrings_run(name):
    module = importlib.import_module(f"strided.explorer.{name}")
    result = doctest.testmod(module)
    assert result.failed == 0
    assert result.attempted > 0
