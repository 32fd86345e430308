"""The pytest plugin: budgets, fixtures, and failures that show the report."""

from __future__ import annotations

from importlib.metadata import entry_points

import pytest

import strided

pytest_plugins = ["pytester"]

PLUGIN = "strided_entry_points.pytest_plugin"
INSTALLED = any(point.value == PLUGIN for point in entry_points(group="pytest11"))
CODE = """
import threading, pytest, strided

@pytest.fixture
def x():
    return strided.arange(6).reshape(2, 3).clone()  # not the test's copy

@pytest.mark.copy_budget(count=0, bytes=0)
def test_views(x):
    assert x.T[::-1].sum().item() == 15

@pytest.mark.copy_budget(count=1)
def test_within(x):
    x.T.reshape(6)

@pytest.mark.copy_budget(count=1)
def test_too_many(x):
    x.T.reshape(6)
    x.T.reshape(6)

@pytest.mark.copy_budget(bytes=47)
def test_too_large(x):
    threading.Thread(target=x.clone).run()

@pytest.mark.copy_budget(count=0, implicit_only=True)
def test_only_implicit(x):
    x.clone()

@pytest.mark.copy_budget
def test_bare(x):
    x.clone()

@pytest.mark.copy_budget
def test_own_failure(x):
    x.clone()
    assert 1 == 2

def test_report(copy_report, x):
    x.clone()
    assert copy_report.events[-1].reason == "clone"
    assert copy_report.events[-1].function == "test_report"

def test_forbidden(no_copies, x):
    x.clone()
    x.T.reshape(6)

def test_free_again(x):
    x.T.reshape(6)
"""


@pytest.fixture
def outcome(pytester: pytest.Pytester) -> pytest.RunResult:
    pytester.makepyfile(CODE)
    return pytester.runpytest("--strict-markers", *([] if INSTALLED else ["-p", PLUGIN]))


def test_outcomes(outcome: pytest.RunResult) -> None:
    outcome.assert_outcomes(passed=5, failed=5)


def test_failures_show_the_report(outcome: pytest.RunResult) -> None:
    outcome.stdout.fnmatch_lines_random(
        [
            "copy budget: 2 copies, 1 allowed",
            "copy budget: 48 bytes, 47 allowed",
            "*1   48 B  test_failures_show_the_report.py:1[0-9]  reshape",
            f"*96 B*reshape*{strided.copy_totals()['reshape'].hint}",
            "copy budget: 1 copy, 0 allowed",
            "*CopyForbidden: reshape would copy 48 bytes*",
            "*assert 1 == 2",
        ]
    )
    # A test that fails by itself says why, and nothing about its budget. (Whole lines are counted:
    # where CI is set, pytest repeats each failure in its summary, after the name of the test.)
    assert outcome.stdout.lines.count("copy budget: 1 copy, 0 allowed") == 1


def test_the_marker_is_listed(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest("--markers", *([] if INSTALLED else ["-p", PLUGIN]))
    result.stdout.fnmatch_lines(["@pytest.mark.copy_budget(count=None, bytes=None,*"])


def test_other_tests_run_without_strided(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys, pytest

        def test_before():
            assert "strided" not in sys.modules

        @pytest.mark.copy_budget(count=0)
        def test_with_a_budget():
            assert "strided" in sys.modules
        """
    )
    result = pytester.runpytest_subprocess(*([] if INSTALLED else ["-p", PLUGIN]))
    result.assert_outcomes(passed=2)
