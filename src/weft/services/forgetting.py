"""Forgetting a node: it is retired, its relations leave with it, and one undo brings all of it back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.model import (
    Forgotten,
    Page,
    RemoveRelation,
    Retirement,
    SaveMentions,
    SaveNode,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
)
from weft.services.naming import resolve
from weft.services.planning import Plan, settle
from weft.services.relating import attached, touched
from weft.services.suggesting import closed
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable

    from weft.model import Call, Node, Operation, Relation, SaveSuggestion
    from weft.ports import Store

__all__ = ["forget", "retired", "unasked"]


_ASKED_MAX: Final = 1_000  # open questions about one node that are closed when it goes
_WHY: Final = "what it asks about left the graph"


def forget(store: Store, reference: str, call: Call, *, reason: str, confirm: bool) -> Forgotten:
    """Retire the node that ``reference`` names and remove its relations, in one batch; unconfirmed, tell what would go.

    Its evidence and its sources stay. Somebody decides this, so that documents are not spared.

    Raises:
        NotFound, Ambiguous: ``reference`` does not name one node.
        PermissionDenied: the caller's tier is below librarian.
    """
    why = text.clean(reason, field="reason", limit=REASON_MAX)
    if not confirm:
        node = resolve(store, reference, field="id")
        return _told(node, attached(store, node.id), batch="")

    def plan(batch: str) -> Plan[Forgotten]:
        node = resolve(store, reference, field="id")
        relations = attached(store, node.id)
        operations: tuple[Operation, ...] = (
            *(RemoveRelation(id=relation.id, expect=relation.version) for relation in relations),
            SaveMentions(node=node.id, outgoing=()),
            SaveNode(node=retired(node, call, why=why), expect=node.version),
            *unasked(store, (node.id,), call),
        )
        return Plan(
            operations=operations,
            answer=_told(node, relations, batch=batch),
            subjects=(node.id,),
            spares_documents=False,
        )

    return settle(store, call, plan)


def retired(node: Node, call: Call, *, why: str, merged_into: str = "") -> Node:
    """Return ``node`` as it leaves the graph now; ``merged_into`` is the id of the node that takes it up, or empty."""
    return touched(replace(node, retired=Retirement(at=call.at, by=call.actor, why=why, merged_into=merged_into)), call)


def unasked(store: Store, nodes: Iterable[str], call: Call) -> tuple[SaveSuggestion, ...]:
    """Return what closes the open questions about nodes that leave the graph: nobody can decide them any more.

    Files in conflict stay in question, for they are still there.
    """
    page = Page(limit=_ASKED_MAX)
    asked = {each.id: each for node in nodes for each in store.suggestions(SuggestionQuery(subject=node, page=page))[0]}
    return tuple(
        closed(each, SuggestionState.DISMISSED, call, why=_WHY)
        for each in asked.values()
        if each.kind is not SuggestionKind.FILE_CONFLICT
    )


def _told(node: Node, relations: tuple[Relation, ...], *, batch: str) -> Forgotten:
    return Forgotten(
        id=node.id,
        title=node.title,
        kind=node.kind,
        relations_removed=len(relations),
        done=bool(batch),
        batch=batch,
    )
