"""Taking back a batch: each of its subjects returns to what it was, unless something newer was written about it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from weft.errors import Ambiguous, Conflict, InvalidArgument, NotFound
from weft.model import (
    Action,
    Evidence,
    Node,
    Origin,
    Relation,
    RemoveEvidence,
    RemoveRelation,
    SaveEvidence,
    SaveMentions,
    SaveNode,
    SaveRelation,
    SaveSuggestion,
    SaveVote,
    Subject,
    Suggestion,
    SuggestionState,
    Undone,
    Vote,
)
from weft.reason.blanking import ERASED
from weft.services import suggesting
from weft.services.forgetting import retired, unasked
from weft.services.mentioning import mentions_together
from weft.services.passages import embed
from weft.services.planning import Plan, settle
from weft.services.relating import attached, between, touched
from weft.services.turns import Turn, alike, turns, value_after
from weft.text import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from weft.model import Call, Change, Operation
    from weft.ports import Embedder, Log, Shelf, Store, Words

__all__ = ["BEGINNING_MIN", "LINKS", "Undoer"]

BEGINNING_MIN: Final = 8
"""Characters of the beginning of a batch's id that may stand for it: the first group of a UUIDv7 (RFC 9562 §5.7), which
is its time down to 65.5 s. What names a shorter one alone is that little was written yet."""

LINKS: Final = "links"
"""What follows a batch's id and a colon where only its automatic relations are to be taken back."""

_WHY: Final = "undone"


@dataclass(slots=True, kw_only=True)
class _Reversal:
    """What is gathered while a batch is taken back. Removals are written first, so that what returns finds room."""

    call: Call
    batch: str
    removals: list[Operation] = field(default_factory=list)
    writes: list[Operation] = field(default_factory=list)
    nodes: list[tuple[Node, Node]] = field(default_factory=list)
    obstacles: list[Suggestion] = field(default_factory=list)
    reverted: int = 0

    def refuse(self, turn: Turn, why: str) -> None:
        """Leave this subject as it is, and have somebody look at it."""
        said = f"Undo left {turn.subject.value} {_said_of(turn)} as it is: {why}."
        self.obstacles.append(suggesting.overtaken(self.batch, turn.id, _nodes_of(turn), said, self.call))


