"""Write ``tools/docs_site/tables/torch_names.py`` from the installed PyTorch: ``make golden``.

The table has the names that strided has too, under any of its namespaces; ``--check`` compares.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import strided
import strided.special
from strided.optim import lr_scheduler

FILE = Path(__file__).parent / "docs_site" / "tables" / "torch_names.py"
PLACES = (
    *("torch", "torch.Tensor", "torch.nn", "torch.nn.functional", "torch.nn.init"),
    *(
        "torch.nn.utils",
        "torch.linalg",
        "torch.fft",
        "torch.special",
        "torch.optim",
        "torch.optim.lr_scheduler",
    ),
    *("torch.autograd", "torch.autograd.functional", "torch.autograd.function"),
)
HEAD = '''"""Names that PyTorch {version} has too, written by ``tools/record_torch_names.py``."""

TORCH_NAMES: dict[str, str] = {{
'''


def ours() -> set[str]:
    """Return every public name, whatever namespace it is of."""
    owners = (strided, strided.Tensor, strided.nn, strided.nn.init, strided.linalg, strided.fft)
    owners = (
        *owners,
        strided.special,
        strided.optim,
        strided.autograd,
        lr_scheduler,
        strided.nn.functional,
    )
    # What is loaded later or left out on purpose is no name of ours until it is there.
    return {
        name
        for owner in owners
        for name in dir(owner)
        if not name.startswith("_") and hasattr(owner, name)
    }


def written() -> str:
    """Return the table as a Python file."""
    import torch

    names = ours()
    lines = [HEAD.format(version=torch.__version__.partition("+")[0])]
    for place in PLACES:
        owner = torch.Tensor if place == "torch.Tensor" else importlib.import_module(place)
        found = sorted(names & set(dir(owner)))
        lines.append(f'    "{place}": """\n')
        line = ""
        for name in found:
            if len(line) + len(name) > 90:
                lines.append(f"        {line.strip()}\n")
                line = ""
            line += f"{name} "
        lines.append(f'        {line.strip()}\n    """,\n')
    return "".join([*lines, "}\n"])


def main() -> int:
    """Write the file, or say whether it is what it would be."""
    text = written()
    if "--check" in sys.argv:
        return int(FILE.read_text(encoding="utf-8") != text)
    FILE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
