"""Sources and records that somebody brought along: what they hold and the graph does not know is written into it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import InvalidArgument, WeftError
from weft.formats import vault_record, vault_source
from weft.formats.jsonl import Series, key_of
from weft.model import (
    Evidence,
    Node,
    Relation,
    RemoveEvidence,
    RemoveRelation,
    ReserveNumbers,
    SaveEvidence,
    SaveNode,
    SaveRelation,
    SaveSource,
    SaveSuggestion,
    SaveVote,
    Source,
    Subject,
    Suggestion,
    SuggestionState,
    Vote,
)
from weft.model.codec import id_of, to_data
from weft.services.planning import saving
from weft.services.registering import checked, register
from weft.vault.folder import digest_of
from weft.vault.memory import Mirrored
from weft.vault.names import SERIES, record_path
from weft.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from weft.formats.vault_record import Kept
    from weft.model import Operation
    from weft.model.codec import Value
    from weft.vault.folder import Stamp
    from weft.vault.passing import Pass
    from weft.vocabulary import Row

__all__ = ["Records"]

_SOURCES_AT_ONCE: Final = 20
_VALUES_AT_ONCE: Final = 500


class Records:
    """Reads the sources and the records of one pass."""

    def __init__(self, run: Pass) -> None:
        self._run = run
        self._ports = run.ports
        self._values: list[tuple[str, int, Kept]] = []

    def read_vocabulary(self, paths: Sequence[str]) -> None:
        """Read the graph's own kinds and relation types; what is not known here is registered before notes are read.

        A trial run only knows them.
        """
        for path in paths:
            text = self._text(path)
            if text is not None:
                rows, problems = vault_record.parse_rows(text[0])
                for problem in problems:
                    self._run.refuse(path, problem.message, problem.line)
                self._learn(path, rows)
                self._agree(path, "vocabulary", "", text[2], text[1])

    def _learn(self, path: str, rows: Sequence[tuple[int, Row]]) -> None:
        run, learned = self._run, []
        for line, row in rows:
            try:
                if run.dry_run:
                    learned.append(checked(row, run.vocabulary))
                else:
                    run.report.count("others_made", int(self._register(row)))
            except WeftError as error:
                run.report.refuse(path, error.message, line)
        if run.dry_run:
            known = run.vocabulary.own.with_rows(learned)
            run.vocabulary = Vocabulary(lambda: known)

    def _register(self, row: Row) -> bool:
        return register(row, self._run.vocabulary, config=self._ports.config, call=self._run.call)

    def read_sources(self, paths: Sequence[str]) -> None:
        """Read these files of sources; each becomes a source that the graph lacked, and none is ever changed."""
        for start in range(0, len(paths), _SOURCES_AT_ONCE):
            found = [each for path in paths[start : start + _SOURCES_AT_ONCE] if (each := self._source(path))]
            known = self._ports.store.sources([source.id for _, source in found])
            fresh: list[Operation] = []
            for path, source in found:
                if source.id not in known:
                    fresh.append(SaveSource(source=source))
                elif known[source.id] != source:
                    self._run.refuse(path, "a source never changes; delete the file and it is written as it was")
            self._write([("", 0, each) for each in fresh])

    def _source(self, path: str) -> tuple[str, Source] | None:
        text = self._text(path)
        if text is None:
            return None
        body, stamp, digest = text
        try:
            source = vault_source.parse(body)
        except InvalidArgument as error:
            self._run.refuse(path, error.message)
            return None
        self._agree(path, "source", source.id, digest, stamp)
        return path, source

    def read(self, paths: Sequence[str]) -> None:
        """Read these records. What is missing here is written, unless it was taken out here."""
        for path in paths:
            self._record(path)
            if len(self._values) >= _VALUES_AT_ONCE:
                self._flush()
        self._flush()

    def _record(self, path: str) -> None:
        text = self._text(path)
        if text is None:
            return
        body, stamp, digest = text
        values, problems = vault_record.parse(body, self._run.vocabulary)
        for problem in problems:
            self._run.refuse(path, problem.message, problem.line)
        entry = self._run.memory.files.get(path)
        if path == SERIES:
            self._agree(path, "series", "", digest, stamp)
        elif entry is not None:
            if not problems:
                self._part(entry.id, values)
                self._agree(path, "record", entry.id, digest, stamp)
            self._run.touch((entry.id,))
        elif owner := _owner(path, values):
            self._agree(path, "record", owner, digest, stamp)
            self._run.touch((owner,))
        self._values += [(path, line, value) for line, value in values]

    def _text(self, path: str) -> tuple[str, Stamp, str] | None:
        run = self._run
        try:
            body, stamp = run.folder.read(path)
            digest = digest_of(body)
            run.held[path] = digest
            entry = run.memory.files.get(path)
            if entry is not None and entry.digest == digest:
                run.memory.keep(replace(entry, stamp=stamp, looked_ns=run.now_ns()))
                return None
            return body.decode("utf-8-sig"), stamp, digest
        except InvalidArgument as error:
            run.refuse(path, error.message)
        except UnicodeDecodeError:
            run.refuse(path, "not UTF-8")
        return None

    def _part(self, owner: str, values: Sequence[tuple[int, Kept]]) -> None:
        """Take out what somebody took out of the record, if the graph did not change around its node meanwhile."""
        run = self._run
        if owner in run.since or not run.may_remove:
            return
        told = {value.id for _, value in values if isinstance(value, Relation | Evidence)}
        relations = [each for each in run.relations_of(owner) if each.source == owner and each.id not in told]
        mine = [each.id for each in run.relations_of(owner) if each.source == owner]
        evidence = [each for each in self._ports.store.evidence((owner, *mine)) if each.id not in told]
        run.report.count("relations_removed", len(relations))
        run.removed |= {each.id for each in relations}
        run.commit(
            [
                *(RemoveEvidence(id=each.id, expect=each.version) for each in evidence),
                *(RemoveRelation(id=each.id, expect=each.version) for each in relations),
            ]
        )
        run.touch(end for each in relations for end in (each.source, each.target))

    def _flush(self) -> None:
        values, self._values = self._values, []
        self._write(list(self._compared(values)))

    def _compared(self, values: Sequence[tuple[str, int, Kept]]) -> Iterator[tuple[str, int, Operation]]:
        standing: dict[tuple[str, str], Value] = {}
        for kind in sorted({key_of(value) for _, _, value in values} & set(Subject)):
            ids = [_id(value) for _, _, value in values if key_of(value) == kind]
            found = self._ports.archive.values(Subject(kind), ids)
            standing |= {(kind, id_): value for id_, value in found.items()}
        met: set[tuple[str, str]] = set()
        for path, line, value in values:
            key = (key_of(value), _id(value))
            if isinstance(value, Series):
                yield from ((path, line, each) for each in self._series(value))
            elif key not in met:
                met.add(key)
                operation = self._operation(path, value, standing.get(key))
                if operation is not None:
                    yield path, line, operation

    def _operation(self, path: str, value: Value, held: Value | None) -> Operation | None:
        if held is None:
            return self._fresh(value)
        if isinstance(value, Vote) and isinstance(held, Vote):
            return SaveVote(vote=value) if value.at > held.at else None
        if isinstance(value, Suggestion) and isinstance(held, Suggestion):
            return _decided(value, held)
        if isinstance(value, Relation | Evidence) and isinstance(held, Relation | Evidence):
            return self._changed(path, value, held)
        return None

    def _fresh(self, value: Value) -> Operation | None:
        """Return what writes a value that is not here; None: it was here, and was taken out."""
        match value:
            case Vote():
                return SaveVote(vote=value)
            case Source():
                return SaveSource(source=value)
            case Node():
                return SaveNode(node=replace(value, version=1), expect=0) if value.retired else None
            case _:
                known = self._ports.log.history(value.id, limit=1)
                return None if known else saving(replace(value, version=1), expect=0)

    def _changed(self, path: str, value: Relation | Evidence, held: Relation | Evidence) -> Operation | None:
        """Return what writes a value that somebody changed in the record, unless the graph changed it as well."""
        if to_data(replace(value, version=held.version)) == to_data(held):
            return None
        entry = self._run.memory.files.get(path)
        if entry is None or entry.id in self._run.since or value.id in self._run.removed:
            return None
        if isinstance(value, Relation) and isinstance(held, Relation):
            self._run.report.count("relations_changed")
            after = replace(held, reasoning=value.reasoning, confidence=value.confidence, version=held.version + 1)
            return SaveRelation(relation=after, expect=held.version) if after.reasoning or after.confidence else None
        if isinstance(value, Evidence) and isinstance(held, Evidence):
            return SaveEvidence(evidence=replace(value, version=held.version + 1), expect=held.version)
        return None

    def _series(self, series: Series) -> Iterator[Operation]:
        held = int(self._ports.store.facts()["series"].get(series.name, 1)) - 1
        if held < series.value:
            yield ReserveNumbers(name=series.name, value=series.value, expect=held)

    def _write(self, wanted: Sequence[tuple[str, int, Operation]]) -> None:
        """Write these together; where that is refused, one by one, and what cannot be written is reported."""
        if not wanted:
            return
        try:
            self._run.commit([operation for _, _, operation in wanted])
        except WeftError as error:
            if len(wanted) > 1:
                for each in wanted:
                    self._write((each,))
                return
            path, line, _ = wanted[0]
            self._run.report.refuse(path, error.message, line)
            return
        made = sum(isinstance(each, SaveRelation) and each.expect == 0 for _, _, each in wanted)
        changed = sum(isinstance(each, SaveRelation) and each.expect > 0 for _, _, each in wanted)
        self._run.report.count("relations_made", made)
        self._run.report.count("others_made", len(wanted) - made - changed)
        ends = [each.relation for _, _, each in wanted if isinstance(each, SaveRelation)]
        self._run.touch(end for each in ends for end in (each.source, each.target))

    def _agree(self, path: str, what: str, id_: str, digest: str, stamp: Stamp) -> None:
        if not self._run.dry_run:
            looked = self._run.now_ns()
            self._run.memory.keep(Mirrored(path=path, what=what, id=id_, digest=digest, stamp=stamp, looked_ns=looked))


def _owner(path: str, values: Sequence[tuple[int, Kept]]) -> str:
    """Return the node whose record this is, by its name; empty: nothing in it tells."""
    for _, value in values:
        for id_ in _about(value):
            if id_ and record_path(id_) == path:
                return id_
    return ""


def _about(value: Kept) -> tuple[str, ...]:
    match value:
        case Relation():
            return (value.source,)
        case Evidence():
            return (value.subject,)
        case Suggestion():
            return value.subjects[:1]
        case Node():
            return (value.id,)
    return ()


def _decided(value: Suggestion, held: Suggestion) -> Operation | None:
    """Return the write of a decision that was taken elsewhere about what is open here."""
    if held.state is not SuggestionState.OPEN or value.state is SuggestionState.OPEN:
        return None
    decided = replace(
        held,
        state=value.state,
        decided_at=value.decided_at,
        decided_by=value.decided_by,
        decided_why=value.decided_why,
        version=held.version + 1,
    )
    return SaveSuggestion(suggestion=decided, expect=held.version)


def _id(value: Kept) -> str:
    return value.name if isinstance(value, Series) else id_of(value)
