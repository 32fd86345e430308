"""Pages of the documentation as programs: their blocks, and how they are run.

A block of Python with prompts is a doctest. A block with a title is a file. A block of ``console``
is a terminal: commands after ``$``, and what they print, where ``...`` stands for anything. A block
below ``<!-- peers: package -->`` needs that package and is run by ``make test-peers``.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from support.command import command as strided_command
from support.command import environment

_PROGRAMS = {
    "python": [sys.executable],
    "strided": strided_command(),
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-c", os.devnull],
}
_SAME = doctest.NORMALIZE_WHITESPACE
# An editable install is imported before pytest looks at its plugin, as in pyproject.toml.
_PLAIN = {
    "NO_COLOR": "1",
    "COLUMNS": "100",
    "PYTEST_ADDOPTS": "-W 'ignore:Module already imported so cannot be rewritten'",
}


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its title, the lines between its fences."""

    language: str
    title: str
    lines: tuple[str, ...]
    start: int  # the line of its opening fence, from 0
    needs: str

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def blocks(text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page.

    >>> [block.language for block in blocks("```python\\n>>> 1\\n1\\n```\\n")]
    ['python']
    """
    opened, before = None, ""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line.lstrip().startswith("```"):
            before = line if opened is None and line.strip() else before
        elif opened is None:
            opened = number
        else:
            info = lines[opened].strip("` ")
            title = re.search(r'title="(.*?)"', info)
            needs = re.match(r"<!-- peers: (.*) -->", before)
            yield Block(
                language=info.partition(" ")[0],
                title=title[1] if title else "",
                lines=tuple(lines[opened + 1 : number]),
                start=opened,
                needs=needs[1] if needs else "",
            )
            opened, before = None, ""


def has_peers(text: str) -> bool:
    """Return whether a block of the page needs another package."""
    return any(block.needs for block in blocks(text))


def run_prompts(page: Path, *, peers: bool) -> doctest.TestResults:
    """Run what stands behind prompts, from top to bottom in one namespace."""
    lines = page.read_text(encoding="utf-8").replace("```", "").split("\n")
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.needs and not peers:
            first = block.start + 1
            lines[first : first + len(block.lines)] = [""] * len(block.lines)
    test = doctest.DocTestParser().get_doctest("\n".join(lines), {}, page.name, str(page), 0)
    return doctest.DocTestRunner(optionflags=_SAME).run(test)


def run_terminals(page: Path, folder: Path, *, peers: bool) -> int:
    """Write the files of a page into a folder, run its commands there, return their number."""
    ran = 0
    for block in blocks(page.read_text(encoding="utf-8")):
        if block.needs and not peers:
            continue
        if block.title:
            (folder / block.title).write_text(block.text, encoding="utf-8")
        if block.language == "console":
            for command, wanted in _commands(block):
                _run(command, wanted, folder, f"{page}:{block.start + 1}")
                ran += 1
    return ran


def _commands(block: Block) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        command, _, wanted = part.partition("\n")
        yield command, wanted


def _run(command: str, wanted: str, folder: Path, place: str) -> None:
    program, *arguments = shlex.split(command)
    done = subprocess.run(
        [*_PROGRAMS[program], *arguments],
        cwd=folder,
        env=environment(**_PLAIN),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    same = doctest.OutputChecker().check_output(wanted, done.stdout, _SAME | doctest.ELLIPSIS)
    assert same, f"{place}: $ {command}\n{done.stdout}"
