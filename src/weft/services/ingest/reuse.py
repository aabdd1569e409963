"""Whether the graph knows already what a document says: a thing by its name and meaning, a statement by its words.

Precision comes first: a node too many can be merged, but a quote under the wrong node says what nobody wrote.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter, Origin
from weft.reason.apart import apart
from weft.reason.judge import judge
from weft.reason.repeat import repeats
from weft.text import digest, fold, stem
from weft.vocabulary import OBVIOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Near, Node, Passage
    from weft.ports import Embedder, Store, Vectors
    from weft.services.ingest.given import Given

__all__ = ["NAMED_ALIKE", "Reuse"]

NAMED_ALIKE: Final = 0.75
"""The calibrated similarity from which two texts of one ontology about what goes by one name speak of one thing.

In two ontologies it takes 0.85. Of two names, one within the other (the graph, the graph view), likeness says nothing:
looked through by hand, all three such pairs of a handbook were two things.
"""

NEAR_MAX: Final = 8
_REUSED: Final = frozenset({"concept", "claim", "insight", "component", "convention", "pattern"})
"""Kinds of things that several documents speak of. A decision, a session or a document is its own, however alike."""

_STATED: Final = frozenset({"claim", "convention", "insight"})
"""Kinds whose title is no name, but what they say: they are known where that stands in the same words."""


class Reuse:
    """Finds the node that a draft need not be made for."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder

    def known(self, node: Node, passages: Sequence[Passage]) -> Node | None:
        """Return the node that says what ``node``, not yet stored, would say; the likest if there are several.

        Of the same family of kinds, and of the same ontology unless both have one title: a concept of another ontology
        that is merely alike stays its own, so that a bridge can join the two. Never where a number or a name stands in
        the text of one of them only (:mod:`weft.reason.apart`).
        """
        if node.kind not in _REUSED or not passages:
            return None
        near = self._vectors.nearest(passages[0].vector, filter=Filter(), limit=NEAR_MAX)
        nodes = self._store.nodes([each.node for each in near])
        return next((nodes[each.node] for each in near if self._is_same(node, nodes.get(each.node), each)), None)

    def copied(self, given: Given, passages: Sequence[Passage]) -> str:
        """Return the name of another document that has the very text of ``given``; empty: none of the likest has."""
        near = self._vectors.nearest(passages[0].vector, filter=Filter(), limit=NEAR_MAX) if passages else ()
        found = self._store.nodes([each.node for each in near]).values()
        names = {
            name: self._store.source_of(name, node.ontology)
            for node in found
            if node.origin is Origin.DOCUMENT and node.retired is None
            for name in node.handles[:1]
            if (name, node.ontology) != (given.name, given.ontology)
        }
        return next((name for name, source in names.items() if source and source.digest == given.digest), "")

    def _is_same(self, node: Node, other: Node | None, near: Near) -> bool:
        if other is None or other.retired is not None or not self._akin(node, other):
            return False
        if apart(node.content, other.content):
            return False
        if node.kind in _STATED:
            same_place = node.ontology == other.ontology or fold(node.title) == fold(other.title)
            return same_place and repeats(node.content, other.content)
        return _goes_by(node, other) and self._agrees(node, other, near)

    def _akin(self, node: Node, other: Node) -> bool:
        family = self._store.vocabulary.kind
        if other.kind not in _REUSED or (node.kind in _STATED) != (other.kind in _STATED):
            return False
        return family(node.kind).family == family(other.kind).family

    def _agrees(self, node: Node, other: Node, near: Near) -> bool:
        """Whether two texts about what goes by one name are alike, and nothing in their words clashes."""
        one_ontology = node.ontology == other.ontology
        if one_ontology and digest(node.content) == digest(other.content):
            return True
        similarity = self._embedder.calibration.similarity(near.cosine)
        if similarity < (NAMED_ALIKE if one_ontology else OBVIOUS):
            return False
        verdict = judge(node.content, other.content[near.start : near.end] or other.title, similarity=similarity)
        return verdict.verdict != "conflicts" and not (verdict.verdict == "unsure" and verdict.grounds)


def _goes_by(node: Node, other: Node) -> bool:
    """Whether the two go by one name: their titles, but for case and plural, or within an ontology an alias of one."""
    if _name(node.title) == _name(other.title):
        return True
    held, others = (frozenset(map(_name, (each.title, *each.aliases))) for each in (node, other))
    return node.ontology == other.ontology and (_name(node.title) in others or _name(other.title) in held)


def _name(title: str) -> str:
    return " ".join(map(stem, fold(title).split()))
