"""Help that can be read, names that a shell completes, and what a misspelt one is taken for."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import environment, strided_command

pytest.importorskip("typer", reason="the command needs strided[cli]")

import strided
from strided.cli import names

# Every command, and how many examples its help has.
EXAMPLES = {
    "": 3,
    "demo": 2,
    "explore": 3,
    "generate": 3,
    "chat": 2,
    "serve": 3,
    "model": 2,
    "model fetch": 1,
    "model list": 2,
    "model path": 1,
    "inspect": 2,
    "trace": 3,
    "bench": 3,
    "doctor": 2,
}


def help_of(command: str) -> str:
    done = strided_command(*command.split(), "--help", COLUMNS="100", TERM="dumb")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_stand_one_in_a_line(command: str) -> None:
    text = help_of(command)
    _, found, shown = text.rpartition("Examples:" if EXAMPLES[command] > 1 else "Example:")
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    assert found
    assert len(lines) == EXAMPLES[command]
    assert all(re.match(rf"(\w+=\w+ )?strided {command}", line) for line in lines)
    assert " | " not in shown


@pytest.mark.parametrize("command", EXAMPLES)
def test_options_say_what_they_take_and_flags_take_nothing(command: str) -> None:
    text = help_of(command)
    assert not re.search(r"<(bool|int|float|str|path|list.*|\w+ range)>", text)
    assert "--help" in text.partition("Options")[2]


def test_paragraphs_are_broken_by_the_terminal() -> None:
    done = strided_command("trace", "--help", COLUMNS="70", TERM="dumb")
    said = done.stdout.partition("Run a Python program")[2].partition("Arguments")[0]
    widths = [len(line.rstrip()) for line in said.splitlines() if line.strip()]
    assert max(widths) <= 70
    assert sum(width < 40 for width in widths) <= 2  # only paragraphs end early


@pytest.mark.parametrize("command", ["strided.demo", "strided.explorer", "strided.cli"])
def test_modules_that_run_explain_themselves(command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", command, "--help"],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0
    assert re.search("example", done.stdout, re.IGNORECASE)
    assert "A batch of 8 RGB images" not in done.stdout  # the demo itself


# ---- completion ----


def completed(words: str, cwd: Path | None = None) -> list[str]:
    """Return what bash is told to complete the last of some words by."""
    done = strided_command(
        cwd=cwd,
        _STRIDED_COMPLETE="complete_bash",
        COMP_WORDS=words,
        COMP_CWORD=str(len(words.split(" ")) - 1),
    )
    return done.stdout.split()


def test_commands_options_and_models_are_completed() -> None:
    assert completed("strided gen") == ["generate"]
    assert completed("strided trace --ou") == ["--output"]
    assert completed("strided generate smol") == ["smollm2"]
    assert completed("strided model fetch s") == ["smollm2"]
    assert completed("strided generate --random qwen3-0") == ["qwen3-0.6b"]


def test_files_are_completed(tmp_path: Path) -> None:
    for name in ("one.gguf", "one.npy", "one.txt", "one.py", "folder/two.npz", ".hidden.npy"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert completed("strided inspect o", tmp_path) == ["one.gguf", "one.npy"]
    assert completed("strided trace o", tmp_path) == ["one.py"]
    assert completed("strided chat on", tmp_path) == ["one.gguf"]
    assert names.tensor_files(f"{tmp_path}/") == [
        f"{tmp_path}/folder/",
        f"{tmp_path}/one.gguf",
        f"{tmp_path}/one.npy",
    ]
    assert names.tensor_files(f"{tmp_path}/folder/t") == [f"{tmp_path}/folder/two.npz"]
    assert names.programs(f"{tmp_path}/nowhere/x") == []


def test_completion_can_be_installed() -> None:
    assert "--install-completion" in help_of("")
    done = strided_command(_STRIDED_COMPLETE="source_bash")
    assert done.returncode == 0
    assert "_STRIDED_COMPLETE=complete_bash" in done.stdout
    assert re.search(r"^complete .* strided$", done.stdout, re.MULTILINE)


# ---- what was meant ----


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["geneate"], 2, "Did you mean 'generate'?"),
        (["generate", "smolm2", "hi"], 1, "did you mean smollm2?"),
        (["model", "fetch", "smolm"], 1, "did you mean smollm2?"),
        (["generate", "--random", "qwen3-4"], 1, "did you mean qwen3-4b?"),
        (["inspect", "weihgts.npy"], 2, "did you mean weights.npy?"),
        (["trace", "trian.py"], 2, "did you mean train.py?"),
        (["generate", "modle.gguf", "hi"], 1, "did you mean model.gguf?"),
    ],
)
def test_misspelt_names_are_guessed(
    arguments: list[str], code: int, said: str, tmp_path: Path
) -> None:
    for name in ("weights.npy", "train.py", "model.gguf"):
        (tmp_path / name).touch()
    done = strided_command(*arguments, cwd=tmp_path, COLUMNS="100")
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_nothing_is_guessed_where_nothing_is_near(tmp_path: Path) -> None:
    done = strided_command("inspect", "x.npy", cwd=tmp_path)
    assert done.stderr == "strided: no such file: x.npy\n"
    assert names.meant_by(strided.FileUnusable(path=str(tmp_path), reason="a folder")) == ""
    assert names.meant_file(tmp_path / "nowhere" / "x.npy") == ""


# ---- what was written ----


def test_the_page_of_the_explorer_is_written(tmp_path: Path) -> None:
    done = strided_command("explore", "--write", str(tmp_path / "page"))
    assert done.stdout == f"wrote {tmp_path / 'page' / 'index.html'}\n"
