"""Graphs in PostgreSQL on the command line: made, brought up, opened to other logins."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.errors import WeftError
from weft.faces.lines import command, line
from weft.faces.terminal import asked, console, fail, written

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.settings import Settings

__all__ = ["register"]

database = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Look after a graph in PostgreSQL. It is for the login that owns it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@database.command()
def init(
    context: typer.Context,
    sql: Annotated[  # noqa: FBT002 - typer's way to say a flag
        bool, typer.Option("--sql", help="Only print what an administrator must run first, where anything is missing.")
    ] = False,
) -> None:
    """Make a graph in the database of --graph. That is the extension, the roles of the tiers and the tables."""
    if sql:
        _script(context)
        return
    from weft.graph.moving import make

    answer = _asked(context, lambda settings: asdict(make(settings)))
    if not written(context, answer):
        there = "The graph was there already" if answer["before"] else "The graph is made"
        line(console(), f"{there}: {answer['where']}, schema {answer['schema']}.", style="bold")
        command(console(), "let another login in: weft db grant LOGIN --role reader", indent=2)


@database.command()
def migrate(context: typer.Context) -> None:
    """Bring the graph to this release's schema. Its roles are granted anew; the database is that of --graph."""
    from weft.graph.moving import migrate as bring_up

    answer = _asked(context, lambda settings: asdict(bring_up(settings)))
    if not written(context, answer):
        moved = f"from {answer['before']} to {answer['schema']}"
        line(console(), f"Schema {answer['schema'] if answer['before'] == answer['schema'] else moved}.", style="bold")


@database.command()
def grant(
    context: typer.Context,
    login: Annotated[str, typer.Argument(help="A login of the server, which an administrator has made.")],
    role: Annotated[str, typer.Option(help="reader, contributor, librarian or curator; none takes all away.")],
    ontology: Annotated[
        list[str] | None, typer.Option(help="With reader: it reads this ontology alone; may be given again.")
    ] = None,
) -> None:
    """Let another login be of this role. It may take lower ones too, and no higher one."""
    from weft.graph.moving import grant as let_in

    given = ontology or []
    answer = _asked(context, lambda settings: asdict(let_in(settings, login, role, ontologies=given)))
    if not written(context, answer):
        bounds = f", held to {', '.join(answer['ontologies'])}" if answer["ontologies"] else ""
        line(console(), f"{answer['login']} is {_role(answer['role'])} of {answer['where']}{bounds}.", style="bold")


def _role(role: str) -> str:
    return "no user" if role == "none" else f"a {role}"


def _script(context: typer.Context) -> None:
    from weft.graph.moving import script

    answer = _asked(context, lambda settings: {"sql": list(script(settings))})
    if not written(context, answer):
        for statement in answer["sql"] or ["-- Nothing is missing: weft db init can do all of it."]:
            sys.stdout.write(f"{statement}\n")


def _asked(context: typer.Context, work: Callable[[Settings], dict[str, Any]]) -> dict[str, Any]:
    try:
        return work(asked(context).settings)
    except WeftError as error:
        fail(context, error)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.add_typer(database, name="db")
