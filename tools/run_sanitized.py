"""``make asan``: builds with address and undefined-behaviour sanitizers and runs the tests on it.

python tools/run_sanitized.py [pytest arguments]
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "asan"
SITE = BUILD / "site" / "strided"

# The editable install answers `import strided` before PYTHONPATH does; it must stand aside here.
RUN_PYTEST = """
import sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in type(f).__module__]
import strided._native
assert "asan" in strided._native.__file__, strided._native.__file__
import pytest
sys.exit(pytest.main(sys.argv[1:]))
"""


def _tool(name: str) -> str:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else name


def build() -> None:
    """Configure and build, then lay the package out beside the sanitized extension."""
    options = [
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DSTRIDED_SANITIZE=ON",
        "-DSTRIDED_TESTS=ON",
        "-DSTRIDED_WERROR=ON",
    ]
    ninja = ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_tool('ninja')}"]
    cmake = _tool("cmake")
    subprocess.check_call([cmake, "-S", str(ROOT), "-B", str(BUILD), *ninja, *options])
    subprocess.check_call([cmake, "--build", str(BUILD)])
    SITE.mkdir(parents=True, exist_ok=True)
    for old in SITE.iterdir():
        old.unlink()
    for source in (ROOT / "src" / "strided").iterdir():
        if source.suffix != ".so":
            (SITE / source.name).symlink_to(source)
    for extension in BUILD.glob("_native*.so"):
        (SITE / extension.name).symlink_to(extension)


def run(arguments: list[str]) -> int:
    """Run the C++ tests and pytest with the sanitizer runtime loaded first."""
    subprocess.check_call([str(BUILD / "strided_tests")])
    # The sanitizer looks for libstdc++'s throw when it starts, so that must be loaded as well.
    libraries = [
        subprocess.check_output(["c++", f"-print-file-name={name}"], text=True).strip()
        for name in ("libasan.so", "libstdc++.so")
    ]
    environment = {
        **os.environ,
        "LD_PRELOAD": " ".join(libraries),
        "PYTHONPATH": str(SITE.parent),
        # CPython itself leaks at exit by design. Stack frames on the heap, which newer runtimes
        # make by default, are not aligned for AVX-512 by GCC before 14 (its bug 110027).
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:"
        "detect_stack_use_after_return=0",
        "STRIDED_TWIN_PROGRAMS": os.environ.get("STRIDED_TWIN_PROGRAMS", "2000"),
    }
    command = [sys.executable, "-c", RUN_PYTEST, "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.call(command, env=environment, cwd=ROOT)


if __name__ == "__main__":
    build()
    sys.exit(run(sys.argv[1:] or ["tests"]))
