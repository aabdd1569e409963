"""Taking a learned item back: its relations and its evidence go, documents' knowledge stays, and one undo returns it.

The engine keeps sources; one that nothing rests on any more has left the graph and is counted. What a document states
too stays, without its learned id; what another learned item rests on too stays under the id of that one.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.model import (
    LearnedDeleted,
    Origin,
    RemoveEvidence,
    RemoveRelation,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SourceType,
)
from weft.services.forgetting import retired, unasked
from weft.services.learned.conceiving import JOINED
from weft.services.learned.identifying import beside, item_named
from weft.services.planning import Plan
from weft.services.relate import reinstated
from weft.services.relating import attached

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Call, Evidence, LearnedItem, Node, Operation, Relation
    from weft.ports import Learned, Store

__all__ = ["plan_deletion"]

_WHY: Final = "its learned knowledge was deleted"


@dataclass(slots=True, kw_only=True)
class _Leaving:
    """What leaves, by id, so that each is counted once, and what is to be said of it.

    ``others`` are the learned ids of what rests on a relation besides.
    """

    relations: dict[str, Relation] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    concepts: dict[str, Node] = field(default_factory=dict)
    kept: dict[str, Relation] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def plan_deletion(
    store: Store, learned: Learned, reference: str, call: Call, batch: str, *, cascade: bool
) -> Plan[LearnedDeleted]:
    """Return what deletes the item that ``reference`` names.

    Without ``cascade`` the concepts of syntheses stay, and those that would be left with nothing are named. With it
    they go, together with their other relations and the evidence of these; one that a document speaks of stays.

    Raises:
        NotFound, Ambiguous, InvalidArgument: see :func:`item_named`.
        PermissionDenied: the caller's tier is below librarian.
    """
    item = item_named(store, learned, reference)
    leaving = _Leaving(others=beside(store, learned, item))
    if item.evidence is not None:
        leaving.evidence[item.evidence.id] = item.evidence
    for relation in item.relations:
        stays = relation.origin is Origin.DOCUMENT or relation.id in leaving.others
        (leaving.kept if stays else leaving.relations)[relation.id] = relation
    concepts = _orphans(store, item, leaving)
    if cascade:
        for concept in concepts:
            _take_along(store, concept, leaving)
    else:
        leaving.warnings += [
            f"{_named(concept)} is left with nothing to rest on; deleted with cascade, it goes along."
            for concept in concepts
            if not _rests(store, concept, leaving)
        ]
    leaving.warnings += [
        f"{each.type.upper()} stays between the two: {_also(each, leaving)} states it too."
        for each in leaving.kept.values()
    ]
    operations = _operations(store, item, leaving, call)
    answer = LearnedDeleted(
        learned_id=item.learned_id,
        sources=len({each.source for each in leaving.evidence.values()}),
        relations=len(leaving.relations),
        concepts=len(leaving.concepts),
        warning=" ".join(leaving.warnings),
        batch=batch if operations else "",
    )
    subjects = (*leaving.evidence, *leaving.relations, *leaving.concepts)
    return Plan(operations=operations, answer=answer, subjects=subjects)


def _orphans(store: Store, item: LearnedItem, leaving: _Leaving) -> list[Node]:
    """Return the item's own concept, and each synthesis at an end of its relations that is left with nothing."""
    ends = {end for relation in leaving.relations.values() for end in (relation.source, relation.target)}
    nodes = store.nodes(sorted(ends - {item.concept.id if item.concept else ""}))
    found = [item.concept] if item.concept is not None else []
    for node in nodes.values():
        if node.retired is None and node.learned_id and node.origin is Origin.LEARNED:
            left = any(each.id not in leaving.relations for each in attached(store, node.id))
            if not left and not _rests(store, node, leaving):
                found.append(node)
    return found


def _rests(store: Store, concept: Node, leaving: _Leaving) -> bool:
    """Whether evidence under ``concept`` stays."""
    return any(each.id not in leaving.evidence for each in store.evidence((concept.id,)))


def _take_along(store: Store, concept: Node, leaving: _Leaving) -> None:
    touching = attached(store, concept.id)
    resting = store.evidence((concept.id,))
    said = any(each.type is SourceType.DOCUMENT for each in resting)
    if said or Origin.DOCUMENT in {concept.origin, *(each.origin for each in touching)}:
        leaving.warnings.append(f"{_named(concept)} stays: a document speaks of it.")
        return
    others = [each for each in touching if each.id not in leaving.relations]
    leaving.concepts[concept.id] = concept
    leaving.relations |= {each.id: each for each in others}
    grounds = (*resting, *store.evidence([each.id for each in others]))
    leaving.evidence |= {each.id: each for each in grounds if each.type is SourceType.LEARNED}
    leaving.warnings += _also_gone(store, concept, others)


def _also_gone(store: Store, concept: Node, others: Iterable[Relation]) -> list[str]:
    warnings = []
    for each in others:
        if each.type == JOINED and each.target == concept.id:
            (later,) = store.nodes((each.source,)).values()
            warnings.append(f"{_named(later)} no longer rests on it.")
        else:
            warnings.append(f"Its {each.type.upper()} ({each.learned_id or each.origin.value}) went too.")
    return warnings


def _operations(store: Store, item: LearnedItem, leaving: _Leaving, call: Call) -> tuple[Operation, ...]:
    superseded = [each.target for each in leaving.relations.values() if each.type == "supersedes"]
    targets = [node for node in store.nodes(superseded).values() if node.id not in leaving.concepts]
    return (
        *(RemoveRelation(id=each.id, expect=each.version) for each in leaving.relations.values()),
        *(RemoveEvidence(id=each.id, expect=each.version) for each in leaving.evidence.values()),
        *(
            SaveRelation(
                relation=replace(each, learned_id=leaving.others.get(each.id, ""), version=each.version + 1),
                expect=each.version,
            )
            for each in leaving.kept.values()
            if each.learned_id == item.learned_id
        ),
        *(operation for target in targets for operation in reinstated(store, target, call)),
        *(
            operation
            for concept in leaving.concepts.values()
            for operation in (
                SaveMentions(node=concept.id, outgoing=()),
                SaveNode(node=retired(concept, call, why=f"{_WHY}: {item.learned_id}"), expect=concept.version),
            )
        ),
        *unasked(store, leaving.concepts, call),
    )


def _also(relation: Relation, leaving: _Leaving) -> str:
    return "a document" if relation.origin is Origin.DOCUMENT else leaving.others[relation.id]


def _named(concept: Node) -> str:
    handle = next((name for name in concept.handles if name.startswith("synthesis_")), concept.id)
    return f"«{concept.title}» ({handle})"
