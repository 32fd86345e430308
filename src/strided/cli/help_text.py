"""Help of commands: one example a line, and options that say what they take."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

HELP_OPTIONS = {"help_option_names": ["-h", "--help"]}


def examples(*lines: str) -> str:
    """Return the text below the options of a command.

    >>> print(examples("strided doctor", "strided doctor --json"))
    Examples:
    <BLANKLINE>
    strided doctor
    <BLANKLINE>
    strided doctor --json
    """
    # typer takes paragraphs for lines, and lines for parts of a paragraph.
    return "\n\n".join(["Examples:" if len(lines) > 1 else "Example:", *lines])


def add_command(
    app: typer.Typer, name: str, run: Callable[..., Any], *lines: str, **settings: Any
) -> None:
    """Add a command with its examples; what it does is its docstring."""
    app.command(
        name, cls=Command, help=flowing(run), epilog=examples(*lines), context_settings=settings
    )(run)


def flowing(run: Callable[..., Any]) -> str:
    """Return a docstring whose paragraphs are one line each: the terminal says where they break.

    >>> flowing(examples)[:28]
    'Return the text below the op'
    """
    paragraphs = (inspect.getdoc(run) or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _without_types(params: list[Any]) -> list[Any]:
    """Leave out what a flag takes, which is nothing, and Python's types of arguments."""
    for param in params:
        if getattr(param, "is_flag", False) and param.metavar is None:
            param.metavar = ""
        elif param.param_type_name == "argument":
            param.display_type_rich = _no_type
    return params


def _no_type(ctx: Any) -> None:
    """Show no type; releases of typer before 0.29 do not ask."""


class Command(TyperCommand):
    """A command whose flags and arguments stand without a type."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, that of the help among them."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
    """A command of commands whose flags and arguments stand without a type."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, that of the help among them."""
        return _without_types(super().get_params(ctx))
