"""Names that a shell completes, and those that a misspelt one is likely to mean."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import strided

# What a command reads of the files of a folder.
_TENSORS = (".npy", ".npz", ".safetensors", ".gguf")
_PROGRAMS = (".py", ".pyz")


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question about the name that is nearest to one that is unknown, or nothing.

    >>> meant("smolm2", ["smollm2", "qwen3"]), meant("x", ["smollm2"])
    ('did you mean smollm2?', '')
    """
    near = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f"did you mean {near[0]}?" if near else ""


def meant_file(path: str | os.PathLike[str]) -> str:
    """Return a question about the file that stands where a misspelt one does not, or nothing."""
    where = Path(path)
    try:
        names = [entry.name for entry in where.parent.iterdir()]
    except OSError:
        return ""
    near = difflib.get_close_matches(where.name, names, 1, 0.6)
    return f"did you mean {where.parent / near[0]}?" if near else ""


def meant_by(error: strided.StridedError) -> str:
    """Return a question about what an error refuses: a name of a list, a file, a model.

    >>> meant_by(strided.InvalidArgument(
    ...     argument="model", got="'smolm2'", requirement="must be one of smollm2"))
    'did you mean smollm2?'
    """
    if isinstance(error, strided.InvalidArgument):
        start = "must be one of "
        known = error.requirement.removeprefix(start) if error.requirement.startswith(start) else ""
        return meant(error.got.strip("'\""), known.split(", "))
    if isinstance(error, strided.FileUnusable) and not Path(error.path).exists():
        return meant(error.path, _fetched()) or meant_file(error.path)
    return ""


# ---- what a shell completes ----


def _fetched() -> list[str]:
    from strided.llm.fetch import SOURCES

    return list(SOURCES)


def _files(incomplete: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the folders, and the files with some endings, that begin as a text does."""
    folder, begin = os.path.split(incomplete)
    try:
        entries = sorted(os.scandir(folder or "."), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if not entry.name.startswith(begin) or (entry.name.startswith(".") and not begin):
            continue
        path = os.path.join(folder, entry.name)
        if entry.is_dir():
            yield path + os.sep
        elif entry.name.endswith(endings):
            yield path


def fetched_models(incomplete: str) -> list[str]:
    """Return the models that can be fetched and begin so.

    >>> fetched_models("smol")
    ['smollm2']
    """
    return [name for name in _fetched() if name.startswith(incomplete)]


def models(incomplete: str) -> list[str]:
    """Return what can stand for a model and begins so: a name, a file, a folder."""
    return [*fetched_models(incomplete), *_files(incomplete, (".gguf",))]


def presets(incomplete: str) -> list[str]:
    """Return the sizes of made-up models that begin so.

    >>> presets("qwen3-0")
    ['qwen3-0.6b']
    """
    from strided.llm import PRESETS

    return [name for name in PRESETS if name.startswith(incomplete)]


def tensor_files(incomplete: str) -> list[str]:
    """Return the files of tensors, and the folders, that begin so."""
    return list(_files(incomplete, _TENSORS))


def programs(incomplete: str) -> list[str]:
    """Return the programs, and the folders, that begin so."""
    return list(_files(incomplete, _PROGRAMS))
