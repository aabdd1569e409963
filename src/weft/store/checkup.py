"""A look at a whole graph file: the engine, the truth with the log, and everything derived with the truth.

One read transaction, so that what others write meanwhile disturbs nothing. Nothing is changed here; :mod:`.mending`
makes anew what is derived.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from weft.errors import WeftError
from weft.model import Flaw, Vote
from weft.model.codec import digest_of, json_text, time_from, to_data
from weft.store.due import Sizes, broken_vectors, expected_words
from weft.store.guard import ENGINE_MIN
from weft.store.rows import evidence_of, node_of, relation_of, source_of, suggestion_of
from weft.store.schema import schema_amiss
from weft.store.statements import statement
from weft.text.roots import CUT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from weft.model.codec import Value
    from weft.store.sqlite import Connection

__all__ = ["DERIVED", "Checkup", "Report"]

Report: TypeAlias = "Callable[[int, int, str], None]"

PAGE: Final = 500
NAMED_MAX: Final = 5
"""Examples that a finding names."""

_KINDS: Final[dict[str, tuple[str, Callable[[tuple[Any, ...]], Value]]]] = {
    "node": ("nodes_hashed", node_of),
    "relation": ("relations_hashed", relation_of),
    "source": ("sources_hashed", source_of),
    "evidence": ("evidence_hashed", evidence_of),
    "suggestion": ("suggestions_hashed", suggestion_of),
}
DERIVED: Final[Mapping[str, tuple[str, str]]] = {
    "tags_amiss": ("tags of nodes", "Asking by tag misses nodes, or finds wrong ones."),
    "references_amiss": ("references to files", "Asking by file misses nodes, or finds wrong ones."),
    "names_amiss": ("names of nodes", "Naming a node by title, alias or handle may not find it."),
    "subjects_amiss": ("subjects of suggestions", "A suggestion may not show beside the nodes that it is about."),
    "tally_amiss": ("kept counts", "What status and list_ontologies count is wrong."),
    "bands_amiss": ("counts of confidence", "The distribution of confidence in status is wrong."),
    "mentions_amiss": ("mentions of nodes that are not there", "Search may follow a mention to nothing."),
    "prints_amiss": ("prints of files", "A changed file may not be noticed."),
}
"""What is kept by triggers or found in the text: by the query that compares it, what it is and what a fault means."""

ANEW: Final = "No knowledge is lost: weft doctor --repair makes it anew."
RESTORE: Final = "Restore a backup (weft restore), or compare with an export; nothing can make it anew."
_SETTINGS: Final = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1, "mmap_size": 0}


class Checkup:
    """One look at a graph through ``connection``, which is used by nobody else; ``report`` is told how far it is."""

    def __init__(self, connection: Connection, report: Report | None = None) -> None:
        self._connection = connection
        self._report = report
        self.found: tuple[Flaw, ...] = ()
        self.engine = ""
        self.schema = connection.schema()
        self.rows = self.changes = self.passages = 0
        self._done = 0

    def findings(self) -> tuple[Flaw, ...]:
        """Return everything that does not agree; an engine that cannot go on is a finding too."""
        ask = self._connection.execute
        ask("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, words, row)")
        ask("PRAGMA query_only = ON")
        found: list[Flaw] = []
        with self._connection.transaction("BEGIN"):
            self.passages = self._read("passages_counted")[0][0]
            for part in (self._of_the_engine, self._of_the_schema, self._of_the_rows, self._of_the_log):
                found += self._guarded(part)
            for part in (self._of_what_is_derived, self._of_the_passages, self._of_the_words, self._of_the_receipts):
                found += self._guarded(part)
        return tuple({finding.key: finding for finding in reversed(found)}.values())[::-1]

    def _guarded(self, look: Callable[[], Iterator[Flaw]]) -> list[Flaw]:
        try:
            return list(look())
        except (WeftError, ValueError, KeyError, TypeError) as error:
            words = look.__name__ == "_of_the_words"
            return [
                Flaw(
                    part="words" if words else "engine",
                    key="words_damaged" if words else f"unreadable_{look.__name__.split('_')[-1]}",
                    what=f"A part of the graph cannot be read: {error}",
                    meaning="The file is damaged there.",
                    remedy=ANEW if words else RESTORE,
                    derived=words,
                )
            ]

    def _read(self, name: str, **values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401 - what the engine binds
        bound = {key: json_text(value) if isinstance(value, list) else value for key, value in values.items()}
        return self._connection.execute(statement(name), bound)

    def _tell(self, done: int, what: str) -> None:
        self._done += done
        if self._report is not None:
            self._report(self._done, max(self._done, 2 * self.passages), what)

    # ---- the engine and the schema

    def _of_the_engine(self) -> Iterator[Flaw]:
        self._tell(0, "the engine")
        (self.engine,) = self._connection.execute("SELECT sqlite_version()")[0]
        for name, wanted in _SETTINGS.items():
            (held,) = self._connection.execute(f"PRAGMA {name}")[0]
            if held != wanted:
                yield Flaw(
                    part="engine",
                    key=f"setting_{name}",
                    what=f"The setting {name} is {held}, not {wanted} (engine {self.engine}, at least {ENGINE_MIN}).",
                    meaning="Several processes cannot work on the graph as safely as they should.",
                    remedy=ANEW if name == "journal_mode" else RESTORE,
                    derived=name == "journal_mode",
                )
        yield from self._of_the_pages()
        if hanging := self._connection.execute("PRAGMA foreign_key_check"):
            yield Flaw(
                part="engine",
                key="rows_hang",
                what=f"{len(hanging)} rows point at rows that are not there ({_few(row[0] for row in hanging)}).",
                meaning="Something was removed past Weft.",
                remedy=RESTORE,
            )

    def _of_the_pages(self) -> Iterator[Flaw]:
        said = [row[0] for row in self._connection.execute("PRAGMA integrity_check(50)") if row != ("ok",)]
        words = [line for line in said if "fts5" in line.lower() or "main.words" in line]
        index = [line for line in said if line not in words and (" index " in line or "entries in" in line)]
        for key, lines in (("words_damaged", words), ("indexes_damaged", index)):
            if lines:
                yield Flaw(
                    part="engine",
                    key=key,
                    what=f"The engine says: {_few(lines)}",
                    meaning="A way to look things up is damaged; what it leads to is not.",
                    remedy=ANEW,
                    derived=True,
                )
        if pages := [line for line in said if line not in words and line not in index]:
            yield Flaw(
                part="engine",
                key="pages_damaged",
                what=f"The engine says: {_few(pages)}",
                meaning="The file itself is damaged: a failing disk, or another program wrote to it.",
                remedy=RESTORE,
            )

    def _of_the_schema(self) -> Iterator[Flaw]:
        missing, changed = schema_amiss(self._connection)
        if missing:
            yield Flaw(
                part="schema",
                key="schema_missing",
                what=f"Indexes or guards of the schema are missing: {_few(missing)}.",
                meaning="Look-ups are slow, or the engine no longer refuses what a tier may not do.",
                remedy=ANEW,
                derived=True,
            )
        if changed:
            yield Flaw(
                part="schema",
                key="schema_changed",
                what=f"The schema holds what this Weft did not make: {_few(changed)}.",
                meaning="Another program has changed the graph's tables or guards.",
                remedy="Export the graph (weft export), and import it into a new one.",
            )
        if facts := [row[0] for row in self._read("meta_missing")]:
            yield Flaw(
                part="schema",
                key="facts_missing",
                what=f"Facts about the graph are missing: {', '.join(facts)}.",
                meaning="Which model made the vectors, or which cut the words are of, is not known.",
                remedy=RESTORE,
            )

    # ---- the truth and the log

    def _of_the_rows(self) -> Iterator[Flaw]:
        """Compare each row with its hash, and with what the log last said of it."""
        for table, (query, value_of) in _KINDS.items():
            off: dict[str, list[str]] = {"hash": [], "log": []}
            after = ""
            while page := self._read(query, after=after, limit=PAGE):
                self._tell(len(page), f"every {table}")
                self.rows += len(page)
                said = dict(self._read("last_said", subject=table, ids=[row[0] for row in page]))
                for *row, digest in page:
                    text = json_text(to_data(value_of(tuple(row))))
                    off["hash"] += [row[0]] if digest != digest_of(text) else []
                    off["log"] += [row[0]] if said[row[0]] != text else []
                after = page[-1][0]
            yield from _rows_off(table, off)
        yield from self._of_the_votes()

    def _of_the_votes(self) -> Iterator[Flaw]:
        rows = self._connection.execute("SELECT learned_id, actor, value, reason, at FROM vote")
        votes = {
            f"{row[0]}/{row[1]}": Vote(
                learned_id=row[0], actor=row[1], value=row[2], reason=row[3], at=time_from(row[4])
            )
            for row in rows
        }
        said = dict(self._read("last_said", subject="vote", ids=list(votes)))
        off = [key for key, vote in votes.items() if said[key] != json_text(to_data(vote))]
        yield from _rows_off("vote", {"hash": [], "log": off})

    def _of_the_log(self) -> Iterator[Flaw]:
        self._tell(0, "the log")
        count, first, last, back = self._read("log_ends")[0]
        self.changes = count
        if (first, last) != (1, count):
            yield _of_log("log_gaps", f"The log has {count} lines, numbered {first} to {last}: some are missing.")
        if back:
            yield _of_log("log_times", f"{back} lines of the log are dated before the line above.")
        if breaks := self._read("log_breaks", limit=NAMED_MAX):
            named = _few(f"line {seq} on {subject} {subject_id}" for seq, subject, subject_id in breaks)
            yield _of_log("log_breaks", f"Lines of the log do not begin where the last one ended: {named}.")
        if unheld := self._read("log_unheld", limit=NAMED_MAX):
            named = _few(f"{subject} {subject_id}" for subject, subject_id in unheld)
            yield Flaw(
                part="rows",
                key="rows_missing",
                what=f"The log tells of what is not there: {named}.",
                meaning="Something was removed past Weft; the log still holds it.",
                remedy=RESTORE,
            )

    # ---- what is derived

    def _of_what_is_derived(self) -> Iterator[Flaw]:
        self._tell(0, "what is derived")
        for key, (name, meaning) in DERIVED.items():
            surplus, missing = self._read(key)[0]
            if surplus or missing:
                yield Flaw(
                    part="mentions" if key == "mentions_amiss" else "derived",
                    key=key,
                    what=f"The {name} are off: {surplus} too many, {missing} missing.",
                    meaning=meaning,
                    remedy=ANEW,
                    derived=True,
                )

    def _of_the_passages(self) -> Iterator[Flaw]:
        lacking = [row[0] for row in self._read("passages_lacking")]
        (surplus,) = self._read("passages_surplus")[0]
        broken = broken_vectors(self._read, lambda count: self._tell(count, "vectors"))
        said = (
            ("passages_lacking", len(lacking), f"standing nodes have no passage ({_few(lacking)})"),
            ("passages_surplus", surplus, "passages stand of nodes that left"),
            ("vectors_broken", len(broken), "vectors of passages are no vectors of this model"),
        )
        for key, count, what in said:
            if count:
                yield Flaw(
                    part="passages",
                    key=key,
                    what=f"{count} {what}.",
                    meaning="Search does not find these nodes by meaning, or finds what left.",
                    remedy=ANEW,
                    derived=True,
                )

    def _of_the_words(self) -> Iterator[Flaw]:
        """Compare the words of each passage with its text: how many there are, and in how many passages each stands."""
        frequencies: Counter[str] = Counter()
        wrong = 0
        sizes = Sizes(self._read)
        for row, values in expected_words(self._read):
            frequencies.update(json.loads(values["terms"]))
            due = (len(values["name_words"].split()), len(values["body_words"].split()))
            wrong += sizes.of(row) != due
            self._tell(1, "words")
        wrong += sizes.surplus()
        kept = dict(self._read("terms_kept"))
        held = dict(self._connection.execute("SELECT term, doc FROM temp.vocabulary"))
        off = sum(kept.get(term) != count or held.get(term) != count for term, count in frequencies.items())
        off += len((kept.keys() | held.keys()) - frequencies.keys())
        cut = dict(self._read("meta_values")).get("words")
        if wrong or off or cut != CUT:
            yield Flaw(
                part="words",
                key="words_amiss",
                what=f"The words of {wrong} passages and the frequencies of {off} words are not those of the text.",
                meaning="Search by words misses nodes, or finds wrong ones.",
                remedy=ANEW,
                derived=True,
            )

    def _of_the_receipts(self) -> Iterator[Flaw]:
        count, _ = self._read("receipts_amiss")[0]
        if count:
            yield Flaw(
                part="receipts",
                key="receipts_amiss",
                what=f"{count} receipts hold no answer that can be read.",
                meaning="A repeated call with such a receipt fails; no knowledge is lost.",
                remedy="Callers should use a new idempotency key; the old answer is gone.",
            )


def _rows_off(table: str, off: dict[str, list[str]]) -> Iterator[Flaw]:
    if off["hash"]:
        yield Flaw(
            part="rows",
            key=f"{table}_hash",
            what=f"{len(off['hash'])} rows of {table} are not those that were hashed ({_few(off['hash'])}).",
            meaning="They changed past Weft: another program, or a failing disk.",
            remedy="See what the log says (weft fetch shows the history), and restore a backup.",
        )
    if off["log"]:
        yield Flaw(
            part="rows",
            key=f"{table}_log",
            what=f"{len(off['log'])} rows of {table} are not what the log last said ({_few(off['log'])}).",
            meaning="Either the row or the log changed past Weft; undo and «as of» may be wrong for it.",
            remedy="Compare with a backup, and restore it where that is right.",
        )


def _of_log(key: str, what: str) -> Flaw:
    return Flaw(
        part="log",
        key=key,
        what=what,
        meaning="Undo, «as of» and the history are wrong for what these lines are about.",
        remedy=RESTORE,
    )


def _few(names: Any) -> str:  # noqa: ANN401 - any texts
    listed = [str(name) for name in names]
    more = f" and {len(listed) - NAMED_MAX} more" if len(listed) > NAMED_MAX else ""
    return ", ".join(listed[:NAMED_MAX]) + more
