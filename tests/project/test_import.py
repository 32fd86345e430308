"""What ``import strided`` loads: the tensor itself. Everything else is loaded when it is used."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest

import strided

PROGRAM = """
import sys, numpy
before = set(sys.modules)
import strided
print(*sorted(set(sys.modules) - before))
"""


@pytest.fixture(scope="module")
def loaded() -> list[str]:
    """The modules that importing strided adds to those of NumPy."""
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_few_modules_are_loaded(loaded: list[str]) -> None:
    """A module takes a quarter of a millisecond, four times as much before it is compiled."""
    assert len([name for name in loaded if name.startswith("strided")]) <= 80
    assert len([name for name in loaded if not name.startswith("strided")]) <= 10


@pytest.mark.parametrize(
    "name",
    [
        *("autograd.function", "autograd.functional", "autograd.gradcheck"),
        *("copies.forecast", "copies.report", "copies.report_tables"),
        *("explorer", "fft", "formats", "inspect.facts", "interop.dask"),
        *("linalg", "llm", "nn", "optim", "quantized", "web"),
    ],
)
def test_what_is_loaded_later(loaded: list[str], name: str) -> None:
    assert f"strided.{name}" not in loaded
    assert importlib.import_module(f"strided.{name}")


# Modules of Python that take long, or that load many others. NumPy has loaded some of them.
WAITING = """
argparse ast asyncio base64 bz2 concurrent.futures configparser csv ctypes decimal
difflib dis doctest email fractions gzip hashlib html http.client importlib.metadata
importlib.resources inspect ipaddress json logging lzma multiprocessing optparse pathlib pickle
pprint random re secrets shutil socket sqlite3 ssl statistics subprocess sysconfig tempfile textwrap
tokenize traceback unittest urllib.parse urllib.request zipfile zlib
"""


@pytest.mark.parametrize("name", WAITING.split())
def test_large_modules_of_python_wait(loaded: list[str], name: str) -> None:
    assert importlib.util.find_spec(name)
    assert name not in loaded


def test_names_that_are_loaded_later_are_public() -> None:
    program = """
import strided
for name in ("open_npy", "draw", "CopyReport", "nn"):
    assert name not in vars(strided), name
    assert name in dir(strided) and getattr(strided, name) is getattr(strided, name)
from strided import LayoutFacts, save
assert strided.inspect.LayoutFacts is LayoutFacts
print(hasattr(strided, "nothing"), hasattr(strided.inspect, "nothing"))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False"], done.stderr


def test_a_star_import_has_them_all() -> None:
    names: dict[str, object] = {}
    exec("from strided import *", names)
    assert set(strided.__all__) <= names.keys()
