"""NumPy's ``lib``: its functions about strides."""

from strided.lib import stride_tricks

__all__ = ["stride_tricks"]
