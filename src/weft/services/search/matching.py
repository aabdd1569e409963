"""Which nodes a phrase means: those it names, else those that a search with it finds and that are about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.model import Filter, Match, Page, Scope, SearchRequest
from weft.services.naming import named
from weft.services.nearness import match
from weft.services.search.admitting import in_scope
from weft.services.search.correcting import Correcting
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from weft.model import Call
    from weft.ports import Embedder, Store, Vectors, Words
    from weft.services.search.searching import Searching

__all__ = ["Matching"]

_HITS_LEAST: Final = 10  # hits of a search that are looked at, however few matches are wanted


class Matching:
    """Matches phrases to nodes: the ends of a trail, the subjects of an analysis."""

    def __init__(
        self, *, store: Store, words: Words, vectors: Vectors, embedder: Embedder, searching: Searching
    ) -> None:
        self._store = store
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._searching = searching
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def matches(self, phrase: str, call: Call, *, field: str, most: int, scope: Scope = Scope.ALL) -> tuple[Match, ...]:
        """Return up to ``most`` nodes that ``phrase`` names (similarity 1.0), else the first that a search finds.

        A hit matches from a similarity of 0.50 on, or where it holds every word of the phrase; where none does, what is
        nearest in meaning may. Misspelt words count as what they were meant for. ``field`` is the argument that the
        phrase came in.

        Raises:
            NotFound: it is the id of no node that is there.
        """
        found = named(self._store, phrase, field=field, limit=most)
        exact = [match(node, 1.0) for node in found if in_scope(node.origin, scope)]
        return tuple(exact) or self._found(phrase, call, most=most, scope=scope) or self._like(phrase, scope, most=most)

    def nearest(self, phrase: str, scope: Scope, *, most: int) -> tuple[Match, ...]:
        """Return the nodes nearest to ``phrase`` in meaning, however far they are."""
        vector = self._embedder.embed([self._correcting.corrected(phrase).query])[0]
        found = self._vectors.nearest(vector, filter=Filter(scope=scope), limit=most)
        nodes = self._store.nodes([near.node for near in found])
        similarity = self._embedder.calibration.similarity
        return tuple(match(nodes[near.node], similarity(near.cosine)) for near in found if near.node in nodes)

    def _found(self, phrase: str, call: Call, *, most: int, scope: Scope) -> tuple[Match, ...]:
        page = Page(limit=max(_HITS_LEAST, most))
        asked = SearchRequest(query=phrase, filter=Filter(scope=scope), page=page)
        found = [match(hit.node, hit.similarity or 0.0) for hit in self._searching.search(asked, call).hits]
        within = replace(asked.filter, within=tuple(each.id for each in found))
        read = self._correcting.corrected(phrase).query
        holding = self._words.holding(read, filter=within, limit=page.limit) if found else ()
        return tuple(each for each in found if each.similarity >= UNRELATED or each.id in holding)[:most]

    def _like(self, phrase: str, scope: Scope, *, most: int) -> tuple[Match, ...]:
        return tuple(each for each in self.nearest(phrase, scope, most=most) if each.similarity >= UNRELATED)
