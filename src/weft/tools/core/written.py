"""The answers of the ``core`` tools that write: each value of a service as the fields its tool promises."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Status
from weft.tools import rendering

if TYPE_CHECKING:
    from weft.model import Captured, Forgotten, Related, RelatedNode, Relation, Updated
    from weft.tools.core import arguments as given
    from weft.tools.rendering import Body

__all__ = ["captured", "forgotten", "related", "updated"]

_NO_SUCCESSOR: Final = "Nothing says what holds in its place; superseded_by names the node that does."


def captured(result: Captured, _: given.CaptureArguments) -> Body:
    """Return what became of a capture."""
    found = result.classification
    told = {row.id for row in result.near_duplicates} | {row.node.id for row in (*result.conflicts, *result.differing)}
    return {
        "id": result.node.id,
        "title": result.node.title,
        "kind": result.node.kind,
        "ontology": result.node.ontology,
        "existing": result.existing,
        "untaken": result.untaken or None,
        "status": rendering.lapsed(result.node),
        "classification": {
            "kind": found.kind,
            "confidence": found.confidence,
            "confident": found.confident,
            "method": found.method,
            "alternatives": [{"kind": kind, "confidence": confidence} for kind, confidence in found.alternatives],
        },
        "relations": [_made(row, result) for row in result.relations],
        "suggestions": [rendering.suggestion(row) for row in result.suggestions],
        "near_duplicates": [rendering.linked(row) for row in result.near_duplicates],
        "conflicts": [rendering.side(row) for row in result.conflicts],
        "differing": [rendering.differing(row) for row in result.differing] or None,
        "related": [_related(row) for row in result.related if row.id not in told] or None,
        "link_error": result.link_error or None,
        "batch": result.batch or None,
    }


def _made(row: Relation, result: Captured) -> Body:
    """Return a relation of a new node, with the title of the node at its other end: an id alone says nothing."""
    return {**rendering.relation(row), "other_title": result.titles.get(row.other_end(result.node.id))}


def _related(row: RelatedNode) -> Body:
    """Return a node that the new one likely belongs with."""
    guesses = [
        {"type": each.type, "source": each.source, "target": each.target, "confidence": each.confidence}
        for each in row.guesses
    ]
    return {
        "id": row.id,
        "title": row.title,
        "confidence": row.confidence,
        "why": row.why,
        "guesses": guesses or None,
    }


def updated(result: Updated, _: given.UpdateArguments) -> Body:
    """Return each changed field before and after, and what is odd about a status: superseded by nothing, or still."""
    ended = result.changed.get("status", ("", ""))[1] == Status.SUPERSEDED.value
    return {
        "id": result.id,
        "changed": {name: list(pair) for name, pair in result.changed.items()},
        "version": result.version,
        "warning": _NO_SUCCESSOR if ended and "superseded_by" not in result.changed else _still_replaced(result),
        "near_duplicates": [rendering.linked(row) for row in result.near_duplicates] or None,
        "conflicts": [rendering.side(row) for row in result.conflicts] or None,
        "differing": [rendering.differing(row) for row in result.differing] or None,
        "batch": result.batch or None,
    }


def _still_replaced(result: Updated) -> str | None:
    if result.replaced_by is None:
        return None
    return f"«{result.replaced_by.title}» ({result.replaced_by.id}) still supersedes it; unrelate takes that back."


def forgotten(result: Forgotten, _: given.ForgetArguments) -> Body:
    """Return what went, or what would go."""
    return {
        "id": result.id,
        "title": result.title,
        "kind": result.kind,
        "nodes_removed": result.nodes_removed or None,
        "titles": result.titles or None,
        "relations_removed": result.relations_removed,
        "done": result.done,
        "batch": result.batch or None,
    }


def related(result: Related, _: given.RelateArguments) -> Body:
    """Return the relation, and whether it was made or strengthened."""
    return {
        "relation": rendering.relation(result.relation),
        "created": result.created,
        "strengthened": not result.created,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }
