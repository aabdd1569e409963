"""The graph's own kinds and relation types on the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weft.faces.lines import counted, line
from weft.faces.options import signature_of
from weft.faces.terminal import console, operated, written
from weft.vocabulary import KIND_FAMILIES, RELATION_FAMILIES, Kind, RelationType, folded

if TYPE_CHECKING:
    from collections.abc import Callable

    from weft.graph import Graph
    from weft.model import Call

__all__ = ["register"]

_SIGNS = {1: "speaks for", -1: "speaks against"}

vocabulary = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Kinds and relation types, and the graph's own. Those travel with it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


@vocabulary.command("list")
def list_(
    context: typer.Context,
    *,
    own: Annotated[bool, typer.Option("--own", help="Only what the graph registered itself.")] = False,
) -> None:
    """Show the kinds and relation types. The graph's own come first, with how much is of each."""

    def work(graph: Graph, _: Call) -> object:
        return graph.keeping.vocabulary.list() if own else graph.keeping.vocabulary.all()

    answer = operated(context, "vocabulary", work)
    if written(context, answer):
        return
    if not any(answer.values()):
        line(console(), "The graph has registered nothing of its own.")
    for title, rows, noun in (("Kinds", answer["kinds"], "node"), ("Relation types", answer["types"], "relation")):
        line(console(), f"{title}:" if rows else "", style="bold")
        for row in rows:
            _show(row, noun)


@vocabulary.command("add-kind")
def add_kind(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="2 to 40 letters, digits and _.")],
    *,
    meaning: Annotated[str, typer.Option(help="What such a node is, in a line.")],
    plural: Annotated[str, typer.Option(help="The folder of its notes; default: the name with an s.")] = "",
    family: Annotated[str, typer.Option(help=f"{', '.join(KIND_FAMILIES)}.")] = "record",
    keyword: Annotated[list[str] | None, typer.Option(help="Speaks for it in a text; may be given again.")] = None,
    exemplar: Annotated[list[str] | None, typer.Option(help="A typical sentence; may be given again.")] = None,
    weight: Annotated[float, typer.Option(help="What it adds to relevance, 0 to 0.3.")] = 0.15,
) -> None:
    """Register a kind (curator). One of the graph's own is defined anew."""
    row = Kind(
        name=name,
        plural=plural or f"{folded(name)}s",
        family=family,
        meaning=meaning,
        keywords=tuple(keyword or ()),
        exemplars=tuple(exemplar or ()),
        weight=weight,
    )
    _registered(context, lambda graph, by: graph.keeping.vocabulary.add_kind(row, by))


@dataclass(frozen=True, slots=True, kw_only=True)
class _TypeAsked:
    """What the words of ``add-type`` said; each field is one of its options."""

    name: Annotated[str, typer.Argument(help="2 to 40 letters, digits and _.")]
    meaning: Annotated[str, typer.Option(help="What the source is to the target, in a line.")]
    inverse: Annotated[str, typer.Option(help="Its label seen from the target; default: the name with _of.")] = ""
    symmetric: Annotated[bool, typer.Option("--symmetric", help="It has no direction and no inverse.")] = False
    family: Annotated[str, typer.Option(help=f"{', '.join(RELATION_FAMILIES)}.")] = "likeness"
    polarity: Annotated[int, typer.Option(help="1: speaks for the target, -1: against it.")] = 0
    transitive: Annotated[bool, typer.Option("--transitive", help="A to B and B to C imply A to C.")] = False
    alias: Annotated[list[str] | None, typer.Option(help="A true synonym; may be given again.")] = None
    source_kind: Annotated[list[str] | None, typer.Option(help="Fits such sources best; may be given again.")] = None
    target_kind: Annotated[list[str] | None, typer.Option(help="Fits such targets best; may be given again.")] = None

    @property
    def row(self) -> RelationType:
        """The relation type."""
        name = folded(self.name)
        return RelationType(
            name=name,
            inverse=self.inverse or (name if self.symmetric else f"{name}_of"),
            family=self.family,
            meaning=self.meaning,
            symmetric=self.symmetric,
            polarity=self.polarity,
            transitive=self.transitive,
            aliases=tuple(self.alias or ()),
            source_kinds=tuple(self.source_kind or ()),
            target_kinds=tuple(self.target_kind or ()),
        )


def _add_type(context: typer.Context, **said: Any) -> None:  # noqa: ANN401 - the fields of _TypeAsked
    """Register a relation type (curator). One of the graph's own is defined anew."""
    row = _TypeAsked(**said).row
    _registered(context, lambda graph, by: graph.keeping.vocabulary.add_type(row, by))


vars(_add_type)["__signature__"] = signature_of(_TypeAsked)
vocabulary.command("add-type")(_add_type)


def _registered(context: typer.Context, work: Callable[[Graph, Call], object]) -> None:
    answer = operated(context, "vocabulary_add", work)
    if not written(context, answer):
        what = "a relation type" if "inverse" in answer else "a kind"
        line(console(), f"{answer['name']} is {what} of this graph now.", style="bold")


@vocabulary.command()
def remove(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="See weft vocabulary list --own.")],
) -> None:
    """Take away an unused one (curator). Only the graph's own can go, and only where nothing is of them."""
    answer = operated(context, "vocabulary_remove", lambda graph, by: graph.keeping.vocabulary.remove(name, by))
    if not written(context, answer):
        line(console(), f"{answer['name']} is not known here any more.", style="bold")
        if proposals := answer.get("proposals", 0):
            left = "that propose it are left; they can only be dismissed (weft review)."
            line(console(), f"{counted(proposals, 'suggestion')} {left}", style="yellow", indent=2)


def _show(row: dict[str, Any], noun: str) -> None:
    said = [row["family"], _SIGNS.get(row.get("polarity", 0), ""), counted(row["uses"], noun) if row["uses"] else ""]
    mark = "  the graph's own" if row["own"] else ""
    line(console(), f"{row['name']}{mark}", style="bold" if row["own"] else "", indent=2)
    line(console(), f"{row['meaning']} ({', '.join(filter(None, said))})", style="dim", indent=4)
    if row.get("symmetric"):
        line(console(), "symmetric", style="dim", indent=4)
    elif "inverse" in row:
        line(console(), f"read backwards: {row['inverse']}", style="dim", indent=4)


def register(app: typer.Typer) -> None:
    """Put the commands on ``app``."""
    app.add_typer(vocabulary, name="vocabulary")
