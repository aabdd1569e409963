"""Relating two nodes, and taking that back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.errors import InvalidArgument
from weft.model import (
    Page,
    Related,
    RemoveRelation,
    SaveNode,
    Status,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
    Tier,
    Unrelated,
)
from weft.services import drafting
from weft.services.naming import resolve
from weft.services.planning import Plan, settle
from weft.services.relating import (
    Asserted,
    Assertion,
    between,
    ordered,
    plan_relation,
    succeeding,
    superseding,
    touched,
)
from weft.services.suggesting import closed
from weft.vocabulary import EVIDENCE_MAX, REASON_MAX, folded

if TYPE_CHECKING:
    from weft.model import Call, Node, Operation, RelateRequest, Relation, SaveSuggestion, Suggestion
    from weft.ports import Store

__all__ = ["Relate", "asserting", "reinstated"]

_ASKED_MAX: Final = 200  # open questions about one node that are looked through, the weightiest
_WHY: Final = "The relation was recorded."


class Relate:
    """Writes relations."""

    def __init__(self, *, store: Store) -> None:
        self._store = store

    def relate(self, request: RelateRequest, call: Call) -> Related:
        """Make the relation, or strengthen the one that joins these two nodes by this type already.

        Strengthening keeps the larger confidence, adds the reasoning where it is new and fits, and keeps the weightier
        origin: what a document said, then what was learned, then a person's word, before an inference. A symmetric type
        has no direction. ``evidence`` is kept whole as a source of type LEARNED («User synthesis», or «AI synthesis» by
        an actor named claude…) that the relation rests on. Superseding marks the target's status and both nodes' times
        in the same transaction. An open question whether to record this very relation is closed with it, for a caller
        who may decide that. A ``warning`` tells of kinds the type does not fit, and of relations that speak the other
        way.

        Raises:
            InvalidArgument: the type is unknown, both ends are the same node, or a value is out of bounds.
            NotFound, Ambiguous: an end is not named by its reference.
        """
        relation_type = self._store.vocabulary.type_named(request.type)
        reasoning = text.clean(request.reasoning, field="reasoning", limit=REASON_MAX).strip()
        evidence = text.clean(request.evidence, field="evidence", limit=EVIDENCE_MAX).strip()
        drafting.fraction(request.confidence, field="confidence")

        def plan(batch: str) -> Plan[Related]:
            said = Assertion(
                source=resolve(self._store, request.source, field="source"),
                target=resolve(self._store, request.target, field="target"),
                type=relation_type,
                reasoning=reasoning,
                confidence=request.confidence,
                evidence=evidence,
            )
            asserted, operations = asserting(self._store, said, call)
            operations += _answered(self._store, said, call)
            answer = Related(
                relation=asserted.relation,
                created=asserted.created,
                warning=asserted.warning,
                batch=batch if operations else "",
            )
            return Plan(operations=operations, answer=answer, subjects=(asserted.relation.id,))

        return settle(self._store, call, plan)

    def unrelate(self, source: str, target: str, type: str, call: Call) -> Unrelated:  # noqa: A002 - the field's word
        """Remove the relation of this type from ``source`` to ``target``; not being there is no error.

        Taking back the last «supersedes» of a superseded node makes that node active again. A relation of a type that
        nobody registered goes whichever of its ends comes first, since nobody knows whether it has a direction.

        Raises:
            InvalidArgument: the type is unknown, and no relation of it joins the two.
            NotFound, Ambiguous: an end is not named by its reference.
            PermissionDenied: the caller's tier is below librarian.
        """

        def plan(batch: str) -> Plan[Unrelated]:
            ends = (resolve(self._store, source, field="source"), resolve(self._store, target, field="target"))
            standing = self._standing(ends[0].id, ends[1].id, type)
            if standing is None:
                return Plan(operations=(), answer=Unrelated(removed=False), subjects=tuple(end.id for end in ends))
            operations = taken_back(self._store, standing, call)
            answer = Unrelated(removed=True, batch=batch)
            return Plan(operations=operations, answer=answer, subjects=(standing.id,), spares_documents=False)

        return settle(self._store, call, plan)

    def _standing(self, source: str, target: str, name: str) -> Relation | None:
        """Return the relation from ``source`` to ``target`` of the type called ``name``; None: there is none."""
        held = between(self._store, source, target)
        try:
            relation_type = self._store.vocabulary.type_named(name)
        except InvalidArgument:
            stray = [each for each in held if each.type == folded(name)]
            if not stray:
                raise
            return min(stray, key=lambda each: each.source != source)
        wanted = (*ordered(source, target, relation_type), relation_type.name)
        return next((each for each in held if (each.source, each.target, each.type) == wanted), None)


def taken_back(store: Store, standing: Relation, call: Call) -> tuple[Operation, ...]:
    """Return what removes a relation, and makes active again what nothing supersedes then."""
    ended = store.nodes((standing.target,)).values() if standing.type == "supersedes" else ()
    return (
        RemoveRelation(id=standing.id, expect=standing.version),
        *(operation for node in ended for operation in reinstated(store, node, call)),
    )


def reinstated(store: Store, target: Node, call: Call) -> tuple[Operation, ...]:
    """Return what makes ``target`` active again once one «supersedes» is taken back: nothing where another stands."""
    others = store.relations((target.id,), types=("supersedes",))
    still = sum(each.target == target.id for each in others) > 1
    if still or target.status is not Status.SUPERSEDED:
        return ()
    return (SaveNode(node=touched(replace(target, status=Status.ACTIVE), call), expect=target.version),)


def _answered(store: Store, said: Assertion, call: Call) -> tuple[SaveSuggestion, ...]:
    """Return what closes the open questions that ``said`` answers; nothing for a caller who may not decide them."""
    if call.tier < Tier.LIBRARIAN:
        return ()
    asked, _ = store.suggestions(SuggestionQuery(subject=said.source.id, page=Page(limit=_ASKED_MAX)))
    return tuple(closed(each, SuggestionState.ACCEPTED, call, why=_WHY) for each in asked if _answers(said, each))


def _answers(said: Assertion, asked: Suggestion) -> bool:
    """Return whether ``asked`` proposes this very relation; whether two contradict is answered by «refutes» as well."""
    proposed = asked.proposal.get("relate", {})
    ends = (said.source.id, said.target.id)
    if asked.kind is SuggestionKind.CONFLICT and said.type.name == "refutes":
        return {proposed.get("source"), proposed.get("target")} == {*ends}
    if proposed.get("type") != said.type.name:
        return False
    return ordered(proposed["source"], proposed["target"], said.type) == ordered(*ends, said.type)


def asserting(store: Store, said: Assertion, call: Call) -> tuple[Asserted, tuple[Operation, ...]]:
    """Return what becomes of ``said`` between two stored nodes, and all there is to write: statuses and times too."""
    asserted = plan_relation(store, said, call)
    operations = asserted.operations
    if said.type.name == "supersedes" and (asserted.created or said.target.status is not Status.SUPERSEDED):
        operations += (
            superseding(said.target, call),
            succeeding(store, said.source, said.target, call),
        )
    return asserted, operations
