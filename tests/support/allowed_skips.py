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
ALLOWED: dict[str, dict[str, str]] = {
    "plain": _PEERS_ONLY,
    "peers": {
        "tests/explorer/test_browser.py::*": "needs a chromium, which pip cannot install",
        "tests/project/test_site.py": "needs MkDocs: make docs-check",
        "tests/project/test_site.py::*": "needs a chromium, which pip cannot install",
        "tests/llm/test_tokenizer_gguf.py::test_published_tokens_of_llama_cpp": "needs llama.cpp",
        "tests/llm/test_smollm2.py::*": "needs the network",
    },
    "sanitizer": {
        **_PEERS_ONLY,
        "tests/core/test_peak_memory.py::test_the_process_grows_no_more": "keeps what is freed",
    },
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
