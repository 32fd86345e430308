"""What the API reference says of names besides their docstrings: arguments, costs, gradients.

It stands outside of the library: a definition says what an operation does, and these tables what a
reader asks besides. ``tests/project/test_reference_tables.py`` compares them with the definitions.
"""
