"""Definitions of operations: what is refused when they are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import strided
from strided._native import Operation
from strided.ops.arguments import MASK, POSITIONS, Form
from strided.ops.define import Definition
from strided.ops.spelling import Spelling


def _made(name: str, parameters: str) -> Operation:
    names = tuple(parameters.split())
    facts = {
        "rule_name": name,
        "converts": False,
        "takes_lists": False,
        "spread": 0,
        "gives_views": False,
    }
    definition = SimpleNamespace(parameters=names, **facts)
    keywords = tuple((one,) for one in names)
    return Operation(
        definition, name, keywords, (...,) * len(names), 1, 1, False, False, False, name, None, None
    )


def test_a_definition_has_the_parameters_of_its_primitive() -> None:
    assert _made("cumsum", "x axis dtype out").positional == 1


@pytest.mark.parametrize(
    "parameters",
    ["x dim dtype out", "x dtype axis out", "x axis dtype", "x axis dtype out keepdims"],
    ids=["another name", "another order", "one too few", "one too many"],
)
def test_other_parameters_than_those_of_the_primitive_are_refused(parameters: str) -> None:
    expected = f"cumsum takes .x axis dtype out., its definition has .{parameters}."
    with pytest.raises(ValueError, match=expected):
        _made("cumsum", parameters)


def test_an_unknown_primitive_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no primitive no_such"):
        _made("no_such", "x")


def _spelled(function: Callable[..., Any], spread: bool = False) -> Operation:
    return Spelling(Definition("one", function, "value", spread=spread)).operation("one")


def test_a_star_takes_all_arguments_that_are_left() -> None:
    def one(x: int, *rest: int, flag: bool = False) -> object:
        return x, rest, flag

    made = _spelled(one)
    assert made(1) == (1, (), False)
    assert made(1, 2) == (1, (2,), False)
    assert made(1, 2, 3, flag=True) == (1, (2, 3), True)
    assert (
        str(inspect.signature(made)) == "(x: 'int', *rest: 'int', flag: 'bool' = False) -> 'object'"
    )
    with pytest.raises(TypeError, match="unexpected keyword argument 'rest'"):
        made(1, rest=(2,))


def test_a_spread_argument_comes_whole_or_item_by_item() -> None:
    def one(shape: object = (), *, flag: bool = False) -> object:
        return shape, flag

    made = _spelled(one, spread=True)
    assert made() == ((), False)
    assert made(2) == (2, False)
    assert made((2, 3), flag=True) == made(2, 3, flag=True) == ((2, 3), True)
    assert made(shape=4) == (4, False)
    with pytest.raises(TypeError, match="multiple values for argument 'shape'"):
        made(2, 3, shape=4)


def _with_forms(**forms: Form) -> Operation:
    def one(x: int, index: Any = (), *, mask: Any = True) -> object:
        return x, index, mask

    return Spelling(Definition("one", one, "value"), forms=forms).operation("one")


def test_arguments_get_their_form_before_the_body_runs() -> None:
    made = _with_forms(index=POSITIONS, mask=MASK)
    _, index, mask = made(1, [2, 3], mask=[True])
    assert (index.dtype, index.tolist(), mask.tolist()) == (strided.int64, [2, 3], [True])
    assert made(1)[1].shape == (0,)
    with pytest.raises(strided.DTypeMismatch):
        made(1, [0.5])


def test_a_tensor_that_has_the_form_is_left_alone() -> None:
    made = _with_forms(index=Form(lambda item: None, "iu", 1))  # type: ignore[arg-type,return-value]
    rows = strided.arange(3)
    assert made(1, rows)[1] is rows
    for other in (rows.reshape(1, 3), rows.to(strided.float32), [0]):
        assert made(1, other)[1] is None


def test_forms_are_those_of_parameters() -> None:
    with pytest.raises(AssertionError, match="other"):
        _with_forms(other=MASK)
