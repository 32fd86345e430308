"""The border between the extension and Python: services, shared numbers, and what rules return."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.paths import ROOT

import strided
from strided import _native
from strided.errors import GradientNotPossible
from strided.ops.define import DEFINITIONS, operation
from strided.ops.gradients import RULES
from strided.services import SERVICES, Services

PACKAGE = ROOT / "src" / "strided"
PAGE = (ROOT / "docs" / "architecture.md").read_text()

# The extension without the Python side: the package's __init__ has not run.
ALONE = f"""
import sys, types
package = types.ModuleType("strided")
package.__path__ = [{str(Path(strided.__file__).parent)!r}]
sys.modules["strided"] = package
from strided import _native
from strided.errors import UnsupportedOperation

class Given:
    def __init__(self, **fields):
        self.__dict__ = fields
        self._fields = tuple(fields)

def refused(call, kind, text):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError("not refused")

class Node(_native.NodeFields):
    pass

good = dict.fromkeys(_native.SERVICES, print) | {{"rules": {{}}, "node": Node, "strides": tuple}}
"""


def alone(script: str) -> None:
    """Run a script in a process that has the extension only."""
    done = subprocess.run(
        [sys.executable, "-c", ALONE + textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


# ---- services ----


def test_python_and_the_extension_name_the_same_services() -> None:
    assert Services._fields == _native.SERVICES
    assert all(one is not None for one in SERVICES)


def test_each_service_is_asked_for() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "bindings").glob("*.cpp"))
    assert set(re.findall(r"service\(Service::(\w+)\)", sources)) == set(_native.SERVICES)


def test_services_are_registered_once() -> None:
    with pytest.raises(RuntimeError, match="once"):
        _native.register_services(SERVICES)


@pytest.mark.parametrize("name", _native.SERVICES)
def test_a_missing_service_is_an_error(name: str) -> None:
    alone(f"""
        del good[{name!r}]
        refused(lambda: _native.register_services(Given(**good)), TypeError, {name!r})
        refused(lambda: _native.Tensor([1]), UnsupportedOperation, "asarray")
    """)


def test_an_unknown_service_is_an_error() -> None:
    alone("""
        more = Given(**good, unheard_of=print)
        refused(lambda: _native.register_services(more), TypeError, "unheard_of")
    """)


def test_a_service_of_the_wrong_type_is_an_error() -> None:
    alone("""
        for name in _native.SERVICES:
            for value in (None, 3, "x", *([int] if name in ("node", "rules") else [])):
                wrong = Given(**good | {name: value})
                refused(lambda: _native.register_services(wrong), TypeError, name)
        _native.register_services(Given(**good))
        refused(lambda: _native.register_services(Given(**good)), RuntimeError, "once")
    """)


def test_calls_without_services_are_refused() -> None:
    alone("""
        x = _native.zeros(4)
        leaf = _native.zeros(4)
        leaf._track = _native.Track(None)
        leaf._track.requires_grad = True
        calls = {
            "asarray": [lambda: _native.Tensor([1]), lambda: _native.as_tensor([1]),
                        lambda: x.copy_([1, 2, 3, 4]), lambda: x.__setitem__(0, [1])],
            "get_advanced": [lambda: x[[0, 1]]],
            "set_advanced": [lambda: x.__setitem__([0, 1], x[:2])],
            "text": [lambda: repr(x), lambda: str(x)],
            "strides": [lambda: x.strides],
            "memory_order": [lambda: x.contiguous(memory_format="column_major")],
            "rules": [lambda: leaf + leaf, lambda: leaf.clone()],
            "node": [lambda: _native.node_of("x", (), print, False)],
            "view_adjoint": [lambda: leaf[1:], lambda: leaf[0]],
            "record_write": [lambda: leaf.fill_(1), lambda: x.copy_(leaf)],
        }
        def stale():
            view = x[1:]
            x._track = _native.Track(None)
            _native.track_of(view)
        calls["renewed_track"] = [stale]
        assert calls.keys() == set(_native.SERVICES)
        for name, listed in calls.items():
            for call in listed:
                refused(call, UnsupportedOperation, name)
    """)


def test_the_page_says_where_services_come_from() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `([\w.]+)` \|", PAGE, re.M))
    assert rows.keys() == set(_native.SERVICES)
    for name, one in zip(Services._fields, SERVICES, strict=True):
        written = getattr(one, "__wrapped__", one)
        module = "strided.ops.gradients" if one is RULES else written.__module__
        package = module.removeprefix("strided.").partition(".")[0]
        assert package == rows[name], f"{name} comes from {module}"


def test_nothing_else_is_wired_at_import() -> None:
    """Functions go to the extension as services, or while somebody watches."""
    wiring = re.compile(r"\b(set_hook|hooks\(\)|def use_\w+\(function)")
    files = [*PACKAGE.rglob("*.py"), *(ROOT / "bindings").glob("*.?pp")]
    found = {path.name: wiring.findall(path.read_text()) for path in files}
    assert not {name: hits for name, hits in found.items() if hits}


# ---- numbers that both sides need ----


def test_no_number_of_the_extension_is_typed_again() -> None:
    """Python asks for enumerations and limits; a comment that names the original tells a copy."""
    telling = re.compile(
        r"#.*\b(as in (bindings|core)/|of (bindings|core)/|mirrors|as the native library numbers)",
        re.I,
    )
    numbered = re.compile(r"^(_?[A-Z_]+, )+_?[A-Z_]+ = range\(\d+\)", re.M)
    # Of Python alone: what is forbidden in a context.
    allowed = {"ALLOWED, NO_IMPLICIT, NONE_AT_ALL = range(3)"}
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text()
        assert not telling.search(text), path
        found = {match[0] for match in numbered.finditer(text)} - allowed
        assert not found, f"{path}: {found}"


def test_exported_numbers_are_used() -> None:
    """What nobody asks for need not cross the border."""
    text = "".join(path.read_text() for path in PACKAGE.rglob("*.py"))
    exported = [name for name, value in vars(_native).items() if type(value) is int]
    assert len(exported) > 10
    assert not [name for name in exported if not re.search(rf"\b{name}\b", text)]


# ---- what rules and hooks return ----


@pytest.fixture
def rule() -> Iterator[Any]:
    """An operation that records a call by a rule which returns what is given."""

    def forget() -> None:
        RULES.pop("test_border", None)
        DEFINITIONS.pop("test_border", None)

    def recorded(prepared: Any) -> Any:
        forget()

        @operation(function=None, method=None, gradient=lambda call, x: prepared)
        def test_border(x: strided.Tensor, /) -> strided.Tensor:
            return x.detach() * 2

        return DEFINITIONS["test_border"].operation

    yield recorded
    forget()


def test_a_rule_must_return_a_function(rule: Any) -> None:
    x = strided.ones(2, requires_grad=True)
    with pytest.raises(GradientNotPossible, match="its rule returned no function"):
        rule(None)(x)


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ((), "0 gradients for 1 tensor arguments"),
        ((None, None), "2 gradients for 1 tensor arguments"),
        (None, "NoneType for 1 tensor arguments"),
        (3, "int for 1 tensor arguments"),
        ((3,), "a gradient is a tensor or None, got int"),
        (["x"], "a gradient is a tensor or None, got str"),
    ],
)
def test_a_rule_must_return_gradients(rule: Any, returned: Any, text: str) -> None:
    x = strided.ones(2, requires_grad=True)
    y = rule(lambda g: returned)(x)
    with pytest.raises(GradientNotPossible, match=f"backward of test_border(.|\n)*{text}"):
        y.sum().backward()
    assert x.grad is None
    y = rule(lambda g: returned)(x * 1)
    with pytest.raises(GradientNotPossible, match=text):
        y.sum().backward()


def test_a_hook_must_return_a_gradient() -> None:
    x = strided.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: 3)
    with pytest.raises(GradientNotPossible, match="got int"):
        y.sum().backward()


def test_an_operation_without_a_rule_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(RULES, "clone")
    x = strided.ones(2, requires_grad=True)
    with pytest.raises(GradientNotPossible, match="a gradient of clone"):
        x.clone()
    with strided.no_grad():
        assert x.clone().tolist() == [1.0, 1.0]


@pytest.mark.parametrize("given", [None, 3, [3], [None, 3], [(None, None)], [(1, None)], [(1,)]])
def test_saved_tensors_are_checked(given: Any) -> None:
    with pytest.raises(TypeError):
        _native.Saved(given)
    assert _native.Saved([None])() == (None,)


def test_a_place_in_a_graph_is_a_track() -> None:
    x = strided.ones(2)
    with pytest.raises(TypeError):
        x._track = 3
    assert x._track is None


def test_a_watch_may_end_inside_an_operation() -> None:
    class Ending:
        def __index__(self) -> int:
            _native.watch_views(None)
            return 0

    assert not strided.moveaxis.definition.is_primitive
    seen = []
    _native.watch_views(lambda result, operands: seen.append(operands) or result)
    try:
        assert strided.moveaxis(strided.zeros(2, 3), Ending(), 1).shape == (3, 2)
    finally:
        _native.watch_views(None)
    assert not seen


def test_an_observer_is_a_function() -> None:
    for watch in (_native.watch_views, _native.watch_lines, _native.watch_copies):
        with pytest.raises(TypeError):
            watch(3)  # type: ignore[arg-type]
    assert strided.zeros(3)[1:].shape == (2,)
