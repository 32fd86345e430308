"""Settings that all tests share."""

from __future__ import annotations

from importlib.metadata import entry_points

from hypothesis import settings

# An installed package brings its plugin along; a source tree on the path has to name it.
PLUGIN = "strided.copies.pytest_plugin"
if not any(point.value == PLUGIN for point in entry_points(group="pytest11")):
    pytest_plugins = [PLUGIN]

# The same examples in every run: a failure on one machine is a failure on all.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
