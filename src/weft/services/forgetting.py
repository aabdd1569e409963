"""Forgetting a node: it is retired, what hangs on it alone leaves with it, and one undo brings all of it back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from weft import text
from weft.model import (
    Forgotten,
    Origin,
    Page,
    RemoveRelation,
    Retirement,
    SaveMentions,
    SaveNode,
    Status,
    SuggestionKind,
    SuggestionQuery,
    SuggestionState,
)
from weft.services.naming import resolve
from weft.services.planning import Plan, settle
from weft.services.relating import attached, touched
from weft.services.resting import known
from weft.services.suggesting import closed
from weft.vocabulary import REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from weft.model import Call, Node, Operation, Relation, SaveSuggestion
    from weft.ports import Shelf, Store

__all__ = ["forget", "retired", "unasked"]


_ASKED_MAX: Final = 1_000  # open questions about one node that are closed when it goes
_NAMED_MAX: Final = 10  # nodes that go with a document which are named
_WHY: Final = "what it asks about left the graph"
_BY_ITSELF: Final = (Origin.DOCUMENT, Origin.INFERRED)
"""Origins of relations that nobody drew."""


def forget(store: Store, shelf: Shelf, reference: str, call: Call, *, reason: str, confirm: bool) -> Forgotten:
    """Retire the node that ``reference`` names and remove its relations, in one batch; unconfirmed, tell what would go.

    With a document go the nodes that it was the first to state and that rest on it alone, unless somebody related them.
    Evidence and sources stay, and what only these superseded holds again. Somebody decides this, so that documents are
    not spared.

    Raises:
        NotFound, Ambiguous: ``reference`` does not name one node.
        PermissionDenied: the caller's tier is below librarian.
    """
    why = text.clean(reason, field="reason", limit=REASON_MAX)
    if not confirm:
        return _told(_leaving(store, shelf, resolve(store, reference, field="id")), batch="")

    def plan(batch: str) -> Plan[Forgotten]:
        leaving = _leaving(store, shelf, resolve(store, reference, field="id"))
        operations: tuple[Operation, ...] = (
            *(RemoveRelation(id=relation.id, expect=relation.version) for relation in leaving.relations),
            *(SaveMentions(node=node.id, outgoing=()) for node in leaving.nodes),
            *(SaveNode(node=retired(node, call, why=why), expect=node.version) for node in leaving.nodes),
            *_holding_again(store, leaving, call),
            *unasked(store, (node.id for node in leaving.nodes), call),
        )
        return Plan(
            operations=operations,
            answer=_told(leaving, batch=batch),
            subjects=(leaving.nodes[0].id,),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Leaving:
    """What goes together: ``nodes``, the one that was named first, and all relations that touch them."""

    nodes: tuple[Node, ...]
    relations: tuple[Relation, ...]


def _leaving(store: Store, shelf: Shelf, node: Node) -> _Leaving:
    held = _held(store, shelf, node)
    relations = attached(store, node.id, *held)
    drawn = (each for each in relations if each.origin not in _BY_ITSELF)
    kept = {end for each in drawn for end in (each.source, each.target)} - {node.id}
    gone = {node.id, *held} - kept
    return _Leaving(
        nodes=(node, *(each for key, each in held.items() if key in gone)),
        relations=tuple(each for each in relations if gone & {each.source, each.target}),
    )


def _holding_again(store: Store, leaving: _Leaving, call: Call) -> Iterator[Operation]:
    """Yield what makes active again what nothing supersedes once these are gone."""
    gone = {node.id for node in leaving.nodes}
    ended = [each.target for each in leaving.relations if each.type == "supersedes" and each.target not in gone]
    for node in store.nodes(ended).values():
        still = store.relations((node.id,), types=("supersedes",))
        others = [each for each in still if each.target == node.id and each.source not in gone]
        if not others and node.status is Status.SUPERSEDED and node.retired is None:
            yield SaveNode(node=touched(replace(node, status=Status.ACTIVE), call), expect=node.version)


def _held(store: Store, shelf: Shelf, node: Node) -> dict[str, Node]:
    """Return the nodes that a document was the first to state and that rest on it alone, by id; of others none."""
    if node.origin is not Origin.DOCUMENT or not node.handles:
        return {}
    before = known(store, shelf, name=node.handles[0], ontology=node.ontology)
    if before.document is None or before.document.id != node.id:
        return {}
    return {each.id: each for each in before.own() if each.id != node.id}


def _told(leaving: _Leaving, *, batch: str) -> Forgotten:
    node = leaving.nodes[0]
    return Forgotten(
        id=node.id,
        title=node.title,
        kind=node.kind,
        nodes_removed=len(leaving.nodes) - 1,
        titles=tuple(each.title for each in leaving.nodes[1 : 1 + _NAMED_MAX]),
        relations_removed=len(leaving.relations),
        done=bool(batch),
        batch=batch,
    )
