"""``strided chat``: turns, commands, Ctrl-C, pipes. The model is the fake one."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer", reason="the command needs strided[cli]")
pytest.importorskip("jinja2", reason="chat templates need strided[llm]")
from support.fake_command import Terminal, ran, started
from support.fake_llm import NAMES, FakeTokenizer, answer_to
from typer.testing import CliRunner

from strided import llm
from strided.cli import app as command_app
from strided.cli.conversation import conversation_of

SLOW = {"FAKE_LLM_DELAY": "0.02"}
terminal = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@pytest.fixture(autouse=True)
def fake(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMES.items():
        monkeypatch.setattr(llm, name, value, raising=False)


def chat(*lines: str, options: tuple[str, ...] = ()) -> Any:
    arguments = ["chat", "fake", "--temp", "0", *options]
    result = CliRunner().invoke(command_app.app, arguments, input="".join(f"{x}\n" for x in lines))
    assert result.exit_code == 0, result.output
    return result


def talk(*turns: str, system: str | None = None, **options: Any) -> list[str]:
    """Return the answers to turns that follow each other."""
    messages = [] if system is None else [{"role": "system", "content": system}]
    answers = []
    for turn in turns:
        messages.append({"role": "user", "content": turn})
        tokens = conversation_of(FakeTokenizer(), messages)
        answers.append(answer_to(tokens, **{"temperature": 0.0, **options}))
        messages.append({"role": "assistant", "content": answers[-1]})
    return answers


def lines_of(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def test_turns_follow_each_other():
    result = chat("Hello", "", "And then?")
    assert result.stdout == lines_of(*talk("Hello", "And then?"))
    assert result.stderr == ""


def test_system_text():
    result = chat("Hello", options=("--system", "Be brief."))
    assert result.stdout == lines_of(*talk("Hello", system="Be brief."))


def test_several_lines():
    result = chat('"""one', "", 'two"""', '"""three"""', '"""', "four", '"""', '"""open')
    assert result.stdout == lines_of(*talk("one\n\ntwo", "three", "four", "open"))


def test_clear_forgets():
    result = chat("Hello", "/clear", "Hello")
    assert result.stdout == lines_of(*talk("Hello"), *talk("Hello"))


def test_exit_leaves():
    assert chat("Hello", "/exit", "Hello").stdout == lines_of(*talk("Hello"))


def test_help_and_unknown_commands():
    result = chat("/help", "/nothing", " /sent as text")
    assert result.stdout == lines_of(*talk(" /sent as text"))
    for word in ("/clear", "/set NAME VALUE", "/save FILE", "/nothing is no command"):
        assert word in result.stderr


def test_settings():
    result = chat("/set max-tokens 2", "Hello", "/set max-tokens none", "/set stop the", "/set")
    assert result.stdout == lines_of(*talk("Hello", max_tokens=2))
    assert result.stderr.splitlines()[:3] == ["max-tokens 2", "max-tokens none", "stop 'the'"]
    shown = dict(line.split(" ", 1) for line in result.stderr.splitlines()[3:])
    assert shown["temp"] == "0.0"
    assert shown["system"] == "none"
    assert set(shown) >= {"top-k", "top-p", "min-p", "repeat-penalty", "seed"}
    assert chat("/set system Be.", "Hi").stdout == lines_of(*talk("Hi", system="Be."))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("/set colour red", "colour is not a setting"),
        ("/set temp warm", "must be a number"),
        ("/set temp -1", "temperature is -1"),
        ("/set top-p 2", "top_p"),
        ("/save", "FILE is missing"),
        ("/load no/such/file", "No such file"),
        ("/save no/such/folder/x", "No such file"),
        ("/load {here}", "must be one that /save has written"),
    ],
)
def test_wrong_commands_are_told_and_do_nothing(line, said, tmp_path):
    file = tmp_path / "x.json"
    file.write_text('{"messages": [{"role": "robot", "content": 1}]}')
    result = chat(line.format(here=file), "Hello")
    assert said in result.stderr
    assert result.stdout == lines_of(*talk("Hello"))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"messages": 3}', '{"messages": ["x"]}', "[" * 9999, '"\\ud800']
)
def test_files_of_another_kind_are_refused(text, tmp_path):
    file = tmp_path / "x.json"
    file.write_text(text)
    assert "/save has written" in chat(f"/load {file}").stderr


def test_save_and_load(tmp_path: Path):
    file = tmp_path / "talk.json"
    first = chat("Hello", f"/save {file}", options=("--system", "Be."))
    assert "2 messages" in first.stderr
    roles = [message["role"] for message in json.loads(file.read_text())["messages"]]
    assert roles == ["system", "user", "assistant"]
    second = chat(f"/load {file}", "And then?")
    assert second.stdout == lines_of(talk("Hello", "And then?", system="Be.")[1])


def test_a_full_context_is_told():
    result = chat("x" * 300, "Hello", options=("-c", "200"))
    assert "context of 200" in result.stderr
    assert "/clear" in result.stderr
    assert result.stdout == lines_of(*talk("Hello"))


def test_verbose_shows_that_the_beginning_is_known():
    result = chat("Hello", "And then?", options=("-v",))
    first, second, closing = result.stderr.splitlines()
    assert "known" not in first
    assert "known" in second
    assert closing == second
    assert "weights read at " in closing


def test_pipes():
    code, out, err = ran("chat", "fake", "--temp", "0", given="Hello\nAnd then?\n")
    assert (code, out, err) == (0, lines_of(*talk("Hello", "And then?")), "")


def test_ctrl_c_stops_the_answer_and_not_the_chat():
    process = started("chat", "fake", "--temp", "0", env=SLOW)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("forever\n")
    process.stdin.flush()
    first = process.stdout.read(10)
    process.send_signal(signal.SIGINT)
    first += process.stdout.readline()
    out, err = process.communicate("/clear\nHello\n", timeout=60)
    assert process.returncode == 0
    assert out == lines_of(*talk("Hello"))
    assert talk("forever", max_tokens=2000)[0].startswith(first.rstrip("\n"))
    assert "Traceback" not in err


@terminal
def test_on_a_terminal():
    shell = Terminal("chat", "fake", "--temp", "0", **SLOW)
    shell.wait_for("> ")
    shell.type("forever\n")
    shell.wait_for("view")
    shell.type("\x03")
    shell.wait_for("> ")
    shell.press_until("\x03", "Ctrl-D leaves")
    shell.wait_for("> ")
    shell.type("/set\n")
    shell.wait_for("stop none")
    shell.wait_for("> ")
    shell.type("\x04")
    assert shell.end() == 0
    assert "copies/token | peak" in shell.shown
