"""``strided chat``: a conversation with a language model, by a person or out of a pipe."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

import strided
from strided.cli import models
from strided.cli.conversation import Answered, Conversation, writer
from strided.cli.help_text import add_command
from strided.cli.output import INTERRUPTED

_QUOTES = '"""'


class ChatInput:
    """Reads turns from stdin: one line each, or several between triple quotes."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self.is_terminal:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401  (input() edits lines and remembers them with it)
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")

    def turn(self) -> str | None:
        """Return the next turn, None at the end of the input."""
        line = self._line("> ")
        if line is None or not line.lstrip().startswith(_QUOTES):
            return line
        parts = [line.lstrip().removeprefix(_QUOTES)]
        while not parts[-1].rstrip().endswith(_QUOTES):
            more = self._line(". ")
            if more is None:  # nobody will close the quotes any more
                return "\n".join(parts)
            parts.append(more)
        parts[-1] = parts[-1].rstrip().removesuffix(_QUOTES)
        return "\n".join(parts).strip("\n")

    def _line(self, prompt: str) -> str | None:
        if not self.is_terminal:
            line = sys.stdin.readline()
            return line.removesuffix("\n").removesuffix("\r") if line else None
        try:
            return input(prompt)
        except EOFError:
            print()
            return None


_HELP = '''\
/help              this list
/clear             forget the conversation
/set NAME VALUE    change a setting; /set alone shows them
/save FILE         write the conversation to a file
/load FILE         go on from one that was saved
/exit              leave, as Ctrl-D does
"""                begins and ends a text of several lines
Ctrl-C stops an answer.'''


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    lines = ("strided chat smollm2", "strided chat model.gguf --system 'Be brief.'")
    add_command(app, "chat", chat, *lines)


def chat(
    model: models.ModelName,
    system: models.System = None,
    temp: models.Temperature = 0.8,
    top_k: models.TopK = 40,
    top_p: models.TopP = 0.95,
    min_p: models.MinP = 0.05,
    repeat_penalty: models.RepeatPenalty = 1.0,
    seed: models.Seed = None,
    max_tokens: models.MaxTokens = None,
    context: models.Context = 4096,
    threads: models.Threads = None,
    stop: models.Stop = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Figures on stderr after each answer.")
    ] = False,
) -> None:
    """Talk with a language model; /help shows what can be done besides.

    Every line is a turn, and the model remembers the ones before. Ctrl-C stops an answer and not
    the chat. With a pipe on stdin, answers are all that goes to stdout.
    """
    from strided import llm

    models.use_threads(threads)
    options = models.options_of(
        temp=temp,
        top_k=top_k,
        top_p=top_p,
        min_p=min_p,
        repeat_penalty=repeat_penalty,
        seed=seed,
        max_tokens=max_tokens,
        stop=stop,
    )
    loaded, seconds = models.read_model(model)
    engine = llm.Engine(loaded, context=context)
    talk = Conversation(engine, models.words_of(loaded), options, system)
    lines, write = ChatInput(), writer()
    if lines.is_terminal:
        _tell(f"{loaded.name}: /help for help, /exit or Ctrl-D to leave")
    last: Answered | None = None
    while True:
        try:
            turn = lines.turn()
        except KeyboardInterrupt:
            if not lines.is_terminal:
                raise typer.Exit(INTERRUPTED) from None
            _tell("\n/exit or Ctrl-D leaves")
            continue
        if turn is None or turn.strip() == "/exit":
            break
        if turn.startswith("/"):
            _obey(talk, turn)
        elif turn.strip():
            last = _answer(talk, turn, write) or last
            if verbose and last is not None:
                _tell(str(last.figures_of(loaded.name, seconds)))
    if last is not None and (verbose or lines.is_terminal):
        _tell(str(last.figures_of(loaded.name, seconds)))


def _answer(talk: Conversation, turn: str, write: Callable[[str], None]) -> Answered | None:
    try:
        answered = talk.ask(turn, write)
    except strided.InvalidArgument as error:  # the context is full, or the template says no
        _tell(f"{error}\n/clear begins anew")
        return None
    write("\n")
    return answered


# ---- commands ----


def _obey(talk: Conversation, line: str) -> None:
    name, _, rest = line.strip().partition(" ")
    command = _COMMANDS.get(name)
    if command is None:
        _tell(f"{name} is no command: /help lists them (a space in front sends it as text)")
        return
    try:
        command(talk, rest.strip())
    except (strided.StridedError, OSError) as error:
        _tell(str(error))


def _help(talk: Conversation, rest: str) -> None:
    _tell(_HELP)


def _clear(talk: Conversation, rest: str) -> None:
    talk.clear()
    _tell("the conversation begins anew")


def _set(talk: Conversation, rest: str) -> None:
    name, _, value = rest.partition(" ")
    if name:
        talk.set(name, value.strip())
    for known, now in talk.settings().items():
        if not name or known == name:
            _tell(f"{known} {'none' if now in (None, ()) else _shown(now)}")


def _shown(value: object) -> str:
    return ", ".join(map(repr, value)) if isinstance(value, tuple) else str(value)


def _save(talk: Conversation, rest: str) -> None:
    path = _path(rest)
    talk.save(path)
    _tell(f"{len(talk.messages)} messages are in {path}")


def _load(talk: Conversation, rest: str) -> None:
    path = _path(rest)
    talk.load(path)
    _tell(f"{len(talk.messages)} messages from {path}")


def _path(rest: str) -> Path:
    if not rest:
        raise strided.InvalidArgument(
            argument="FILE", got="missing", requirement="must be the name of a file"
        )
    return Path(rest).expanduser()


_COMMANDS: dict[str, Callable[[Conversation, str], None]] = {
    "/help": _help,
    "/clear": _clear,
    "/set": _set,
    "/save": _save,
    "/load": _load,
}


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
