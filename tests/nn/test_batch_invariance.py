"""What a token gets does not depend on what else is in the batch, to the bit.

The engine relies on it: a job writes the same alone and among others, from a shared past or its
own. (Weights of fewer rows than tokens are another case: then the tokens are the matrix.)
"""

from __future__ import annotations

from typing import Any

import pytest

import strided
from strided import nn

KINDS = ["float32", "float16", "bfloat16", "Q8_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K"]


def weight_of(kind: str, rows: int, columns: int) -> Any:
    if kind.startswith("Q"):
        return strided.random_blocks(kind, rows, columns, 0.05, 1)
    return strided.randn(rows, columns, generator=strided.Generator(1)).to(getattr(strided, kind))


@pytest.mark.parametrize("rows", [64, 192, 577])
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_few_tokens(kind: str, rows: int) -> None:
    weight = weight_of(kind, rows, 512)
    x = strided.randn(8, 512, generator=strided.Generator(2))
    alone = [nn.linear(x[i : i + 1], weight) for i in range(8)]
    for count in range(2, 9):
        together = nn.linear(x[:count], weight)
        for i in range(count):
            assert strided.array_equal(together[i : i + 1], alone[i]), (count, i)


@pytest.mark.parametrize("rows", [64, 192, 577])
@pytest.mark.parametrize("kind", KINDS)
def test_products_of_many_tokens(kind: str, rows: int) -> None:
    weight = weight_of(kind, rows, 512)
    x = strided.randn(70, 512, generator=strided.Generator(2)).to(nn.activation_dtype(weight, 70))
    whole = nn.linear(x, weight, dtype=strided.float32)
    for count in (17, 18, 24, 32, 33, 48, 64, 69):
        part = nn.linear(x[70 - count :], weight, dtype=strided.float32)
        assert strided.array_equal(part, whole[70 - count :]), count


HEADS = [(9, 3, 64), (8, 8, 32), (16, 2, 128)]


def past_of(groups: int, width: int, kind: str) -> tuple[strided.Tensor, strided.Tensor]:
    random = strided.Generator(3)
    keys = strided.randn(1300, groups, width, generator=random)
    values = strided.randn(1300, groups, width, generator=random)
    dtype = getattr(strided, kind)
    return keys.to(dtype), values.to(dtype)


@pytest.mark.parametrize("kind", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize(("heads", "groups", "width"), HEADS)
@pytest.mark.parametrize("count", [1, 17, 40])
def test_attention_over_a_past_that_is_cut(
    count: int, heads: int, groups: int, width: int, kind: str
) -> None:
    keys, values = past_of(groups, width, kind)
    query = strided.randn(count, heads, width, generator=strided.Generator(4))
    whole = nn.attention(query, [(count, [(keys, values)])])
    for cut in range(nn.ATTENTION_BLOCK, 1300, nn.ATTENTION_BLOCK):
        segments = [(keys[:cut], values[:cut]), (keys[cut:], values[cut:])]
        assert strided.array_equal(nn.attention(query, [(count, segments)]), whole), cut


@pytest.mark.parametrize(("heads", "groups", "width"), HEADS)
def test_attention_beside_others(heads: int, groups: int, width: int) -> None:
    keys, values = past_of(groups, width, "bfloat16")
    query = strided.randn(100, heads, width, generator=strided.Generator(4))
    pasts = [(1, 1300), (1, 7), (40, 900), (1, 384), (17, 17), (40, 500)]
    begin, alone, sequences = 0, [], []
    for count, length in pasts:
        segments = [(keys[:length], values[:length])]
        alone.append(nn.attention(query[begin : begin + count], [(count, segments)]))
        sequences.append((count, segments))
        begin += count
    together = nn.attention(query[:begin], sequences)
    assert strided.array_equal(together, strided.concat(alone))


@pytest.mark.parametrize(("heads", "groups", "width"), HEADS)
def test_attention_of_fewer_queries(heads: int, groups: int, width: int) -> None:
    keys, values = past_of(groups, width, "float32")
    query = strided.randn(200, heads, width, generator=strided.Generator(4))
    whole = nn.attention(query, [(200, [(keys, values)])])
    for count in (17, 18, 63, 64, 150):
        part = nn.attention(query[200 - count :], [(count, [(keys, values)])])
        assert strided.array_equal(part, whole[200 - count :]), count
