"""What every command of the terminal shares: global options, one way to run a tool, one way to fail.

Heavy rooms are imported where they are used, so that ``weft --help`` stays quick.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from typer.core import TyperGroup

from weft.errors import CannotOpen, WeftError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from weft.graph import Graph
    from weft.model import Call
    from weft.settings import Settings
    from weft.tools.gate import Caller

__all__ = [
    "FAILED",
    "INTERRUPTED",
    "MISUSED",
    "NOT_OPENED",
    "Asked",
    "Commands",
    "asked",
    "console",
    "fail",
    "operated",
    "run",
    "run_with",
    "show",
    "using",
    "written",
]

FAILED, MISUSED, NOT_OPENED, INTERRUPTED = 1, 2, 3, 130

_VALUED = {"--graph", "--actor", "--role", "--hints", "--scope"}
_PLAIN = {
    "--json": ("--json",),
    "--include-learned": ("--scope", "all"),
    "--learned-only": ("--scope", "learned"),
    "--documents-only": ("--scope", "documents"),
}
_OWN: dict[tuple[str, ...], set[str]] = {  # said of others than who calls
    ("token", "create"): {"--actor", "--role"},
    ("db", "grant"): {"--role"},
}
_SCOPES = tuple(flag for flag, words in _PLAIN.items() if words[0] == "--scope")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the global options said: the settings, whether answers are JSON, and the scope of reads."""

    settings: Settings
    as_json: bool
    scope: str


class Commands(TyperGroup):
    """The group of commands; global options are taken from wherever they stand."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - typer keeps its context's base private
        """Parse ``args`` with the global options moved ahead of the command."""
        _check_scope(args)
        return super().parse_args(ctx, hoist(args))


def _check_scope(arguments: Sequence[str]) -> None:
    """Refuse two scopes at once.

    Raises:
        typer.BadParameter: more than one of the scope flags and ``--scope`` is given.
    """
    words = list(takewhile(lambda word: word != "--", arguments))
    given = sorted({word.split("=")[0] for word in words if word in _SCOPES or word.split("=")[0] == "--scope"})
    if len(given) > 1:
        raise typer.BadParameter(f"{' and '.join(given)} exclude each other")


def hoist(arguments: Sequence[str]) -> list[str]:
    """Return ``arguments`` with the global options moved to the front. What follows ``--`` stays where it is.

    The three scope flags of seed 000 are spellings of ``--scope``. After a command that has an option of the same name,
    it is that command's.
    """
    ahead: list[str] = []
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        if word == "--":
            rest += [word, *words]
        elif word in _PLAIN:
            ahead += _PLAIN[word]
        elif word.split("=")[0] in _VALUED - _OWN.get(tuple(rest[:2]), set()):
            ahead += [word] if "=" in word else [word, *islice(words, 1)]
        else:
            rest.append(word)
    return ahead + rest


def asked(context: typer.Context) -> Asked:
    """Return what the global options of this call said."""
    found = context.find_object(Asked)
    assert found is not None  # noqa: S101 - the callback of the group has run before any command
    return found


def console(*, stderr: bool = False) -> Console:
    """Return the terminal: colours off and lines unbroken when it is a pipe."""
    from rich.console import Console

    screen = Console(stderr=stderr, highlight=False, markup=False, emoji=False)
    return (
        screen
        if screen.is_terminal
        else Console(stderr=stderr, highlight=False, markup=False, emoji=False, width=10_000, no_color=True)
    )


def using(
    context: typer.Context, work: Callable[[Graph, Caller], dict[str, Any]], *, create: bool = True, tool: str = ""
) -> dict[str, Any]:
    """Open the graph that was asked for, do ``work`` on it, and return its answer; a failure ends the command.

    ``create`` is off for what only reads: a mistyped path is then told of, not made. ``tool`` is what ``work`` calls.
    """
    from weft.graph import open as open_graph
    from weft.tools.gate import caller_of

    settings = asked(context).settings.at_home()
    try:
        with open_graph(settings=settings, create=create) as graph:
            return work(graph, caller_of(settings, client="cli", graph=graph.name))
    except WeftError as error:
        fail(context, error, tool=tool)


def operated(context: typer.Context, name: str, work: Callable[[Graph, Call], object]) -> dict[str, Any]:
    """Do an operator's verb ``name`` on the graph that was asked for, and return its answer; as :func:`using`."""

    def run(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, name, caller, lambda by: work(graph, by))

    return using(context, run, create=False)


def written(context: typer.Context, answer: dict[str, Any]) -> bool:
    """Write ``answer`` as JSON where that was asked for, and return whether it was."""
    if asked(context).as_json:
        sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
    return asked(context).as_json


def run(context: typer.Context, tool: str, **arguments: object) -> None:
    """Run ``tool`` through the gate and show its answer; arguments that are None or empty keep their defaults."""
    given = {name: value for name, value in arguments.items() if value not in (None, [], (), "")}
    run_with(context, tool, given)


def run_with(context: typer.Context, tool: str, arguments: dict[str, Any]) -> None:
    """Run ``tool`` with exactly these ``arguments`` and show its answer."""
    from weft.tools.gate import call
    from weft.tools.row import Effect
    from weft.tools.table import tool_named

    try:
        adds = tool_named(tool).effect in {Effect.ADDS, Effect.MERGES}  # what changes needs a graph that is there
    except WeftError as error:
        fail(context, error)

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        return call(graph, tool, arguments, caller)

    show(context, tool, using(context, work, create=adds, tool=tool))


def show(context: typer.Context, tool: str, answer: dict[str, Any]) -> None:
    """Print ``answer`` as JSON when that was asked for, else as people read it."""
    if written(context, answer):
        return
    from weft.faces.show import show as show_answer

    show_answer(console(), tool, answer)


def fail(context: typer.Context, error: WeftError, *, tool: str = "") -> NoReturn:
    """End the command with ``error``: JSON on stdout when that was asked for, else sentences on stderr.

    The JSON is the answer of ``tool``, where the command called one.

    Raises:
        typer.Exit: always; code 3 when the graph could not be opened, else 1.
    """
    if asked(context).as_json:
        from weft.tools.gate import error_answer

        answer = error_answer(tool, error)
        sys.stdout.write(json.dumps(answer, ensure_ascii=False, separators=(",", ":")) + "\n")
    else:
        screen = console(stderr=True)
        screen.print(f"weft: {error.message}", style="red")
        for candidate in error.candidates:
            screen.print(f"  {candidate.id}  {candidate.title}  {candidate.why}".rstrip())
        screen.print(_as_typed(error.hint), style="dim")
    raise typer.Exit(NOT_OPENED if isinstance(error, CannotOpen) else FAILED)


def _as_typed(hint: str) -> str:
    """Return ``hint`` with the command in the place of each tool that has one of another name."""
    from weft.faces.learned import COMMANDS

    for tool, words in COMMANDS.items():
        hint = hint.replace(tool, f"weft {words}")
    return hint
