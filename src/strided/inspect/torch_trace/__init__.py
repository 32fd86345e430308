"""Copies of PyTorch tensors: which operation made them, and on which line of the program."""
