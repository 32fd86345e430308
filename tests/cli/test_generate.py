"""``strided generate``: what is written, where, how it ends. The model is the fake one."""

from __future__ import annotations

import doctest
import importlib
import json
import signal
import sys
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command needs strided[cli]")
pytest.importorskip("jinja2", reason="chat templates need strided[llm]")
from support.fake_command import Terminal, ran, started
from support.fake_llm import NAMES, FakeEngine, FakeTokenizer, answer_to
from typer.testing import CliRunner

import strided
from strided import llm
from strided.cli import app as command_app
from strided.cli import models
from strided.cli.conversation import prompt_of
from strided.llm import Options

terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMES.items():
        monkeypatch.setattr(llm, name, value, raising=False)


def run(*arguments: str, given: str | bytes | None = None) -> Any:
    return CliRunner().invoke(command_app.app, ["generate", *arguments], input=given)


def expected(prompt: str, system: str | None = None, raw: bool = False, **options: Any) -> str:
    return answer_to(prompt_of(FakeTokenizer(), prompt, system, raw), **options) + "\n"


# ---- what is asked ----


@pytest.mark.parametrize(
    ("arguments", "given", "answer"),
    [
        (["Hello", "--temp", "0"], None, {"prompt": "Hello"}),
        (["--temp", "0"], "Hello\n", {"prompt": "Hello"}),
        (["-", "--temp", "0"], "Hello\r\n", {"prompt": "Hello"}),
        (["Hello", "--temp", "0", "--raw"], None, {"prompt": "Hello", "raw": True}),
        (["Hi", "--temp", "0", "--system", "Be"], None, {"prompt": "Hi", "system": "Be"}),
        (["Hi", "--seed", "3"], None, {"prompt": "Hi", "seed": 3, "temperature": 0.8}),
        (["Hi", "--temp", "0", "-n", "3"], None, {"prompt": "Hi", "max_tokens": 3}),
        (["Hi", "--temp", "0", "-n", "-1"], None, {"prompt": "Hi"}),
        (["a", "--temp", "0", "--stop", "the"], None, {"prompt": "a", "stop": ("the",)}),
    ],
    ids=str,
)
def test_answers(arguments, given, answer):
    result = run("fake", *arguments, given=given)
    assert result.exit_code == 0
    assert result.stdout == expected(**{"temperature": 0.0, **answer})


def test_prompt_from_a_file(tmp_path):
    file = tmp_path / "prompt.txt"
    file.write_text("Größe?\n", encoding="utf-8")
    result = run("fake", "-f", str(file), "--temp", "0")
    assert result.stdout == expected("Größe?", temperature=0.0)


