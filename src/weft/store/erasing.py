"""Erasing: a leaked text taken out of every row, the log, the words and the pages of a graph. A curator's only.

What a text is found by (an idempotency key, a document's name, an actor) is masked as well, so that afterwards it is
found by that no more: the same call is a new one, and the same document a new document.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from weft.errors import Unavailable
from weft.model import Tier
from weft.model.change import Subject
from weft.model.codec import digest_of, json_text, node_from, suggestion_from, to_data, value_from
from weft.reason.blanking import ERASED
from weft.store import sqlite
from weft.store.guard import erasable
from weft.store.recut import cut_anew
from weft.store.rows import evidence_of, node_of, node_values, relation_of, source_of, suggestion_of, values_of
from weft.text import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from weft.model.codec import Value
    from weft.reason.blanking import Blank
    from weft.store.database import Database as FileDatabase
    from weft.store.engine import Database, Writer
    from weft.store.guard import Access

__all__ = ["Blanked", "SqlEraser", "SqliteEraser", "blanked"]

PAGE: Final = 500
FOLD_S = 5.0
"""How long the file's old pages are waited for while somebody reads them."""

_KINDS: Final[dict[str, tuple[str, Callable[[tuple[Any, ...]], Value]]]] = {
    "source": ("sources_hashed", source_of),
    "node": ("nodes_hashed", node_of),
    "relation": ("relations_hashed", relation_of),
    "evidence": ("evidence_hashed", evidence_of),
    "suggestion": ("suggestions_hashed", suggestion_of),
}


class Eraser(sqlite.Writer):
    """A curator's writer that may blank what otherwise never changes."""

    def permits(self, access: Access) -> bool:
        """Return whether this connection may do that."""
        return super().permits(access) or erasable(Tier.CURATOR, access)


@dataclass(slots=True, kw_only=True)
class Blanked:
    """What was blanked: rows by table, the other nodes among them, and whether the file's old pages are gone too."""

    counts: Counter[str] = field(default_factory=Counter)
    others: set[str] = field(default_factory=set)
    finished: bool = False


class SqlEraser:
    """Finds out what is to be taken out of a graph in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def known(self, blank: Blank) -> Blank:
        """Return ``blank`` with the relations that ever touched its node, and the texts of sources as they will be."""
        relations: set[str] = set()
        spans: dict[str, set[tuple[int, int]]] = {}
        for subject, subject_id, data in self._told(blank.id):
            if subject == "relation" and blank.id in {data["source"], data["target"]}:
                relations.add(subject_id)
        for subject, _, data in self._told(blank.id, *relations):
            if subject == "evidence" and data["subject"] in {blank.id, *relations}:
                spans.setdefault(data["source"], set()).add((data["start"], data["end"]))
        texts: dict[str, str] = {}
        after = ""
        while page := self._database.read("sources_hashed", after=after, limit=PAGE):
            for *row, _ in page:
                source = source_of(tuple(row))
                masked = blank.spanned(source.text, spans.get(source.id, ()))
                texts |= {source.id: masked} if masked != source.text else {}
            after = page[-1][0]
        return replace(blank, relations=frozenset(relations), sources=texts)

    def _told(self, *ids: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Yield what the log ever kept of relations and evidence that names one of ``ids``."""
        for _, subject, subject_id, before, after, *_ in _paged(self._database.read):
            for text in (before, after):
                if text and subject in {"relation", "evidence"} and any(id_ and id_ in text for id_ in ids):
                    yield subject, subject_id, json.loads(text)


