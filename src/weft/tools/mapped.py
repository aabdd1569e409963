"""The map of the graph as an answer: its nodes, and its relations by the places of their ends among these."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from weft.model import Status
from weft.tools.rendering import brief, clip

if TYPE_CHECKING:
    from collections.abc import Mapping

    from weft.model import GraphMap, MappedNode, Relation

__all__ = ["mapped"]

TITLE_MAX: Final = 120


def mapped(result: GraphMap) -> dict[str, Any]:
    """Return a map. ``source`` and ``target`` of a relation are places in ``nodes``, counted from 0."""
    places = {each.node.id: place for place, each in enumerate(result.nodes)}
    return {
        "nodes": [_node(each) for each in result.nodes],
        "relations": [_relation(each, places) for each in result.relations],
        "nodes_total": result.nodes_total,
        "relations_total": result.relations_total,
        "looked_at": result.looked_at,
        "ontologies": result.ontologies,
        "kinds": result.kinds,
    }


def _node(each: MappedNode) -> dict[str, Any]:
    node = each.node
    return {
        **brief(node),
        "title": clip(node.title, TITLE_MAX),
        "status": None if node.status is Status.ACTIVE else node.status,
        "relation_count": each.relation_count,
    }


def _relation(row: Relation, places: Mapping[str, int]) -> dict[str, Any]:
    return {
        "source": places[row.source],
        "target": places[row.target],
        "type": row.type,
        "origin": row.origin,
        "confidence": row.confidence,
    }
