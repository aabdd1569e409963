"""Drift: the text of an end changed, and the evidence of what was learned about it no longer fits it as it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from weft.model import LearnedItem, Origin, SaveSuggestion
from weft.reason.compare import fell
from weft.services.learned.scoring import named_ends, similarities_of
from weft.services.learned.weighing import Weighing
from weft.services.nearness import alike
from weft.services.watching import suggesting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from weft.model import Call, Evidence, Node, Passage, Relation, Suggestion
    from weft.ports import Embedder, Store, Vectors
    from weft.services.learned.weighing import Rows

__all__ = ["DRIFTS_MAX", "Drifting"]

DRIFTS_MAX: Final = 5
"""How many drifts one change of a text is told of, the farthest first."""

_WEIGHED_MAX: Final = 20
"""How many pieces of evidence are embedded to be weighed anew: 3 to 10 ms each."""

_LEARNED_READ_MAX: Final = 200
_ORIGINALS_READ_MAX: Final = 50
_ENDS: Final = 2  # of a relation that is no synthesis


@dataclass(frozen=True, slots=True, kw_only=True)
class _Case:
    """A learned item and an end of it whose text changed: how like the evidence was to it.

    ``mean`` of the ``ends`` when it was made; None where this end has no part in it.
    """

    item: LearnedItem
    relation: Relation
    evidence: Evidence
    node: Node
    was: float
    mean: float | None
    ends: int


class Drifting:
    """Weighs evidence anew against texts that changed."""

    def __init__(self, *, store: Store, vectors: Vectors, embedder: Embedder) -> None:
        self._store = store
        self._vectors = vectors
        self._calibration = embedder.calibration
        self._weighing = Weighing(vectors=vectors, embedder=embedder)

    def planned(self, node: Node, passages: Sequence[Passage], call: Call) -> tuple[SaveSuggestion, ...]:
        """Return the suggestions to write with a ``node`` whose text is changed to these ``passages``; five at most.

        What counts is the fall since the item was made, so that many small changes add up.
        """
        cases = self._cases_of(node)
        if not cases or not passages:
            return ()
        found = self._found(cases, {node.id: np.stack([passage.vector for passage in passages])}, call)
        return tuple(SaveSuggestion(suggestion=each) for each in found[:DRIFTS_MAX])

    def standing(self, items: Sequence[LearnedItem], nodes: Mapping[str, Node], call: Call) -> list[Suggestion]:
        """Return what is to be said of those of ``items`` whose ends, among ``nodes``, changed since they were made."""
        cases = [
            case
            for item in items
            if item.evidence is not None
            for end in _ends(item)
            if end in nodes and nodes[end].modified_at > item.evidence.created_at
            for case in _case(item, nodes[end], ends=len(item.relations) if item.concept else _ENDS)
        ]
        cases.sort(key=lambda case: case.node.modified_at, reverse=True)
        return self._found(cases, self._vectors.of([case.node.id for case in cases[:_WEIGHED_MAX]]), call)

    def _cases_of(self, node: Node) -> list[_Case]:
        touching = self._store.relations((node.id,), per_node=_LEARNED_READ_MAX)
        learned = [each for each in touching if each.origin is Origin.LEARNED and each.learned_id]
        if not learned:
            return []
        # a relation rests on its own evidence, that of a synthesis on its concept's
        subjects = list(dict.fromkeys(key for each in learned for key in (each.id, each.source)))
        evidence = {piece.learned_id: piece for piece in self._store.evidence(subjects)}
        cases: list[_Case] = []
        for relation in {each.learned_id: each for each in learned}.values():
            item = LearnedItem(
                learned_id=relation.learned_id,
                relations=(relation,),
                evidence=evidence.get(relation.learned_id),
                concept=None,
            )
            cases += _case(item, node, ends=self._count_ends(relation))
        return cases

    def _count_ends(self, relation: Relation) -> int:
        if len(similarities_of(relation)) == _ENDS:
            return _ENDS
        originals = self._store.relations((relation.source,), types=(relation.type,), per_node=_ORIGINALS_READ_MAX)
        return max(1, sum(each.learned_id == relation.learned_id for each in originals))

    def _found(self, cases: Sequence[_Case], rows: Mapping[str, Rows], call: Call) -> list[Suggestion]:
        weighed = [case for case in cases if len(rows.get(case.node.id, ()))][:_WEIGHED_MAX]
        vectors = self._weighing.embedded([case.evidence.quote for case in weighed])
        found = []
        for case, evidence in zip(weighed, vectors, strict=True):
            now = alike(evidence, rows[case.node.id], self._calibration)
            mean = None if case.mean is None else case.mean + (now - case.was) / case.ends
            if fell(case.was, now) or (mean is not None and case.mean is not None and fell(case.mean, mean)):
                found.append(suggesting.drifted(case.relation, case.node, (case.was, now), (case.mean, mean), call))
        return sorted(found, key=lambda each: -each.score)


def _ends(item: LearnedItem) -> Iterable[str]:
    return dict.fromkeys(end for each in item.relations for end in (each.source, each.target))


def _case(item: LearnedItem, node: Node, *, ends: int) -> list[_Case]:
    """Return the case of one end of an item, or nothing where it was never weighed."""
    relation = next(each for each in item.relations if node.id in (each.source, each.target))
    similarities = similarities_of(relation)
    if item.evidence is None or not similarities:
        return []
    was, mean = similarities[0], item.evidence.similarity
    if len(similarities) == _ENDS:
        was = dict(zip(named_ends(relation), similarities, strict=True))[node.id]
    elif node.id == relation.source:
        was, mean = 1.0, None  # the concept of a synthesis: its own text was the evidence
    return [_Case(item=item, relation=relation, evidence=item.evidence, node=node, was=was, mean=mean, ends=ends)]
