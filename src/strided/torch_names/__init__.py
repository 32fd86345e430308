"""Functions and methods by PyTorch's names that are made of several packages of strided."""
