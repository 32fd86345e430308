"""The models of benchmarks/llm.py in other programs.

Transformers works on the very same memory, llama.cpp on a file of the same weights.

Each has ``decode()``, one token that is forgotten again, and ``prefill(prompt)``.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
from operands import torch

import strided
from strided import llm

try:
    import transformers
except ImportError:
    transformers = None
try:
    import gguf
    import llama_cpp
except ImportError:
    gguf = llama_cpp = None

# Of a layer: our name, transformers' and that of .gguf files.
_NAMES = (
    ("attn_norm", "input_layernorm", "attn_norm"),
    ("q", "self_attn.q_proj", "attn_q"),
    ("k", "self_attn.k_proj", "attn_k"),
    ("v", "self_attn.v_proj", "attn_v"),
    ("o", "self_attn.o_proj", "attn_output"),
    ("q_norm", "self_attn.q_norm", "attn_q_norm"),
    ("k_norm", "self_attn.k_norm", "attn_k_norm"),
    ("mlp_norm", "post_attention_layernorm", "ffn_norm"),
    ("gate", "mlp.gate_proj", "ffn_gate"),
    ("up", "mlp.up_proj", "ffn_up"),
    ("down", "mlp.down_proj", "ffn_down"),
)


class Transformers:
    """Qwen3 of transformers over the memory of our weights, after a prompt."""

    def __init__(self, model: Any, prompt: list[int]):
        self.model = model
        with torch.inference_mode():
            self.cache = self._run(prompt, None).past_key_values

    @staticmethod
    def model_of(model: llm.Model) -> Any:
        """Return the model; None if weights are quantised, or transformers is not installed."""
        if transformers is None or not isinstance(model.weights.layers[0].q, strided.Tensor):
            return None
        c, weights = model.config, model.weights
        config = transformers.Qwen3Config(
            vocab_size=c.vocab,
            hidden_size=c.hidden,
            intermediate_size=c.intermediate,
            num_hidden_layers=c.layers,
            num_attention_heads=c.heads,
            num_key_value_heads=c.kv_heads,
            head_dim=c.head_dim,
            rms_norm_eps=c.norm_eps,
            tie_word_embeddings=c.tied_embeddings,
            rope_parameters={"rope_type": "default", "rope_theta": c.rope_theta},
        )
        state = {
            "model.embed_tokens.weight": weights.embed,
            "model.norm.weight": weights.norm,
            "lm_head.weight": weights.head,
        }
        for number, layer in enumerate(weights.layers):
            for ours, theirs, _ in _NAMES:
                state[f"model.layers.{number}.{theirs}.weight"] = getattr(layer, ours)
        dtype = getattr(torch, weights.layers[0].q.dtype.name)
        with torch.device("meta"):
            made = transformers.Qwen3ForCausalLM(config)
        shared = {key: torch.from_dlpack(value).to(dtype) for key, value in state.items()}
        made.load_state_dict(shared, assign=True)
        made.model.rotary_emb = type(made.model.rotary_emb)(config)  # it is no weight
        return made.eval()

    def _run(self, tokens: list[int], cache: Any) -> Any:
        return self.model(
            torch.tensor([tokens]), past_key_values=cache, use_cache=True, logits_to_keep=1
        )

    def decode(self) -> None:
        """Decode a token and forget it."""
        with torch.inference_mode():
            int(self._run([1], self.cache).logits[0, -1].argmax())
            self.cache.crop(-1)

    def prefill(self, prompt: list[int]) -> None:
        """Read a prompt."""
        with torch.inference_mode():
            self._run(prompt, None)


class LlamaCpp:
    """llama.cpp on a .gguf file of our weights, after a prompt."""

    def __init__(self, path: Path, prompt: list[int], threads: int):
        quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
        self._quiet = quiet  # must live as long as it may be called
        llama_cpp.llama_log_set(quiet, ctypes.c_void_p(0))
        model = llama_cpp.llama_model_default_params()
        model.n_gpu_layers = 0
        self.model = llama_cpp.llama_model_load_from_file(str(path).encode(), model)
        context = llama_cpp.llama_context_default_params()
        context.n_ctx, context.n_batch, context.n_ubatch = 1024, 512, 512
        context.n_threads = context.n_threads_batch = threads
        self.context = llama_cpp.llama_init_from_model(self.model, context)
        self.memory = llama_cpp.llama_get_memory(self.context)
        self.length = 0
        self.prefill(prompt)

    def _run(self, tokens: list[int]) -> None:
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        code = llama_cpp.llama_decode(
            self.context, llama_cpp.llama_batch_get_one(array, len(tokens))
        )
        if code:
            raise RuntimeError(f"llama_decode: {code}")
        llama_cpp.llama_get_logits_ith(self.context, -1)  # waits for the end

    def decode(self) -> None:
        """Decode a token and forget it."""
        self._run([1])
        llama_cpp.llama_memory_seq_rm(self.memory, 0, self.length, -1)

    def prefill(self, prompt: list[int]) -> None:
        """Forget everything and read a prompt."""
        llama_cpp.llama_memory_clear(self.memory, True)
        self._run(prompt)
        self.length = len(prompt)

    def close(self) -> None:
        """Give its memory back."""
        llama_cpp.llama_free(self.context)
        llama_cpp.llama_model_free(self.model)


def write_gguf(model: llm.Model, path: Path) -> None:
    """Write weights as a .gguf file without a vocabulary."""
    c, weights = model.config, model.weights
    writer = gguf.GGUFWriter(path, "qwen3")
    writer.add_context_length(c.context)
    writer.add_embedding_length(c.hidden)
    writer.add_block_count(c.layers)
    writer.add_feed_forward_length(c.intermediate)
    writer.add_head_count(c.heads)
    writer.add_head_count_kv(c.kv_heads)
    writer.add_key_length(c.head_dim)
    writer.add_value_length(c.head_dim)
    writer.add_layer_norm_rms_eps(c.norm_eps)
    writer.add_rope_freq_base(c.rope_theta)
    writer.add_vocab_size(c.vocab)
    writer.add_tokenizer_model("none")
    parts = {"token_embd": weights.embed, "output_norm": weights.norm}
    if weights.head is not weights.embed:
        parts["output"] = weights.head
    for number, layer in enumerate(weights.layers):
        for ours, _, theirs in _NAMES:
            parts[f"blk.{number}.{theirs}"] = getattr(layer, ours)
    for name, part in parts.items():
        data, kind = _as_stored(part)
        writer.add_tensor(f"{name}.weight", data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _as_stored(part: Any) -> tuple[Any, Any]:
    types = gguf.GGMLQuantizationType
    if not isinstance(part, strided.Tensor):
        return part.blocks.numpy(), types[part.kind]
    if part.ndim == 1:  # llama.cpp wants norms in float32
        return part.to(dtype=strided.float32).numpy(), types.F32
    if part.dtype is strided.bfloat16:
        return part.view(strided.uint8).numpy(), types.BF16
    return part.numpy(), types.F32 if part.dtype is strided.float32 else types.F16


def random_prompt(vocabulary: int, length: int, seed: int = 0) -> list[int]:
    """Return random tokens."""
    return [int(token) for token in np.random.default_rng(seed).integers(0, vocabulary, length)]
