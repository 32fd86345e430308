"""Tensors in pickles and deep copies: their own elements only, and memory shared as it was.

A pickled tensor is the storage it lay in (a ``Home``, the same object for all tensors of a pickle
that share it), its place there, and its elements packed in the order of memory. With protocol 5 the
elements are a buffer that can be kept out of the pickle and is never copied when they are packed
already.
"""

from __future__ import annotations

import copy
import pickle
from typing import Any
from weakref import WeakValueDictionary

from strided import _native
from strided._native import Layout, Tensor
from strided.errors import GradientNotPossible
from strided.interop.shared_memory import Place, SharedStorage, each_once, own_elements


class Home:
    """A storage, for as long as a pickle of its tensors is being written."""

    def __init__(self, keeps: Tensor) -> None:
        self._keeps = keeps  # no other storage can come to lie at its address meanwhile

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedStorage, ()


class Elements:
    """Packed elements of a storage, for as long as a pickle of them is being written."""

    def __init__(self, packed: Tensor) -> None:
        self._packed = packed

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        packed = self._packed
        raw = packed.reshape(-1).view(_native.uint8)
        if protocol >= 5:
            return _from_memory, (pickle.PickleBuffer(raw), packed.dtype.name)
        _native.log_copy("export", packed, packed.dtype)
        data = bytearray(raw) if packed.writable else bytes(raw)
        return _from_memory, (data, packed.dtype.name)


# The pickler's memo keeps what it has written, and with it these entries, until it is done.
_homes: WeakValueDictionary[int, Home] = WeakValueDictionary()
_written: WeakValueDictionary[tuple[Any, ...], Elements] = WeakValueDictionary()


def _home_of(x: Tensor) -> Home:
    pointer = _native.storage_pointer(x)
    home = _homes.get(pointer)
    if home is None:
        home = _homes[pointer] = Home(x)
    return home


def _elements_of(x: Tensor) -> Elements:
    own = own_elements(_native.layout_of(x))
    key = (_native.storage_pointer(x), x._version, x.dtype.name, own.core)
    found = _written.get(key)
    if found is None:
        packed = own.taken_from(x)._convert(None, False, "row_major", "export")
        found = _written[key] = Elements(packed)
    return found


def _from_memory(data: Any, dtype: str) -> Tensor:
    """Return the elements in a buffer of a pickle. A view, read-only if the buffer is."""
    raw, wanted = _native._from_buffer(data), getattr(_native, dtype)
    part = wanted.itemsize // 2 if wanted.is_complex else wanted.itemsize
    if raw.nbytes and raw.data_ptr() % part:
        raw = raw._convert(None, True, None, "align")
    return raw.view(wanted)


def _as_subclass(like: type[Tensor], x: Tensor, attributes: dict[str, Any]) -> Tensor:
    """Return a view of a plain tensor as a subclass, with the attributes its ``__init__`` set."""
    made = x if like is Tensor else like.__new__(like, x)
    for name, value in attributes.items():
        setattr(made, name, value)
    return made


def _rebuilt(
    home: SharedStorage,
    elements: Tensor,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset: int,
    like: type[Tensor] = Tensor,
    attributes: dict[str, Any] | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Return a pickled tensor, on one storage with those of the pickle that it overlapped."""
    place = Place(Layout(shape, strides, offset), elements.dtype)
    made = home.add(elements, place, lambda x: _as_subclass(like, x, attributes or {}))
    return made.requires_grad_() if requires_grad else made


def __reduce_ex__(self: Tensor, protocol: Any) -> tuple[Any, ...]:
    """Pickle a tensor as its own elements: a small view does not drag its storage along.

    Tensors in one pickle that share memory share it again when they are loaded. With protocol 5 and
    ``buffer_callback`` packed elements leave as buffers, without a copy.

    >>> import pickle, strided
    >>> x = strided.arange(6).reshape(2, 3)
    >>> x, row = pickle.loads(pickle.dumps([x.T, x[1]]))
    >>> row[0] = 9
    >>> x.tolist()
    [[0, 9], [1, 4], [2, 5]]
    """
    x, layout = self.detach(), _native.layout_of(self)
    place = (layout.shape, layout.strides, layout.offset)
    plain = (_home_of(x), _elements_of(x), *place)
    is_leaf = self.requires_grad and self.is_leaf
    if type(self) is Tensor and not is_leaf:
        return _rebuilt, plain
    return _rebuilt, (*plain, type(self), getattr(self, "__dict__", {}), is_leaf)


def __copy__(self: Tensor) -> Tensor:
    """Return another tensor over the same storage. A view.

    >>> import copy, strided
    >>> x = strided.zeros(2)
    >>> copy.copy(x).shares_storage(x)
    True
    """
    return _as_subclass(type(self), self.view(), getattr(self, "__dict__", {}))


def __deepcopy__(self: Tensor, memo: dict[Any, Any]) -> Tensor:
    """Return a copy with its own storage; tensors copied together share memory as before.

    >>> import copy, strided
    >>> x = strided.zeros(2)
    >>> y, first = copy.deepcopy([x, x[:1]])
    >>> y.shares_storage(x), first.shares_storage(y)
    (False, True)
    """
    made: Tensor = deep_copied(self, memo)
    if self.requires_grad:
        made.grad = copy.deepcopy(self.grad, memo)
    return made


def deep_copied(x: Tensor, memo: dict[Any, Any]) -> Any:
    """Return a copy of the same class, without its gradient; shared memory is shared in copies."""
    if not x.is_leaf:
        raise GradientNotPossible(
            operation="a deep copy of a computed tensor",
            reason="it would share the history of the first",
            hint="use .clone() for a copy in the graph, .detach().clone() for a plain one",
        )
    homes = memo.setdefault(id(_homes), {})
    home: SharedStorage = homes.setdefault(_native.storage_pointer(x), SharedStorage())
    packed = each_once(x.detach())._convert(None, True, "row_major", "clone").reshape(-1)
    attributes = copy.deepcopy(getattr(x, "__dict__", {}), memo)
    place = Place(_native.layout_of(x), x.dtype)
    made = home.add(packed, place, lambda plain: _as_subclass(type(x), plain, attributes))
    return made.requires_grad_() if x.requires_grad else made


METHODS: dict[str, Any] = {
    "__reduce_ex__": __reduce_ex__,
    "__copy__": __copy__,
    "__deepcopy__": __deepcopy__,
}
