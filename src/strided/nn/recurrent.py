"""Recurrent layers over sequences: RNN, LSTM and GRU, stacked, in both directions, packed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn import init
from strided.nn.dropout import dropout
from strided.nn.linear import linear
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.nn.recurrent_cells import MODES, State, Step, mode_of
from strided.nn.utils.rnn import PackedSequence
from strided.ops.creation import zeros
from strided.ops.data_types import check_device
from strided.ops.joining import cat, stack


class RNNBase(Module):
    """Base of recurrent layers.

    >>> import strided
    >>> layer = strided.nn.RNNBase("GRU", 3, 4, num_layers=2)
    >>> [name for name, _ in layer.named_parameters()][4:]
    ['weight_ih_l1', 'weight_hh_l1', 'bias_ih_l1', 'bias_hh_l1']
    """

    _shown = ("input_size", "hidden_size", "num_layers", "batch_first", "bidirectional")

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        for name, value, least in (
            ("input_size", input_size, 1),
            ("hidden_size", hidden_size, 1),
            ("num_layers", num_layers, 1),
            ("proj_size", proj_size, 0),
        ):
            if value < least:
                raise InvalidArgument(
                    argument=name, got=str(value), requirement=f"must be at least {least}"
                )
        if proj_size and (mode != "LSTM" or proj_size >= hidden_size):
            raise InvalidArgument(
                argument="proj_size",
                got=str(proj_size),
                requirement="is for LSTM, and must be below hidden_size",
            )
        if not 0 <= dropout <= 1:
            raise InvalidArgument(
                argument="dropout", got=str(dropout), requirement="must lie between 0 and 1"
            )
        self.mode, self.input_size, self.hidden_size = mode, input_size, hidden_size
        self.num_layers, self.bias, self.batch_first = num_layers, bias, batch_first
        self.dropout, self.bidirectional, self.proj_size = dropout, bidirectional, proj_size
        rows, shown = MODES[mode][1] * hidden_size, proj_size or hidden_size
        for layer in range(num_layers):
            width = input_size if layer == 0 else shown * (2 if bidirectional else 1)
            shapes: dict[str, tuple[int, ...]] = {
                "weight_ih": (rows, width),
                "weight_hh": (rows, shown),
            }
            if bias:
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for end in ("", "_reverse") if bidirectional else ("",):
                for name, shape in shapes.items():
                    setattr(self, f"{name}_l{layer}{end}", Parameter(empty(shape, dtype=dtype)))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place: uniform within 1 / sqrt(hidden_size).

        >>> import strided
        >>> layer = strided.nn.RNN(3, 4)
        >>> layer.reset_parameters()
        >>> bool((layer.weight_ih_l0.detach().abs() <= 0.5).all())
        True
        """
        bound = 1.0 / math.sqrt(self.hidden_size)
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def flatten_parameters(self) -> None:
        """Do nothing: weights are read as they lie (PyTorch copies them together for cuDNN).

        >>> import strided
        >>> strided.nn.RNN(3, 4).flatten_parameters()
        """

    def forward(self, input: Any, hx: Any = None) -> Any:
        packed = input if isinstance(input, PackedSequence) else None
        x: Any = input if packed is None else packed.data
        single = packed is None and x.ndim == 2
        if packed is not None:
            sizes = packed.batch_sizes.tolist()
        else:
            if x.ndim not in (2, 3):
                raise ShapeMismatch(
                    operation=type(self).__name__,
                    expected=(-1, -1, self.input_size),
                    got=tuple(x.shape),
                    hint="give (length, batch, input_size), or one sequence (length, input_size)",
                )
            if single:
                x = x.unsqueeze(1)
            elif self.batch_first:
                x = x.transpose(0, 1)
            sizes = [x.shape[1]] * len(x)
        if x.shape[-1] != self.input_size:
            raise ShapeMismatch(
                operation=type(self).__name__,
                expected=(*x.shape[:-1], self.input_size),
                got=tuple(x.shape),
                hint="the last axis of the input has input_size elements",
            )
        order = None if packed is None else packed.sorted_indices
        states = self._states(hx, x, sizes[0] if sizes else 0, single, order)
        made, last = self._layers(x, sizes, states, packed is not None)
        if packed is not None:
            back = packed.unsorted_indices
            if back is not None:
                last = tuple(one.index_select(1, back) for one in last)
            return packed._replace(data=made), self._shaped(last)
        if single:
            return made.squeeze(1), self._shaped(tuple(one.squeeze(1) for one in last))
        return made.transpose(0, 1) if self.batch_first else made, self._shaped(last)

    def _shaped(self, last: State) -> Any:
        return last if self.mode == "LSTM" else last[0]

    def _states(self, hx: Any, x: Tensor, batch: int, single: bool, order: Tensor | None) -> State:
        """Return the first states (layers * directions, batch, size), checked."""
        count = self.num_layers * (2 if self.bidirectional else 1)
        sizes = [self.proj_size or self.hidden_size]
        if self.mode == "LSTM":
            sizes.append(self.hidden_size)
        if hx is None:
            return tuple(zeros((count, batch, size), dtype=x.dtype) for size in sizes)
        given: Sequence[Tensor] = hx if self.mode == "LSTM" else (hx,)
        made = []
        for one, size in zip(given, sizes, strict=True):
            state = one.unsqueeze(1) if single and one.ndim == 2 else one
            if state.shape != (count, batch, size):
                raise ShapeMismatch(
                    operation=type(self).__name__,
                    expected=(count, batch, size),
                    got=tuple(one.shape),
                    hint="a state is (layers * directions, batch, size)",
                )
            made.append(state if order is None else state.index_select(1, order))
        return tuple(made)

    def _layers(
        self, x: Tensor, sizes: list[int], states: State, is_packed: bool
    ) -> tuple[Tensor, State]:
        """Return the results of the last layer, and the last state of all layers."""
        step, ends = MODES[self.mode][0], ("", "_reverse") if self.bidirectional else ("",)
        last: list[State] = []
        for layer in range(self.num_layers):
            sides = []
            for side, end in enumerate(ends):
                weights = self._weights(f"_l{layer}{end}")
                place = layer * len(ends) + side
                state = tuple(one.select(0, place) for one in states)
                product = linear(x, weights["weight_ih"], weights.get("bias_ih"))
                rows = product.split(sizes) if is_packed else product.unbind(0)
                made, state = _run(step, rows, sizes, state, weights, bool(side))
                sides.append(cat(made, axis=0) if is_packed else stack(made, axis=0))
                last.append(state)
            x = sides[0] if len(sides) == 1 else cat(sides, axis=-1)
            if self.dropout and self.training and layer + 1 < self.num_layers:
                x = dropout(x, self.dropout)
        return x, tuple(stack(list(ones), axis=0) for ones in zip(*last, strict=True))

    def _weights(self, end: str) -> dict[str, Any]:
        names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")
        found = {name: self.__dict__.get(name + end) for name in names}
        return {name: value for name, value in found.items() if value is not None}


