"""An operation is added by its definition alone: nothing else of the product has to be edited.

Definitions of each kind are appended to one file of a copy of the package. What the library makes
of definitions must be there then: functions, methods, spellings, gradients, stubs, NumPy's rows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.compare import ALL_DTYPES, BOOL, COMPLEX, FLOATS, HALVES, INTS
from support.paths import ROOT

import strided
from strided import _native, native_members, tensor_class

CHAPTER = "ops/statistics.py"
DEFINITIONS = '''

@operation()
def added_elementwise(x: Tensor, other: Tensor, /) -> Tensor:
    """Return the length of the hypotenuse, by squares. A new tensor.

    >>> import strided
    >>> strided.added_elementwise(strided.tensor([3.0]), strided.tensor([4.0])).tolist()
    [5.0]
    """
    return (x * x + other * other).sqrt()


@operation(numpy="ptp: a axis out keepdims")
def added_reduction(
    x: Tensor, /, axis: Axes = None, keepdims: bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Return the largest element along axes less the smallest. A new tensor.

    >>> import strided
    >>> strided.added_reduction(strided.tensor([3.0, 1.0, 2.0])).item()
    2.0
    """
    found: Tensor = x.amax(axis, keepdims) - x.amin(axis, keepdims)
    return found


@operation(kind="view")
def added_view(x: Tensor, /, axis: int = 0) -> Tensor:
    """Return every second element along an axis. A view.

    >>> import strided
    >>> strided.added_view(strided.arange(5)).tolist()
    [0, 2, 4]
    """
    return x[(slice(None),) * axis + (slice(None, None, 2),)]
'''
# The editable install answers `import strided` before PYTHONPATH does; it must stand aside here.
ASIDE = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in type(f).__module__]
import doctest, inspect
import numpy as np
import strided
from strided import autograd
assert "added_view" in vars(strided), strided.__file__
x = strided.tensor([[4.0, 1.0, 3.0], [2.0, 7.0, 5.0]], dtype=strided.float64)
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the repository's Python with the definitions in one chapter."""
    root = tmp_path_factory.mktemp("added")
    skipped = shutil.ignore_patterns("__pycache__", "*.so", "build")
    for folder in ("src", "tools"):
        shutil.copytree(ROOT / folder, root / folder, ignore=skipped)
    extension = Path(_native.__file__)
    (root / "src" / "strided" / extension.name).symlink_to(extension)
    with (root / "src" / "strided" / CHAPTER).open("a", encoding="utf-8") as file:
        file.write(DEFINITIONS)
    return root


def run(package: Path, program: str) -> str:
    paths = [str(package / "src"), str(ROOT / "tests")]
    done = subprocess.run(
        [sys.executable, "-c", ASIDE + program],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


CHECKS = {
    "functions and methods": """
y = x + 1
assert strided.added_elementwise(x, y).tolist() == x.added_elementwise(y).tolist()
assert strided.added_reduction(x, axis=1).tolist() == x.added_reduction(1).tolist() == [3.0, 5.0]
assert strided.added_view(x, axis=1).tolist() == x.added_view(1).tolist() == [[4, 3], [2, 5]]
""",
    "both spellings of arguments": """
for named in ({"axis": 1, "keepdims": True}, {"dim": 1, "keepdim": True}):
    assert strided.added_reduction(x, **named).tolist() == [[3.0], [5.0]]
    assert x.added_reduction(**named).tolist() == [[3.0], [5.0]]
assert x.added_view(dim=1).shape == strided.added_view(x, dim=1).shape == (2, 2)
""",
    "signatures": """
assert list(inspect.signature(strided.added_reduction).parameters)[:3] == ["x", "axis", "keepdims"]
assert list(inspect.signature(x.added_reduction).parameters)[:2] == ["dim", "keepdim"]
""",
    "refusals": """
for call in (lambda: x.added_reduction(1, 2, 3), lambda: x.added_reduction(rows=1),
             lambda: x.added_reduction(1, dim=1), lambda: strided.added_elementwise(x)):
    try:
        call()
    except TypeError:
        continue
    raise AssertionError(call)
""",
    "views are views": """
with strided.no_copies(implicit_only=False):
    assert x.added_view().shares_storage(x) and x.T.added_view(1).shares_storage(x)
""",
    "gradients": """
y = strided.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], dtype=strided.float64)
one, other = x.requires_grad_(), y.requires_grad_()
assert autograd.gradcheck(strided.added_elementwise, (one, other))
assert autograd.gradcheck(lambda x: x.added_reduction(1), (one,))
assert autograd.gradcheck(lambda x: x.added_view(1) * 2, (one,))
assert x.added_view().grad_fn is not None
""",
    "NumPy's name": """
found = np.ptp(x, axis=1)
assert type(found) is strided.Tensor and found.tolist() == [3.0, 5.0]
""",
    "docstrings whose examples run": """
for name in ("added_elementwise", "added_reduction", "added_view"):
    for owner in (strided, strided.Tensor):
        text = inspect.getdoc(getattr(owner, name))
        test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
        assert test.examples and not doctest.DocTestRunner().run(test).failed
""",
    "cases of gradients": """
from support.gradient_cases import all_cases
assert {"added_reduction", "Tensor.added_reduction"} <= {name for name, _ in all_cases()}
""",
}


@pytest.mark.parametrize("check", CHECKS)
def test_it_follows_from_the_definition(package: Path, check: str) -> None:
    run(package, CHECKS[check])


def test_stubs_have_it(package: Path) -> None:
    program = "sys.path.insert(0, 'tools'); import make_stubs; sys.argv[1:] = []; make_stubs.main()"
    run(package, program)
    stubs = package / "src" / "strided"
    for stub in ("__init__.pyi", "_native.pyi"):
        text = (stubs / stub).read_text()
        for name in ("added_elementwise", "added_reduction", "added_view"):
            assert f"def {name}(" in text, (stub, name)


# ---- a layer ----

LAYER = '''
from strided._native import Tensor
from strided.ops.creation import ones
from strided.nn.module import Module
from strided.nn.members import Parameter