class SqliteEraser(SqlEraser):
    """Takes texts out of one embedded graph."""

    def __init__(self, database: FileDatabase) -> None:
        super().__init__(database)
        self._file = database

    def erase(self, blank: Blank, nothing: bytes) -> Blanked:
        """Take everything that ``blank`` names out of the graph in one transaction, then out of the file's free pages.

        ``nothing`` is the vector, packed, that stands in for those of the passages that said it.

        Raises:
            PermissionDenied: the graph was not opened as a curator.
        """
        done = Blanked()
        with self._file.alone() as bare:
            writer = self._file.connected(Eraser, Tier.CURATOR)
            writer.spare(documents=False)
            try:
                with writer.transaction():
                    blanked(writer, blank, nothing, done)
            finally:
                writer.close()
            try:
                bare.execute("VACUUM")
                bare.execute(f"PRAGMA busy_timeout = {int(FOLD_S * 1000)}")
                done.finished = bare.execute("PRAGMA wal_checkpoint(TRUNCATE)")[0][0] == 0
            except Unavailable:
                done.finished = False
        return done


def blanked(writer: Writer, blank: Blank, nothing: bytes, done: Blanked) -> None:
    """Take everything that ``blank`` names out of the graph, in the transaction of ``writer``; count it in ``done``.

    ``nothing`` is the vector, packed, that stands in for those of the passages that said it.
    """
    _Run(writer, blank, done).all(nothing)


def _paged(read: Callable[..., list[tuple[Any, ...]]]) -> Iterator[tuple[Any, ...]]:
    seq = 0
    while page := read("changes_said", seq=seq, limit=PAGE):
        yield from page
        seq = page[-1][0]


class _Run:
    """One erasing, inside its transaction."""

    def __init__(self, writer: Writer, blank: Blank, done: Blanked) -> None:
        self._writer = writer
        self._blank = blank
        self._done = done

    def all(self, nothing: bytes) -> None:
        """Blank the rows, the log, the receipts, and everything derived from them."""
        for table in _KINDS:
            self._rows(table)
        self._votes()
        self._log()
        self._receipts()
        self._tokens()
        self._derived(nothing)

    def _rows(self, table: str) -> None:
        query, value_of = _KINDS[table]
        after = ""
        while page := self._writer.read(query, after=after, limit=PAGE):
            for *row, _ in page:
                self._row(table, to_data(value_of(tuple(row))))
            after = page[-1][0]

    def _row(self, table: str, held: dict[str, Any]) -> None:
        data = self._blanked(table, held)
        if data == held:
            return
        self._done.counts[table] += 1
        text = json_text(to_data(value_from(Subject(table), data)))
        _WRITE[table](self._writer, data | {}, digest_of(text))
        if table == "node" and data["id"] != self._blank.id:
            self._done.others.add(data["id"])

    def _votes(self) -> None:
        after = ("", "")
        while page := self._writer.read("archive_votes", after=after[0], after_too=after[1], limit=PAGE):
            for learned_id, actor, _, reason, _ in page:
                blanked, why = self._blank.name(actor), self._blank.text(reason)
                if (blanked, why) != (actor, reason):
                    self._done.counts["vote"] += 1
                    self._writer.run("vote_blank", learned_id=learned_id, actor=actor, blanked=blanked, reason=why)
            after = page[-1][:2]

    def _log(self) -> None:
        for seq, subject, subject_id, before, after, actor, client, session in _paged(self._writer.read):
            held = {
                "subject_id": subject_id,
                "before": before,
                "after": after,
                "actor": actor,
                "client": client,
                "session": session,
            }
            left = {
                "subject_id": self._blank.name(subject_id) if subject == Subject.VOTE else subject_id,
                "before": self._line(subject, before),
                "after": self._line(subject, after),
                "actor": self._blank.name(actor),
                "client": self._blank.name(client),
                "session": self._blank.text(session),
            }
            if left != held:
                self._done.counts["change"] += 1
                self._writer.run("change_blank", seq=seq, **left)

    def _line(self, subject: str, text: str | None) -> str | None:
        if text is None or not (subject == "source" or self._blank.concerns(text)):
            return text
        return json_text(self._blanked(subject, json.loads(text)))

    def _blanked(self, subject: str, held: dict[str, Any]) -> dict[str, Any]:
        """Return the row without the texts; a source that kept its text keeps the digest that it is known again by."""
        data = self._blank.data(subject, held)
        if subject == "source" and data["text"] != held["text"]:
            data["digest"] = digest(data["text"])
        return data

    def _receipts(self) -> None:
        place = ("", "", "")
        while page := self._writer.read("receipts_after", actor=place[0], tool=place[1], key=place[2], limit=PAGE):
            for row in page:
                self._receipt(*row)
            place = page[-1][:3]

    def _receipt(self, actor: str, tool: str, key: str, *said: str) -> None:
        answer, subjects, batch = said
        own = self._blank.owns(answer) or self._blank.owns(subjects)
        left = answer
        if self._blank.concerns(answer + subjects):
            left = _OWN_ANSWER if own else json_text(self._blank.anything(json.loads(answer)))
        who = self._blank.name(actor)
        named: dict[str, str | None] = {"new_actor": who, "new_key": f"{ERASED} {batch}", "digest": ""}
        if (who, self._blank.text(key)) == (actor, key):
            if left == answer:
                return
            named = {"new_actor": actor, "new_key": key, "digest": None}
        self._done.counts["receipt"] += 1
        self._writer.run("receipt_blank", actor=actor, tool=tool, key=key, answer=left, **named)

    def _tokens(self) -> None:
        for id_, actor, created_by in self._writer.read("tokens_said"):
            left = {"actor": self._blank.name(actor), "created_by": self._blank.name(created_by)}
            if left != {"actor": actor, "created_by": created_by}:
                self._done.counts["token"] += 1
                self._writer.run("token_blank", id=id_, **left)

    def _derived(self, nothing: bytes) -> None:
        names = [name for (name,) in self._writer.read("mentions_named") if self._blank.text(name) != name]
        self._done.counts["mention"] += self._writer.run("mentions_blank", id=self._blank.id, names=names)
        self._prints()
        if any(self._blank.name(name) != name for (name,) in self._writer.read("tally_said")):
            self._writer.run("tally_clear")
            self._writer.run("tally_fill")
        for node in filter(None, (self._blank.id, *self._done.others)):
            self._done.counts["passage"] += self._writer.run("passages_blank", id=node, vector=nothing)
        cut_anew(self._writer)

    def _prints(self) -> None:
        said = {name for row in self._writer.read("prints_said") for name in row}
        names = [name for name in sorted(said) if self._blank.text(name, aside=False) != name]
        done = self._writer.run("prints_blank", id=self._blank.id)
        self._done.counts["file_print"] += done + self._writer.run("prints_blank_named", names=names)


