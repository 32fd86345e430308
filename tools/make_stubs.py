"""Write ``src/strided/_native.pyi`` and ``src/strided/__init__.pyi``; ``--check`` only compares.

Signatures come from where they are kept: ``strided.native_members`` for native names, definitions
and the annotations of Python functions for what is attached to Tensor, nanobind for Layout.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stub_signatures import INTERNAL, TENSOR_INTERNAL, operators
from stub_text import Names, signature_of, written

import strided
from strided import _native
from strided.native_members import OVERLOADS, DTypeMembers, TensorMembers
from strided.ops import later
from strided.ops.define import DEFINITIONS, Definition
from strided.ops.left_out import TENSOR as left_out_of_tensor
from strided.tensor_class import members

HOME = Path(__file__).resolve().parents[1] / "src" / "strided"
HEADER = "# Written by tools/make_stubs.py (make stubs).\n"
# Names that signatures use, and where stubs get them from.
SOURCES = {
    "Any": "typing",
    "final": "typing",
    "Literal": "typing",
    "NoReturn": "typing",
    "overload": "typing",
    "Self": "typing_extensions",
    "TypeAlias": "typing",
    **dict.fromkeys(("Callable", "Iterator", "Sequence"), "collections.abc"),
    "ModuleType": "types",
    "Signature": "inspect",
    "CopyForecast": "strided.copies.forecast",
    "MemoryLayout": "strided.memory_layout",
    "Storage": "strided.memory",
    **dict.fromkeys(("FlatElements", "Flags"), "strided.numpy_names.array_members"),
    **dict.fromkeys(("Size", "Strides"), "strided.memory_layout"),
    **dict.fromkeys(("Found", "Moments"), "strided.ops.distributions"),
    "SlogdetResult": "strided.linalg.matrix_functions",
    "Extreme": "strided.ops.extremes",
    "Extremes": "strided.ops.extremes",
    "Ordered": "strided.ops.sorting",
    **dict.fromkeys(
        ("UniqueAllResult", "UniqueCountsResult", "UniqueInverseResult"), "strided.ops.sets"
    ),
    "Generator": "strided.ops.random_tensors",
    "Drawing": "strided.inspect.drawing",
    "Handle": "strided.autograd.graph",
    "Node": "strided.autograd.graph",
    "Rule": "strided.ops.gradients",
    "Limits": "strided.inspect.storage_picture",
    **dict.fromkeys(("FloatLimits", "IntegerLimits"), "strided.ops.data_types"),
}
ALIASES = """
_DTypeLike: TypeAlias = DType | str | type[Any] | np.dtype[Any]
_MemoryFormat: TypeAlias = MemoryLayout | str | Sequence[int]
"""


def imports(body: str, local: set[str]) -> str:
    """Return the import lines that a stub's body needs."""
    used = set(re.findall(r"[A-Za-z_]\w*", body))
    wanted: dict[str, list[str]] = {}
    for name in sorted((used & SOURCES.keys()) - local):
        wanted.setdefault(SOURCES[name], []).append(name)
    lines = ["import builtins"] if "builtins." in body else []
    for module in ("collections.abc", "inspect", "types", "typing"):
        if module in wanted:
            lines.append(f"from {module} import {', '.join(wanted.pop(module))}")
    third = ["import numpy as np"] if "np." in body else []
    if "typing_extensions" in wanted:
        third.append(f"from typing_extensions import {', '.join(wanted.pop('typing_extensions'))}")
    own = [f"from {module} import {', '.join(names)}" for module, names in sorted(wanted.items())]
    return "\n\n".join("\n".join(group) for group in (lines, third, own) if group) + "\n"


# ---- native definitions ----


def with_self(signature: str) -> str:
    """Return a signature of ``stub_signatures`` with self in front."""
    if signature.startswith("(cls"):
        return signature
    return "(self" + signature[1:] if signature.startswith("()") else "(self, " + signature[1:]


def overloads(
    name: str, signatures: list[str], shadowed: set[str], indent: str, scope: Any = None
) -> Iterator[str]:
    """Yield the definitions of one name, one per signature."""
    for signature in signatures:
        if len(signatures) > 1:
            yield f"{indent}@overload"
        yield written(name, signature, shadowed, indent, scope)


