"""How one relation is planned: made, or strengthened where it stands already. Shared by every verb that relates."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.identity import new_id
from weft.model import (
    Evidence,
    Origin,
    Relation,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    Source,
    SourceType,
    Status,
)
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Node, Operation
    from weft.ports import Store
    from weft.reason.compare import Leap
    from weft.vocabulary import RelationType, Vocabulary

__all__ = [
    "Asserted",
    "Assertion",
    "attached",
    "between",
    "learned_evidence",
    "learned_source",
    "made",
    "ordered",
    "plan_relation",
    "remarks",
    "strengthened",
    "succeeding",
    "superseding",
    "touched",
]

_USUAL: Final = 200  # relations that are read of an end at first; who has fewer has shown them all
_CHAIN_MAX: Final = 20  # decisions that each took the place of the one before
_ALL: Final = 1_000_000  # more than any node has

_RANK: Final = {
    Origin.DOCUMENT: 4,
    Origin.LEARNED: 3,
    Origin.MANUAL: 2,
    Origin.IMPORTED: 1,
    Origin.INFERRED: 0,
}
"""Which origin a relation keeps when it is stated twice: what a document said stays protected, what was learned keeps
its scope, and a person's word beats an inference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A relation somebody or some rule states between two nodes. ``evidence`` is a text it rests on, or empty."""

    source: Node
    target: Node
    type: RelationType
    reasoning: str
    confidence: float
    origin: Origin = Origin.MANUAL
    rule: str = ""
    scores: tuple[tuple[str, float], ...] = ()
    evidence: str = ""
    learned_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asserted:
    """What becomes of an assertion: the relation as it will stand and the operations that make it so (maybe none)."""

    relation: Relation
    created: bool
    warning: str
    operations: tuple[Operation, ...]


def ordered(source: str, target: str, relation_type: RelationType) -> tuple[str, str]:
    """Return the two ids as they are stored: in the order given, or ascending where the type is symmetric."""
    return (target, source) if relation_type.symmetric and target < source else (source, target)


def attached(store: Store, *nodes: str) -> tuple[Relation, ...]:
    """Return every relation that touches one of the nodes of these ids."""
    return store.relations(nodes, per_node=_ALL)


def between(store: Store, a: str, b: str) -> tuple[Relation, ...]:
    """Return all relations that join these two nodes, in either direction."""
    joined: tuple[Relation, ...] = ()
    for end, most in ((a, _USUAL), (b, _USUAL), (a, _ALL)):  # the last where both ends are hubs
        joined = store.relations((end,), per_node=most)
        if len(joined) < most:
            break
    return tuple(relation for relation in joined if {relation.source, relation.target} == {a, b})


def plan_relation(store: Store, said: Assertion, call: Call) -> Asserted:
    """Return how ``said`` is to be written; a superseded target's status is left to the caller (:func:`superseding`).

    Raises:
        InvalidArgument: source and target are the same node.
    """
    if said.source.id == said.target.id:
        raise InvalidArgument(
            f"source and target are the same node, «{said.source.title}»; a relation joins two.",
            hint="Name another node as source or target.",
        )
    source, target = ordered(said.source.id, said.target.id, said.type)
    joined = between(store, source, target)
    standing = next(
        (each for each in joined if (each.source, each.target, each.type) == (source, target, said.type.name)), None
    )
    relation = made(said, call) if standing is None else strengthened(standing, said)
    operations: list[Operation] = []
    if relation != standing:
        operations.append(SaveRelation(relation=relation, expect=standing.version if standing else 0))
    operations += _evidence(store, said, relation, call)
    return Asserted(
        relation=relation,
        created=standing is None,
        warning=remarks(said, joined, store.vocabulary),
        operations=tuple(operations),
    )


def strengthened(standing: Relation, said: Assertion | Relation) -> Relation:
    """Return ``standing`` with what ``said`` adds to it: the same value if that is nothing, else its next version."""
    stronger = replace(
        standing,
        confidence=max(standing.confidence, said.confidence),
        reasoning=_joined(standing.reasoning, said.reasoning),
        origin=max(standing.origin, said.origin, key=_RANK.__getitem__),
    )
    return stronger if stronger == standing else replace(stronger, version=standing.version + 1)


def superseding(target: Node, call: Call) -> SaveNode:
    """Return the write that marks ``target`` as superseded, now."""
    return SaveNode(node=touched(replace(target, status=Status.SUPERSEDED), call), expect=target.version)


def succeeding(store: Store, newer: Node, older: Node, call: Call) -> SaveNode:
    """Return the write of a node that takes the place of ``older``: active again if all that superseded it goes so.

    Whoever goes back to what was replaced says so by letting it supersede what replaced it.
    """
    back = newer.status is Status.SUPERSEDED and _by_way_of(store, newer) <= _below(store, older)
    return SaveNode(node=touched(replace(newer, status=Status.ACTIVE) if back else newer, call), expect=newer.version)


