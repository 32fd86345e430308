"""What the API reference is about: every public name, once, with what is known of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import strided
import strided.llm
import strided.special
from docs_site.signatures import Argument, Signature, of_function, of_operation
from strided import native_members, tensor_class
from strided.ops import later
from strided.ops.define import DEFINITIONS, Definition
from strided.optim import lr_scheduler

later.load_all()
PACKAGE = Path(strided.__file__).parent
# Namespaces, each with what its names begin with; the first that has an object gives its name.
# Layers that are loaded when they are named enter their definitions then.
for _name in dir(strided.nn):
    getattr(strided.nn, _name)

NAMESPACES: tuple[tuple[ModuleType, str], ...] = (
    (strided, ""),
    (strided.random, "random."),
    (strided.lib.stride_tricks, "lib.stride_tricks."),
    (strided.linalg, "linalg."),
    (strided.fft, "fft."),
    (strided.special, "special."),
    (strided.nn, "nn."),
    (strided.nn.init, "nn.init."),
    (strided.optim, "optim."),
    (lr_scheduler, "optim.lr_scheduler."),
    (strided.autograd, "autograd."),
    (strided.memory, "memory."),
    (strided.inspect, "inspect."),
    (strided.chunked, "chunked."),
    (strided.func, "func."),
    (strided.utils.data, "utils.data."),
    (strided.utils.checkpoint, "utils.checkpoint."),
    (strided.nn.utils, "nn.utils."),
    (strided.nn.utils.rnn, "nn.utils.rnn."),
    (strided.llm, "llm."),
)


@dataclass
class Entry:
    """One heading of the reference: an operation with all its names, a function, a class."""

    name: str  # below `strided`, or a definition's key
    names: list[str]  # all public names, in full, the best first
    module: str  # below `strided`, where it is written
    text: str  # the docstring
    signatures: list[Signature]
    place: tuple[str, int] | None  # file and line below the repository
    kind: str = ""  # of an operation, as its definition says
    what: str = "function"  # or "class", "method", "attribute", "constant"
    definition: Definition | None = None
    in_place: list[str] = field(default_factory=list)  # names of forms that overwrite
    members: list[Entry] = field(default_factory=list)  # of a class
    bases: list[str] = field(default_factory=list)  # of a class
    fields: tuple[str, ...] = ()  # of an error

    @property
    def home(self) -> str:
        """Its module and its name, by which it has a chapter."""
        return f"{self.module}.{self.names[0].rpartition('.')[2]}"


# ---- operations ----


def operations() -> Iterator[Entry]:
    """Yield an entry for each definition that has a public name."""
    for key, definition in DEFINITIONS.items():
        if not definition.functions and not definition.methods:
            continue
        module = module_of(definition.place[0])
        functions = [f"{definition.module}.{name}" for name in definition.functions]
        methods = [f"strided.Tensor.{name}" for name in definition.methods]
        # `add_` beside `add` is a form; `copy_` is the operation itself.
        kept = definition.kind != "in place"
        forms = [m for m in methods if kept and m.endswith("_") and not m.endswith("__")]
        elsewhere = [n for one in definition.functions.values() for n in _names_of(one)]
        names = [name for name in (*functions, *methods) if name not in forms]
        names += [name for name in elsewhere if name not in names]
        text = definition.python.__doc__ or ""
        first = next(iter([*definition.functions.values(), *definition.methods.values()]))
        if definition.op is not None and not text:
            text = first.__doc__ or ""
        yield Entry(
            name=key,
            names=names,
            module=module,
            text=inspect.cleandoc(text),
            signatures=[*_spellings(key, definition)],
            place=_below(definition.place[0], definition.place[1]),
            kind=definition.kind,
            what="attribute" if definition.attribute else "function",
            definition=definition,
            in_place=forms,
        )


def _spellings(key: str, definition: Definition) -> Iterator[Signature]:
    """Yield the signature of the function, of the method, of the in-place form."""
    shown: set[str] = set()
    for prefix, table in (
        (definition.module, definition.functions),
        ("Tensor", definition.methods),
    ):
        for name, one in table.items():
            form = name.endswith("_") and prefix == "Tensor"
            sort = f"{prefix}{form}"
            if sort in shown:
                continue
            shown.add(sort)
            called = f"x.{name}" if prefix == "Tensor" else f"{prefix}.{name}"
            yield of_operation(called, key, definition, one, name)


# ---- everything else ----


def others() -> Iterator[Entry]:
    """Yield an entry for each public function, class and constant that is no operation."""
    known = {
        id(one)
        for definition in DEFINITIONS.values()
        for one in (*definition.functions.values(), *definition.methods.values())
    }
    seen: set[int] = set()
    for owner, prefix in NAMESPACES:
        for name in sorted(owner.__all__ if prefix else dir(owner)):
            value = getattr(owner, name)
            if name.startswith("_") or (isinstance(value, ModuleType) and not callable(value)):
                continue
            if id(value) in known or id(value) in seen or value is strided.Tensor:
                continue
            # A dtype is called to convert; kinds of dtypes are NumPy's.
            if isinstance(value, strided.DType) or getattr(value, "__module__", "") == "numpy":
                continue
            if isinstance(value, type) or callable(value):
                seen.add(id(value))
                yield _of_value(prefix + name, value)


@cache
def _all_names() -> dict[int, list[str]]:
    """Return the names of every public object, by its identity."""
    made: dict[int, list[str]] = {}
    for owner, prefix in NAMESPACES:
        for name in owner.__all__ if prefix else dir(owner):
            if not name.startswith("_"):
                made.setdefault(id(getattr(owner, name)), []).append(f"strided.{prefix}{name}")
    return made


def _names_of(value: Any) -> list[str]:
    return _all_names().get(id(value), [])


def _of_value(name: str, value: Any) -> Entry:
    what = "class" if isinstance(value, type) else "function"
    entry = Entry(
        name=name,
        names=list(dict.fromkeys([f"strided.{name}", *_names_of(value)])),
        module=_home(name, value),
        text=text_of(value),
        signatures=[],
        place=place_of(value),
        what=what,
    )
    if isinstance(value, type):
        bases = [base for base in value.__bases__ if base is not object]
        entry.bases = [base.__name__ for base in bases]
        entry.fields = tuple(getattr(value, "_fields", ())) if _is_error(value) else ()
        entry.members = [*_members(name, value)]
    if not (isinstance(value, type) and (_is_error(value) or value is strided.DType)):
        entry.signatures = of_function(f"strided.{name}", name, value)
    return entry


def _is_error(value: type) -> bool:
    return issubclass(value, BaseException)


def _home(name: str, value: Any) -> str:
    """Return the module of a value as the table of chapters has it."""
    module = str(getattr(value, "__module__", "strided"))
    if isinstance(value, ModuleType):
        module = value.__name__
    module = module.removeprefix("strided").lstrip(".")
    if name.startswith("nn.init."):
        return "nn.init"
    if isinstance(value, type) and name.startswith("nn."):
        return "nn.modules"
    return f"_native.{name}" if module in ("", "_native") else module


def _members(owner: str, value: type) -> Iterator[Entry]:
    """Yield the public methods and attributes that a class has itself, or by a private base."""
    # A base that has no public name is a part of the class.
    parts = [
        base
        for base in value.__bases__
        if base.__module__.startswith("strided.")
        and not any(hasattr(place, base.__name__) for place, _ in NAMESPACES)
    ]
    made: dict[str, Any] = {}
    for one in (*parts, value):
        made |= {name: member for name, member in vars(one).items() if not name.startswith("_")}
    for name, member in made.items():
        bare = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if not callable(bare) and not inspect.isdatadescriptor(bare):
            continue
        text = text_of(bare)
        if not text or text.startswith("Alias for field"):
            continue  # a field, or what the class says of all its kind (forward)
        is_method = callable(bare)
        yield Entry(
            name=f"{owner}.{name}",
            names=[f"strided.{owner}.{name}"],
            module="",
            text=text,
            signatures=of_function(name, f"{owner}.{name}", bare) if is_method else [],
            place=place_of(bare),
            what="method" if is_method else "attribute",
        )


# ---- class Tensor ----


def tensor_members() -> Iterator[Entry]:
    """Yield the attributes and methods of Tensor that are no operations."""
    native = {n: v for n, v in vars(native_members.TensorMembers).items() if n[0] != "_"}
    python = {
        name: member
        for module, table in tensor_class.CHAPTERS
        if module != "definitions"
        for name, member in table.items()
        if not name.startswith("_")
    }
    for name, member in {**native, **python}.items():
        is_method = callable(member)
        yield Entry(
            name=f"Tensor.{name}",
            names=[f"strided.Tensor.{name}"],
            module="tensor_class",
            text=text_of(member),
            signatures=of_function(f"x.{name}", f"Tensor.{name}", member) if is_method else [],
            place=place_of(member),
            what="method" if is_method else "attribute",
        )


# ---- facts ----


def text_of(value: Any) -> str:
    """Return the docstring, without the signature that nanobind puts in front."""
    if hasattr(value, "__nb_signature__"):
        return inspect.cleandoc(value.__nb_signature__[-1][1] or "")
    return inspect.cleandoc(value.__doc__ or "") if value.__doc__ != type(value).__doc__ else ""


def place_of(value: Any) -> tuple[str, int] | None:
    """Return where something is written in Python; None where it is native."""
    value = value.fget if isinstance(value, property) else value
    if isinstance(value, ModuleType):
        return _below(str(value.__file__), 1)
    try:
        value = inspect.unwrap(value)
        return _below(str(inspect.getsourcefile(value)), inspect.getsourcelines(value)[1])
    except (TypeError, OSError, ValueError):
        return None


def _below(file: str, line: int) -> tuple[str, int] | None:
    path = Path(file)
    return (
        (str(Path("src/strided") / path.relative_to(PACKAGE)), line)
        if PACKAGE in path.parents
        else None
    )


def module_of(file: str) -> str:
    """Return the module of a file of the package, below ``strided``."""
    return ".".join(Path(file).relative_to(PACKAGE).with_suffix("").parts)


def all_entries() -> list[Entry]:
    """Return every entry: operations, then the rest, without members of Tensor."""
    return [*operations(), *others()]


def all_arguments() -> list[tuple[str, str]]:
    """Return the owner and the name of every argument that the reference has a line for."""
    found: list[tuple[str, str]] = []

    def visit(entry: Entry) -> None:
        for signature in entry.signatures:
            found.extend((entry.name, argument.name) for argument in signature.arguments)
        for member in entry.members:
            visit(member)

    for entry in (*all_entries(), *tensor_members()):
        visit(entry)
    return list(dict.fromkeys(found))


def arguments_of(entry: Entry) -> list[Argument]:
    """Return the arguments of all spellings, each once, in the order of the first that has it."""
    made: dict[str, Argument] = {}
    for signature in entry.signatures:
        for argument in signature.arguments:
            if argument.name in made:
                made[argument.name] = made[argument.name].joined(argument)
            else:
                made[argument.name] = argument
    return list(made.values())


def short(name: str) -> str:
    """Return what a heading shows of a name.

    >>> short("strided.Tensor.sum"), short("strided.nn.Linear")
    ('Tensor.sum', 'nn.Linear')
    """
    return re.sub(r"^strided\.", "", name)
