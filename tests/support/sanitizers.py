"""What a test has to know of ``make asan`` and ``make tsan``."""

from __future__ import annotations

import os

# The library of a sanitizer is loaded before Python; what tests start inherits it.
LOADED = "san.so" in os.environ.get("LD_PRELOAD", "")

# Of instrumented loops, measured: 1 to 20 times as long, most of them 3 to 5.
SLOWDOWN = 5 if LOADED else 1
