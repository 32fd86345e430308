"""``strided demo``: views, an attention block, a language model, and what they (do not) copy."""

from __future__ import annotations

import argparse
import sys

import strided as st

QUESTION = "What is the capital of France, and why is it famous?"


def _show(label: str, x: st.Tensor, root: st.Tensor) -> None:
    kind = "view" if x.shares_storage(root) else "COPY"
    order = "contiguous" if x.is_contiguous() else "strided"
    print(f"  {label:<34} {x.layout!s:<68} {order:<10} {kind}")


def _copies() -> tuple[int, int]:
    totals = st.copy_totals().values()
    return sum(t.count for t in totals), sum(t.nbytes for t in totals)


def attention(x: st.Tensor, w_in: st.Tensor, w_out: st.Tensor, heads: int) -> st.Tensor:
    """Return self-attention of ``x`` [batch, sequence, width]: heads are views, nothing is copied.

    >>> import strided as st
    >>> x, w_in, w_out = st.ones(1, 2, 4), st.ones(4, 12), st.ones(4, 4)
    >>> with st.no_copies(implicit_only=False):
    ...     attention(x, w_in, w_out, heads=2).shape
    (1, 2, 4)
    """
    width = x.shape[-1] // heads
    parts = (x @ w_in).chunk(3, -1)
    q, k, v = (part.unflatten(-1, (heads, width)).transpose(1, 2) for part in parts)
    scores = q @ k.mT * width**-0.5
    weights = (scores - scores.amax(-1, keepdim=True)).exp()
    weights /= weights.sum(-1, keepdim=True)
    # The heads are joined by the product that follows, not by a copy that lays them side by side.
    return st.einsum("bhsd,hde->bse", weights @ v, w_out.unflatten(0, (heads, width)))


def show_attention() -> None:
    """Count the copies of an attention block with views, and without them."""
    random = st.Generator(0)
    x = st.randn(2, 128, 256, generator=random)
    w_in = st.randn(256, 768, generator=random) / 16
    w_out = st.randn(256, 256, generator=random) / 16
    with st.trace_copies() as views:
        result = attention(x, w_in, w_out, heads=8)
    with st.trace_copies() as copies, st.copy_everything():
        before = attention(x, w_in, w_out, heads=8)
    same = st.array_equal(result, before)
    print("\nAn attention block (batch 2, sequence 128, width 256, 8 heads):\n")
    print(f"  every view a copy:  {copies.count:>2} copies, {copies.bytes:>7} bytes moved")
    print(f"  views:              {views.count:>2} copies, {views.bytes:>7} bytes moved")
    print(f"  the same result, bit for bit: {'yes' if same else 'no'}")
    print("\nWhat the first one moved (strided.trace_copies):\n")
    print("  " + str(copies).replace("\n", "\n  "))


def main() -> None:
    """Walk an image batch through views, do the one thing that needs a copy, count the rest."""
    print("A batch of 8 RGB images, 224 x 224, 4.8 MB of float32:\n")
    batch = st.rand(8, 3, 224, 224, generator=st.Generator(0))
    count, nbytes = _copies()

    _show("batch", batch, batch)
    chain = batch[2:6]
    _show("[2:6]              four images", chain, batch)
    chain = chain.permute(0, 2, 3, 1)
    _show(".permute(0,2,3,1)  channels last", chain, batch)
    chain = chain[:, 16:-16, 16:-16]
    _show("[:, 16:-16, 16:-16] crop", chain, batch)
    chain = chain.flip(2)
    _show(".flip(2)           mirror", chain, batch)
    chain = chain[:, ::2, ::2]
    _show("[:, ::2, ::2]      half size", chain, batch)
    chain = chain.unflatten(1, (3, 32)).unflatten(3, (3, 32)).transpose(2, 3)
    _show("unflatten, transpose  3x3 tiles", chain, batch)
    gray = chain[..., 0]
    _show("[..., 0]           red channel", gray, batch)

    made, moved = _copies()
    print(f"\n  copies so far: {made - count}, bytes moved: {moved - nbytes}")

    before = float(batch[2, 0, 16, 207])
    gray[0, 0, 0, 0, 0] += 1
    after = float(batch[2, 0, 16, 207])
    print(f"  writing through all {gray.ndim} axes reached the batch: {before:.3f} -> {after:.3f}")

    print("\nWhat has no strides is refused, with the reason and the hint:\n")
    try:
        gray.view(4, -1)
    except st.ViewNotPossible as error:
        print("  " + str(error).replace("\n", "\n  "))

    flat = gray.reshape(4, -1)
    made, moved = _copies()
    print()
    _show(".reshape(4, -1)    asked for", flat, batch)
    print(f"\n  copies in all: {made - count}, bytes moved: {moved - nbytes}")
    for reason, total in st.copy_totals().items():
        if total.count and not total.asked_for:
            print(f"    {reason}: {total.count} x, {total.nbytes} bytes. Hint: {total.hint}")
    show_attention()


def answer() -> None:
    """Let SmolLM2-135M-Instruct answer, and count the copies; without a network say so."""
    from strided import llm
    from strided.llm.fetch import fetch

    def progress(what: str, done: int, total: int) -> None:
        if sys.stderr.isatty():
            print(f"\r  {what}: {done >> 20} of {total >> 20} MiB ", end="", file=sys.stderr)

    try:
        model = llm.load(fetch("smollm2", progress))
    except st.StridedError as error:
        print(f"\nNo language model: {error}")
        return
    assert model.tokenizer is not None
    opened = f"{model.name}, opened in {model.load_seconds:.2f} s"
    print(f"\n{opened}, is asked: {QUESTION}\n\n  ", end="")
    asked = llm.chat_prompt(model.tokenizer, [{"role": "user", "content": QUESTION}])
    engine = llm.Engine(model, context=512)
    options = llm.Options(temperature=0, max_tokens=100)
    with st.trace_copies() as report:
        for piece in engine.generate(model.tokenizer.encode(asked), options):
            print(piece.text.replace("\n", "\n  "), end="", flush=True)
    stats = engine.stats
    print(
        f"\n\n  {stats.prefill_tokens} tokens read at {stats.prefill_rate:.0f} a second, "
        f"{stats.decode_tokens} written at {stats.decode_rate:.0f} a second\n"
        f"  copies of tensors while doing so: {report.count}"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m strided.demo",
        description="Chains of views, an attention block and a language model's answer, each with "
        "what was (not) copied.",
        epilog="example: python -m strided.demo --views-only",
    )
    parser.add_argument("--views-only", action="store_true", help="leave the language model out")
    return parser.parse_args()


if __name__ == "__main__":
    options = _options()
    main()
    if not options.views_only:
        answer()
