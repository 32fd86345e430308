"""Write ``tools/docs_site/tables/torch_surface.py`` from the installed PyTorch: ``make golden``.

The table has all public names of the namespaces that strided follows; ``--check`` compares.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import textwrap
from pathlib import Path

FILE = Path(__file__).parent / "docs_site" / "tables" / "torch_surface.py"
PLACES = ("torch.Tensor", "torch", "torch.linalg", "torch.fft", "torch.special")
HEAD = '''"""All names that PyTorch {version} has, written by ``tools/record_torch_surface.py``."""

TORCH_SURFACE: dict[str, str] = {{
'''


def written() -> str:
    """Return the table as a Python file."""
    import torch

    lines = [HEAD.format(version=torch.__version__.partition("+")[0])]
    for place in PLACES:
        owner = torch.Tensor if place == "torch.Tensor" else importlib.import_module(place)
        # Which of PyTorch's modules are there depends on what was imported before.
        names = sorted(
            name
            for name in dir(owner)
            if not name.startswith("_") and not inspect.ismodule(getattr(owner, name, None))
        )
        text = textwrap.fill(
            " ".join(names),
            width=98,
            initial_indent=" " * 8,
            subsequent_indent=" " * 8,
            break_on_hyphens=False,
            break_long_words=False,
        )
        lines.append(f'    "{place}": """\n{text}\n    """,\n')
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
