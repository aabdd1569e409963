"""Learned knowledge as people read it: tables that fold to the terminal's width, and sentences on what was done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from weft.faces.lines import command, counted, heading, line, short, way_back

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rich.console import Console

    from weft.faces.lines import Answer

__all__ = ["COMMANDS", "FORMS"]

_LEAPS: Final = {"LOW": "green", "MEDIUM": "yellow", "HIGH": "red"}

COMMANDS: Final[Mapping[str, str]] = {
    "create_learned_relationship": "learn connect",
    "create_synthesis_concept": "learn synthesize",
    "find_bridge_candidates": "learn bridges",
    "list_learned_knowledge": "learn list",
    "update_learned_knowledge": "learn update",
    "delete_learned_knowledge": "learn delete",
    "rate_learned_knowledge": "learn rate",
    "export_learned_knowledge": "learn export",
    "import_learned_knowledge": "learn import",
}
"""How the command line spells each tool."""


def _table(*columns: str, wide: str) -> Table:
    """Return a table whose column ``wide`` takes what the others leave, and folds; they are never broken."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    for name in columns:
        table.add_column(name, overflow="fold", no_wrap=name != wide, min_width=20 if name == wide else None)
    return table


def _leap(word: str) -> Text:
    return Text(word, style=_LEAPS.get(word, ""))


def _listed(screen: Console, answer: Answer) -> None:
    rows, total = answer["learned_knowledge"], answer["total"]
    if not rows:
        line(screen, "Nothing of the kind was learned.", style="yellow")
        return
    table = _table("learned id", "what and why", "leap", "like", "strength", wide="what and why")
    for row in rows:
        table.add_row(
            Text(row["learned_id"], style="cyan"),
            _what(row),
            _leap(row["cognitive_leap"]),
            f"{row['similarity_score']:.2f}" if "similarity_score" in row else "",
            _strength(row),
        )
    screen.print(table)
    shown = answer["offset"] + len(rows)
    if shown < total:
        line(screen, f"{len(rows)} of {total}; --offset {shown} goes on", style="dim")


def _what(row: Answer) -> Text:
    if row.get("label"):
        said = Text(row["label"], style="bold")
        said.append("\njoins " + ", ".join(each["to"] for each in row["connections"]), style="not bold")
    else:
        said = Text(
            "\n".join(f"{each['from']} {each['type']} {each['to']}" for each in row["connections"]), style="bold"
        )
    said.append(f"\n{row['evidence']}", style="not bold dim")
    said.append(f"\nby {row['created_by']}", style="not bold dim")
    for version in row.get("history", []):
        when = f"version {version['version']}, {version['at'][:10]} by {version['by']}"
        said.append(f"\n{when}: {version['evidence']} ({version['cognitive_leap']})", style="not bold italic dim")
    return said


def _strength(row: Answer) -> Text:
    votes = row.get("votes")
    said = Text(f"{row['strength']:.2f}")
    if votes:
        said.append(f"\n+{votes['up']} −{votes['down']}", style="dim")
    if row.get("contested"):
        said.append("\ncontested", style="yellow")
    if row.get("conflicts"):
        said.append(f"\n{counted(row['conflicts'], 'conflict')}", style="red")
    return said


def _bridges(screen: Console, answer: Answer) -> None:
    misses = answer["near_misses"]
    if answer["candidates"]:
        table = _table("like", "leap", "", "pair", wide="pair")
        for pair in answer["candidates"]:
            joined = Text("\njoined already" if pair["has_existing_edge"] else "", style="yellow")
            table.add_row(f"{pair['similarity']:.2f}", _leap(pair["cognitive_leap"]), "", _end(pair["concept1"]))
            table.add_row("", "", "⟷", _end(pair["concept2"]) + joined)
        screen.print(table)
    else:
        line(screen, "No pair reaches the bar.", style="yellow")
    if misses["count"]:
        best = f", the nearest at {misses['best']:.2f}" if "best" in misses else ""
        line(screen, f"{counted(misses['count'], 'pair')} below {misses['threshold']:.2f}{best}", style="dim")


