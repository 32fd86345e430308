"""strided.open_gguf: metadata as Python values, tensors as views of the file, typed refusals."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.file_bytes import EDITS, Gguf, gguf, mutated
from support.quantized_stand_in import provide

import strided
from strided.formats.gguf import TYPES

PLAIN = {
    "F32": "<f4",
    "F16": "<f2",
    "F64": "<f8",
    "I8": "<i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
}
RUNNABLE = ("Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q4_K", "Q5_K", "Q6_K")
BLOCKS = {stored.name: stored for stored in TYPES.values()}


@pytest.fixture(autouse=True)
def quantized(monkeypatch: pytest.MonkeyPatch) -> Any:
    return provide(monkeypatch)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


# ---- metadata ----


def test_every_type_of_value(tmp_path: Path) -> None:
    file = Gguf()
    expected: dict[str, Any] = {}
    numbers = [
        (0, "B", 200),
        (1, "b", -100),
        (2, "H", 60000),
        (3, "h", -30000),
        (4, "I", 1 << 31),
        (5, "i", -(1 << 31)),
        (6, "f", 0.5),
        (10, "Q", 1 << 63),
        (11, "q", -(1 << 63)),
        (12, "d", 0.1),
    ]
    for kind, code, value in numbers:
        file.key(f"one {code}", kind, file.pack(code, value))
        file.key(f"many {code}", 9, file.pack("IQ" + 3 * code, kind, 3, value, 0, value))
        expected |= {f"one {code}": value, f"many {code}": [value, 0, value]}
    file.key("yes", 7, b"\x01").key("no", 7, b"\x00").key("odd", 7, b"\x07")
    file.key("flags", 9, file.pack("IQ", 7, 3) + b"\x00\x01\x02")
    file.key("text", 8, file.text("größer")).key("nothing", 8, file.text(""))
    texts = ["a", "", "ü" * 40, "x" * 3_000_000, "end"]
    file.key("texts", 9, file.pack("IQ", 8, 5) + b"".join(map(file.text, texts)))
    inner = file.pack("IQ", 0, 2) + b"\x01\x02"
    file.key("nested", 9, file.pack("IQ", 9, 2) + inner + inner)
    file.key("empty", 9, file.pack("IQ", 8, 0))
    expected |= {"yes": True, "no": False, "odd": True, "flags": [False, True, True]}
    expected |= {"text": "größer", "nothing": "", "texts": texts}
    expected |= {"nested": [[1, 2], [1, 2]], "empty": []}
    found = strided.open_gguf(written(tmp_path / "x.gguf", file.bytes(0))).metadata
    assert found == expected
    assert {key: type(value) for key, value in found.items()} == {
        key: type(value) for key, value in expected.items()
    }


def test_a_vocabulary_of_any_lengths_is_read_whole(tmp_path: Path) -> None:
    # Lengths around the sizes of the windows that are read.
    rng = np.random.default_rng(0)
    lengths = [*rng.integers(0, 90, 30_000).tolist(), 1 << 20, (1 << 20) - 8, 0, 70, 0]
    words = ["abcdefghij"[i % 10] * length for i, length in enumerate(lengths)]
    path = written(tmp_path / "x.gguf", gguf({"words": words, "after": 7}, {}))
    assert strided.open_gguf(path).metadata == {"words": words, "after": 7}


@pytest.mark.parametrize("version", [1, 2, 3])
def test_versions(version: int, tmp_path: Path) -> None:
    file = Gguf(version=version)
    file.key("k", 9, file.pack("I" + file.count, 8, 2) + file.text("a") + file.text("bc"))
    file.tensor("x", [3], 0, 0)
    found = strided.open_gguf(written(tmp_path / "x.gguf", file.bytes(12)))
    assert found.metadata == {"k": ["a", "bc"]}
    assert found.tensors["x"].tolist() == [0, 0, 0]


def test_texts_that_are_no_utf8_keep_their_bytes(tmp_path: Path) -> None:
    file = Gguf()
    file.key("k", 8, file.pack("Q", 3) + b"a\xffb")
    text = strided.open_gguf(written(tmp_path / "x.gguf", file.bytes(0))).metadata["k"]
    assert text.encode("utf-8", "surrogateescape") == b"a\xffb"


@pytest.mark.parametrize(
    ("content", "position"),
    [
        (Gguf().key("k", 0, b"\0").key("k", 0, b"\0").bytes(0), 38),
        (Gguf().key("k", 9, struct.pack("<IQQ", 8, 2, 3) + b"abc").bytes(0, 1), 60),
        (Gguf().key("k", 9, struct.pack("<IQQ", 8, 1, 99) + b"abc").bytes(0, 1), 57),
        (Gguf().key("k", 9, struct.pack("<IQ", 0, 9) + b"abc").bytes(0, 1), 49),
        (Gguf().key("general.alignment", 8, struct.pack("<Q", 2) + b"32").bytes(0), 53),
        (Gguf().key("general.alignment", 7, b"\x01").bytes(0), 53),
    ],
)
def test_malformed_metadata(content: bytes, position: int, tmp_path: Path) -> None:
    path = written(tmp_path / "x.gguf", content)
    with pytest.raises(strided.FileMalformed) as caught:
        strided.open_gguf(path)
    assert caught.value.position == position


def test_arrays_have_a_limit_in_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strided.formats.gguf._MOST_PARTS", 5)
    strided.open_gguf(written(tmp_path / "x.gguf", gguf({"a": [1, 2, 3], "b": ["a", "b"]}, {})))
    path = written(tmp_path / "y.gguf", gguf({"a": [1, 2, 3], "b": ["a", "b", "c"]}, {}))
    with pytest.raises(strided.FileMalformed):
        strided.open_gguf(path)


# ---- tensors ----


def test_plain_tensors_are_views(tmp_path: Path) -> None:
    arrays = {name: np.arange(6).reshape(2, 3).astype(code) for name, code in PLAIN.items()}
    tensors = {name: (name, (2, 3), array.tobytes()) for name, array in arrays.items()}
    tensors["BF16"] = ("BF16", (3,), struct.pack("<3H", 0x3F80, 0x4000, 0xC000))
    tensors["one"] = ("F32", (), struct.pack("<f", 2.5))
    tensors["none"] = ("F32", (0, 4), b"")
    path = written(tmp_path / "x.gguf", gguf({}, tensors))
    with strided.no_copies(implicit_only=False):
        found = strided.open_gguf(path).tensors
        made = dict(found)
    for name, array in arrays.items():
        assert np.array_equal(made[name].numpy(), array)
        assert made[name].numpy().dtype == array.dtype
    assert made["BF16"].tolist() == [1.0, 2.0, -2.0]
    assert (made["one"].item(), made["none"].shape) == (2.5, (0, 4))
    assert list(found) == list(tensors)
    assert len(found) == len(tensors)
    assert not any(x.writable for x in made.values())
    assert {x.storage().nbytes for x in made.values()} == {path.stat().st_size}
    assert len({x.storage().data_ptr() for x in made.values()}) == 1


def test_a_misaligned_tensor_is_copied_and_said_so(tmp_path: Path) -> None:
    file = Gguf().key("general.alignment", 4, struct.pack("<I", 1)).tensor("x", [2], 0, 0)
    values = struct.pack("<2f", 1.5, -2.0)
    content = file.bytes(0, alignment=1)
    file = file if len(content) % 4 else file.key("odd", 0, b"\0")
    opened = strided.open_gguf(written(tmp_path / "x.gguf", file.bytes(0, alignment=1) + values))
    with strided.trace_copies() as report:
        x = opened.tensors["x"]
    assert [(event.reason, event.nbytes) for event in report.events] == [("align", 8)]
    assert (x.tolist(), x.writable) == ([1.5, -2.0], False)


@pytest.mark.parametrize("kind", RUNNABLE)
def test_quantised_tensors_stay_as_they_are_stored(
    kind: str, quantized: Any, tmp_path: Path
) -> None:
    stored = BLOCKS[kind]
    raw = np.random.default_rng(0).integers(0, 256, 3 * 2 * stored.nbytes, "u1").tobytes()
    tensors = {"norm": ("F32", (1,), bytes(4)), "w": (kind, (3, 2 * stored.elements), raw)}
    path = written(tmp_path / "x.gguf", gguf({}, tensors))
    with strided.no_copies(implicit_only=False):
        matrix = strided.open_gguf(path).tensors["w"]
    assert isinstance(matrix, quantized.QuantizedMatrix)
    assert (matrix.kind, tuple(matrix.shape)) == (kind, (3, 2 * stored.elements))
    assert matrix.blocks.shape == (3, 2 * stored.nbytes)
    assert bytes(matrix.blocks.view(-1)) == raw
    assert matrix.blocks.storage().nbytes == path.stat().st_size


@pytest.mark.parametrize("kind", ["IQ2_XS", "Q2_K", "MXFP4"])
def test_other_kinds_open_and_are_refused_when_used(kind: str, tmp_path: Path) -> None:
    stored = BLOCKS[kind]
    tensors = {
        "w": (kind, (2, stored.elements), bytes(2 * stored.nbytes)),
        "norm": ("F32", (1,), bytes(4)),
    }
    file = strided.open_gguf(written(tmp_path / "x.gguf", gguf({}, tensors)))
    assert file.tensors["norm"].shape == (1,)
    assert (file.tensors.entries["w"].dtype, "w" in file.tensors) == (kind, True)
    with pytest.raises(strided.UnsupportedOperation) as caught:
        file.tensors["w"]
    assert kind in caught.value.operation
    assert "'w'" in caught.value.reason
    assert "Q4_K" in caught.value.reason


def test_quantised_tensors_of_other_ranks_are_refused(tmp_path: Path) -> None:
    tensors = {"experts": ("Q8_0", (2, 3, 32), bytes(6 * 34))}
    file = strided.open_gguf(written(tmp_path / "x.gguf", gguf({}, tensors)))
    with pytest.raises(strided.UnsupportedOperation):
        file.tensors["experts"]


def test_files_of_big_endian_machines_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "x.gguf", Gguf(order=">").tensor("x", [2], 0, 0).bytes(8))
    assert strided.inspect.tensors_in(path)[0].name == "x"
    with pytest.raises(strided.FileUnusable):
        strided.open_gguf(path)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    for bad in (tmp_path, tmp_path / "none.gguf"):
        with pytest.raises(strided.FileUnusable):
            strided.open_gguf(bad)
    with pytest.raises(KeyError):
        strided.open_gguf(written(tmp_path / "x.gguf", gguf({}, {}))).tensors["x"]


def test_mutated_files_open_or_are_refused(tmp_path: Path) -> None:
    metadata = {"general.architecture": "llama", "words": ["a", "bc", ""], "n": 3, "f": [0.5]}
    tensors = {
        "a": ("F32", (2, 2), bytes(16)),
        "q": ("Q8_0", (2, 32), bytes(68)),
        "i": ("IQ4_NL", (32,), bytes(18)),
    }
    seed = gguf(metadata, tensors)
    path = written(tmp_path / "x.gguf", seed)
    assert len(strided.open_gguf(path).tensors) == 3

    @given(EDITS)
    def run(edits: list[tuple[int, bytes, str]]) -> None:
        # A new name each time: a file that is mapped must not be cut.
        path.unlink()
        path.write_bytes(mutated(seed, edits))
        try:
            file = strided.open_gguf(path)
        except (strided.FileMalformed, strided.FileUnusable):
            return
        for name in file.tensors:
            try:
                x = file.tensors[name]
            except strided.UnsupportedOperation:
                continue
            raw = x if isinstance(x, strided.Tensor) else x.blocks
            assert len(bytes(raw.reshape(-1).view(strided.uint8))) == x.nbytes

    run()


@pytest.mark.peers
def test_the_other_reader_agrees(tmp_path: Path) -> None:
    theirs = pytest.importorskip("gguf")
    writer = theirs.GGUFWriter(tmp_path / "x.gguf", "llama")
    writer.add_block_count(3)
    writer.add_token_list(["a", "b", "ü"])
    writer.add_rope_freq_base(5e5)
    weights = np.random.default_rng(0).random((4, 64), dtype=np.float32)
    writer.add_tensor("plain", weights)
    blocks = theirs.quants.quantize(weights, theirs.GGMLQuantizationType.Q8_0)
    writer.add_tensor("w", blocks, raw_dtype=theirs.GGMLQuantizationType.Q8_0)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    file = strided.open_gguf(tmp_path / "x.gguf")
    assert file.metadata["llama.block_count"] == 3
    assert file.metadata["tokenizer.ggml.tokens"] == ["a", "b", "ü"]
    assert file.metadata["llama.rope.freq_base"] == 5e5
    assert np.array_equal(file.tensors["plain"].numpy(), weights)
    assert np.array_equal(file.tensors["w"].blocks.numpy(), blocks)
