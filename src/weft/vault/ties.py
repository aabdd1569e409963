"""Relations that somebody wrote into a note, changed there or took out of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from weft.errors import InvalidArgument, NotFound, WeftError
from weft.model import RemoveRelation, SaveRelation, Subject
from weft.services.drafting import line
from weft.services.naming import resolve
from weft.services.relating import Assertion, ordered, plan_relation
from weft.vocabulary import CONFIDENCE, REASON_MAX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from weft.formats.vault_note import Entry
    from weft.model import Node, Operation, Relation
    from weft.vault.passing import Pass

__all__ = ["Ties"]

_SAME = 1e-9


class Ties:
    """Reads the relations of the notes of one pass, when all their nodes are there."""

    def __init__(self, run: Pass) -> None:
        self._run = run
        self._store = run.ports.store

    def read(self) -> None:
        """Read the relations of every note that was read, and try and tell again what is still open of the others."""
        for node, seen, trusted in self._run.tied:
            base = seen.entry.edges if seen.entry is not None else {}
            self._read(node, seen.path, seen.note.entries, base, trusted=trusted)
        self._retry({seen.path for _, seen, _ in self._run.tied})

    def _retry(self, done: set[str]) -> None:
        for entry in [each for each in self._run.memory.files.values() if each.pending and each.path not in done]:
            self._read(entry.id, entry.path, entry.pending, entry.edges, trusted=False)

    def _read(
        self, node_id: str, path: str, entries: Sequence[Entry], base: Mapping[str, float], *, trusted: bool
    ) -> None:
        node = self._store.nodes((node_id,)).get(node_id)
        if node is None or node.retired is not None:
            return
        standing = {each.id: each for each in self._run.relations_of(node_id)}
        pending: list[Entry] = []
        for each in entries:
            try:
                self._entry(node, each, standing, base)
            except (InvalidArgument, NotFound) as error:
                pending.append(replace(each, line=0))
                self._run.report.refuse(path, f"relation to «{each.target[:80]}»: {error.message}")
            except WeftError as error:
                self._run.refuse(path, error.message)
        if trusted:
            self._part(node_id, path, entries, (standing, base))
        self._pend(path, node_id, tuple(pending))

    def _entry(self, node: Node, entry: Entry, standing: Mapping[str, Relation], base: Mapping[str, float]) -> None:
        held = standing.get(entry.edge_id)
        if held is None and entry.edge_id in base:
            return  # it was taken out elsewhere
        if held is not None and self._means(entry, held, node):
            self._weigh(entry, held, base)
            return
        other = resolve(self._store, entry.target, field="target")
        relation_type = self._run.vocabulary.type_named(entry.type)
        source, target = (other, node) if entry.incoming else (node, other)
        ends = (*ordered(source.id, target.id, relation_type), relation_type.name)
        if any((each.source, each.target, each.type) == ends for each in standing.values()):
            return
        said = Assertion(
            source=source,
            target=target,
            type=relation_type,
            reasoning=line(entry.description, field="description", limit=REASON_MAX),
            confidence=CONFIDENCE if entry.strength is None else entry.strength,
        )
        planned = plan_relation(self._store, said, self._run.call)
        self._run.report.count("relations_made", int(bool(planned.operations)))
        self._run.commit(self._as_named(planned.operations, entry))
        self._run.touch((source.id, target.id))

    def _as_named(self, operations: Sequence[Operation], entry: Entry) -> list[Operation]:
        """Return the operations with the relation under the id that the note gives it, where that is free."""
        if not entry.edge_id or self._run.ports.archive.values(Subject.RELATION, [entry.edge_id]):
            return list(operations)
        return [
            replace(each, relation=replace(each.relation, id=entry.edge_id))
            if isinstance(each, SaveRelation) and each.expect == 0
            else each
            for each in operations
        ]

    def _means(self, entry: Entry, held: Relation, node: Node) -> bool:
        """Whether a note's entry still names the relation of its id."""
        other = held.other_end(node.id)
        same_type = entry.type == held.type or self._run.vocabulary.type_named(entry.type).name == held.type
        return entry.target == other and same_type

    def _weigh(self, entry: Entry, held: Relation, base: Mapping[str, float]) -> None:
        """Take over a strength that somebody changed."""
        said, was = entry.strength, base.get(entry.edge_id)
        if said is None or was is None or abs(said - was) < _SAME or abs(said - held.confidence) < _SAME:
            return
        changed = replace(held, confidence=said, version=held.version + 1)
        self._run.report.count("relations_changed")
        self._run.commit((SaveRelation(relation=changed, expect=held.version),))
        self._run.touch((held.source, held.target))

    def _part(
        self,
        node: str,
        path: str,
        entries: Sequence[Entry],
        known: tuple[Mapping[str, Relation], Mapping[str, float]],
    ) -> None:
        """Take out the relations that the note showed and shows no longer."""
        standing, base = known
        told = {each.edge_id for each in entries}
        gone = [standing[id_] for id_ in base if id_ not in told and id_ in standing]
        if gone and not self._run.may_remove:
            self._run.report.refuse(path, f"{len(gone)} relations were taken out of it; that needs a librarian")
            self._run.touch((node,))
            return
        self._run.report.count("relations_removed", len(gone))
        self._run.commit([RemoveRelation(id=each.id, expect=each.version) for each in gone])
        self._run.removed |= {each.id for each in gone}
        self._run.touch(end for each in gone for end in (each.source, each.target))

    def _pend(self, path: str, node: str, pending: tuple[Entry, ...]) -> None:
        entry = self._run.memory.files.get(path)
        if entry is not None and entry.pending != pending and not self._run.dry_run:
            self._run.memory.keep(replace(entry, pending=pending))
            self._run.touch((node,))
