"""Serialization: ``strided.save`` and ``strided.load``, which keep shared memory shared.

The file is a .safetensors file: its tensors are the pieces of memory that the saved tensors are
views of, and one text of its metadata, in JSON, says which view each of them is and what stands
around them. docs/exchange.md has the format.
"""

from __future__ import annotations

import base64
import json
import math
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

from strided import _native
from strided._native import DType, Layout, Tensor
from strided.errors import FileMalformed, FileUnusable, InvalidArgument
from strided.formats.npy import open_npy, open_npz
from strided.formats.safetensors import open_safetensors, save_safetensors
from strided.interop.shared_memory import Place, each_once, own_elements
from strided.ops.arrays import asarray

VERSION = 1
_FORMAT, _CONTENT = "strided.format", "strided.content"
# The one dtype that the file format lacks, and what its parts are stored as.
_STORED = {_native.complex128: _native.float64}


def save(value: Any, path: Any) -> None:
    """Write tensors, and the dictionaries, lists, tuples and numbers around them, into one file.

    Tensors that share elements share them again when they are loaded; elements that no tensor
    reaches are not written. Views that are not packed are packed first. The file appears whole or
    not at all, and other programs read its tensors as those of a .safetensors file.

    ``save(path, x)`` is NumPy's: one tensor in a .npy file, whose name it completes.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "state")
    >>> w = strided.arange(6.0).reshape(2, 3)
    >>> strided.save({"step": 3, "weights": [w, w.T]}, path)
    >>> state = strided.load(path, mode="c")
    >>> state["weights"][0][0, 1] = -1
    >>> state["step"], state["weights"][1].tolist()
    (3, [[0.0, 3.0], [-1.0, 4.0], [2.0, 5.0]])
    """
    if not isinstance(path, (str, os.PathLike)) and (
        isinstance(value, (str, os.PathLike)) or hasattr(value, "write")
    ):
        _save_npy(value, path)
        return
    collected = collect(value)
    named: dict[str, Tensor] = {}
    views: list[dict[str, Any]] = [{}] * len(collected.tensors)
    for piece in pieces_of(collected.tensors):
        name = _new_name(collected.names[piece.members[0][0]], named)
        elements = piece.elements
        stored = _STORED.get(elements.dtype, elements.dtype)
        # A single element has no axis that its parts could lie along.
        alone = stored is not elements.dtype and not elements.ndim
        named[name] = (elements.unsqueeze(0) if alone else elements).view(stored)
        for number, layout in piece.members:
            views[number] = {
                "piece": name,
                "dtype": collected.tensors[number].dtype.name,
                "shape": list(layout.shape),
                "strides": list(layout.strides),
                "offset": layout.offset,
            }
    content = json.dumps({"views": views, "value": collected.node}, separators=(",", ":"))
    metadata = {_FORMAT: str(VERSION), _CONTENT: content}
    save_safetensors(named, path, metadata=metadata)


def _save_npy(file: Any, x: Any) -> None:
    import numpy as np

    np.save(file, asarray(x).detach().numpy())


def _new_name(wanted: str, taken: dict[str, Tensor]) -> str:
    name, count = wanted, 1
    while name in taken or name == "__metadata__":
        count += 1
        name = f"{wanted} ({count})"
    return name


