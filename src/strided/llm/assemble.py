"""From tensors by their names in a file to Weights: found, split, compared with the configuration.

Every tensor of the file must be understood. One that is left over is a part of the computation that
would be missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import strided
from strided import Tensor
from strided.llm.config import Config
from strided.llm.shapes import Shapes, layer_shapes, model_shapes
from strided.llm.weight_parts import Layer, Weights

if TYPE_CHECKING:
    from strided import QuantizedMatrix

_FLOATS = (strided.float32, strided.bfloat16, strided.float16, strided.float64)


@dataclass(frozen=True)
class Names:
    """What weights are called in a format.

    ``{}`` stands for the number of the layer. ``fused`` are tensors whose rows are those of several
    weights, one behind the other. ``ignored`` are ends of names that no forward pass needs.
    """

    model: Mapping[str, str]
    layer: Mapping[str, str]
    fused: Mapping[str, tuple[str, ...]]
    ignored: tuple[str, ...]


@dataclass
class Stock:
    """The tensors of one or several files by name, the file of each, and which were used."""

    tensors: Mapping[str, Tensor | QuantizedMatrix]
    files: Mapping[str, str]
    path: str
    used: set[str] = field(default_factory=set)

    def take(self, name: str, shape: tuple[int, ...]) -> Tensor | QuantizedMatrix:
        """Return a tensor that must be there, of floats or quantised, in this shape."""
        if name not in self.tensors:
            raise strided.FileUnusable(
                path=self.path, reason=f"it has no tensor {name!r}, which must be of shape {shape}"
            )
        found = self.tensors[name]
        self.used.add(name)
        where = f"{name!r} in {self.files[name]}"
        if tuple(found.shape) != shape:
            raise strided.ShapeMismatch(
                operation=f"tensor {where}",
                expected=shape,
                got=tuple(found.shape),
                hint="the configuration and the weights are of different models",
            )
        if isinstance(found, Tensor) and found.dtype not in _FLOATS:
            raise strided.DTypeMismatch(
                operation="a model",
                got=found.dtype.name,
                reason=f"{where} must hold floats or quantised blocks",
                hint="convert the model to float32, float16 or bfloat16",
            )
        if len(shape) == 1 and not isinstance(found, Tensor):
            raise strided.DTypeMismatch(
                operation="a vector of weights",
                got=found.kind,
                reason=f"{where} must hold floats",
                hint="convert the model with its norms and biases as floats",
            )
        return found


def assemble(config: Config, names: Names, stock: Stock, **more: Any) -> Weights:
    """Return the weights of a configuration from the tensors of its files. Views of them."""
    found: dict[str, Any] = {
        part: stock.take(names.model[part], shape) for part, shape in model_shapes(config).items()
    }
    shapes = layer_shapes(config)
    layers = tuple(_layer(names, stock, shapes, i) for i in range(config.layers))
    _check_left_over(config, names, stock)
    head = found.pop("head", found["embed"])
    return Weights(config=config, head=head, layers=layers, path=stock.path, **found, **more)


def _layer(names: Names, stock: Stock, shapes: Shapes, i: int) -> Layer:
    found: dict[str, Any] = {}
    for fused, parts in names.fused.items():
        name = fused.format(i)
        # Phi-3 files call the fused gate and up by the name of up alone: the first part tells.
        alone = names.layer[parts[0]].format(i) in stock.tensors
        if name in stock.tensors and parts[0] in shapes and not alone:
            found.update(_split(stock, name, {part: shapes[part] for part in parts}))
    for part, shape in shapes.items():
        if part not in found:
            found[part] = stock.take(names.layer[part].format(i), shape)
    return Layer(**found)


def _split(stock: Stock, name: str, shapes: Shapes) -> dict[str, Any]:
    """Return the rows of a fused tensor as views, one for each weight."""
    lengths = [shape[0] for shape in shapes.values()]
    (_, *columns), *_ = shapes.values()
    whole: Any = stock.take(name, (sum(lengths), *columns))
    found, begin = {}, 0
    for part, length in zip(shapes, lengths, strict=True):
        found[part] = whole[begin : begin + length]
        begin += length
    return found


def _check_left_over(config: Config, names: Names, stock: Stock) -> None:
    left = [
        name
        for name in stock.tensors
        if name not in stock.used and not name.endswith(names.ignored)
    ]
    if config.tied_embeddings:  # some files store the head again
        left = [name for name in left if name != names.model["head"]]
    if left:
        shown = ", ".join(left[:4]) + (f" and {len(left) - 4} more" if len(left) > 4 else "")
        raise strided.UnsupportedOperation(
            operation=f"running {stock.path}",
            reason=f"models of the family {config.architecture} have no {shown} here",
            hint="take a model without them: results would be wrong if they were left out",
        )
