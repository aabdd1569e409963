"""Which nodes the ends of a trail mean: by reference, else what a search finds first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter, Match, Page, Scope, SearchRequest
from weft.services.naming import named
from weft.services.nearness import alike, match
from weft.services.search.admitting import in_scope
from weft.services.search.correcting import Correcting
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call
    from weft.ports import Embedder, Store, Vectors, Words
    from weft.services.search.searching import Searching

__all__ = ["MATCHES_MAX", "Ends"]

MATCHES_MAX: Final = 3
"""Matches of one end that are tried (seed 003)."""

_BELOW: Final = 3  # nodes shown where nothing matched
_LOOKED_AT: Final = 10  # hits of a search that may match
_HOLDING_MAX: Final = 100  # nodes that hold every word of an end, the newest


class Ends:
    """Matches the ends of a trail to nodes."""

    def __init__(
        self, *, store: Store, words: Words, vectors: Vectors, embedder: Embedder, searching: Searching
    ) -> None:
        self._store = store
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._searching = searching
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def matches(self, end: str, scope: Scope, call: Call, *, field: str) -> tuple[Match, ...]:
        """Return up to three nodes that ``end`` names (similarity 1.0), else those of a search that match, best first.

        A hit matches from a similarity of 0.50 on, or where it holds every word of the end; where none does, what is
        nearest in meaning may. Misspelt words count as what they were meant for. ``field`` is the argument that it came
        in.

        Raises:
            NotFound: it is the id of no node that is there.
        """
        found = named(self._store, end, field=field, limit=MATCHES_MAX)
        exact = [match(node, 1.0) for node in found if in_scope(node.origin, scope)]
        if exact:
            return tuple(exact)
        hits = self._found(self._correcting.corrected(end).query, Filter(scope=scope), call)
        return hits or tuple(each for each in self._near(end, scope, MATCHES_MAX) if each.similarity >= UNRELATED)

    def below(self, end: str, scope: Scope) -> tuple[Match, ...]:
        """Return the nodes nearest to ``end`` however far they are: what an end that matched nothing came close to."""
        return self._near(end, scope, _BELOW)

    def likest(self, node: str, others: Sequence[str], scope: Scope) -> tuple[Match, ...]:
        """Return those of ``others`` that are most like ``node``, the likest first."""
        nodes = self._store.nodes(others)
        vectors = self._vectors.of([node, *nodes])
        own = vectors.pop(node, None)
        if own is None:
            return ()
        calibration = self._embedder.calibration
        ranked = sorted(((alike(own, rows, calibration), key) for key, rows in vectors.items()), reverse=True)
        kept = [(nodes[key], value) for value, key in ranked if in_scope(nodes[key].origin, scope)]
        return tuple(match(other, value) for other, value in kept[:MATCHES_MAX])

    def _found(self, end: str, filter: Filter, call: Call) -> tuple[Match, ...]:  # noqa: A002 - the field's word
        asked = SearchRequest(query=end, filter=filter, page=Page(limit=_LOOKED_AT))
        hits = self._searching.search(asked, call).hits
        holding = frozenset(self._words.holding(end, filter=filter, limit=_HOLDING_MAX))
        found = [match(hit.node, hit.similarity or 0.0) for hit in hits]
        return tuple(each for each in found if each.similarity >= UNRELATED or each.id in holding)[:MATCHES_MAX]

    def _near(self, end: str, scope: Scope, limit: int) -> tuple[Match, ...]:
        vector = self._embedder.embed([self._correcting.corrected(end).query])[0]
        found = self._vectors.nearest(vector, filter=Filter(scope=scope), limit=limit)
        nodes = self._store.nodes([near.node for near in found])
        similarity = self._embedder.calibration.similarity
        return tuple(match(nodes[near.node], similarity(near.cosine)) for near in found if near.node in nodes)
