"""Each kind of operation, written inside the transaction of its batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from weft.errors import InvalidArgument, StaleRead
from weft.model import (
    Action,
    ClaimNumber,
    Evidence,
    Node,
    RemoveEvidence,
    RemoveRelation,
    ReserveNumbers,
    SaveEvidence,
    SaveFilePrints,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Subject,
    Suggestion,
    SuggestionState,
    Vote,
)
from weft.model.codec import Value, id_of, json_text, time_from, time_text, to_data
from weft.store.plans import name_words, passage_values
from weft.store.registered import own_names, refuse_unregistered
from weft.store.rows import evidence_of, node_of, relation_of, suggestion_of, vote_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from weft.model import Batch, Relation
    from weft.store.engine import Writer
    from weft.store.plans import Plan

__all__ = ["Pen", "apply"]

_ALL = 1 << 31

_Ends: TypeAlias = tuple[str, str, str]


class Pen:
    """One batch being written: the writer, the log's last position, and what must hold when all is written.

    What the batch asks of the graph is read at once, before anything is written: no read then waits for what was sent
    before it. ``joined`` are the ends of each relation saved and still there, ``retired`` the nodes that left, ``held``
    suggestions that were made already, and ``repeats`` tells whether the receipt's key is taken. ``own`` are the keys
    of the configuration where something is of a kind or relation type of the graph's own, else None.
    """

    def __init__(self, writer: Writer, batch: Batch) -> None:
        self.writer = writer
        self.joined: dict[str, tuple[str, str]] = {}
        self.retired: set[str] = set()
        asked = _asked(batch)
        found = dict(zip(asked, writer.gather(*asked.items()), strict=True))
        call, head = batch.call, found["change_head"]
        self.seq: int = head[0][0] if head else 0
        self.repeats = bool(found.get("receipt_by_key"))
        self.held: set[str] = {dedup for (dedup,) in found.get("dedups_held", ())}
        own = found.get("config_values")
        self.own: frozenset[str] | None = None if own is None else frozenset(key for key, value in own if value)
        self._nodes = _nodes(batch, found.get("nodes_by_id", ()))
        self._relations = _relations(_all_ends(batch), found.get("relations_by_ends", ()))
        self._leaving = _leaving(batch, found.get("relations_by_id", ()))
        at = max(call.at, time_from(head[0][1])) if head else call.at
        self._stamp = {"at": time_text(at), "actor": call.actor, "client": call.client, "tool": call.tool}
        self._stamp |= {"session": call.session, "batch": batch.id}

    def node(self, id_: str) -> Node | None:
        """Return the node of this id, which is about to change."""
        if id_ in self._nodes:
            return self._nodes.pop(id_)
        rows = self.writer.read("node_by_id", id=id_)
        return node_of(rows[0]) if rows else None

    def standing(self, ends: _Ends) -> Relation | None:
        """Return the relation of these ends, which is about to change."""
        if ends in self._relations:
            return self._relations.pop(ends)
        return _relations({ends}, self.writer.read("relations_by_ends", ends=[ends]))[ends]

    def joins(self, relation: Relation) -> None:
        """Take note that the relation stands from now on."""
        self.joined[relation.id] = relation.source, relation.target
        self._leaving.pop(relation.id, None)

    def leaving(self, id_: str) -> Relation | None:
        """Return the relation of this id, which is about to leave."""
        self.joined.pop(id_, None)
        if id_ in self._leaving:
            return self._leaving.pop(id_)
        rows = self.writer.read("relation_by_id", id=id_)
        return relation_of(rows[0]) if rows else None

    def left(self, ends: _Ends) -> None:
        """Take note that the relation of these ends is gone."""
        self._relations.pop(ends, None)

    def log(self, subject: Subject, subject_id: str, before: Value | None, after: str | None) -> int:
        """Append a line to the log and return its position; ``after`` is JSON."""
        self.seq += 1
        action = Action.CREATE if before is None else Action.UPDATE if after is not None else Action.REMOVE
        self.writer.put(
            "change_insert",
            seq=self.seq,
            subject=subject.value,
            subject_id=subject_id,
            action=action.value,
            before=None if before is None else json_text(to_data(before)),
            after=after,
            **self._stamp,
        )
        return self.seq


def _asked(batch: Batch) -> dict[str, dict[str, Any]]:
    """Return the queries by which the graph is asked what ``batch`` meets there, with their values."""
    asked: dict[str, dict[str, Any]] = {"change_head": {}}
    if receipt := batch.receipt:
        asked["receipt_by_key"] = {"actor": receipt.actor, "tool": receipt.tool, "key": receipt.key}
    if ids := [each.node.id for each in batch.operations if isinstance(each, SaveNode)]:
        asked["nodes_by_id"] = {"ids": ids}
    if ends := _all_ends(batch):
        asked["relations_by_ends"] = {"ends": sorted(ends)}
    if leaving := [each.id for each in batch.operations if isinstance(each, RemoveRelation)]:
        asked["relations_by_id"] = {"ids": leaving}
    if own_names(batch):
        asked["config_values"] = {}
    if dedups := [each.suggestion.dedup for each in batch.operations if isinstance(each, SaveSuggestion)]:
        asked["dedups_held"] = {"dedups": dedups}
    return asked


def _all_ends(batch: Batch) -> set[_Ends]:
    return {_ends(each.relation) for each in batch.operations if isinstance(each, SaveRelation)}


def _nodes(batch: Batch, rows: Sequence[tuple[Any, ...]]) -> dict[str, Node | None]:
    wanted = dict.fromkeys(each.node.id for each in batch.operations if isinstance(each, SaveNode))
    return wanted | {each.id: each for each in map(node_of, rows)}


def _relations(wanted: set[_Ends], rows: Sequence[tuple[Any, ...]]) -> dict[_Ends, Relation | None]:
    return dict.fromkeys(wanted) | {_ends(each): each for each in map(relation_of, rows)}


def _leaving(batch: Batch, rows: Sequence[tuple[Any, ...]]) -> dict[str, Relation | None]:
    wanted = dict.fromkeys(each.id for each in batch.operations if isinstance(each, RemoveRelation))
    return wanted | {each.id: each for each in map(relation_of, rows)}


def apply(pen: Pen, plan: Plan) -> None:
    """Write one operation.

    Raises:
        StaleRead: its ``expect`` does not hold.
        InvalidArgument: it changes what never changes.
    """
    match plan.operation:
        case SaveNode():
            _save_node(pen, plan, plan.operation)
        case SaveRelation():
            _save_relation(pen, plan, plan.operation)
        case RemoveRelation():
            _remove_relation(pen, plan.operation)
        case SaveEvidence():
            _save_evidence(pen, plan, plan.operation)
        case RemoveEvidence():
            _remove_evidence(pen, plan.operation)
        case _:
            _apply_lesser(pen, plan)


def _apply_lesser(pen: Pen, plan: Plan) -> None:
    match plan.operation:
        case SaveSource():
            _save_source(pen, plan, plan.operation)
        case SaveSuggestion():
            _save_suggestion(pen, plan, plan.operation)
        case SaveVote(vote=vote):
            _save_vote(pen, plan, vote)
        case SaveMentions():
            pen.writer.put("mentions_enter", **plan.values)
        case SaveFilePrints():
            pen.writer.put("prints_enter", **plan.values)
        case ClaimNumber(name=name, value=value):
            _claim(pen, name, value)
        case ReserveNumbers():
            _reserve(pen, plan.operation)


def _save_source(pen: Pen, plan: Plan, operation: SaveSource) -> None:
    source = operation.source
    if operation.after is not None:
        newest = pen.writer.read("source_of", document=source.document, ontology=source.ontology)
        if (newest[0][0] if newest else "") != operation.after:
            raise StaleRead(f"Another text of the document «{source.document}» came first.")
    pen.writer.put("source_insert", **plan.values)
    pen.log(Subject.SOURCE, source.id, None, plan.text)


def _meet(what: str, stands: int, expect: int) -> None:
    if stands != expect:
        held = f"stands at version {stands}" if stands else "is not there"
        wanted = f"version {expect}" if expect else "nothing there"
        raise StaleRead(f"{what} {held}; the write was planned on {wanted}.")


def _step(what: str, version: int, expect: int) -> None:
    if version != expect + 1:
        raise InvalidArgument(
            f"{what} is saved over version {expect}, so its version must be {expect + 1}, not {version}."
        )


def _keep(what: str, before: Value, after: Value, names: tuple[str, ...]) -> None:
    for name in names:
        if getattr(before, name) != getattr(after, name):
            raise InvalidArgument(f"{what}: {name} never changes.")


def _save_node(pen: Pen, plan: Plan, operation: SaveNode) -> None:
    node = operation.node
    before = pen.node(node.id)
    _meet(f"Node {node.id}", before.version if before else 0, operation.expect)
    _step(f"Node {node.id}", node.version, operation.expect)
    if pen.own is not None and (before is None or before.kind != node.kind):
        refuse_unregistered(pen.own, kind=node.kind)
    if before is None:
        row = pen.writer.read("node_insert", **plan.values)[0][0]
    else:
        _keep(f"Node {node.id}", before, node, ("created_at", "created_by"))
        row = pen.writer.read("node_update", **plan.values)[0][0]
        if node.retired != before.retired:
            pen.writer.put("node_retire", **plan.values)
    pen.retired -= {node.id}
    if node.retired is not None:
        pen.retired |= {node.id}
    seq = pen.log(Subject.NODE, node.id, before, plan.text)
    _save_passages(pen, plan, (row, seq), before, node)


def _save_passages(pen: Pen, plan: Plan, place: tuple[int, int], before: Node | None, node: Node) -> None:
    """End the node's open passages and enter the new ones; without new ones, keep the words of its names right."""
    row, seq = place
    if plan.passages is None:
        if before is not None:
            _rename(pen, place, before, node)
        return
    if before is not None:
        pen.writer.put("passages_end", node=row, ordinal_min=0, ordinal_max=_ALL, to_seq=seq)
    for passage in plan.passages:
        pen.writer.put("passage_enter", node=row, from_seq=seq, **passage)


