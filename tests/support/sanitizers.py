"""What a test has to know of ``make asan`` and ``make tsan``."""

from __future__ import annotations

import os

# The library of a sanitizer is loaded before Python; what tests start inherits it.
LOADED = "san.so" in os.environ.get("LD_PRELOAD", "")

# How much longer instrumented loops may take: most take 3 to 5 times as long, products of integers
# without vectors nearly 10 times.
SLOWDOWN = 10 if LOADED else 1
