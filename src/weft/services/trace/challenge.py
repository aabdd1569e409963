"""How the graph stands to a claim: what supports it, what conflicts with it, and what is left to the caller to judge.

Explicit relations speak first: what somebody recorded beats what polarity of wording suggests. Then the judge reads, of
each close node, the sentence that bears most on the claim. Agreement is never a conflict, and where the judge is unsure
it abstains: what is left then is ordered by how likely it bears on the claim, with that likelihood, and decided by
nobody.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.errors import Unavailable
from weft.identity import is_id, meant
from weft.model import Challenged, ClaimSide, Filter, Scope, Status
from weft.reason.evidence import Sentence, evidence, quoted
from weft.reason.foreign import legible
from weft.reason.leaning import Beside, lean, opposite
from weft.services.drafting import refuse_outside, required
from weft.services.naming import resolve
from weft.services.replacing import replacements, superseded_documents
from weft.services.search.admitting import in_scope
from weft.services.seconding import Seconded
from weft.services.trace.siding import (
    Close,
    bearing,
    copies,
    judged,
    polarity,
    recorded,
    stating,
    superseding,
    told_apart,
    turned,
    undecided,
    worth_judging,
)
from weft.services.trace.stretches import Stretches
from weft.text.markup import without_struck
from weft.vocabulary import LIST_MAX, QUERY_MAX, UNRELATED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy.typing as npt

    from weft.model import Embedded, Node, Relation
    from weft.ports import Embedder, Entailment, Judge, Store, Vectors, Words
    from weft.reason.evidence import Stretch

__all__ = ["READ_MAX", "Challenger"]

CANDIDATES_MAX: Final = 30
SENTENCES_MAX: Final = 12  # single sentences that are embedded: about 2 ms each
READ_MAX: Final = 16  # close nodes that are read beside the claim by the network: 5 ms each
RELATIONS_MAX: Final = 50  # recorded relations read of one close node


class Challenger:
    """Holds a claim against the graph. ``judge`` decides by wording; the built-in one where none is given."""

    def __init__(
        self,
        *,
        store: Store,
        words: Words,
        vectors: Vectors,
        embedder: Embedder,
        entailment: Entailment,
        judge: Judge | None = None,
    ) -> None:
        self._store = store
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._entailment = entailment
        self._judge = judge or Seconded(entailment)
        self._stretches = Stretches(vectors, embedder)

    def challenge(self, claim: str, *, limit: int, scope: Scope) -> Challenged:
        """Return at most ``limit`` nodes on each side of ``claim``: recorded relations to it first, then the closest.

        What is left to be judged comes in the order of how likely it bears on the claim at all. On every side what is
        superseded comes last, and names what replaced it. What says the claim word for word is the claim, wherever it
        is kept, and stands on no side; what is recorded of it counts. The id of a node stands for what the node says.

        Raises:
            InvalidArgument: the claim is blank or too long, or ``limit`` lies outside 1..100.
            NotFound: it is the id of no node that is there.
        """
        refuse_outside(limit, 1, LIST_MAX, field="limit")
        said = self._said(required(claim, field="claim", limit=QUERY_MAX))
        close = self.close(said, Filter(scope=scope))
        sides = judged(said, close, self._judge)
        own = stating(said, close, sides)
        if own is not None:
            sides.pop(own.id)
        ranked = sorted(
            (side for side in self._decided(said, own, sides, scope).values() if not copies(said, side.node)),
            key=lambda side: (not _recorded_of(own, side), -side.similarity, side.node.id),
        )
        return Challenged(
            claim=said,
            claim_node=own,
            supports=self._current_first([side for side in ranked if side.verdict == "supports"])[:limit],
            conflicts=self._current_first([side for side in ranked if side.verdict == "conflicts"])[:limit],
            to_judge=self._current_first(
                self._leaning(said, close, [side for side in ranked if undecided(side)]),
            )[:limit],
        )

    def _said(self, claim: str) -> str:
        """Return what ``claim`` says: for an id, the text of its node, or the title where that text is too long."""
        if not is_id(meant(claim)):
            return claim
        node = resolve(self._store, claim, field="claim")
        return node.content if len(node.content) <= QUERY_MAX else node.title

    def _current_first(self, sides: Sequence[ClaimSide]) -> tuple[ClaimSide, ...]:
        """Return ``sides`` in their order, but what is superseded last, with what replaced it or its document."""
        nodes = [side.node for side in sides]
        replaced, within = replacements(self._store, nodes), superseded_documents(self._store, nodes)
        told = [
            replace(side, superseded_by=replaced.get(side.node.id), superseded_document=within.get(side.node.id))
            for side in sides
        ]
        return tuple(sorted(told, key=lambda side: side.node.status is Status.SUPERSEDED))

    def _decided(self, claim: str, own: Node | None, sides: dict[str, ClaimSide], scope: Scope) -> dict[str, ClaimSide]:
        """Return ``sides`` with what recorded relations decide put in place of what the wording suggests."""
        relations = self._arguments([own.id, *sides] if own else list(sides), scope)
        decided, vocabulary = dict(sides), self._store.vocabulary
        if own is not None:
            around = self._around(own, relations, sides, scope)
            decided |= recorded(relations, {own.id: 1}, around, vocabulary)
            decided |= self._superseding(own, sides, scope)
        anchors = {key: _stance(side) for key, side in decided.items() if _stance(side)}
        decided |= recorded(relations, anchors, decided, vocabulary)
        conflicts = [each for each in relations if polarity(each, vocabulary) < 0]
        return decided | told_apart(claim, conflicts, decided)

    def close(self, claim: str, filter: Filter) -> list[Close]:  # noqa: A002 - the field's word
        """Return the nodes close to ``claim`` by meaning or words, closest first, each with its evidence."""
        (asked,) = self._embedder.embed_words([claim])
        vector = asked.vector
        found = {each.node: each for each in self._vectors.nearest(vector, filter=filter, limit=CANDIDATES_MAX)}
        held = [hit.node for hit in self._words.search(claim, filter=filter, limit=CANDIDATES_MAX)]
        nodes = self._store.nodes([*found, *(each for each in held if each not in found)])
        cosines = {each.node: each.cosine for each in found.values()}
        cosines |= self._vectors.cosines(vector, [each for each in nodes if each not in found])
        similarity = self._embedder.calibration.similarity
        nearest = sorted(cosines.keys() & nodes.keys(), key=lambda each: (-cosines[each], each))
        kept = [each for each in nearest if nodes[each].retired is None]
        stretches = self._stretches.of(asked, [nodes[each] for each in kept[:READ_MAX]])
        close = [
            Close(
                node=nodes[each],
                similarity=similarity(cosines[each]),
                sentences=_sentences(
                    claim, nodes[each], stretches.get(each) or self._stretches.by(found.get(each)), asked
                ),
            )
            for each in kept
        ]
        return [each for each in self._sharpened(vector, close) if each.similarity >= UNRELATED]

    def _sharpened(self, vector: npt.NDArray[np.float32], close: Sequence[Close]) -> list[Close]:
        """Return ``close``, closest first, with a sentence's own similarity where it is higher than its passage's.

        They come nearest first, and so the nearest are looked at.
        """
        parts = [each for each in close if len(each.sentences[0].bare) < len(each.node.content.strip())][:SENTENCES_MAX]
        vectors = self._embedder.embed([each.sentences[0].bare for each in parts])
        own = {each.node.id: row for each, row in zip(parts, vectors, strict=True)}
        best = [self._sharper(vector, each, own.get(each.node.id)) for each in close]
        return sorted(best, key=lambda each: (-each.similarity, each.node.id))

    def _sharper(self, vector: npt.NDArray[np.float32], close: Close, own: npt.NDArray[np.float32] | None) -> Close:
        if own is None:
            return close
        similarity = self._embedder.calibration.similarity(float(own @ vector))
        return replace(close, similarity=max(close.similarity, similarity), vector=own)

    def _leaning(self, claim: str, close: Sequence[Close], sides: Sequence[ClaimSide]) -> tuple[ClaimSide, ...]:
        """Return the ``sides`` that are worth judging with the way each leans, likeliest to bear on the claim first.

        Nothing is said of texts in other scripts: the signs were learned on English.
        """
        known = {side.node.id for side in sides}
        told = [each for each in close if each.node.id in known and legible(claim, each.sentences[0].text)][:READ_MAX]
        found = self.beside(claim, told) if told else {}
        leaning = [
            replace(side, leaning=lean(claim, found[side.node.id])) if side.node.id in found else side for side in sides
        ]
        worth = filter(worth_judging, leaning)
        return tuple(sorted(worth, key=lambda side: (-bearing(side), -side.similarity, side.node.id)))

    def beside(self, claim: str, close: Sequence[Close]) -> dict[str, Beside]:
        """Return what is known of each close node beside ``claim``, the nearest of them in the lead."""
        # One text a call: the claim was embedded a moment ago, and the embedder remembers such texts.
        vectors = np.concatenate([self._embedder.embed([each]) for each in (claim, opposite(claim))])
        unread = self._vectors.of([each.node.id for each in close if each.vector is None])
        nearest = max((each.similarity for each in close), default=0.0)
        read = self._read(claim, [quoted(each.sentences, each.node.title) for each in close])
        found = {}
        for each, chances in zip(close, read, strict=True):
            rows = unread.get(each.node.id) if each.vector is None else each.vector[np.newaxis]
            cosines = vectors @ rows.T if rows is not None and len(rows) else np.zeros((2, 1), np.float32)
            best = int(np.argmax(cosines[0]))
            found[each.node.id] = Beside(
                sentences=tuple(sentence.text for sentence in each.sentences),
                similarity=each.similarity,
                lead=each.similarity - nearest,
                cosine=float(cosines[0, best]),
                turned=float(cosines[1, best] - cosines[0, best]),
                chances=turned(claim, each, chances),
            )
        return found

    def _read(self, claim: str, texts: Sequence[str]) -> list[tuple[float, float, float]]:
        """Return the network's chances for each text; where it cannot be read, those of a text that says nothing."""
        try:
            return [(row[0], row[1], row[2]) for row in self._entailment.read(claim, texts).tolist()]
        except Unavailable:
            return [(0.0, 0.0, 1.0)] * len(texts)

    def _arguments(self, ids: Sequence[str], scope: Scope) -> list[Relation]:
        found = self._store.relations(ids, per_node=RELATIONS_MAX) if ids else ()
        return [each for each in found if polarity(each, self._store.vocabulary) and in_scope(each.origin, scope)]

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

    def _superseding(self, own: Node, sides: Mapping[str, ClaimSide], scope: Scope) -> dict[str, ClaimSide]:
        """Return what takes the place of the claim's own node: it speaks against that, however it is put."""
        found = [
            each
            for each in self._store.relations([own.id], types=("supersedes",), per_node=RELATIONS_MAX)
            if each.target == own.id and in_scope(each.origin, scope)
        ]
        around = self._around(own, found, sides, scope)
        return {each.source: superseding(around[each.source], each) for each in found if each.source in around}

    def _alike(self, one: npt.NDArray[np.float32] | None, other: npt.NDArray[np.float32] | None) -> float:
        if one is None or other is None or not len(one) or not len(other):
            return 0.0
        return round(self._embedder.calibration.similarity(float(np.max(one @ other.T))), 4)


def _recorded_of(own: Node | None, side: ClaimSide) -> bool:
    """Return whether a relation of the claim's own node decides, and not one to a node that stands on a side."""
    return own is not None and side.relation is not None and own.id in (side.relation.source, side.relation.target)


def _stance(side: ClaimSide) -> int:
    return {"supports": 1, "conflicts": -1}.get(side.verdict, 0)


def _sentences(claim: str, node: Node, stretches: Sequence[Stretch], asked: Embedded) -> tuple[Sentence, ...]:
    """Return the sentences of ``node`` that bear most on ``claim``, its title where its text has none.

    But for what is struck out there too.
    """
    return evidence(claim, node.content, stretches, asked) or (Sentence(0, 0, without_struck(node.title)),)
