"""Parting two nodes that were merged: what moved over goes back, and what came since stays where it was put.

Each thing the merge touched is known in three states: before it, after it, and now. What is now as the merge left it
returns to what it was before; what somebody changed since keeps the change.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from weft.errors import Candidate, Conflict, NotFound
from weft.identity import meant, new_id
from weft.model import (
    Evidence,
    Mention,
    Node,
    Origin,
    Parted,
    Relation,
    RemoveRelation,
    SaveEvidence,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSuggestion,
    Suggestion,
)
from weft.services.mentioning import MENTIONS_READ, mention_of, mentions, mentions_anew
from weft.services.passages import embed
from weft.services.planning import Plan, settle
from weft.services.relating import ordered, touched
from weft.services.turns import WRITTEN, turns, value_after
from weft.text import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weft.model import Call, Change, Operation
    from weft.ports import Embedder, Log, Shelf, Store, Words
    from weft.services.turns import Turn

__all__ = ["Parting"]

V = TypeVar("V", Node, Relation)

_LISTS: Final = ("aliases", "handles", "tags", "search_terms", "references")
_ENDS: Final = frozenset({"id", "source", "target", "created_at", "created_by", "version"})
_LOOKED_BACK_MAX: Final = 200  # changes of a node in which the merges into it are looked for


@dataclass(slots=True, kw_only=True)
class _Return:
    """What is gathered while a merge is taken back; ``left`` says what cannot return.

    Removals are written first, so that what returns finds room. ``places`` are the ends and types of what returns,
    ``gone`` ids of relations that do not. ``joined`` are the learned ids of relations that went into others, and
    ``deleted`` those of them whose items were deleted since.
    """

    keep: Node
    merged: Node
    call: Call
    removals: list[Operation] = field(default_factory=list)
    relations: list[SaveRelation] = field(default_factory=list)
    evidence: list[SaveEvidence] = field(default_factory=list)
    suggestions: list[SaveSuggestion] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    places: set[tuple[str, str, str]] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    joined: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    returned: int = 0

    def leave(self, relation: Relation, why: str) -> None:
        """Say that a relation does not return, and why."""
        self.gone.add(relation.id)
        self.left.append(f"{relation.type} {relation.id}: {why}")


class Parting:
    """Takes merges back."""

    def __init__(self, *, store: Store, log: Log, shelf: Shelf, words: Words, embedder: Embedder) -> None:
        self._store = store
        self._log = log
        self._shelf = shelf
        self._words = words
        self._embedder = embedder

    def part(self, reference: str, call: Call) -> Parted:
        """Bring back the node that was merged into another; see :mod:`weft.services.curation.parting`.

        ``reference`` is its id, or a handle, title or alias that it had. A relation that was strengthened or supported
        since the merge returns as it was, and what was added to it becomes a relation of the node that stayed. One that
        this node had as well keeps the larger confidence where it was stated again since, with a new reason or new
        evidence. One that was taken away since stays away, and is told in ``left``.

        Raises:
            NotFound: no node of that name was merged into another; what was is listed.
            Conflict: the node that stayed has itself left the graph since.
            PermissionDenied: the caller's tier is below librarian.
            Unavailable: the text of the node that returns could not be embedded.
        """
        known = self._merged(reference)
        passages = embed((known,), self._embedder)[0]

        def plan(batch: str) -> Plan[Parted]:
            merged = self._merged(known.id)
            keep = self._kept(merged)
            found = _Return(keep=keep, merged=merged, call=call)
            restored: dict[str, Node] = {}
            merging = turns(self._merging(merged))
            self._learned(merging, found)
            for turn in merging:
                if isinstance(turn.before, Node) and isinstance(turn.after, Node):
                    restored[turn.id] = self._node(turn, found)
                else:
                    self._turn(turn, found)
            back, stays = restored[merged.id], restored[keep.id]
            operations = (
                *found.removals,
                SaveNode(node=back, expect=merged.version, passages=passages),
                SaveNode(node=stays, expect=keep.version),
                *found.relations,
                *found.evidence,
                *found.suggestions,
                *self._mentions(keep, stays, back),
            )
            answer = Parted(
                node=back,
                from_node=stays,
                relations=found.returned,
                evidence=len(found.evidence),
                left=tuple(found.left),
                batch=batch,
            )
            return Plan(operations=operations, answer=answer, subjects=(back.id, stays.id), spares_documents=False)

        return settle(self._store, call, plan)

    # ---- which merge is meant

    def _merged(self, reference: str) -> Node:
        wanted = meant(reference)
        exact = self._store.nodes((wanted,)).get(wanted)
        if exact is not None and exact.retired is not None and exact.retired.merged_into:
            return exact
        keepers = self._store.resolve(wanted, limit=5) if wanted else ()
        inside = [node for keeper in keepers for node in self._merged_into(keeper)]
        named = [node for node in inside if fold(wanted) in map(fold, (node.title, *node.aliases, *node.handles))]
        if len(named) == 1:
            return named[0]
        offered = named or inside
        raise NotFound(
            f"merge_id «{wanted[:80]}» names {'several nodes' if named else 'no node'} that went into another.",
            hint="Name one of the candidates by its id."
            if offered
            else "The answer of merge_concepts, and the history of the node that stayed, name what was merged.",
            candidates=tuple(Candidate(id=node.id, title=node.title, why="merged") for node in offered[:5]),
        )

    def _merged_into(self, keeper: Node) -> list[Node]:
        batches = dict.fromkeys(change.batch for change in self._log.history(keeper.id, limit=_LOOKED_BACK_MAX))
        touched_with = {change.subject_id for batch in batches for change in self._log.batch(batch)}
        nodes = self._store.nodes(sorted(touched_with - {keeper.id}))
        return [node for node in nodes.values() if node.retired is not None and node.retired.merged_into == keeper.id]

    def _merging(self, merged: Node) -> tuple[Change, ...]:
        """Return the changes of the batch that merged the node: the last thing that happened to it."""
        return self._log.batch(self._log.history(merged.id, limit=1)[0].batch)

    def _kept(self, merged: Node) -> Node:
        into = merged.retired.merged_into if merged.retired else ""
        keep = self._store.nodes((into,))[into]
        if keep.retired is None:
            return keep
        if keep.retired.merged_into:
            (further,) = self._store.nodes((keep.retired.merged_into,)).values()
            raise Conflict(
                f"«{merged.title}» went into «{keep.title}», and that into «{further.title}» since.",
                hint=f"Consider parting «{keep.title}» ({keep.id}) first.",
            )
        raise Conflict(
            f"«{merged.title}» went into «{keep.title}», which {keep.retired.by} forgot since.",
            hint="Consider undoing the batch that forgot it first.",
        )

    # ---- what becomes of each thing

    def _learned(self, merging: Sequence[Turn], found: _Return) -> None:
        """Find what was learned and went into other relations, and what of it was deleted since."""
        for turn in merging:
            if isinstance(turn.before, Relation) and turn.after is None and turn.before.learned_id:
                found.joined.add(turn.before.learned_id)
            elif isinstance(turn.before, Evidence) and self._log.history(turn.id, limit=1)[0].after is None:
                found.deleted.add(turn.before.learned_id)

    def _turn(self, turn: Turn, found: _Return) -> None:
        now = value_after(self._log.history(turn.id, limit=1)[0])
        match turn.before:
            case Relation():
                self._relation(turn, turn.before, now if isinstance(now, Relation) else None, found)
            case Evidence() if isinstance(now, Evidence) and isinstance(turn.after, Evidence):
                if now.subject == turn.after.subject and turn.before.subject not in found.gone:
                    back = replace(now, subject=turn.before.subject, version=now.version + 1)
                    found.evidence.append(SaveEvidence(evidence=back, expect=now.version))
            case Suggestion() if isinstance(now, Suggestion) and now == turn.after:
                reopened = replace(turn.before, version=now.version + 1)
                found.suggestions.append(SaveSuggestion(suggestion=reopened, expect=now.version))
            case _:
                pass

    def _node(self, turn: Turn, found: _Return) -> Node:
        now = found.merged if turn.id == found.merged.id else found.keep
        assert isinstance(turn.before, Node)  # noqa: S101 - the caller has looked
        assert isinstance(turn.after, Node)  # noqa: S101
        merged = _three_way(turn.before, turn.after, now, untouched=WRITTEN | {"id", "created_at", "created_by"})
        return touched(merged, found.call)

    def _relation(self, turn: Turn, before: Relation, now: Relation | None, found: _Return) -> None:
        after = turn.after if isinstance(turn.after, Relation) else None
        if after is None:
            self._absorbed(before, found)
        elif now is None:
            found.leave(before, "it was removed since")
        elif (before.source, before.target) == (after.source, after.target):
            self._strengthened(before, after, now, found)
        else:
            self._moved(before, after, now, found)

    def _absorbed(self, before: Relation, found: _Return) -> None:
        """Bring back a relation that went: one that the node which stays had as well, or one between the two."""
        if before.learned_id and before.learned_id in found.deleted:
            found.leave(before, f"{before.learned_id} was deleted since")
            return
        ends = {found.merged.id: found.merged.id, found.keep.id: found.keep.id}
        for end in (before.source, before.target):
            if end not in ends:
                standing = self._store.resolve(end, limit=1)
                ends[end] = standing[0].id if standing else ""
        if not all(ends[end] for end in (before.source, before.target)):
            found.leave(before, "the node at its other end was forgotten since")
            return
        self._returns(before, ends[before.source], ends[before.target], found)

    def _strengthened(self, before: Relation, after: Relation, now: Relation, found: _Return) -> None:
        """Take back what a relation of the node that stays gained by the merge.

        Where its own learned item was deleted since, it stands for one that returns, and goes. Where it was stated
        since, with a new reason or new evidence, it keeps its confidence: that of a statement is not recorded where it
        is no larger than what the merge had given.
        """
        if now.learned_id != after.learned_id and now.learned_id in found.joined:
            if now.origin is not Origin.DOCUMENT:
                found.removals.append(RemoveRelation(id=now.id, expect=now.version))
                return
            before, after = (replace(each, learned_id=id_) for each, id_ in ((before, ""), (after, now.learned_id)))
        stated = now.reasoning != after.reasoning or self._given_since(now, found)
        weaker = _three_way(before, after, now, untouched=_ENDS | {"confidence"} if stated else _ENDS)
        if weaker != now:
            found.relations.append(SaveRelation(relation=replace(weaker, version=now.version + 1), expect=now.version))

    def _moved(self, before: Relation, after: Relation, now: Relation, found: _Return) -> None:
        """Bring a relation back to the node it came from; what was said of it since stays with a new one."""
        source, target = (found.merged.id if end == found.keep.id else end for end in (now.source, now.target))
        if not self._returns(before, source, target, found):
            return
        found.removals.append(RemoveRelation(id=now.id, expect=now.version))
        since = self._given_since(now, found)
        if not since and _alike(after, now, untouched=_ENDS):
            return
        own = replace(now, id=new_id(found.call.at), learned_id="", version=1)
        found.relations.append(SaveRelation(relation=own, expect=0))
        found.evidence += [
            SaveEvidence(evidence=replace(each, subject=own.id, version=each.version + 1), expect=each.version)
            for each in since
        ]

    def _given_since(self, now: Relation, found: _Return) -> list[Evidence]:
        """Return the evidence of a relation that was not there when the nodes were merged."""
        return [each for each in self._store.evidence((now.id,)) if not self._at_merge(each, found)]

    def _at_merge(self, piece: Evidence, found: _Return) -> bool:
        """Whether a piece of evidence was there when the nodes were merged."""
        merged_at = self._log.history(found.merged.id, limit=1)[0].seq
        return self._log.history(piece.id, limit=_LOOKED_BACK_MAX)[-1].seq < merged_at

    def _returns(self, before: Relation, source: str, target: str, found: _Return) -> bool:
        source, target = ordered(source, target, self._store.vocabulary.type(before.type))
        if source == target or (source, target, before.type) in found.places:
            found.leave(before, "its other end was merged since, and it would be there twice")
            return False
        back = replace(before, source=source, target=target, version=1)
        found.relations.append(SaveRelation(relation=back, expect=0))
        found.places.add((source, target, before.type))
        found.returned += 1
        return True

    def _mentions(self, keep: Node, stays: Node, back: Node) -> tuple[SaveMentions, ...]:
        """Return the mentions as they were: texts that name the one which returns lead to it again."""
        names = {fold(name) for name in (back.title, *back.aliases)}
        named = [
            Mention(node=each.node, target=back.id, name=each.name)
            for each in self._shelf.mentions((keep.id,), per_node=MENTIONS_READ)
            if each.target == keep.id and fold(each.name) in names
        ]
        own = mentions(self._shelf, self._words, back)
        outgoing = [each for each in own.outgoing if each.target != keep.id]
        incoming = {each.node: each for each in (*own.incoming, *named) if each.node != keep.id}
        # The names of both still lead to the node that stays: what the two say of each other is read from their texts.
        return (
            *mentions_anew(self._shelf, self._words, keep, stays),
            replace(
                own,
                outgoing=(*outgoing, *mention_of(stays, back)),
                incoming=(*incoming.values(), *mention_of(back, stays)),
            ),
        )


def _three_way(before: V, after: V, now: V, *, untouched: frozenset[str]) -> V:
    """Return ``now`` with each field that is as the merge left it put back to what it was before.

    Of a list that was changed since, only what the merge added goes.
    """
    changes: dict[str, Any] = {}
    for each in fields(before):
        name = each.name
        was, left, is_now = (getattr(value, name) for value in (before, after, now))
        if name in untouched or was == left:
            continue
        if is_now == left:
            changes[name] = was
        elif name in _LISTS:
            changes[name] = tuple(item for item in is_now if item in was or item not in left)
    return replace(now, **changes)


def _alike(one: Relation, other: Relation, *, untouched: frozenset[str]) -> bool:
    names = (each.name for each in fields(one) if each.name not in untouched)
    return all(getattr(one, name) == getattr(other, name) for name in names)
