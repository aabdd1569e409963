"""The verbs of looking after concepts, in one room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.services.curation.conceiving import Conceiving
from weft.services.curation.evidencing import Evidencing
from weft.services.curation.finding import Finding
from weft.services.curation.flagging import Flagging
from weft.services.curation.parting import Parting
from weft.services.curation.pruning import Pruning
from weft.services.curation.subjects import on_subject
from weft.services.curation.uniting import Uniting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import (
        Call,
        ConceptHits,
        ConceptMade,
        ConceptRequest,
        EvidenceAdded,
        EvidenceRequest,
        Flagged,
        FlagRequest,
        Merged,
        MergeRequest,
        OntologyCount,
        Page,
        Parted,
        Pruned,
        RelatedConcepts,
        RelatedRequest,
    )
    from weft.ports import Embedder, Log, Shelf, Store, Upkeep, Vectors, Words
    from weft.services.recall.recall import Recall

__all__ = ["Curation", "CurationPorts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CurationPorts:
    """What the verbs stand on. ``home`` is the ontology of a concept that names none: the graph's name."""

    store: Store
    shelf: Shelf
    words: Words
    vectors: Vectors
    log: Log
    upkeep: Upkeep
    embedder: Embedder
    home: str


class Curation:
    """Makes, finds, flags, merges, parts and prunes concepts."""

    def __init__(self, ports: CurationPorts, *, recall: Recall) -> None:
        store, shelf, words = ports.store, ports.shelf, ports.words
        vectors, embedder = ports.vectors, ports.embedder
        self._upkeep = ports.upkeep
        self._embedder = embedder
        self._finding = Finding(store=store, recall=recall)
        self._evidencing = Evidencing(store=store)
        self._conceiving = Conceiving(
            store=store, shelf=shelf, words=words, vectors=vectors, embedder=embedder, home=ports.home
        )
        self._flagging = Flagging(store=store, shelf=shelf, vectors=vectors, embedder=embedder)
        self._uniting = Uniting(store=store, shelf=shelf, vectors=vectors, embedder=embedder)
        self._parting = Parting(store=store, log=ports.log, shelf=shelf, words=words, embedder=embedder)
        self._pruning = Pruning(store=store, upkeep=ports.upkeep)

    def search(self, query: str, call: Call, *, threshold: float | None, page: Page) -> ConceptHits:
        """Find concepts; see :meth:`weft.services.curation.finding.Finding.search`."""
        return self._finding.search(query, call, threshold=threshold, page=page)

    def related(self, request: RelatedRequest, call: Call) -> RelatedConcepts:  # noqa: ARG002 - verbs take a call
        """Walk around a concept; see :meth:`weft.services.curation.finding.Finding.related`."""
        return self._finding.related(request)

    def ontologies(self, call: Call) -> tuple[OntologyCount, ...]:  # noqa: ARG002 - verbs take a call
        """Return how much each ontology holds, the largest first."""
        return self._upkeep.ontologies()

    def conceive(self, request: ConceptRequest, call: Call) -> ConceptMade:
        """Make a concept; see :meth:`weft.services.curation.conceiving.Conceiving.conceive`."""
        return self._conceiving.conceive(request, call)

    def add_evidence(self, request: EvidenceRequest, call: Call) -> EvidenceAdded:
        """Let a concept rest on a quote; see :meth:`weft.services.curation.evidencing.Evidencing.add`."""
        return self._evidencing.add(request, call)

    def flag(self, request: FlagRequest, call: Call) -> Flagged:
        """Flag pairs that say the same; see :meth:`weft.services.curation.flagging.Flagging.flag`."""
        return self._flagging.flag(request, call)

    def flagged(self, keep: str, merge: str) -> bool:
        """Return whether a pair is flagged; see :meth:`weft.services.curation.uniting.Uniting.flagged`."""
        return self._uniting.flagged(keep, merge)

    def merge(self, request: MergeRequest, call: Call) -> Merged:
        """Merge a pair; see :meth:`weft.services.curation.uniting.Uniting.merge`."""
        return self._uniting.merge(request, call)

    def part(self, reference: str, call: Call) -> Parted:
        """Take a merge back; see :meth:`weft.services.curation.parting.Parting.part`."""
        return self._parting.part(reference, call)

    def prune(self, what: str, call: Call, *, reason: str, dry_run: bool) -> Pruned:
        """Take out leftovers; see :meth:`weft.services.curation.pruning.Pruning.prune`."""
        return self._pruning.prune(what, call, reason=reason, dry_run=dry_run)

    def on_subject(self, subject: str, queries: Sequence[str]) -> bool:
        """Return whether a search was about a subject; see :func:`weft.services.curation.subjects.on_subject`."""
        return on_subject(subject, queries, self._embedder)
