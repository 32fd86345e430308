"""Who may include and import whom: the arrows of docs/architecture.md, and no others."""

from __future__ import annotations

import ast
import pathlib
import re
from collections.abc import Iterator

import pytest
from support.paths import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text()

# folder: the folders it may include.
INCLUDES = {"errors": set[str]()} | {
    folder: set(others.split()) for folder, others in re.findall(r"^(\w+) +<- (.+)$", PAGE, re.M)
}

# A package of src/strided may import those in front of it; those on one line may import each other.
LAYERS = [
    "_native",
    "errors",
    "memory_layout memory copies text threads native_members",
    "ops",
    "autograd",
    "quantized linalg fft special",
    "nn formats interop chunked",
    "optim utils func torch_names numpy_names",
    "random lib",
]
# These stand beside the order: what they may import, and nothing imports them but public names.
ASIDE = {
    # copies: programs are traced; formats: headers are read.
    "inspect": {"_native", "copies", "errors", "formats", "memory"},
    # The class, put together from the modules that hold its members.
    "tensor_class": {
        "_native",
        "autograd",
        "inspect",
        "interop",
        "native_members",
        "numpy_names",
        "ops",
    },
    # What the extension asks of Python: tests/bindings/test_border.py compares each with the page.
    "services": {"_native", "autograd", "memory_layout", "ops", "text"},
    "web": {"public"},
    "llm": {"public", "nn", "quantized", "text", "web"},
    # ops: what definitions say of views.
    "explorer": {"public", "web", "ops"},
    "cli": {"public", "inspect", "demo", "explorer", "llm", "text"},
    "demo": {"public", "llm"},
}
ORDER = {package: place for place, line in enumerate(LAYERS) for package in line.split()}


def _includes() -> Iterator[tuple[pathlib.Path, str, str]]:
    """Yield (file, its folder, the folder or system header it includes)."""
    for top in ("core", "bindings"):
        for path in sorted((ROOT / top).rglob("*.?pp")):
            inside = path.relative_to(ROOT / top).parts
            folder = "bindings" if top == "bindings" else inside[0].split(".")[0]
            for quote, name in re.findall(
                r'^\s*#\s*include\s*(["<])([^">]+)', path.read_text(), re.M
            ):
                if quote == "<":
                    yield path, folder, f"<{name}>"
                elif (path.parent / name).exists():
                    yield path, folder, folder
                else:
                    yield path, folder, name.split("/")[0].split(".")[0]


def _imports() -> Iterator[tuple[pathlib.Path, str, str]]:
    """Yield (file, its folder, the folder it imports); a public name counts as "public"."""
    package = ROOT / "src" / "strided"
    modules = {path.stem for path in package.iterdir()} | ORDER.keys()
    for path in sorted(package.rglob("*.py")):
        folder = path.relative_to(package).parts[0].split(".")[0]
        if folder == "__init__":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}: relative import"
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            for name in names:
                parts = [*name.split("."), "public"]
                if parts[0] == "strided":
                    yield path, folder, parts[1] if parts[1] in modules else "public"


def test_includes_follow_the_arrows() -> None:
    found = {
        f"{path.relative_to(ROOT)}: {folder} -> {other}"
        for path, folder, other in _includes()
        if not other.startswith("<") and other != folder and other not in INCLUDES[folder]
    }
    assert not found, "\n".join(sorted(found))


def test_the_core_knows_no_python() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {other}"
        for path, folder, other in _includes()
        if folder != "bindings" and re.search("python|nanobind|structmember", other, re.I)
    ]
    assert not found, found


def test_imports_follow_the_order() -> None:
    found = set()
    for path, folder, other in _imports():
        if folder == other:
            continue
        if folder in ASIDE:
            allowed = other in ASIDE[folder]
        else:
            assert folder in ORDER, (
                f"{folder} is not in the layers of this test: say where it stands"
            )
            allowed = other in ORDER and ORDER[other] <= ORDER[folder]
        if not allowed:
            found.add(f"{path.relative_to(ROOT)}: {folder} -> {other}")
    assert not found, "\n".join(sorted(found))


def test_the_page_names_every_folder() -> None:
    found = {path.stem for path in (ROOT / "core").iterdir()} | {"bindings"}
    assert found == INCLUDES.keys()
    tree = PAGE[PAGE.index("core/  ") : PAGE.index("bindings/  ")]
    families = {path.name for path in (ROOT / "core" / "kernels").iterdir() if path.is_dir()}
    assert set(re.findall(r"[├└]── (\w+)/", tree)) == (found | families) - {"errors", "bindings"}


def test_arrows_never_point_back() -> None:
    seen: set[str] = {"errors"}
    for folder, others in INCLUDES.items():
        assert others <= seen, f"{folder} <- {others - seen}"
        seen.add(folder)


def test_no_file_name_stands_twice_in_the_core() -> None:
    names: dict[str, list[str]] = {}
    for path in [*(ROOT / "core").rglob("*.?pp"), *(ROOT / "bindings").rglob("*.?pp")]:
        names.setdefault(path.name, []).append(str(path.relative_to(ROOT)))
    assert not [paths for paths in names.values() if len(paths) > 1]


