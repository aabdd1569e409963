"""How a concept that joins others is written: with its number, its evidence, and what it was synthesized from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.errors import Duplicate, InvalidArgument
from weft.identity import new_id
from weft.model import Node, Origin, Relation, SaveEvidence, SaveNode, SaveRelation, SaveSource
from weft.reason import compare
from weft.services.learned.numbering import LEARNED, SYNTHESIS
from weft.services.mentioning import mentions
from weft.services.naming import candidate
from weft.services.relating import learned_evidence, learned_source
from weft.vocabulary import BRIDGES_MAX, REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, LearnedItem, Passage
    from weft.ports import Shelf, Store, Words
    from weft.reason.compare import Leap
    from weft.services.learned.connecting import Drawn
    from weft.services.learned.weighing import Rows, Weighing

__all__ = ["CONCEPT", "CONCEPT_CONFIDENCE", "JOINED", "Conceived", "Conceiving", "Conception", "enough", "is_synthesis"]

CONCEPT: Final = "concept"
"""The kind of a synthesis."""

CONCEPT_CONFIDENCE: Final = 0.8
JOINED: Final = "synthesized_from"
_TWINS_MAX: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Conception:
    """A concept that is ready to be planned.

    ``node`` lacks its numbers unless ``learned_id`` and a handle are given with it; ``vectors`` are its evidence's.
    """

    node: Node
    originals: tuple[Node, ...]
    passages: tuple[Passage, ...]
    vectors: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Conceived:
    """The concept as it is written, how like its evidence is to each original, and the leap."""

    node: Node
    similarities: tuple[float, ...]
    leap: Leap


def enough(originals: Sequence[Node]) -> None:
    """Refuse a synthesis of too few or too many nodes.

    Raises:
        InvalidArgument: there are not 2 to ``BRIDGES_MAX`` of them.
    """
    if not 2 <= len(originals) <= BRIDGES_MAX:  # noqa: PLR2004 - to join takes two
        raise InvalidArgument(
            f"bridges (bridges_concepts) names {len(originals)} different node(s); a synthesis joins 2 to {BRIDGES_MAX}"
            " of them.",
            hint="Name at least two different nodes.",
        )


def is_synthesis(item: LearnedItem) -> bool:
    """Whether ``item`` made a concept, also one that was merged away since.

    The type of its relations does not tell: a learned relation of two nodes may be of that type too. What the evidence
    is about does: the node that was made, where a learned relation has evidence of its own.
    """
    evidence = item.evidence
    return item.concept is not None or (
        evidence is not None and bool(item.relations) and evidence.subject == item.relations[0].source
    )


class Conceiving:
    """Plans concepts that join others."""

    def __init__(self, *, store: Store, shelf: Shelf, words: Words, weighing: Weighing) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._weighing = weighing

    def conceive(self, given: Conception, drawn: Drawn, call: Call) -> Conceived:
        """Draw up the concept with its source, its evidence and a relation to each original.

        Raises:
            InvalidArgument: it joins too few or too many.
            Duplicate: a synthesis of that title joins the very same originals in that ontology already.
            Unavailable: an original has no vector yet.
        """
        enough(given.originals)
        self._refuse_twin(given.node, given.originals)
        similarities = self._weighing.similarities(given.vectors, given.originals, fresh=drawn.vectors)
        leap = compare.leap(similarities)
        node = _numbered(given.node, drawn)
        source = learned_source(node.content, node.ontology, call, creator=node.created_by)
        source = replace(source, created_at=node.created_at)
        evidence = learned_evidence(node.id, source, call, learned_id=node.learned_id, leap=leap)
        relations = [
            _relation(node, original, similarity, call)
            for original, similarity in zip(given.originals, similarities, strict=True)
        ]
        drawn.save(SaveNode(node=node, expect=0, passages=given.passages))
        drawn.relations += relations
        drawn.operations += [
            SaveSource(source=source),
            SaveEvidence(evidence=evidence),
            *(SaveRelation(relation=relation, expect=0) for relation in relations),
            mentions(self._shelf, self._words, node),
        ]
        return Conceived(node=node, similarities=similarities, leap=leap)

    def _refuse_twin(self, node: Node, originals: Sequence[Node]) -> None:
        wanted = {original.id for original in originals}
        for other in self._store.resolve(node.title, limit=_TWINS_MAX):
            if other.ontology != node.ontology or not other.learned_id:
                continue
            joined = self._store.relations((other.id,), types=(JOINED,))
            if {relation.target for relation in joined if relation.source == other.id} == wanted:
                raise Duplicate(
                    f"«{node.title}» ({other.learned_id}) joins these very nodes in {node.ontology} already.",
                    candidates=(candidate(other, why=other.learned_id),),
                )


def _numbered(node: Node, drawn: Drawn) -> Node:
    """Return ``node`` with its learned id and its handles; a learned id is a handle too, so that it names the node."""
    learned_id = node.learned_id or drawn.numbers.take(LEARNED)
    handles = node.handles or (drawn.numbers.take(SYNTHESIS),)
    return replace(node, learned_id=learned_id, handles=tuple(dict.fromkeys((*handles, learned_id))))


def _relation(node: Node, original: Node, similarity: float, call: Call) -> Relation:
    return Relation(
        id=new_id(call.at),
        source=node.id,
        target=original.id,
        type=JOINED,
        reasoning=node.content[:REASON_MAX],
        confidence=similarity,
        origin=Origin.LEARNED,
        scores=(("similarity", round(similarity, 4)),),
        learned_id=node.learned_id,
        created_at=node.created_at,
        created_by=node.created_by,
    )
