"""What CONTRIBUTING.md says of running tests: each call selects what it names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest
from support.paths import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CALLS = re.findall(r"^\.venv/bin/pytest (.+?) +#", PAGE, re.M)


@pytest.mark.parametrize("call", CALLS)
def test_calls_select_what_they_name(call: str) -> None:
    arguments = shlex.split(call)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", "-q", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    asked = arguments[2].split(" and ") if "-k" in arguments else []
    selected = re.findall(r"^tests/.+::\w+(?:\[(.*)\])?$", done.stdout, re.M)
    assert selected
    for row in selected:
        assert set(asked) <= set(re.split(r"[^a-z]+", row.lower())), row


def test_there_are_calls() -> None:
    assert sum("-k" in call for call in CALLS) >= 2
    assert sum("-k" not in call for call in CALLS) >= 1
