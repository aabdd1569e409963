"""Searching on the command line: what to look for, and which nodes may answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import typer

from weft.faces.options import signature_of
from weft.faces.terminal import asked, run

__all__ = ["register"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is looked for; each field is a word or an option of ``weft search``."""

    query: Annotated[
        str, typer.Argument(help="What to look for, in words; '\"in quotes\"' word for word; '': the newest.")
    ]
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; may be given again.")] = None
    ontology: Annotated[list[str] | None, typer.Option(help="Only this ontology; may be given again.")] = None
    tag: Annotated[list[str] | None, typer.Option(help="With this tag; all of several.")] = None
    status: Annotated[str, typer.Option(help="active, needs_review or superseded.")] = ""
    related_to: Annotated[str, typer.Option(help="Only what is near this node: an id, handle, title or alias.")] = ""
    since: Annotated[
        str, typer.Option(help="Only what was written or changed since: a time (ISO 8601), or an age such as 2d.")
    ] = ""
    as_of: Annotated[str, typer.Option(help="The graph as it stood then (ISO 8601); a day: at its end.")] = ""
    mode: Annotated[str, typer.Option(help="hybrid, semantic or keyword.")] = "hybrid"
    limit: Annotated[int, typer.Option(help="How many.")] = 10


def _search(context: typer.Context, wanted: _Wanted) -> None:
    run(
        context,
        "search",
        query=wanted.query or " ",  # an argument without a character counts as not given
        kinds=wanted.kind,
        ontologies=wanted.ontology,
        tags=wanted.tag,
        status=wanted.status,
        related_to=wanted.related_to,
        since=wanted.since,
        as_of=wanted.as_of,
        mode=wanted.mode,
        limit=wanted.limit,
        scope=asked(context).scope,
    )


def register(app: typer.Typer) -> None:
    """Put the command on ``app``."""

    def search(context: typer.Context, **said: Any) -> None:  # noqa: ANN401 - the fields of _Wanted
        """Find what bears on a question, and say why."""
        _search(context, _Wanted(**said))

    vars(search)["__signature__"] = signature_of(_Wanted)
    app.command()(search)
