"""How far the vectorised functions may be off: one table for the tests and for docs/accuracy.md."""

from __future__ import annotations

# In units in the last place of the exact result: float32, float64.
BOUNDS: dict[str, tuple[float, float]] = {
    "sqrt": (0.5, 0.5),
    "rsqrt": (1.5, 1.5),
    "exp": (1.5, 1.5),
    "exp2": (1.5, 1.5),
    "expm1": (1.5, 1.5),
    "log": (1.0, 1.0),
    "log2": (2.0, 2.0),
    "log10": (2.5, 2.0),
    "log1p": (2.0, 2.0),
    "sin": (2.0, 2.0),
    "cos": (2.0, 2.0),
    "tan": (4.0, 4.0),
    "asin": (3.0, 3.0),
    "acos": (1.5, 1.5),
    "atan": (2.5, 2.5),
    "sinh": (3.0, 3.0),
    "cosh": (2.0, 2.0),
    "tanh": (3.0, 2.0),
    "asinh": (2.5, 2.5),
    "acosh": (2.5, 2.5),
    "atanh": (2.5, 2.5),
    "sinc": (4.0, 4.0),
    "sigmoid": (2.5, 2.5),
    "logit": (2.5, 2.5),
    "silu": (3.0, 3.0),
    "gelu": (4.0, 4.0),
    "gelu_tanh": (3.0, 3.0),
    "softplus": (2.0, 2.0),
    "erf": (3.0, 2.0),
    "erfc": (4.0, 4.0),
    "pow": (3.5, 2.0),
    "atan2": (2.5, 2.5),
    "hypot": (1.5, 1.0),
    "logaddexp": (3.0, 3.0),
    "logaddexp2": (3.0, 3.0),
    "xlogy": (2.0, 2.0),
    "fmod": (0.0, 0.0),
    "remainder": (0.5, 0.5),
}
BINARY = (
    "pow", "atan2", "hypot", "logaddexp", "logaddexp2", "xlogy", "fmod", "remainder",
)  # fmt: skip
