"""Copies of a PyTorch program, traced by torch's function and dispatch modes.

Two modes of PyTorch work together. The function mode knows which call the program wrote, the
dispatch mode which operations that call became. An operation that copies (by torch_copies.py)
is one event, of the bytes it wrote. Views and conversions that change nothing never arrive here.
What one kernel does inside is not seen, and neither are copies that NumPy makes.
"""

from __future__ import annotations

import functools
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from strided._native import Layout
from strided.copies.report import CopiedElements, CopyEvent, CopyReport
from strided.errors import MissingExtra
from strided.inspect.torch_copies import (
    CLONE,
    CONTIGUOUS,
    CONVERT,
    KINDS,
    TRANSFER,
    CopyKind,
    Place,
    Places,
    kind_of_clone,
)

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class TorchCopyEvent(CopyEvent):
    """A copy of a PyTorch tensor: also the call it happened in, and the path of the module."""

    library: str = "torch"
    call: str = ""
    module: str = ""

    @property
    def line(self) -> str:
        """The file and line; files of installed packages begin with the name of the package."""
        return re.sub(r"^.*[/\\](site|dist)-packages[/\\]", "", super().line)


# In inference mode reshape, to, matmul and their like arrive whole: their parts are looked at.
COMPOSITE = CopyKind("", "")


