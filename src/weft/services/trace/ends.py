"""The ends of a trail: which nodes they mean, and what came close where they mean none, or no way leads there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.services.nearness import alike, match
from weft.services.search.admitting import in_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Match, Scope
    from weft.ports import Embedder, Store, Vectors
    from weft.services.search.matching import Matching

__all__ = ["MATCHES_MAX", "Ends"]

MATCHES_MAX: Final = 3
"""Matches of one end that are tried (seed 003)."""

_BELOW: Final = 3  # nodes shown where nothing matched


class Ends:
    """Matches the ends of a trail to nodes."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder, matching: Matching) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder
        self._matching = matching

    def matches(self, end: str, scope: Scope, call: Call, *, field: str) -> tuple[Match, ...]:
        """Return up to three nodes that ``end`` means; see :meth:`weft.services.search.matching.Matching.matches`.

        Raises:
            NotFound: it is the id of no node that is there.
        """
        return self._matching.matches(end, call, field=field, most=MATCHES_MAX, scope=scope)

    def below(self, end: str, scope: Scope) -> tuple[Match, ...]:
        """Return the nodes nearest to ``end`` however far they are: what an end that matched nothing came close to."""
        return self._matching.nearest(end, scope, most=_BELOW)

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
