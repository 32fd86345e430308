"""The tables behind the API reference know every argument, and nothing that is not there."""

from __future__ import annotations

import doctest
import importlib
import sys
from typing import Any

import numpy as np
import pytest
from support.paths import ROOT
from support.site_pages import costs, descriptions, differentiable, equivalents, inventory

from strided import fft, linalg, nn  # noqa: F401  (they fill the registry)
from strided.ops.define import DEFINITIONS, Definition

PUBLIC = {key: one for key, one in DEFINITIONS.items() if one.functions or one.methods}
WHERE = [(owner, name) for owner, name in inventory.all_arguments()]


def test_there_are_arguments() -> None:
    assert len(WHERE) > 1500


@pytest.mark.parametrize("owner", sorted({owner for owner, _ in WHERE}))
def test_every_argument_is_described(owner: str) -> None:
    names = [name for place, name in WHERE if place == owner]
    texts = {name: descriptions.description(owner, name) for name in names}
    assert not [name for name, text in texts.items() if not text]
    for text in texts.values():
        assert text is not None
        assert text.endswith(".")
        assert text[0].isupper() or text[0] in "`0123456789" or text.startswith("bool:")


def test_every_description_is_of_an_argument() -> None:
    """One text may be for several owners, not all of which have all of its arguments."""
    known = {f"{owner}.{name}" for owner, name in WHERE}
    owners = {owner for owner, _ in WHERE}
    assert not sorted({key.rpartition(".")[0] for key in descriptions.OWN} - owners)
    used = {text for key, text in descriptions.OWN.items() if key in known}
    assert not sorted(set(descriptions.OWN.values()) - used)
    by_namespace: dict[str, set[str]] = {}
    for owner, name in WHERE:
        place = owner
        while place:
            place = place.rpartition(".")[0]
            by_namespace.setdefault(place, set()).add(name)
    for namespace, table in descriptions.SHARED.items():
        assert not sorted(table.keys() - by_namespace[namespace]), namespace


def test_numpy_has_what_is_named() -> None:
    for key, definition in PUBLIC.items():
        for name in equivalents.numpy_names(key, definition):
            value: Any = np
            for part in name.split(".")[1:]:
                value = getattr(value, part, None)
            # Names of the array API are in NumPy from 2.1 on.
            assert value is not None or np.__version__ < "2.1", name
    assert not equivalents.NUMPY.keys() - PUBLIC.keys()
    assert not equivalents.TORCH.keys() - PUBLIC.keys()


def _torch_names() -> list[str]:
    found = {name for key, one in PUBLIC.items() for name in equivalents.torch_names(key, one)}
    return sorted(name.partition("(")[0] for name in found)


@pytest.mark.peers
@pytest.mark.parametrize("name", _torch_names())
def test_torch_has_what_is_named(name: str) -> None:
    value: Any = importlib.import_module("torch")
    for part in name.split(".")[1:]:
        value = getattr(value, part)
    assert value is not None


@pytest.mark.peers
def test_the_table_of_torch_names_is_up_to_date() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        recorder = importlib.import_module("record_torch_names")
    finally:
        sys.path.remove(str(ROOT / "tools"))
    assert recorder.FILE.read_text(encoding="utf-8") == recorder.written()


@pytest.mark.parametrize("key", PUBLIC)
def test_cost_follows_the_kind(key: str) -> None:
    definition: Definition = PUBLIC[key]
    cost = costs.cost(key, definition)
    assert cost.startswith("O(")
    if definition.kind == "view":
        assert cost.startswith("O(1)")
    if definition.kind == "either" and key not in costs._OWN:
        assert cost == costs.EITHER


def test_costs_and_gradients_name_what_there_is() -> None:
    assert not costs._OWN.keys() - PUBLIC.keys()
    modules = {one.python.__module__ for one in PUBLIC.values()}
    assert not costs._BY_MODULE.keys() - modules
    assert differentiable.reason("strided.argmax") is not None
    assert differentiable.reason("strided.sum") is None


@pytest.mark.parametrize("module", [costs, descriptions, differentiable, equivalents])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
