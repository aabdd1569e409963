"""What changed lately on the command line: the log, batch by batch, each with the way to take it back."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.text import Text

from weft.faces.lines import hanging, line, moment, short, typed
from weft.faces.options import signature_of
from weft.faces.terminal import console, operated, written

if TYPE_CHECKING:
    from rich.console import Console

    from weft.faces.lines import Answer
    from weft.graph import Graph
    from weft.model import Call

__all__ = ["print_log", "register"]

_FOREMOST: Final = frozenset({"node", "relation"})
_MARKS: Final = {"create": "+", "update": "~", "remove": "-", "retire": "-", "restore": "+"}
_STATES: Final = {
    "partly": ("part of it was written over or put back since", "yellow"),
    "undone": ("nothing of it is left", "yellow"),
    "overtaken": ("written over since: an undo would be refused", "yellow"),
    "nothing": ("nothing in it can be taken back", "dim"),
    "unknown": ("too much of it to tell what is left", "dim"),
}
"""What is said of a batch that does not simply stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Which batches are asked for; each field is a word or an option of ``weft log``."""

    node: Annotated[str, typer.Argument(help="Only what changed this node, or a relation at it.")] = ""
    actor: Annotated[str, typer.Option(help="Only by this actor.")] = ""
    client: Annotated[str, typer.Option(help="Only through this client: mcp, http, cli or library.")] = ""
    tool: Annotated[str, typer.Option(help="Only by this tool or command: capture, ingest, undo.")] = ""
    session: Annotated[str, typer.Option(help="Only of this session.")] = ""
    since: Annotated[
        str, typer.Option(help="Not older than this: a time (ISO 8601, in UTC), or an age such as 2d.")
    ] = ""
    before: Annotated[str, typer.Option(help="Not newer than this time or age, or below this position of the log.")] = (
        ""
    )
    limit: Annotated[int, typer.Option(help="How many batches.")] = 20

    @property
    def given(self) -> dict[str, Any]:
        """What was said, by the names that the verb has for it."""
        said = {each.name: getattr(self, each.name) for each in fields(self)}
        end = said.pop("before")
        return {name: value for name, value in said.items() if value != ""} | (
            {"before" if end.isdecimal() else "until": end} if end else {}
        )

    @property
    def narrows(self) -> bool:
        """Whether anything but the newest is asked for."""
        return self.given.keys() != {"limit"}


def _log(context: typer.Context, wanted: _Wanted) -> None:
    def work(graph: Graph, by: Call) -> object:
        from weft.tools.arguments import parse
        from weft.tools.verbs import LogArguments, log

        return log(graph, parse(LogArguments, wanted.given), by)

    answer = operated(context, "log", work)
    if not written(context, answer):
        print_log(console(), answer, narrowed=wanted.narrows)


def print_log(screen: Console, answer: Answer, *, narrowed: bool) -> None:
    """Print a page of the log; ``narrowed`` tells whether anything but the newest was asked for."""
    for batch in answer["batches"]:
        _batch(screen, batch)
    line(screen, answer.get("left_out", ""), style="dim")
    if not answer["batches"]:
        line(screen, "Nothing of that kind was found." if narrowed else "Nothing was written yet.", style="yellow")
    else:
        line(screen, typed("Take one back with weft undo BATCH."), style="dim")
    if answer.get("stopped_at"):
        line(screen, f"Looked back as far as {moment(answer['stopped_at'])}.", style="dim")
    if answer.get("next_before"):
        line(screen, f"--before {answer['next_before']} goes on with what is older.", style="dim")


def _batch(screen: Console, batch: Answer) -> None:
    text = Text(f"{moment(batch['last_at'])}  {batch['tool']}", style="bold")
    text.append(f" by {batch['actor']} ({batch['client']})", style="not bold")
    text.append(f"  {short(batch['batch'])}", style="not bold cyan")
    hanging(screen, text)
    session = f", session {batch['session']}" if batch.get("session") else ""
    line(screen, f"{batch['summary']}{session}", indent=2)
    foremost = [each for each in batch["subjects"] if each["subject"] in _FOREMOST]
    for each in foremost or batch["subjects"]:
        _subject(screen, each)
    said, style = _STATES.get(batch["state"], ("", ""))
    again = typed(f"; weft undo {short(batch['undone_by'])} brings it back") if batch.get("undone_by") else ""
    line(screen, f"{said}{again}", style=style, indent=2)


def _subject(screen: Console, subject: Answer) -> None:
    text = Text(subject["title"], style="green")
    if subject["subject"] == "node":
        text.append(f"  {short(subject['id'])}", style="not bold cyan")
    hanging(screen, text, mark=f"{_MARKS[subject['action']]} ", indent=4)


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""

    def log(context: typer.Context, **said: Any) -> None:  # noqa: ANN401 - the fields of _Wanted
        """Show what changed lately, and by whom. The newest batch first, each with what is left of it."""
        _log(context, _Wanted(**said))

    vars(log)["__signature__"] = signature_of(_Wanted)
    app.command()(log)
