"""What every command of the terminal shares: what the global options said, one way to run a tool, one way to fail.

Heavy rooms are imported where they are used, so that ``weft --help`` stays quick.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NoReturn

import typer
from rich.text import Text

from weft.errors import CannotOpen, InvalidArgument, WeftError
from weft.faces.lines import hanging, typed
from weft.faces.streams import compact, read_piped

if TYPE_CHECKING:
    from collections.abc import Callable

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
    "asked",
    "console",
    "fail",
    "flags",
    "operated",
    "piped",
    "run",
    "run_with",
    "show",
    "told",
    "using",
    "written",
]

FAILED, MISUSED, NOT_OPENED, INTERRUPTED = 1, 2, 3, 130

_ALIASES = (  # fields of tools whose option is of another name
    ("kinds", "kind"),
    ("ontologies", "ontology"),
    ("tags", "tag"),
    ("references", "reference"),
    ("current_file", "file"),
    ("search_terms", "term"),
    ("bridges_concepts", "bridges"),
    ("relationship_type", "type"),
    ("cognitive_leap", "leap"),
    ("creator_map", "creator"),
    ("from_concept_id", "source"),
    ("to_concept_id", "target"),
    ("learned_id", "item"),
    ("format", "target"),
    ("format", "source"),
    ("until", "before"),
)
_FIELD = re.compile(r"(?:^|(?<=; ))(\w+)(?:\.\w+)*: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the global options said: the settings, whether answers are JSON, and the scope of reads."""

    settings: Settings
    as_json: bool
    scope: str


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
        new = create and _is_new(settings)
        with open_graph(settings=settings, create=create) as graph:
            if new:
                console(stderr=True).print(f"Made a new graph at {graph.where}", style="dim", soft_wrap=True)
            return work(graph, caller_of(settings, client="cli", graph=graph.name))
    except WeftError as error:
        fail(context, error, tool=tool)


def _is_new(settings: Settings) -> bool:
    """Whether the graph is a file that is yet to be made.

    Raises:
        CannotOpen: it was named by a path, and its folder is not there either: more likely mistyped than meant.
    """
    from weft.settings import locate

    place = locate(settings)
    if settings.server or place.exists():
        return False
    if not place.parent.exists() and place.parent != locate(replace(settings, graph="")).parent:
        raise CannotOpen(f"There is no folder {place.parent}, so no graph was made in it.", hint="Meant so: weft init")
    return True


def operated(context: typer.Context, name: str, work: Callable[[Graph, Call], object]) -> dict[str, Any]:
    """Do an operator's verb ``name`` on the graph that was asked for, and return its answer; as :func:`using`."""

    def run(graph: Graph, caller: Caller) -> dict[str, Any]:
        from weft.tools.gate import operate

        return operate(graph, name, caller, lambda by: work(graph, by))

    return using(context, run, create=False)


def written(context: typer.Context, answer: dict[str, Any]) -> bool:
    """Write ``answer`` as JSON where that was asked for, and return whether it was."""
    if asked(context).as_json:
        sys.stdout.write(compact(answer))
    return asked(context).as_json


def told(context: typer.Context, answer: dict[str, Any], form: Callable[[Console, dict[str, Any]], None]) -> None:
    """Write ``answer`` as JSON where that was asked for, else print it by ``form``."""
    if not written(context, answer):
        form(console(), answer)


def run(context: typer.Context, tool: str, **arguments: object) -> None:
    """Run ``tool`` through the gate and show its answer; arguments that are None or empty keep their defaults."""
    given = {name: value for name, value in arguments.items() if value not in (None, [], (), "")}
    run_with(context, tool, given)


def run_with(context: typer.Context, tool: str, arguments: dict[str, Any]) -> None:
    """Run ``tool`` with exactly these ``arguments`` and show its answer."""
    from weft.faces.steps import refuse_open
    from weft.tools.gate import call
    from weft.tools.row import Effect
    from weft.tools.table import tool_named

    try:
        refuse_open(arguments)
        adds = tool_named(tool).effect in {Effect.ADDS, Effect.MERGES}  # what changes needs a graph that is there
    except WeftError as error:
        fail(context, error)

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        return call(graph, tool, arguments, _told(context, caller))

    show(context, tool, using(context, work, create=adds, tool=tool))


def _told(context: typer.Context, caller: Caller) -> Caller:
    """Return ``caller``, told of next steps with their arguments where people read them: as commands to copy."""
    brief = caller.hints == "brief" and not asked(context).as_json
    return replace(caller, hints="full") if brief else caller


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

        sys.stdout.write(compact(error_answer(tool, error)))
    else:
        screen = console(stderr=True)
        hanging(screen, Text(f"weft: {_with_options(context, error.message)}", style="red"))
        for candidate in error.candidates:
            said = dict.fromkeys((candidate.id, candidate.title, candidate.why))  # a learned item is titled by its id
            hanging(screen, Text("  ".join(filter(None, said))), indent=2)
        if hint := _as_typed(error):
            screen.print(hint, style="dim")
    raise typer.Exit(NOT_OPENED if isinstance(error, CannotOpen) else FAILED)


def _as_typed(error: WeftError) -> str:
    """Return the hint of ``error`` for a prompt: commands for tools, options for fields; what says nothing is empty."""
    from weft.faces.learned import COMMANDS

    if error.key == "tool":
        return typed("weft tools lists them.")
    if error.hint == InvalidArgument.remedy:
        return ""
    if error.hint.startswith("Have "):  # somebody else types it, who reaches the graph in their own way
        return error.hint
    hint = error.hint.replace("repeat the call with proceed set to true", "repeat the command")
    for tool, words in COMMANDS.items():
        hint = hint.replace(tool, f"weft {words}")
    return typed(hint.replace(" with cascade", " with --cascade"))


def _with_options(context: typer.Context, message: str) -> str:
    """Return ``message`` with the option of this command in the place of each field that is found wanting."""
    spelt = {each.name: _spelt(each) for each in context.command.params}
    spelt = {field: spelt[name] for field, name in _ALIASES if name in spelt} | spelt
    return _FIELD.sub(lambda found: f"{spelt[found[1]]}: " if found[1] in spelt else found[0], message)


def _spelt(parameter: Any) -> str:  # noqa: ANN401 - typer keeps its parameters' base private
    is_option = parameter.param_type_name == "option"
    return str(parameter.opts[0] if is_option else parameter.name.upper())


def flags(context: typer.Context) -> str:
    """Return the options that this command has, as they are typed."""
    names = (parameter.opts[0] for parameter in context.command.params if parameter.param_type_name == "option")
    return ", ".join(name for name in names if name != "--help")


def piped(context: typer.Context) -> str:
    """Return what standard input holds; where it cannot be read, the command ends and says why."""
    try:
        return read_piped()
    except InvalidArgument as error:
        fail(context, error)
