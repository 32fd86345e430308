"""The program that type checkers read (`make types`) is one that runs."""

from __future__ import annotations

import runpy

from support.paths import TESTS


def test_the_typed_program_runs(capsys) -> None:
    runpy.run_path(str(TESTS / "typing" / "user_script.py"), run_name="__main__")
    assert "deviation" in capsys.readouterr().out
