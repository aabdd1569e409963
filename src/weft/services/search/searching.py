"""Search: filter → candidates → graph → rank → explain. No limit is spent on what a filter leaves out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Final

from weft.model import Hits, NearMisses, Status
from weft.reason.rank import EXACT_FROM, SUPERSEDED_SHARE, Ranked, keyword_score
from weft.services.drafting import checked_page, refuse_unknown
from weft.services.search.candidates import Candidates
from weft.services.search.correcting import Correcting
from weft.services.search.explaining import Explaining
from weft.services.search.gathering import DEPTHS, Gathering, depths
from weft.services.search.quoting import quoted
from weft.services.search.view import view
from weft.text import clean, terms
from weft.vocabulary import QUERY_MAX, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Hit, Node, SearchRequest
    from weft.ports import Embedder, Log, Shelf, Store, Vectors, Words
    from weft.services.search.view import View

__all__ = ["HOLDING_MAX", "MODES", "Searching"]

MODES: Final = ("hybrid", "semantic", "keyword")
HOLDING_MAX: Final = 300  # nodes that mode keyword scores, the newest


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """All that was ranked, best first, what it was ranked from, and what fell below the bar.

    Scores of ``named_from`` and more are of nodes that the query names; a superseded one stays above all others there.
    ``unasked`` are those that only others bring in (:meth:`Candidates.unasked`).
    """

    places: Sequence[Ranked]
    named_from: float = EXACT_FROM
    unasked: frozenset[str] = frozenset()
    found: Candidates = field(default_factory=Candidates)
    misses: NearMisses = field(default_factory=lambda: NearMisses(count=0, threshold=UNRELATED))

    def sunk(self, place: Ranked) -> Ranked:
        """Return the place of a superseded node: below what holds, but not below what it alone brings in."""
        floor = self.named_from if place.score >= self.named_from else 0.0
        score = floor + (place.score - floor) * SUPERSEDED_SHARE
        brought = (
            each.score for each in self.places if each.id in self.unasked and self.found.brings(place.id, each.id)
        )
        score = max(score, min(place.score, max(brought, default=0.0)))
        return place._replace(score=score, why=(*place.why, "superseded: below what holds"))


class Searching:
    """Finds nodes. Every step has a bound, so that the cost does not grow with the graph."""

    def __init__(
        self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, log: Log, embedder: Embedder
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._log = log
        self._embedder = embedder
        self._gathering = Gathering(store=store, shelf=shelf, words=words, vectors=vectors, embedder=embedder)
        self._explaining = Explaining(store=store, embedder=embedder)
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def search(self, request: SearchRequest, call: Call) -> Hits:
        """Return a page of hits; see :meth:`weft.services.recall.recall.Recall.search`."""
        asked = _checked(request)
        seen = view(asked, store=self._store, log=self._log, shelf=self._shelf)
        if seen.empty:
            nothing = NearMisses(count=0, threshold=UNRELATED)
            return Hits(hits=(), total=0, near_misses=nothing, warning=seen.warning)
        seen, narrowing = quoted(asked.query, asked.mode, seen, self._words)
        read = self._correcting.corrected(asked.query)
        found = self._page(replace(asked, query=read.query), seen, call) if asked.query else self._newest(asked, seen)
        warning = " ".join(filter(None, (seen.warning, narrowing, read.warning)))
        return replace(found, warning=warning) if warning else found

    def _page(self, asked: SearchRequest, seen: View, call: Call) -> Hits:
        """Return the hits of the page.

        More candidates change the order a little, so each depth keeps the places that the depths before it gave: a
        hit stands on one place, whatever the pages it is asked for on, and pages neither repeat hits nor miss any. A
        depth that cannot fill its places has met all that meaning and words find.
        """
        first, wanted = asked.page.offset, asked.page.offset + asked.page.limit
        given: set[str] = set()
        hits: list[Hit] = []
        for depth, most in [(HOLDING_MAX, wanted)] if asked.mode == "keyword" else depths(wanted):
            ranking = self._ranked(asked, seen, call, depth)
            fresh = [pair for pair in self._settled(ranking, seen, most + len(given)) if pair[0].id not in given]
            kept = fresh[: most - len(given)]
            shown = kept[max(first - len(given), 0) :]
            hits += self._explaining.hits(shown, asked.query, ranking.found, seen) if shown else ()
            given |= {place.id for place, _ in kept}
            if len(given) < most:
                break
        total = len(given.union(place.id for place in ranking.places))
        total = max(total, depth + 1) if asked.mode == "hybrid" and _goes_on(ranking, depth) else total
        return Hits(hits=tuple(hits), total=total, near_misses=ranking.misses)

    def _newest(self, asked: SearchRequest, seen: View) -> Hits:
        found = self._store.find(seen.filter, asked.page)
        places = [(Ranked(id=node.id, score=0.0, why=("newest first",)), node) for node in found.nodes]
        return Hits(
            hits=self._explaining.hits(places, "", Candidates(), seen),
            total=found.total,
            near_misses=NearMisses(count=0, threshold=UNRELATED),
        )

    def _ranked(self, asked: SearchRequest, seen: View, call: Call, depth: int) -> Ranking:
        if asked.mode == "keyword":
            return self._by_keyword(asked.query, seen, call)
        if asked.mode == "semantic":
            vector = self._embedder.embed([asked.query])[0]
            # One more than there are places, so that the total tells whether there are further pages.
            return self._barred(self._gathering.by_meaning(vector, seen, limit=depth + 1))
        return self._barred(self._gathering.by_all(asked.query, seen, limit=depth))

    def _by_keyword(self, query: str, seen: View, call: Call) -> Ranking:
        words = terms(query)
        nodes = seen.nodes(self._words.holding(query, filter=seen.filter, limit=HOLDING_MAX))
        places = [
            Ranked(id=node.id, score=round(keyword_score(node, words, now=call.at), 4), why=("holds every word",))
            for node in nodes.values()
        ]
        return Ranking(places=sorted(places, key=lambda place: (-place.score, place.id)), named_from=inf)

    def _barred(self, found: Candidates) -> Ranking:
        """Rank the candidates but those that only meaning speaks for, and that too softly: they are near misses.

        Nothing is weighed against these: what others bring in would be lifted to what nobody is shown.
        """
        calibration = self._embedder.calibration
        missed = found.faint(found.ids, calibration)
        best = max((found.cosines[each] for each in missed), default=None)
        return Ranking(
            places=found.weighed([each for each in found.ids if each not in missed]),
            found=found,
            unasked=frozenset(found.unasked(found.ids, calibration)),
            misses=NearMisses(
                count=len(missed),
                threshold=UNRELATED,
                best=None if best is None else round(calibration.similarity(best), 4),
            ),
        )

    def _settled(self, ranking: Ranking, seen: View, wanted: int) -> list[tuple[Ranked, Node]]:
        """Return the first ``wanted`` places with their nodes, superseded ones sunk.

        Nodes are read in the order of rank until no unread one could still rise above the page.
        """
        settled: list[tuple[Ranked, Node]] = []
        places = ranking.places
        for start in range(0, len(places), wanted):
            chunk = {place.id: place for place in places[start : start + wanted]}
            settled += [
                (ranking.sunk(chunk[each]) if node.status is Status.SUPERSEDED else chunk[each], node)
                for each, node in seen.nodes(chunk).items()
            ]
            rest = places[start + len(chunk)].score if start + len(chunk) < len(places) else -inf
            if sum(place.score >= rest for place, _ in settled) >= wanted:
                break
        return sorted(settled, key=lambda pair: -pair[0].score)[:wanted]


def _checked(request: SearchRequest) -> SearchRequest:
    refuse_unknown(request.mode, MODES, field="mode")
    return replace(
        request,
        query=clean(request.query, field="query", limit=QUERY_MAX).strip(),
        page=checked_page(request.page),
    )


def _goes_on(ranking: Ranking, depth: int) -> bool:
    """Return whether a greater depth may find more: by words, or by meaning where none fell below the bar yet."""
    if depth >= DEPTHS[-1]:
        return False
    found = ranking.found
    return len(found.held) >= depth or (len(found.near) >= depth and not ranking.misses.count)