def _rename(pen: Pen, place: tuple[int, int], before: Node, node: Node) -> None:
    if before.content != node.content or before.retired is not None:
        raise InvalidArgument(f"Node {node.id} changes its content or comes back, so its passages must be given.")
    row, seq = place
    first = pen.writer.read("passage_first", node=row)
    if name_words(node) == name_words(before) or not first:
        return
    start, end, vector, word_vectors = first[0]
    pen.writer.put("passages_end", node=row, ordinal_min=0, ordinal_max=0, to_seq=seq)
    words = passage_values(node, 0, start, end)
    kept = {"start": start, "end": end, "vector": vector, "word_vectors": _sent(word_vectors)}
    pen.writer.put("passage_enter", node=row, from_seq=seq, ordinal=0, **kept, **words)


def _sent(word_vectors: bytes | None) -> bytearray | None:
    return None if word_vectors is None else bytearray(word_vectors)


def _ends(relation: Relation) -> _Ends:
    return relation.source, relation.target, relation.type


def _save_relation(pen: Pen, plan: Plan, operation: SaveRelation) -> None:
    relation = operation.relation
    what = f"Relation {relation.source} {relation.type} {relation.target}"
    before = pen.standing(_ends(relation))
    _meet(what, before.version if before else 0, operation.expect)
    _step(what, relation.version, operation.expect)
    pen.joins(relation)
    if before is None and pen.own is not None:
        refuse_unregistered(pen.own, type=relation.type)
    if before is None:
        pen.writer.put("relation_insert", **plan.values)
    else:
        _keep(what, before, relation, ("id", "created_at", "created_by"))
        pen.writer.put("relation_update", **plan.values)
    pen.log(Subject.RELATION, relation.id, before, plan.text)


