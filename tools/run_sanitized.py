"""``make asan``, ``make tsan``: builds with sanitizers and assertions and runs the tests on it.

python tools/run_sanitized.py (address | thread) [--quick] [pytest arguments]

``--quick`` builds the innermost loops for the baseline alone, and runs a share of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARE = "--share=4"  # of the tests, where all would take too long
JOBS = os.environ.get("JOBS", "2")


@dataclass(frozen=True)
class Kind:
    """A sanitizer: what it checks, its run-time library and options, the tests that it runs."""

    checks: str
    library: str
    options: dict[str, str]
    tests: tuple[str, ...]


KINDS = {
    "address": Kind(
        "address,undefined",
        "libasan.so",
        # CPython itself leaks at exit by design. Stack frames on the heap, which newer runtimes
        # make by default, are not aligned for AVX-512 by GCC before 14 (its bug 110027).
        {
            "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:"
            "detect_stack_use_after_return=0",
            "UBSAN_OPTIONS": "print_stacktrace=1",
        },
        # Workers of a cluster are processes of their own, which hang in the preloaded library.
        ("-n", JOBS, "--ignore=tests/interop/test_dask_cluster.py", "tests"),
    ),
    "thread": Kind(
        "thread",
        "libtsan.so",
        # The interpreter and NumPy are not instrumented: what they do under the GIL is not seen.
        {
            "TSAN_OPTIONS": "ignore_noninstrumented_modules=1:halt_on_error=1:exitcode=66:"
            "allocator_may_return_null=1:die_after_fork=0"
        },
        (
            "tests/core/test_threads.py",
            "tests/core/test_kernel_threads.py",
            "tests/core/test_large_copies.py",
            "tests/nn/test_batch_invariance.py",
            "tests/ops/test_reductions_large.py",
        ),
    ),
}

# The editable install answers `import strided` before PYTHONPATH does. It must stand aside in every
# process: pytest's workers and the programs that tests start are interpreters of their own.
SITECUSTOMIZE = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in type(f).__module__]
"""
RUN_PYTEST = """
import sys
import strided._native
assert "sanitized" in strided._native.__file__, strided._native.__file__
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else name


def build(kind: Kind, folder: Path, quick: bool = False) -> Path:
    """Configure and build; return the folder for PYTHONPATH."""
    options = [
        f"-DPython_EXECUTABLE={sys.executable}",
        f"-DSTRIDED_SANITIZE={kind.checks}",
        "-DSTRIDED_TESTS=ON",
        "-DSTRIDED_WERROR=ON",
        f"-DSTRIDED_LEVELS={'OFF' if quick else 'ON'}",
    ]
    ninja = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}"]
    cmake = _tool("cmake")
    subprocess.check_call([cmake, "-S", str(ROOT), "-B", str(folder), *ninja, *options])
    subprocess.check_call([cmake, "--build", str(folder), "-j", JOBS])
    site = folder / "site"
    lay_out(site, folder.glob("_native*.so"))
    return site


def lay_out(site: Path, extensions: Iterable[Path]) -> None:
    """Link the package and its extension into a folder for PYTHONPATH."""
    package = site / "strided"
    package.mkdir(parents=True, exist_ok=True)
    for old in package.iterdir():
        old.unlink()
    for source in (ROOT / "src" / "strided").iterdir():
        if source.suffix != ".so":
            (package / source.name).symlink_to(source)
    for extension in extensions:
        (package / extension.name).symlink_to(extension)
    (site / "sitecustomize.py").write_text(SITECUSTOMIZE, encoding="utf-8")


def run(kind: Kind, folder: Path, site: Path, arguments: list[str]) -> int:
    """Run the C++ tests and pytest with the sanitizer's library loaded first."""
    environment = {**os.environ, **kind.options}
    # Address spaces are laid out at random in more bits than the thread sanitizer expects.
    fixed = ["setarch", "-R"] if kind.checks == "thread" else []
    # There is no interpreter in the C++ tests, which leak nothing.
    own = {
        name: text.replace("detect_leaks=0", "detect_leaks=1")
        for name, text in kind.options.items()
    }
    subprocess.check_call([*fixed, str(folder / "strided_tests")], env={**environment, **own})
    # The sanitizer looks for libstdc++'s throw when it starts, so that must be loaded as well.
    libraries = [
        subprocess.check_output(["c++", f"-print-file-name={name}"], text=True).strip()
        for name in (kind.library, "libstdc++.so")
    ]
    environment |= {
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONPATH": str(site),
        "STRIDED_TWIN_PROGRAMS": os.environ.get("STRIDED_TWIN_PROGRAMS", "2000"),
    }
    options = ["-q", "-p", "no:cacheprovider", "-m", "not peers"]
    options.append("--strict-skips=sanitizer")
    command = [*fixed, sys.executable, "-c", RUN_PYTEST, *options, *arguments]
    return subprocess.call(command, env=environment, cwd=ROOT)


if __name__ == "__main__":
    name, *arguments = sys.argv[1:] or ["address"]
    quick = arguments[:1] == ["--quick"]
    chosen, place = KINDS[name], ROOT / "build" / f"sanitized_{name}{'_quick' * quick}"
    tests = [*chosen.tests, SHARE] if quick else list(chosen.tests)
    sys.exit(run(chosen, place, build(chosen, place, quick), arguments[quick:] or tests))
