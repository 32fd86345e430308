"""What the API reference says of names besides their docstrings: arguments, costs, gradients.

Nothing of the library loads this package: it costs no import time. ``tools/docs_site`` puts it on
the pages, and ``tests/reference`` compares it with the definitions.
"""
