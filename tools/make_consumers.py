"""Write the table of consumers in docs/exchange.md: each row is run, in a process per package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "exchange.md"
BEGIN, END = "<!-- consumers: written by make consumers -->", "<!-- end of consumers -->"
HEAD = "| consumer | what was run | result |\n|---|---|---|\n"


def run(package: str) -> subprocess.CompletedProcess[str]:
    """Run the programs of one package."""
    paths = [str(ROOT / "tests"), str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    settings = {"SCIPY_ARRAY_API": "1", "MPLBACKEND": "Agg", "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.run(
        [sys.executable, "-m", "support.consumers", package],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=300,
    )


def main() -> int:
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "src")]
    from support.consumers import packages

    lines = []
    for package in packages():
        done = run(package)
        if done.returncode:
            print(done.stderr)
            return 1
        for said in map(json.loads, done.stdout.splitlines()):
            lines.append(f"| {package} {said['version']} | {said['ran']} | {said['result']} |\n")
    table = f"{BEGIN}\n{HEAD}{''.join(lines)}{END}"
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    PAGE.write_text(re.sub(pattern, lambda _: table, PAGE.read_text(), flags=re.S))
    return 0


if __name__ == "__main__":
    sys.exit(main())
