"""``weft copy``: a whole graph from one place to another, on the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.faces.lines import counted, line
from weft.faces.terminal import FAILED, asked, console, written

if TYPE_CHECKING:
    from rich.console import Console

    from weft.model import Copied

__all__ = ["register"]

_SHORT = 16
"""Characters of a digest that are shown; --json has all."""


def copy(
    context: typer.Context,
    source: Annotated[str, typer.Argument(help="Name, path or postgresql:// URL of a graph.")],
    target: Annotated[str, typer.Argument(help="The same, of one that is empty or not there yet.")],
    restart: Annotated[  # noqa: FBT002 - typer's way to say a flag
        bool, typer.Option("--restart", help="Throw away what is there of a broken copy, and begin anew.")
    ] = False,
) -> None:
    """Copy a graph from a file to a database or back. Broken off, the same command goes on (curator)."""
    from weft.faces.progress import resumable, unopened
    from weft.graph.moving import copy as copy_graph

    with resumable("what is there is"), unopened(context, "copy", "Copying") as call:
        copied = copy_graph(asked(context).settings, source, target, call, restart=restart)
    if not written(context, _data(copied)):
        _told(console(), copied)
    if not copied.same:
        raise typer.Exit(FAILED)


def _data(copied: Copied) -> dict[str, Any]:
    return {**asdict(copied), "same": copied.same, "tables": [asdict(each) for each in copied.tables]}


def _told(screen: Console, copied: Copied) -> None:
    what = "Copied" if copied.same else "Not a copy of"
    line(screen, f"{what} {copied.source}", style="bold" if copied.same else "bold red")
    line(screen, f"to {copied.target}{', going on where it had been broken off' if copied.resumed else ''}", indent=2)
    line(screen, "compared row by row, in order of their keys:", indent=2)
    empty = [each.table for each in copied.tables if each.same and not each.rows]
    for each in copied.tables:
        held = f"{each.table}: {counted(each.rows, 'row')}, {each.digest[:_SHORT]}"
        if not each.same:
            there = f"{counted(each.copied_rows, 'row')}, {each.copied_digest[:_SHORT]}"
            line(screen, f"{held}; in the copy {there}", style="red", indent=4)
        elif each.rows:
            line(screen, held, style="dim", indent=4)
    line(screen, f"empty on both sides: {', '.join(empty)}" if empty else "", style="dim", indent=4)
    if not copied.same:
        said = "The copy stays closed. Run the same command with --restart; if that ends so too, weft doctor on SOURCE."
        line(screen, said, style="red", indent=2)
    if copied.behind:
        said = f"{copied.source} has had {counted(copied.behind, 'change')} since; they are not in the copy."
        line(screen, said, style="yellow", indent=2)
    line(screen, "Tokens stay where they are: make new ones with weft token create.", style="dim", indent=2)


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""
    app.command()(copy)