def attribute(
    name: str, annotation: str, shadowed: set[str], scope: Any = None, settable: bool = False
) -> str:
    """Return a property, read-only unless said."""
    kind = ast.unparse(Names(shadowed, scope).visit(ast.parse(annotation, mode="eval").body))
    text = f"    @property\n    def {name}(self) -> {kind}: ..."
    if settable:
        text += f"\n    @{name}.setter\n    def {name}(self, value: {kind}) -> None: ..."
    return text


def declared(owner: type, shadowed: set[str]) -> Iterator[str]:
    """Yield the members that ``native_members`` declares of a class."""
    for name, member in vars(owner).items():
        if isinstance(member, property):
            getter: Any = member.fget
            yield attribute(name, getter.__annotations__["return"], shadowed)
        elif isinstance(member, types.FunctionType):
            signatures = list(OVERLOADS.get(name, (signature_of(member, is_method=True),)))
            yield from overloads(name, signatures, shadowed, "    ")


def chapter_of(member: Any) -> str:
    """Return the file of the package in which a member of Tensor is written."""
    member = member.fget if isinstance(member, property) else member
    definition = getattr(member, "definition", member)
    if isinstance(definition, Definition):
        file, _ = definition.place
    else:
        file = inspect.unwrap(member).__code__.co_filename
    return Path(file).relative_to(Path(strided.__file__).parent).as_posix()


# ---- the classes ----


def tensor_class(shadowed: set[str]) -> Iterator[str]:
    """Yield the lines of class Tensor."""
    shadowed = shadowed | set(vars(_native.Tensor))
    yield "class Tensor:"
    yield from declared(TensorMembers, shadowed)
    yield attribute("_version", "int", shadowed)
    yield attribute("_track", "Any", shadowed, settable=True)
    yield attribute("_apart", "int", shadowed, settable=True)
    yield attribute("_root", "Tensor", shadowed)
    for name, signature in operators().items():
        yield written(name, with_self(signature), shadowed, "    ")
    for name, signature in TENSOR_INTERNAL.items():
        yield written(name, with_self(signature), shadowed, "    ")
    native = {name: one for one in DEFINITIONS.values() for name in one.native}
    # What is loaded later comes in its own order, whoever loaded it.
    order = {module: place for place, module in enumerate(LATER, 1)}

    def place_of(item: tuple[str, Any]) -> int:
        member = item[1].fget if isinstance(item[1], property) else item[1]
        definition = getattr(member, "definition", None)
        return 0 if definition is None else order.get(definition.python.__module__, 0)

    attached = dict(sorted(members().items(), key=place_of))
    chapter = ""
    for name, member in attached.items():
        # Where a reader who was led here by an editor finds the definition.
        before, chapter = chapter, chapter_of(native.get(name, member))
        if chapter != before:
            yield f"\n    # ---- {chapter} ----"
        if isinstance(member, property):
            getter: Any = member.fget
            scope = inspect.unwrap(getter).__globals__
            settable = member.fset is not None
            yield attribute(name, getter.__annotations__["return"], shadowed, scope, settable)
        elif isinstance(member, types.GetSetDescriptorType):
            yield attribute(name, native[name].python.__annotations__["return"], shadowed)
        elif name in native:
            yield from overloads(name, list(native[name].overloads), shadowed, "    ")
        else:
            scope = inspect.unwrap(member).__globals__
            signatures = [signature_of(member, is_method=True)]
            if isinstance(member, _native.Operation) and member.definition.overloads:
                signatures = list(member.definition.overloads)
            yield from overloads(name, signatures, shadowed, "    ", scope)


