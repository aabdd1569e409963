"""The ground of an analysis: the nodes a subject means, and the relations around them, read within bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.model import Filter, Match
from weft.reason.arguing import Web
from weft.services.nearness import match
from weft.vocabulary import REASONABLE

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Node, Relation
    from weft.ports import Embedder, Store, Vectors

__all__ = ["NODES_MAX", "Ground", "Similarities", "Surveyor"]

NODES_MAX: Final = 300
"""Nodes that one analysis looks at."""

NAMED_MAX: Final = 120  # characters of a title in a sentence

PASSAGES_MAX: Final = 8  # of one node that are compared with others

FAN_MAX: Final = 50
"""Relations that are followed from one node, the strongest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What was read: ``nodes`` by id, in the order they were reached, and the ``web`` of relations among them.

    ``bounded`` is true where a bound left something out.
    """

    nodes: Mapping[str, Node]
    web: Web
    bounded: bool

    def named(self, node: str) -> str:
        """Return the title of a node in quotation marks, a long one clipped."""
        title = self.nodes[node].title
        return f"«{title}»" if len(title) <= NAMED_MAX else f"«{title[:NAMED_MAX].rstrip()}…»"


class Surveyor:
    """Reads what lies around the nodes that a subject means."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder

    def widened(self, matches: tuple[Match, ...], *, most: int) -> tuple[Match, ...]:
        """Return ``matches``, and where they are a single node the nodes that are like it (0.70 or more)."""
        if len(matches) != 1:
            return matches
        rows = self._vectors.of([matches[0].id]).get(matches[0].id)
        if rows is None or not len(rows):
            return matches
        found = self._vectors.nearest(rows[0], filter=Filter(), limit=most)
        similarity = self._embedder.calibration.similarity
        like = {each.node: similarity(each.cosine) for each in found if each.node != matches[0].id}
        nodes = self._store.nodes([key for key, value in like.items() if value >= REASONABLE])
        return (*matches, *(match(node, like[key]) for key, node in nodes.items() if node.retired is None))

    def around(self, centres: Sequence[str], *, hops: int, types: Sequence[str] = ()) -> Ground:
        """Return what lies within ``hops`` relations of ``centres``; one question to the store a level."""
        seen = dict.fromkeys(centres)
        relations: dict[str, Relation] = {}
        level, bounded = list(seen), False
        for _ in range(hops):
            if not level:
                break
            met = self._store.relations(level, types=types, per_node=FAN_MAX)
            relations |= {row.id: row for row in met}
            ends = dict.fromkeys(end for row in met for end in (row.source, row.target) if end not in seen)
            level = list(ends)[: NODES_MAX - len(seen)]
            bounded = bounded or len(level) < len(ends) or _is_cut(met)
            seen |= dict.fromkeys(level)
        nodes = {key: node for key, node in self._store.nodes(list(seen)).items() if node.retired is None}
        kept = [row for row in relations.values() if row.source in nodes and row.target in nodes]
        return Ground(
            nodes={key: nodes[key] for key in seen if key in nodes},
            web=Web.of(kept, self._store.vocabulary),
            bounded=bounded,
        )

    def grounded(self, nodes: Mapping[str, Node]) -> frozenset[str]:
        """Return those of ``nodes`` that rest on something outside the web: a citation, or a quote of a document."""
        quoted = {each.subject for each in self._store.evidence(list(nodes))}
        return frozenset(quoted | {key for key, node in nodes.items() if node.citation})

    def likeness(self, nodes: Collection[str]) -> Similarities:
        """Return how alike these nodes are, pair by pair: by their two nearest of the first 8 passages of each."""
        vectors = {key: rows[:PASSAGES_MAX] for key, rows in self._vectors.of(list(nodes)).items() if len(rows)}
        places = {key: place for place, key in enumerate(vectors)}
        if not vectors:
            return Similarities(places=places, cosines=np.zeros((0, 0), dtype=np.float32), embedder=self._embedder)
        rows = np.concatenate(list(vectors.values()))
        starts = np.cumsum([0, *(len(each) for each in vectors.values())])[:-1]
        cosines = np.maximum.reduceat(np.maximum.reduceat(rows @ rows.T, starts, axis=0), starts, axis=1)
        return Similarities(places=places, cosines=cosines, embedder=self._embedder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Similarities:
    """The cosines of all pairs of some nodes, shape (nodes, nodes), and where each node stands in them."""

    places: Mapping[str, int]
    cosines: npt.NDArray[np.float32]
    embedder: Embedder

    def of(self, one: str, other: str) -> float:
        """Return the calibrated similarity (0..1) of two nodes; 0.0 where one has no vector."""
        if one not in self.places or other not in self.places:
            return 0.0
        cosine = float(self.cosines[self.places[one], self.places[other]])
        return round(self.embedder.calibration.similarity(cosine), 4)


def _is_cut(met: Collection[Relation]) -> bool:
    """Return whether a node among ``met`` may have more relations than were read."""
    counts: dict[str, int] = {}
    for row in met:
        for end in (row.source, row.target):
            counts[end] = counts.get(end, 0) + 1
    return max(counts.values(), default=0) >= FAN_MAX
