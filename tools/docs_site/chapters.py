"""The chapters of the API reference: which page has the names of which module.

A page is made for every module that has a public name; the table says what several modules have in
common, in which order pages stand, and what each is about.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chapter:
    """One page: its address, its title, what it says first, and modules below ``strided``."""

    slug: str
    title: str
    about: str
    modules: tuple[str, ...]


# Part of the reference: its chapters, in order.
PARTS: dict[str, tuple[Chapter, ...]] = {
    "Arrays": (
        Chapter(
            "creation",
            "Creation",
            "New tensors, and tensors over memory that is there already.",
            ("ops.creation", "ops.ranges", "ops.arrays"),
        ),
        Chapter(
            "random",
            "Random numbers",
            "Random tensors and the generator they come from.",
            ("ops.random",),
        ),
        Chapter(
            "data-types",
            "Data types",
            "The fifteen dtypes, conversions, promotion and limits.",
            ("_native.DType", "ops.data_types", "ops.devices"),
        ),
        Chapter(
            "axes",
            "Axes and views",
            "Views that reorder, reverse, add, drop and repeat axes. None of them copies.",
            ("ops.manipulation", "autograd.layout_in_place"),
        ),
        Chapter(
            "shapes",
            "Shapes",
            "Reshaping: a view wherever one exists, otherwise one logged copy or an error.",
            ("ops.shapes",),
        ),
        Chapter(
            "parts",
            "Parts and windows",
            "Views of parts: slices, diagonals, sliding windows, splits.",
            ("ops.splitting",),
        ),
        Chapter(
            "joining",
            "Joining and repeating",
            "Several tensors as one, and elements repeated. These copy.",
            ("ops.joining", "ops.repetition"),
        ),
        Chapter(
            "indexing",
            "Indexing",
            "Elements and rows by positions or masks: taken, written, added.",
            (
                "ops.indexing",
                "ops.indexing_reading",
                "ops.indexing_writing",
                "ops.indexing_rows",
                "ops.indexing_masks",
            ),
        ),
        Chapter(
            "arithmetic",
            "Arithmetic",
            "Elementwise arithmetic and rounding, on any strides, with broadcasting.",
            ("ops.arithmetic", "ops.rounding", "ops.operators"),
        ),
        Chapter(
            "exponential",
            "Exponentials, logarithms, special functions",
            "Elementwise exponentials, logarithms, powers, activations and special functions.",
            ("ops.exponential", "ops.special", "ops.parametric_activations"),
        ),
        Chapter(
            "trigonometric",
            "Trigonometric functions",
            "Elementwise trigonometric and hyperbolic functions.",
            ("ops.trigonometric",),
        ),
        Chapter(
            "comparison",
            "Comparison and logic",
            "Elementwise comparisons, logic and bits; whether tensors are equal or close.",
            ("ops.comparison", "ops.closeness"),
        ),
        Chapter(
            "complex",
            "Complex numbers",
            "Parts of complex numbers, most of them views.",
            ("ops.complex_parts",),
        ),
        Chapter(
            "statistics",
            "Statistics",
            "Reductions along axes: sums, means, norms, extremes, counts; running sums.",
            ("ops.statistics", "ops.extremes", "ops.scans"),
        ),
        Chapter(
            "searching",
            "Searching",
            "Positions of elements, choices between elements, counts.",
            ("ops.elementwise", "ops.searching"),
        ),
        Chapter("sorting", "Sorting", "Order, ranks and medians; always stable.", ("ops.sorting",)),
        Chapter("sets", "Sets", "Distinct elements and membership.", ("ops.sets",)),
        Chapter(
            "products",
            "Products of matrices and tensors",
            "Matrix products of any strides without a copy; einsum.",
            ("ops.linear_algebra", "ops.einsum"),
        ),
        Chapter(
            "linalg",
            "strided.linalg",
            "Decompositions, solutions, norms; stacks of matrices of any strides.",
            ("linalg",),
        ),
        Chapter("fft", "strided.fft", "Discrete Fourier transforms of any strides.", ("fft",)),
    ),
    "Memory": (
        Chapter(
            "layouts",
            "Layouts, strides, storages",
            "What a tensor is made of. Layouts are values: they work without data.",
            ("_native.Layout", "strides", "memory_layout", "storage"),
        ),
        Chapter(
            "copies",
            "Copies",
            "Copies made, seen, counted, foreseen and forbidden.",
            ("ops.copying", "copies", "ops.will_copy"),
        ),
        Chapter(
            "inspection",
            "Inspection and pictures",
            "Facts about the memory of any array, relations of two, pictures, plans of kernels.",
            ("inspect", "ops.relations"),
        ),
        Chapter(
            "heap",
            "Memory, threads and fused functions",
            "Bytes in use, the number of threads, several operations in one pass.",
            ("memory", "threads", "ops.fused"),
        ),
        Chapter(
            "files",
            "Files",
            "Tensors as views of .npy, .npz, .safetensors and .gguf files.",
            ("formats",),
        ),
        Chapter(
            "neighbours",
            "Other libraries",
            "Memory shared with NumPy, PyTorch and others; dask arrays of tensors.",
            ("interop", "chunked", "namespace_info"),
        ),
        Chapter(
            "quantized",
            "Quantised matrices",
            "Matrices of blocks of few bits, as GGUF files have them.",
            ("quantized",),
        ),
    ),
    "Training": (
        Chapter(
            "autograd",
            "Gradients",
            "Recording, backward passes, derivatives of functions, custom functions.",
            ("autograd",),
        ),
        Chapter(
            "nn",
            "strided.nn: functions",
            "Layers as functions; `strided.nn.functional` has the same names.",
            ("nn",),
        ),
        Chapter(
            "modules",
            "strided.nn: modules",
            "Layers with parameters, losses, containers.",
            ("nn.modules",),
        ),
        Chapter("init", "strided.nn.init", "Initial values of parameters.", ("nn.init",)),
        Chapter(
            "optim",
            "strided.optim",
            "Optimizers and schedules of the learning rate.",
            ("optim",),
        ),
    ),
    "Programs": (
        Chapter(
            "llm",
            "strided.llm",
            "Language models: files, tokens, caches, engines.",
            ("llm",),
        ),
        Chapter(
            "errors",
            "Errors",
            "Every exception: what it derives from and the fields that it carries.",
            ("errors",),
        ),
    ),
}
# Headings of modules whose docstring, up to a colon or a full stop, would be none.
SECTIONS = {
    "_native.DType": "DType",
    "_native.Layout": "Layout",
    "autograd.backward": "Backward passes",
    "autograd.function": "Functions with a gradient of their own",
    "autograd.functional": "Gradients of functions",
    "autograd.grad_mode": "Recording, or not",
    "autograd.gradcheck": "Checks of gradients",
    "autograd.jacobians": "Jacobians and Hessians",
    "autograd.layout_in_place": "Layouts changed in place",
    "copies": "Traces, reports, bans",
    "fft.frequencies": "Frequencies",
    "fft.transforms": "Transforms",
    "formats.entry": "Entries of a file",
    "inspect": "Facts, pictures, plans",
    "linalg.decompositions": "Decompositions and eigenvalues",
    "linalg.matrix_functions": "Norms, powers, traces",
    "linalg.singular_values": "Singular values",
    "linalg.solving": "Inverses, solutions, determinants",
    "ops.closeness": "Closeness",
    "ops.comparison": "Comparisons, logic, bits",
    "ops.elementwise": "Choosing",
    "ops.exponential": "Powers, exponentials, logarithms",
    "ops.extremes": "Extremes and their positions",
    "ops.indexing": "By masks and integer arrays",
    "ops.indexing_masks": "Written by a mask",
    "ops.indexing_reading": "Taken by positions or a mask",
    "ops.indexing_rows": "Rows written to positions",
    "ops.indexing_writing": "Written to positions",
    "ops.operators": "Operators",
    "ops.relations": "Relations",
    "ops.scans": "Products; running sums, products and extremes; differences",
    "ops.special": "Special functions and activations",
    "ops.will_copy": "Forecasts",
    "optim.sgd": "SGD",
}
CHAPTERS = [chapter for part in PARTS.values() for chapter in part]


def chapter_of(module: str) -> Chapter:
    """Return the chapter of a module: the one that names the longest part of it.

    >>> chapter_of("ops.scans").slug, chapter_of("copies.report").slug
    ('statistics', 'copies')
    """
    place = module
    while place:
        for chapter in CHAPTERS:
            if place in chapter.modules:
                return chapter
        place = place.rpartition(".")[0]
    raise LookupError(
        f"no chapter of the reference has strided.{module}: tools/docs_site/chapters.py"
    )
