"""Random chains of the explorer: most can be done, some are refused, a few cannot be read."""

from __future__ import annotations

import random

from strided.explorer.operations import DTYPES, LIBRARIES, STEPS

_MAKERS = ("arange", "arange", "arange", "zeros", "ones", "full", "eye", "linspace", "tensor")


def _several(chance: random.Random, values: list[int]) -> str:
    """Return numbers one by one, or as one list or tuple."""
    text = ", ".join(map(str, values))
    form = chance.randrange(4)
    if form == 0:
        return f"[{text}]"
    if form == 1:
        return f"({text}{',' if len(values) == 1 else ''})"
    return text


def _list(chance: random.Random, values: list[int]) -> str:
    text = ", ".join(map(str, values))
    return f"[{text}]" if chance.randrange(2) else f"({text}{',' if len(values) == 1 else ''})"


def _lengths(chance: random.Random, most: int = 4) -> list[int]:
    return [chance.choice((0, 1, 1, 2, 2, 3, 4, 5, 6, 7)) for _ in range(chance.randint(0, most))]


def _factors(chance: random.Random, size: int) -> list[int]:
    """Return lengths that multiply to a size, most of the time."""
    found = []
    rest = size
    while rest > 1 and len(found) < 5:
        small = chance.choice([n for n in range(2, rest + 1) if rest % n == 0][:6])
        found.append(small)
        rest //= small
    if rest > 1:
        found.append(rest)
    chance.shuffle(found)
    if chance.random() < 0.2:
        found.insert(chance.randint(0, len(found)), 1)
    if found and chance.random() < 0.25:
        found[chance.randrange(len(found))] = -1
    if chance.random() < 0.05:
        found.append(chance.choice((0, 2, 3, -1)))
    return found


def _maker(chance: random.Random) -> str:
    name = chance.choice(_MAKERS)
    if name == "arange":
        size = chance.choice((0, 1, 4, 6, 8, 12, 16, 24, 30, 36, 48, 60, 120, 3000))
        args = chance.choice(
            (f"{size}", f"{size}", f"1, {size}", f"{size}, -2, -3", f"0, {size}, 2")
        )
    elif name in ("zeros", "ones"):
        args = _several(chance, _lengths(chance))
    elif name == "full":
        args = f"{_list(chance, _lengths(chance))}, {chance.randint(-9, 999)}"
    elif name == "eye":
        args = ", ".join(str(chance.randint(0, 6)) for _ in range(chance.randint(1, 2)))
    elif name == "linspace":
        args = f"{chance.randint(-9, 9)}, {chance.randint(-99, 9999)}, {chance.randint(0, 13)}"
    else:
        rows, columns = chance.randint(1, 4), chance.randint(0, 4)
        args = str([[chance.randint(-99, 99) for _ in range(columns)] for _ in range(rows)])
    library = chance.choice(("", "", "", *LIBRARIES))
    if name != "linspace" and chance.random() < 0.15:
        prefix = f"{library}." if library and chance.random() < 0.5 else ""
        args += f"{', ' if args else ''}dtype={prefix}{chance.choice(list(DTYPES))}"
    made = f"{library}.{name}({args})" if library else f"{name}({args})"
    if name == "arange" and chance.random() < 0.8:
        count = len(range(*eval(f"({args.partition(', dtype')[0].partition('dtype')[0]},)")))
        made += f".reshape({_several(chance, _factors(chance, count))})" if count else ""
    return made


def _dim(chance: random.Random, rank: int) -> int:
    if chance.random() < 0.04:
        return chance.choice((rank, -rank - 1, 9))
    return chance.randint(-rank, rank - 1) if rank else chance.choice((0, -1))


def _dims(chance: random.Random, rank: int) -> list[int]:
    order = list(range(rank))
    chance.shuffle(order)
    dims = [dim - rank if chance.random() < 0.3 else dim for dim in order]
    if dims and chance.random() < 0.05:
        dims[0] = dims[-1]
    return dims


def _bound(chance: random.Random, length: int) -> str:
    return chance.choice(("", "", str(chance.randint(-length - 1, length + 1))))


def _item(chance: random.Random, length: int) -> str:
    kind = chance.random()
    if kind < 0.18:
        return str(
            chance.randint(-length, max(length - 1, 0)) if chance.random() < 0.95 else length
        )
    if kind < 0.3 and length:
        first, by = chance.randrange(length), chance.choice((-2, -1, 1, 2))
        spaced = [first + i * by for i in range(3) if 0 <= first + i * by < length]
        loose = [chance.randint(-length, length - 1) for _ in range(chance.randint(0, 3))]
        return str(chance.choice((spaced, loose, [loose], [[n] for n in loose])))
    step = chance.choice(("", "", "", "::2", "::-1", "::3", "::-2"))
    if step:
        return _bound(chance, length) + step if chance.random() < 0.4 else step
    return f"{_bound(chance, length)}:{_bound(chance, length)}"


def _index(chance: random.Random, shape: tuple[int, ...]) -> str:
    count = chance.randint(1, max(len(shape), 1)) + (chance.random() < 0.03)
    items = [_item(chance, shape[i] if i < len(shape) else 2) for i in range(count)]
    if chance.random() < 0.25:
        items.insert(chance.randint(0, len(items)), chance.choice(("None", "np.newaxis")))
    if chance.random() < 0.25:
        items.insert(chance.randint(0, len(items)), "...")
    return f"[{', '.join(items)}]"


