"""Settings that all tests share."""

from __future__ import annotations

from hypothesis import settings

# The same examples in every run: a failure on one machine is a failure on all.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
