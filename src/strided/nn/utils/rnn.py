"""Sequences of different lengths, padded or packed: what recurrent layers take.

A packed batch has the elements of all sequences step by step, the longest sequence first, and how
many sequences there are at each step.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from strided import _native
from strided._native import Tensor
from strided.errors import InvalidArgument
from strided.ops.arrays import tensor
from strided.ops.creation import arange, full
from strided.ops.elementwise import where
from strided.ops.joining import cat

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
]


class PackedSequence(NamedTuple):
    """Sequences of different lengths, packed step by step.

    >>> import strided
    >>> from strided.nn.utils import rnn
    >>> packed = rnn.pack_sequence([strided.tensor([1.0, 2.0]), strided.tensor([3.0])])
    >>> packed.data.tolist(), packed.batch_sizes.tolist()
    ([1.0, 3.0, 2.0], [2, 1])
    """

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None = None
    unsorted_indices: Tensor | None = None

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the sequences with converted elements.

        >>> import strided
        >>> from strided.nn.utils import rnn
        >>> rnn.pack_sequence([strided.ones(2)]).to(strided.float64).data.dtype
        strided.float64
        """
        return self._replace(data=self.data.to(*args, **kwargs))

    def float(self) -> PackedSequence:
        """Return the sequences in float32.

        >>> import strided
        >>> from strided.nn.utils import rnn
        >>> rnn.pack_sequence([strided.ones(2)]).float().data.dtype
        strided.float32
        """
        return self.to(_native.float32)

    def double(self) -> PackedSequence:
        """Return the sequences in float64.

        >>> import strided
        >>> from strided.nn.utils import rnn
        >>> rnn.pack_sequence([strided.ones(2)]).double().data.dtype
        strided.float64
        """
        return self.to(_native.float64)

    def cpu(self) -> PackedSequence:
        """Return the sequences themselves: they are on the CPU.

        >>> import strided
        >>> from strided.nn.utils import rnn
        >>> rnn.pack_sequence([strided.ones(2)]).cpu().batch_sizes.tolist()
        [1, 1]
        """
        return self


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Return the inverse of a permutation of indices. A new tensor.

    >>> import strided
    >>> strided.nn.utils.rnn.invert_permutation(strided.tensor([2, 0, 1])).tolist()
    [1, 2, 0]
    """
    return None if permutation is None else permutation.argsort()


def pack_padded_sequence(
    input: Tensor,
    lengths: Tensor | Sequence[int],
    batch_first: bool = False,
    enforce_sorted: bool = True,
) -> PackedSequence:
    """Pack padded sequences (longest, n, ...) of these lengths. New tensors.

    With ``enforce_sorted`` lengths must not rise; otherwise sequences are sorted, and the order is
    kept.

    >>> import strided
    >>> padded = strided.tensor([[1.0, 3.0], [2.0, 0.0]])
    >>> strided.nn.utils.rnn.pack_padded_sequence(padded, [2, 1]).data.tolist()
    [1.0, 3.0, 2.0]
    """
    counts = lengths if isinstance(lengths, Tensor) else tensor(list(lengths))
    counts = counts.to(_native.int64)
    order = None
    x = input.transpose(0, 1) if batch_first else input
    if len(counts) != x.shape[1] or (len(counts) and counts.amin().item() <= 0):
        raise InvalidArgument(
            argument="lengths",
            got=str(counts.tolist()),
            requirement=f"must be {x.shape[1]} numbers above zero",
        )
    if not enforce_sorted:
        order = counts.argsort(descending=True, stable=True)
        counts, x = counts.index_select(0, order), x.index_select(1, order)
    elif (counts[1:] > counts[:-1]).any().item():
        raise InvalidArgument(
            argument="lengths",
            got=str(counts.tolist()),
            requirement="must not rise: sort the sequences, or give enforce_sorted=False",
        )
    steps = arange(counts[0].item()).unsqueeze(1)
    inside = steps < counts  # (steps, n)
    flat = x.narrow(0, 0, len(steps)).flatten(0, 1)
    data = flat.index_select(0, inside.flatten().nonzero().flatten())
    return PackedSequence(data, inside.sum(1), order, invert_permutation(order))


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """Return packed sequences padded (longest, n, ...), and their lengths. New tensors.

    >>> import strided
    >>> from strided.nn.utils import rnn
    >>> packed = rnn.pack_sequence([strided.tensor([1.0, 2.0]), strided.tensor([3.0])])
    >>> padded, lengths = rnn.pad_packed_sequence(packed, batch_first=True)
    >>> padded.tolist(), lengths.tolist()
    ([[1.0, 2.0], [3.0, 0.0]], [2, 1])
    """
    sizes = sequence.batch_sizes
    longest, count = len(sizes), sizes[0].item()
    if total_length is not None and total_length < longest:
        raise InvalidArgument(
            argument="total_length",
            got=str(total_length),
            requirement=f"must be at least {longest}, the length of the longest sequence",
        )
    inside = arange(count) < sizes.unsqueeze(1)  # (steps, n)
    first = (sizes.cumsum(0) - sizes).unsqueeze(1)
    places = where(inside, first + arange(count), 0)
    x = sequence.data.index_select(0, places.flatten()).unflatten(0, (longest, count))
    mask = inside.reshape((longest, count, *(1,) * (x.ndim - 2)))
    x = where(mask, x, padding_value)
    if total_length is not None and total_length > longest:
        more = (total_length - longest, *x.shape[1:])
        x = cat([x, full(more, padding_value, dtype=x.dtype)], axis=0)
    lengths = inside.sum(0)
    if sequence.unsorted_indices is not None:
        x = x.index_select(1, sequence.unsorted_indices)
        lengths = lengths.index_select(0, sequence.unsorted_indices)
    return x.transpose(0, 1) if batch_first else x, lengths


def pad_sequence(
    sequences: Sequence[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Return sequences (length, ...) padded to the longest: (longest, n, ...). A new tensor.

    >>> import strided
    >>> several = [strided.tensor([1.0, 2.0]), strided.tensor([3.0])]
    >>> strided.nn.utils.rnn.pad_sequence(several, batch_first=True).tolist()
    [[1.0, 2.0], [3.0, 0.0]]
    """
    if padding_side not in ("left", "right"):
        raise InvalidArgument(
            argument="padding_side", got=repr(padding_side), requirement="must be 'left' or 'right'"
        )
    given = list(sequences)
    longest = max(len(x) for x in given)
    rows = []
    for x in given:
        more = full((longest - len(x), *x.shape[1:]), padding_value, dtype=x.dtype)
        parts = [x, more] if padding_side == "right" else [more, x]
        rows.append(cat(parts, axis=0).unsqueeze(0 if batch_first else 1))
    return cat(rows, axis=0 if batch_first else 1)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False
) -> list[Tensor]:
    """Return padded sequences without their padding: views.

    >>> import strided
    >>> padded = strided.tensor([[1.0, 2.0], [3.0, 0.0]])
    >>> [x.tolist() for x in strided.nn.utils.rnn.unpad_sequence(padded, [2, 1], True)]
    [[1.0, 2.0], [3.0]]
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    counts = lengths.tolist() if isinstance(lengths, Tensor) else lengths
    return [row.narrow(0, 0, count) for row, count in zip(rows.unbind(0), counts, strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences (length, ...). New tensors.

    >>> import strided
    >>> several = [strided.tensor([1.0, 2.0]), strided.tensor([3.0])]
    >>> strided.nn.utils.rnn.pack_sequence(several).batch_sizes.tolist()
    [2, 1]
    """
    lengths = [len(x) for x in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Return the sequences of a packed batch. New tensors.

    >>> import strided
    >>> from strided.nn.utils import rnn
    >>> packed = rnn.pack_sequence([strided.tensor([1.0, 2.0]), strided.tensor([3.0])])
    >>> [x.tolist() for x in rnn.unpack_sequence(packed)]
    [[1.0, 2.0], [3.0]]
    """
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
