"""What strided.inspect.tensors_in reads from headers, and that no file can do harm.

Files are written by NumPy where it knows the format, and byte by byte where it does not.
"""

from __future__ import annotations

import json
import os
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.file_bytes import EDITS, Gguf, mutated, safetensors, tensor

import strided
from strided.formats.gguf import TYPES
from strided.formats.npy_header import BadLiteral, parse_literal
from strided.inspect import tensors_in

# ---- writing by hand ----


def npy(header: str, data: bytes = b"", version: int = 1) -> bytes:
    text = header.encode()
    length = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + length + text + data


def model(order: str = "<", version: int = 3) -> Gguf:
    file = Gguf(order, version)
    words = b"".join(map(file.text, ["<s>", "hello", ""]))
    file.key("general.architecture", 8, file.text("qwen3"))
    file.key("tokenizer.tokens", 9, file.pack("I" + file.count, 8, 3) + words)
    file.key("scores", 9, file.pack("I" + file.count, 6, 4) + bytes(16))
    file.key(
        "nested", 9, file.pack("I" + file.count, 9, 1) + file.pack("I" + file.count, 0, 3) + b"abc"
    )
    file.key("flag", 7, b"\x01")
    file.tensor("token_embd.weight", [256, 3], 12, 0)
    return file.tensor("norm", [5], 0, 448)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def made(name: str, content: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return made


Write = Callable[[str, bytes], Path]

# ---- .npy ----

ARRAYS = {
    "row-major": np.arange(6.0).reshape(2, 3),
    "column-major": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "rank 0": np.array(7, dtype="i2"),
    "rank 1": np.arange(5, dtype="u1"),
    "empty": np.zeros((3, 0, 4)),
    "big-endian": np.arange(3, dtype=">f4"),
    "complex": np.zeros((2, 2), dtype="c8"),
    "bool": np.zeros(9, dtype="?"),
    "text": np.array(["a", "bcd"]),
    "dates": np.array(["2024-01-01"], dtype="M8[D]"),
    "fields": np.zeros(2, dtype=[("a", "i4"), ("b", "f8", (2, 3))]),
    "nested fields": np.zeros(2, dtype=[("a", [("x", "i4"), ("y", "u1")])]),
}


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy(name: str, version: tuple[int, int], tmp_path: Path) -> None:
    array, path = ARRAYS[name], tmp_path / "x.npy"
    with path.open("wb") as file:
        np.lib.format.write_array(file, array, version=version)
    (entry,) = tensors_in(path)
    assert (entry.name, entry.shape, entry.nbytes) == ("", array.shape, array.nbytes)
    assert np.dtype(eval(entry.dtype) if "[(" in entry.dtype else entry.dtype) == array.dtype
    assert entry.block == (1, array.itemsize)
    steps = tuple(s // array.itemsize for s in array.strides)
    assert array.size == 0 or entry.layout.strides == steps
    assert entry.order == ("column-major" if name == "column-major" else "row-major")
    raw = path.read_bytes()[entry.offset :]
    assert raw == array.tobytes(order="A")


def test_old_names_of_dtypes_are_read_without_a_warning(write: Write) -> None:
    (entry,) = tensors_in(write("x.npy", npy(GOOD.replace("<f8", "|a3"), bytes(6))))
    assert (entry.dtype, entry.nbytes) == ("|S3", 6)
    fields = GOOD.replace("'<f8'", "[('name', '|a3'), ('mark', ('<i2', (2,)))]")
    (entry,) = tensors_in(write("y.npy", npy(fields, bytes(14))))
    assert "('name', 'S3')" in entry.dtype
    assert entry.nbytes == 14


def test_npy_of_objects_has_no_size_of_its_own(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.array([{}, []], dtype=object), allow_pickle=True)
    (entry,) = tensors_in(tmp_path / "x.npy")
    assert (entry.dtype, entry.shape, entry.nbytes) == ("object", (2,), 0)


GOOD = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"


@pytest.mark.parametrize(
    ("content", "position"),
    [
        (b"", 0),
        (b"\x93NUMP", 0),
        (b"\x94NUMPY\x01\x00\x10\x00", 0),
        (b"\x93NUMPY\x01\x00", 8),
        (b"\x93NUMPY\x09\x00\x10\x00abcd", 6),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff" + bytes(20), 8),
        (b"\x93NUMPY\x01\x00\xff\xff" + bytes(20), 10),
        (npy(GOOD, bytes(15)), 10 + len(GOOD)),
        (npy("{'descr': '<f8'}  "), 10),
        (npy(GOOD.replace("False", "0   ")), 10),
        (npy(GOOD.replace("(2,)", "(-2,)")), 10),
        (npy(GOOD.replace("(2,)", "[2,]")), 10),
        (npy(GOOD.replace("(2,)", "(9999999999999999999,)")), 10),
        (npy(GOOD.replace("(2,)", "(0, 4611686018427387904, 4611686018427387904)")), 10),
        (npy(GOOD.replace("(2,)", "(4611686018427387904,)")), 10 + len(GOOD) + 18),
        (npy(GOOD.replace("(2,)", str((1,) * 200))), 10),
        (npy(GOOD.replace("<f8", "nonsense")), 10),
        (npy(GOOD.replace("<f8", "(1,)i4,(2,)i4")), 10),
        (npy(GOOD.replace("'<f8'", "[('a', '<f8'), 3]")), 10),
        (npy(GOOD.replace("'<f8'", "[('a', '<f8'), ('a', '<f8')]")), 10),
        (npy(GOOD.replace("(2,)", "__import__('os')")), 10 + 49),
        (npy("(" * 60000, version=2), 12 + 17),
        (npy("-" * 60000 + "1"), 10 + 17),
        (npy("'" + "\\" * 60001), 10),
        (npy(GOOD + "x"), 10 + len(GOOD)),
        (npy(GOOD.replace("'shape'", "'descr': 1, 'shape'")), None),
    ],
)
def test_malformed_npy(content: bytes, position: int | None, write: Write) -> None:
    path = write("x.npy", content)
    with pytest.raises(strided.FileMalformed) as caught:
        tensors_in(path)
    assert caught.value.path == str(path)
    if position is not None:
        assert caught.value.position == position


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (" {'a' : (1,2L) ,\n'b':[True,None] } ", {"a": (1, 2), "b": [True, None]}),
        ("()", ()),
        ("(3)", 3),
        ("[]", []),
        ("-4", -4),
        ('u"x\'y"', "x'y"),
    ],
)
def test_literals(text: str, value: Any) -> None:
    assert parse_literal(text) == value