def _by_way_of(store: Store, node: Node) -> set[str]:
    """Return the ids of what supersedes ``node``."""
    return {each.source for each in store.relations((node.id,), types=("supersedes",)) if each.target == node.id}


def _below(store: Store, node: Node) -> set[str]:
    """Return the ids of ``node`` and of what it supersedes, step by step."""
    found, fresh = {node.id}, {node.id}
    for _ in range(_CHAIN_MAX):
        relations = store.relations(list(fresh), types=("supersedes",)) if fresh else ()
        fresh = {each.target for each in relations if each.source in found} - found
        found |= fresh
    return found


def touched(node: Node, call: Call) -> Node:
    """Return ``node`` as its next version, changed now by the caller."""
    return replace(node, modified_at=call.at, modified_by=call.actor, version=node.version + 1)


def learned_source(content: str, ontology: str, call: Call, *, creator: str) -> Source:
    """Return the source that holds what somebody gave as evidence: of type LEARNED, named after who speaks.

    Seed 000: «AI synthesis» where the creator's name starts with ``claude``, else «User synthesis».
    """
    return Source(
        id=new_id(call.at),
        document="AI synthesis" if creator.casefold().startswith("claude") else "User synthesis",
        ontology=ontology,
        type=SourceType.LEARNED,
        text=content,
        digest=hashlib.sha256(content.encode()).hexdigest(),
        created_at=call.at,
        created_by=creator,
    )


def learned_evidence(
    subject: str, source: Source, call: Call, *, learned_id: str, leap: Leap | None = None
) -> Evidence:
    """Return the evidence that ``subject``, a node's or a relation's id, rests on the whole of a learned source.

    ``leap`` is the leap that the source makes to what it joins, where that was weighed.
    """
    return Evidence(
        id=new_id(call.at),
        subject=subject,
        source=source.id,
        paragraph=0,
        start=0,
        end=len(source.text),
        quote=source.text,
        type=SourceType.LEARNED,
        creator=source.created_by,
        similarity=leap.mean if leap is not None else None,
        leap=leap.level if leap is not None else "",
        learned_id=learned_id,
        created_at=source.created_at,
    )


def made(said: Assertion, call: Call) -> Relation:
    """Return ``said`` as a new relation of the caller's, its ends as they are stored."""
    source, target = ordered(said.source.id, said.target.id, said.type)
    return Relation(
        id=new_id(call.at),
        source=source,
        target=target,
        type=said.type.name,
        reasoning=said.reasoning,
        confidence=said.confidence,
        origin=said.origin,
        rule=said.rule,
        scores=said.scores,
        learned_id=said.learned_id,
        created_at=call.at,
        created_by=call.actor,
    )


def _joined(old: str, new: str) -> str:
    if not new or new in old:
        return old
    both = f"{old}\n{new}" if old else new
    return both if len(both) <= REASON_MAX else old


def _evidence(store: Store, said: Assertion, relation: Relation, call: Call) -> list[Operation]:
    if not said.evidence or any(each.quote == said.evidence for each in store.evidence((relation.id,))):
        return []
    source = learned_source(said.evidence, said.source.ontology, call, creator=call.actor)
    evidence = learned_evidence(relation.id, source, call, learned_id=said.learned_id)
    return [SaveSource(source=source), SaveEvidence(evidence=evidence)]


def remarks(said: Assertion, joined: Sequence[Relation], vocabulary: Vocabulary) -> str:
    """Return what is to be said of ``said``: kinds its type does not fit, and relations that speak the other way."""
    return " ".join(filter(None, (_misfit(said), *(_clash(said, other, vocabulary) for other in joined))))


def _misfit(said: Assertion) -> str:
    usual = said.type
    if _fits(usual, said.source, said.target):
        return ""
    advice = " The other way round it would fit." if _fits(usual, said.target, said.source) else ""
    return (
        f"{usual.name} usually runs from {_listed(usual.source_kinds)} to {_listed(usual.target_kinds)}, "
        f"here from {said.source.kind} to {said.target.kind}.{advice}"
    )


def _fits(relation_type: RelationType, source: Node, target: Node) -> bool:
    return _allows(relation_type.source_kinds, source.kind) and _allows(relation_type.target_kinds, target.kind)


def _allows(kinds: tuple[str, ...], kind: str) -> bool:
    return not kinds or kind in kinds


def _listed(kinds: tuple[str, ...]) -> str:
    return " or ".join(kinds) or "any kind"


def _clash(said: Assertion, other: Relation, vocabulary: Vocabulary) -> str:
    if vocabulary.type(other.type).polarity * said.type.polarity < 0:
        return f"The same two nodes are also joined by {other.type}: the graph now speaks both for and against."
    if said.type.name == other.type == "supersedes" and other.source == said.target.id:
        return "The target supersedes the source already: each now replaces the other."
    return ""
