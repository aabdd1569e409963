"""The answers of the ``project`` tools, with the field names of Autology."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.services.search.searching import HOLDING_MAX
from weft.tools import rendering
from weft.tools.rendering import Body, clip

if TYPE_CHECKING:
    from weft.model import (
        Captured,
        ContextNode,
        Contexts,
        Counts,
        Forgotten,
        Hit,
        Hits,
        Node,
        Outdated,
        Related,
        Relation,
        Updated,
    )
    from weft.tools.project import arguments as given

__all__ = ["captured", "contexts", "counted", "deleted", "queried", "related", "updated"]


def _node(node: Node) -> Body:
    """Return what is shown of a node in every list."""
    return {
        "id": node.id,
        "type": node.kind,
        "title": node.title,
        "status": node.status.value,
        "confidence": node.confidence,
        "tags": node.tags,
        "references": node.references,
        "modified": node.modified_at,
    }


def _relation(row: Relation) -> Body:
    return {
        "id": row.id,
        "source": row.source,
        "target": row.target,
        "type": row.type,
        "description": row.reasoning,
        "confidence": row.confidence,
        "rule": row.rule or None,
    }


def captured(result: Captured, _: given.CaptureArguments) -> Body:
    """Return what became of a capture; ``stale`` are other nodes that a changed file has outrun."""
    found = result.classification
    return {
        "id": result.node.id,
        "type": result.node.kind,
        "confidence": found.confidence,
        "confident": found.confident,
        "method": found.method,
        "alternatives": [{"type": kind, "confidence": confidence} for kind, confidence in found.alternatives],
        "relations": [_relation(row) for row in result.relations],
        "suggestions": [rendering.suggestion(row) for row in result.suggestions],
        "differing": [rendering.differing(row) for row in result.differing] or None,
        "stale": [_stale(row) for row in result.outdated] or None,
        "existing": result.existing,
        "status": rendering.lapsed(result.node),
        "link_error": result.link_error or None,
        "batch": result.batch or None,
    }


def _stale(row: Outdated) -> Body:
    return {
        "id": row.id,
        "title": row.title,
        "changed": row.changed or None,
        "gone": row.gone or None,
        "item": row.item,
    }


def queried(result: Hits, asked: given.QueryArguments) -> Body:
    """Return a page of nodes, best first; it is said where more hold every word than are scored."""
    bounded = asked.mode == "keyword" and bool(asked.query) and result.total >= HOLDING_MAX
    return {
        "nodes": [_hit(row) for row in result.hits],
        "total": result.total,
        "near_misses": rendering.near_misses(result.near_misses),
        "warning": result.warning or None,
        "left_out": f"total: of all that hold every word the newest {HOLDING_MAX} are scored" if bounded else None,
    }


def _hit(row: Hit) -> Body:
    return {
        **_node(row.node),
        "score": row.score,
        "similarity": row.similarity,
        "preview": row.snippet,
        "why": row.why,
        "superseded_by": rendering.successor(row.superseded_by),
    }


def counted(result: Counts, asked: given.StatusArguments) -> Body:
    """Return how much there is of what."""
    body: Body = {
        "totalNodes": result.nodes,
        "nodesByType": result.nodes_by_kind,
        "totalRelations": result.relations,
        "relationsByType": result.relations_by_type,
    }
    if asked.detail == "full":
        body |= {"nodesByStatus": result.nodes_by_status, "nodesByConfidence": result.nodes_by_confidence}
    return body


def updated(result: Updated, _: given.UpdateArguments) -> Body:
    """Return each changed field before and after, and when that was."""
    return {
        "id": result.id,
        "changed": {name: list(pair) for name, pair in result.changed.items()},
        "modified": result.modified_at,
        "version": result.version,
        "batch": result.batch or None,
    }


def deleted(result: Forgotten, _: given.DeleteArguments) -> Body:
    """Return what went, or what would go."""
    return {
        "id": result.id,
        "title": result.title,
        "type": result.kind,
        "nodesRemoved": result.nodes_removed or None,
        "relationsRemoved": result.relations_removed,
        "deleted": result.done,
        "batch": result.batch or None,
    }


def related(result: Related, _: given.RelateArguments) -> Body:
    """Return the relation, and whether it is new."""
    return {
        "relation": _relation(result.relation),
        "created": result.created,
        "warning": result.warning or None,
        "batch": result.batch or None,
    }


def contexts(result: Contexts, _: given.ContextArguments) -> Body:
    """Return what bears on the work at hand."""
    return {"nodes": [_bearing(row) for row in result.nodes], "warning": result.warning or None}


def _bearing(row: ContextNode) -> Body:
    return {
        **_node(row.node),
        "relevance": row.relevance,
        "band": row.band,
        "rankBand": row.band_by_rank,
        "factors": dict(row.factors),
        "why": row.why,
        "preview": clip(row.node.content),
        "relationCount": row.relations,
        "relations": [_beside(row.node, relation, other) for relation, other in row.related],
        "superseded_by": rendering.successor(row.superseded_by),
    }


def _beside(node: Node, relation: Relation, other: Node) -> Body:
    return {
        "type": relation.type,
        "direction": "forward" if relation.source == node.id else "backward",
        "id": other.id,
        "title": other.title,
    }
