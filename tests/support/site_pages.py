"""The generator of the site's pages, imported from tools/ as a package."""

from __future__ import annotations

import sys

from .paths import ROOT

if str(ROOT / "tools") not in sys.path:
    sys.path.append(str(ROOT / "tools"))

from docs_site import (
    chapters,
    entry_page,
    inventory,
    markdown_page,
    navigation,
    prose,
    reference,
    repository,
    signatures,
)
from docs_site.tables import costs, descriptions, differentiable, equivalents

__all__ = [
    "chapters",
    "costs",
    "descriptions",
    "differentiable",
    "entry_page",
    "equivalents",
    "inventory",
    "markdown_page",
    "navigation",
    "prose",
    "reference",
    "repository",
    "signatures",
]
