"""Which nodes the ends of a trail mean: by reference, else by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter, Match, Scope
from weft.services.naming import named
from weft.services.nearness import alike, match
from weft.services.search.admitting import in_scope
from weft.services.search.correcting import Correcting
from weft.vocabulary import UNRELATED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.ports import Embedder, Store, Vectors, Words

__all__ = ["MATCHES_MAX", "Ends"]

MATCHES_MAX: Final = 3
"""Matches of one end that are tried (seed 003)."""

_BELOW: Final = 3  # nodes shown where nothing matched


class Ends:
    """Matches the ends of a trail to nodes."""

    def __init__(self, *, store: Store, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._correcting = Correcting(store=store, words=words, embedder=embedder)

    def matches(self, end: str, scope: Scope, *, field: str) -> tuple[Match, ...]:
        """Return up to three nodes that ``end`` names (similarity 1.0), else those nearest in meaning from 0.50 on.

        By meaning misspelt words count as what they were meant for, as in a search. ``field`` is the argument that it
        came in.

        Raises:
            NotFound: it is the id of no node that is there.
        """
        found = named(self._store, end, field=field, limit=MATCHES_MAX)
        exact = [match(node, 1.0) for node in found if in_scope(node.origin, scope)]
        if exact:
            return tuple(exact)
        return tuple(match for match in self._near(end, scope, MATCHES_MAX) if match.similarity >= UNRELATED)

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

    def _near(self, end: str, scope: Scope, limit: int) -> tuple[Match, ...]:
        vector = self._embedder.embed([self._correcting.corrected(end).query])[0]
        found = self._vectors.nearest(vector, filter=Filter(scope=scope), limit=limit)
        nodes = self._store.nodes([near.node for near in found])
        similarity = self._embedder.calibration.similarity
        return tuple(match(nodes[near.node], similarity(near.cosine)) for near in found if near.node in nodes)
