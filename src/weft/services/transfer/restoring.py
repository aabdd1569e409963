"""A lossless file, taken in: first its log is written again, then what stands is compared with what it says.

What a file says stands but its log does not tell (a line of the log is broken or missing) is written as new: with its
id and its times, at version 1. What differs from the file is reported and left as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from weft.errors import Conflict, InvalidArgument, PermissionDenied
from weft.formats.jsonl import End, Former, Header, Series, Use, key_of, parse, refuse_unknown
from weft.identity import new_id
from weft.model import (
    Batch,
    Change,
    Evidence,
    Node,
    Relation,
    ReserveNumbers,
    SaveNode,
    SaveSource,
    SaveVote,
    Source,
    Subject,
    Suggestion,
    Vote,
)
from weft.model.codec import id_of
from weft.services.passages import embed
from weft.services.planning import saving
from weft.services.registering import checked, register
from weft.services.transfer.landing import mention_all
from weft.services.transfer.replaying import Replay
from weft.services.transfer.tally import Tally
from weft.vocabulary import Kind, RelationType, Vocabulary
from weft.vocabulary import key_of as key_of_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from weft.formats.jsonl import Line
    from weft.model import Call, Imported, Operation, Passage
    from weft.model.codec import Value
    from weft.services.transfer.ports import TransferPorts
    from weft.vocabulary import Row

__all__ = ["Restoring"]

_CHANGES_AT_ONCE: Final = 200  # changes whose texts are embedded in one call; a batch is never cut
_CHARACTERS_AT_ONCE: Final = 2_000_000
"""Lines of so many characters are written, or compared, together: embedding a text takes fifteen times its memory."""

_VALUES_AT_ONCE: Final = 500
_REFUSALS: Final = (Conflict, InvalidArgument, PermissionDenied)


class Restoring:
    """One file being taken in. ``path`` is what it is called in the report."""

    def __init__(self, ports: TransferPorts, call: Call, *, path: str, dry_run: bool) -> None:
        self._ports = ports
        self._call = replace(call, receipt=None)
        self._path = path
        self._tally = Tally(format="jsonl", dry_run=dry_run)
        self._replay = Replay(
            store=ports.store,
            log=ports.log,
            archive=ports.archive,
            embedder=ports.embedder,
            tally=self._tally,
            path=path,
            call=self._call,
        )
        self._changes: list[tuple[int, Change]] = []
        self._characters = 0  # of the lines that these were read from
        self._values: list[tuple[int, Value]] = []
        self._uses: list[Use] = []
        self._counts: dict[str, int] = {}
        self._ended = False
        self._vocabulary = ports.store.vocabulary
        self._former: set[Former] = set()
        self._standing = 0  # relations of the file that stand here as it says, those just written too

    def restore(self, lines: Iterable[str]) -> Imported:
        """Take in every line that can be read; the others are reported with their numbers.

        Raises:
            InvalidArgument: the first line is not that of a lossless file, or of a newer form of it.
        """
        numbered = enumerate(lines, start=1)
        self._open(next(numbered, (1, ""))[1])
        for line, text in numbered:
            if text.strip():
                self._take(line, text)
        self._write_changes()
        self._write_values()
        self._remember_uses()
        if not self._ended:
            self._tally.refuse(self._path, 0, "the file has no last line: it was cut off, and what follows is missing")
        self._tally.relations_known = max(0, self._standing - self._tally.relations_made)
        mention_all(self._ports, tuple(self._replay.touched), self._call)
        return self._tally.answer()

    def _open(self, text: str) -> None:
        hint = "Name the format it is in with --from."
        try:
            header = parse(text.removeprefix("\ufeff"))
        except InvalidArgument as error:
            raise InvalidArgument(f"{self._path}: not a lossless export: {error.message}", hint=hint) from error
        if not isinstance(header, Header):
            raise InvalidArgument(f"{self._path}: not a lossless export: the first line is no header", hint=hint)
        self._counts["weft"] = 1

    def _take(self, line: int, text: str) -> None:
        try:
            entry = parse(text)
            refuse_unknown(entry, self._vocabulary, self._former)
        except InvalidArgument as error:
            self._tally.refuse(self._path, line, error.message)
            return
        self._counts[key_of(entry)] = self._counts.get(key_of(entry), 0) + 1
        if isinstance(entry, Kind | RelationType):
            self._learn(line, entry)
        elif isinstance(entry, Former):
            self._former.add(entry)
        elif isinstance(entry, Change):
            self._take_change(line, entry, len(text))
        else:
            self._write_changes()
            self._characters += len(text)
            self._take_rest(line, entry)

    def _learn(self, line: int, row: Row) -> None:
        """Register a kind or a relation type that the file brings along; one that is known here stays what it is."""
        own = self._vocabulary.own
        held = {key_of_row(each): each for each in own.rows}.get(key_of_row(row))
        try:
            if held is not None and held != row:
                raise InvalidArgument(f"{row.name} is registered here otherwise; it was left so")
            if self._tally.dry_run:
                known = own.with_rows((checked(row, self._vocabulary),))
                self._vocabulary = Vocabulary(lambda: known)
            else:
                register(row, self._vocabulary, config=self._ports.config, call=self._call)
        except _REFUSALS as error:
            self._tally.refuse(self._path, line, error.message)

    def _take_change(self, line: int, change: Change, characters: int) -> None:
        full = len(self._changes) >= _CHANGES_AT_ONCE or self._characters >= _CHARACTERS_AT_ONCE
        if full and self._changes[-1][1].batch != change.batch:
            self._write_changes()
        self._changes.append((line, change))
        self._characters += characters

    def _take_rest(self, line: int, entry: Line) -> None:
        match entry:
            case Series():
                self._claim(entry)
            case Use():
                self._uses.append(entry)
            case End():
                self._end(line, entry)
            case Node() | Relation() | Source() | Evidence() | Suggestion() | Vote():
                self._values.append((line, entry))
                if len(self._values) >= _VALUES_AT_ONCE or self._characters >= _CHARACTERS_AT_ONCE:
                    self._write_values()
            case _:
                self._tally.refuse(self._path, line, f"{key_of(entry)} does not belong here")

    def _end(self, line: int, end: End) -> None:
        self._ended = True
        for name, count in end.counts.items():
            read = self._counts.get(name, 0)
            if read != count:
                self._tally.refuse(self._path, line, f"{count} lines of {name} were written, {read} could be read")

    def _write_changes(self) -> None:
        if not self._changes:
            return
        changes, self._changes, self._characters = self._changes, [], 0
        self._replay.write(changes)
        self._call.report(changes[-1][0], 0, f"change {changes[-1][1].seq}")

    def _claim(self, series: Series) -> None:
        held = int(self._ports.store.facts()["series"].get(series.name, 1))
        if held <= series.value and not self._tally.dry_run:
            self._commit((ReserveNumbers(name=series.name, value=series.value, expect=held - 1),))

    def _remember_uses(self) -> None:
        if not self._tally.dry_run:
            self._ports.usage.restore({use.node: (use.count, use.last) for use in self._uses})

    def _write_values(self) -> None:
        """Compare these values with what stands, and write those that are missing."""
        values, self._values, self._characters = self._values, [], 0
        if not values or (self._tally.dry_run and self._counts.get("change")):
            return
        missing = list(self._missing(values))
        if self._tally.dry_run:
            self._count([value for _, value in missing])
            return
        nodes = [value for _, value in missing if isinstance(value, Node)]
        passages = dict(zip((node.id for node in nodes), embed(nodes, self._ports.embedder), strict=True))
        saves = [(line, value, _save(value, passages)) for line, value in missing]
        try:
            self._commit(tuple(operation for _, _, operation in saves))
        except _REFUSALS:
            for save in saves:
                self._write_alone(*save)
        else:
            self._count([value for _, value in missing])

    def _write_alone(self, line: int, value: Value, operation: Operation) -> None:
        try:
            self._commit((operation,))
        except _REFUSALS as error:
            self._tally.refuse(self._path, line, f"{key_of(value)}: {error.message}")
        else:
            self._count([value])

    def _missing(self, values: Sequence[tuple[int, Value]]) -> Iterator[tuple[int, Value]]:
        standing: dict[tuple[str, str], Value] = {}
        for kind in sorted({key_of(value) for _, value in values}):
            ids = [id_of(value) for _, value in values if key_of(value) == kind]
            found = self._ports.archive.values(Subject(kind), ids)
            standing |= {(kind, id_): value for id_, value in found.items()}
        for line, value in values:
            held = standing.get((key_of(value), id_of(value)))
            if held is None and not self._was_here(value):
                yield line, value
            elif held is not None:
                self._compare(line, value, held)

    def _was_here(self, value: Value) -> bool:
        """Return whether the log knows of it: then it was taken out here, and stays out."""
        return bool(self._ports.log.history(id_of(value), limit=1))

    def _compare(self, line: int, value: Value, held: Value) -> None:
        if held == value:
            self._tally.nodes_known += isinstance(value, Node) and value.id not in self._replay.touched
            self._standing += isinstance(value, Relation)
        elif isinstance(held, Source | Vote) or isinstance(value, Source | Vote) or held.version <= value.version:
            self._tally.nodes_kept += isinstance(value, Node)
            said = f"{key_of(value)} {id_of(value)} stands here otherwise; it was left so"
            self._tally.refuse(self._path, line, said)

    def _count(self, values: Sequence[Value]) -> None:
        nodes = [value.id for value in values if isinstance(value, Node)]
        self._tally.nodes_made += len(nodes)
        self._tally.relations_made += sum(isinstance(value, Relation) for value in values)
        self._replay.touched |= dict.fromkeys(nodes)

    def _commit(self, operations: tuple[Operation, ...]) -> None:
        if operations:
            batch = Batch(id=new_id(self._call.at), call=self._call, operations=operations, spares_documents=False)
            self._ports.store.commit(batch)
            if not isinstance(operations[0], ReserveNumbers):
                self._tally.wrote(batch.id)


def _save(value: Value, passages: Mapping[str, tuple[Passage, ...]]) -> Operation:
    """Return what writes the value as new."""
    match value:
        case Node():
            return SaveNode(node=replace(value, version=1), expect=0, passages=passages[value.id])
        case Source():
            return SaveSource(source=value)
        case Vote():
            return SaveVote(vote=value)
        case _:
            return saving(replace(value, version=1), expect=0)
