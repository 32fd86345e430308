"""Matrices of quantised blocks, as GGUF files store them: views of rows, products, numbers."""

from strided.quantized.exact import exact_quantized
from strided.quantized.matrix import QuantizedMatrix
from strided.quantized.product import product_into
from strided.quantized.sources import quantize, random_blocks

__all__ = ["QuantizedMatrix", "exact_quantized", "product_into", "quantize", "random_blocks"]