def _run(
    step: Step,
    rows: Sequence[Tensor],
    sizes: list[int],
    state: State,
    weights: dict[str, Any],
    backward: bool,
) -> tuple[list[Tensor], State]:
    """Return the hidden states of all times and the last state, in one direction.

    Sequences are sorted by length: forward some end (their state is kept), backward some begin.
    """
    weight, bias = weights["weight_hh"], weights.get("bias_hh")
    projection = weights.get("weight_hr")
    made: list[Tensor] = [*rows]
    ended: list[State] = []
    first = state
    if backward:
        state = tuple(one.narrow(0, 0, sizes[-1]) for one in first)
    for t in reversed(range(len(rows))) if backward else range(len(rows)):
        here, count = len(state[0]), sizes[t]
        if count < here:
            ended.append(tuple(one.narrow(0, count, here - count) for one in state))
            state = tuple(one.narrow(0, 0, count) for one in state)
        elif count > here:
            new = (one.narrow(0, here, count - here) for one in first)
            state = tuple(cat(list(pair), axis=0) for pair in zip(state, new, strict=True))
        state = step(rows[t], state, weight, bias)
        if projection is not None:
            state = (linear(state[0], projection), *state[1:])
        made[t] = state[0]
    if ended:
        parts = [state, *reversed(ended)]
        state = tuple(cat(list(ones), axis=0) for ones in zip(*parts, strict=True))
    return made, state


class RNN(RNNBase):
    """Elman network: returns the hidden states of all times, and the last of each layer.

    >>> import strided
    >>> output, last = strided.nn.RNN(3, 4)(strided.ones(5, 2, 3))
    >>> output.shape, last.shape
    ((5, 2, 4), (1, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self.nonlinearity = nonlinearity
        mode = mode_of(nonlinearity)
        more = num_layers, bias, batch_first, dropout, bidirectional
        super().__init__(mode, input_size, hidden_size, *more, device=device, dtype=dtype)


class LSTM(RNNBase):
    """LSTM: returns the hidden states of all times, and the last (hidden, cell) of each layer.

    >>> import strided
    >>> output, (hidden, cell) = strided.nn.LSTM(3, 4, batch_first=True)(strided.ones(2, 5, 3))
    >>> output.shape, hidden.shape, cell.shape
    ((2, 5, 4), (1, 2, 4), (1, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        more = num_layers, bias, batch_first, dropout, bidirectional, proj_size, device, dtype
        super().__init__("LSTM", input_size, hidden_size, *more)


class GRU(RNNBase):
    """GRU: returns the hidden states of all times, and the last of each layer.

    >>> import strided
    >>> output, last = strided.nn.GRU(3, 4, bidirectional=True)(strided.ones(5, 2, 3))
    >>> output.shape, last.shape
    ((5, 2, 8), (2, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        more = num_layers, bias, batch_first, dropout, bidirectional
        super().__init__("GRU", input_size, hidden_size, *more, device=device, dtype=dtype)
