"""Quantised matrices in the block formats of GGUF: views of rows, products, dequantisation."""

from strided.quantized.matrix import (
    QuantizedMatrix,
    exact_quantized,
    product_into,
    quantize,
    random_blocks,
)

__all__ = ["QuantizedMatrix", "exact_quantized", "product_into", "quantize", "random_blocks"]