def added_layer(x: Tensor, weight: Tensor) -> Tensor:
    """Return the elements times a weight. A new tensor."""
    return x * weight


class AddedLayer(Module):
    """Layer of ``added_layer``."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.weight = Parameter(ones(count) * 2)

    def forward(self, x: Tensor) -> Tensor:
        return added_layer(x, self.weight)
'''
LAYER_CHECK = """
from strided import nn, optim
net = nn.Sequential(nn.AddedLayer(3), nn.ReLU())
assert list(net.state_dict()) == ["0.weight"]
assert net(x.to(strided.float32)).tolist() == (x * 2).tolist()
nn.added_layer(x, net[0].weight).sum().backward()
optim.SGD(net.parameters(), 0.5).step()
assert net[0].weight.tolist() == [2 - 3.0, 2 - 4.0, 2 - 4.0]
"""


def test_a_layer_is_a_file_and_its_names(package: Path) -> None:
    folder = package / "src" / "strided" / "nn"
    (folder / "added.py").write_text(LAYER)
    with (folder / "__init__.py").open("a", encoding="utf-8") as file:
        file.write("\nfrom strided.nn.added import AddedLayer, added_layer\n")
    run(package, LAYER_CHECK)


# ---- a file format ----

FORMAT = """
import struct

from strided import Layout
from strided.formats.tensor_files import Cursor, TensorEntry


def read_added(cursor: Cursor) -> list[TensorEntry]:
    (count,) = struct.unpack("<Q", cursor.take(8, "the count"))
    if 4 * count > cursor.left:
        cursor.refuse(f"{4 * count} bytes of elements needed")
    layout = Layout((count,), (1,), 0)
    return [TensorEntry("x", "float32", (count,), layout, 8, 4 * count, (1, 4))]
"""
FORMAT_CHECK = """
with open("x.added", "wb") as file:
    file.write((3).to_bytes(8, "little") + bytes(12))
(entry,) = strided.inspect.tensors_in("x.added")
assert (entry.name, entry.shape, entry.offset) == ("x", (3,), 8)
with open("y.added", "wb") as file:
    file.write((3).to_bytes(8, "little"))
try:
    strided.inspect.tensors_in("y.added")
except strided.FileMalformed as error:
    assert error.position == 8
else:
    raise AssertionError("a file that is too short is opened")
"""


def test_a_file_format_is_a_file_and_two_lines(package: Path) -> None:
    formats = package / "src" / "strided" / "formats"
    (formats / "added.py").write_text(FORMAT)
    path = formats / "__init__.py"
    lines = []
    for line in path.read_text().splitlines():
        lines.append(line)
        if re.fullmatch(r" +from strided.formats.gguf import .*", line):
            lines.append("    from strided.formats.added import read_added")
        if re.fullmatch(r' +"\.gguf": \w+,', line):
            lines.append('        ".added": read_added,')
    path.write_text("\n".join(lines))
    run(package, FORMAT_CHECK)


# ---- a dtype ----


def test_every_dtype_is_in_the_tables_of_the_tests() -> None:
    """Tests over dtypes take them from one table; one that is not in it would not be tested."""
    found = {value.name for value in vars(strided).values() if isinstance(value, strided.DType)}
    assert found == set(ALL_DTYPES)
    named = (*BOOL, *INTS, *HALVES, *FLOATS, *COMPLEX)
    assert sorted(named) == sorted(ALL_DTYPES)


# ---- names ----


def test_a_name_is_defined_once() -> None:
    from strided.ops.define import DEFINITIONS as known
    from strided.ops.define import operation

    before = dict(known)
    with pytest.raises(AssertionError, match="sum is defined twice"):

        @operation()
        def sum(x: strided.Tensor, /) -> strided.Tensor:
            return x

    assert known == before


def _with_member(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    table = ("another module", {name: property(lambda self: None)})
    monkeypatch.setattr(tensor_class, "CHAPTERS", (*tensor_class.CHAPTERS, table))


@pytest.mark.parametrize("name", ["exp", "take_along_dim", "T", "backward"])
def test_a_member_stands_in_one_place(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    _with_member(monkeypatch, name)
    with pytest.raises(RuntimeError, match=f"two definitions of .'{name}'., one in another module"):
        tensor_class.members()


def test_python_gives_no_member_that_is_native(monkeypatch: pytest.MonkeyPatch) -> None:
    _with_member(monkeypatch, "shape")
    with pytest.raises(RuntimeError, match="a native shape besides the one in Python"):
        tensor_class.attach()
    assert strided.zeros(2).shape == (2,)


def test_a_native_member_is_declared_or_defined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_members.TensorMembers, "permute", None, raising=False)
    with pytest.raises(RuntimeError, match="permute is declared as native and defined"):
        tensor_class.attach()