def _end(end: Answer) -> Text:
    said = Text(end["label"], style="bold")
    said.append(f"  {short(end['id'])}", style="not bold cyan")
    said.append(f"  {end['ontology']}", style="not bold dim")
    return said


def _connected(screen: Console, answer: Answer) -> None:
    one, other, scores = answer["from_concept"], answer["to_concept"], answer["similarity_scores"]
    line(screen, f"{answer['learned_id']}: {answer['relationship_type']}", style="bold")
    for end, name in ((one, "evidence_to_from"), (other, "evidence_to_to")):
        heading(screen, end["label"], end["id"], f"similarity {scores[name]:.2f}", indent=2)
    _outcome(screen, answer)


def _conceived(screen: Console, answer: Answer) -> None:
    line(screen, answer["label"], style="bold")
    line(screen, f"{answer['concept_id']} · {answer['learned_id']} · {answer['ontology']}", style="cyan", indent=2)
    for end, similarity in zip(answer["bridges"], answer["similarity_scores"], strict=True):
        heading(screen, f"joins {end['label']}", end["id"], f"similarity {similarity:.2f}", indent=2)
    _outcome(screen, answer)


def _outcome(screen: Console, answer: Answer) -> None:
    word = answer["cognitive_leap"]
    line(screen, f"size of the leap: {word}", style=_LEAPS.get(word, ""), indent=2)
    line(screen, answer.get("warning", ""), style="yellow", indent=2)
    way_back(screen, answer.get("batch", ""))


def _updated(screen: Console, answer: Answer) -> None:
    if not answer["updated_fields"]:
        line(screen, "It said so already; nothing was written.")
        return
    fields = " and ".join(name.replace("_", " ") for name in answer["updated_fields"])
    line(screen, f"{answer['learned_id']}: changed {fields}, now version {answer['version']}", style="bold")
    _outcome(screen, answer)


def _deleted(screen: Console, answer: Answer) -> None:
    relations = counted(answer["deleted_relationships"], "relation")
    concepts = answer["cascade_deleted_concepts"]
    said = f", {counted(concepts, 'concept')}" if concepts else ""
    line(screen, f"{answer['learned_id']} is gone: {relations}{said}. What documents say stays.", style="bold")
    line(screen, answer.get("warning", "").replace("with cascade", "with --cascade"), style="yellow", indent=2)
    way_back(screen, answer.get("batch", ""))


def _rated(screen: Console, answer: Answer) -> None:
    votes = answer["votes"]
    said = f"{votes['up']} for it, {votes['down']} against; strength {answer['strength']:.2f}"
    line(screen, f"{answer['learned_id']}: {said}", style="bold")
    line(screen, "It is contested, and waits in review." if answer["contested"] else "", style="yellow", indent=2)
    # A first vote cannot be undone: the other vote takes its place.
    other = "down" if answer["vote"] == "up" else "up"
    command(screen, f"change it: weft learn rate {answer['learned_id']} {other}", indent=2)


def _imported(screen: Console, answer: Answer) -> None:
    would = "would be written" if answer["dry_run"] else "written"
    line(screen, f"{counted(answer['written'], 'item')} {would}, {len(answer['skipped'])} skipped.", style="bold")
    if answer["skipped"]:
        table = _table("skipped", "why", wide="why")
        for row in answer["skipped"]:
            table.add_row(Text(row["learned_id"], style="cyan"), Text(row["reason"]))
        screen.print(table)
    way_back(screen, answer.get("batch", ""))


def _exported(screen: Console, answer: Answer) -> None:
    screen.print(Text(answer["text"]), soft_wrap=True)


FORMS: Final[dict[str, Callable[[Console, Answer], None]]] = {
    "list_learned_knowledge": _listed,
    "find_bridge_candidates": _bridges,
    "create_learned_relationship": _connected,
    "create_synthesis_concept": _conceived,
    "update_learned_knowledge": _updated,
    "delete_learned_knowledge": _deleted,
    "rate_learned_knowledge": _rated,
    "import_learned_knowledge": _imported,
    "export_learned_knowledge": _exported,
}