@pytest.mark.parametrize(
    "text", ["", "(1 2)", "{'a': 1 'b': 2}", "{1: 2}", "{'a'}", "--1", "-'a'", "(1,,)", "]", "1.5"]
)
def test_bad_literals(text: str) -> None:
    with pytest.raises(BadLiteral):
        parse_literal(text)


# ---- .npz ----


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_npz(save: Any, tmp_path: Path) -> None:
    path = tmp_path / "x.npz"
    save(path, **{name.replace(" ", "_"): array for name, array in ARRAYS.items()})
    entries = tensors_in(path)
    raw = path.read_bytes()
    for entry, array in zip(entries, ARRAYS.values(), strict=True):
        assert (entry.shape, entry.nbytes) == (array.shape, array.nbytes)
        if save is np.savez:
            assert raw[entry.offset : entry.offset + entry.nbytes] == array.tobytes(order="A")
            assert entry.packing == ""
        else:
            assert entry.packing == "deflate"
    assert [e.name for e in entries] == [name.replace(" ", "_") for name in ARRAYS]


def test_members_that_are_no_arrays_are_left_out(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.writestr("notes.txt", "hello")
    assert tensors_in(tmp_path / "x.npz") == []


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    import io

    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"PK\x03\x04",
        zipped({"a.npy": b"short"}),
        zipped({"a.npy": npy(GOOD)}),
        zipped({"a.npy": npy(GOOD, bytes(16))[:-6]}, zipfile.ZIP_DEFLATED),
        zipped({"a.npy": npy(GOOD, bytes(16))})[:-10],
        zipped({"a.npy": npy(GOOD, bytes(16))}).replace(b"PK\x03\x04", b"PK\x03\x05"),
        # The local header says that the member begins elsewhere.
        zipped({"a.npy": npy(GOOD, bytes(16))}).replace(
            b"\x05\x00\x00\x00a", b"\x05\x00\xff\xffa", 1
        ),
    ],
)
def test_malformed_npz(content: bytes, write: Write) -> None:
    with pytest.raises(strided.FileMalformed):
        tensors_in(write("x.npz", content))


