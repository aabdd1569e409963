"""Pruning: taking out what nothing holds any more, a bounded batch at a time, and back again by undo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument
from weft.model import (
    Pruned,
    RemoveEvidence,
    RemoveRelation,
    SaveMentions,
    SaveNode,
    SuggestionState,
    Tier,
)
from weft.services import drafting
from weft.services.forgetting import retired, unasked
from weft.services.planning import Plan, settle
from weft.services.suggesting import closed
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from weft.model import Call, Leftovers, Operation
    from weft.ports import Store, Upkeep

__all__ = ["KINDS", "Pruning"]

KINDS: Final = ("orphans", "dangling", "retired")

AT_ONCE: Final = 500
"""Of each kind of leftover, how many one call takes: an undo has to put them back in one batch."""

EXAMPLES_MAX: Final = 10


class Pruning:
    """Takes out leftovers."""

    def __init__(self, *, store: Store, upkeep: Upkeep) -> None:
        self._store = store
        self._upkeep = upkeep

    def prune(self, what: str, call: Call, *, reason: str, dry_run: bool) -> Pruned:
        """Take out up to 500 leftovers of each kind in one batch that undo puts back; a dry run only counts them.

        ``orphans`` are nodes that no relation touches and no evidence supports; they are forgotten. ``dangling`` is
        what points at nothing: relations to nodes that left and evidence for relations that are gone are removed, open
        suggestions about forgotten nodes are dismissed. ``retired`` is the evidence that was given for nodes forgotten
        since; the nodes themselves stay readable as of then. What a document said is never pruned.

        Raises:
            InvalidArgument: ``what`` is none of these, or the reason is blank.
            PermissionDenied: the caller's tier is below curator.
        """
        if what not in KINDS:
            raise InvalidArgument(f"what must be one of {', '.join(KINDS)}, got {what!r}.")
        why = drafting.required(reason, field="reason", limit=REASON_MAX).strip()
        call.require(Tier.CURATOR, "prune")
        if dry_run:
            return _told(what, self._found(what), batch="")

        def plan(batch: str) -> Plan[Pruned]:
            found = self._found(what)
            leaving = _bounded(found)
            unanswered = unasked(self._store, (node.id for node in leaving.nodes), call)
            operations = (*_operations(leaving, call, why), *unanswered)
            answer = _told(what, found, batch=batch if operations else "", done=True)
            return Plan(operations=operations, answer=answer, subjects=(batch,))

        return settle(self._store, call, plan)

    def _found(self, what: str) -> Leftovers:
        return self._upkeep.leftovers(what, limit=AT_ONCE + 1)


def _bounded(found: Leftovers) -> Leftovers:
    return replace(
        found,
        nodes=found.nodes[:AT_ONCE],
        relations=found.relations[:AT_ONCE],
        evidence=found.evidence[:AT_ONCE],
        suggestions=found.suggestions[:AT_ONCE],
    )


def _operations(found: Leftovers, call: Call, why: str) -> Iterator[Operation]:
    for relation in found.relations:
        yield RemoveRelation(id=relation.id, expect=relation.version)
    for piece in found.evidence:
        yield RemoveEvidence(id=piece.id, expect=piece.version)
    for node in found.nodes:
        yield SaveMentions(node=node.id, outgoing=())
        yield SaveNode(node=retired(node, call, why=why), expect=node.version)
    for suggestion in found.suggestions:
        yield closed(suggestion, SuggestionState.DISMISSED, call, why=why)


def _told(what: str, found: Leftovers, *, batch: str, done: bool = False) -> Pruned:
    kinds = {
        "nodes": len(found.nodes),
        "relations": len(found.relations),
        "evidence": len(found.evidence),
        "suggestions": len(found.suggestions),
    }
    return Pruned(
        what=what,
        counts={name: min(count, AT_ONCE) for name, count in kinds.items()},
        examples=found.nodes[:EXAMPLES_MAX],
        more=any(count > AT_ONCE for count in kinds.values()),
        done=done,
        batch=batch,
    )
