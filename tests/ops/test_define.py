"""Definitions of operations: what is refused when they are made."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from strided._native import Operation


def _made(name: str, parameters: str) -> Operation:
    names = tuple(parameters.split())
    definition = SimpleNamespace(rule_name=name, kind="new", converts=False, parameters=names, spread=0)
    keywords = tuple((one,) for one in names)
    return Operation(
        definition, name, keywords, (...,) * len(names), 1, 1, False, False, name, None
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
