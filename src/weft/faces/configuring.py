"""The graph's own configuration on the command line, and how likeness is calibrated in it."""

from __future__ import annotations

from typing import Annotated

import typer

from weft.faces.lines import counted, line
from weft.faces.terminal import console, operated, written

__all__ = ["register"]

config = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="What the graph itself is set to. It travels with it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@config.command()
def get(context: typer.Context, key: Annotated[str, typer.Argument(help="See weft config list.")]) -> None:
    """Show the value of one key."""
    answer = operated(context, "config_get", lambda graph, _: graph.keeping.config.get(key))
    if not written(context, answer):
        line(console(), answer["value"])


@config.command("set")
def set_(
    context: typer.Context,
    key: Annotated[str, typer.Argument(help="See weft config list.")],
    value: Annotated[str, typer.Argument(help="An empty one takes the key back to its default.")],
) -> None:
    """Set one key (curator). What has the graph open goes by it when it opens it again."""
    answer = operated(context, "config_set", lambda graph, by: graph.keeping.config.set(key, value, by))
    if not written(context, answer):
        line(console(), f"{answer['key']} is {answer['value'] or 'empty'} now.", style="bold")


@config.command("list")
def list_(context: typer.Context) -> None:
    """Show every key, its value and its meaning."""
    answer = operated(context, "config_list", lambda graph, _: graph.keeping.config.list())
    if not written(context, answer):
        for row in answer["keys"]:
            held = f"{row['value'] or 'empty'}{'' if row['set'] else ' (not set)'}"
            line(console(), f"{row['key']}: {held}", style="bold")
            line(console(), row["meaning"], style="dim", indent=2)


def calibrate(context: typer.Context) -> None:
    """Fit similarity to an endpoint's model (curator). The graph's own nodes show how it spreads."""
    answer = operated(context, "calibrate", lambda graph, by: graph.keeping.config.calibrate(by))
    if not written(context, answer):
        line(console(), f"Calibrated {answer['model']} on {counted(answer['nodes'], 'node')}.", style="bold")
        points = ", ".join(f"{level:.2f} at {cosine:.3f}" for cosine, level in answer["points"])
        line(console(), f"similarity at cosine: {points}", indent=2)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.add_typer(config, name="config")
    app.command()(calibrate)
