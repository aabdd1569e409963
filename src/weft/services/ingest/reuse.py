"""Whether the graph knows already what a document defines: by meaning and name, and only if the two do not conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.model import Filter
from weft.reason.judge import judge
from weft.text import digest, fold
from weft.vocabulary import OBVIOUS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Near, Node, Passage
    from weft.ports import Embedder, Store, Vectors

__all__ = ["NAMED_ALIKE", "Reuse"]

NAMED_ALIKE: Final = 0.75
"""The calibrated similarity from which two are one thing if one's title stands in the other's; else it takes 0.85."""

NEVER: Final = 2.0
NEAR_MAX: Final = 8
_REUSED: Final = frozenset({"concept", "claim", "insight", "component", "convention", "pattern"})
"""Kinds of things that several documents speak of. A decision, a session or a document is its own, however alike."""


class Reuse:
    """Finds the node that a draft need not be made for."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._embedder = embedder

    def known(self, node: Node, passages: Sequence[Passage]) -> Node | None:
        """Return the node that says what ``node``, not yet stored, would say; the likest if there are several.

        Of the same family of kinds, and of the same ontology unless both have one title: a concept of another ontology
        that is merely alike stays its own, so that a bridge can join the two.
        """
        if node.kind not in _REUSED or not passages:
            return None
        near = self._vectors.nearest(passages[0].vector, filter=Filter(), limit=NEAR_MAX)
        nodes = self._store.nodes([each.node for each in near])
        return next((nodes[each.node] for each in near if self._is_same(node, nodes.get(each.node), each)), None)

    def _is_same(self, node: Node, other: Node | None, near: Near) -> bool:
        if other is None or other.retired is not None or not self._akin(node, other):
            return False
        if digest(node.content) == digest(other.content) and node.ontology == other.ontology:
            return True
        similarity = self._embedder.calibration.similarity(near.cosine)
        if similarity < _threshold(node, other):
            return False
        verdict = judge(node.content, other.content[near.start : near.end] or other.title, similarity=similarity)
        return verdict.verdict == "supports" if node.kind == "claim" else verdict.verdict != "conflicts"

    def _akin(self, node: Node, other: Node) -> bool:
        family = self._store.vocabulary.kind
        return other.kind in _REUSED and family(node.kind).family == family(other.kind).family


def _threshold(node: Node, other: Node) -> float:
    """Return the similarity from which the two are one thing; over 1 where they never are."""
    one, two = fold(node.title), fold(other.title)
    if node.ontology != other.ontology:
        return OBVIOUS if one == two else NEVER
    inside = f" {one} " in f" {two} " or f" {two} " in f" {one} "
    return NAMED_ALIKE if inside else OBVIOUS
