"""PyTorch operations that copy, by their names in aten, and the lines of a program that run them.

aten knows fewer operations than users do: ``contiguous()``, ``reshape()`` and the operand of a
product that had to be made contiguous are all ``clone`` there. What tells them apart is the call
that the program wrote. A row says which calls mean "copy"; the same operation inside any other call
is a hidden copy.
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

_OURS = os.path.abspath(os.path.join(os.path.dirname(__file__), "..")) + os.sep
# A traced program begins above the frames of the command that runs it.
_COMMAND = _OURS + "cli" + os.sep
_STANDARD = tuple(sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib"))


@dataclass(frozen=True)
class CopyKind:
    """Why an operation copies, what helps, and whose bytes are counted.

    ``calls`` are those by which a program asks for such a copy; None stands for any. ``counted``
    is the number of an argument; None stands for the result.
    """

    reason: str
    hint: str
    calls: frozenset[str] | None = None
    counted: int | None = None

    def asked_by(self, call: str) -> bool:
        """Return whether a call by that name means this copy."""
        return self.calls is None or call in self.calls


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLONE = CopyKind(
    "clone", "drop the clone if nobody writes to the result", _names("clone tensor to")
)
CONTIGUOUS = CopyKind("contiguous", "drop .contiguous() where the consumer takes strides")
RESHAPE = CopyKind(
    "reshape",
    "reshape before permuting, or use .view() to be told when it would copy",
    _names(""),
)
OPERAND = CopyKind(
    "operand",
    "pass an operand whose axes merge (not expanded, not permuted between them)",
    _names(""),
)
REPEAT = CopyKind("repeat", "use .expand() where the repeats are only read")
CONVERT = CopyKind(
    "convert",
    "create the tensor in that dtype, or keep one dtype through the block",
    _names(
        "to type type_as float double half bfloat16 int long short char byte bool cfloat cdouble "
        "chalf"
    ),
)
TRANSFER = CopyKind(
    "transfer", "create the tensor on that device", _names("to cpu cuda xpu mps pin_memory")
)
ASSIGN = CopyKind(
    "assign",
    "compute into the destination with out=",
    _names("copy_ _foreach_copy_ __setitem__ __deepcopy__ index_copy_ index_put_ put_"),
    counted=0,
)
JOIN = CopyKind(
    "join",
    "allocate the result first and write the parts into slices of it",
    _names(
        "cat concat concatenate stack hstack vstack dstack column_stack row_stack block_diag "
        "_chunk_cat"
    ),
)
PICKED = CopyKind(
    "gather",
    "use a slice or .narrow() where the positions are regular",
    _names("gather index_select take take_along_dim masked_select embedding"),
)
MOVED = CopyKind("flip", "keep the order and index from the other end: PyTorch has no such view")
PADDED = CopyKind("pad", "allocate the padded tensor first and write into its middle")
WINDOWS = CopyKind("windows", "use Tensor.unfold, which is a view, where windows are only read")
CHANGED = CopyKind("scatter", "use the in-place form where the original is no longer needed")

# Names in aten, without overloads. What is not here computes something, or is a view.
_ROWS: tuple[tuple[CopyKind, str], ...] = (
    (CLONE, "clone"),
    (CONVERT, "_to_copy"),
    (TRANSFER, "_pin_memory"),
    (ASSIGN, "copy_ _foreach_copy_"),
    (JOIN, "cat stack _chunk_cat block_diag"),
    (REPEAT, "repeat repeat_interleave"),
    (PICKED, "index gather index_select take masked_select embedding _unsafe_index"),
    (MOVED, "flip roll"),
    (
        PADDED,
        "constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d "
        "replication_pad2d replication_pad3d",
    ),
    (WINDOWS, "im2col"),
    (RESHAPE, "pixel_shuffle pixel_unshuffle channel_shuffle"),
    (
        CHANGED,
        "index_put index_copy index_fill scatter slice_scatter select_scatter diagonal_scatter "
        "as_strided_scatter masked_scatter",
    ),
    # Views that were asked for as copies, as functionalised programs do.
    (
        CLONE,
        "view_copy expand_copy permute_copy slice_copy select_copy t_copy transpose_copy "
        "as_strided_copy squeeze_copy unsqueeze_copy unfold_copy unbind_copy split_copy "
        "split_with_sizes_copy detach_copy diagonal_copy narrow_copy alias_copy copy",
    ),
)
# In place: what is duplicated are the elements of one argument, not the whole target.
_READ = {"index_put_": 2, "index_copy_": 3, "_index_put_impl_": 2, "put_": 2}

KINDS: dict[str, CopyKind] = {
    **{f"aten::{name}": kind for kind, names in _ROWS for name in names.split()},
    **{
        f"aten::{name}": CopyKind(ASSIGN.reason, ASSIGN.hint, ASSIGN.calls, place)
        for name, place in _READ.items()
    },
}

# In a backward pass the views of the forward pass are undone by reshaping.
_RESHAPES = _names("reshape reshape_as flatten ravel unflatten backward grad")


def kind_of_clone(call: str, ordered: bool) -> CopyKind:
    """Return what a clone is, from the call it was made in and whether it asked for an order.

    >>> kind_of_clone("reshape", True).reason, kind_of_clone("matmul", True).reason
    ('reshape', 'operand')
    """
    if call == "contiguous":
        return CONTIGUOUS
    if call == "repeat_interleave":
        return REPEAT
    if not ordered or call == "clone":
        return CLONE
    return RESHAPE if call in _RESHAPES or not call else OPERAND


# ---- places: line of the program, module of the model, thread ----
# Frames of PyTorch, of Python's own library and of this one are passed over. Asked only when
# something was copied, so that visiting the whole stack is affordable.


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
