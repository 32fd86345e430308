"""``strided doctor``: what the library found on this machine, and what keeps it from its speed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np
import typer

import strided
from strided.inspect.machine import INSTRUCTION_FEATURES, INSTRUCTION_SETS, machine_facts
from strided.text import shown_bytes


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor", epilog="Example: strided doctor --json")(doctor)


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show versions, processor, instruction set, threads, BLAS, memory and extras.

    A few small computations are compared with NumPy. Exit code 1: something is wrong, or a setting
    has no effect.
    """
    facts = machine_facts()
    facts["versions"] = {"strided": strided.__version__, **facts["versions"]}
    problems = [*_problems(facts), *_wrong_results()]
    notes = list(_notes(facts))
    if as_json:
        print(json.dumps({**facts, "problems": problems, "notes": notes}, indent=2))
    else:
        for title, value in _lines(facts):
            print(f"{title:<14}{value}")
        for note in notes:
            print(f"note: {note}")
        for problem in problems:
            print(f"problem: {problem}")
        if not problems:
            print("no problems found")
    raise typer.Exit(int(bool(problems)))


def _lines(facts: dict[str, Any]) -> Iterator[tuple[str, str]]:
    versions, processor, threads = facts["versions"], facts["processor"], facts["threads"]
    yield from versions.items()
    yield "processor", f"{processor['name'] or 'unknown'} ({processor['machine']})"
    yield "features", " ".join(processor["features"]) or "unknown"
    yield "instructions", facts["instructions"]["used"]
    yield "threads", f"{threads['used']} of {threads['allowed']} processors"
    yield "BLAS", f"{facts['blas']['strided']}; NumPy has {facts['blas']['numpy'] or 'none'}"
    memory = facts["memory"]
    yield "memory", shown_bytes(memory["bytes"]) if memory["bytes"] else "unknown"
    yield "huge pages", memory["huge_pages"] or "unknown"
    for extra, packages in facts["extras"].items():
        found = ", ".join(f"{name} {version or 'missing'}" for name, version in packages.items())
        yield f"[{extra}]", found


def _problems(facts: dict[str, Any]) -> Iterator[str]:
    used, wish = facts["instructions"]["used"], facts["instructions"]["STRIDED_ISA"]
    level, *without = (wish or "").split(",")
    removable = [f"no-{feature}" for feature in INSTRUCTION_FEATURES]
    if wish and (level not in INSTRUCTION_SETS or not set(without) <= set(removable)):
        names = ", ".join([*INSTRUCTION_SETS, ",".join(["avx512", *removable])])
        yield f"STRIDED_ISA={wish} has no effect: it is none of {names}"
    elif wish and level != used.split(",")[0]:
        yield f"STRIDED_ISA={wish} has no effect: this processor has {used}"
    elif idle := sorted(set(without) - set(used.split(","))):
        yield f"{', '.join(idle)} in STRIDED_ISA={wish} has no effect: {used} lacks it anyway"
    wish = facts["threads"]["STRIDED_NUM_THREADS"]
    if wish and not (wish.strip().isdigit() and int(wish) > 0):
        yield f"STRIDED_NUM_THREADS={wish} has no effect: it is no number above 0"


def _notes(facts: dict[str, Any]) -> Iterator[str]:
    threads = facts["threads"]
    if threads["allowed"] and threads["used"] > threads["allowed"]:
        yield f"{threads['used']} threads share {threads['allowed']} processors: fewer are faster"
    if facts["memory"]["huge_pages"] == "never":
        yield "huge pages are off: large tensors take longer to fill for the first time"
    for extra, packages in facts["extras"].items():
        if not all(packages.values()):
            yield f"for {' and '.join(packages)}: pip install strided[{extra}]"


def _wrong_results() -> Iterator[str]:
    """Compare each kind of kernel with NumPy, over strides in either direction."""
    a = np.arange(257 * 129, dtype=np.float32).reshape(257, 129)
    x = strided.from_numpy(a)
    pairs = {
        "transposing": (x.T.contiguous(), a.T),
        "reversing": (x[::-1, ::2].contiguous(), a[::-1, ::2]),
        "adding": (x.T + x.T, a.T + a.T),
        "summing": (x.sum(0), a.sum(0, dtype=np.float64)),
        "multiplying": (x[:, :64] @ x[:, :64].T, a[:, :64].astype(float) @ a[:, :64].T),
    }
    for what, (ours, theirs) in pairs.items():
        if not np.allclose(ours.numpy(), theirs, rtol=1e-5):
            yield f"{what} gives other numbers than NumPy: please report this with strided doctor"
