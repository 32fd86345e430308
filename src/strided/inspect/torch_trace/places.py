"""Source location of a PyTorch operation: line of the program, module of the model, thread.

Frames of PyTorch, of Python's own library and of this one are passed over. Asked only when
something was copied, so that visiting the whole stack is affordable.
"""

from __future__ import annotations

import os
import sysconfig
import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

_OURS = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..")) + os.sep
# A traced program begins above the frames of the command that runs it.
_COMMAND = _OURS + "cli" + os.sep
_STANDARD = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))


@dataclass(frozen=True)
class Place:
    """A line of the program, the module of the model that is at work, and the thread."""

    filename: str
    lineno: int
    function: str
    thread: str
    module: str


class Places:
    """Finds places: the innermost line outside PyTorch, or outside every installed package."""

    def __init__(self, user: bool, within: str | None) -> None:
        self._user = user
        self._within = within
        self._passed_over: dict[CodeType, bool] = {}
        self._call_module: CodeType | None = None
        self._torch = ""
        self._names: weakref.WeakKeyDictionary[Any, dict[int, str]] = weakref.WeakKeyDictionary()

    def learn(self) -> None:
        """Look up what can only be known once PyTorch is imported."""
        import torch

        self._torch = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
        self._call_module = torch.nn.Module._call_impl.__code__

    def of(self, frame: FrameType | None) -> Place | None:
        """Return the place of a frame; None where it is not within the function asked for."""
        if self._within is not None and not runs_within(frame, self._within):
            return None
        found: FrameType | None = None
        main: FrameType | None = None
        modules: list[Any] = []
        for step in frames_of_program(frame):
            if step.f_code is self._call_module:
                modules.append(step.f_locals.get("self"))
            elif found is None and not self._is_passed_over(step.f_code):
                found = step
            if main is None and step.f_globals.get("__name__") == "__main__":
                main = step
        thread = threading.current_thread().name
        module = self._name_of(modules)
        best = found or main
        if best is None:  # a thread of PyTorch's own, such as the backward pass of a device
            return Place(f"<thread {thread}>", 0, "", thread, module)
        code = best.f_code
        return Place(code.co_filename, best.f_lineno, _qualified_name(code), thread, module)

    def _is_passed_over(self, code: CodeType) -> bool:
        try:
            return self._passed_over[code]
        except KeyError:
            answer = self._passed_over[code] = self._has_no_interest(code.co_filename)
            return answer

    def _has_no_interest(self, filename: str) -> bool:
        if filename.startswith("<frozen "):
            return True
        filename = os.path.abspath(filename)
        if filename.startswith(_OURS):
            return filename != _OURS + "demo.py"
        if filename.startswith(self._torch) or is_standard(filename):
            return True
        return self._user and is_installed(filename)

    def _name_of(self, modules: list[Any]) -> str:
        """Return the path of the innermost of the running modules below the outermost one."""
        if not modules:
            return ""
        inner, root = modules[0], modules[-1]
        names = self._names.get(root)
        if names is None or id(inner) not in names:
            names = self._names[root] = {id(m): name for name, m in root.named_modules()}
        return names.get(id(inner)) or type(inner).__name__


def frames_of_program(frame: FrameType | None) -> Iterator[FrameType]:
    """Yield the frames from the innermost to where the program began."""
    while frame is not None and not frame.f_code.co_filename.startswith(_COMMAND):
        yield frame
        frame = frame.f_back


def runs_within(frame: FrameType | None, function: str) -> bool:
    """Return whether a function of that name, plain or qualified, is running.

    >>> import sys
    >>> def decode():
    ...     return runs_within(sys._getframe(), "decode")
    >>> decode(), runs_within(sys._getframe(), "decode")
    (True, False)
    """
    codes = (step.f_code for step in frames_of_program(frame))
    return any(function in (code.co_name, _qualified_name(code)) for code in codes)


def _qualified_name(code: CodeType) -> str:
    return str(getattr(code, "co_qualname", code.co_name))  # known since Python 3.11


def is_installed(filename: str) -> bool:
    """Return whether a file belongs to an installed package.

    >>> import numpy
    >>> is_installed(numpy.__file__), is_installed("/home/user/train.py")
    (True, False)
    """
    return bool({"site-packages", "dist-packages"} & set(filename.split(os.sep)))


def is_standard(filename: str) -> bool:
    """Return whether a file belongs to Python itself.

    >>> import json, numpy
    >>> is_standard(json.__file__), is_standard(numpy.__file__)
    (True, False)
    """
    return filename.startswith(_STANDARD) and not is_installed(filename)
