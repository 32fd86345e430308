"""Gradient rules, one file per family of operations. Importing this room fills the table."""
