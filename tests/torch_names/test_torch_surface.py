"""Every name of PyTorch's tensors and functions is there, or says what to use instead."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from support.paths import ROOT

import strided as st
from strided.ops import later, left_out

if str(ROOT / "tools") not in sys.path:
    sys.path.append(str(ROOT / "tools"))

from docs_site.tables.torch_surface import TORCH_SURFACE

# What PyTorch's modules import, which is no part of them.
_IMPORTED = {"Tensor", "torch", "common_args", "common_notes", "factory_common_args"}
_IMPORTED |= {"multi_dim_common"}
PLACES: dict[str, tuple[Any, dict[str, str]]] = {
    "torch.Tensor": (st.Tensor, left_out.TENSOR),
    "torch": (st, left_out.NAMESPACE),
    "torch.linalg": (st.linalg, left_out.LINALG),
    "torch.fft": (st.fft, {}),
    "torch.special": (st.special, {}),
}


def surface(place: str) -> dict[str, list[str]]:
    """Return the names that are there, left out on purpose, and missing."""
    owner, table = PLACES[place]
    on_purpose = {name for names in table.values() for name in names.split()}
    made: dict[str, list[str]] = {"have": [], "left out": [], "missing": []}
    for name in TORCH_SURFACE[place].split():
        if name in _IMPORTED:
            continue
        kind = "have" if hasattr(owner, name) else "left out" if name in on_purpose else "missing"
        made[kind].append(name)
    return made


@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_missing(place: str) -> None:
    found = surface(place)
    assert found["missing"] == []
    assert found["have"]


@pytest.mark.parametrize("place", PLACES)
def test_what_is_left_out_says_what_to_use(place: str) -> None:
    owner, table = PLACES[place]
    for hint, names in table.items():
        for name in names.split():
            assert not hasattr(owner, name), f"{name} is there"
            with pytest.raises(AttributeError, match="has no attribute") as caught:
                getattr(owner, name)
            assert hint in str(caught.value), name


def test_a_name_that_nobody_has_gets_no_hint() -> None:
    with pytest.raises(AttributeError, match=r"has no attribute 'nothing'$"):
        _ = st.nothing  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        _ = st.zeros(1).nothing  # type: ignore[attr-defined]


def test_chapters_are_listed_by_what_they_define() -> None:
    later.load_all()
    from strided.ops.define import DEFINITIONS

    for table, kind in ((later.FUNCTIONS, "functions"), (later.METHODS, "methods")):
        for module, names in table.items():
            here = [one for one in DEFINITIONS.values() if one.python.__module__ == module]
            if kind == "functions":
                here = [one for one in here if not one.namespace]
            assert sorted(n for one in here for n in getattr(one, kind)) == sorted(names.split())


def test_functions_of_other_namespaces() -> None:
    x = st.tensor([[2.0, 0.0], [0.0, 4.0]])
    assert st.det(x).item() == 8
    assert st.inverse(x).tolist() == [[0.5, 0.0], [0.0, 0.25]]
    assert st.softmax(st.zeros(2), 0).tolist() == [0.5, 0.5]
    assert st.logdet(x).item() == pytest.approx(2.0794415)


@pytest.mark.peers
def test_the_recorded_surface_is_pytorchs() -> None:
    import record_torch_surface

    assert record_torch_surface.FILE.read_text(encoding="utf-8") == record_torch_surface.written()