def load(path: Any, mode: str | None = None) -> Any:
    """Return what ``strided.save`` has written. Tensors are views of the mapped file.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write (changes stay in memory), ``"r+"`` changes go
    to the file. Nothing is read until it is used. NumPy's .npy and .npz files are opened too, with
    ``"c"`` unless said: a tensor, or tensors by name.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "state")
    >>> strided.save((strided.ones(2), None, "text"), path)
    >>> strided.load(path)
    (tensor([1., 1.], shape=(2,), dtype=float32), None, 'text')
    """
    if hasattr(path, "read"):
        import numpy as np

        found = np.load(path)
        return asarray(found) if isinstance(found, np.ndarray) else dict(_arrays_of(found))
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending in (".npy", ".npz"):
        opened = open_npy if ending == ".npy" else open_npz
        return opened(path, mode=mode or "c")
    file = open_safetensors(path, mode=mode or "r")
    version, content = file.metadata.get(_FORMAT), file.metadata.get(_CONTENT)
    if version is None or content is None:
        reason = "strided.save did not write it: use strided.open_safetensors"
        raise FileUnusable(path=file.path, reason=reason)
    if version != str(VERSION):
        reason = f"its format is version {version[:20]}, this library reads version {VERSION}"
        raise FileUnusable(path=file.path, reason=reason)
    try:
        said = json.loads(content)
        views = [view_of(file, one) for one in said["views"]]
        return restore(said["value"], views)
    except (KeyError, IndexError, TypeError, ValueError, RecursionError, OverflowError) as error:
        reason = f"what it says of its views is wrong: {type(error).__name__}: {error}"[:200]
        raise FileMalformed(path=file.path, position=8, reason=reason) from error


def _arrays_of(archive: Any) -> Iterator[tuple[str, Tensor]]:
    for name in archive.files:
        yield name, asarray(archive[name])


# ---- the view of a piece that a file describes ----


def view_of(pieces: dict[str, Tensor], said: dict[str, Any]) -> Tensor:
    """Return the tensor that a file describes; raises ValueError where it cannot be. A view."""
    piece, dtype = pieces[said["piece"]], _native.as_dtype(str(said["dtype"]))
    for name in ("shape", "strides"):
        if not isinstance(said[name], list) or not all(type(n) is int for n in said[name]):
            raise ValueError(f"{name} must be a list of whole numbers")
    layout = Layout(said["shape"], said["strides"], said["offset"])
    count = piece.nbytes // dtype.itemsize
    bounds = layout.bounds
    if bounds is None:
        return _native.empty(layout.shape, dtype=dtype)
    if bounds[0] < 0 or bounds[1] >= count:
        reach = f"elements {bounds[0]} to {bounds[1]}"
        raise ValueError(f"{said['piece']!r} has {count} {dtype.name}, not {reach}"[:150])
    raw = piece.reshape(-1).view(_native.uint8)
    flat = raw[: count * dtype.itemsize].view(dtype)
    begin = flat.storage_offset()
    x = flat.as_strided(layout.shape, layout.strides, layout.offset + begin)
    # Any byte can be said to be a bool, and only 0 and 1 are.
    if dtype is _native.bool and piece.dtype is not dtype and x.view(_native.uint8).amax() > 1:
        raise ValueError(f"{said['piece']!r} has bools other than 0 and 1")
    return x


# ---- containers and numbers as JSON ----
# A container is an object with one key that names it: {"list": [...]}, {"dict": [[key, value]]};
# a tensor is {"tensor": number}. Nothing that a file says is ever run.


_PLAIN = (type(None), bool, int, str)


class Collected(NamedTuple):
    """A value as JSON, its tensors in the order of their numbers, and what each is called."""

    node: Any
    tensors: list[Tensor]
    names: list[str]


def collect(value: Any) -> Collected:
    """Return a value as JSON and the tensors in it; one that occurs twice has one number.

    >>> import strided
    >>> from strided.formats.save import collect
    >>> x = strided.zeros(2)
    >>> collect({"a": [x, 1.5]}).node
    {'dict': [['a', {'list': [{'tensor': 0}, 1.5]}]]}
    """
    collector = _Collector()
    return Collected(collector.node(value, ()), collector.tensors, collector.names)


