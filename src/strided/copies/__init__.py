"""Every duplication of elements: counted, watched, forbidden, or made on purpose."""

from __future__ import annotations

from strided.copies.baseline import copy_everything
from strided.copies.forbid import no_copies
from strided.copies.forecast import Alternative, CopyForecast
from strided.copies.report import CopyEvent, CopyGroup, CopyReport
from strided.copies.totals import CopyTotal, copy_totals
from strided.copies.trace import trace_copies

__all__ = [
    "Alternative",
    "CopyEvent",
    "CopyForecast",
    "CopyGroup",
    "CopyReport",
    "CopyTotal",
    "copy_everything",
    "copy_totals",
    "no_copies",
    "trace_copies",
]
