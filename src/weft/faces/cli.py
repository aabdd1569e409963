"""The command line: friendly commands for the core verbs, ``weft call`` for every tool.

Global options may stand before or after the command. Exit codes: 0 done, 1 an error answer, 2 wrong usage, 3 the graph
cannot be opened, 130 interrupted.
"""

from __future__ import annotations

import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from weft.errors import InvalidArgument, WeftError
from weft.faces import (
    commands,
    configuring,
    copying,
    databases,
    hints,
    installing,
    keeping,
    learn,
    reembedding,
    starting,
    streams,
    tokens,
    transfer,
    vault,
    vocabulary,
)
from weft.faces.lines import repeat
from weft.faces.options import Commands
from weft.faces.terminal import FAILED, INTERRUPTED, Asked, asked, console, fail
from weft.location import FOLDER, here
from weft.settings import Settings, be_one_of_many

__all__ = ["app", "main"]

_NO_THREAD = "can't start new thread"  # Python's words; the error is a bare RuntimeError

app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A knowledge graph that AI agents and people keep together.",
)


def _version(wanted: bool) -> None:  # noqa: FBT001 - typer hands an option's value over so
    if wanted:
        from weft import __version__

        typer.echo(f"weft {__version__}")
        raise typer.Exit


@app.callback()
def _globals(
    context: typer.Context,
    *,
    graph: Annotated[str, typer.Option(help="Name, path or postgresql:// URL of the graph (WEFT_GRAPH).")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Answer with the tool's JSON.")] = False,
    actor: Annotated[str, typer.Option(help="Who writes (WEFT_ACTOR; default: the login name).")] = "",
    role: Annotated[str, typer.Option(help="reader, contributor, librarian or curator; it only lowers.")] = "",
    hints: Annotated[str, typer.Option(help="off, brief or full.")] = "",
    scope: Annotated[
        Literal["all", "learned", "documents"],
        typer.Option(help="Which knowledge reads see; in short --learned-only, --documents-only."),
    ] = "all",
    version: Annotated[  # noqa: ARG001 - its callback does the work
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    words = {"graph": graph, "actor": actor, "role": role, "hints": hints}
    given: dict[str, Any] = {name: value for name, value in words.items() if value}
    try:
        settings = replace(Settings.from_environment(), **given)
    except InvalidArgument as error:
        raise typer.BadParameter(error.message) from None
    repeat(graph=graph, role=role if _lifts(role) else "")
    context.obj = Asked(settings=settings, as_json=as_json, scope=scope)


def _lifts(role: str) -> bool:
    """Whether a command that is typed without this ``--role`` would reach less."""
    from weft.tools.row import reaches

    return bool(role) and not reaches(Settings.from_environment().role, role)


@app.command()
def init(context: typer.Context) -> None:
    """Make a graph for this project, in .weft here."""
    from weft.graph import open as open_graph

    settings = asked(context).settings
    try:
        if not settings.graph:
            settings = replace(settings, graph=str(here() / FOLDER / "graph.db"))
        with open_graph(settings=settings) as graph:
            console().print(f"The graph is at {graph.where}", soft_wrap=True)
    except WeftError as error:
        fail(context, error)


@app.command()
def demo(
    context: typer.Context,
    folder: Annotated[Path | None, typer.Argument(help="A folder of Markdown; default: Weft's own docs.")] = None,
) -> None:
    """Read a folder into a fresh graph and question it."""
    from weft.faces.demo import play

    try:
        play(console(), folder, asked(context).settings)
    except WeftError as error:
        fail(context, error)


starting.register(app)


@app.command("tools")
def list_tools(
    context: typer.Context,
    toolsets: Annotated[str, typer.Option(help="Toolsets, separated by commas.")] = "all",
) -> None:
    """List the tools and what each needs."""
    from weft.faces.show import show_tools
    from weft.tools.gate import Offer

    try:
        offer = Offer.of(asked(context).settings, toolsets=toolsets)
        show_tools(console(), offer.tools, as_json=asked(context).as_json)
    except WeftError as error:
        fail(context, error)


commands.register(app)
hints.register(app)
learn.register(app)
transfer.register(app)
copying.register(app)
databases.register(app)
keeping.register(app)
configuring.register(app)
vocabulary.register(app)
reembedding.register(app)
tokens.register(app)
installing.register(app)
vault.register(app)


def main() -> None:
    """Run the command line and exit with its code."""
    be_one_of_many()
    streams.prepare()
    try:
        _run()
    except OSError as error:  # of the user's environment: a full disk, a closed pipe, a folder that may not be read
        streams.abandon()
        if not isinstance(error, BrokenPipeError):
            place = f"{error.filename}: " if error.filename else ""
            sys.stderr.write(f"weft: {place}{error.strerror or error}\n")
        sys.exit(FAILED)
    except KeyboardInterrupt:
        sys.stderr.write("weft: interrupted; what was done is kept\n")
        sys.exit(INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the one place where an unknown failure becomes a sentence
        sys.stderr.write(f"weft: {_meant(error)}\n")
        sys.exit(FAILED)


def _run() -> None:
    """Run the command, and write out what it said before the process ends, so that a failure to is told."""
    try:
        app()
    finally:
        sys.stdout.flush()


def _meant(error: Exception) -> str:
    if isinstance(error, MemoryError) or str(error) == _NO_THREAD:
        return "the system gives this process no further memory or threads; what was done is kept"
    return f"this is a fault of ours: {type(error).__name__}: {error}\n{_place(error)}"


def _place(error: Exception) -> str:
    """Return where ``error`` was raised, innermost last, for a report."""
    frames = traceback.extract_tb(error.__traceback__)[-3:]
    return "Please report it with: " + " › ".join(f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames)
