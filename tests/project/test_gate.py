"""The gate: skips that are not allowed fail it, every test runs somewhere, no test imports one."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from support.allowed_skips import ALLOWED, NOT_SANITIZED, reason
from support.paths import ROOT, TESTS

from strided import _native

PROGRAM = """
import pytest

def test_passes():
    pass

def test_skips():
    pytest.skip("no such file")
"""


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "support.strict_skips", "--rootdir", "."]
    return subprocess.run(
        [*command, "-p", "no:cacheprovider", "-c", os.devnull, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder / "site"), str(TESTS)])},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["one process", "workers"])
def test_a_skip_that_is_not_allowed_fails_the_run(tmp_path: Path, workers: list[str]) -> None:
    (tmp_path / "test_it.py").write_text(PROGRAM)
    assert run(tmp_path, *workers).returncode == 0
    strict = run(tmp_path, "--strict-skips=plain", *workers)
    assert strict.returncode == 1, strict.stdout + strict.stderr
    assert "NOT ALLOWED TO SKIP test_it.py::test_skips: Skipped: no such file" in strict.stdout
    ran = (tmp_path / "build" / "tests-plain.txt").read_text().split()
    assert ran == ["test_it.py::test_passes"]


def test_a_module_that_is_skipped_fails_the_run(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import pytest\npytest.importorskip('no_such')\n")
    strict = run(tmp_path, "--strict-skips=plain")
    assert strict.returncode != 0
    assert "NOT ALLOWED TO SKIP test_it.py" in strict.stdout


def test_reasons_are_found_by_pattern() -> None:
    assert reason("peers", "tests/llm/test_smollm2.py::test_x[a-1]") == "needs the network"
    assert reason("plain", "tests/llm/test_smollm2.py") == "needs PyTorch"
    assert reason("plain", "tests/llm/test_smollm2.py::test_x") is None


def test_every_allowed_skip_names_a_test() -> None:
    for patterns in ALLOWED.values():
        for pattern in patterns:
            name, _, test = pattern.partition("::")
            assert (ROOT / name).is_file(), pattern
            if test not in ("", "*"):
                assert f"def {test.partition('[')[0]}(" in (ROOT / name).read_text(), pattern


def test_modules_that_may_be_skipped_are_of_peers() -> None:
    """What is skipped as a whole where its library is not installed runs where it is."""
    for pattern in ALLOWED["plain"]:
        path = ROOT / pattern
        mark = re.search(r"^pytestmark = (.*?)^\S*$", path.read_text() + "\n", re.S | re.M)
        assert mark is not None, path
        assert "pytest.mark.peers" in mark[1], path


def test_the_gate_runs_every_test() -> None:
    """Marked and unmarked tests are run, the ids of both are compared with those of all."""
    make, gate = (ROOT / "Makefile").read_text(), (ROOT / ".ci" / "run").read_text()
    assert '-m "not peers" --strict-skips=plain $(TESTS)' in make
    assert "-m peers --strict-skips=peers tests" in make
    assert re.findall(r"^make (.*)$", gate, re.M)[:3] == ["test", "test-peers", "test-all-ran"]


IMPORTS = """
import subprocess
import sys
from pathlib import Path

from strided import _native

SITE = Path(__file__).parent / "site"

def test_worker():
    assert Path(_native.__file__).is_relative_to(SITE)

def test_program():
    program = "from strided import _native; print(_native.__file__)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert Path(done.stdout).is_relative_to(SITE)
"""


def test_every_process_of_a_sanitized_run_has_its_extension(tmp_path: Path) -> None:
    """Workers and programs that tests start: an editable install would give them the plain one."""
    tool = runpy.run_path(str(ROOT / "tools" / "run_sanitized.py"))
    tool["lay_out"](tmp_path / "site", [Path(_native.__file__)])
    (tmp_path / "test_it.py").write_text(IMPORTS)
    done = run(tmp_path, "-n", "2")
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_test_imports_another() -> None:
    for path in TESTS.rglob("*.py"):
        found = re.findall(r"^ *(?:from|import) (test_\w+)", path.read_text(), re.M)
        assert not found, path


def test_few_tests_cannot_run_on_a_build_with_a_sanitizer() -> None:
    """Each is a defect that no sanitizer will see: another one needs a reason that is as good."""
    assert len(NOT_SANITIZED) == 4
    assert all("::" in pattern for pattern in NOT_SANITIZED)


def test_what_cannot_be_sanitized_is_skipped_there(tmp_path: Path) -> None:
    test = "tests/core/test_peak_memory.py"
    (tmp_path / test).parent.mkdir(parents=True)
    (tmp_path / test).write_text("def test_the_process_grows_no_more():\n    assert False\n")
    done = run(tmp_path, "-rs", "--strict-skips=sanitizer")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "freed memory is kept" in done.stdout
    assert run(tmp_path, "--strict-skips=plain").returncode == 1
