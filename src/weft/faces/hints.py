"""``weft hints``: how the hints that answers carry fare, and who called the tools that are audited."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.text import Text

from weft.faces.lines import counted, hanging, line, moment
from weft.faces.terminal import asked, console, show, using

if TYPE_CHECKING:
    from weft.graph import Graph
    from weft.tools.gate import Caller

__all__ = ["register"]

AUDITS_MAX: Final = 1_000

hints = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="How hints fare, and who called audited tools.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@hints.command()
def stats(context: typer.Context) -> None:
    """Show how often each hint was followed. Ignored and still open ones are counted too."""
    from weft.tools.gate import operate
    from weft.tools.prerequisites import FRESH

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        return operate(graph, "hints_stats", caller, lambda by: graph.usage.hints(since=by.at - FRESH))

    answer = using(context, work, create=False)
    if asked(context).as_json:
        show(context, "hints_stats", answer)
        return
    screen = console()
    for row in answer["hints"]:
        counts = f"{row['followed']} followed, {row['ignored']} ignored, {row['open']} open"
        hanging(screen, Text(f"{row['after']} → {row['hint']}: {counts}"))
    line(screen, _nudges(answer["nudges"]) if answer["hints"] else "No hint was given yet.")


def _nudges(count: int) -> str:
    return f"A step was suggested first {counted(count, 'time')}."


@hints.command()
def audit(
    context: typer.Context,
    limit: Annotated[int, typer.Option(help="How many, the newest first.", min=1, max=AUDITS_MAX)] = 20,
) -> None:
    """Show the calls of audited tools (curator). Those that were refused too."""
    from weft.tools.gate import operate

    def work(graph: Graph, caller: Caller) -> dict[str, Any]:
        return operate(graph, "hints_audit", caller, lambda _: graph.usage.audits(limit=limit))

    answer = using(context, work, create=False)
    if asked(context).as_json:
        show(context, "hints_audit", answer)
        return
    screen = console()
    for row in answer["calls"]:
        outcome = " ".join(filter(None, (row["outcome"], row["key"], row["batch"])))
        hanging(screen, Text(f"{moment(row['at'])}  {row['actor']} ({row['tier']})  {row['tool']}: {outcome}"))
        line(screen, f"{row['arguments']}  {row['reason']}".rstrip(), style="dim", indent=2)
    line(screen, "" if answer["calls"] else "No audited tool was called yet.")


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``, under ``hints``."""
    app.add_typer(hints, name="hints")
