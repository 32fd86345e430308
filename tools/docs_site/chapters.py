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


# Of ops.copying: these ask, and move nothing.
RELATIONS = tuple(
    f"ops.copying.{name}" for name in ("shares_memory", "may_share_memory", "shares_storage")
)

# Part of the reference: its chapters, in order.
PARTS: dict[str, tuple[Chapter, ...]] = {
    "Arrays": (
        Chapter(
            "creation",
            "Creation",
            "New tensors, and tensors over memory that is there already.",
            ("ops.creation", "ops.arrays"),
        ),
        Chapter(
            "random",
            "Random numbers",
            "Random tensors and the generator they come from.",
            (
                "ops.random_tensors",
                "ops.filling",
            ),
        ),
        Chapter(
            "data-types",
            "Data types",
            "The fifteen dtypes, conversions, promotion and limits.",
            ("_native.DType", "ops.data_types", "ops.questions"),
        ),
        Chapter(
            "axes",
            "Axes and views",
            "Views that reorder, reverse, add, drop and repeat axes. None of them copies.",
            ("ops.manipulation", "autograd.in_place"),
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
            ("ops.splitting", "ops.diagonals"),
        ),
        Chapter(
            "joining",
            "Joining and repeating",
            "Several tensors as one, and elements repeated. These copy.",
            ("ops.joining", "ops.repeating"),
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
            ),
        ),
        Chapter(
            "arithmetic",
            "Arithmetic",
            "Elementwise arithmetic and rounding, on any strides, with broadcasting.",
            ("ops.arithmetic",),
        ),
        Chapter(
            "transcendental",
            "Powers, exponentials, trigonometric functions",
            "Elementwise powers, exponentials, logarithms, trigonometric and special functions.",
            ("ops.transcendental",),
        ),
        Chapter(
            "activations",
            "Activation functions",
            "Elementwise activations; layers are in [strided.nn](nn.md).",
            ("ops.activations",),
        ),
        Chapter(
            "comparison",
            "Comparison and logic",
            "Elementwise comparisons, logic and bits; whether tensors are equal or close.",
            ("ops.comparison",),
        ),
        Chapter(
            "statistics",
            "Statistics",
            "Reductions along axes: sums, means, norms, extremes, counts; running sums.",
            (
                *("ops.statistics", "ops.extremes", "ops.scans"),
                *("ops.distributions", "torch_names.pair_distances"),
            ),
        ),
        Chapter(
            "searching",
            "Searching",
            "Positions of elements, choices between elements, counts.",
            ("ops.elementwise", "ops.searching"),
        ),
        Chapter("sorting", "Sorting", "Order, ranks and medians; always stable.", ("ops.sorting",)),
        Chapter(
            "numpy-names",
            "NumPy's names",
            "Functions of NumPy's main namespace that have no chapter of their own subject.",
            ("numpy_names", "lib"),
        ),
        Chapter(
            "random-distributions",
            "strided.random",
            "NumPy's generators and distributions: the same numbers for the same seed.",
            ("random", "numpy_names.random_distributions"),
        ),
        Chapter("sets", "Sets", "Distinct elements and membership.", ("ops.sets",)),
        Chapter(
            "products",
            "Products of matrices and tensors",
            "Matrix products of any strides without a copy; einsum.",
            ("ops.linear_algebra", "ops.einsum", "torch_names.products"),
        ),
        Chapter(
            "linalg",
            "strided.linalg",
            "Decompositions, solutions, norms; stacks of matrices of any strides.",
            ("linalg",),
        ),
        Chapter(
            "fft",
            "strided.fft",
            "Discrete Fourier transforms of any strides; windows.",
            ("fft", "torch_names.spectra"),
        ),
        Chapter(
            "special",
            "strided.special",
            "Bessel, error and gamma functions, orthogonal polynomials, elementwise.",
            ("special",),
        ),
    ),
    "Memory": (
        Chapter(
            "layouts",
            "Layouts, strides, storages",
            "What a tensor is made of. Layouts are values: they work without data.",
            ("_native.Layout", "memory_layout", "memory.Storage"),
        ),
        Chapter(
            "copies",
            "Copies",
            "Copies made, seen, counted, foreseen and forbidden.",
            ("ops.copying", "copies"),
        ),
        Chapter(
            "inspection",
            "Inspection and pictures",
            "Facts about the memory of any array, relations of two, pictures, plans of kernels.",
            ("inspect", "text", *RELATIONS),
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
            ("interop",),
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
    "Around training": (
        Chapter(
            "func",
            "strided.func",
            "Functions of functions: gradients, Jacobians, vmap, modules with other tensors.",
            ("func",),
        ),
        Chapter(
            "utils",
            "strided.utils",
            "Datasets, samplers, loaders of batches; checkpoints.",
            ("utils",),
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
    **dict.fromkeys(RELATIONS, "Relations of two tensors"),
    "_native.DType": "DType",
    "_native.Layout": "Layout",
    "autograd.backward": "Backward passes",
    "autograd.function": "Functions with a gradient of their own",
    "autograd.functional": "Derivatives of functions",
    "autograd.grad_mode": "Recording, or not",
    "autograd.finite_differences": "Checks of gradients",
    "autograd.in_place": "Layouts changed in place",
    "copies": "Traces, reports, bans, forecasts",
    "inspect": "Facts, pictures, plans",
    "linalg.decompositions": "Decompositions, eigenvalues, singular values",
    "linalg.matrix_functions": "Norms, powers, traces",
    "linalg.solving": "Inverses, solutions, determinants",
    "memory": "Heap statistics and settings",
    "memory.Storage": "Storage",
    "memory_layout": "Strides and orders of axes",
    "ops.arrays": "Over memory that is there",
    "ops.copying": "Copies and fills",
    "ops.creation": "New tensors",
    "ops.elementwise": "Choosing",
    "ops.extremes": "Extremes and their positions",
    "ops.indexing": "By masks and integer arrays",
    "ops.indexing_reading": "Taken by positions or a mask",
    "ops.indexing_rows": "Rows written to positions",
    "ops.indexing_writing": "Written to positions or by a mask",
    "ops.scans": "Products; running sums, products and extremes; differences",
    "optim.adaptive": "More algorithms",
    "optim.algorithms": "Algorithms",
    "optim.whole_problem": "Matrices, or the whole problem",
    "func": "Functions of functions",
    "optim.lr_scheduler": "Schedules of the learning rate",
}
CHAPTERS = [chapter for part in PARTS.values() for chapter in part]


def chapter_of(module: str) -> Chapter:
    """Return the chapter of a name by its module: the one that has the longest part of it.

    >>> chapter_of("ops.scans.cumsum").slug, chapter_of("copies.report.CopyReport").slug
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
