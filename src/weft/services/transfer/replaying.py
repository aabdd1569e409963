"""The log of another graph, written again: the same changes by the same hands at the same times.

Every line of a log says what its subject was before and after, so a log is a list of batches that can be committed
once more. In an empty graph that gives the same ids, versions, times, positions and batches, and the past can be
searched as in the graph it came from. In a graph that holds something, changes that it knows are left out, and changes
to what was changed here meanwhile are refused, each by name.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

from weft.errors import Conflict, InvalidArgument, PermissionDenied
from weft.model import (
    Action,
    Batch,
    Call,
    Change,
    Evidence,
    Node,
    Relation,
    RemoveEvidence,
    RemoveRelation,
    SaveNode,
    SaveSource,
    SaveVote,
    Source,
    Subject,
    Vote,
)
from weft.model.codec import digest_of, json_text, to_data, value_from
from weft.services.passages import embed
from weft.services.planning import saving

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from weft.model import Operation
    from weft.model.codec import Value
    from weft.ports import Archive, Embedder, Log, Store
    from weft.services.transfer.tally import Tally

__all__ = ["Numbered", "Replay"]

Numbered: TypeAlias = "tuple[int, Change]"
"""A change with the number of its line in the file."""

_Key: TypeAlias = tuple[Subject, str]

_REFUSALS: Final = (Conflict, InvalidArgument, PermissionDenied)
_EMBEDDED: Final = ("title", "content", "search_terms", "origin")
"""The fields of a node that its passages are made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """One change that is to be written: its line in the file, and the operation that makes it."""

    line: int
    change: Change
    operation: Operation


@dataclass(slots=True, kw_only=True)
class _Standing:
    """What stands of the subjects at hand, kept up as steps are planned."""

    values: dict[_Key, Value] = field(default_factory=dict)

    def turn(self, key: _Key, value: Value | None) -> None:
        """Let ``value`` stand under ``key`` from here on."""
        if value is None:
            self.values.pop(key, None)
        else:
            self.values[key] = value


class Replay:
    """Writes changes of another graph's log. ``path`` is the file they come from, for the report."""

    def __init__(
        self, *, store: Store, log: Log, archive: Archive, embedder: Embedder, tally: Tally, path: str, call: Call
    ) -> None:
        self._store = store
        self._log = log
        self._archive = archive
        self._embedder = embedder
        self._tally = tally
        self._path = path
        self._call = call
        self._fresh = log.head() == 0
        self.touched: dict[str, None] = {}

    def write(self, changes: Sequence[Numbered]) -> None:
        """Write these changes, those of one batch together; what cannot be written is reported and left out.

        ``changes`` holds whole batches only, in the order of the log.
        """
        wanted = [numbered for numbered, known in self._sifted(changes) if not known]
        if self._tally.dry_run:
            for _, change in wanted:
                self._count(change)
            return
        standing = self._stood({(each.subject, each.subject_id) for _, each in wanted})
        steps = list(self._planned(wanted, standing))
        for steps_of_batch in _batches(self._embedded(steps)):
            self._commit(steps_of_batch)

    def _sifted(self, changes: Sequence[Numbered]) -> Iterator[tuple[Numbered, bool]]:
        """Yield each change with whether this graph has it already."""
        if self._fresh:
            yield from ((numbered, False) for numbered in changes)
            return
        for batch, group in groupby(changes, key=lambda each: each[1].batch):
            here = self._log.batch(batch)
            held = {_print(each) for each in here if each.batch == batch}
            for numbered in group:
                known = _print(numbered[1]) in held
                self._tally.changes_known += known
                yield numbered, known

    def _stood(self, keys: set[_Key]) -> _Standing:
        standing = _Standing()
        for subject, group in groupby(sorted(keys), key=lambda key: key[0]):
            found = self._archive.values(subject, [id_ for _, id_ in group])
            standing.values |= {(subject, id_): value for id_, value in found.items()}
        return standing

    def _planned(self, changes: Iterable[Numbered], standing: _Standing) -> Iterator[_Step]:
        for line, change in changes:
            key = (change.subject, change.subject_id)
            before = standing.values.get(key)
            after = value_from(change.subject, change.after) if change.after is not None else None
            operation = _operation(change, before, after)
            if operation is None:
                self._refuse(line, change, "it was changed here meanwhile, or its earlier changes are missing")
                continue
            standing.turn(key, after)
            yield _Step(line=line, change=change, operation=operation)

    def _embedded(self, steps: Sequence[_Step]) -> Iterator[_Step]:
        """Yield the steps, those that write a node's text with its passages; all are embedded in one call."""
        texts = [node for node in map(_text_of, steps) if node is not None]
        passages = iter(embed(texts, self._embedder)) if texts else iter(())
        for step in steps:
            node = _text_of(step)
            if node is None or not isinstance(step.operation, SaveNode):
                yield step
            else:
                yield replace(step, operation=replace(step.operation, passages=next(passages)))

    def _commit(self, steps: Sequence[_Step]) -> None:
        try:
            self._store.commit(_batch(steps, self._call))
        except _REFUSALS as error:
            if len(steps) == 1:
                self._refuse(steps[0].line, steps[0].change, error.message)
                return
            for step in steps:
                self._commit((step,))
            return
        for step in steps:
            self._count(step.change)

    def _count(self, change: Change) -> None:
        self._tally.changes += 1
        if change.subject is Subject.NODE:
            self._tally.nodes_made += change.before is None
            self._tally.nodes_updated += change.before is not None
            self.touched[change.subject_id] = None
        elif change.subject is Subject.RELATION:
            self._tally.relations_made += change.before is None

    def _refuse(self, line: int, change: Change, why: str) -> None:
        self._tally.refuse(
            self._path, line, f"change {change.seq} of {change.subject.value} {change.subject_id}: {why}"
        )


