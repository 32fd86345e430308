"""dask over tensors: chunks, their names and sizes, and their way between workers."""
