"""The graph's side of a pass: which nodes changed since the last one, and their notes, records and sources written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from weft.errors import InvalidArgument, Unavailable
from weft.formats import vault_note, vault_record, vault_source
from weft.formats.jsonl import Series
from weft.formats.vault_note import ENTRIES_MAX
from weft.model import Node, Page, Relation, Subject, Suggestion, SuggestionQuery, SuggestionState
from weft.model.codec import suggestion_from
from weft.vault.folder import digest_of
from weft.vault.memory import Mirrored, revisions
from weft.vault.names import SERIES, VOCABULARY, note_path, record_path, source_path
from weft.vault.passing import entries_of
from weft.vault.shaping import lost, prints

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.formats.vault_record import Kept
    from weft.model import Change, Evidence, Source, Vote
    from weft.ports import Log
    from weft.vault.folder import Stamp
    from weft.vault.passing import Pass

__all__ = ["Changed", "Writing", "changed_since", "notes_waiting"]

_AT_ONCE: Final = 200
_SOURCES_AT_ONCE: Final = 20
_CHANGES_AT_ONCE: Final = 200
_LOOKED_MAX: Final = 1_000
_DECIDED_MAX: Final = 500
FAILURES_MAX: Final = 20


@dataclass(slots=True, kw_only=True)
class Changed:
    """What the log says of since a position: nodes and sources whose files are to be written, and the new position."""

    nodes: dict[str, None]
    sources: dict[str, None]
    cursor: int


def changed_since(run: Pass, found: Changed) -> Changed:
    """Add to ``found`` what changed in the graph since then, and return it."""
    while changes := run.ports.log.since(found.cursor, limit=_CHANGES_AT_ONCE):
        loose: dict[str, None] = {}
        votes: dict[str, None] = {}
        for change in changes:
            _note(change, found, loose, votes)
        owners = run.ports.archive.values(Subject.RELATION, list(loose))
        found.nodes |= {each.source: None for each in owners.values() if isinstance(each, Relation)}
        for item in run.ports.learned.items(list(votes)).values():
            found.nodes |= {relation.source: None for relation in item.relations}
            found.nodes |= {item.concept.id: None} if item.concept is not None else {}
        found.cursor = changes[-1].seq
    return found


def notes_waiting(log: Log, cursor: int) -> int:
    """Return how many notes the changes after ``cursor`` concern; the first thousand of them are looked at."""
    found = Changed(nodes={}, sources={}, cursor=cursor)
    for change in log.since(cursor, limit=_LOOKED_MAX):
        _note(change, found, {}, {})
    return len(found.nodes)


def _note(change: Change, found: Changed, loose: dict[str, None], votes: dict[str, None]) -> None:
    sides: list[Mapping[str, Any]] = [side for side in (change.before, change.after) if side]
    match change.subject:
        case Subject.NODE:
            found.nodes[change.subject_id] = None
        case Subject.SOURCE:
            found.sources[change.subject_id] = None
        case Subject.RELATION:
            found.nodes |= {side[end]: None for side in sides for end in ("source", "target")}
        case Subject.EVIDENCE:
            found.nodes |= {side["subject"]: None for side in sides}
            loose |= {side["subject"]: None for side in sides}
        case Subject.VOTE:
            votes |= {side["learned_id"]: None for side in sides}
        case Subject.SUGGESTION:
            decided = [suggestion_from(side) for side in sides[-1:]]
            found.nodes |= {each.subjects[0]: None for each in decided if _travels(each)}


def _travels(suggestion: Suggestion) -> bool:
    """Whether a suggestion is kept in the vault: decisions are, open questions are found anew."""
    return suggestion.state is not SuggestionState.OPEN and bool(suggestion.subjects)


class Writing:
    """Writes the files of one pass."""

    def __init__(self, run: Pass) -> None:
        self._run = run
        self._ports = run.ports

    def write(self, nodes: Sequence[str], sources: Sequence[str]) -> None:
        """Write the files of these nodes and sources that are not as they should be."""
        for start in range(0, len(sources), _SOURCES_AT_ONCE):
            for source in self._ports.store.sources(sources[start : start + _SOURCES_AT_ONCE]).values():
                self._source(source)
        for start in range(0, len(nodes), _AT_ONCE):
            self._run.call.report(start, len(nodes), "writing notes")
            self._nodes(nodes[start : start + _AT_ONCE])
        if nodes or sources:
            self._series()
        self._vocabulary()

    def _nodes(self, ids: Sequence[str]) -> None:
        store = self._ports.store
        nodes = store.nodes(ids)
        relations = {id_: self._run.relations_of(id_) for id_ in nodes}
        outgoing = {id_: [each for each in held if each.source == id_] for id_, held in relations.items()}
        subjects = [*nodes, *(each.id for held in outgoing.values() for each in held)]
        evidence: dict[str, list[Evidence]] = {}
        for each in store.evidence(subjects) if subjects else ():
            evidence.setdefault(each.subject, []).append(each)
        votes = self._votes(nodes.values(), outgoing, evidence)
        for id_, node in nodes.items():
            text = self._note(node, relations[id_]) if node.retired is None else self._gone(node)
            pieces = [piece for held in (id_, *(each.id for each in outgoing[id_])) for piece in evidence.get(held, ())]
            kept: list[Kept] = [*outgoing[id_], *pieces]
            learned = dict.fromkeys(filter(None, _learned((node,), outgoing[id_], pieces)))
            kept += [vote for learned_id in learned for vote in votes.get(learned_id, ())]
            kept += self._decisions(node)
            if node.retired is not None or "\nleft_out:" in text:
                kept.append(node)
            self._file(record_path(id_), "record", id_, vault_record.render(kept).encode())

    def _votes(
        self,
        nodes: Iterable[Node],
        outgoing: Mapping[str, Sequence[Relation]],
        evidence: Mapping[str, Sequence[Evidence]],
    ) -> Mapping[str, tuple[Vote, ...]]:
        learned = set(_learned(nodes, chain(*outgoing.values()), chain(*evidence.values())))
        return self._ports.learned.votes(sorted(learned - {""})) if learned - {""} else {}

    def _decisions(self, node: Node) -> list[Suggestion]:
        query = SuggestionQuery(subject=node.id, state="", page=Page(limit=_DECIDED_MAX))
        found = self._ports.store.suggestions(query)[0]
        return [each for each in found if _travels(each) and each.subjects[0] == node.id and "copy" not in each.grounds]

    def _note(self, node: Node, relations: Sequence[Relation]) -> str:
        """Write a node's note, and return its text."""
        run = self._run
        if node.id in run.fresh and node.version == 1 and not relations:
            return ""
        entry = run.memory.of("note", node.id)
        try:
            text = self._rendered(node, relations, entry)
        except ValueError as error:
            run.refuse(entry.path if entry is not None else note_path(node, run.vocabulary), str(error))
            return ""
        path = self._place(node, entry)
        shown = vault_note.parse(text)
        edges = {each.edge_id: each.strength or 0.0 for each in shown.entries if each.edge_id}
        self._file(
            path,
            "note",
            node.id,
            text.encode(),
            version=node.version,
            revision=shown.revision,
            earlier=revisions(entry),
            said=prints(shown),
            edges=edges,
            pending=entry.pending if entry is not None else (),
            extra=shown.extra,
            tags=shown.named,
            at_home=path in {note_path(node, run.vocabulary), note_path(node, run.vocabulary, whole=True)},
        )
        return text

    def _rendered(self, node: Node, relations: Sequence[Relation], entry: Mirrored | None) -> str:
        """Return the text of a node's note, with what the note that is remembered held beside the node.

        Raises:
            ValueError: a note cannot hold it.
        """
        return vault_note.render(
            node,
            entries_of(node, relations, entry.pending if entry is not None else ()),
            more=max(0, len(relations) - ENTRIES_MAX),
            extra=entry.extra if entry is not None else "",
            lost=lost(node, self._run.vocabulary),
            named=entry.tags if entry is not None else (),
        )

    def _gone(self, node: Node) -> str:
        """Remove the note of a node that left the graph."""
        entry = self._run.memory.of("note", node.id)
        if entry is not None:
            self._remove(entry.path, self._run.held.get(entry.path, entry.digest))
        return ""

    def _place(self, node: Node, entry: Mirrored | None) -> str:
        """Return where a node's note lies: where it was found, or, where nobody moved it, where its name puts it."""
        run = self._run
        home = note_path(node, self._run.vocabulary)
        if entry is None:
            taken = run.memory.files.get(home)
            free = (taken is None or taken.id == node.id) and home not in run.scan.files
            return home if free else note_path(node, self._run.vocabulary, whole=True)
        moves = entry.at_home and entry.path.rpartition("/")[0] != home.rpartition("/")[0]
        if not moves or entry.path in run.blocked or run.dry_run or not run.folder.move(entry.path, home):
            return entry.path
        run.report.count("moved")
        run.memory.keep(replace(entry, path=home))
        run.held[home] = run.held.pop(entry.path, entry.digest)
        return home

    def _source(self, source: Source) -> None:
        text = vault_source.render(source)
        try:
            survives = vault_source.parse(text) == source
        except InvalidArgument:
            survives = False
        if survives:
            self._file(source_path(source), "source", source.id, text.encode())
        else:
            self._file(record_path(source.id), "record", source.id, vault_record.render((source,)).encode())

    def _series(self) -> None:
        named: dict[str, int] = self._ports.store.facts()["series"]
        last = [Series(name=name, value=value - 1) for name, value in named.items() if value > 1]
        self._file(SERIES, "series", "", vault_record.render(last).encode())

    def _vocabulary(self) -> None:
        self._file(VOCABULARY, "vocabulary", "", vault_record.render(self._run.vocabulary.own.rows).encode())

    def _file(self, path: str, what: str, id_: str, body: bytes, **kept: Any) -> None:  # noqa: ANN401 - fields of Mirrored
        """Write a file, unless it holds that already, is being edited, or may not be touched."""
        run = self._run
        entry = run.memory.files.get(path)
        expect = run.held.get(path, entry.digest if entry is not None else "")
        if path not in run.scan.files and path not in run.held:
            expect = ""
        digest = digest_of(body)
        if path in run.blocked or (expect == digest and entry is not None and not kept) or (not body and not expect):
            return
        if run.dry_run:
            run.report.count("written", int(expect != digest))
            return
        if expect == digest and entry is not None:
            stamp, looked_ns = entry.stamp, entry.looked_ns
        else:
            if not body:
                self._remove(path, expect)
                return
            written = self._laid(path, body, expect)
            if written is None:
                return  # it changed since it was looked at: the next pass reads it
            stamp, looked_ns = written, run.now_ns()
            run.report.count("written")
        run.held[path] = digest
        run.memory.keep(Mirrored(path=path, what=what, id=id_, digest=digest, stamp=stamp, looked_ns=looked_ns, **kept))

    def _laid(self, path: str, body: bytes, expect: str) -> Stamp | None:
        """Write a file; one that the disk refuses is reported, and tried again in the next pass.

        Raises:
            Unavailable: it refuses many.
        """
        try:
            return self._run.folder.write(path, body, expect=expect)
        except Unavailable as error:
            self._run.failures += 1
            self._run.report.refuse(path, error.message)
            if self._run.failures > FAILURES_MAX:
                raise
            return None

    def _remove(self, path: str, expect: str) -> None:
        """Remove a file that mirrors nothing any more, if it is still as it was."""
        run = self._run
        if path in run.blocked:
            return
        if run.dry_run:
            run.report.count("removed")
        elif run.folder.remove(path, expect=expect) or not run.folder.exists(path):
            run.report.count("removed")
            run.memory.drop(path)


def _learned(nodes: Iterable[Node], relations: Iterable[Relation], pieces: Iterable[Evidence]) -> Iterator[str]:
    """Yield the learned ids that these carry; where nodes were merged, evidence may carry another than its relation."""
    yield from (node.learned_id for node in nodes)
    yield from (relation.learned_id for relation in relations)
    yield from (piece.learned_id for piece in pieces)
