"""The answers of the ``memory`` tools: relations are edges here, with from, to and strength."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.tools import rendering
from weft.tools.memory.arguments import written
from weft.tools.rendering import Body, clip
from weft.vocabulary import STANDARD

if TYPE_CHECKING:
    from weft.model import (
        Captured,
        Fetched,
        Forgotten,
        Node,
        Recalled,
        Recollection,
        Related,
        Relation,
        RelationList,
        Step,
        Surrounded,
        Trail,
        Updated,
    )
    from weft.tools.memory import arguments as given

__all__ = ["edge", "edges", "forgotten", "got", "recalled", "related", "stored", "surrounded", "updated"]

_CUT: Final = "memories: a bound was met; of each memory the 50 strongest edges are followed, 300 memories in all"


def edge(row: Relation, *, seen_from: str = "") -> Body:
    """Return a relation as an edge; ``seen_from`` is the id of one of its ends, for the direction.

    A type without direction runs from the newer memory to the older, as linking makes it.
    """
    start, end = _ends(row)
    return {
        "edge_id": row.id,
        "type": written(row.type),
        "from": start,
        "to": end,
        "direction": _direction(row, seen_from) if seen_from else None,
        "strength": row.confidence,
        "description": row.reasoning,
    }


def _ends(row: Relation) -> tuple[str, str]:
    """Return where an edge starts and ends; the ends of a symmetric one are stored older first."""
    return (row.target, row.source) if STANDARD.type(row.type).symmetric else (row.source, row.target)


def _direction(row: Relation, seen_from: str) -> str:
    return "outgoing" if _ends(row)[0] == seen_from else "incoming"


def stored(result: Captured, _: given.StoreArguments) -> Body:
    """Return what became of a memory; auto_edge_error only where joining it failed.

    What contradicts it, and what may, stands in ``differing``.
    """
    return {
        "id": result.node.id,
        "title": result.node.title,
        "type": result.node.kind,
        "auto_edges": [edge(row, seen_from=result.node.id) for row in result.relations],
        "auto_edge_error": result.link_error or None,
        "existing": result.existing,
        "status": rendering.lapsed(result.node),
        "near_duplicates": [rendering.linked(row) for row in result.near_duplicates] or None,
        "differing": [rendering.differing(row) for row in (*result.conflicts, *result.differing)] or None,
        "batch": result.batch or None,
    }


def recalled(result: Recalled, _: given.RecallArguments) -> Body:
    """Return the recollections, best first."""
    return {
        "memories": [_recollection(row) for row in result.recollections],
        "total": result.total,
        "warning": result.warning or None,
    }


def _recollection(row: Recollection) -> Body:
    return {
        **_brief(row.node),
        **_state(row.node),
        "similarity": row.similarity,
        "importance": row.node.importance,
        "decayed_importance": row.importance,
        "score": row.score,
        "preview": row.snippet,
        "superseded_by": rendering.successor(row.superseded_by),
    }


def _brief(node: Node) -> Body:
    return {"id": node.id, "title": node.title, "type": node.kind}


def _state(node: Node) -> Body:
    """Return how current a memory is, in the words of :func:`got`."""
    told = rendering.state(node)
    return {"status": told.get("status"), "created": told["created_at"], "updated": told.get("modified_at")}


def got(result: Fetched, _: given.GetArguments) -> Body:
    """Return a memory whole, in the fields of cognitive-memory's records."""
    node = result.node
    return {
        "id": node.id,
        "type": node.kind,
        "title": node.title,
        "content": node.content,
        "tags": node.tags,
        "importance": node.importance,
        "confidence": node.confidence,
        "status": node.status.value,
        "created": node.created_at,
        "updated": node.modified_at,
        "version": node.version,
        "relations": [_mirrored(node, row, other) for row, other in result.relations],
    }


def _mirrored(node: Node, row: Relation, other: Node) -> Body:
    return {
        "target": other.id,
        "title": other.title,
        "type": written(row.type),
        "direction": _direction(row, node.id),
        "strength": row.confidence,
        "edge_id": row.id,
        "description": row.reasoning or None,
    }


def updated(result: Updated, _: given.UpdateArguments) -> Body:
    """Return each changed field before and after."""
    changed = {"type" if name == "kind" else name: list(pair) for name, pair in result.changed.items()}
    return {"id": result.id, "changed": changed, "version": result.version, "batch": result.batch or None}


def forgotten(result: Forgotten, _: given.DeleteArguments) -> Body:
    """Return what went, or what would go."""
    return {
        "id": result.id,
        "title": result.title,
        "type": result.kind,
        "nodes_removed": result.nodes_removed or None,
        "relations_removed": result.relations_removed,
        "deleted": result.done,
        "batch": result.batch or None,
    }


def related(result: Related, _: given.RelateArguments) -> Body:
    """Return the edge, and whether it was made or strengthened."""
    return {
        "edge": edge(result.relation),
        "created": result.created,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def surrounded(result: Surrounded, _: given.RelatedArguments) -> Body:
    """Return the memories around one, each with the path to it."""
    return {
        "id": result.centre.id,
        "title": result.centre.title,
        "memories": [_reached(row) for row in result.trails],
        "total": result.total,
        "left_out": _CUT if result.bounded else None,
    }


def _reached(row: Trail) -> Body:
    last = row.steps[-1].node
    return {
        **_brief(last),
        "status": rendering.lapsed(last),
        "distance": row.length,
        "path": [_pace(step, after) for step, after in zip(row.steps, row.steps[1:], strict=False)],
        "preview": clip(last.content, 200),
    }


def _pace(step: Step, after: Step) -> Body:
    relation = step.relation
    made = relation and {
        "edge_id": relation.id,
        "type": written(relation.type),
        "direction": _direction(relation, step.node.id),
        "strength": relation.confidence,
    }
    return {**(made or {}), "id": after.node.id, "title": after.node.title}


def edges(result: RelationList, _: given.EdgesArguments) -> Body:
    """Return a page of edges with the titles at their ends."""
    seen_from = result.centre.id if result.centre else ""
    return {"edges": [_listed(row, result, seen_from) for row in result.relations], "total": result.total}


def _listed(row: Relation, result: RelationList, seen_from: str) -> Body:
    titles = [result.ends[each].title if each in result.ends else None for each in _ends(row)]
    return {
        **edge(row, seen_from=seen_from),
        "from_title": titles[0],
        "to_title": titles[1],
        "origin": row.origin.value,
        "created": row.created_at,
    }
