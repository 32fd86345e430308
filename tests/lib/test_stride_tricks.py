"""NumPy's views by strides: in bytes, and read-only where they are asked for."""

from __future__ import annotations

import pytest

import strided


def test_windows_are_read_only_unless_asked() -> None:
    x = strided.arange(5)
    tricks = strided.lib.stride_tricks
    windows = tricks.sliding_window_view(x, 2)
    assert not windows.writable
    assert tricks.sliding_window_view(x, 2, writeable=True).shares_storage(x)
    assert not tricks.as_strided(x, (2,), (16,), writeable=False).writable
    x[0] = 7
    assert windows[0, 0].item() == 7
    with pytest.raises(strided.InvalidArgument, match="multiples"):
        tricks.as_strided(x, (2,), (3,))