def _remove_relation(pen: Pen, operation: RemoveRelation) -> None:
    before = pen.leaving(operation.id)
    _meet(f"Relation {operation.id}", before.version if before else 0, operation.expect)
    if before is not None:
        pen.writer.put("relation_delete", source=before.source, target=before.target, type=before.type)
        pen.left(_ends(before))
        pen.log(Subject.RELATION, before.id, before, None)


def _save_evidence(pen: Pen, plan: Plan, operation: SaveEvidence) -> None:
    evidence = operation.evidence
    what = f"Evidence {evidence.id}"
    before = _evidence(pen, evidence.id, operation.expect)
    _step(what, evidence.version, operation.expect)
    if before is None:
        pen.writer.put("evidence_insert", **plan.values)
    else:
        _keep(what, before, evidence, ("type", "creator", "created_at"))
        pen.writer.put("evidence_update", **plan.values)
        if evidence.subject != before.subject:
            pen.writer.put("evidence_move", **plan.values)
    pen.log(Subject.EVIDENCE, evidence.id, before, plan.text)


def _remove_evidence(pen: Pen, operation: RemoveEvidence) -> None:
    if before := _evidence(pen, operation.id, operation.expect):
        pen.writer.put("evidence_delete", id=operation.id)
        pen.log(Subject.EVIDENCE, operation.id, before, None)


