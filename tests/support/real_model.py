"""SmolLM2 for tests that need real weights: fetched once, or the test says why it is skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

import strided
from strided.llm.fetch import fetch


def smollm2() -> Path:
    """Return the file; skip the test where it cannot be had."""
    try:
        return fetch("smollm2")
    except strided.DownloadFailed as error:
        pytest.skip(f"SmolLM2 cannot be fetched: {error}")
