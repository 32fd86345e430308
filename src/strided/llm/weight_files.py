"""Weight files: a directory of Hugging Face, a .safetensors file, a .gguf file.

What weights are called in each format, and which tensors of which files they are.
"""

from __future__ import annotations

import os
from typing import NoReturn

import strided
from strided import Tensor
from strided.llm.config import Config
from strided.llm.config_files import read_json
from strided.llm.config_keys import Keys
from strided.llm.weights import Names, StoredTensors, Weights, assemble

GGUF_NAMES = Names(
    model={
        "embed": "token_embd.weight",
        "norm": "output_norm.weight",
        "head": "output.weight",
    },
    layer={
        "attn_norm": "blk.{}.attn_norm.weight",
        "q": "blk.{}.attn_q.weight",
        "k": "blk.{}.attn_k.weight",
        "v": "blk.{}.attn_v.weight",
        "o": "blk.{}.attn_output.weight",
        "q_bias": "blk.{}.attn_q.bias",
        "k_bias": "blk.{}.attn_k.bias",
        "v_bias": "blk.{}.attn_v.bias",
        "o_bias": "blk.{}.attn_output.bias",
        "q_norm": "blk.{}.attn_q_norm.weight",
        "k_norm": "blk.{}.attn_k_norm.weight",
        "mlp_norm": "blk.{}.ffn_norm.weight",
        "gate": "blk.{}.ffn_gate.weight",
        "up": "blk.{}.ffn_up.weight",
        "down": "blk.{}.ffn_down.weight",
    },
    fused={
        "blk.{}.attn_qkv.weight": ("q", "k", "v"),
        "blk.{}.attn_qkv.bias": ("q_bias", "k_bias", "v_bias"),
        "blk.{}.ffn_up.weight": ("gate", "up"),
    },
    ignored=(".rot_embd", ".attn_rot_embd"),
)
_ROPE_FACTORS = "rope_freqs.weight"