def test_every_option_arrives(monkeypatch):
    seen: list[Options] = []

    class Watched(FakeEngine):
        def __init__(self, model: Any, **options: Any) -> None:
            assert options == {"context": 256}
            super().__init__(model, **options)

        def submit(self, tokens: Any, options: Options) -> Any:
            seen.append(options)
            return super().submit(tokens, options)

    monkeypatch.setattr(llm, "Engine", Watched)
    before = strided.get_num_threads()
    try:
        flags = "--temp 0.5 --top-k 7 --top-p 0.9 --min-p 0.1 --repeat-penalty 1.1 --seed 4"
        rest = "-n 5 -c 256 -t 1 --stop x --stop yy"
        assert run("fake", "Hi", *flags.split(), *rest.split()).exit_code == 0
        assert strided.get_num_threads() == 1
    finally:
        strided.set_num_threads(before)
    assert seen == [
        Options(
            max_tokens=5,
            temperature=0.5,
            top_k=7,
            top_p=0.9,
            min_p=0.1,
            repetition_penalty=1.1,
            seed=4,
            stop=("x", "yy"),
        )
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "no model"),
        (["fake", "x", "-f", "tests"], 2, "two prompts"),
        (["fake", "-f", "no such file"], 2, "no such file"),
        (["fake", ""], 2, "prompt is empty"),
        (["fake"], 2, "prompt is empty"),
        (["fake", "x", "--raw", "--system", "y"], 2, "--raw has no place"),
        (["--random", "qwen3-4b", "fake"], 2, "--random has no words"),
        (["fake", "x", "--temp", "-1"], 2, "--temp"),
        (["fake", "x", "--temp", "nan"], 2, "--temp"),
        (["fake", "x", "--top-p", "1.5"], 2, "--top-p"),
        (["fake", "x" * 5000], 1, "context"),
        (["missing.gguf", "x"], 1, "missing.gguf"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_refusals(arguments, code, said):
    done = ran("generate", *arguments)
    assert done[0] == code, done[2]
    assert done[1] == ""
    assert said in done[2]
    assert "Traceback" not in done[2]


@pytest.mark.parametrize("given", [b"\xff\xfe", b"\n"])
def test_stdin_must_be_text(given):
    result = run("fake", given=given)
    assert result.exit_code in (1, 2)
    assert "stdin is not text" in result.stderr or "empty" in result.stderr


# ---- how it is shown ----


def test_pipes_get_the_text_and_nothing_else():
    assert ran("generate", "fake", "Hello", "--temp", "0") == (
        0,
        expected("Hello", temperature=0.0),
        "",
    )


def test_verbose_adds_figures():
    code, out, err = ran("generate", "fake", "Hello", "--temp", "0", "-v")
    assert (code, out) == (0, expected("Hello", temperature=0.0))
    for part in ("load ", "prompt ", "answer ", "tok/s", "GB/s", "0 copies/token"):
        assert part in err


def test_json():
    result = run("fake", "Hello", "--temp", "0", "--json")
    found = json.loads(result.stdout)
    assert found["text"] + "\n" == expected("Hello", temperature=0.0)
    assert found["finish_reason"] == "stop"
    assert found["completion_tokens"] == len(found["tokens"])
    assert found["prompt_tokens"] == found["prefill_tokens"] > 5
    assert found["decode_tokens"] == found["completion_tokens"] - 1
    assert found["decode_rate"] == pytest.approx(1000)
    assert found["copies_per_token"] == 0
    assert found["weights_rate"] == pytest.approx(found["bytes_per_token"] * found["decode_rate"])
    assert found["peak_rss"] is None or found["peak_rss"] > 1 << 20


def test_copies_while_writing_are_counted(monkeypatch):
    class Copying(FakeEngine):
        def step(self) -> Any:
            for _ in range(3):
                strided.zeros(2).clone()
            return super().step()

    monkeypatch.setattr(llm, "Engine", Copying)
    assert json.loads(run("fake", "Hi", "--json").stdout)["copies_per_token"] == 3


def test_made_up_weights_give_figures():
    done = ran("generate", "--random", "qwen3-4b", "--dtype", "q4_0", "-n", "9")
    assert (done[0], done[2]) == (0, "")
    assert "prompt 64" in done[1]
    assert "answer 9 at" in done[1]
    found = json.loads(run("--random", "qwen3-0.6b", "--prompt-tokens", "7", "--json").stdout)
    assert (found["prompt_tokens"], found["text"]) == (7, "")
    assert 0 < found["completion_tokens"] <= 128


def test_ctrl_c_keeps_what_was_said():
    process = started("generate", "fake", "forever", "--temp", "0", "-v", env=SLOW)
    assert process.stdout is not None
    first = process.stdout.read(10)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    said = first + out
    assert said.endswith("\n")
    assert expected("forever", temperature=0.0, max_tokens=2000).startswith(said.rstrip("\n"))
    assert "answer " in err
    assert "Traceback" not in err


SLOW = {"FAKE_LLM_DELAY": "0.02"}


def test_a_closed_pipe_ends_it_quietly():
    process = started("generate", "fake", "forever", env=SLOW)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.wait(timeout=60) == 1
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.stdin is not None
    process.stdin.close()


@terminal
def test_on_a_terminal_there_is_a_closing_line():
    shell = Terminal("generate", "fake", "Hello", "--temp", "0")
    assert shell.end() == 0
    assert expected("Hello", temperature=0.0).rstrip("\n") in shell.shown.replace("\r\n", "\n")
    assert "copies/token | peak" in shell.shown


@terminal
def test_ctrl_c_on_a_terminal():
    shell = Terminal("generate", "fake", "forever", **SLOW)
    shell.wait_for(" ")
    shell.type("\x03")
    assert shell.end() == 130
    assert "| peak" in shell.shown


@terminal
def test_no_terminal_without_a_prompt():
    shell = Terminal("generate", "fake")
    assert shell.end() == 2
    assert "no prompt" in shell.shown


@terminal
@pytest.mark.parametrize(("wait", "is_shown"), [("0", True), ("99", False)])
def test_long_waits_show_a_bar(wait, is_shown):
    arguments = ("generate", "fake", "long prompt " * 300, "--temp", "0")
    shell = Terminal(*arguments, **SLOW, FAKE_LLM_BAR=wait)
    assert shell.end() == 0
    assert ("reading" in shell.shown) == is_shown
    assert ("prompt \x1b[" in shell.shown) == is_shown


@pytest.mark.parametrize("name", ["conversation", "serve"])
def test_examples_run(name):
    result = doctest.testmod(importlib.import_module(f"strided.cli.{name}"))
    assert result.attempted > 0
    assert result.failed == 0


def test_models_without_words_are_refused(capsys):
    with pytest.raises(Exception, match="1"):
        models.words_of(NAMES["load"]("bare", random="float32"))
    assert "has no tokenizer" in capsys.readouterr().err
