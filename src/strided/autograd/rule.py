"""Gradient rules, under the name by which modules that have no definitions yet import them."""

from strided.ops.rule import (
    RULES,
    AddInto,
    Backward,
    Call,
    Gradient,
    Gradients,
    Rule,
    gradient_of,
)

__all__ = ["RULES", "AddInto", "Backward", "Call", "Gradient", "Gradients", "Rule", "gradient_of"]