def _print(change: Change) -> str:
    """Return what tells one change of a batch from the others."""
    return digest_of(json_text([change.subject.value, change.subject_id, change.action.value, change.after]))


def _batches(steps: Iterable[_Step]) -> Iterator[list[_Step]]:
    for _, group in groupby(steps, key=_stamp):
        yield list(group)


def _stamp(step: _Step) -> tuple[object, ...]:
    change = step.change
    return change.batch, change.at, change.actor, change.client, change.tool, change.session


def _batch(steps: Sequence[_Step], call: Call) -> Batch:
    """Return the batch as it was written: by whom, through what and when."""
    first = steps[0].change
    by = Call(
        actor=first.actor, client=first.client, tool=first.tool, tier=call.tier, at=first.at, session=first.session
    )
    return Batch(id=first.batch, call=by, operations=tuple(step.operation for step in steps), spares_documents=False)


def _operation(change: Change, before: Value | None, after: Value | None) -> Operation | None:
    """Return what makes the change, or None where it does not follow on what stands."""
    if after is None:
        return _removal(before, change)
    if isinstance(after, Source):
        return SaveSource(source=after) if before is None else None
    if isinstance(after, Vote):
        follows = not isinstance(before, Vote) or before.at <= after.at or to_data(before) == change.before
        return SaveVote(vote=after) if follows else None  # one that was undone is older than the one it follows
    stands = 0 if before is None or isinstance(before, Source | Vote) else before.version
    if after.version != stands + 1 or (change.action is Action.CREATE) != (before is None):
        return None
    return saving(after, stands)


def _removal(before: Value | None, change: Change) -> Operation | None:
    if before is None or to_data(before) != change.before:
        return None
    match before:
        case Relation():
            return RemoveRelation(id=before.id, expect=before.version)
        case Evidence():
            return RemoveEvidence(id=before.id, expect=before.version)
        case _:
            return None


def _text_of(step: _Step) -> Node | None:
    """Return the node that the step writes, if its passages are made anew: its text differs, or it comes back."""
    if not isinstance(step.operation, SaveNode) or step.operation.node.retired is not None:
        return None
    before, after = step.change.before, step.change.after
    if before is None or after is None or before.get("retired"):
        return step.operation.node
    return step.operation.node if any(before.get(name) != after.get(name) for name in _EMBEDDED) else None
