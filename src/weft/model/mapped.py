"""The graph drawn as a whole: what is asked of its map, and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model.knowledge import Node, Relation

__all__ = ["GraphMap", "MapRequest", "MappedNode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapRequest:
    """Which part of the graph is drawn: of an ontology, of a kind (each empty: of any), ``limit`` nodes at most."""

    ontology: str = ""
    kind: str = ""
    limit: int = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class MappedNode:
    """A node on the map, and how many relations it has in the whole graph."""

    node: Node
    relation_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphMap:
    """The best related nodes, and the relations among them, the surest first.

    ``ontologies`` and ``kinds`` are how many nodes the whole graph has of each.

    ``nodes_total`` and ``relations_total`` are how many nodes match, and how many relations stand among those that are
    shown. ``looked_at`` is how many of the matching nodes were compared, the newest ones; the others may be related
    better.
    """

    nodes: tuple[MappedNode, ...]
    relations: tuple[Relation, ...]
    nodes_total: int
    relations_total: int
    looked_at: int
    ontologies: dict[str, int]
    kinds: dict[str, int]
