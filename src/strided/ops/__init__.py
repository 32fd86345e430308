"""Elementwise ops by table, and indexing by arrays."""
