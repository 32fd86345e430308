"""The ``strided`` command: output, exit codes, and programs that run as they would alone."""

from __future__ import annotations

import doctest
import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command import command, environment, interrupted, script, strided_command
from support.paths import ROOT

pytest.importorskip("typer", reason="the command needs strided[cli]")
from typer.testing import CliRunner

import strided
from strided import explorer
from strided.cli import app as command_app
from strided.cli import trace_program

COMMANDS = [
    *("demo", "generate", "chat", "serve", "model"),
    *("inspect", "trace", "explore", "bench", "doctor"),
]


def run(*arguments: str) -> Any:
    return CliRunner().invoke(command_app.app, list(arguments))


# ---- all commands ----


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert "Example" in result.output
    assert f"strided {name}" in result.output


def test_help_lists_the_commands():
    result = run("--help")
    assert result.exit_code == 0
    assert [name for name in COMMANDS if name not in result.output] == []


def test_version():
    assert run("--version").output == f"strided {strided.__version__}\n"


@pytest.mark.parametrize("arguments", [["nothing"], ["inspect"], ["inspect", "--nothing", "x"]])
def test_wrong_usage_is_code_2(arguments):
    done = strided_command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("missing", ["typer", "rich"])
def test_missing_extra_is_named(missing, tmp_path):
    blocker = f"""
        import sys
        class Blocker:
            def find_spec(self, name, path=None, target=None):
                if name.partition(".")[0] == {missing!r}:
                    raise ModuleNotFoundError(name)
        sys.meta_path.insert(0, Blocker())
        sys.argv = ["strided", "doctor"]
        from strided.cli import main
        sys.exit(main())
    """
    path = script(tmp_path, blocker)
    done = subprocess.run(
        [sys.executable, str(path)], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"strided: the command needs {missing}: pip install strided[cli]\n"


def test_other_errors_of_ours_have_no_traceback(monkeypatch, capsys):
    def serve(**options: Any) -> None:
        raise strided.MissingExtra(operation="exploring", package="nothing", extra="cli")

    monkeypatch.setattr(explorer, "serve", serve)
    assert command_app.run(["explore"]) == 2
    assert "it needs the package nothing" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["--help"], set()),
        (["doctor"], set()),
        (["model", "list"], {"llm", "llm.fetch"}),
    ],
)
def test_a_command_loads_what_it_uses(arguments, needed):
    program = f"""
import sys
from strided.cli.app import run
run({arguments})
names = {{name.removeprefix("strided.") for name in sys.modules}}
print(*sorted(name for name in names if name.split(".")[0] in ("explorer", "llm", "nn", "web")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()[-1].split()) == needed


# ---- demo, explore, bench, doctor ----


def test_demo():
    result = run("demo", "--views-only")
    assert result.exit_code == 0
    assert "copies so far: 0" in result.output


def test_explore_serves(monkeypatch):
    seen: list[dict[str, Any]] = []
    monkeypatch.setattr(explorer, "serve", lambda **options: seen.append(options))
    assert run("explore", "--no-browser", "--port", "8123", "arange(6)").exit_code == 0
    assert run("explore").exit_code == 0
    assert seen == [
        {"port": 8123, "open_browser": False, "expression": "arange(6)"},
        {"port": 0, "open_browser": True, "expression": ""},
    ]


def test_bench_compares_with_numpy():
    result = run("bench", "--quick", "--json")
    assert result.exit_code == 0
    rows = json.loads(result.output)["rows"]
    assert {row["name"].split(",")[0] for row in rows} >= {"copy", "add", "maximum"}
    for row in rows:
        assert row["ratio"] == pytest.approx(row["numpy_ms"] / row["strided_ms"])


def test_bench_says_where_the_benchmarks_are(monkeypatch, capsys):
    monkeypatch.setattr("strided.cli.bench._checkout", lambda: None)
    assert command_app.run(["bench", "copies"]) == 2
    assert "come with the source" in capsys.readouterr().err
    assert "make bench" in run("bench", "--quick").output


def test_bench_runs_those_of_the_checkout():
    done = strided_command("bench", "no-such-benchmark", cwd=ROOT)
    assert done.returncode == 2
    assert "no such benchmark" in done.stderr


def test_doctor():
    done = strided_command("doctor", "--json", STRIDED_ISA="", STRIDED_NUM_THREADS="1")
    facts = json.loads(done.stdout)
    assert done.returncode == 0
    assert facts["versions"]["strided"] == strided.__version__
    assert facts["threads"]["used"] == 1
    assert facts["instructions"]["used"] in ("baseline", "avx2", "avx512")
    assert facts["extras"]["cli"]["typer"]
    assert facts["problems"] == []


@pytest.mark.parametrize(
    "setting",
    [
        {"STRIDED_ISA": "avx1024"},
        {"STRIDED_ISA": "avx512,no-amx"},
        {"STRIDED_NUM_THREADS": "many"},
    ],
    ids=str,
)
def test_doctor_finds_settings_without_effect(setting):
    done = strided_command("doctor", **setting)
    assert done.returncode == 1
    (name, value) = next(iter(setting.items()))
    assert f"problem: {name}={value} has no effect" in done.stdout


@pytest.mark.parametrize("wish", ["baseline", "avx512", "avx512,no-bf16,no-vnni"])
def test_doctor_accepts_what_is_granted(wish):
    facts = json.loads(strided_command("doctor", "--json", STRIDED_ISA=wish).stdout)
    granted = set(facts["instructions"]["used"].split(",")) == set(wish.split(","))
    assert (facts["problems"] == []) == granted


def test_doctor_finds_features_that_a_level_lacks():
    done = strided_command("doctor", STRIDED_ISA="baseline,no-vnni")
    assert done.returncode == 1
    assert "problem: no-vnni in STRIDED_ISA=baseline,no-vnni has no effect" in done.stdout


# ---- inspect ----


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "model.npz"
    arrays = {"b.weight": np.zeros((3, 4), "f4"), "a.weight": np.zeros((8, 8)), "bias": np.ones(2)}
    np.savez(path, **arrays)
    return path


def test_inspect_lists_tensors(archive):
    done = strided_command("inspect", str(archive))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["name", "dtype", "shape", "layout", "offset", "bytes"]
    assert lines[1].startswith("b.weight  float32  (3, 4)")
    assert lines[-1] == "3 of 3 tensors, 576 B"
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (["--sort", "name"], ["a.weight", "b.weight", "bias"]),
        (["--sort", "bytes"], ["a.weight", "b.weight", "bias"]),
        (["--filter", "*.weight"], ["b.weight", "a.weight"]),
        (["--filter", "bias", "--filter", "a.*", "--sort", "bytes"], ["a.weight", "bias"]),
    ],
    ids=str,
)
def test_inspect_sorts_and_filters(archive, options, names):
    result = run("inspect", str(archive), "--json", *options)
    found = json.loads(result.output)
    assert [entry["name"] for entry in found["tensors"]] == names
    assert found["count"] == len(names)
    assert found["bytes"] == sum(entry["bytes"] for entry in found["tensors"])


@pytest.mark.parametrize(
    ("name", "text", "options", "code"),
    [
        ("nowhere.npy", None, [], 2),
        (".", None, [], 2),
        ("broken.npy", "no array", [], 1),
        ("model.npz", None, ["--filter", "nothing*"], 1),
        ("model.npz", None, ["--sort", "colour"], 2),
    ],
)
def test_inspect_refuses(archive, name, text, options, code):
    if text is not None:
        (archive.parent / name).write_text(text)
    done = strided_command("inspect", name, *options, cwd=archive.parent)
    assert done.returncode == code
    assert done.stdout == ""
    assert done.stderr
    assert "Traceback" not in done.stderr


# ---- trace ----

COPIES = """
import sys
import strided
x = strided.zeros(2, 3).T.reshape(6)
"""


def test_trace_keeps_output_and_reports_to_stderr(tmp_path):
    path = script(tmp_path, COPIES + "print('done'); print('said', file=sys.stderr)")
    done = strided_command("trace", str(path))
    assert (done.returncode, done.stdout) == (0, "done\n")
    said, report = done.stderr.split("\n", 1)
    assert said == "said"
    assert report.startswith("1 copy, 24 B")
    assert "reshape" in report
    assert "\x1b" not in done.stderr


@pytest.mark.parametrize(
    ("ending", "code", "said"),
    [
        ("sys.exit()", 0, ""),
        ("sys.exit(7)", 7, ""),
        ("sys.exit('not today')", 1, "not today"),
        ("raise ValueError('what')", 1, "ValueError: what"),
        ("raise KeyboardInterrupt", 130, ""),
        ("raise SystemExit(300)", 300 & 0xFF, ""),
    ],
)
def test_trace_keeps_the_exit_code_and_still_reports(tmp_path, ending, code, said):
    path = script(tmp_path, COPIES + ending)
    done = strided_command("trace", str(path))
    assert done.returncode == code
    assert said in done.stderr
    assert "1 copy, 24 B" in done.stderr
    if said:
        assert done.stderr.index(said) < done.stderr.index("1 copy")


def test_traceback_is_the_one_of_the_program(tmp_path):
    path = script(tmp_path, "def f():\n    1 / 0\nf()\n")
    traced = strided_command("trace", str(path)).stderr
    alone = subprocess.run([sys.executable, str(path)], capture_output=True, text=True).stderr
    assert traced.startswith(alone)


def test_syntax_errors_are_shown_as_python_does(tmp_path):
    path = script(tmp_path, "x = = 1\n")
    done = strided_command("trace", str(path))
    assert done.returncode == 1
    assert "SyntaxError" in done.stderr
    assert "strided" not in done.stderr.split("SyntaxError")[0].replace(str(path), "")


FACTS = """
import json, os, sys
main = sys.modules["__main__"]
print(json.dumps([sys.argv, sys.path[0], __name__, __file__, main.__dict__ is globals()]))
"""


def test_programs_see_what_they_would_see_alone(tmp_path):
    path = script(tmp_path, FACTS, "sub/facts.py")
    arguments = ["--output", "x", "-m", "--", "--help"]
    name = str(path.relative_to(tmp_path))
    traced = strided_command("trace", name, *arguments, cwd=tmp_path)
    alone = subprocess.run(
        [sys.executable, name, *arguments],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert traced.stdout == alone.stdout
    assert json.loads(traced.stdout)[0] == [name, *arguments]


@pytest.mark.parametrize("target", ["package.part", "package"])
def test_modules_see_what_they_would_see_alone(tmp_path, target):
    script(tmp_path, "", "package/__init__.py")
    script(tmp_path, FACTS, "package/part.py")
    script(tmp_path, FACTS, "package/__main__.py")
    traced = strided_command("trace", "-m", target, "--json", cwd=tmp_path)
    alone = subprocess.run(
        [sys.executable, "-m", target, "--json"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert traced.stdout == alone.stdout
    assert "no copies" in traced.stderr


def test_folders_run(tmp_path):
    script(tmp_path, "import beside", "program/__main__.py")
    script(tmp_path, "print('beside')", "program/beside.py")
    assert strided_command("trace", str(tmp_path / "program")).stdout == "beside\n"


def test_threads_end_before_the_report(tmp_path):
    path = script(
        tmp_path,
        """
        import threading, time, strided
        def work():
            time.sleep(0.3)
            strided.zeros(2, 3).T.reshape(6)
        threading.Thread(target=work).start()
        """,
    )
    assert "1 copy, 24 B" in strided_command("trace", str(path)).stderr


def test_interrupted_programs_report(tmp_path):
    path = script(tmp_path, COPIES + "print('ready', flush=True)\nimport time\ntime.sleep(60)")
    code, out, err = interrupted(tmp_path, "trace", str(path))
    assert (code, out) == (130, "ready\n")
    assert "1 copy, 24 B" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("name", "begins"), [("r.json", "{"), ("r.html", "<!doctype html>"), ("r.txt", "1 copy")]
)
def test_report_in_a_file(tmp_path, name, begins):
    path = script(tmp_path, COPIES + "import os; os.chdir('/')")
    done = strided_command("trace", "--output", name, str(path), cwd=tmp_path)
    assert done.returncode == 0
    text = (tmp_path / name).read_text()
    assert text.startswith(begins)
    assert name in done.stderr
    if name.endswith("json"):
        assert json.loads(text)["bytes"] == 24


def test_report_as_json(tmp_path):
    path = script(tmp_path, COPIES)
    done = strided_command("trace", "--json", str(path))
    found = json.loads(done.stderr)
    assert [event["reason"] for event in found["events"]] == ["reshape"]


def test_hidden_leaves_out_what_was_asked_for(tmp_path):
    path = script(tmp_path, COPIES + "x.clone()")
    assert "2 copies" in strided_command("trace", str(path)).stderr
    hidden = strided_command("trace", "--hidden", str(path)).stderr
    assert "1 copy" in hidden
    assert "clone" not in hidden


@pytest.mark.parametrize(
    "arguments", [["nowhere.py"], ["-m", "no.such.module"], ["--output", "no/where.json", "x.py"]]
)
def test_trace_refuses_what_is_not_there(tmp_path, arguments):
    script(tmp_path, "print('ran')", "x.py")
    done = strided_command("trace", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("strided: no ")
    assert len(done.stderr.splitlines()) == 1


def test_programs_may_replace_stderr(tmp_path):
    path = script(tmp_path, COPIES + "import io; sys.stderr = io.StringIO()")
    assert "1 copy, 24 B" in strided_command("trace", str(path)).stderr


def test_tracing_does_not_import_torch(tmp_path):
    path = script(tmp_path, "import sys; print('torch' in sys.modules)")
    assert strided_command("trace", str(path)).stdout == "False\n"


def test_within_keeps_what_a_function_copies():
    def wanted(report: strided.CopyReport, event: Any) -> None:
        report.add(event)

    event = strided.CopyEvent("clone", 1, True, "", "", "", "x.py", 1, "f", "MainThread")
    report = strided.CopyReport()
    trace_program._keep_within(report, "wanted")
    report.add(event)
    assert report.count == 0
    wanted(report, event)
    assert report.count == 1


def test_everything_is_put_back(tmp_path):
    before = sys.argv, list(sys.path), sys.modules["__main__"]
    path = script(tmp_path, "import sys; sys.argv.append('x'); sys.path.append('y'); 1 / 0")
    error = trace_program.run_program(str(path), [], is_module=False)
    assert isinstance(error, ZeroDivisionError)
    assert before == (sys.argv, sys.path, sys.modules["__main__"])


# ---- on a terminal ----


def on_terminal(*arguments: str, cwd: Path, **changes: str) -> str:
    """Return what a terminal shows of a command, escape sequences included."""
    import os
    import pty

    parent, child = pty.openpty()
    process = subprocess.Popen(
        command(*arguments),
        cwd=cwd,
        env=environment(TERM="xterm", COLUMNS="100", **changes),
        stdin=child,
        stdout=child,
        stderr=child,
    )
    os.close(child)
    shown = b""
    while True:
        try:
            part = os.read(parent, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(parent)
    assert process.wait(timeout=300) == 0
    return shown.decode()


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_line_leaves_the_output_alone(tmp_path):
    path = script(
        tmp_path,
        """
        import time
        print("first")
        print("no end", end="", flush=True)
        time.sleep(0.7)
        print(" of line")
        time.sleep(0.7)
        print("last")
        """,
    )
    shown = on_terminal("trace", str(path), cwd=tmp_path)
    wipe = "\r\x1b[2K"
    assert "tracing: 0 copies, 0 B" in shown
    assert (
        shown.replace("tracing: 0 copies, 0 B", "")
        .replace(wipe, "")
        .startswith("first\r\nno end of line\r\nlast\r\n")
    )
    assert "no end of line" in shown, "the line was drawn into the program's own"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_no_color_is_respected(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros(3))
    coloured = on_terminal("inspect", "x.npy", cwd=tmp_path)
    plain = on_terminal("inspect", "x.npy", cwd=tmp_path, NO_COLOR="1")
    assert "\x1b[1m" in coloured
    assert "\x1b[3" not in plain


# ---- examples in the source ----


@pytest.mark.parametrize(
    "name",
    [
        *("cli.trace_program", "inspect.machine", "inspect.torch_copies", "inspect.torch_trace"),
        "tables",
    ],
)
def test_examples_run(name):
    module = importlib.import_module(f"strided.{name}")
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
