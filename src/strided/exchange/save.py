"""``strided.save`` and ``strided.load``: dictionaries, lists and tensors in one file, memory shared
as it was.

The file is a .safetensors file: its tensors are the pieces of memory that the saved tensors are
views of, and one text of its metadata, in JSON, says which view each of them is and what stands
around them. docs/exchange.md has the format.
"""

from __future__ import annotations

import json
import os
from typing import Any

from strided import _native
from strided._native import Tensor
from strided.errors import FileMalformed, FileUnusable
from strided.exchange.pieces import pieces_of
from strided.exchange.safetensors import open_safetensors, save_safetensors
from strided.exchange.saved_view import view_of
from strided.exchange.structure import collect, restore

VERSION = 1
_FORMAT, _CONTENT = "strided.format", "strided.content"
# The one dtype that the file format lacks, and what its parts are stored as.
_STORED = {_native.complex128: _native.float64}


def save(value: Any, path: str | os.PathLike[str]) -> None:
    """Write tensors, and the dictionaries, lists, tuples and numbers around them, into one file.

    Tensors that share elements share them again when they are loaded; elements that no tensor
    reaches are not written. Views that are not packed are packed first. The file appears whole or
    not at all, and other programs read its tensors as those of a .safetensors file.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "state")
    >>> w = strided.arange(6.0).reshape(2, 3)
    >>> strided.save({"step": 3, "weights": [w, w.T]}, path)
    >>> state = strided.load(path, mode="c")
    >>> state["weights"][0][0, 1] = -1
    >>> state["step"], state["weights"][1].tolist()
    (3, [[0.0, 3.0], [-1.0, 4.0], [2.0, 5.0]])
    """
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


def _new_name(wanted: str, taken: dict[str, Tensor]) -> str:
    name, count = wanted, 1
    while name in taken or name == "__metadata__":
        count += 1
        name = f"{wanted} ({count})"
    return name


def load(path: str | os.PathLike[str], *, mode: str = "r") -> Any:
    """Return what ``strided.save`` has written. Tensors are views of the mapped file.

    ``mode``: ``"r"`` read-only, ``"c"`` copy on write (changes stay in memory), ``"r+"`` changes go
    to the file. Nothing is read until it is used.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "state")
    >>> strided.save((strided.ones(2), None, "text"), path)
    >>> strided.load(path)
    (tensor([1., 1.], shape=(2,), dtype=float32), None, 'text')
    """
    file = open_safetensors(path, mode=mode)
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