# Classes that Python builds gradients on.
GRAPH = """
@final
class Operation:
    @property
    def definition(self) -> Any: ...
    @property
    def keywords(self) -> tuple[tuple[str, ...], ...]: ...
    @property
    def defaults(self) -> tuple[Any, ...]: ...
    @property
    def positional(self) -> int: ...
    @property
    def is_method(self) -> builtins.bool: ...
    @property
    def __signature__(self) -> Signature: ...
    __name__: str
    __wrapped__: Any
    def __new__(
        cls,
        definition: Any,
        name: str,
        keywords: tuple[tuple[str, ...], ...],
        defaults: tuple[Any, ...],
        positional: int,
        operands: int,
        is_method: builtins.bool,
        has_rule: builtins.bool,
        in_place: builtins.bool,
        run: str | Callable[..., Any] | None,
        named: tuple[str, ...] | None,
        op: int | None,
        result: type[Any] | None = None,
        fill: Callable[..., Any] | None = None,
        forms: tuple[tuple[Any, ...] | None, ...] | None = None,
        /,
    ) -> Self: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def compute(self, *values: Any) -> Any: ...

@final
class RecordedCall:
    @property
    def output(self) -> Any: ...
    @property
    def tensors(self) -> list[Tensor]: ...
    @property
    def edges(self) -> tuple[Any, ...]: ...
    @property
    def keeps(self) -> builtins.bool: ...
    def __new__(cls, output: Any, tensors: list[Tensor], edges: tuple[Any, ...], /) -> Self: ...
    def needs(self, index: int, /) -> builtins.bool: ...
    def save(self, *tensors: Tensor | None) -> Saved: ...

@final
class Saved:
    def __new__(cls, kept: list[tuple[Tensor, Any] | None], /) -> Self: ...
    def __call__(self) -> tuple[Any, ...]: ...

class NodeFields:
    operation: str
    edges: tuple[Any, ...]
    backward: Callable[..., Any] | None
    line: str | None
    hooks: dict[int, Callable[..., Any]] | None
    prehooks: dict[int, Callable[..., Any]] | None
    result_hooks: dict[int, Any] | None
    user_data: dict[Any, Any] | None
    outputs: int
    keeps: builtins.bool
    @property
    def order(self) -> int: ...
    def __new__(
        cls,
        operation: str,
        edges: tuple[Any, ...],
        backward: Callable[..., Any],
        outputs: int = 1,
        keeps: builtins.bool = False,
        /,
    ) -> Self: ...

@final
class Track:
    node: Any
    grad: Tensor | None
    hooks: dict[int, Callable[[Tensor], Any]] | None
    post_hooks: dict[int, Callable[[], Any]] | None
    root: Track | None
    order: int
    epoch: int
    root_epoch: int
    index: int
    requires_grad: builtins.bool
    retains_grad: builtins.bool
    is_piece: builtins.bool
    def __new__(cls, node: Any, index: int = 0, root: Track | None = None, /) -> Self: ...
"""


def dtype_class(shadowed: set[str]) -> Iterator[str]:
    """Yield the lines of class DType."""
    yield "@final\nclass DType:"
    yield from declared(DTypeMembers, shadowed)
    yield written("__call__", "(self, value: Any = 0, /) -> Tensor", shadowed, "    ")
    yield written("__reduce__", "(self) -> str", shadowed, "    ")


def nanobind_signature(function: Any) -> str:
    """Return what nanobind knows of a function: its last overload, defaults filled in."""
    text, _, defaults = function.__nb_signature__[-1]
    for i, default in enumerate(defaults or ()):
        text = text.replace(f"\\{i}", repr(default))
    # nanobind writes an untyped tuple, and cls without its type.
    text = re.sub(r"-> tuple$", "-> tuple[Any, ...]", text.replace("cls: object", "cls"))
    return str(text[text.index("(") :])


def layout_class(shadowed: set[str]) -> Iterator[str]:
    """Yield the lines of class Layout."""
    yield "@final\nclass Layout:"
    left_out = ("__init__", "__repr__", "__str__")  # as those of object
    for name, member in vars(_native.Layout).items():
        if isinstance(member, property):
            annotation = nanobind_signature(member.fget).partition("-> ")[2]
            yield attribute(name, annotation, shadowed)
        elif hasattr(member, "__nb_signature__") and name not in left_out:
            signature = nanobind_signature(member)
            if not signature.startswith(("(self", "(cls")):
                yield "    @staticmethod"
            text = written(name, signature, shadowed, "    ")
            yield text.removesuffix("  # type: ignore[override]")


# ---- the files ----


