"""In how many files of the product the name of an operation stands by hand, and that it is few."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.paths import ROOT
from support.places import places

# One of each family. What an operation needs is a kernel, a definition and a primitive or, for
# views, a function of layouts: three files. Lists of PyTorch's names elsewhere are a fourth.
MOST = {"logaddexp": 2, "logsumexp": 4, "flip": 3, "take_along_axis": 1, "layer_norm": 4}


@pytest.mark.parametrize("name", MOST)
def test_an_operation_stands_in_few_files(name: str) -> None:
    found = places(ROOT, name)
    assert 0 < len(found) <= MOST[name], found


TREE = {
    "src/defined.py": "def flip(x): ...",
    "src/private.py": "def _flip(x): ...",
    "src/imported.py": "from views import flip",
    "src/listed.py": 'NAMES = "T flip permute".split()',
    "src/named.py": 'call("flip")',
    "core/function.cpp": "Layout flip(const Layout& x) {\n}",
    "core/named.cpp": 'throw refused("flip", x);',
    "src/called.py": "x.flip(0); views.flip(x)",
    "src/described.py": '"""What flip does."""\nclass X:\n    """Like flip."""\n',
    "src/text.py": 'print(".flip(2) mirrors")',
    "src/stub.pyi": "def flip(x): ...",
    "core/commented.cpp": "// bits to flip\nint x = flip(y);",
    "core/other.cpp": 'Layout flipped(const Layout& x);\nrefused("flipped");',
}


def test_what_counts(tmp_path: Path) -> None:
    for name, text in TREE.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert places(tmp_path, "flip") == sorted(list(TREE)[:7])