def test_a_zip_bomb_is_not_unpacked(write: Write) -> None:
    huge = npy(GOOD.replace("(2,)", f"({1 << 24},)"), bytes(8 << 24))
    path = write("x.npz", zipped({"a.npy": huge}, zipfile.ZIP_DEFLATED))
    del huge
    tracemalloc.start()
    (entry,) = tensors_in(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert entry.nbytes == 8 << 24
    assert peak < 4 << 20


# ---- .safetensors ----


def test_safetensors(write: Write) -> None:
    header = {
        "__metadata__": {"format": "pt"},
        "w": tensor("F32", [2, 3], 8, 32),
        "b": tensor("BF16", [4], 0, 8),
        "none": tensor("I64", [0, 5], 32, 32),
        "one": tensor("U8", [], 32, 33),
        "four bits": tensor("F4", [3, 2], 33, 36),
    }
    path = write("x.safetensors", safetensors(header, bytes(36)))
    start = 8 + len(json.dumps(header))
    found = [(e.name, e.dtype, e.shape, e.offset - start, e.nbytes) for e in tensors_in(path)]
    assert found == [
        ("b", "BF16", (4,), 0, 8),
        ("w", "F32", (2, 3), 8, 24),
        ("none", "I64", (0, 5), 32, 0),
        ("one", "U8", (), 32, 1),
        ("four bits", "F4", (3, 2), 33, 3),
    ]
    entries = {e.name: e for e in tensors_in(path)}
    assert entries["w"].layout == strided.Layout((2, 3))
    assert entries["four bits"].block == (8, 4)
    assert json.loads(json.dumps(entries["w"].to_dict()))["strides"] == [3, 1]


ONE = {"a": tensor("U8", [4], 0, 4)}


@pytest.mark.parametrize(
    ("content", "position"),
    [
        (b"", 0),
        (b"\x02\x00", 0),
        (struct.pack("<Q", 1 << 62) + b"{}", 0),
        (struct.pack("<Q", 100) + b"{}", 8),
        (safetensors(b"[]"), 8),
        (safetensors(b"{"), 9),
        (safetensors(b'{"a": }'), 14),
        (safetensors(b'{"\xff": 1}'), 10),
        (safetensors(b'{"a":' * 50000), 8),
        (safetensors(b'{"a": 1, "a": 2}'), 8),
        (safetensors({"a": 3}), 8),
        (safetensors({"a": {**ONE["a"], "more": 1}}, bytes(4)), 8),
        (safetensors({"a": tensor("Q9", [4], 0, 4)}, bytes(4)), 8),
        (safetensors({"a": tensor("U8", [-4], 0, 4)}, bytes(4)), 8),
        (safetensors({"a": tensor("U8", [4.0], 0, 4)}, bytes(4)), 8),  # type: ignore[list-item]
        (safetensors({"a": tensor("U8", [True], 0, 1)}, bytes(1)), 8),
        (safetensors({"a": tensor("U8", [10**40], 0, 4)}, bytes(4)), 8),
        (safetensors({"a": tensor("U8", [1 << 62, 1 << 62], 0, 4)}, bytes(4)), 8),
        (safetensors({"a": tensor("U8", [4], 4, 0)}, bytes(4)), 8),
        (safetensors({"a": tensor("U8", [5], 0, 4)}, bytes(4)), None),
        (safetensors({"a": tensor("F4", [3], 0, 1)}, bytes(1)), None),
        (safetensors(ONE, bytes(3)), None),
        (safetensors(ONE, bytes(5)), None),
        (safetensors({"a": tensor("U8", [4], 1, 5)}, bytes(5)), None),
        (safetensors({**ONE, "b": tensor("U8", [4], 2, 6)}, bytes(6)), None),
        (safetensors({**ONE, "b": tensor("U8", [2], 6, 8)}, bytes(8)), None),
    ],
)
def test_malformed_safetensors(content: bytes, position: int | None, write: Write) -> None:
    with pytest.raises(strided.FileMalformed) as caught:
        tensors_in(write("x.safetensors", content))
    if position is not None:
        assert caught.value.position == position
    assert 0 <= caught.value.position <= len(content)


def test_safetensors_names_the_tensors_that_overlap(write: Write) -> None:
    content = safetensors({**ONE, "b": tensor("U8", [4], 2, 6)}, bytes(6))
    with pytest.raises(strided.FileMalformed) as caught:
        tensors_in(write("x.safetensors", content))
    assert caught.value.reason == "'b' overlaps 'a'"
    assert caught.value.position == len(content) - 4


# ---- .gguf ----


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_gguf(order: str, version: int, write: Write) -> None:
    content = model(order, version).bytes(468)
    quantised, norm = tensors_in(write("x.gguf", content))
    start = len(content) - 468
    assert (quantised.name, quantised.dtype, quantised.shape) == (
        "token_embd.weight",
        "Q4_K",
        (3, 256),
    )
    assert (quantised.offset, quantised.nbytes, quantised.block) == (start, 3 * 144, (256, 144))
    assert quantised.layout == strided.Layout((3, 256))
    assert (norm.dtype, norm.shape, norm.offset, norm.nbytes) == ("F32", (5,), start + 448, 20)


def test_gguf_alignment(write: Write) -> None:
    file = Gguf().key("general.alignment", 4, struct.pack("<I", 128))
    content = file.tensor("a", [4], 24, 0).bytes(4, alignment=128)
    assert tensors_in(write("x.gguf", content))[0].offset == 128


@pytest.mark.parametrize("kind", TYPES)
def test_every_gguf_type(kind: int, write: Write) -> None:
    stored = TYPES[kind]
    content = Gguf().tensor("a", [stored.elements, 2], kind, 0).bytes(2 * stored.nbytes)
    (entry,) = tensors_in(write("x.gguf", content))
    assert (entry.dtype, entry.nbytes) == (stored.name, 2 * stored.nbytes)
    assert tensors_in(write("y.gguf", content + bytes(7)))  # padding at the end is allowed
    with pytest.raises(strided.FileMalformed):
        tensors_in(write("z.gguf", content[:-1]))


HUGE = (1 << 63) + 5


@pytest.mark.parametrize(
    ("content", "position"),
    [
        (b"", 0),
        (b"GGUX" + bytes(40), 0),
        (b"GGUF" + struct.pack("<I", 77) + bytes(40), 4),
        (b"GGUF" + struct.pack("<IQQ", 3, HUGE, 0), 8),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, HUGE), 16),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 20, 0), 24),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, HUGE), 24),
        (Gguf().key("k", 13, b"").bytes(0), 33),
        (Gguf().key("k", 8, struct.pack("<Q", HUGE)).bytes(0), 45),
        (Gguf().key("k", 9, struct.pack("<IQ", 4, HUGE)).bytes(0), 49),
        (Gguf().key("k", 9, struct.pack("<IQ", 8, 1 << 62)).bytes(0), 49),
        (Gguf().key("k", 9, struct.pack("<IQ", 9, 1) * 9).bytes(0), None),
        (Gguf().key("general.alignment", 4, struct.pack("<I", 3)).bytes(0), 53),
        (Gguf().key("general.alignment", 4, struct.pack("<I", 0)).bytes(0), 53),
        (Gguf().tensor("t", [4] * 9, 0, 0).bytes(64), 33),
        (Gguf().tensor("t", [HUGE], 0, 0).bytes(64), 33),
        (Gguf().tensor("t", [1 << 40, 1 << 40], 0, 0).bytes(64), 33),
        (Gguf().tensor("t", [1 << 40], 0, 0).bytes(64), 64),
        (Gguf().tensor("t", [4], 5, 0).bytes(64), 45),
        (Gguf().tensor("t", [33], 2, 0).bytes(64), 33),
        (Gguf().tensor("t", [], 2, 0).bytes(64), 33),
        (Gguf().tensor("t", [4], 0, 1).bytes(64), 64),
        (Gguf().tensor("t", [4], 0, 1 << 62).bytes(64), 64),
        (Gguf().tensor("t", [4], 0, 0).tensor("t", [4], 0, 32).bytes(64), None),
        (Gguf().tensor("t", [9], 0, 0).tensor("u", [4], 0, 32).bytes(64), 128),
    ],
)
def test_malformed_gguf(content: bytes, position: int | None, write: Write) -> None:
    with pytest.raises(strided.FileMalformed) as caught:
        tensors_in(write("x.gguf", content))
    if position is not None:
        assert caught.value.position == position