def native_stub() -> str:
    """Return the text of ``_native.pyi``."""
    names = {name: value for name, value in vars(_native).items() if not name.startswith("__")}
    shadowed = set(names)
    functions: list[str] = []
    kinds = (type, _native.DType)  # a dtype is called to convert
    for name in sorted(n for n, v in names.items() if callable(v) and not isinstance(v, kinds)):
        if name in DEFINITIONS and DEFINITIONS[name].native_function:
            signatures = list(DEFINITIONS[name].overloads)
        else:
            known = INTERNAL.get(name)
            if known is None and not hasattr(names[name], "__nb_signature__"):
                raise SystemExit(f"{name}() has no types: enter them in tools/stub_signatures.py")
            signatures = [nanobind_signature(names[name]) if known is None else known]
        functions += overloads(name, signatures, shadowed, "")
    dtypes = [f"{name}: DType" for name, value in names.items() if isinstance(value, _native.DType)]
    limits = [f"{name}: int" for name, value in names.items() if type(value) is int]
    limits += ["FUSED_FOLDS: dict[str, int]", "SERVICES: tuple[str, ...]"]
    parts = [
        ALIASES.strip(),
        *("\n".join(make(shadowed)) for make in (dtype_class, layout_class, tensor_class)),
        GRAPH.strip(),
        "\n".join(dtypes),
        "\n".join(limits),
        "\n".join(functions),
    ]
    body = "\n\n".join(parts) + "\n"
    return f"{HEADER}{imports(body, set())}\n{body}"


def name_order(name: str) -> tuple[bool, list[int | str]]:
    """Sort as ruff does: classes first, and 2 before 10."""
    parts = re.split(r"(\d+)", name)
    return name[0].islower(), [int(part) if part.isdigit() else part for part in parts]


def import_order(name: str) -> tuple[bool, list[int | str]]:
    """Sort as ruff does in imports: the case of letters tells classes, and then counts no more."""
    return name[0].islower(), name_order(name.lower())[1]


# ---- names of what is loaded later ----

# Chapters that no import of strided loads; packages whose operations are methods too.
LATER = (
    *("strided.ops.diagonals", "strided.ops.distributions", "strided.ops.filling"),
    *("strided.ops.questions", "strided.ops.repeating", "strided.special.functions"),
    "strided.numpy_names.quantiles",
    *("strided.torch_names.pair_distances", "strided.torch_names.products"),
    *("strided.torch_names.spectra", "strided.linalg.matrix_functions"),
    *("strided.linalg.solving", "strided.linalg.factors", "strided.nn.activation"),
)


def later_names() -> str:
    """Return the text of ``ops/later_names.py``: what each chapter defines."""
    for module in LATER:
        importlib.import_module(module)
    tables: dict[str, list[str]] = {"FUNCTIONS": [], "METHODS": []}
    for module in LATER:
        here = [one for one in DEFINITIONS.values() if one.python.__module__ == module]
        for table, names in (
            ("FUNCTIONS", [n for one in here if not one.namespace for n in one.functions]),
            ("METHODS", [n for one in here for n in one.methods]),
        ):
            if names:
                tables[table].append(f'    "{module}": """\n{_filled(names)}    """,\n')
    left_out = [name for names in left_out_of_tensor.values() for name in names.split()]
    return (
        '"""Names of chapters that load later. Written by tools/make_stubs.py (make stubs)."""\n'
        + "".join(
            f"\n{name}: dict[str, str] = {{\n{''.join(rows)}}}\n" for name, rows in tables.items()
        )
        + f'LEFT_OUT_OF_TENSOR = """\n{_filled(left_out)}"""\n'
    )


def _filled(names: list[str]) -> str:
    return (
        textwrap.fill(
            " ".join(sorted(names)),
            width=98,
            initial_indent="        ",
            subsequent_indent="        ",
            break_on_hyphens=False,
        )
        + "\n"
    )


