"""From a member of Tensor, or a function, to where it is written."""

from __future__ import annotations

import inspect
import types
from pathlib import Path
from typing import Any

import pytest

import strided
from strided import Tensor
from strided.ops.define import DEFINITIONS
from strided.tensor_class import members

PACKAGE = Path(strided.__file__).parent


def _getter(member: Any) -> Any:
    return member.fget if isinstance(member, property) else member


def _is_python(member: Any) -> bool:
    """Whether Python code computes it: not an elementwise op, not a primitive, not a native one."""
    member = _getter(member)
    if isinstance(member, types.FunctionType):
        return True
    definition = getattr(member, "definition", None)
    return definition is not None and definition.op is None and not definition.is_primitive


ALL: dict[str, Any] = {
    **{f"Tensor.{name}": member for name, member in members().items()},
    **{name: made for one in DEFINITIONS.values() for name, made in one.functions.items()},
}
PYTHON = {name: _getter(member) for name, member in ALL.items() if _is_python(member)}


@pytest.mark.parametrize("name", PYTHON)
def test_the_source_of_a_member_is_its_definition(name: str) -> None:
    member = PYTHON[name]
    function = inspect.unwrap(member)
    assert f"def {function.__name__}(" in inspect.getsource(member)
    file = inspect.getsourcefile(function)
    assert file is not None
    assert PACKAGE in Path(file).parents


def test_members_with_python_code_are_found() -> None:
    assert len(PYTHON) > 200
    assert {"Tensor.take_along_dim", "Tensor.backward", "Tensor.grad", "take"} <= PYTHON.keys()
    assert "def take_along_axis(" in inspect.getsource(Tensor.take_along_dim)
    assert "def scatter_add_(" in inspect.getsource(Tensor.scatter_add)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_knows_its_place(name: str) -> None:
    definition = DEFINITIONS[name]
    file, line = definition.place
    assert PACKAGE in Path(file).parents
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    code = definition.python.__code__
    if code.co_filename == file:
        assert any(f"def {code.co_name}(" in one for one in lines[line - 1 : line + 40])
    else:  # a call of unary() or binary()
        assert f'"{name}"' in " ".join(lines[line - 1 : line + 1])