def gguf_weights(path: str) -> Weights:
    """Return the weights of a .gguf file. Views of the file, quantised blocks as they are."""
    file = strided.open_gguf(path)
    if Keys(file.metadata, path).whole("split.count", 1) > 1:
        raise strided.FileUnusable(
            path=path, reason="it is one part of a split model: merge the parts into one file first"
        )
    config = Config.from_gguf(file.metadata, names=file.tensors.keys())
    stored = StoredTensors(file.tensors, dict.fromkeys(file.tensors, path), path)
    factors = None
    if _ROPE_FACTORS in file.tensors:
        factors = stored.take(_ROPE_FACTORS, (config.head_dim // 2,))
    return assemble(config, GGUF_NAMES, stored, rope_factors=factors, metadata=file.metadata)


_LAYER = "model.layers.{}."
HUGGING_FACE_NAMES = Names(
    model={
        "embed": "model.embed_tokens.weight",
        "norm": "model.norm.weight",
        "head": "lm_head.weight",
    },
    layer={
        "attn_norm": _LAYER + "input_layernorm.weight",
        "q": _LAYER + "self_attn.q_proj.weight",
        "k": _LAYER + "self_attn.k_proj.weight",
        "v": _LAYER + "self_attn.v_proj.weight",
        "o": _LAYER + "self_attn.o_proj.weight",
        "q_bias": _LAYER + "self_attn.q_proj.bias",
        "k_bias": _LAYER + "self_attn.k_proj.bias",
        "v_bias": _LAYER + "self_attn.v_proj.bias",
        "o_bias": _LAYER + "self_attn.o_proj.bias",
        "q_norm": _LAYER + "self_attn.q_norm.weight",
        "k_norm": _LAYER + "self_attn.k_norm.weight",
        "mlp_norm": _LAYER + "post_attention_layernorm.weight",
        "gate": _LAYER + "mlp.gate_proj.weight",
        "up": _LAYER + "mlp.up_proj.weight",
        "down": _LAYER + "mlp.down_proj.weight",
    },
    fused={
        _LAYER + "self_attn.qkv_proj.weight": ("q", "k", "v"),
        _LAYER + "self_attn.qkv_proj.bias": ("q_bias", "k_bias", "v_bias"),
        _LAYER + "mlp.gate_up_proj.weight": ("gate", "up"),
    },
    ignored=(".rotary_emb.inv_freq",),
)
_ONE_FILE = "model.safetensors"
_INDEX = "model.safetensors.index.json"
PICKLES = (".bin", ".pt", ".pth", ".ckpt")


def hugging_face_weights(path: str) -> Weights:
    """Return the weights of a directory, or of one .safetensors file with a config.json beside it.

    Views of the files; nothing is read until it is used.
    """
    folder = path if os.path.isdir(path) else os.path.dirname(path)
    config = Config.from_json(os.path.join(folder, "config.json"))
    stored = _stored_tensors(path)
    return assemble(config, HUGGING_FACE_NAMES, stored)


def refuse_pickle(path: str) -> NoReturn:
    """Refuse a checkpoint that runs code when it is opened."""
    raise strided.FileUnusable(
        path=path,
        reason="pickled checkpoints can run any code when opened, so they are not: save the model "
        "as safetensors (transformers: model.save_pretrained(folder))",
    )


def _stored_tensors(path: str) -> StoredTensors:
    if not os.path.isdir(path):
        return _of_files(path, [path])
    index = os.path.join(path, _INDEX)
    if os.path.exists(index):
        return _of_index(path, index)
    present = sorted(os.listdir(path))
    single = [name for name in present if name.endswith(".safetensors")]
    if _ONE_FILE in single:
        single = [_ONE_FILE]
    if len(single) == 1:
        return _of_files(path, [os.path.join(path, single[0])])
    pickles = [name for name in present if name.endswith(PICKLES)]
    if pickles and not single:
        refuse_pickle(os.path.join(path, pickles[0]))
    raise strided.FileUnusable(path=path, reason=f"it has neither {_ONE_FILE} nor {_INDEX}")


def _of_index(folder: str, index: str) -> StoredTensors:
    """Return the tensors of the shards that an index names."""
    said = read_json(index).get("weight_map")
    if not isinstance(said, dict) or not all(isinstance(file, str) for file in said.values()):
        raise strided.FileMalformed(
            path=index, position=0, reason="weight_map must name the file of each tensor"
        )
    paths = {}
    for file in sorted(set(said.values())):
        if file != os.path.basename(file) or not file:
            reason = f"weight_map names {file[:60]!r}, which is not a file of this directory"
            raise strided.FileMalformed(path=index, position=0, reason=reason)
        paths[file] = os.path.join(folder, file)
        if not os.path.exists(paths[file]):
            raise strided.FileUnusable(
                path=paths[file], reason=f"the shard is missing: {index} needs it"
            )
    stored = _of_files(folder, list(paths.values()))
    for name, file in said.items():
        if stored.files.get(name) != paths[file]:
            raise strided.FileUnusable(
                path=paths[file], reason=f"it has no tensor {name!r}, which {index} promises"
            )
    return stored


def _of_files(path: str, files: list[str]) -> StoredTensors:
    tensors: dict[str, Tensor] = {}
    places: dict[str, str] = {}
    for file in files:
        for name, tensor in strided.open_safetensors(file).items():
            # A model saved without its head has no prefix.
            full = name if name.startswith(("model.", "lm_head.")) else f"model.{name}"
            if full in tensors:
                reason = f"{name!r} is also in {places[full]}"
                raise strided.FileUnusable(path=file, reason=reason)
            tensors[full], places[full] = tensor, file
    return StoredTensors(tensors, places, path)


def open_weights(path: str | os.PathLike[str]) -> Weights:
    """Return the weights of a model in files. Views of the files: nothing is read until used.

    A directory with config.json and model.safetensors (or its index and shards), one .safetensors
    file with a config.json beside it, or a .gguf file. Every shape is compared with the
    configuration.

    >>> import strided, strided.llm
    >>> try:
    ...     strided.llm.open_weights("pytorch_model.bin")
    ... except strided.FileUnusable as error:
    ...     error.reason[:19]
    'pickled checkpoints'
    """
    name = os.fsdecode(path)
    ending = os.path.splitext(name)[1].lower()
    if ending in PICKLES:
        refuse_pickle(name)
    if os.path.isdir(name) or ending == ".safetensors":
        return hugging_face_weights(name)
    if ending == ".gguf":
        return gguf_weights(name)
    if not os.path.exists(name):
        raise strided.FileUnusable(path=name, reason="there is no such file or directory")
    raise strided.InvalidArgument(
        argument="path",
        got=name,
        requirement="must be a directory with config.json, or a .safetensors or .gguf file",
    )
