"""PyTorch operations that copy: one row per reason, by the name in aten.

aten knows fewer operations than users do: ``contiguous()``, ``reshape()`` and the operand of a
product that had to be made contiguous are all ``clone`` there. What tells them apart is the call
that the program wrote. A row says which calls mean "copy"; the same operation inside any other call
is a hidden copy.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CopyKind:
    """Why an operation copies, what helps, and whose bytes are counted.

    ``calls`` are those by which a program asks for such a copy; None stands for any. ``counted``
    is the number of an argument; None stands for the result.
    """

    reason: str
    hint: str
    calls: frozenset[str] | None = None
    counted: int | None = None

    def asked_by(self, call: str) -> bool:
        """Return whether a call by that name means this copy."""
        return self.calls is None or call in self.calls


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CLONE = CopyKind(
    "clone", "drop the clone if nobody writes to the result", _names("clone tensor to")
)
CONTIGUOUS = CopyKind("contiguous", "drop .contiguous() where the consumer takes strides")
RESHAPE = CopyKind(
    "reshape",
    "reshape before permuting, or use .view() to be told when it would copy",
    _names(""),
)
OPERAND = CopyKind(
    "operand",
    "pass an operand whose axes merge (not expanded, not permuted between them)",
    _names(""),
)
REPEAT = CopyKind("repeat", "use .expand() where the repeats are only read")
CONVERT = CopyKind(
    "convert",
    "create the tensor in that dtype, or keep one dtype through the block",
    _names(
        "to type type_as float double half bfloat16 int long short char byte bool cfloat cdouble "
        "chalf"
    ),
)
TRANSFER = CopyKind(
    "transfer", "create the tensor on that device", _names("to cpu cuda xpu mps pin_memory")
)
ASSIGN = CopyKind(
    "assign",
    "compute into the destination with out=",
    _names("copy_ _foreach_copy_ __setitem__ __deepcopy__ index_copy_ index_put_ put_"),
    counted=0,
)
JOIN = CopyKind(
    "join",
    "allocate the result first and write the parts into slices of it",
    _names(
        "cat concat concatenate stack hstack vstack dstack column_stack row_stack block_diag "
        "_chunk_cat"
    ),
)
PICKED = CopyKind(
    "gather",
    "use a slice or .narrow() where the positions are regular",
    _names("gather index_select take take_along_dim masked_select embedding"),
)
MOVED = CopyKind("flip", "keep the order and index from the other end: PyTorch has no such view")
PADDED = CopyKind("pad", "allocate the padded tensor first and write into its middle")
WINDOWS = CopyKind("windows", "use Tensor.unfold, which is a view, where windows are only read")
CHANGED = CopyKind("scatter", "use the in-place form where the original is no longer needed")

# Names in aten, without overloads. What is not here computes something, or is a view.
_ROWS: tuple[tuple[CopyKind, str], ...] = (
    (CLONE, "clone"),
    (CONVERT, "_to_copy"),
    (TRANSFER, "_pin_memory"),
    (ASSIGN, "copy_ _foreach_copy_"),
    (JOIN, "cat stack _chunk_cat block_diag"),
    (REPEAT, "repeat repeat_interleave"),
    (PICKED, "index gather index_select take masked_select embedding _unsafe_index"),
    (MOVED, "flip roll"),
    (
        PADDED,
        "constant_pad_nd reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d "
        "replication_pad2d replication_pad3d",
    ),
    (WINDOWS, "im2col"),
    (RESHAPE, "pixel_shuffle pixel_unshuffle channel_shuffle"),
    (
        CHANGED,
        "index_put index_copy index_fill scatter slice_scatter select_scatter diagonal_scatter "
        "as_strided_scatter masked_scatter",
    ),
    # Views that were asked for as copies, as functionalised programs do.
    (
        CLONE,
        "view_copy expand_copy permute_copy slice_copy select_copy t_copy transpose_copy "
        "as_strided_copy squeeze_copy unsqueeze_copy unfold_copy unbind_copy split_copy "
        "split_with_sizes_copy detach_copy diagonal_copy narrow_copy alias_copy copy",
    ),
)
# In place: what is duplicated are the elements of one argument, not the whole target.
_READ = {"index_put_": 2, "index_copy_": 3, "_index_put_impl_": 2, "put_": 2}

KINDS: dict[str, CopyKind] = {
    **{f"aten::{name}": kind for kind, names in _ROWS for name in names.split()},
    **{
        f"aten::{name}": CopyKind(ASSIGN.reason, ASSIGN.hint, ASSIGN.calls, place)
        for name, place in _READ.items()
    },
}

# In a backward pass the views of the forward pass are undone by reshaping.
_RESHAPES = _names("reshape reshape_as flatten ravel unflatten backward grad")


def kind_of_clone(call: str, ordered: bool) -> CopyKind:
    """Return what a clone is, from the call it was made in and whether it asked for an order.

    >>> kind_of_clone("reshape", True).reason, kind_of_clone("matmul", True).reason
    ('reshape', 'operand')
    """
    if call == "contiguous":
        return CONTIGUOUS
    if call == "repeat_interleave":
        return REPEAT
    if not ordered or call == "clone":
        return CLONE
    return RESHAPE if call in _RESHAPES or not call else OPERAND
