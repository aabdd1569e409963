"""How the graph stands to a claim: what supports it, what conflicts with it, and what is left to the caller to judge.

Explicit relations speak first: what somebody recorded beats what polarity of wording suggests. Then the judge reads the
closest sentence of each close node. Agreement is never a conflict, and where the judge is unsure it abstains.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.errors import InvalidArgument
from weft.model import Challenged, ClaimSide, Filter, Scope
from weft.reason.sentences import sentences
from weft.services.admitting import in_scope
from weft.services.drafting import required
from weft.services.siding import Close, judged, polarity, recorded, stating, told_apart, undecided
from weft.text import STOP_WORDS, terms
from weft.vocabulary import LIST_MAX, QUERY_MAX, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Near, Node, Relation
    from weft.ports import Embedder, Store, Vectors, Words

__all__ = ["Challenger"]

CANDIDATES_MAX: Final = 30
SENTENCES_MAX: Final = 12  # single sentences that are embedded: about 2 ms each
RELATIONS_MAX: Final = 50  # recorded relations read of one close node
_SENTENCE_MIN: Final = 12  # characters; what is shorter is a heading, a label or a bullet


class Challenger:
    """Holds a claim against the graph."""

    def __init__(self, *, store: Store, words: Words, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._words = words
        self._vectors = vectors
        self._embedder = embedder

    def challenge(self, claim: str, *, limit: int, scope: Scope) -> Challenged:
        """Return at most ``limit`` nodes on each side of ``claim``: recorded relations first, then the closest.

        Raises:
            InvalidArgument: the claim is blank or too long, or ``limit`` lies outside 1..100.
        """
        if not 1 <= limit <= LIST_MAX:
            raise InvalidArgument(f"limit must lie in 1..{LIST_MAX}, got {limit}.")
        said = required(claim, field="claim", limit=QUERY_MAX)
        close = self._close(said, Filter(scope=scope))
        sides = judged(said, close)
        own = stating(said, close, sides)
        if own is not None:
            sides.pop(own.id)
        ranked = sorted(
            self._decided(said, own, sides, scope).values(),
            key=lambda side: (side.relation is None, -side.similarity, side.node.id),
        )
        return Challenged(
            claim=said,
            claim_node=own,
            supports=tuple(side for side in ranked if side.verdict == "supports")[:limit],
            conflicts=tuple(side for side in ranked if side.verdict == "conflicts")[:limit],
            to_judge=tuple(side for side in ranked if undecided(side))[:limit],
        )

    def _decided(self, claim: str, own: Node | None, sides: dict[str, ClaimSide], scope: Scope) -> dict[str, ClaimSide]:
        """Return ``sides`` with what recorded relations decide put in place of what the wording suggests."""
        relations = self._arguments([own.id, *sides] if own else list(sides), scope)
        decided = dict(sides)
        if own is not None:
            around = self._around(own, relations, sides, scope)
            decided |= recorded(relations, {own.id: 1}, around)
        anchors = {key: _stance(side) for key, side in decided.items() if _stance(side)}
        decided |= recorded(relations, anchors, decided)
        return decided | told_apart(claim, relations, decided)

    def _close(self, claim: str, filter: Filter) -> list[Close]:  # noqa: A002 - the field's word
        vector = self._embedder.embed([claim])[0]
        found = {each.node: each for each in self._vectors.nearest(vector, filter=filter, limit=CANDIDATES_MAX)}
        held = [hit.node for hit in self._words.search(claim, filter=filter, limit=CANDIDATES_MAX)]
        nodes = self._store.nodes([*found, *(each for each in held if each not in found)])
        cosines = {each.node: each.cosine for each in found.values()}
        cosines |= _best(vector, self._vectors.of([each for each in nodes if each not in found]))
        similarity = self._embedder.calibration.similarity
        close = [
            Close(node=node, similarity=similarity(cosines[each]), sentence=_sentence(claim, node, found.get(each)))
            for each, node in nodes.items()
            if node.retired is None and each in cosines
        ]
        return [each for each in self._sharpened(vector, close) if each.similarity >= UNRELATED]

    def _sharpened(self, vector: npt.NDArray[np.float32], close: Sequence[Close]) -> list[Close]:
        """Return ``close``, closest first, with a sentence's own similarity where it is higher than its passage's."""
        longer = [each for each in close if len(each.sentence) < len(each.node.content.strip())]
        parts = sorted(longer, key=lambda each: -each.similarity)[:SENTENCES_MAX]
        cosines = (self._embedder.embed([each.sentence for each in parts]) @ vector).tolist() if parts else []
        similarity = self._embedder.calibration.similarity
        sharper = {each.node.id: similarity(cosine) for each, cosine in zip(parts, cosines, strict=True)}
        best = [replace(each, similarity=max(each.similarity, sharper.get(each.node.id, 0.0))) for each in close]
        return sorted(best, key=lambda each: (-each.similarity, each.node.id))

    def _arguments(self, ids: Sequence[str], scope: Scope) -> list[Relation]:
        found = self._store.relations(ids, per_node=RELATIONS_MAX) if ids else ()
        return [each for each in found if polarity(each) and in_scope(each.origin, scope)]

    def _around(
        self, own: Node, relations: Iterable[Relation], sides: Mapping[str, ClaimSide], scope: Scope
    ) -> dict[str, ClaimSide]:
        """Return the other ends of the own node's relations: those close already, and those that are not, compared."""
        ends = {end for each in relations for end in (each.source, each.target) if own.id in (each.source, each.target)}
        known = {end: sides[end] for end in ends if end in sides}
        others = self._store.nodes([end for end in ends if end not in sides and end != own.id])
        vectors = self._vectors.of([own.id, *others])
        for key, node in others.items():
            if node.retired is None and in_scope(node.origin, scope):
                likeness = self._alike(vectors.get(own.id), vectors.get(key))
                known[key] = ClaimSide(node=node, similarity=likeness, verdict="unsure", grounds=())
        return known

    def _alike(self, one: npt.NDArray[np.float32] | None, other: npt.NDArray[np.float32] | None) -> float:
        if one is None or other is None or not len(one) or not len(other):
            return 0.0
        return round(self._embedder.calibration.similarity(float(np.max(one @ other.T))), 4)


def _stance(side: ClaimSide) -> int:
    return {"supports": 1, "conflicts": -1}.get(side.verdict, 0)


def _best(vector: npt.NDArray[np.float32], passages: Mapping[str, npt.NDArray[np.float32]]) -> dict[str, float]:
    return {key: float(np.max(rows @ vector)) for key, rows in passages.items() if len(rows)}


def _sentence(claim: str, node: Node, near: Near | None) -> str:
    """Return the sentence of ``node`` that shares most words with ``claim``, looked for in its nearest passage."""
    passage = node.content[near.start : near.end] if near else node.content
    lines = passage.splitlines()
    pieces = [line[start:end] for line in lines for start, end in sentences(line, 0, end=len(line))]
    pieces = [piece for piece in pieces if len(piece) >= _SENTENCE_MIN]
    if not pieces:
        return passage.strip() or node.title
    wanted = set(terms(claim)) - STOP_WORDS
    return max(pieces, key=lambda piece: len(wanted.intersection(terms(piece))))