def package_stub() -> str:
    """Return the text of ``__init__.pyi``."""
    shadowed = {"bool", "complex", "float", "int"}
    lines = {"strided.ops.data_types": ["NamespaceInfo"]}
    constants = ["__array_api_version__: str", "__version__: str"]
    info = written("__array_namespace_info__", "() -> NamespaceInfo", shadowed, "")
    body = {"namespace_info.py": [info]}  # functions, by the file that has them
    for name in sorted(n for n in dir(strided) if not n.startswith("_")):
        value = getattr(strided, name)
        home = getattr(value, "__module__", None)
        if isinstance(value, types.ModuleType) and callable(value):
            lines.setdefault(value.__name__, []).append(type(value).__name__)
            constants.append(f"{name}: {type(value).__name__}")
        elif isinstance(value, types.ModuleType):
            lines.setdefault("strided", []).append(name)
        elif isinstance(value, _native.DType) and value.name != name:
            constants.append(f"{name}: DType")
        elif value is _native.Tensor and name != "Tensor":
            constants.append(f"{name} = Tensor")
        elif home == "numpy":  # a kind of dtypes
            constants.append(f"{name} = np.{name}")
        elif type(value).__module__ == "strided.numpy_names.grids":
            lines.setdefault("strided.numpy_names.grids", []).append(name)
        elif isinstance(value, (_native.DType, types.BuiltinFunctionType)) or value in (
            _native.Tensor,
            _native.DType,
            _native.Layout,
        ):
            lines.setdefault("strided._native", []).append(name)
        elif isinstance(value, strided.MemoryLayout):
            lines.setdefault("strided.memory_layout", []).append(name)
        elif isinstance(value, type):
            lines.setdefault(str(home), []).append(name)
        elif isinstance(value, _native.Operation):
            scope = inspect.unwrap(value).__globals__
            signatures = [signature_of(value, is_method=False).replace("DTypeLike | None", "Any")]
            if value.definition.overloads and not value.definition.native:
                signatures = [
                    one.replace("(self", "(x: Tensor, /") for one in value.definition.overloads
                ]
            body.setdefault(chapter_of(value), []).extend(
                overloads(name, signatures, shadowed, "", scope)
            )
        elif isinstance(value, types.FunctionType):
            function: Any = inspect.unwrap(value)
            if function.__code__.co_name == name:  # written with def: its own module has the types
                lines.setdefault(str(home), []).append(name)
            else:
                signature = signature_of(value, is_method=False)
                text = written(name, signature, shadowed, "", function.__globals__)
                body.setdefault(chapter_of(value), []).append(text)
        else:
            kind = "None" if value is None else type(value).__name__
            constants.append(f"{name}: {f'builtins.{kind}' if kind in shadowed else kind}")
    functions: list[str] = []
    for chapter, texts in sorted(body.items()):
        # Where a reader who was led here by an editor finds the definitions.
        functions += [f"\n# ---- {chapter} ----", *texts]
    used = set(re.findall(r"\w+", "\n".join(functions)))
    for name in sorted(used & SOURCES.keys() - {n for names in lines.values() for n in names}):
        if SOURCES[name].startswith("strided."):
            lines.setdefault(SOURCES[name], []).append(name)
    head = []
    for module, names in sorted(lines.items()):
        listed = sorted((n for n in names if n in strided.__all__), key=import_order)
        # What a star import leaves out is said to be public by its `as`.
        parts = {
            n: f"from {module} import {n} as {n}"
            for n in names
            if n not in listed and hasattr(strided, n)
        }
        unexported = sorted((n for n in names if not hasattr(strided, n)), key=import_order)
        if unexported:
            parts[unexported[0]] = f"from {module} import {', '.join(unexported)}"
        if listed:
            inside = "".join(f"    {name},\n" for name in listed)
            parts[listed[0]] = f"from {module} import (\n{inside})"
        head += [parts[name] for name in sorted(parts, key=import_order)]
    exported = [f'    "{name}",' for name in sorted(strided.__all__, key=name_order)]
    text = "\n".join(["__all__ = [", *exported, "]", "", *constants])
    text += "\n\ndef __dir__() -> list[str]: ...\n" + "\n".join(functions) + "\n"
    extra = imports(text, {name for names in lines.values() for name in names})
    return f"{HEADER}{extra.rstrip()}\n\n" + "\n".join(head) + f"\n\n{text}"


def main() -> int:
    """Write both stubs, or say which of them is out of date."""
    stale = 0
    for name, make in (
        ("ops/later_names.py", later_names),
        ("_native.pyi", native_stub),
        ("__init__.pyi", package_stub),
    ):
        text = make()
        if name == "ops/later_names.py":
            for module in LATER:
                later.load(module)
        path = HOME / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            stale += 1
            print(f"{path} is out of date: run tools/make_stubs.py (make stubs)")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
