"""The install page says what the build and the extras ask for."""

from __future__ import annotations

import re

from support.paths import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_extras_are_those_of_the_project() -> None:
    table = PAGE.split("| extra | for |\n|---|---|\n")[1].split("\n\n")[0]
    shown = {
        name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])
    }
    optional = PROJECT.split("[project.optional-dependencies]")[1].split("\n[")[0]
    assert shown == set(re.findall(r"^(\w+) = \[", optional, re.M))


def test_versions_are_those_of_the_project() -> None:
    (python,) = re.findall(r'requires-python = ">=([\d.]+)"', PROJECT)
    assert f"Python {python} or newer" in PAGE
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    compilers = r"gcc (\d+)[^,]*, clang (\d+)"
    assert re.findall(compilers, PAGE) == re.findall(compilers, readme)


def test_the_device_and_the_platforms_are_said() -> None:
    landing = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    assert "the CPU" in PAGE
    assert "CPU only" in landing
    for page in (PAGE, landing):
        assert re.search(r"Linux.{0,30}x86-64", page)
        assert "not tested" in page
