"""Shared memory in saved files: which pieces of memory are saved tensors views of?

Tensors that overlap nobody need their own elements, packed. Of those that overlap, one may have all
elements of the others; otherwise the piece reaches from the first to the last element of all of
them, with zeros where no tensor has an element.
"""

from __future__ import annotations

from typing import NamedTuple

from strided import _native
from strided._native import Layout, Tensor
from strided.interop.own_elements import each_once, own_elements
from strided.interop.unpickle_aliasing import Place


class Piece(NamedTuple):
    """Packed elements, and which tensors are what views of them, offsets counted in their dtype."""

    elements: Tensor
    members: list[tuple[int, Layout]]


def pieces_of(tensors: list[Tensor]) -> list[Piece]:
    """Return the pieces of memory that tensors are views of. Views, or logged copies.

    >>> import strided
    >>> from strided.formats.pieces import pieces_of
    >>> x = strided.zeros(4, 6)
    >>> [len(piece.members) for piece in pieces_of([x[0], x[1], x[:2].T, x[3]])]
    [3, 1]
    """
    places = [Place(_native.layout_of(x), x.dtype) for x in tensors]
    by_storage: dict[int, list[int]] = {}
    for number, x in enumerate(tensors):
        # What is empty shares nothing.
        key = _native.storage_pointer(x) if x.size else -1 - number
        by_storage.setdefault(key, []).append(number)
    groups = [group for numbers in by_storage.values() for group in _overlapping(places, numbers)]
    return [_piece(tensors, places, sorted(group)) for group in sorted(groups, key=min)]


def _overlapping(places: list[Place], numbers: list[int]) -> list[list[int]]:
    """Return the tensors of one storage in groups: those that overlap, directly or by others."""
    found: list[list[int]] = []
    active: list[tuple[int, list[int]]] = []  # ends of groups that reach further, and they
    for number in sorted(numbers, key=lambda one: places[one].reach):
        begin, end = places[number].reach
        group, apart = [number], []
        for other_end, others in active:
            if other_end <= begin:
                found.append(others)
            elif any(places[number].overlaps(places[one]) for one in others):
                group += others
                end = max(end, other_end)
            else:
                apart.append((other_end, others))
        active = [*apart, (end, group)]
    return [*found, *(group for _, group in active)]


def _piece(tensors: list[Tensor], places: list[Place], group: list[int]) -> Piece:
    if len(group) == 1:
        return _alone(tensors[group[0]], group[0])
    begin = min(places[one].reach[0] for one in group)
    end = max(places[one].reach[1] for one in group)
    one_dtype = len({places[one].dtype for one in group}) == 1
    for number in group:
        place = places[number]
        covers = place.reach == (begin, end) and place.is_gapless
        if covers and (one_dtype or begin % 16 == 0):
            elements = each_once(tensors[number]).reshape(-1)
            order = [number, *(one for one in group if one != number)]
            return Piece(elements, [(one, _moved(places[one], begin)) for one in order])
    begin -= begin % 16
    memory = _native.zeros(end - begin + (begin - end) % 16, dtype=_native.uint8)
    for number in group:
        target = each_once(places[number].view_of(memory, begin))
        _native.copy_into(target, each_once(tensors[number]), "export")
    widest = max((places[one].dtype for one in group), key=lambda dtype: dtype.itemsize)
    return Piece(memory.view(widest), [(one, _moved(places[one], begin)) for one in group])


def _alone(x: Tensor, number: int) -> Piece:
    if x.is_contiguous():
        return Piece(x, [(number, Layout(x.shape))])
    own = own_elements(_native.layout_of(x))
    elements = own.taken_from(x)._convert(None, False, "row_major", "contiguous")
    return Piece(elements, [(number, Layout(x.shape, own.strides, own.offset))])


def _moved(place: Place, begin: int) -> Layout:
    layout = place.layout
    return Layout(layout.shape, layout.strides, layout.offset - begin // place.dtype.itemsize)
