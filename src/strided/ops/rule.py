"""What a gradient rule is, and the table of all of them by the name of their operation.

A rule is called once, after its operation ran, with the operation's arguments; it saves what it
needs, as little as possible, and returns the function that turns gradients of the results into
gradients of the arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

from strided._native import Tensor


class AddInto(NamedTuple):
    """A gradient that adds itself into a buffer of the argument's shape: few of many elements."""

    add: Callable[[Tensor], Any]


Gradient: TypeAlias = Tensor | AddInto | None
Gradients: TypeAlias = Sequence[Gradient]
# Takes one gradient per differentiable result, returns one per tensor argument.
Backward: TypeAlias = Callable[..., Gradients]


class Call(Protocol):
    """One recorded call, as its rule sees it."""

    @property
    def output(self) -> Any:
        """What the operation returned."""

    @property
    def tensors(self) -> Sequence[Tensor]:
        """The tensor arguments in the order in which they appear, lists and tuples opened."""

    @property
    def edges(self) -> tuple[Any, ...]:
        """Where the gradient of each tensor argument goes, None where none is wanted."""

    def needs(self, index: int) -> bool:
        """Return whether a gradient of this tensor argument is wanted."""

    def save(self, *tensors: Tensor | None) -> Callable[[], tuple[Any, ...]]:
        """Keep tensors for backward; the result gives them back, or raises StaleGradient."""


# Known of an operation, or asked for each call: of its target, its arguments, and which of the
# tensors among them take part.
ReadsSelf: TypeAlias = bool | Callable[[Tensor, Sequence[Any], Sequence[bool]], bool]


class Rule(NamedTuple):
    """How gradients pass one operation."""

    name: str
    prepare: Callable[..., Backward]
    reads_self: ReadsSelf  # the value that an in-place form overwrites

    def reads(self, target: Tensor, args: Sequence[Any], needs: Sequence[bool]) -> bool:
        """Return whether a call needs what it overwrites; ``needs`` is one per tensor argument."""
        answer = self.reads_self
        return answer if isinstance(answer, bool) else answer(target, args, needs)


RULES: dict[str, Rule] = {}


def gradient_of(
    *names: str, reads_self: ReadsSelf = False
) -> Callable[[Callable[..., Backward]], Callable[..., Backward]]:
    """Enter a rule into the table, for each operation named."""

    def enter(prepare: Callable[..., Backward]) -> Callable[..., Backward]:
        for name in names:
            assert name not in RULES, name
            RULES[name] = Rule(name, prepare, reads_self)
        return prepare

    return enter
