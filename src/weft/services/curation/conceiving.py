"""Making a concept, unless one that is nearly the same is there and nobody said to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weft.errors import Duplicate
from weft.identity import new_id
from weft.model import ConceptMade, LinkedNode, Node, SaveEvidence, SaveNode, SaveSource
from weft.reason.judge import judge
from weft.services import drafting
from weft.services.curation.evidencing import resting
from weft.services.mentioning import mentions
from weft.services.naming import candidate
from weft.services.nearness import neighbours
from weft.services.passages import embed
from weft.services.planning import Plan, settle
from weft.services.relating import learned_source
from weft.text import digest, fold
from weft.vocabulary import (
    CONTENT_MAX,
    EVIDENCE_MAX,
    NAME_MAX,
    NEAR_DUPLICATE,
    REASONABLE,
    SEARCH_TERMS_MAX,
    SESSION_MAX,
    TAG_MAX,
    TITLE_MAX,
)

if TYPE_CHECKING:
    from weft.model import Call, ConceptRequest, Operation, Passage
    from weft.ports import Embedder, Shelf, Store, Vectors, Words

__all__ = ["DUPLICATE", "Conceiving"]

DUPLICATE: Final = "duplicate_concept"
"""The key of the error that names a concept which is nearly the same."""

_KIND: Final = "concept"
_NEAR_MAX: Final = 10
_NAMESAKES_MAX: Final = 5


class Conceiving:
    """Makes concepts. ``home`` is the ontology of one that names none: the graph's name."""

    def __init__(
        self, *, store: Store, shelf: Shelf, words: Words, vectors: Vectors, embedder: Embedder, home: str
    ) -> None:
        self._store = store
        self._shelf = shelf
        self._words = words
        self._vectors = vectors
        self._embedder = embedder
        self._home = home

    def conceive(self, request: ConceptRequest, call: Call) -> ConceptMade:
        """Make a concept with its search terms and, where it was given, its evidence; nothing is linked by itself.

        What goes by the same name, says it in the same words, or is like it from 0.95 on and not its opposite, is a
        near-duplicate: without ``proceed`` nothing is written then. What is like it from 0.70 on is told.

        Raises:
            InvalidArgument: the label says nothing, or a value is malformed or out of bounds.
            Duplicate: a near-duplicate is there (key ``duplicate_concept``); the call can proceed.
            Unavailable: the text could not be embedded.
        """
        node = self._drafted(request, call)
        evidence = drafting.required(request.evidence, field="evidence", limit=EVIDENCE_MAX) if request.evidence else ""
        passages = embed((node,), self._embedder)[0]

        def plan(batch: str) -> Plan[ConceptMade]:
            twins, others = self._similar(node, passages)
            if twins and not request.proceed:
                raise self._refused(node, twins)
            operations: list[Operation] = [SaveNode(node=node, expect=0, passages=passages)]
            grounds = ""
            if evidence.strip():
                source = learned_source(evidence.strip(), node.ontology, call, creator=call.actor)
                piece = resting(node, evidence.strip(), source, call)
                operations += [SaveSource(source=source), SaveEvidence(evidence=piece)]
                grounds = piece.id
            operations.append(mentions(self._shelf, self._words, node))
            answer = ConceptMade(node=node, similar=(*twins, *others), evidence=grounds, batch=batch)
            return Plan(operations=tuple(operations), answer=answer, subjects=(node.id,))

        return settle(self._store, call, plan)

    def _drafted(self, request: ConceptRequest, call: Call) -> Node:
        label = drafting.line(
            drafting.required(request.label, field="label", limit=TITLE_MAX), field="label", limit=TITLE_MAX
        )
        said = request.description.strip()
        return Node(
            id=new_id(call.at),
            kind=_KIND,
            title=label,
            content=drafting.required(said, field="description", limit=CONTENT_MAX) if said else label,
            ontology=drafting.line(request.ontology, field="ontology", limit=NAME_MAX) or self._home,
            search_terms=drafting.lines(
                request.search_terms, field="search_terms", limit=TAG_MAX, most=SEARCH_TERMS_MAX
            ),
            session=drafting.line(call.session, field="session", limit=SESSION_MAX),
            created_at=call.at,
            created_by=call.actor,
            modified_at=call.at,
            modified_by=call.actor,
        )

    def _similar(
        self, node: Node, passages: tuple[Passage, ...]
    ) -> tuple[tuple[LinkedNode, ...], tuple[LinkedNode, ...]]:
        """Return the near-duplicates of ``node`` and what else is like it, each with the reason; no opposites."""
        near = neighbours(
            self._store,
            self._vectors,
            self._embedder.calibration,
            content=node.content,
            passages=passages,
            limit=_NEAR_MAX,
        )
        alike = {each.node.id: each for each in near if each.similarity >= REASONABLE}
        twins: dict[str, LinkedNode] = {}
        others: dict[str, LinkedNode] = {}
        for namesake in self._store.resolve(node.title, limit=_NAMESAKES_MAX):
            if fold(node.title) in map(fold, (namesake.title, *namesake.aliases)):
                likeness = alike[namesake.id].similarity if namesake.id in alike else 1.0
                twins[namesake.id] = _linked(namesake, likeness, f"goes by the same name, in {namesake.ontology}")
        for key, each in alike.items():
            why = "says it in the very same words" if _same_words(node, each.node) else ""
            if judge(each.own_passage, each.passage, similarity=each.similarity).verdict != "conflicts":
                found = _linked(each.node, each.similarity, why or f"similarity {each.similarity:.2f}")
                (twins if why or each.similarity >= NEAR_DUPLICATE else others).setdefault(key, found)
        return tuple(twins.values()), tuple(each for key, each in others.items() if key not in twins)

    def _refused(self, node: Node, twins: tuple[LinkedNode, ...]) -> Duplicate:
        nodes = self._store.nodes([each.id for each in twins])
        return Duplicate(
            f"«{node.title}» seems to be there already, as «{twins[0].title}»; nothing was written.",
            key=DUPLICATE,
            candidates=tuple(candidate(nodes[each.id], why=each.why) for each in twins if each.id in nodes),
            can_proceed=True,
        )


def _same_words(node: Node, other: Node) -> bool:
    """Whether two nodes have the same text, which is more than a name."""
    return node.content != node.title and digest(node.content) == digest(other.content)


def _linked(node: Node, similarity: float, why: str) -> LinkedNode:
    return LinkedNode(id=node.id, title=node.title, similarity=round(similarity, 4), why=why)
