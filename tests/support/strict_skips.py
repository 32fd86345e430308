"""A plugin of pytest: ``--strict-skips=plain`` fails a run that skips what is not allowed there.

It also writes the tests that ran to ``build/tests-plain.txt``, for tools/every_test.py.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from support.allowed_skips import ALLOWED, reason, unexpected

_RECORD = pytest.StashKey["Record"]()


class Record:
    """What ran and what was skipped, in all processes of a run."""

    def __init__(self, environment: str) -> None:
        self.environment = environment
        self.ran: set[str] = set()
        self.skipped: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep whether a test ran."""
        if report.skipped:
            self._keep_skip(report)
        elif report.when == "call":
            self.ran.add(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep which modules were skipped as a whole."""
        if report.skipped:
            self._keep_skip(report)

    def _keep_skip(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        told = report.longrepr
        self.skipped[report.nodeid] = str(told[2] if isinstance(told, tuple) else told)

    def unexpected(self) -> list[str]:
        """Return the skips that fail the run."""
        return unexpected(self.environment, self.skipped)

    def write(self, folder: Path) -> None:
        """Write what ran, a line each."""
        folder.mkdir(exist_ok=True)
        text = "".join(f"{test}\n" for test in sorted(self.ran))
        (folder / f"tests-{self.environment}.txt").write_text(text, encoding="utf-8")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--strict-skips",
        choices=sorted(ALLOWED),
        help="fail on skips that tests/support/allowed_skips.py does not allow there",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Watch the run, in the process that the workers of xdist report to."""
    environment = config.getoption("--strict-skips")
    if environment is not None and not hasattr(config, "workerinput"):
        config.stash[_RECORD] = Record(environment)
        config.pluginmanager.register(config.stash[_RECORD])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what cannot run on a build with a sanitizer."""
    if config.getoption("--strict-skips") != "sanitizer":
        return
    for item in items:
        why = reason("sanitizer", item.nodeid)
        if why is not None:
            item.add_marker(pytest.mark.skip(reason=why))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run."""
    record = session.config.stash.get(_RECORD, None)
    if record is None:
        return
    record.write(session.config.rootpath / "build")
    if record.unexpected() and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say which skips failed the run."""
    record = terminalreporter.config.stash.get(_RECORD, None)
    for test in record.unexpected() if record is not None else ():
        why = record.skipped[test] if record is not None else ""
        terminalreporter.write_line(f"NOT ALLOWED TO SKIP {test}: {why}", red=True)
