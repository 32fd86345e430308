"""One description for an argument of several functions."""

from __future__ import annotations


def for_each(owners: str, **arguments: str) -> dict[str, str]:
    """Return entries that say the same of several owners.

    >>> for_each("min max", axis="The axis.")
    {'min.axis': 'The axis.', 'max.axis': 'The axis.'}
    """
    return {f"{owner}.{name}": text for name, text in arguments.items() for owner in owners.split()}
