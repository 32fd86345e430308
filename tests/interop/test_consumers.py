"""Well-known libraries run on tensors as they are; docs/exchange.md has the table of them."""

from __future__ import annotations

import importlib.util
import json
import re
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType

import pytest
from support.consumers import packages, rows
from support.paths import ROOT

PAGE = ROOT / "docs" / "exchange.md"


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("consumers", ROOT / "tools/make_consumers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.peers
@pytest.mark.parametrize("package", packages())
def test_consumer(package: str) -> None:
    try:
        version(package)
    except PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    done = tool().run(package)
    assert done.returncode == 0, done.stderr[-3000:]
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["ran"] for one in said] == [one.ran for one in rows() if one.package == package]


def test_the_table_in_the_docs_is_the_one_that_is_run() -> None:
    _, _, table = PAGE.read_text().partition(tool().BEGIN)
    shown = re.findall(r"^\| ([a-z_-]+) [0-9.]+ \| ([^|]*) \| ([^|]*) \|$", table, re.M)
    assert shown == [(one.package, one.ran, one.result) for one in rows()]


def test_every_consumer_is_pinned() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    for package in packages():
        assert re.search(rf'"{package}==[0-9]', text), package
