"""Members of Tensor that NumPy's arrays have: ``flat``, ``flags``, ``fill``, ``tofile``, ..."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.ops.arguments import Axes, as_operand


class FlatElements:
    """The elements of a tensor in row-major order, for any strides: what ``x.flat`` is.

    Elements are views of rank 0; slices of them are copies where no view exists.

    >>> import strided
    >>> x = strided.arange(6).reshape(2, 3).T
    >>> x.flat(1).item(), x.flat[-1].item(), x.flat[:2].tolist(), len(x.flat)
    (3, 5, [0, 3], 6)
    """

    __slots__ = ("_of",)

    def __init__(self, of: Tensor) -> None:
        self._of = of

    def __call__(self, index: int, /) -> Tensor:
        return self._of._flat_element(index)

    def __getitem__(self, key: Any) -> Tensor:
        return self(key) if hasattr(key, "__index__") else self._of.reshape(-1)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        x, size = self._of, self._of.size
        if hasattr(key, "__index__") and not getattr(key, "ndim", 0):
            self(key)[...] = value
            return
        places = _native._fill_range(_native.empty(size, dtype=_native.int64), 0, 1)[key]
        values = as_operand(value).reshape(-1)._convert(x.dtype, reason="promote")
        if values.size != places.size:  # they repeat
            order = _native._fill_range(_native.empty(places.size, dtype=_native.int64), 0, 1)
            values = values.index_select(0, order % values.size)
        x.put_(places, values)

    def __iter__(self) -> Iterator[Tensor]:
        return (self(place) for place in range(self._of.size))

    def __len__(self) -> int:
        return self._of.size

    def __repr__(self) -> str:
        return f"<the {self._of.size} elements of a tensor of shape {self._of.shape}>"


def _flat(self: Tensor) -> FlatElements:
    """The elements in row-major order, for any strides: ``x.flat(1)``, ``x.flat[1]``. Views.

    >>> import strided
    >>> x = strided.zeros(2, 2)
    >>> x.flat[3] = 7
    >>> [y.item() for y in x.flat]
    [0.0, 0.0, 0.0, 7.0]
    """
    return FlatElements(self)


def _set_flat(self: Tensor, value: Any) -> None:
    FlatElements(self)[:] = value


class Flags(NamedTuple):
    """How a tensor lies in memory, in NumPy's words: what ``x.flags`` is.

    There is no ``owndata``: ``x.base`` says of what a tensor is a view. (dask copies parts of what
    says that it does not own its data.)

    >>> import strided
    >>> flags = strided.zeros(2, 3).T.flags
    >>> flags.c_contiguous, flags.f_contiguous, flags["WRITEABLE"]
    (False, True, True)
    """

    c_contiguous: bool
    f_contiguous: bool
    writeable: bool
    aligned: bool = True

    @property
    def contiguous(self) -> bool:
        """Whether elements lie in row-major order without gaps.

        >>> import strided
        >>> strided.zeros(2, 3).flags.contiguous
        True
        """
        return self.c_contiguous

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            return getattr(self, key.lower())
        return tuple.__getitem__(self, key)


def _flags(self: Tensor) -> Flags:
    """How the tensor lies in memory, in NumPy's words. Nothing is copied.

    >>> import strided
    >>> strided.zeros(2).flags.writeable
    True
    """
    reversed_axes = self.permute(tuple(range(self.ndim))[::-1])
    return Flags(self.is_contiguous(), reversed_axes.is_contiguous(), self.writable)


def fill(self: Tensor, value: Any) -> None:
    """Write one value everywhere, in place (NumPy's name for ``fill_``).

    >>> import strided
    >>> x = strided.zeros(2)
    >>> x.fill(3)
    >>> x.tolist()
    [3.0, 3.0]
    """
    self.fill_(value)


def tofile(self: Tensor, fid: Any, sep: str = "", format: str = "%s") -> None:
    """Write the elements in row-major order into a file. The file has a copy of them.

    >>> import os, strided, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "x.bin")
    >>> strided.arange(3).tofile(path)
    >>> os.path.getsize(path)
    24
    """
    self.detach().numpy().tofile(fid, sep, format)


def ptp(
    self: Tensor, axis: Axes = None, out: Tensor | None = None, keepdims: bool = False
) -> Tensor:
    """Return the largest minus the smallest element along axes. A new tensor.

    >>> import strided
    >>> strided.tensor([3, 9, 4]).ptp().item()
    6
    """
    from strided.numpy_names import averages

    return averages.ptp(self, axis, out, keepdims)


def choose(self: Tensor, choices: Any, out: Tensor | None = None, mode: str = "raise") -> Tensor:
    """Return, element by element, the choice whose number is here. A new tensor.

    >>> import strided
    >>> strided.tensor([1, 0]).choose([[10, 20], [30, 40]]).tolist()
    [30, 20]
    """
    from strided.numpy_names import choosing

    return choosing.choose(self, choices, out, mode)


def compress(
    self: Tensor, condition: Any, axis: int | None = None, out: Tensor | None = None
) -> Tensor:
    """Return the places of an axis where a condition holds. A new tensor.

    >>> import strided
    >>> strided.arange(3).compress([True, False, True]).tolist()
    [0, 2]
    """
    from strided.numpy_names import choosing

    return choosing.compress(condition, self, axis, out)


def argpartition(self: Tensor, kth: Any, axis: int | None = -1) -> Tensor:
    """Return the positions that ``strided.partition`` takes elements from. A new tensor.

    >>> import strided
    >>> strided.tensor([3, 1, 2]).argpartition(0)[0].item()
    1
    """
    from strided.numpy_names import set_functions as sets

    return sets.argpartition(self, kth, axis)


def partition(self: Tensor, kth: Any, axis: int = -1) -> None:
    """Bring the k-th element into its place, no larger ones before it, in place.

    >>> import strided
    >>> x = strided.tensor([3, 1, 2])
    >>> x.partition(1)
    >>> x[1].item()
    2
    """
    from strided.numpy_names import set_functions as sets

    self.copy_(sets.partition(self, kth, axis))


METHODS: dict[str, Any] = {
    "flat": property(_flat, _set_flat),
    "flags": property(_flags),
    "fill": fill,
    "tofile": tofile,
    "ptp": ptp,
    "choose": choose,
    "compress": compress,
    "argpartition": argpartition,
    "partition": partition,
}
for _name, _member in METHODS.items():
    if not isinstance(_member, property):
        _member.__qualname__ = f"Tensor.{_name}"
