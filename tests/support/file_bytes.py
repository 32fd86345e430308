"""Writes .safetensors and .gguf files byte by byte, and damages them."""

from __future__ import annotations

import json
import struct
from typing import Any

from hypothesis import strategies as st

from strided.formats.gguf import TYPES

# ---- whole files ----


def safetensors(header: Any, data: bytes = b"") -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def tensor(dtype: str, shape: list[int], begin: int, end: int) -> dict[str, Any]:
    return {"dtype": dtype, "shape": shape, "data_offsets": [begin, end]}


class Gguf:
    """Writes a GGUF file: keys, then tensors, then padding and data."""

    def __init__(self, order: str = "<", version: int = 3) -> None:
        self.order, self.version = order, version
        self.keys: list[bytes] = []
        self.tensors: list[bytes] = []
        self.count = "I" if version == 1 else "Q"

    def pack(self, code: str, *values: Any) -> bytes:
        return struct.pack(self.order + code, *values)

    def text(self, text: str) -> bytes:
        return self.pack(self.count, len(text.encode())) + text.encode()

    def key(self, name: str, kind: int, value: bytes) -> Gguf:
        self.keys.append(self.text(name) + self.pack("I", kind) + value)
        return self

    def tensor(self, name: str, lengths: list[int], kind: int, offset: int) -> Gguf:
        sizes = b"".join(self.pack(self.count, n) for n in lengths)
        parts = [self.text(name), self.pack("I", len(lengths)), sizes]
        self.tensors.append(b"".join([*parts, self.pack("I", kind), self.pack("Q", offset)]))
        return self

    def bytes(self, data: int, alignment: int = 32) -> bytes:
        counts = self.pack(self.count, len(self.tensors)) + self.pack(self.count, len(self.keys))
        start = b"GGUF" + self.pack("I", self.version) + counts
        head = start + b"".join(self.keys) + b"".join(self.tensors)
        return head + bytes(-len(head) % alignment) + bytes(data)


# ---- metadata and tensors of Python values ----

_NUMBERS = {stored.name: number for number, stored in TYPES.items()}


def encoded(file: Gguf, value: Any) -> tuple[int, bytes]:
    """Return the type number and the bytes of a value."""
    if isinstance(value, bool):
        return 7, file.pack("?", value)
    if isinstance(value, int):
        return (4, file.pack("I", value)) if 0 <= value < 1 << 32 else (11, file.pack("q", value))
    if isinstance(value, float):
        return 6, file.pack("f", value)
    if isinstance(value, str):
        return 8, file.text(value)
    parts = [encoded(file, part) for part in value]
    kind = parts[0][0] if parts else 4
    return 9, file.pack("I" + file.count, kind, len(parts)) + b"".join(raw for _, raw in parts)


def gguf(metadata: dict[str, Any], tensors: dict[str, tuple[str, tuple[int, ...], bytes]]) -> bytes:
    """Return a .gguf file; a tensor is its type, its shape and its bytes."""
    file, data = Gguf(), b""
    for key, value in metadata.items():
        file.key(key, *encoded(file, value))
    for name, (kind, shape, raw) in tensors.items():
        data += bytes(-len(data) % 32)
        file.tensor(name, list(shape[::-1]), _NUMBERS[kind], len(data))
        data += raw
    return file.bytes(0) + data


# ---- damage ----

EDITS = st.lists(
    st.tuples(
        st.integers(0, 4000),
        st.one_of(
            st.binary(min_size=1, max_size=1),
            st.sampled_from(
                [b"\xff" * 8, b"\x00" * 8, b"\xff\xff\xff\x7f", b"{", b"[", b"(", b"9" * 20]
            ),
        ),
        st.sampled_from(["replace", "insert", "delete", "cut"]),
    ),
    min_size=1,
    max_size=4,
)


def mutated(content: bytes, edits: list[tuple[int, bytes, str]]) -> bytes:
    for place, new, how in edits:
        at = place % (len(content) + 1)
        if how == "replace":
            content = content[:at] + new + content[at + len(new) :]
        elif how == "insert":
            content = content[:at] + new + content[at:]
        elif how == "delete":
            content = content[:at] + content[at + len(new) :]
        else:
            content = content[:at]
    return content