def test_names_of_gguf_tensors_must_be_text(write: Write) -> None:
    content = Gguf().tensor("abc", [4], 0, 0).bytes(64).replace(b"abc", b"a\xffc")
    with pytest.raises(strided.FileMalformed) as caught:
        tensors_in(write("x.gguf", content))
    assert caught.value.position == 33


# ---- which format ----


@pytest.mark.parametrize(
    ("content", "dtype"),
    [
        (npy(GOOD, bytes(16)), "float64"),
        (zipped({"a.npy": npy(GOOD, bytes(16))}), "float64"),
        (safetensors(ONE, bytes(4)), "U8"),
        (model().bytes(468), "Q4_K"),
    ],
)
def test_other_names_are_told_by_their_first_bytes(
    content: bytes, dtype: str, write: Write
) -> None:
    assert tensors_in(write("weights.bin", content))[0].dtype == dtype


def test_files_of_no_format(write: Write, tmp_path: Path) -> None:
    with pytest.raises(strided.InvalidArgument):
        tensors_in(write("x.bin", b"hello, world"))
    with pytest.raises(strided.InvalidArgument):
        tensors_in(write("y.bin", b""))
    os.mkfifo(tmp_path / "pipe.npy")
    for bad in (tmp_path / "none.npy", tmp_path, "a\0b.npy", tmp_path / "pipe.npy"):
        with pytest.raises(strided.FileUnusable):
            tensors_in(bad)


