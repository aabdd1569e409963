"""How a learned relation is planned: refused where it stands, weighed by its evidence, numbered, and kept with it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.errors import Candidate, Duplicate, InvalidArgument, WeftError
from weft.identity import new_id
from weft.model import (
    Connected,
    Origin,
    Relation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
)
from weft.reason import compare
from weft.services import drafting
from weft.services.learned.conflicts import oppositions, suggested
from weft.services.learned.creators import known_creator
from weft.services.learned.identifying import end_named
from weft.services.learned.numbering import LEARNED
from weft.services.learned.scoring import scores_of
from weft.services.relating import (
    Assertion,
    between,
    learned_evidence,
    learned_source,
    ordered,
    remarks,
    superseding,
    touched,
)
from weft.vocabulary import EVIDENCE_MAX, REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from weft.model import Call, ConnectRequest, Node, Operation
    from weft.ports import Learned, Store
    from weft.reason.compare import Leap
    from weft.services.learned.conflicts import Opposition
    from weft.services.learned.numbering import Numbers
    from weft.services.learned.weighing import Rows, Weighing
    from weft.vocabulary import RelationType

__all__ = [
    "Connecting",
    "Draft",
    "Drawn",
    "Said",
    "Statement",
    "others_said",
    "refuse_twin",
    "told",
]

_VIA_DOCUMENT: Final = "Edge already exists via document extraction"
"""How a relation that a document states is told of: the words of the Learned Knowledge Synthesis plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A wish, cleaned and bounded: how the ends were named, the type, the evidence and who gave it."""

    source: str
    target: str
    type: RelationType
    evidence: str
    creator: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A wish that is ready to be planned: with the vectors of its evidence."""

    said: Said
    vectors: Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A relation that is to be learned, its ends known. ``learned_id`` empty: the next one; ``at``: since when."""

    said: Said
    vectors: Rows
    source: Node
    target: Node
    at: datetime
    learned_id: str = ""


@dataclass(slots=True, kw_only=True)
class Drawn:
    """What one plan has drawn up so far: later items of the same batch see the earlier ones."""

    numbers: Numbers
    relations: list[Relation] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)
    vectors: dict[str, Rows] = field(default_factory=dict)
    operations: list[Operation] = field(default_factory=list)

    def latest(self, node: Node) -> Node:
        """Return ``node`` as this plan leaves it."""
        return self.nodes.get(node.id, node)

    def save(self, operation: SaveNode) -> None:
        """Add the write of a node."""
        self.nodes[operation.node.id] = operation.node
        self.operations.append(operation)

    def twin(self, wanted: tuple[str, str, str]) -> Relation | None:
        """Return the relation of this source, target and type that was drawn up here; None: there is none."""
        return next((each for each in self.relations if (each.source, each.target, each.type) == wanted), None)

    def rests(self, relation: Relation, evidence: str) -> bool:
        """Return whether a relation that was drawn up here rests on this very evidence."""
        pieces = (each.evidence for each in self.operations if isinstance(each, SaveEvidence))
        return any(each.subject == relation.id and each.quote == evidence for each in pieces)

    def between(self, store: Store, a: str, b: str) -> tuple[Relation, ...]:
        """Return the relations that join these two nodes, stored or drawn up here."""
        fresh = (each for each in self.relations if {each.source, each.target} == {a, b})
        return (*between(store, a, b), *fresh)


class Connecting:
    """Plans learned relations."""

    def __init__(self, *, store: Store, learned: Learned, weighing: Weighing, creators: Sequence[str]) -> None:
        self._store = store
        self._learned = learned
        self._weighing = weighing
        self._creators = creators

    def drafts(self, requests: Sequence[ConnectRequest], call: Call) -> list[Draft | WeftError]:
        """Return each wish ready to be planned, or why it cannot be; all evidence is embedded in one call.

        Raises:
            Unavailable: the evidence could not be embedded.
        """
        cleaned = [self._cleaned(request, call) for request in requests]
        vectors = iter(self._weighing.embedded([each.evidence for each in cleaned if isinstance(each, Said)]))
        return [Draft(said=each, vectors=next(vectors)) if isinstance(each, Said) else each for each in cleaned]

    def _cleaned(self, request: ConnectRequest, call: Call) -> Said | WeftError:
        try:
            return Said(
                source=request.source,
                target=request.target,
                type=self._store.vocabulary.type_named(request.type),
                evidence=drafting.required(request.evidence, field="evidence", limit=EVIDENCE_MAX).strip(),
                creator=known_creator(request.creator, call, self._creators),
            )
        except WeftError as error:
            return error

    def connect(self, draft: Draft, drawn: Drawn, call: Call) -> Connected:
        """Draw up the relation that ``draft`` wishes for.

        Raises:
            NotFound, Ambiguous: an end is not named by its reference.
            InvalidArgument: both ends are the same node.
            Duplicate: the same two are joined by that type already.
            Unavailable: an end has no vector yet.
        """
        source = end_named(self._store, self._learned, draft.said.source, field="from_concept_id")
        target = end_named(self._store, self._learned, draft.said.target, field="to_concept_id")
        statement = Statement(
            said=draft.said,
            vectors=draft.vectors,
            source=drawn.latest(source),
            target=drawn.latest(target),
            at=call.at,
        )
        return self.state(statement, drawn, call)

    def state(self, given: Statement, drawn: Drawn, call: Call) -> Connected:
        """Draw up a relation whose ends are known; errors as :meth:`connect`.

        What comes with an id and evidence of its own joins a relation that was drawn up here, as it did where it comes
        from: nodes were merged there.
        """
        said, source, target = given.said, given.source, given.target
        if source.id == target.id:
            raise InvalidArgument(
                f"from_concept_id and to_concept_id are the same node, «{source.title}»; a relation joins two."
            )
        ends = ordered(source.id, target.id, said.type)
        joined = drawn.between(self._store, *ends)
        twin = drawn.twin((*ends, said.type.name)) if given.learned_id else None
        if twin is None or drawn.rests(twin, said.evidence):
            refuse_twin(joined, (*ends, said.type.name), (source, target))
        one, other = self._weighing.similarities(given.vectors, (source, target), fresh=drawn.vectors)
        leap = compare.leap((one, other))
        found = oppositions(self._store, said.type.name, said.evidence, joined)
        learned_id = given.learned_id or drawn.numbers.take(LEARNED)
        scores = scores_of((one, other), mean=leap.mean, turned=ends[0] != source.id)
        relation = twin or replace(_relation(given, ends, learned_id, call), confidence=leap.mean, scores=scores)
        if twin is None:
            _draw(drawn, given, relation, call)
        drawn.operations += _grounds(given, relation.id, learned_id, leap, call)
        drawn.operations += [
            SaveSuggestion(suggestion=each) for each in suggested(learned_id, (source.id, target.id), found, call)
        ]
        stated = Assertion(source=source, target=target, type=said.type, reasoning="", confidence=leap.mean)
        warnings = (leap.warning, *others_said(joined), remarks(stated, joined, self._store.vocabulary), *told(found))
        return Connected(
            learned_id=learned_id,
            source=source,
            target=target,
            type=said.type.name,
            similarities=(one, other),
            minimum=leap.minimum,
            leap=leap.level,
            warning=" ".join(filter(None, warnings)),
        )


def _draw(drawn: Drawn, given: Statement, relation: Relation, call: Call) -> None:
    """Draw up ``relation``, and what it makes of its ends."""
    drawn.relations.append(relation)
    drawn.operations.append(SaveRelation(relation=relation, expect=0))
    if given.said.type.name == "supersedes":
        drawn.save(superseding(given.target, call))
        drawn.save(SaveNode(node=touched(given.source, call), expect=given.source.version))


def _grounds(given: Statement, relation: str, learned_id: str, leap: Leap, call: Call) -> list[Operation]:
    """Return the source and the evidence under the relation of this id: they are written with it or not at all."""
    said = given.said
    source = learned_source(said.evidence, given.source.ontology, call, creator=said.creator)
    source = replace(source, created_at=given.at)
    evidence = learned_evidence(relation, source, call, learned_id=learned_id, leap=leap)
    return [SaveSource(source=source), SaveEvidence(evidence=evidence)]


def refuse_twin(joined: Iterable[Relation], wanted: tuple[str, str, str], ends: tuple[Node, Node]) -> None:
    """Refuse a relation of the source, target and type ``wanted`` that stands already.

    Raises:
        Duplicate: with the learned id of the existing one, or its own id where it was not learned.
    """
    for each in joined:
        if (each.source, each.target, each.type) != wanted:
            continue
        existing = each.learned_id or each.id
        via = _VIA_DOCUMENT if each.origin is Origin.DOCUMENT else f"Edge already exists ({each.origin.value})"
        title = f"«{ends[0].title}» {each.type.upper()} «{ends[1].title}»"
        raise Duplicate(
            f"{via}: {title} is {existing}.",
            hint=f"Use {existing}, change it, or state another type.",
            key="duplicate_relation",
            candidates=(Candidate(id=existing, title=title, why=each.origin.value),),
        )


def others_said(joined: Iterable[Relation]) -> tuple[str, ...]:
    """Return a sentence on each relation that joins the same two otherwise."""
    return tuple(
        f"{_VIA_DOCUMENT}: {each.type.upper()}."
        if each.origin is Origin.DOCUMENT
        else f"The same two are joined by {each.type.upper()} already ({each.learned_id or each.origin.value})."
        for each in joined
    )


def told(found: Iterable[Opposition]) -> tuple[str, ...]:
    """Return a sentence on each learned item that opposes the one at hand."""
    return tuple(
        f"Contradicts {each.relation.learned_id}: {each.why}; it waits in review."
        for each in found
        if each.relation.learned_id
    )


def _relation(given: Statement, ends: tuple[str, str], learned_id: str, call: Call) -> Relation:
    return Relation(
        id=new_id(call.at),
        source=ends[0],
        target=ends[1],
        type=given.said.type.name,
        reasoning=given.said.evidence[:REASON_MAX],
        origin=Origin.LEARNED,
        learned_id=learned_id,
        created_at=given.at,
        created_by=given.said.creator,
    )
