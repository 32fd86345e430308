"""A file that appears whole or not at all: written beside its name, then put in its place."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from strided import _native
from strided._native import Tensor
from strided.errors import FileUnusable


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """Open a file for writing; it takes its name when the block ends without an error."""
    if "\0" in path:
        raise FileUnusable(path=path, reason="a name has no null character")
    partial = f"{path}.{secrets.token_hex(4)}.part"
    try:
        with open(partial, "xb") as file:
            yield file
        os.replace(partial, path)
    except OSError as error:
        raise FileUnusable(path=path, reason=error.strerror or str(error)) from error
    finally:
        if os.path.exists(partial):
            os.unlink(partial)


def write_elements(file: BinaryIO, x: Tensor) -> None:
    """Write the elements of a tensor in row-major order, packed first unless they lie so."""
    packed = x.contiguous()
    if packed.nbytes:
        file.write(memoryview(packed.view(-1).view(_native.uint8)))
