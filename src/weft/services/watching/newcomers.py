"""Bridges that nobody asked for: what is new, and close to something in another ontology that it is not related to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter, Page, SuggestionKind, SuggestionQuery
from weft.services.relating import between
from weft.services.watching import suggesting
from weft.vocabulary import OBVIOUS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.model import Calibration, Call, Node, Suggestion
    from weft.ports import Store, Vectors

__all__ = ["OPEN_MAX", "Newcomers"]

OPEN_MAX: Final = 5
"""How many bridges that came up by themselves wait in review at a time: more are not looked at with care."""

_NEWEST: Final = 200  # nodes that are looked up; 1 ms each
_NEAREST: Final = 3
_ONTOLOGIES_MAX: Final = 100
_TRIED_MAX: Final = 50  # pairs that are looked at more closely
_KNOWN_READ: Final = 100
_BRIDGED: Final = 2  # ontologies that a bridge takes

Pair = tuple[str, str]


class Newcomers:
    """Looks the newest nodes up among those of other ontologies."""

    def __init__(self, *, store: Store, vectors: Vectors, calibration: Calibration) -> None:
        self._store = store
        self._vectors = vectors
        self._calibration = calibration

    def found(self, call: Call) -> list[Suggestion]:
        """Return the bridges to suggest, the closest first: so many that at most five are open.

        Only pairs from the similarity 0.85 on, that no relation joins and no suggestion, decided or not, is about.
        """
        room = OPEN_MAX - self._open()
        sizes = self._store.counts().nodes_by_ontology
        names = sorted(sizes, key=lambda name: -sizes[name])
        if room <= 0 or len(names) < _BRIDGED:
            return []
        ranked = sorted(self._near(names).items(), key=lambda item: (-item[1], item[0]))[:_TRIED_MAX]
        nodes = self._store.nodes(list({end for pair, _ in ranked for end in pair}))
        made: list[Suggestion] = []
        for (one, other), similarity in ranked:
            if len(made) < room and one in nodes and other in nodes and self._is_news(one, other):
                made.append(suggesting.bridge(nodes[one], nodes[other], similarity, call))
        return made

    def _open(self) -> int:
        return self._store.suggestions(SuggestionQuery(kinds=(SuggestionKind.BRIDGE,), page=Page(limit=1)))[1]

    def _near(self, names: Sequence[str]) -> dict[Pair, float]:
        """Return close pairs with their similarities; the ids of a pair in order."""
        newest = self._store.find(Filter(), Page(limit=_NEWEST)).nodes
        pairs: dict[Pair, float] = {}
        for pair, cosine in self._neighbours(newest, names):
            similarity = self._calibration.similarity(cosine)
            if similarity >= OBVIOUS:
                pairs[pair] = max(similarity, pairs.get(pair, 0.0))
        return pairs

    def _neighbours(self, newest: Sequence[Node], names: Sequence[str]) -> Iterator[tuple[Pair, float]]:
        rows = self._vectors.of([node.id for node in newest])
        for node in newest:
            others = Filter(ontologies=tuple(name for name in names if name != node.ontology)[:_ONTOLOGIES_MAX])
            for row in rows.get(node.id, ())[:1]:
                for near in self._vectors.nearest(row, filter=others, limit=_NEAREST):
                    first, second = sorted((node.id, near.node))
                    yield (first, second), near.cosine

    def _is_news(self, one: str, other: str) -> bool:
        known = self._store.suggestions(SuggestionQuery(subject=one, state="", page=Page(limit=_KNOWN_READ)))[0]
        return not any(other in each.subjects for each in known) and not between(self._store, one, other)
