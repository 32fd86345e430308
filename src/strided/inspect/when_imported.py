"""Acts as soon as a module has been imported, whoever imports it; never imports it itself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


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