class Undoer:
    """Takes batches back. What it writes is a batch too, so that undoing that one does it again."""

    def __init__(self, *, store: Store, log: Log, shelf: Shelf, words: Words, embedder: Embedder) -> None:
        self._store = store
        self._log = log
        self._shelf = shelf
        self._words = words
        self._embedder = embedder

    def undo(self, batch: str, call: Call) -> Undone:
        """Put every subject of ``batch`` back to what it was before; an unambiguous prefix of the id will do.

        A prefix has ``BEGINNING_MIN`` characters or more.

        ``BATCH:links`` takes back only the relations that were found automatically, with the marks that what they
        supersede got. A subject that something newer was written about stays as it is and becomes a review item, told
        in ``conflicts``. A node that the batch made is retired, together with relations that were found automatically
        since; one that somebody has related since stays. What stands as it did before the batch is left as it is.
        Sources stay in any case, as does a vote that was given for the first time, and what was erased.

        Raises:
            NotFound: no batch has this id, or it made no automatic relation.
            InvalidArgument: the prefix is too short.
            Ambiguous: several batches begin so.
            Conflict: nothing of it can be taken back any more; nothing was written.
            PermissionDenied: the caller's tier is below librarian.
            Unavailable: the text of a node that returns could not be embedded.
        """
        wanted, _, part = as_text(batch, field="batch").strip().partition(":")
        changes = self._changes(wanted, part)

        def plan(undo_batch: str) -> Plan[Undone]:
            reversal = _Reversal(call=call, batch=changes[0].batch)
            for turn in turns(changes):
                self._reverse(turn, reversal)
            if not reversal.reverted:
                raise _nothing_left(reversal)
            operations = (
                *reversal.removals,
                *self._node_writes(reversal),
                *reversal.writes,
                *self._unasked(reversal),
                *(SaveSuggestion(suggestion=each) for each in reversal.obstacles),
            )
            answer = Undone(
                batch=reversal.batch,
                reverted=reversal.reverted,
                conflicts=tuple(each.summary for each in reversal.obstacles),
                undo_batch=undo_batch,
            )
            return Plan(operations=operations, answer=answer, subjects=(reversal.batch,), spares_documents=False)

        return settle(self._store, call, plan)

    def _changes(self, wanted: str, part: str) -> tuple[Change, ...]:
        changes = self._begun(wanted) if wanted else ()
        if not changes:
            hint = "The answer of every writing call names its batch; weft log lists them."
            raise NotFound(f"batch «{wanted}» is not in the log.", hint=hint)
        if not part:
            return changes
        linked = _linked(changes)
        if part != LINKS or not linked:
            raise NotFound(
                f"batch «{wanted}» has no part «{part}» to undo.",
                hint=f"BATCH undoes all of it, BATCH:{LINKS} the relations that were found automatically.",
            )
        return linked

    def _begun(self, wanted: str) -> tuple[Change, ...]:
        """Return the changes of the batch that ``wanted`` names: its whole id, or enough of it to be meant."""
        short = len(wanted) < BEGINNING_MIN
        try:
            changes = self._log.batch(wanted)
        except Ambiguous:
            if not short:
                raise
        else:
            if not short or not changes or changes[0].batch == wanted:
                return changes
        raise InvalidArgument(
            f"batch: «{wanted}» is too short to name one; give its id, or {BEGINNING_MIN} characters or more of it.",
            hint="weft log lists the batches.",
        )

    def _reverse(self, turn: Turn, reversal: _Reversal) -> None:
        if turn.subject is Subject.SOURCE:
            return
        last = self._log.history(turn.id, limit=1)[0]
        if last.seq != turn.seq and alike(turn.before, turn.after):
            return  # the batch set its time alone, and it has another since
        standing = turn.after if last.seq == turn.seq else value_after(last)
        if not alike(standing, turn.after):
            if not isinstance(turn.after, Suggestion) and not alike(standing, turn.before):
                reversal.refuse(turn, f"{last.actor} changed it later, in batch {last.batch}")
            return
        turn = replace(turn, after=standing)
        reverse: dict[Subject, Callable[[Turn, _Reversal], bool]] = {
            Subject.NODE: self._node,
            Subject.RELATION: self._relation,
            Subject.EVIDENCE: _evidence,
            Subject.SUGGESTION: _suggestion,
            Subject.VOTE: _vote,
        }
        reversal.reverted += reverse[turn.subject](turn, reversal)

    def _node(self, turn: Turn, reversal: _Reversal) -> bool:
        before, after = turn.before, turn.after
        if not isinstance(after, Node):
            return False
        if after.retired is not None and after.content == ERASED:
            reversal.refuse(turn, "it was erased")
            return False
        if isinstance(before, Node):
            restored = touched(replace(before, version=after.version), reversal.call)
        else:
            restored = retired(after, reversal.call, why=_WHY)
        if restored.retired is not None and after.retired is None:
            later = self._later(turn, reversal)
            if later is None:
                return False
            reversal.removals += later
        reversal.nodes.append((after, restored))
        return True

    def _later(self, turn: Turn, reversal: _Reversal) -> list[Operation] | None:
        """Return the removal of what was linked to a node since its batch made it; None where somebody related it."""
        removals: list[Operation] = []
        for relation in attached(self._store, turn.id):
            if self._log.history(relation.id, limit=1)[0].batch == reversal.batch:
                continue
            if relation.origin is not Origin.INFERRED:
                reversal.refuse(turn, f"{relation.created_by} related it since, by {relation.type}")
                return None
            removals.append(RemoveRelation(id=relation.id, expect=relation.version))
        return removals

    def _relation(self, turn: Turn, reversal: _Reversal) -> bool:
        before = turn.before if isinstance(turn.before, Relation) else None
        after = turn.after if isinstance(turn.after, Relation) else None
        in_place = before is not None and after is not None and not _moved(before, after)
        if before is not None and not in_place and not self._has_room(turn, before, reversal):
            return False
        if after is not None and not in_place:
            reversal.removals.append(RemoveRelation(id=after.id, expect=after.version))
        if before is not None:
            expect = after.version if in_place and after is not None else 0
            restored = replace(before, version=expect + 1)
            reversal.writes.append(SaveRelation(relation=restored, expect=expect))
        return True

    def _has_room(self, turn: Turn, before: Relation, reversal: _Reversal) -> bool:
        """Whether a relation that went can return: both ends are there, or return too, and none took its place."""
        returning = {restored.id: restored for _, restored in reversal.nodes}
        ends = self._store.nodes((before.source, before.target)) | returning
        if any(end not in ends or ends[end].retired is not None for end in (before.source, before.target)):
            reversal.refuse(turn, "a node that it joined has been forgotten since")
            return False
        removed = {each.id for each in reversal.removals if isinstance(each, RemoveRelation)}
        taken = any(
            (each.source, each.target, each.type) == (before.source, before.target, before.type)
            for each in between(self._store, before.source, before.target)
            if each.id not in removed
        )
        if taken:
            reversal.refuse(turn, "the same two nodes have been related by the same type since")
        return not taken

    def _unasked(self, reversal: _Reversal) -> list[SaveSuggestion]:
        """Return what closes the questions that later batches asked about nodes which leave again."""
        decided = {each.suggestion.id for each in reversal.writes if isinstance(each, SaveSuggestion)}
        leaving = [each.id for _, each in reversal.nodes if each.retired is not None and not each.retired.merged_into]
        return [each for each in unasked(self._store, leaving, reversal.call) if each.suggestion.id not in decided]

    def _node_writes(self, reversal: _Reversal) -> list[Operation]:
        told = [restored for after, restored in reversal.nodes if _told_anew(after, restored)]
        passages = dict(zip([node.id for node in told], embed(told, self._embedder), strict=True))
        writes: list[Operation] = []
        named: list[tuple[Node, Node]] = []
        for after, restored in reversal.nodes:
            writes.append(SaveNode(node=restored, expect=after.version, passages=passages.get(restored.id)))
            if restored.retired is not None:
                writes.append(SaveMentions(node=restored.id, outgoing=()))
            elif restored.id in passages or _named(after) != _named(restored):
                named.append((after, restored))
        return [*writes, *mentions_together(self._shelf, self._words, named)]