def random_step(chance: random.Random, shape: tuple[int, ...], strides: tuple[int, ...]) -> str:
    """Return the text of a step on a tensor of a shape."""
    rank, size = len(shape), 1
    for length in shape:
        size *= length
    if chance.random() < 0.12:  # all into one axis: where strides do not allow it, a copy
        return chance.choice((".reshape(-1)", ".flatten()", ".ravel()", f".view({size})"))
    name = chance.choice(["[]", "[]", "[]", "reshape", "reshape", "view", *STEPS])
    dim = _dim(chance, rank)
    last = shape[dim] if -rank <= dim < rank else 1
    if name == "[]":
        return _index(chance, shape)
    if STEPS[name].is_property:
        return f".{name}"
    if name in ("reshape", "view"):
        args = _several(chance, _factors(chance, size))
    elif name == "permute":
        args = _several(chance, _dims(chance, rank))
    elif name == "transpose":
        pair = f"{dim}, {_dim(chance, rank)}"
        args = chance.choice((pair, pair, "", _several(chance, _dims(chance, rank))))
    elif name in ("swapaxes", "swapdims", "flatten"):
        args = f"{dim}, {_dim(chance, rank)}"
    elif name in ("movedim", "moveaxis"):
        count = chance.randint(0, rank)
        source, destination = _dims(chance, rank)[:count], _dims(chance, rank)[:count]
        args = f"{source}, {destination}" if count != 1 else f"{source[0]}, {destination[0]}"
    elif name == "flip":
        args = _several(chance, _dims(chance, rank)[: chance.randint(0, rank)])
    elif name == "rot90":
        pair = _dims(chance, rank)[:2] if rank > 1 else [0, 1]
        args = chance.choice(("", f"{chance.randint(-3, 5)}", f"{chance.randint(-3, 5)}, {pair}"))
    elif name == "squeeze":
        args = chance.choice(("", f"{dim}", f"axis={dim}", f"{_dims(chance, rank)[:2]}"))
    elif name in ("unsqueeze", "expand_dims"):
        args = f"{chance.randint(-rank - 1, rank + (chance.random() < 0.05))}"
    elif name in ("expand", "broadcast_to"):
        kept = [chance.choice((-1, n)) if n != 1 else chance.randint(0, 4) for n in shape]
        args = _several(chance, [chance.randint(1, 3)] * chance.randint(0, 2) + kept)
    elif name == "unflatten":
        args = f"{dim}, {_list(chance, _factors(chance, last))}"
    elif name == "as_strided":
        lengths = _lengths(chance, 3)
        by = [chance.choice((-2, -1, 0, 1, 2, 3, 4)) for _ in lengths]
        offset = chance.choice(
            ("", f", {chance.randint(-1, 12)}", f", offset={chance.randint(0, 6)}")
        )
        args = f"{_list(chance, lengths)}, {_list(chance, by)}{offset}"
    elif name == "narrow":
        args = f"{dim}, {chance.randint(-last, last)}, {chance.randint(0, last)}"
    elif name == "select":
        args = f"{dim}, {chance.randint(-last, max(last - 1, 0))}"
    elif name == "diagonal":
        pair = _dims(chance, rank)[:2] if rank > 1 else [0, 1]
        args = chance.choice(
            ("", f"{chance.randint(-3, 3)}", f"{chance.randint(-2, 2)}, {pair[0]}, {pair[1]}")
        )
    elif name == "unfold":
        args = f"{dim}, {chance.randint(0, last + (chance.random() < 0.1))}, {chance.randint(1, 3)}"
    elif name == "sliding_window_view":
        each = [chance.randint(0, min(n, 3)) for n in shape]
        args = chance.choice((str(each), f"{chance.randint(0, min(last, 3))}, axis={dim}"))
    elif name == "roll":
        args = chance.choice(
            (f"{chance.randint(-4, 4)}, {dim}", f"[1, -2], {_dims(chance, rank)[:2]}")
        )
    else:
        args = ""
    return f".{name}({args})"


def _misspelt(chance: random.Random, chain: str) -> str:
    at = chance.randrange(len(chain))
    return chance.choice(
        (
            chain[:at] + chain[at + 1 :],
            chain[:at] + chance.choice("()[],:.-=x9 é\"'\\") + chain[at:],
            chain[:at],
            chain.replace("(", " (").replace(",", " , "),
        )
    )


def random_chains(count: int, seed: int) -> list[str]:
    """Return chains of one to six steps; a few have a letter too many or too few."""
    from strided.explorer.steps import evaluate

    chance = random.Random(seed)
    chains = []
    while len(chains) < count:
        chain = _maker(chance)
        for _ in range(chance.randint(0, 5)):
            chains.append(chain)
            steps = evaluate(chain)
            if steps.problem is not None:
                break
            last = steps.steps[-1]
            chain += random_step(chance, last.shape, last.strides)
        chains.append(chain)
        if chance.random() < 0.15:
            chains.append(_misspelt(chance, chain))
    return chains[:count]