class TorchWatch:
    """Adds the copies of PyTorch tensors to a report, from ``start`` to ``stop``."""

    def __init__(self, report: CopyReport, user: bool, within: str | None) -> None:
        self._report = report
        self._places = Places(user, within)
        self._calls = threading.local()
        self._kinds: dict[Any, CopyKind | None] = {}
        self._active = False
        self._opened: list[Any] = []
        self._thread: int | None = None

    # ---- on and off ----

    def start(self) -> None:
        """Watch this thread, and the threads that are started from now on."""
        self._active = True
        self._thread = threading.get_ident()
        self._places.learn()
        self._profile_before = threading.getprofile()
        threading.setprofile(self._first_event_of_thread)
        self._opened = self._open_modes()

    def stop(self) -> None:
        """Watch no more. Other threads keep their modes, which let everything pass from now on."""
        if not self._active:
            return
        self._active = False
        threading.setprofile(self._profile_before)
        if threading.get_ident() == self._thread:
            for mode in reversed(self._opened):
                close_mode(mode)

    def _first_event_of_thread(self, frame: FrameType, event: str, argument: Any) -> None:
        # Modes belong to a thread, and this is the first that is heard of a new one.
        sys.setprofile(self._profile_before)
        if self._active:
            self._open_modes()

    def _open_modes(self) -> list[Any]:
        modes = make_modes(self.call, self.operation)
        for mode in modes:
            mode.__enter__()
        return modes

    # ---- what the modes tell ----

    def call(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Run a call that the program wrote, and remember its name meanwhile."""
        before = getattr(self._calls, "name", "")
        self._calls.name = _name_of(function)
        try:
            return function(*args, **kwargs)
        finally:
            self._calls.name = before

    def operation(self, mode: Any, function: Any, args: Any, kwargs: Any) -> Any:
        """Run an operation, and report it if it copies."""
        try:
            kind = self._kinds[function]
        except KeyError:
            kind = self._kinds[function] = _kind_of(function)
        if kind is None or not self._active:
            return function(*args, **kwargs)
        if kind is COMPOSITE:
            with mode:
                return function._op_dk(composite_key(), *args, **kwargs)
        result = function(*args, **kwargs)
        self._see(kind, args, kwargs, result)
        return result

    def _see(self, kind: CopyKind, args: Any, kwargs: Any, result: Any) -> None:
        call = getattr(self._calls, "name", "")
        ordered = kwargs.get("memory_format") is not None
        if kind is CLONE:
            kind = kind_of_clone(call, ordered)
        sources = _tensors(args)
        written = _tensors([result if kind.counted is None else args[kind.counted]])
        if not sources or not written or not all(map(_has_memory, [*sources, *written])):
            return
        if kind is CONVERT:
            kind = _kind_of_conversion(sources[0], written[0], ordered)
        source = sources[-1] if kind.reason == "assign" else sources[0]
        if kind.reason == "assign" and (source.numel() == 1 or source is sources[0]):
            return  # a single value, or a tensor written to itself
        nbytes = sum(tensor.numel() * tensor.element_size() for tensor in written)
        if nbytes == 0:
            return
        place = self._places.of(sys._getframe(1))
        if place is not None:
            self._report.add(_event(kind, nbytes, call, source, written[0], place))


def _kind_of(function: Any) -> CopyKind | None:
    import torch

    kind = KINDS.get(function._schema.name)
    if kind is not None:
        return kind
    # The kernel itself: OpOverload.decompose() may take another way, with copies of its own.
    has_parts = torch._C._dispatch_has_kernel_for_dispatch_key(function.name(), composite_key())
    return COMPOSITE if has_parts else None


def _event(
    kind: CopyKind, nbytes: int, call: str, source: Tensor, target: Tensor, place: Place
) -> TorchCopyEvent:
    return TorchCopyEvent(
        reason=kind.reason,
        nbytes=nbytes,
        asked_for=kind.asked_by(call),
        hint=kind.hint,
        source=_elements_of(source),
        target=_elements_of(target),
        filename=place.filename,
        lineno=place.lineno,
        function=place.function,
        thread=place.thread,
        call=call,
        module=place.module,
    )


def _kind_of_conversion(source: Tensor, result: Tensor, ordered: bool) -> CopyKind:
    if source.device != result.device:
        return TRANSFER
    if source.dtype != result.dtype:
        return CONVERT
    return CONTIGUOUS if ordered else CLONE


def _tensors(values: Any) -> list[Tensor]:
    """Return the tensors among some values, those in lists too."""
    import torch

    found: list[Tensor] = []
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (list, tuple)):
            found.extend(_tensors(value))
    return found


def _has_memory(tensor: Tensor) -> bool:
    """Return whether a tensor has strided memory: not sparse, meta or one that is only traced."""
    import torch

    if tensor.layout is not torch.strided or tensor.device.type == "meta":
        return False
    return type(tensor).__name__ not in ("FakeTensor", "FunctionalTensor")


def _elements_of(tensor: Tensor) -> CopiedElements:
    layout = Layout(tuple(tensor.shape), tuple(tensor.stride()), tensor.storage_offset())
    device = "cpu" if tensor.device.type == "cpu" else str(tensor.device)
    return CopiedElements(layout, str(tensor.dtype).removeprefix("torch."), device)


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "")
    if name in ("__get__", "__set__"):  # a property such as .T
        name = getattr(getattr(function, "__self__", None), "__name__", name)
    return str(name)


# ---- PyTorch's two kinds of mode, as functions that are called for everything it does ----
# The classes can only be made when torch is imported, which this library never does by itself.

# function, args, kwargs -> result; the second kind is also given its mode, to enter it again
Call = Callable[[Any, Any, Any], Any]
Operation = Callable[[Any, Any, Any, Any], Any]


def make_modes(call: Call, operation: Operation) -> list[Any]:
    """Return a mode that passes on each call of the program, and one for each operation."""
    return [kind(act) for kind, act in zip(_mode_types(), (call, operation), strict=True)]


def close_mode(mode: Any) -> None:
    """Leave a mode, unless the program has entered one on top that it never left."""
    from torch.overrides import _get_current_function_mode
    from torch.utils._python_dispatch import _get_current_dispatch_mode

    if mode in (_get_current_function_mode(), _get_current_dispatch_mode()):
        mode.__exit__(None, None, None)


def composite_key() -> Any:
    """Return the key of kernels that are made of other operations."""
    import torch

    return torch._C.DispatchKey.CompositeImplicitAutograd


@functools.cache
def _mode_types() -> tuple[type[Any], type[Any]]:
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class FunctionMode(TorchFunctionMode):  # type: ignore[misc]  # Any, without torch
        def __init__(self, call: Call) -> None:
            super().__init__()
            self._call = call

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return self._call(func, args, kwargs or {})

    class DispatchMode(TorchDispatchMode):  # type: ignore[misc]
        def __init__(self, operation: Operation) -> None:
            super().__init__()
            self._operation = operation

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return self._operation(self, func, args, kwargs or {})

    return FunctionMode, DispatchMode


# ---- waiting for the program to import PyTorch ----


class _Finder(MetaPathFinder):
    """Finds one module as all others would, and acts after its code has run."""

    def __init__(self, name: str, action: Callable[[], None]) -> None:
        self._name, self._action = name, action

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            self._act_after(spec.loader)
        return spec

    def _act_after(self, loader: Any) -> None:
        run = loader.exec_module

        def run_and_act(module: ModuleType) -> None:
            del loader.exec_module
            run(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
                self._action()

        loader.exec_module = run_and_act


@contextmanager
def when_imported(name: str, action: Callable[[], None]) -> Iterator[None]:
    """Call ``action`` once the module is imported, now if it is there already.

    >>> import sys
    >>> _ = sys.modules.pop("this_module_is_not_there", None)
    >>> with when_imported("sys", lambda: print("imported")):
    ...     pass
    imported
    """
    if name in sys.modules:
        action()
        yield
        return
    finder = _Finder(name, action)
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)


@contextmanager
def trace_torch(
    report: CopyReport | None = None,
    *,
    user: bool = False,
    within: str | None = None,
    wait: bool = False,
) -> Iterator[CopyReport]:
    """Record every copy of PyTorch tensors inside a ``with`` block, with its line and hint.

    Events go to ``report``, or to a new one. Their line is the innermost one outside PyTorch; with
    ``user=True`` it is the innermost one outside all installed packages. ``within="decode"`` counts
    only what happens while a function of that name runs. PyTorch is imported, unless ``wait`` is
    true: then the watch begins when the program imports it. Threads started inside are watched too.

    >>> import importlib.util, strided
    >>> if importlib.util.find_spec("torch"):
    ...     import torch
    ...     x = torch.zeros(2, 3)
    ...     with strided.inspect.trace_torch() as report:
    ...         y = x.T.reshape(6)
    ...     assert [(e.reason, e.nbytes, e.lineno) for e in report.events] == [("reshape", 24, 5)]
    """
    found = CopyReport() if report is None else report
    watch = TorchWatch(found, user, within)
    with ExitStack() as stack:
        if wait:
            stack.enter_context(when_imported("torch", watch.start))
        else:
            try:
                import torch  # noqa: F401
            except ImportError as error:
                raise MissingExtra(
                    operation="tracing PyTorch", package="torch", extra="torch"
                ) from error
            watch.start()
        stack.callback(watch.stop)
        yield found