def _linked(changes: Sequence[Change]) -> tuple[Change, ...]:
    """Return the automatic relations of a batch, and the changes of nodes that one of them supersedes."""
    made = [change for change in changes if _automatic(change)]
    ended = {change.after["target"] for change in made if change.after and change.after["type"] == "supersedes"}
    marked = (each for each in changes if each.action is Action.UPDATE and each.subject_id in ended)
    return (*made, *marked)


def _automatic(change: Change) -> bool:
    after = change.after or {}
    made = change.subject is Subject.RELATION and change.action is Action.CREATE
    return made and after.get("origin") == Origin.INFERRED.value


def _moved(before: Relation, after: Relation) -> bool:
    return (before.source, before.target, before.type) != (after.source, after.target, after.type)


def _named(node: Node) -> tuple[str, ...]:
    return (node.title, *node.aliases)


def _told_anew(after: Node, restored: Node) -> bool:
    """Whether a node's passages must be written again: it returns, or its words change."""
    if restored.retired is not None:
        return False
    return after.retired is not None or any(
        getattr(after, name) != getattr(restored, name) for name in ("title", "content", "search_terms")
    )


def _evidence(turn: Turn, reversal: _Reversal) -> bool:
    before, after = turn.before, turn.after
    if isinstance(after, Evidence) and before is None:
        reversal.removals.append(RemoveEvidence(id=after.id, expect=after.version))
    elif isinstance(before, Evidence):
        expect = after.version if isinstance(after, Evidence) else 0
        reversal.writes.append(SaveEvidence(evidence=replace(before, version=expect + 1), expect=expect))
    return True


def _suggestion(turn: Turn, reversal: _Reversal) -> bool:
    before, after = turn.before, turn.after
    if not isinstance(after, Suggestion):
        return False
    if isinstance(before, Suggestion):
        restored = replace(before, version=after.version + 1)
        reversal.writes.append(SaveSuggestion(suggestion=restored, expect=after.version))
    else:
        reversal.writes.append(suggesting.closed(after, SuggestionState.DISMISSED, reversal.call, why=_WHY))
    return True


def _vote(turn: Turn, reversal: _Reversal) -> bool:
    if not isinstance(turn.before, Vote):
        reversal.refuse(turn, "a vote can be changed but not taken back")
        return False
    reversal.writes.append(SaveVote(vote=turn.before))
    return True


def _said_of(turn: Turn) -> str:
    value = turn.after or turn.before
    if isinstance(value, Node):
        return f"«{value.title}»"
    return f"{value.type} {turn.id}" if isinstance(value, Relation) else turn.id


def _nodes_of(turn: Turn) -> tuple[str, ...]:
    value = turn.after or turn.before
    if isinstance(value, Relation):
        return (value.source, value.target)
    return (value.subject,) if isinstance(value, Evidence) else (turn.id,)


def _nothing_left(reversal: _Reversal) -> Conflict:
    reasons: Iterable[str] = dict.fromkeys(each.summary for each in reversal.obstacles[:3])
    why = " ".join(reasons) or "All that it changed stands as it did before."
    return Conflict(
        f"Nothing of batch {reversal.batch} can be taken back any more; nothing was written. {why}",
        hint="If it was undone already, undo the batch of that undo to have it again.",
    )
