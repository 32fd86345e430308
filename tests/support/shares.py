"""A plugin of pytest: ``--share=4`` runs a quarter of the tests, the same ones on each machine.

``make asan QUICK=1`` is for the gate, which has less time than all tests take on a sanitized build.
Those of the core and of the bindings, where memory is handled, run all the same.
"""

from __future__ import annotations

from zlib import crc32

import pytest

WHOLE = ("tests/core/", "tests/bindings/")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--share", type=int, default=1, help="run one test of so many")


def is_chosen(test: str, share: int) -> bool:
    """Return whether a test is of the share that runs.

    >>> is_chosen("tests/core/test_pool.py::test_interrupted", 1000)
    True
    >>> sum(is_chosen(f"tests/ops/test_sorting.py::test_it[{i}]", 4) for i in range(4000))
    1000
    """
    return test.startswith(WHOLE) or crc32(test.encode()) % share == 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the others out."""
    share = config.getoption("--share")
    out = [item for item in items if not is_chosen(item.nodeid, share)]
    if out:
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if is_chosen(item.nodeid, share)]
