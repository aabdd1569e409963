"""Reading concepts: found by meaning and words, with a threshold and their evidence, and what lies around one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import ConceptHits, NearMisses, Page, RelatedConcepts, SearchRequest
from weft.services.drafting import checked_page, fraction, refuse_outside
from weft.services.naming import resolve
from weft.services.trace.surrounding import surrounding
from weft.vocabulary import DEPTH_MAX, LIST_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Evidence, Hits, RelatedRequest
    from weft.ports import Store
    from weft.services.recall.recall import Recall

__all__ = ["Finding"]

SAMPLES_MAX: Final = 2  # pieces of evidence that are shown of one concept


class Finding:
    """Reads concepts; searching is the search of all other faces."""

    def __init__(self, *, store: Store, recall: Recall) -> None:
        self._store = store
        self._recall = recall

    def search(self, query: str, call: Call, *, threshold: float | None, page: Page) -> ConceptHits:
        """Return a page of what a search finds, with evidence; with a ``threshold`` (0..1) only what is that alike.

        Then the best 100 that were ranked are looked at, ``total`` counts those of them that are alike enough, and the
        others are near misses.

        Raises:
            InvalidArgument: the query is too long, or a value is out of bounds.
        """
        asked = checked_page(page)
        if threshold is None:
            found = self._recall.search(SearchRequest(query=query, page=asked), call)
            return self._told(found, found.total, found.near_misses)
        fraction(threshold, field="threshold")
        ranked = self._recall.search(SearchRequest(query=query, page=Page(limit=LIST_MAX)), call)
        alike = [hit for hit in ranked.hits if (hit.similarity or 0.0) >= threshold]
        fell = [hit.similarity or 0.0 for hit in ranked.hits if hit not in alike]
        softer = ranked.near_misses
        best = max((value for value in (*fell, softer.best) if value is not None), default=None)
        misses = NearMisses(count=len(fell) + softer.count, threshold=threshold, best=best)
        shown = replace(ranked, hits=tuple(alike[asked.offset : asked.offset + asked.limit]))
        return self._told(shown, len(alike), misses)

    def related(self, request: RelatedRequest) -> RelatedConcepts:
        """Return what lies within ``depth`` relations of a concept, nearest first, with a piece of evidence for each.

        Raises:
            InvalidArgument: ``depth`` lies outside 1..5, a type is unknown, or the page is out of bounds.
            NotFound, Ambiguous: the concept is not named by its reference.
        """
        refuse_outside(request.depth, 1, DEPTH_MAX, field="max_depth")
        types = tuple(self._store.vocabulary.type_named(each).name for each in request.types)
        centre = resolve(self._store, request.id, field="concept_id")
        around = surrounding(self._store, centre, checked_page(request.page), hops=request.depth, types=types)
        samples = self._samples([trail.steps[-1].node.id for trail in around.trails])
        return RelatedConcepts(around=around, evidence={key: pieces[0] for key, pieces in samples.items()})

    def _told(self, found: Hits, total: int, misses: NearMisses) -> ConceptHits:
        samples = self._samples([hit.node.id for hit in found.hits])
        return ConceptHits(hits=found.hits, evidence=samples, total=total, near_misses=misses, warning=found.warning)

    def _samples(self, ids: Sequence[str]) -> dict[str, tuple[Evidence, ...]]:
        pieces: dict[str, list[Evidence]] = {}
        for piece in self._store.evidence(ids) if ids else ():
            pieces.setdefault(piece.subject, []).append(piece)
        return {key: tuple(each[:SAMPLES_MAX]) for key, each in pieces.items()}
