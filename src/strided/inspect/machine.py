"""Facts about the machine: versions, processor, threads, memory, BLAS, extras.

Facts only: nothing is measured, no optional package is imported, a fact that the system does not
tell is None.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from typing import Any

import numpy as np

from strided import _native

# What the extras of this package bring.
EXTRAS = {
    "bfloat16": ("ml_dtypes",),
    "cli": ("typer", "rich"),
    "llm": ("tokenizers", "jinja2"),
    "serve": ("starlette", "uvicorn"),
    "torch": ("torch",),
}
INSTRUCTION_SETS = ("baseline", "avx2", "avx512")
INSTRUCTION_FEATURES = ("vnni", "bf16")  # that STRIDED_ISA can take from avx512
_CPU_FEATURES = (
    *("sse4_2", "avx", "avx2", "fma", "bmi2", "f16c", "avx512f", "avx512bw", "avx512dq"),
    *("avx512vl", "avx512_bf16", "avx512_fp16", "amx_tile", "neon", "asimd", "sve"),
)


def machine_facts() -> dict[str, Any]:
    """Return versions, processor, threads, memory, BLAS and extras, as plain values for JSON.

    >>> facts = machine_facts()
    >>> facts["versions"]["numpy"] == np.__version__, facts["threads"]["used"] > 0
    (True, True)
    """
    return {
        "versions": _versions(),
        "processor": _processor(),
        "instructions": {
            "used": _native.active_isa(),
            "STRIDED_ISA": os.environ.get("STRIDED_ISA"),
        },
        "threads": {
            "used": _native.thread_count(),
            "processors": os.cpu_count(),
            "allowed": _allowed_processors(),
            "STRIDED_NUM_THREADS": os.environ.get("STRIDED_NUM_THREADS"),
        },
        "blas": {"strided": "own kernels", "numpy": _numpy_blas()},
        "memory": {"bytes": _memory(), "huge_pages": _huge_pages()},
        "extras": {
            extra: {package: version_of(package) for package in packages}
            for extra, packages in EXTRAS.items()
        },
    }


def version_of(package: str) -> str | None:
    """Return the version of an installed package, None if it is not there; imports nothing.

    >>> version_of("no such package") is None
    True
    """
    try:
        return importlib.metadata.version(package)
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return None


def _versions() -> dict[str, str]:
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.release()}",
    }


def _processor() -> dict[str, Any]:
    told = _first_block("/proc/cpuinfo")
    flags = set((told.get("flags") or told.get("Features") or "").split())
    return {
        "name": told.get("model name") or platform.processor() or None,
        "machine": platform.machine(),
        "features": [name for name in _CPU_FEATURES if name in flags],
        "byte_order": sys.byteorder,
    }


def _first_block(path: str) -> dict[str, str]:
    """Return the "key : value" lines of a file up to its first empty line."""
    pairs = (line.partition(":") for line in _text_of(path).split("\n\n")[0].splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _text_of(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _allowed_processors() -> int | None:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def _numpy_blas() -> str | None:
    config: Any = np.show_config(mode="dicts")
    blas = (config or {}).get("Build Dependencies", {}).get("blas", {})
    return f"{blas.get('name')} {blas.get('version')}" if blas.get("name") else None


def _memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None


def _huge_pages() -> str | None:
    """Return always, madvise or never: the word in brackets."""
    text = _text_of("/sys/kernel/mm/transparent_hugepage/enabled")
    return text.partition("[")[2].partition("]")[0] or None
