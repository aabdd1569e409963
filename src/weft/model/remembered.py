"""What a recall, a walk around one node and a list of relations answer with, and what a recall is asked by.

Similarities are calibrated (0..1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.model.answer import Trail
    from weft.model.knowledge import Node, Relation, Titled

__all__ = ["FoundRelations", "RecallRequest", "Recalled", "Recollection", "RelationList", "Surrounded"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """What to remember. ``semantic`` False looks for the words alone; ``kind`` empty: any; ``tags`` must all be there.

    ``limit`` is how many nodes to return, 1..100.
    """

    query: str
    semantic: bool = True
    kind: str = ""
    tags: tuple[str, ...] = ()
    limit: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """A node that was recalled.

    ``similarity`` is None where it was not compared; ``importance`` is what decay has left of the node's (0..1);
    ``score`` (0..1) ranks; ``superseded_by`` is what replaced it.
    """

    node: Node
    similarity: float | None
    importance: float
    score: float
    snippet: str
    superseded_by: Titled | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The recollections, best first, how many nodes were ranked for them, and a tag asked for that no node has."""

    recollections: tuple[Recollection, ...]
    total: int
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surrounded:
    """A page of the nodes around ``centre``, nearest first: each trail leads from the centre to one of them.

    ``total`` counts all that were reached; ``bounded`` is true where a bound kept the walk from reaching more.
    """

    centre: Node
    trails: tuple[Trail, ...]
    total: int
    bounded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundRelations:
    """A page of relations, and how many there are in all."""

    relations: tuple[Relation, ...]
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationList:
    """A page of relations with the nodes at their ends, by id; ``centre`` is the node that was asked about, if any."""

    centre: Node | None
    relations: tuple[Relation, ...]
    ends: dict[str, Node]
    total: int
