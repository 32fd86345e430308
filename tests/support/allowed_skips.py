"""The skips that the gate allows, by environment: a pattern of test ids and why they cannot run.

``make test`` runs in ``plain``, ``make test-peers`` in ``peers``, ``make asan`` and ``make tsan``
in ``sanitizer``. Any other skip fails the run: a test that no environment runs shows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

# Modules that import what a plain environment lacks; every test in them is marked `peers`.
_PEERS_ONLY = {
    "tests/interop/test_dask_cluster.py": "needs dask",
    "tests/interop/test_dask_functions.py": "needs dask",
    "tests/explorer/test_browser.py": "needs Playwright",
    "tests/explorer/test_page_engine.py": "needs Playwright",
    "tests/llm/test_smollm2.py": "needs PyTorch",
    "tests/llm/test_transformers.py": "needs PyTorch",
    "tests/project/test_site.py": "needs MkDocs",
}
# What cannot be shown on a build with a sanitizer. strict_skips.py skips these tests there, and
# tests/project/test_gate.py knows how many they are.
NOT_SANITIZED = {
    "tests/core/test_pool.py::test_address_space_exhausted[*": "the sanitizer needs address space",
    "tests/core/test_pool.py::test_fork_while_a_fused_operation_allocates[*": (
        "a child inherits the locks of the sanitizer's own malloc from threads that it lacks"
    ),
    "tests/core/test_peak_memory.py::test_the_process_grows_no_more": "freed memory is kept",
    "tests/core/test_instruction_sets.py::test_no_symbol_of_one_level_leaks_into_another": (
        "looks at the objects of the plain build"
    ),
}
ALLOWED: dict[str, dict[str, str]] = {
    "plain": _PEERS_ONLY,
    "peers": {
        "tests/explorer/test_browser.py::*": "needs a chromium, which pip cannot install",
        "tests/project/test_site.py": "needs MkDocs: make docs-check",
        "tests/project/test_site.py::*": "needs a chromium, which pip cannot install",
        "tests/llm/test_tokenizer_gguf.py::test_published_tokens_of_llama_cpp": "needs llama.cpp",
        "tests/llm/test_smollm2.py::*": "needs the network",
    },
    "sanitizer": {**_PEERS_ONLY, **NOT_SANITIZED},
}


def reason(environment: str, test: str) -> str | None:
    """Return why a test may be skipped there, None where it may not.

    >>> reason("plain", "tests/interop/test_dask_cluster.py")
    'needs dask'
    """
    for pattern, why in ALLOWED[environment].items():
        if fnmatchcase(test, pattern.replace("[", "[[]")):
            return why
    return None


def unexpected(environment: str, skipped: Iterable[str]) -> list[str]:
    """Return the tests that may not be skipped there."""
    return sorted({test for test in skipped if reason(environment, test) is None})
