"""Arguments of ``strided.func``, ``strided.utils`` and ``strided.nn.utils``."""

from __future__ import annotations

FUNC: dict[str, str] = {
    "func": "The function of tensors.",
    "argnums": "Which arguments by place to differentiate by: one, or several.",
    "has_aux": "Whether the function returns something else besides.",
    "primals": "The arguments.",
    "tangents": "The directions, one for each argument.",
    "module": "The module.",
    "parameter_and_buffer_dicts": "Tensors by their dotted names, in one dictionary or several.",
    "args": "The arguments: a tuple, or the only one.",
    "kwargs": "The arguments that come by name.",
    "tie_weights": "Whether other names of a shared tensor get the same one.",
    "strict": "Whether every parameter and buffer must be given.",
    "models": "The modules, of one kind.",
}

_NO_MEANING = "Has no meaning here."

UTILS: dict[str, str] = {
    "dataset": "The dataset.",
    "datasets": "The datasets.",
    "data": "What is converted.",
    "batch": "The samples.",
    "data_source": "The dataset.",
    "replacement": "Whether an index may come again.",
    "num_samples": "How many indices there are in one pass.",
    "sampler": "What yields indices.",
    "batch_sampler": "What yields lists of indices.",
    "batch_size": "How many samples are put together; `None`: they come one by one.",
    "drop_last": "Whether a last batch that is not full is left out.",
    "shuffle": "Whether samples come in a random order.",
    "num_workers": "The number of threads that read ahead; 0: none.",
    "collate_fn": "What puts a list of samples together.",
    "prefetch_factor": "How many batches each thread is ahead.",
    **dict.fromkeys(
        (
            *("pin_memory", "pin_memory_device", "persistent_workers", "multiprocessing_context"),
            *("timeout", "worker_init_fn", "in_order"),
        ),
        _NO_MEANING,
    ),
    "lengths": "The lengths of the parts, or their shares.",
    "function": "The function that is computed again.",
    "functions": "The functions of the chain.",
    "segments": "Into how many parts the chain is cut.",
    "use_reentrant": _NO_MEANING,
    "preserve_rng_state": "Has no meaning here: random numbers are the same both times.",
    "args": "The arguments.",
    "kwargs": "The arguments that come by name.",
}

NN_UTILS: dict[str, str] = {
    "name": "The name of the parameter.",
    "n_power_iterations": "How many power iterations a call in training makes.",
    "total_norm": "The norm of all gradients.",
    "error_if_nonfinite": "Whether a norm that is not finite raises.",
    "foreach": _NO_MEANING,
}

SEQUENCES: dict[str, str] = {
    "data": "The elements, step by step.",
    "batch_sizes": "How many sequences there are at each step.",
    "sorted_indices": "The order in which the sequences are packed; `None`: as they came.",
    "unsorted_indices": "The inverse of that order.",
    "sequence": "The packed sequences.",
    "sequences": "The sequences.",
    "lengths": "The length of each sequence.",
    "enforce_sorted": "Whether lengths must not rise; otherwise they are sorted.",
    "padding_value": "What fills the rest of a sequence.",
    "padding_side": 'Where it is filled: `"right"` or `"left"`.',
    "total_length": "The length to fill up to; that of the longest by default.",
    "packed_sequences": "The packed sequences.",
    "padded_sequences": "The padded sequences.",
    "permutation": "The indices.",
}

OWN: dict[str, str] = {
    "vmap.func": "The function of tensors.",
    "vmap.in_dims": "Which axis of each argument is mapped over; `None`: the argument as it is.",
    "vmap.out_dims": "Where the axis stands in the results.",
    "vmap.randomness": 'Whether calls draw `"different"` random numbers, or the `"same"`.',
    "vmap.chunk_size": _NO_MEANING,
}
