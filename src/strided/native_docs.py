"""Docstrings of the native functions, methods and attributes, where they can be read and run."""

from __future__ import annotations


def document() -> None:
    """Give every native name its docstring."""