# ---- mutations ----

SEEDS = {
    "x.npy": npy(GOOD, bytes(16)),
    "fields.npy": npy(GOOD.replace("'<f8'", "[('a', '<f8'), ('b', '<i4', (2,))]"), bytes(32)),
    "x.npz": zipped({"a.npy": npy(GOOD, bytes(16)), "b.npy": npy(GOOD, bytes(16))}),
    "packed.npz": zipped({"a.npy": npy(GOOD, bytes(16))}, zipfile.ZIP_DEFLATED),
    "x.safetensors": safetensors({**ONE, "b": tensor("F16", [2, 1], 4, 8)}, bytes(8)),
    "x.gguf": model().bytes(468),
}


@pytest.mark.parametrize("name", SEEDS)
def test_mutated_files_are_read_or_refused(name: str, tmp_path_factory: Any) -> None:
    path = tmp_path_factory.mktemp("mutated") / name
    path.write_bytes(SEEDS[name])
    assert tensors_in(path)

    @given(EDITS)
    def run(edits: list[tuple[int, bytes, str]]) -> None:
        content = mutated(SEEDS[name], edits)
        path.write_bytes(content)
        try:
            entries, position = tensors_in(path), 0
        except strided.FileMalformed as error:
            entries, position = [], error.position
        assert position >= 0
        for entry in entries:
            assert entry.offset >= 0
            if not entry.packing:
                assert entry.offset + entry.nbytes <= len(content)

    run()
