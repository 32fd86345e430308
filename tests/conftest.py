"""Settings that all tests share."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points

import pytest
from hypothesis import settings

# An installed package brings its plugin along; a source tree on the path has to name it.
PLUGIN = "strided_entry_points.pytest_plugin"
pytest_plugins = ["support.strict_skips", "support.shares"]
if not any(point.value == PLUGIN for point in entry_points(group="pytest11")):
    pytest_plugins.append(PLUGIN)

# The same examples in every run: a failure on one machine is a failure on all.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@pytest.fixture(params=[1, 3])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """Run the test on one thread, and on three, which cut most lengths unevenly."""
    import strided  # not before its plugin is

    before = strided.get_num_threads()
    strided.set_num_threads(request.param)
    yield request.param
    strided.set_num_threads(before)
