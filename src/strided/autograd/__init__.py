"""Gradients: what is recorded while tensors are computed, and the walk back through it."""
