"""Looking after a graph: what lies in each ontology, what is left over, and who does background work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weft.model import Leftovers, OntologyCount
from weft.store.engine import AFTER_ALL
from weft.store.rows import evidence_of, node_of, relation_of, suggestion_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from weft.store.engine import Database

__all__ = ["SqlUpkeep"]


class SqlUpkeep:
    """The :class:`weft.ports.Upkeep` of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def ontologies(self) -> tuple[OntologyCount, ...]:
        """Return how much each ontology holds, the largest first; the counts are kept, nothing is counted."""
        return tuple(
            OntologyCount(name=name, nodes=nodes, sources=sources, relations=relations, learned=learned)
            for name, nodes, sources, relations, learned in self._database.read("ontologies_counted")
        )

    def leftovers(self, what: str, *, limit: int) -> Leftovers:
        """Return up to ``limit`` of each kind of leftover; nothing that a document said is among them.

        ``orphans`` are nodes that no relation touches and no evidence supports, oldest first. ``dangling`` is what
        points at nothing: relations to nodes that left, evidence for relations that are gone, open suggestions about
        forgotten nodes. ``retired`` is the evidence that was given for nodes forgotten since.
        """
        with self._database.snapshot() as reader:
            if what == "orphans":
                return Leftovers(nodes=tuple(node_of(row) for row in reader.read("nodes_unjoined", limit=limit)))
            if what == "retired":
                rows = reader.read("evidence_of_forgotten", limit=limit)
                return Leftovers(evidence=tuple(evidence_of(row) for row in rows))
            return Leftovers(
                relations=tuple(relation_of(row) for row in reader.read("relations_dangling", limit=limit)),
                evidence=tuple(evidence_of(row) for row in reader.read("evidence_loose", limit=limit)),
                suggestions=tuple(suggestion_of(row) for row in reader.read("suggestions_moot", limit=limit)),
            )

    def documents(self, folder: str) -> tuple[tuple[str, str, str], ...]:
        """Return the name, the ontology and the path of each document whose newest text came from below ``folder``.

        Found through an index; in PostgreSQL by looking at the path of every text.
        """
        rows = self._database.read("documents_below", folder=f"{folder.rstrip('/')}/", last=AFTER_ALL)
        return tuple((document, ontology, path) for document, ontology, path in rows)

    def claimed(self, work: str) -> AbstractContextManager[bool]:
        """Hold the right to do ``work`` in the background for the block; False: somebody else has it, of any process.

        Raises:
            Unavailable: the engine cannot be asked.
        """
        return self._database.claimed(work)
