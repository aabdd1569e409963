"""Moving a graph to another embedding model from the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from weft.faces.lines import counted, line, typed
from weft.faces.terminal import asked, console, written

if TYPE_CHECKING:
    from rich.console import Console

    from weft.model import Reembedded

__all__ = ["register"]

_MINUTE_S = 60
_HOUR_S = 3_600


def reembed(
    context: typer.Context,
    dry_run: Annotated[  # noqa: FBT002 - typer's way to say a flag
        bool, typer.Option("--dry-run", help="Only say how much there is to do, and about how long it takes.")
    ] = False,
) -> None:
    """Move the graph to another embedding model. That is the one of the settings; broken off, it goes on (curator)."""
    from weft.faces.progress import resumable, unopened
    from weft.graph.moving import reembed as move

    with resumable("what is embedded is"), unopened(context, "reembed", "Moving") as call:
        done = move(asked(context).settings, call, dry_run=dry_run)
    if not written(context, asdict(done)):
        _told(console(), done)


def _told(screen: Console, done: Reembedded) -> None:
    before, after = _model(done.before, done.before_dimension), _model(done.model, done.dimension)
    if done.moved:
        line(screen, f"Moved to {after}", style="bold")
        line(screen, f"from {before}{', going on where it had been broken off' if done.resumed else ''}", indent=2)
        said = f"{counted(done.passages, 'passage')}, {done.embedded} of them embedded by this run"
        line(screen, said, indent=2)
        line(screen, "Whoever has the graph open must open it again: servers too.", style="yellow", indent=2)
        if done.calibrate:
            said = "Similarity is raw cosine until it is fitted to this model with: weft calibrate"
            line(screen, typed(said), style="yellow", indent=2)
    elif (done.before, done.before_dimension) == (done.model, done.dimension):
        line(screen, f"Nothing to do: the graph is of {after}", style="bold")
    else:
        line(screen, f"Would move to {after}", style="bold")
        line(screen, f"from {before}", indent=2)
        left = f"{done.lacking} of {counted(done.passages, 'passage')} left to embed"
        line(screen, f"{left}, about {_time(done.estimate_s)}" if done.lacking else left, indent=2)


def _model(name: str, dimension: int) -> str:
    return f"{name} ({dimension} dimensions)"


def _time(seconds: float | None) -> str:
    if seconds is None or seconds < 1:
        return "a second"
    if seconds < 2 * _MINUTE_S:
        return f"{seconds:.0f} seconds"
    if seconds < 2 * _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} minutes"
    return f"{seconds / _HOUR_S:.0f} hours"


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""
    app.command()(reembed)