def _evidence(pen: Pen, id_: str, expect: int) -> Evidence | None:
    rows = pen.writer.read("evidence_by_id", id=id_)
    before = evidence_of(rows[0]) if rows else None
    _meet(f"Evidence {id_}", before.version if before else 0, expect)
    return before


def _save_suggestion(pen: Pen, plan: Plan, operation: SaveSuggestion) -> None:
    suggestion, what = operation.suggestion, f"Suggestion {operation.suggestion.id}"
    _step(what, suggestion.version, operation.expect)
    if operation.expect == 0:
        if suggestion.dedup not in pen.held:
            pen.held |= {suggestion.dedup}
            pen.writer.put("suggestion_insert", **plan.values)
            pen.log(Subject.SUGGESTION, suggestion.id, None, plan.text)
        return
    rows = pen.writer.read("suggestion_by_id", id=suggestion.id)
    before = suggestion_of(rows[0]) if rows else None
    _meet(what, before.version if before else 0, operation.expect)
    if before is not None:
        _keep(what, before, suggestion, ("kind", "dedup", "subjects", "proposal", "created_at", "created_by"))
        pen.writer.put("suggestion_update", **plan.values)
        if _decision(suggestion) != _decision(before):
            pen.writer.put("suggestion_decide", **plan.values)
        pen.log(Subject.SUGGESTION, suggestion.id, before, plan.text)


def _decision(suggestion: Suggestion) -> tuple[SuggestionState, datetime | None, str, str]:
    return suggestion.state, suggestion.decided_at, suggestion.decided_by, suggestion.decided_why


def _save_vote(pen: Pen, plan: Plan, vote: Vote) -> None:
    rows = pen.writer.read("vote_by_actor", learned_id=vote.learned_id, actor=vote.actor)
    before = vote_of(rows[0]) if rows else None
    pen.writer.put("vote_save", **plan.values)
    pen.log(Subject.VOTE, id_of(vote), before, plan.text)


def _claim(pen: Pen, name: str, value: int) -> None:
    rows = pen.writer.read("series_value", name=name)
    taken = rows[0][0] if rows else 0
    if value != taken + 1:
        raise StaleRead(f"Number {value} of {name} is not the next one: {taken + 1} is.")
    pen.writer.put("series_save", name=name, value=value)


def _reserve(pen: Pen, operation: ReserveNumbers) -> None:
    rows = pen.writer.read("series_value", name=operation.name)
    _meet(f"Series {operation.name}", rows[0][0] if rows else 0, operation.expect)
    if operation.value <= operation.expect:
        raise InvalidArgument(f"Series {operation.name} is at {operation.expect}; {operation.value} is no step ahead.")
    pen.writer.put("series_save", name=operation.name, value=operation.value)
