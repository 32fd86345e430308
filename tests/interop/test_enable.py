"""Importing strided changes no other library; what has no entry point is switched on by name."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import pytest
from support.paths import ROOT

import strided


def output_of(program: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_adds_no_finder() -> None:
    program = """
import sys, numpy
before = [*sys.meta_path]
import strided
print(sys.meta_path == before)
"""
    assert output_of(program) == ["True"]


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    "modules",
    [
        pytest.param("einops einops._backends", marks=pytest.mark.peers),
        pytest.param(
            "xarray xarray.core.dtypes xarray.core.duck_array_ops", marks=pytest.mark.peers
        ),
        pytest.param(
            "dask dask.sizeof dask.tokenize dask.array dask.array.core dask.array.dispatch",
            marks=pytest.mark.peers,
        ),
        "numpy",
    ],
)
def test_importing_replaces_nothing(modules: str, first: bool) -> None:
    """All names of a neighbour are the same objects as in a process that strided was not in."""
    for module in modules.split():
        pytest.importorskip(module)
    program = f"""
import importlib, sys
names = {modules.split()!r}
{"import strided" if first else ""}
def homes():
    found = {{}}
    for name in names:
        for key, value in vars(importlib.import_module(name)).items():
            if callable(value):
                found[name, key] = getattr(value, "__module__", None) or "", id(value)
    return found
before = homes()
{"" if first else "import strided"}
assert [key for key, (home, _) in homes().items() if str(home).startswith("strided")] == []
assert before == {{key: value for key, value in homes().items() if key in before}}
if "einops" in sys.modules:
    from einops._backends import AbstractBackend
    print([one for one in AbstractBackend.__subclasses__() if "strided" in one.__module__])
"""
    assert output_of(program) in ([], ["[]"])


def test_unknown_names_are_refused() -> None:
    with pytest.raises(strided.InvalidArgument, match="einops"):
        strided.enable("flax")


@pytest.mark.parametrize("name", ["dask", "einops", "xarray"])
def test_without_the_package_the_extra_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(strided.MissingExtra) as caught:
        strided.enable(name)
    assert (caught.value.package, caught.value.extra) == (name, name)


@pytest.mark.peers
@pytest.mark.parametrize(
    ("name", "private"), [("einops", "einops._backends"), ("xarray", "xarray.core")]
)
def test_a_version_with_other_private_names_is_refused(name: str, private: str) -> None:
    pytest.importorskip(name)
    program = f"""
import sys, {name}, strided
sys.modules[{private!r}] = None
try:
    strided.enable({name!r})
except strided.UnsupportedOperation as error:
    print(error.operation)
"""
    assert output_of(program) == [f"enable('{name}')"]


@pytest.mark.peers
def test_einops_takes_tensors_once_it_is_enabled() -> None:
    pytest.importorskip("einops")
    program = """
import einops, strided
x = strided.zeros(2, 3)
try:
    einops.rearrange(x, "a b -> b a")
except Exception as error:
    print("unknown" in str(error))
for _ in range(2):
    strided.enable("einops")
print(einops.rearrange(x, "a b -> b a").shares_storage(x))
"""
    assert output_of(program) == ["True", "True"]


@pytest.mark.peers
def test_xarray_is_changed_once() -> None:
    pytest.importorskip("xarray")
    program = """
import strided, xarray
from xarray.core import duck_array_ops
before = duck_array_ops.pad
strided.enable("xarray")
after = duck_array_ops.pad
strided.enable("xarray")
print(before is not after, duck_array_ops.pad is after)
"""
    assert output_of(program) == ["True", "True"]


@pytest.mark.peers
@pytest.mark.parametrize(
    "change",
    [
        "import dask.array.dispatch; del dask.array.dispatch.percentile_lookup",
        "import dask.array.dispatch; dask.array.dispatch.take_lookup = None",
        "import dask.array; del dask.array.register_chunk_type",
        "import dask.sizeof; dask.sizeof.sizeof = None",
        "import distributed.protocol; del distributed.protocol.dask_serialize",
    ],
)
def test_a_version_of_dask_with_other_names_breaks_no_import(change: str) -> None:
    pytest.importorskip("distributed")
    assert output_of(f"{change}\nimport strided; print(strided.zeros(1).tolist())") == ["[0.0]"]


def test_entry_points_name_what_exists() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    named = re.findall(r'^strided = "(strided_entry_points[\w.]*):?(\w*)"$', text, re.M)
    assert len(named) == 2
    for module, function in named:
        found = importlib.import_module(module)
        assert not function or callable(getattr(found, function))


def test_entry_points_import_nothing() -> None:
    program = """
import sys
import strided_entry_points.dask_sizeof, strided_entry_points.pytest_plugin
print("strided" in sys.modules, "numpy" in sys.modules)
"""
    assert output_of(program) == ["False", "False"]
