"""What the extension asks of Python: one object, registered once when the library is imported.

Native code does what is done often. For the rest it calls these; their names stand once in C++, in
``bindings/services.hpp``, and registration refuses an object that lacks one or has another.
``docs/architecture.md`` says which package each may come from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from strided._native import Tensor
from strided.autograd.graph import Node, renewed_track
from strided.autograd.in_place import record_write
from strided.autograd.view_rules import adjoint_of
from strided.memory_layout import Size, Strides, memory_order
from strided.ops import indexing
from strided.ops.arrays import asarray
from strided.ops.gradients import RULES, Rule
from strided.text import text_of


class Services(NamedTuple):
    """The services by their names."""

    # Make a tensor of anything array-like.
    asarray: Callable[[Any], Tensor]
    # x[key] for a key with lists, masks or tensors: (x, key).
    get_advanced: Callable[[Tensor, Any], Tensor]
    # x[key] = value for such a key: (x, key, value).
    set_advanced: Callable[[Tensor, Any, Any], None]
    # Print a tensor: (x, is_repr).
    text: Callable[[Tensor, bool], str]
    # What `x.strides` is.
    strides: type[Strides]
    # What `x.size` is.
    size: type[Size]
    # The axes of a tensor in the order of a memory format, slowest first: (x, memory_format).
    memory_order: Callable[[Tensor, Any], tuple[int, ...]]
    # The gradient rules by the name of their operation. Native code calls their `prepare`.
    rules: dict[str, Rule]
    # The class of `x.grad_fn`.
    node: type[Node]
    # How a view's gradient becomes its tensor's: (x, view, strides, offset, kind).
    view_adjoint: Callable[[Tensor, Tensor, tuple[int, ...], int, int], Callable[..., Any] | None]
    # Check an in-place call, run it and record it: (name, function, target, args, kwargs=None).
    record_write: Callable[..., Tensor]
    # Let a view whose memory was rewritten take its history anew: (x). Returns its Track or None.
    renewed_track: Callable[[Tensor], Any]


SERVICES = Services(
    asarray=asarray,
    get_advanced=indexing.get_advanced,
    set_advanced=indexing.set_advanced,
    text=text_of,
    strides=Strides,
    size=Size,
    memory_order=memory_order,
    rules=RULES,
    node=Node,
    view_adjoint=adjoint_of,
    record_write=record_write,
    renewed_track=renewed_track,
)
