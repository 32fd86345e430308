"""NumPy's functions on tensors: the dispatch protocols of NEP 13 and NEP 18."""
