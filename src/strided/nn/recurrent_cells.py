"""Recurrent steps: what Elman networks, LSTMs and GRUs do from one time to the next; cells.

The product of the input is taken for all times at once; a step adds that of the state before.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from strided._native import Tensor, empty
from strided.errors import InvalidArgument, ShapeMismatch
from strided.nn import init
from strided.nn.linear import linear
from strided.nn.members import Parameter
from strided.nn.module import Module
from strided.ops.creation import zeros
from strided.ops.data_types import check_device

State: TypeAlias = tuple[Tensor, ...]
# Takes the product of the input, the state, and the weight and bias of the state's product.
Step: TypeAlias = Callable[[Tensor, State, Tensor, "Tensor | None"], State]


def tanh_step(x: Tensor, state: State, weight: Tensor, bias: Tensor | None) -> State:
    """Return the next state of an Elman network with tanh."""
    return ((x + linear(state[0], weight, bias)).tanh(),)


def relu_step(x: Tensor, state: State, weight: Tensor, bias: Tensor | None) -> State:
    """Return the next state of an Elman network with relu."""
    return ((x + linear(state[0], weight, bias)).relu(),)


def lstm_step(x: Tensor, state: State, weight: Tensor, bias: Tensor | None) -> State:
    """Return the next state of an LSTM (Hochreiter and Schmidhuber 1997): hidden, cell."""
    hidden, cell = state
    opened, kept, new, shown = (x + linear(hidden, weight, bias)).chunk(4, -1)
    cell = kept.sigmoid() * cell + opened.sigmoid() * new.tanh()
    return shown.sigmoid() * cell.tanh(), cell


def gru_step(x: Tensor, state: State, weight: Tensor, bias: Tensor | None) -> State:
    """Return the next state of a GRU (arXiv:1406.1078)."""
    (hidden,) = state
    reset, update, new = x.chunk(3, -1)
    own_reset, own_update, own_new = linear(hidden, weight, bias).chunk(3, -1)
    candidate = (new + (reset + own_reset).sigmoid() * own_new).tanh()
    kept = (update + own_update).sigmoid()
    return ((1.0 - kept) * candidate + kept * hidden,)


# By PyTorch's name of the mode: the step, the gates in a product, the tensors of a state.
MODES: dict[str, tuple[Step, int, int]] = {
    "RNN_TANH": (tanh_step, 1, 1),
    "RNN_RELU": (relu_step, 1, 1),
    "LSTM": (lstm_step, 4, 2),
    "GRU": (gru_step, 3, 1),
}


def mode_of(nonlinearity: str) -> str:
    """Return the mode of an Elman network by its nonlinearity."""
    if nonlinearity not in ("tanh", "relu"):
        raise InvalidArgument(
            argument="nonlinearity", got=repr(nonlinearity), requirement="must be 'tanh' or 'relu'"
        )
    return f"RNN_{nonlinearity.upper()}"


class RNNCellBase(Module):
    """Base of cells: weights of the input and of the state, and one step.

    >>> import strided
    >>> strided.nn.GRUCell(3, 4).weight_ih.shape
    (12, 3)
    """

    _shown: tuple[str, ...] = ("input_size", "hidden_size", "bias")
    _mode: str
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        check_device(device)
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = MODES[self._mode][1] * hidden_size
        self.weight_ih = Parameter(empty(rows, input_size, dtype=dtype))
        self.weight_hh = Parameter(empty(rows, hidden_size, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize parameters in place: uniform within 1 / sqrt(hidden_size).

        >>> import strided
        >>> cell = strided.nn.RNNCell(3, 4)
        >>> cell.reset_parameters()
        >>> bool((cell.weight_ih.detach().abs() <= 0.5).all())
        True
        """
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size else 0.0
        for parameter in self.parameters():
            init.uniform_(parameter, -bound, bound)

    def _run(self, input: Tensor, state: State | None) -> State:
        step, _, parts = MODES[self._mode]
        if input.ndim not in (1, 2) or input.shape[-1] != self.input_size:
            raise ShapeMismatch(
                operation=type(self).__name__,
                expected=(-1, self.input_size),
                got=tuple(input.shape),
                hint="give (batch, input_size), or one sample",
            )
        if state is None:
            shape = (*input.shape[:-1], self.hidden_size)
            state = (zeros(shape, dtype=input.dtype),) * parts
        product: Tensor = linear(input, self.weight_ih, self.bias_ih)
        return step(product, state, self.weight_hh, self.bias_hh)


class RNNCell(RNNCellBase):
    """One step of an Elman network.

    >>> import strided
    >>> strided.nn.RNNCell(3, 4)(strided.ones(2, 3)).shape
    (2, 4)
    """

    _shown = ("input_size", "hidden_size", "bias", "nonlinearity")

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        self.nonlinearity = nonlinearity
        self._mode = mode_of(nonlinearity)
        super().__init__(input_size, hidden_size, bias, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._run(input, None if hx is None else (hx,))[0]


class GRUCell(RNNCellBase):
    """One step of a GRU.

    >>> import strided
    >>> strided.nn.GRUCell(3, 4)(strided.ones(2, 3)).shape
    (2, 4)
    """

    _mode = "GRU"

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        return self._run(input, None if hx is None else (hx,))[0]


class LSTMCell(RNNCellBase):
    """One step of an LSTM: returns the hidden state and the cell.

    >>> import strided
    >>> hidden, cell = strided.nn.LSTMCell(3, 4)(strided.ones(2, 3))
    >>> hidden.shape, cell.shape
    ((2, 4), (2, 4))
    """

    _mode = "LSTM"

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        hidden, cell = self._run(input, hx)
        return hidden, cell