_OWN_ANSWER: Final = json_text({"erased": True})


def _write_node(writer: Writer, data: Mapping[str, Any], hash_: str) -> None:
    values = node_values(node_from(data), data) | {"hash": hash_}
    writer.read("node_update", **values)
    for name in ("node_retire", "node_blank"):
        writer.run(name, **values)


def _write_source(writer: Writer, data: Mapping[str, Any], hash_: str) -> None:
    writer.run("source_blank", **data, hash=hash_)


def _write_plain(names: tuple[str, ...], writer: Writer, data: Mapping[str, Any], hash_: str) -> None:
    for query in names:
        writer.run(query, **values_of(data) | {"hash": hash_})


def _write_suggestion(writer: Writer, data: Mapping[str, Any], hash_: str) -> None:
    values = values_of(to_data(suggestion_from(data))) | {"hash": hash_}
    for name in ("suggestion_update", "suggestion_decide", "suggestion_blank"):
        writer.run(name, **values)


_WRITE: Final[dict[str, Callable[[Writer, Mapping[str, Any], str], None]]] = {
    "node": _write_node,
    "source": _write_source,
    "relation": partial(_write_plain, ("relation_update", "relation_blank")),
    "evidence": partial(_write_plain, ("evidence_update", "evidence_blank")),
    "suggestion": _write_suggestion,
}
