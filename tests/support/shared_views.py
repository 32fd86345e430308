"""Views of one storage that must share it again after a pickle, a deep copy or a file."""

from __future__ import annotations

from collections.abc import Callable

import strided


def grid() -> strided.Tensor:
    return strided.arange(24).reshape(4, 6)


# name: (views of one storage, what a write of -1 into the first element of the first changes)
SHARED: dict[str, Callable[[strided.Tensor], list[strided.Tensor]]] = {
    "whole, then a row": lambda x: [x, x[1]],
    "a row, then the whole": lambda x: [x[0], x],
    "transposed": lambda x: [x, x.T],
    "flipped": lambda x: [x.flip(0), x.flip(1), x],
    "overlapping rows": lambda x: [x[:2], x[1:3], x[2:]],
    "overlapping columns": lambda x: [x[:, :2], x[:, 1:3]],
    "overlapping columns, backwards": lambda x: [x[:, 4:], x[:, 3:5], x[:, :4:2], x[:, 1:4]],
    "disjoint halves": lambda x: [x[:2], x[2:]],
    "disjoint columns": lambda x: [x[:, 0], x[:, 1]],
    "expanded": lambda x: [x[0].expand(3, 6), x],
    "windows": lambda x: [x.view(-1).unfold(0, 3, 2), x.view(-1)[4:7]],
    "windows of every second": lambda x: [x.view(-1)[::2].unfold(0, 3, 1), x[1]],
    "another dtype": lambda x: [x.view(strided.int32)[1:, 2:], x[2:], x.view(strided.uint8)[0, :3]],
    "bytes first": lambda x: [x.view(strided.uint8)[1, 3:11], x[1:3]],
    "the same twice": lambda x: [x, x],
    "two views alike": lambda x: [x[1:], x[1:]],
    "empty": lambda x: [x[:0], x, x[:, 3:3]],
    "one element": lambda x: [x[2, 3], x[2], x[2, 3:4]],
}
