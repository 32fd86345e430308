"""Matrices of quantised blocks, as GGUF files store them: views of rows, products, numbers."""

from strided.quantized.matrix import QuantizedMatrix, quantize, random_blocks
from strided.quantized.product import exact_quantized, product_into

__all__ = ["QuantizedMatrix", "exact_quantized", "product_into", "quantize", "random_blocks"]
