"""Check that the runs of the gate together ran every test: the last step of ``.ci/run``.

python tools/every_test.py build/tests-plain.txt build/tests-peers.txt

It collects all tests in the environment that has everything (``make test-peers``), and takes away
those that ran and those whose skip there is allowed by tests/support/allowed_skips.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.allowed_skips import reason  # noqa: E402


def collected() -> set[str]:
    """Return the ids of all tests."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run([*command, "tests"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {line for line in done.stdout.splitlines() if "::" in line and line.startswith("tests/")}


def main(paths: list[str]) -> int:
    """Compare; return 1 if a test ran nowhere."""
    everything = collected()
    ran = {line for path in paths for line in Path(path).read_text("utf-8").splitlines()}
    left = everything - ran
    excused = {test for test in left if reason("peers", test) is not None}
    print(f"{len(everything)} tests: {len(everything & ran)} ran, {len(excused)} may be skipped")
    for test in sorted(left - excused):
        print(f"runs nowhere: {test}")
    return 1 if left - excused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
