"""The entry point ``pytest11``: copy budgets for tests.

A test may say what it is allowed to copy, ``@pytest.mark.copy_budget(count=0, bytes=0)``, and fails
with the report when it copies more. The fixtures ``copy_report`` and ``no_copies`` trace and forbid
copies during a test. pytest loads this in every run: strided is imported by the first test that
uses it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from strided import CopyReport

_MARKER = (
    "copy_budget(count=None, bytes=None, implicit_only=False): fail when the test makes more "
    "copies of strided tensors, or copies more bytes; without numbers, when it copies at all"
)


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", _MARKER)


def _budget(
    count: int | None = None, bytes: int | None = None, implicit_only: bool = False
) -> tuple[int | None, int | None, bool]:
    nothing_said = count is None and bytes is None
    return 0 if nothing_said else count, bytes, implicit_only


def _overdrawn(report: CopyReport, count: int | None, most: int | None) -> str:
    """Return what was overdrawn, empty when nothing was."""
    parts = []
    if count is not None and report.count > count:
        parts.append(f"{report.count} {'copy' if report.count == 1 else 'copies'}, {count} allowed")
    if most is not None and report.bytes > most:
        parts.append(f"{report.bytes} bytes, {most} allowed")
    return "; ".join(parts)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Run a test under its budget. Copies of its fixtures are not counted."""
    marker = item.get_closest_marker("copy_budget")
    if marker is None:
        return (yield)
    from strided import trace_copies

    count, most, implicit_only = _budget(*marker.args, **marker.kwargs)
    with trace_copies() as report:
        result = yield
    counted = report.implicit() if implicit_only else report
    overdrawn = _overdrawn(counted, count, most)
    if overdrawn:
        pytest.fail(f"copy budget: {overdrawn}\n{counted}", pytrace=False)
    return result


@pytest.fixture
def copy_report() -> Iterator[CopyReport]:
    """Trace the test: a report of all copies since the fixture was set up."""
    from strided import trace_copies

    with trace_copies() as report:
        yield report


@pytest.fixture
def no_copies() -> Iterator[None]:
    """Forbid implicit copies during the test: the first one raises CopyForbidden."""
    from strided import no_copies as forbidden

    with forbidden():
        yield
