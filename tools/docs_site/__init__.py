"""Makes the pages of the site that nobody writes: the API reference, sources, links between them.

``mkdocs.yml`` names ``hooks.py``; the other modules know nothing of MkDocs, and ``tests/project``
runs them without it.
"""
