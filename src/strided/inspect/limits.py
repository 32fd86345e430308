"""How much of a picture is shown before its middle is left out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How much a drawing shows: cells of a strip, and of a grid rows, columns and panels.

    >>> import strided
    >>> few = strided.inspect.Limits(cells=8, rows=3, columns=3)
    >>> drawing = strided.draw(strided.zeros(9, 9), limits=few)
    >>> drawing.strips[0].tensors[0].panels[0].rows
    (0, None, 8)
    """

    cells: int = 64
    rows: int = 8
    columns: int = 12
    panels: int = 6

    def for_storage_of(self, total: int) -> Limits:
        """Return smaller grids for a storage that is not shown whole.

        >>> import strided
        >>> strided.inspect.Limits().for_storage_of(1000).rows
        5
        """
        if total <= self.cells:
            return self
        return Limits(self.cells, min(self.rows, 5), min(self.columns, 7), min(self.panels, 4))