def _namespaces_and_classes(path: pathlib.Path) -> tuple[set[str], list[str]]:
    """The named namespaces that a C++ file opens, and the classes that it defines in them.

    Classes of an unnamed namespace are the file's own and left out, as are specialisations.
    """
    text = re.sub(r'R"\(.*?\)"', '""', path.read_text(), flags=re.S)
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\])'", "' '", text)
    text = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", "", text, flags=re.M)
    opened: set[str] = set()
    classes = []
    scopes: list[str | None] = []  # "" is an unnamed namespace, None is no namespace
    begin = 0
    for mark in re.finditer("[{};]", text):
        head = " ".join(text[begin : mark.start()].split())
        begin = mark.end()
        if mark[0] == "}":
            scopes.pop()
        elif mark[0] == "{":
            namespace = re.search(r"(?:^|[})] )namespace ?([\w:]*)$", head)
            attributes = r"(?:\[\[.*?\]\] |alignas\(\w+\) )?"
            found = re.search(
                rf"(?:class|struct|union) {attributes}(\w+)(?: final)?(?: ?: .*)?$", head
            )
            if found and "enum" not in head and all(scopes):
                classes.append("::".join([*map(str, scopes), found[1]]))
            scopes.append(namespace[1] if namespace else None)
            if namespace and namespace[1]:
                opened.add("::".join(str(scope) for scope in scopes if scope))
    assert not scopes, path
    return opened, classes


SOURCES = [path for top in ("core", "bindings") for path in sorted((ROOT / top).rglob("*.?pp"))]


def test_namespaces_and_classes_are_read(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "example.cpp"
    file.write_text(
        """#define MACRO { \\
  {
        namespace a::b {  // namespace c {
        const char* text = "namespace d {";
        template <class T> struct X : Y<T> { struct Inside {}; };
        template <> struct X<int> {};
        enum class E { One };
        class Declared;
        namespace { struct Own {}; }
        struct Z final { Z() {} void f() { if (true) {} } };
        namespace e { union U {}; }
        }"""
    )
    assert _namespaces_and_classes(file) == (
        {"a::b", "a::b::e"},
        ["a::b::X", "a::b::Z", "a::b::e::U"],
    )


def test_a_family_has_its_namespace() -> None:
    found = []
    for path in sorted((ROOT / "core" / "kernels").glob("*/**/*.?pp")):
        family = f"strided::kernels::{path.relative_to(ROOT / 'core' / 'kernels').parts[0]}"
        opened, _ = _namespaces_and_classes(path)
        allowed = rf"{family}(::STRIDED_ISA)?(::\w+)?"
        wrong = {name for name in opened if not re.fullmatch(allowed, name)}
        if wrong or not opened:
            found.append(f"{path.relative_to(ROOT)}: {sorted(wrong) or 'none'}")
    assert not found, "\n".join(found)


def test_no_class_is_defined_twice_in_a_namespace() -> None:
    """Two of one name in one namespace are one to the linker, which keeps either's functions."""
    places: dict[str, set[str]] = {}
    for path in SOURCES:
        for name in _namespaces_and_classes(path)[1]:
            places.setdefault(name, set()).add(str(path.relative_to(ROOT)))
    assert len(places) > 150
    assert not {name: where for name, where in places.items() if len(where) > 1}


def test_one_package_speaks_http() -> None:
    """Whoever serves pages or an API goes through its checks and limits."""
    package = ROOT / "src" / "strided"
    servers = re.compile(
        r"^\s*(?:import|from) (?:starlette|uvicorn|h11|http\.server|socketserver)\b", re.M
    )
    found = {
        path.relative_to(package).parts[0]
        for path in package.rglob("*.py")
        if servers.search(path.read_text())
    }
    assert found == {"web"}


def test_includes_and_imports_are_found() -> None:
    assert sum(1 for _ in _includes()) > 100
    assert sum(1 for _ in _imports()) > 40


@pytest.mark.parametrize("name", ["utils", "common", "helpers", "misc"])
def test_no_file_is_a_catch_all(name: str) -> None:
    # PyTorch's names of two packages, and the tests of one.
    known = {ROOT / path for path in ("src/strided/utils", "src/strided/nn/utils", "tests/utils")}
    for top in ("core", "bindings", "src", "tests"):
        assert not [p for p in (ROOT / top).rglob("*") if p.stem == name and p not in known]


def test_python_tells_what_it_duplicates() -> None:
    """Calls by which NumPy or Python copy elements stand where the copy is logged."""
    allowed = {"interop/protocols.py"}  # __array__: beside its log_copy
    # These name NumPy's functions.
    allowed |= {"numpy_names/__init__.py", "numpy_names/asking.py", "ops/left_out_of_numpy.py"}
    package = ROOT / "src" / "strided"
    for path in package.rglob("*.py"):
        text = "\n".join(
            line for line in path.read_text().splitlines() if not re.match(r"\s*(>>>|\.\.\.)", line)
        )
        found = re.findall(r"np\.array\(|ascontiguousarray|\.tobytes\(|\barray\.astype\(", text)
        assert not found or str(path.relative_to(package)) in allowed, f"{path.name}: {found}"


def test_one_folder_duplicates_elements() -> None:
    """Only tensor/ calls the copying kernels, and whoever materialises names a reason."""
    for path in (ROOT / "core").rglob("*.cpp"):
        if path.relative_to(ROOT / "core").parts[0] in ("tensor", "kernels"):
            continue
        assert not re.search(r"\b(copy|copy_in_order)\(.*operand\(\)", path.read_text()), path
    for path in [*(ROOT / "core" / "tensor").glob("*.cpp"), *(ROOT / "bindings").glob("*.cpp")]:
        for call in re.findall(
            r"(?<![\w:])materialise(?:_into)?\((?!const)[^;]*;", path.read_text()
        ):
            assert "CopyReason" in call or "reason" in call, f"{path.name}: {call}"