class _Collector:
    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.names: list[str] = []
        self._numbers: dict[int, int] = {}
        self._within: set[int] = set()
        self._kept: list[Any] = []  # arrays whose ids must not be used again

    def node(self, value: Any, path: tuple[Any, ...]) -> Any:
        """Return the JSON of one value at a path of keys."""
        if isinstance(value, Tensor) or type(value).__module__ == "numpy":
            return {"tensor": self._number(value, path)}
        if type(value) in _PLAIN:
            return value
        if type(value) is float:
            return value if math.isfinite(value) else {"float": repr(value)}
        if type(value) is complex:
            return {"complex": [repr(value.real), repr(value.imag)]}
        if type(value) is bytes:
            return {"bytes": base64.b64encode(value).decode()}
        if isinstance(value, DType):
            return {"dtype": value.name}
        if isinstance(value, (list, dict)) or type(value) is tuple:
            return self._container(value, path)
        raise InvalidArgument(
            argument=_shown(path),
            got=f"a {type(value).__name__}",
            requirement="must be a tensor, array, number, text, bytes, None, list, tuple or dict; "
            "pickle takes other objects",
        )

    def _container(self, value: Any, path: tuple[Any, ...]) -> Any:
        if id(value) in self._within:
            raise InvalidArgument(
                argument=_shown(path), got="a container of itself", requirement="must end somewhere"
            )
        self._within.add(id(value))
        try:
            if isinstance(value, dict):
                pairs = [[self._key(k, path), self.node(v, (*path, k))] for k, v in value.items()]
                return {"dict": pairs}
            kind = "list" if isinstance(value, list) else "tuple"
            return {kind: [self.node(one, (*path, i)) for i, one in enumerate(value)]}
        finally:
            self._within.discard(id(value))

    def _key(self, key: Any, path: tuple[Any, ...]) -> Any:
        if type(key) not in _PLAIN and type(key) not in (float, tuple):
            raise InvalidArgument(
                argument=f"a key of {_shown(path)}",
                got=f"a {type(key).__name__}",
                requirement="must be a text, a number, None or a tuple of those",
            )
        return self.node(key, path)

    def _number(self, value: Any, path: tuple[Any, ...]) -> int:
        if id(value) not in self._numbers:
            self._kept.append(value)
            self._numbers[id(value)] = len(self.tensors)
            self.tensors.append(asarray(value).detach())
            self.names.append(".".join(map(str, path)) or "tensor")
        return self._numbers[id(value)]


def _shown(path: tuple[Any, ...]) -> str:
    return "value" + "".join(f"[{key!r}]" for key in path)


def restore(node: Any, tensors: list[Tensor]) -> Any:
    """Return the value that was collected; raises ValueError or KeyError for any other JSON."""
    if not isinstance(node, dict):
        if type(node) in (*_PLAIN, float):
            return node
        raise ValueError(f"a {type(node).__name__} stands where a value should")
    ((kind, inner),) = node.items()
    if kind == "tensor":
        if type(inner) is not int or not 0 <= inner < len(tensors):
            raise ValueError(f"there is no tensor {inner!r}"[:60])
        return tensors[inner]
    if kind == "float":
        return float(inner)
    if kind == "complex":
        real, imaginary = inner
        return complex(float(real), float(imaginary))
    if kind == "bytes":
        return base64.b64decode(inner, validate=True)
    if kind == "dtype":
        return _native.as_dtype(str(inner))
    if kind == "dict":
        return {restore(key, tensors): restore(one, tensors) for key, one in inner}
    if kind in ("list", "tuple"):
        made = [restore(one, tensors) for one in inner]
        return made if kind == "list" else tuple(made)
    raise ValueError(f"{kind!r} is unknown"[:60])


# ---- pieces of memory that tensors share ----
# Tensors that overlap nobody need their own elements, packed. Of those that overlap, one may have
# all elements of the others; otherwise the piece reaches from the first to the last element of all
# of them, with zeros where no tensor has an element.


class Piece(NamedTuple):
    """Packed elements, and which tensors are what views of them, offsets counted in their dtype."""

    elements: Tensor
    members: list[tuple[int, Layout]]


def pieces_of(tensors: list[Tensor]) -> list[Piece]:
    """Return the pieces of memory that tensors are views of. Views, or logged copies.

    >>> import strided
    >>> from strided.formats.save import pieces_of
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
