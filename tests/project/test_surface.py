"""NumPy's names are here or left out on purpose, and the page that lists them is up to date."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from support.paths import ROOT

import strided

# Of the NumPy that the page names: another one has other names.
pytestmark = pytest.mark.peers


@pytest.fixture(scope="module")
def surface() -> Iterator[Any]:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        yield importlib.import_module("surface")
    finally:
        sys.path.remove(str(ROOT / "tools"))


def test_no_name_is_missing(surface: Any) -> None:
    missing = {one.title: surface.sorted_out(one)[2] for one in surface.NAMESPACES}
    assert {title: names for title, names in missing.items() if names} == {}


def test_the_page_is_up_to_date(surface: Any) -> None:
    assert surface.FILE.read_text(encoding="utf-8") == surface.written()


def test_what_is_left_out_says_what_to_write(surface: Any) -> None:
    for one in surface.NAMESPACES:
        for name, hint in one.left_out.items():
            assert not hasattr(one.ours, name), name
            if one.ours is strided:
                with pytest.raises(AttributeError, match=name) as caught:
                    getattr(strided, name)
                assert hint
                assert f"{name!r}: " in str(caught.value)
